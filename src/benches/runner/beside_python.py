#!/usr/bin/env python3
"""Compares the worker's times with those of the same networks in Python's torch and torchvision.

Both sides have the same libtorch release, threads, batch, format and allocator. A pair is a fresh process of each, which take turns:
a portion of iterations here and one there, so that what drifts on the machine meets both. How fast a process is differs from that of
the next one on either side, so each pair counts as one value, the ratio of its medians, and the interval is Student's over pairs.

    make beside-python PAIRS=8
"""

import argparse
import json
import math
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

from levels import interval

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]

# Ids of the worker, and the same network in torchvision.
NETWORKS = {
    "alexnet-owt": lambda models: models.alexnet(weights=None),
    "vgg-16": lambda models: models.vgg16(weights=None),
    "resnet-18": lambda models: models.resnet18(weights=None),
    "resnet-50-v1.5": lambda models: models.resnet50(weights=None),
    "densenet-121": lambda models: models.densenet121(weights=None),
    "googlenet": lambda models: models.googlenet(weights=None, aux_logits=False, init_weights=False),
    "mobilenet-v2": lambda models: models.mobilenet_v2(weights=None),
    "shufflenet-v2-x1.0": lambda models: models.shufflenet_v2_x1_0(weights=None),
    "squeezenet-1.1": lambda models: models.squeezenet1_1(weights=None),
    "efficientnet-b0": lambda models: models.efficientnet_b0(weights=None),
}

# network:batch:stage
CELLS = ("squeezenet-1.1:1:eval,squeezenet-1.1:16:train,mobilenet-v2:1:eval,mobilenet-v2:16:eval,mobilenet-v2:4:train,"
         "resnet-18:1:train,resnet-18:16:eval,resnet-50-v1.5:4:eval,densenet-121:4:train,alexnet-owt:16:train")

# What the C library does with memory that is no longer used, alike on both sides: gives it back to the system, which costs time in the
# next iteration and hangs on chance, or keeps it (the variables of `--allocator kept`).
MEMORY = {
    "system": {},
    "kept": {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "9223372036854775807"},
}

# A ratio is alike within this.
ALIKE = 0.03


class Side:
    """A process that runs portions of iterations when it is asked to, in JSON lines."""

    def __init__(self, command, memory, environment):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **MEMORY[memory], **environment},
        )
        self.samples = []

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, request):
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self.read()

    def times(self, count):
        return [ns / 1e6 for ns in self.ask({"do": "iterate", "count": count})["host_ns"]]

    def warm_up(self, seconds):
        """Iterates until so much time is over, three times at least; gives the time of the last one."""
        end, times = time.monotonic() + seconds, []
        while len(times) < 3 or time.monotonic() < end:
            times += self.times(1)
        return times[-1]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Runner(Side):
    """The worker of `dlbench run`, spoken to by its protocol."""

    def __init__(self, cell, memory, arguments):
        lib = os.environ.get("DLBENCH_LIBTORCH", REPOSITORY / ".libtorch/torch")
        super().__init__([arguments.worker], memory, {"LD_LIBRARY_PATH": f"{lib}/lib"})
        self.hello = self.read()
        network, batch, stage = cell
        self.ready = self.ask({"do": "prepare", "configuration": {
            "device": "cpu", "network": network, "stage": stage, "precision": "fp32", "batch_size": batch,
            "threads": arguments.threads, "update": {"rate": 0.01, "momentum": 0.9},
        }})
        assert self.ready["event"] == "ready", self.ready
        self.parameters = self.ready["parameters"]


class Python(Side):
    """The same in Python."""

    def __init__(self, cell, memory, arguments):
        command = [sys.executable, "-W", "ignore", __file__, "--serve", *map(str, cell), str(arguments.threads)]
        super().__init__(command, memory, {})
        self.hello = self.read()
        self.parameters = self.hello["parameters"]


