"""What the Python workers share: the lines of the protocol, timing, and the samples by which outputs are compared.

A worker gives `serve` a `Greeting` and a class of workloads; PROTOCOL.md tells the lines.
"""

import json
import math
import os
import pathlib
import platform
import resource
import sys
import time
import tomllib
from dataclasses import dataclass, field

import numpy

HERE = pathlib.Path(__file__).resolve().parent
MANIFEST = tomllib.loads((HERE / "workers.toml").read_text(encoding="utf-8"))

# Version of the protocol.
PROTOCOL = 1

# Turns of the empty loop that measures what timing costs.
EMPTY_TURNS = 10_000

# What frameworks say where memory ran out, and where they have no kernel for what was asked: as in failure.rs of libtorch's worker.
NO_MEMORY = ("out of memory", "can't allocate memory", "cannot allocate memory", "alloc_failed", "bad_alloc", "bad allocation")
NOT_POSSIBLE = ("not implemented for", "not_supported", "overflow", "integer out of range", "out of range of int",
                "too large", "invalid configuration argument")


class Failed(Exception):
    """What was asked for could not be done: `oom`, `unsupported` or `crashed`, and why."""

    def __init__(self, outcome, message):
        super().__init__(message)
        self.outcome = outcome


def unsupported(message):
    return Failed("unsupported", message)


@dataclass
class Greeting:
    """Who the worker is: its name in the manifest, its framework's version, and what is worth recording of that."""

    name: str
    version: str
    devices: list = field(default_factory=lambda: [{"id": "cpu"}])
    build: dict = field(default_factory=dict)
    packages: str = ""
    exports: bool = False

    def entry(self):
        return next(entry for entry in MANIFEST["worker"] if entry["name"] == self.name)

    def software(self):
        return ", ".join(filter(None, [f"dlbench {self.name} worker", f"Python {platform.python_version()}", self.packages]))

    def line(self):
        entry = self.entry()
        capability = {"networks": sorted(MANIFEST["networks"]), "stages": entry["stages"], "precisions": entry["precisions"]}
        return {
            "event": "hello", "protocol": PROTOCOL, "worker": self.software(), "framework": entry["framework"],
            "framework_version": self.version, "devices": self.devices, "networks": capability["networks"],
            "capabilities": [capability], "model_files": True, "exports": self.exports, "build": self.build,
        }


class ModelFiles:
    """The files of a network that was handed over: its weights, itself as ONNX, and the samples by which outputs are compared."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.onnx = self.folder / "network.onnx"
        self.weights = self.folder / "weights.safetensors"
        self.input = self.folder / "input.f32"

    def filled(self, shape, batch):
        """A batch of the samples, again and again until it is full, and how many of its answers are asked for."""
        samples = numpy.fromfile(self.input, dtype="<f4").reshape(-1, *shape)
        return samples[numpy.arange(batch) % len(samples)], min(batch, len(samples))


class Workload:
    """What is prepared of a configuration. `ready` holds what the worker answers; a subclass adds to it."""

    def __init__(self, configuration):
        self.configuration = configuration
        self.batch = configuration["batch_size"]
        self.stage = configuration["stage"]
        self.timing = configuration.get("timing", "latency")
        self.network = configuration.get("network")
        if self.network not in MANIFEST["networks"]:
            raise unsupported(f"this worker has no network `{self.network}`")
        if configuration.get("unit", "batch") != "batch" or configuration.get("data", {}).get("from", "synthetic") != "synthetic":
            raise unsupported("this worker measures batches of made-up data")
        shape = configuration.get("input_shape")
        self.files = ModelFiles(configuration["model_files"]) if configuration.get("model_files") else None
        self.shape = tuple(shape or default_shape(self.network))
        self.ready = {"input_shape": list(self.shape), "counts": "image", "stated": {"api-language": "Python"}}

    def made_up(self):
        """A batch of random numbers, of which the seed decides."""
        generator = numpy.random.default_rng(self.configuration.get("seed", 0))
        return generator.standard_normal((self.batch, *self.shape), dtype=numpy.float32)

    def compare(self):
        """Adds the answers to the samples of the files, computed as iterations are."""
        if self.files:
            samples, asked = self.files.filled(self.shape, self.batch)
            outputs = numpy.asarray(self.outputs(samples)[:asked], dtype=numpy.float64)
            if not numpy.isfinite(outputs).all():
                raise Failed("crashed", "the outputs hold what is no number")
            self.ready["outputs"] = outputs.reshape(asked, -1).tolist()

    def outputs(self, samples):
        """The network's answers to a batch, in the way that is timed."""
        raise NotImplementedError

    def before(self):
        """What stands before an iteration and is not timed."""

    def step(self):
        """One iteration."""
        raise NotImplementedError

    def wait(self):
        """Waits until the device is done."""

    def loss(self):
        """The loss of the last iteration, when training."""
        return None

    def device_memory_mib(self):
        return None


