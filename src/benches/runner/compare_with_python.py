#!/usr/bin/env python3
"""Compares the runner's times with those of the same networks in Python's torch and torchvision.

Both sides have the same libtorch release, threads, batch and format, and each is a fresh process for each network: what an
allocator has seen before changes how many pages it gives back after each iteration. Machines drift, so the two take turns: a
pair is a portion of iterations here and one there, and what counts is the median of the pairs' ratios.

    python3 -m venv /tmp/torch && /tmp/torch/bin/pip install torch==2.11.0 torchvision==0.26.0
    make runner && /tmp/torch/bin/python src/benches/runner/compare_with_python.py -o src/benches/runner/README.md
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

import torch
import torchvision

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]

# Ids of the runner, and the same network in torchvision.
NETWORKS = {
    "alexnet-owt": lambda: torchvision.models.alexnet(weights=None),
    "vgg-16": lambda: torchvision.models.vgg16(weights=None),
    "resnet-18": lambda: torchvision.models.resnet18(weights=None),
    "resnet-50-v1.5": lambda: torchvision.models.resnet50(weights=None),
    "resnet-152": lambda: torchvision.models.resnet152(weights=None),
    "densenet-121": lambda: torchvision.models.densenet121(weights=None),
    "densenet-161": lambda: torchvision.models.densenet161(weights=None),
    "googlenet": lambda: torchvision.models.googlenet(weights=None, aux_logits=False, init_weights=False),
    "mobilenet-v2": lambda: torchvision.models.mobilenet_v2(weights=None),
    "shufflenet-v2-x1.0": lambda: torchvision.models.shufflenet_v2_x1_0(weights=None),
    "squeezenet-1.1": lambda: torchvision.models.squeezenet1_1(weights=None),
    "efficientnet-b0": lambda: torchvision.models.efficientnet_b0(weights=None),
}


# What the C library does with memory that is no longer used: gives it back to the system, which costs time in the next
# iteration and depends on chance, or keeps it.
MEMORY = {
    "usual": {},
    "kept": {"GLIBC_TUNABLES": "glibc.malloc.trim_threshold=4294967296:glibc.malloc.mmap_threshold=4294967296"},
}


class Side:
    """A process that runs portions of iterations when it is asked to, in JSON lines."""

    def __init__(self, command, memory, environment):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **MEMORY[memory], **environment},
        )

    def read(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, request):
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self.read()

    def times(self, count):
        return [ns / 1e6 for ns in self.ask({"do": "iterate", "count": count})["host_ns"]]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Runner(Side):
    """The worker of `dlbench run`, spoken to by its protocol."""

    def __init__(self, worker, memory, configuration):
        lib = os.environ.get("DLBENCH_LIBTORCH", REPOSITORY / ".libtorch/torch")
        super().__init__([worker], memory, {"LD_LIBRARY_PATH": f"{lib}/lib"})
        self.hello = self.read()
        self.ready = self.ask({"do": "prepare", "configuration": configuration})
        assert self.ready["event"] == "ready", self.ready


class Python(Side):
    """The same in Python."""

    def __init__(self, memory, name, batch, stage):
        super().__init__([sys.executable, "-W", "ignore", __file__, "--serve", name, stage, str(batch)], memory, {})
        self.parameters = self.read()["parameters"]


def serve(name, stage, batch):
    """Runs portions of iterations of a network for the process that asks for them."""
    torch.manual_seed(1)
    network = NETWORKS[name]()
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

    print(json.dumps({"parameters": sum(p.numel() for p in network.parameters())}), flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(json.loads(line)["count"]):
            start = time.perf_counter_ns()
            step()
            times.append(time.perf_counter_ns() - start)
        print(json.dumps({"host_ns": times}), flush=True)


def compare(name, stage, memory, arguments):
    configuration = {
        "device": "cpu", "network": name, "stage": stage, "precision": "fp32", "batch_size": arguments.batch,
        "threads": torch.get_num_threads(), "update": {"rate": 0.01, "momentum": 0.9},
    }
    runner = Runner(arguments.worker, memory, configuration)
    python = Python(memory, name, arguments.batch, stage)
    assert runner.ready["parameters"] == python.parameters, (name, runner.ready["parameters"], python.parameters)
    warm = max(runner.times(3)[-1], python.times(3)[-1])
    count = max(1, min(50, int(1000 * arguments.seconds / warm)))
    ratios, ours, theirs = [], [], []
    for pair in range(arguments.pairs):
        # Who goes first changes, so that what one leaves behind meets both.
        sides = [(runner, ours), (python, theirs)]
        for side, times in sides if pair % 2 == 0 else reversed(sides):
            times.append(statistics.median(side.times(count)))
        ratios.append(ours[-1] / theirs[-1])
    overhead = runner.ready["overhead_ns"]
    runner.end()
    python.end()
    ratios.sort()
    return {
        "name": name, "stage": stage, "memory": memory, "count": count, "ours": statistics.median(ours), "theirs": statistics.median(theirs),
        "ratio": statistics.median(ratios), "low": ratios[len(ratios) // 4], "high": ratios[-1 - len(ratios) // 4],
        "overhead": overhead, "hello": runner.hello,
    }


def cpu():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def page(rows, arguments, loads):
    hello = rows[0]["hello"]
    text = f"""# The runner beside Python

