"""A worker that computes nothing: it shows the whole protocol, and misbehaves where a test asks for it.

The batch size of a configuration is its time in microseconds; the arguments say what goes wrong, and on which network.
"""

import json
import os
import sys
import time

# TF32 is a format of GPUs.
PRECISIONS = ["fp64", "fp32", "bf16", "fp16", "amp-bf16", "amp-fp16"]

MISCHIEF = dict(argument.split("=", 1) for argument in sys.argv[1:])


# As the miniature catalog has them.
PARAMETERS = {"deepnet-50": 25_600_000, "deepnet-101": 44_500_000}

# Of a kit: it takes a network from files and answers their samples.
IN_KIT = "framework" in MISCHIEF


def say(event, **facts):
    print(json.dumps({"event": event, **facts}), flush=True)


def naughty(kind, network):
    return MISCHIEF.get(kind) == network


def updated(outputs, share=1.0):
    """The answers after an update of which a share was made."""
    return [[output + share * 0.25 * place for place, output in enumerate(sample)] for sample in outputs]


def export(request):
    """The answers to two samples, which are what this network consists of."""
    outputs = [[0.0, 1.0, 2.0], [5.0, 3.0, 4.0]]
    with open(os.path.join(request["folder"], "outputs.json"), "w") as file:
        json.dump(outputs, file)
    return {"parameters": PARAMETERS[request["network"]], "input_shape": [1, 2, 3], "outputs": outputs,
            "updated_outputs": updated(outputs), "made_by": "mock 1, fp32"}


def answers(configuration):
    """What a worker of a kit says beside the rest: its own answers, as far off as a test asks for."""
    network = configuration["network"]
    with open(os.path.join(configuration["model_files"], "outputs.json")) as file:
        outputs = json.load(file)[:configuration["batch_size"]]
    outputs[0][1] += float(MISCHIEF["off-by"]) if naughty("off-on", network) else 2e-6
    parameters = PARAMETERS[network] - naughty("smaller-on", network)
    told = {"parameters": parameters, "load_s": 0.5, "compile_s": 1.25}
    if configuration["stage"] == "train" and not naughty("no-update-on", network):
        told["updated_outputs"] = updated(outputs, float(MISCHIEF.get("update", 1)))
    return told if naughty("silent-on", network) else {**told, "outputs": outputs}


def prepare(configuration):
    network = configuration["network"]
    if naughty("oom-above-64-on", network) and configuration["batch_size"] > 64:
        return say("failed", outcome="oom", message="there is no more memory")
    if naughty("unsupported-on", network):
        return say("failed", outcome="unsupported", message="this is not a thing")
    if naughty("die-on", network):
        print("the floor gave way", file=sys.stderr, flush=True)
        os._exit(3)
    if naughty("hang-on", network):
        if os.fork() == 0:  # a child that would stay behind
            time.sleep(3600)
        time.sleep(3600)
    if naughty("leave-on", network):
        if os.fork() == 0:  # a child that leaves the group and the session, and a child of that
            os.setsid()
            os.fork()
            for number in range(3):
                os.close(number)
            with open(MISCHIEF["left"], "a") as file:
                print(os.getpid(), file=file)
            time.sleep(3600)
    if naughty("flood-on", network):
        while True:
            sys.stdout.write("x" * 65536)
    if "prepare-mib" in MISCHIEF:
        needed = b"x" * (int(MISCHIEF["prepare-mib"]) << 20)  # only while preparing
        del needed
    if naughty("babble-on", network):
        print("Segmentation fault (just joking)", flush=True)
    more = answers(configuration) if IN_KIT else {"parameters": 1000000}
    say("ready", **more, multiply_adds=2000000, input_shape=[1, 2, 3], counts="image",
        timed="one forward pass", overhead_ns=10.0, threads=int(MISCHIEF.get("threads", 1)),
        stated={"mode": MISCHIEF.get("mode", "eager"), "layout": MISCHIEF.get("layout", ""),
                "partition": MISCHIEF.get("partition", ""), "api-language": "Python", "software": "mock 1", "device": "another", "reduced-precision": "not allowed",
                "cudnn-benchmark": MISCHIEF.get("states", "on")})
    return configuration


def level():
    """By how much this process is slower than the first one: fresh processes differ where a test asks for it."""
    if "differ" not in MISCHIEF:
        return 1.0
    with open(MISCHIEF["pids"]) as file:
        return 1.0 + float(MISCHIEF["differ"]) * (len(file.readlines()) % 3)


def times(configuration, count):
    base = int(configuration["batch_size"] * 1000 * level() * float(MISCHIEF.get("times", 1)))
    slow = float(MISCHIEF.get("sleep", 0))
    for at in range(count):
        time.sleep(slow + base / 1e9)
    if naughty("boast-on", configuration["network"]):
        return [18446744073709551615] * count
    spike = 50_000_000 if "spike" in MISCHIEF else 0  # now and then something else takes the processor
    time.sleep(spike / 1e9)
    return [base + at % 3 + (spike if at == 0 else 0) for at in range(count)]


def main():
    if "pids" in MISCHIEF:
        with open(MISCHIEF["pids"], "a") as file:
            print(os.getpid(), file=file)
    if "silent-in" in MISCHIEF and MISCHIEF["silent-in"] == "hello":
        time.sleep(3600)
    kit = {"model_files": True, "exports": True, "capabilities": [
        {"networks": list(PARAMETERS), "stages": MISCHIEF.get("stages", "eval").split("+"), "precisions": ["fp32", "bf16"]}]} if IN_KIT else {}
    say("hello", **kit, protocol=int(MISCHIEF.get("protocol", 1)), worker="mock 1", framework=MISCHIEF.get("framework", "firelight"),
        framework_version="1.2", devices=[{"id": "cpu", "precisions": PRECISIONS}], networks=["deepnet-50", "deepnet-101"], build={})
    configuration = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "prepare":
            if naughty("silent-in", "probe") and request["configuration"]["network"].startswith("dlbench-"):
                time.sleep(3600)
            configuration = prepare(request["configuration"])
            if configuration is None:
                return
        elif request["do"] == "iterate":
            loss = 0.5 if configuration["stage"] == "train" else None
            # As a program whose memory goes back to the system and comes anew in each iteration.
            faults = 0 if os.environ.get("MALLOC_MMAP_MAX_") == "0" else 1570
            usage = {"minor_faults": faults * request["count"], "major_faults": 0, "system_ns": 500 * request["count"]}
            diverged = {"loss": None, "diverged": True} if loss and "diverge" in MISCHIEF else {"loss": loss}
            host_ns = times(configuration, request["count"])
            if configuration.get("timing") == "throughput":
                host_ns = [sum(host_ns)]
            say("samples", host_ns=host_ns, usage=usage, **diverged)
        elif request["do"] == "export":
            say("exported", **export(request))
        elif request["do"] == "evaluate":
            say("evaluated", error_rate=0.25, samples=4)
        else:
            return say("done")


main()