def default_shape(network):
    """One sample, channels first."""
    return (3, 299, 299) if network == "inception-v3" else (3, 224, 224)


def own_threads():
    """The threads of this process, where the system tells them."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return None


def overhead_ns():
    clock = time.perf_counter_ns
    start = clock()
    for _ in range(EMPTY_TURNS):
        clock()
    return (clock() - start) / EMPTY_TURNS


def iterate(workload, count):
    """Times iterations."""
    clock, before = time.perf_counter_ns, resource.getrusage(resource.RUSAGE_SELF)
    host_ns = []
    if workload.timing == "throughput":
        workload.wait()
        start = clock()
        for _ in range(count):
            workload.step()
        workload.wait()
        host_ns.append(clock() - start)
    else:
        for _ in range(count):
            workload.before()
            workload.wait()
            start = clock()
            workload.step()
            workload.wait()
            host_ns.append(clock() - start)
    after = resource.getrusage(resource.RUSAGE_SELF)
    event = {"event": "samples", "host_ns": host_ns, "usage": {
        "minor_faults": after.ru_minflt - before.ru_minflt,
        "major_faults": after.ru_majflt - before.ru_majflt,
        "system_ns": round((after.ru_stime - before.ru_stime) * 1e9),
    }}
    loss = workload.loss()
    if loss is not None:
        event.update({"loss": loss} if math.isfinite(loss) else {"diverged": True})
    return event


def serve(greeting, prepare, export=None):
    """Serves until `finish`, a failure, or the end of the input."""
    # What a library prints is no event.
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(event):
        print(json.dumps(event, allow_nan=False), file=events, flush=True)

    say(greeting.line())
    workload = None
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            match request["do"]:
                case "prepare":
                    workload = prepare(request["configuration"])
                    workload.ready["stated"].setdefault("software", greeting.software())
                    say({"event": "ready", "overhead_ns": overhead_ns(), **workload.ready})
                case "iterate" if workload:
                    say(iterate(workload, request["count"]))
                case "export" if export:
                    say({"event": "exported", **export(request)})
                case "finish":
                    memory = workload.device_memory_mib() if workload else None
                    return say({"event": "done"} if memory is None else {"event": "done", "device_memory_mib": memory})
                case other:
                    raise unsupported(f"this worker does not {other}, or nothing was prepared")
        except Exception as error:
            return say({"event": "failed", "outcome": outcome_of(error), "message": " ".join(f"{named(error)}{error}".split())[:500]})


def named(error):
    return "" if isinstance(error, Failed) else f"{type(error).__name__}: "


def outcome_of(error):
    if isinstance(error, Failed):
        return error.outcome
    text = str(error).lower()
    if isinstance(error, MemoryError) or any(words in text for words in NO_MEMORY):
        return "oom"
    return "unsupported" if any(words in text for words in NOT_POSSIBLE) else "crashed"