Written by `compare_with_python.py`, {time.strftime("%Y-%m-%d", time.gmtime())}: {hello["worker"]} with libtorch
{hello["framework_version"]}, and Python {platform.python_version()} with torch {torch.__version__} and torchvision
{torchvision.__version__}; {cpu()}, {os.cpu_count()} processors, {torch.get_num_threads()} threads, fp32, batch {arguments.batch}.
The load average was {loads[0]:.1f} at the begin and {loads[1]:.1f} at the end (a quiet machine that only measures has about
{torch.get_num_threads()}).

{arguments.pairs} interleaved pairs each; times are the medians over the pairs, the ratio is the median of the pairs' ratios
(runner / Python) with its middle half.

"""
    text += table(
        "Memory is kept", [row for row in rows if row["memory"] == "kept"],
        "The C library keeps what is freed (`GLIBC_TUNABLES`), so that the times are those of the networks alone.",
    )
    text += table(
        "As it comes", [row for row in rows if row["memory"] == "usual"],
        "The C library gives freed memory back to the system and asks for it again in the next iteration, here as in Python. How\n"
        "much that is depends on the order in which a process freed what it had, so that two processes of either side differ, too.",
    )
    overhead = statistics.median(row["overhead"] for row in rows)
    return text + f"The runner's own overhead, its timing loop around nothing, is {overhead:.0f} ns an iteration.\n"


def table(title, rows, what):
    text = f"""## {title}

{what}

| network | stage | runner [ms] | Python [ms] | ratio | middle half | iterations a portion |
| --- | --- | ---: | ---: | ---: | --- | ---: |
"""
    for row in rows:
        text += (f"| {row['name']} | {row['stage']} | {row['ours']:.2f} | {row['theirs']:.2f} | {row['ratio']:.3f} "
                 f"| {row['low']:.3f} to {row['high']:.3f} | {row['count']} |\n")
    ratios = [row["ratio"] for row in rows]
    within = sum(abs(ratio - 1) <= 0.03 for ratio in ratios)
    return text + f"\nThe median of the ratios is {statistics.median(ratios):.3f}; {within} of {len(ratios)} lie within 3%.\n\n"


def main():
    if sys.argv[1:2] == ["--serve"]:
        name, stage, batch = sys.argv[2:]
        serve(name, stage, int(batch))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", default=str(REPOSITORY / "target/release/dlbench-runner"))
    parser.add_argument("--networks", default="resnet-18,resnet-50-v1.5,densenet-121,mobilenet-v2,squeezenet-1.1,alexnet-owt")
    parser.add_argument("--stages", default="eval,train")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--pairs", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=1.0, help="of a portion")
    parser.add_argument("-o", "--output", help="a page in Markdown")
    arguments = parser.parse_args()
    before = os.getloadavg()[0]
    rows = []
    for name in arguments.networks.split(","):
        for stage in arguments.stages.split(","):
            for memory in MEMORY:
                row = compare(name, stage, memory, arguments)
                print(f"{name} {stage}, memory {memory}: {row['ours']:.2f} ms, Python {row['theirs']:.2f} ms, "
                      f"ratio {row['ratio']:.3f}", flush=True)
                rows.append(row)
    text = page(rows, arguments, (before, os.getloadavg()[0]))
    if arguments.output:
        pathlib.Path(arguments.output).write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