def serve(name, batch, stage, threads):
    """Runs portions of iterations of a network for the process that asks for them."""
    import torch
    import torchvision

    torch.set_num_threads(threads)
    torch.manual_seed(1)
    network = NETWORKS[name](torchvision.models)
    network.train(stage == "train")
    x = torch.randn(batch, 3, 224, 224)
    labels = torch.randint(1000, (batch,))
    update = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, foreach=False)

    def step():
        if stage == "eval":
            with torch.no_grad():
                network(x)
            return
        update.zero_grad()
        torch.nn.functional.cross_entropy(network(x), labels).backward()
        update.step()

    print(json.dumps({
        "parameters": sum(p.numel() for p in network.parameters()), "torch": torch.__version__,
        "torchvision": torchvision.__version__,
    }), flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(json.loads(line)["count"]):
            start = time.perf_counter_ns()
            step()
            times.append(time.perf_counter_ns() - start)
        print(json.dumps({"host_ns": times}), flush=True)


def pair(number, cell, memory, arguments):
    """A fresh process of each side: what they said of themselves, and the median time of each."""
    # Who begins changes, so that what one leaves behind meets both.
    kinds = (Runner, Python) if number % 2 == 0 else (Python, Runner)
    sides = [kind(cell, memory, arguments) for kind in kinds]
    assert sides[0].parameters == sides[1].parameters, (cell, [side.parameters for side in sides])
    last = max(side.warm_up(arguments.seconds) for side in sides)
    count = max(1, min(200, int(1000 * arguments.seconds / 2 / last)))
    for turn in range(4):
        for side in sides if turn % 2 == 0 else reversed(sides):
            side.samples += side.times(count)
    for side in sides:
        side.end()
    runner, python = sides if number % 2 == 0 else reversed(sides)
    return runner, python


def compare(cell, memory, arguments):
    ours, theirs = [], []
    for number in range(arguments.pairs):
        runner, python = pair(number, cell, memory, arguments)
        ours.append(statistics.median(runner.samples))
        theirs.append(statistics.median(python.samples))
    ratios = [math.log(our / their) for our, their in zip(ours, theirs)]
    return {
        "cell": cell, "memory": memory, "ours": statistics.mean(ours), "theirs": statistics.mean(theirs),
        "ratio": math.exp(statistics.mean(ratios)), "bounds": [math.exp(bound) for bound in interval(ratios)],
        "overhead": runner.ready["overhead_ns"], "worker": runner.hello, "python": python.hello,
    }


def verdict(row):
    """Whether a ratio is alike, and what its interval says where it is not."""
    low, high = row["bounds"]
    if abs(row["ratio"] - 1) <= ALIKE:
        return "yes"
    # As far as the pairs tell, the true ratio may lie within.
    return "not known: the interval reaches into it" if low <= 1 + ALIKE and high >= 1 - ALIKE else "**no**"


def cpu():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def page(rows, arguments, loads):
    worker, python = rows[0]["worker"], rows[0]["python"]
    text = f"""# The worker beside Python

`make beside-python` wrote this page. {time.strftime("%Y-%m-%d", time.gmtime())}: {worker["worker"]} with libtorch {worker["framework_version"]}, and Python
{platform.python_version()} with torch {python["torch"]} and torchvision {python["torchvision"]}; {cpu()}, {os.cpu_count()} processors, {arguments.threads} threads, fp32. The load average was {loads[0]:.1f}
at the begin and {loads[1]:.1f} at the end (a quiet machine that only measures has about {arguments.threads}).

Each cell has {arguments.pairs} pairs of fresh processes that took turns. Times are the means over processes of their medians; the ratio (worker /
Python) is the geometric mean over pairs, with its 95 % interval over pairs. Alike: within {100 * ALIKE:.0f} %.

"""
    for memory, what in [
        ("kept", "The C library keeps what is freed, on both sides (`MALLOC_MMAP_MAX_=0`, `MALLOC_TRIM_THRESHOLD_=9223372036854775807`)."),
        ("system", "The C library gives freed memory back to the system, on both sides, and asks for it again in the next iteration."),
    ]:
        of_memory = [row for row in rows if row["memory"] == memory]
        if of_memory:
            text += table(f"Memory: {memory}", of_memory, what)
    overhead = statistics.median(row["overhead"] for row in rows)
    return text + f"The worker's own overhead, its timing loop around nothing, is {overhead:.0f} ns an iteration.\n"


def table(title, rows, what):
    text = f"""## {title}

{what}

| network | batch | stage | worker [ms] | Python [ms] | ratio | 95 % interval | alike |
| --- | ---: | --- | ---: | ---: | ---: | --- | --- |
"""
    for row in rows:
        network, batch, stage = row["cell"]
        low, high = row["bounds"]
        text += (f"| {network} | {batch} | {stage} | {row['ours']:.2f} | {row['theirs']:.2f} | {row['ratio']:.3f} "
                 f"| {low:.3f} to {high:.3f} | {verdict(row)} |\n")
    told = [verdict(row) for row in rows]
    alike, apart = told.count("yes"), told.count("**no**")
    median = statistics.median(row["ratio"] for row in rows)
    return text + (f"\nThe median of the ratios is {median:.3f}; {alike} of {len(rows)} lie within {100 * ALIKE:.0f} %, of {len(rows) - alike - apart} "
                   f"the interval reaches into that, and {apart} lie outside.\n\n")


def main():
    if sys.argv[1:2] == ["--serve"]:
        name, batch, stage, threads = sys.argv[2:]
        serve(name, int(batch), stage, int(threads))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", default=str(REPOSITORY / "target/release/dlbench-runner"))
    parser.add_argument("--cells", default=CELLS, help="network:batch:stage, several with commas")
    parser.add_argument("--memory", default="kept", help="kept, system or both with a comma")
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1.0, help="of warm-up, and of the portions of each side of a pair twice")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("-o", "--output", help="a page in Markdown, in place of the terminal")
    arguments = parser.parse_args()
    before = os.getloadavg()[0]
    rows = []
    for cell in arguments.cells.split(","):
        network, batch, stage = cell.split(":")
        for memory in arguments.memory.split(","):
            row = compare((network, int(batch), stage), memory, arguments)
            low, high = row["bounds"]
            print(f"{cell}, memory {memory}: {row['ours']:.2f} ms, Python {row['theirs']:.2f} ms, "
                  f"ratio {row['ratio']:.3f} ({low:.3f} to {high:.3f})", flush=True)
            rows.append(row)
    text = page(rows, arguments, (before, os.getloadavg()[0]))
    if arguments.output:
        pathlib.Path(arguments.output).write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
