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

# What an iteration of each stage is.
TIMED = {
    "eval": "one forward pass",
    "forward": "one forward pass that keeps what the backward pass needs",
    "backward": "one backward pass",
    "train": "one forward and one backward pass",
}

# Stages with gradients, of which one update is compared.
LEARNING = ("train", "backward")

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
    """The files of a network that was handed over: its weights, itself as ONNX, and the samples and the update by which it is compared."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.onnx = self.folder / "network.onnx"
        self.weights = self.folder / "weights.safetensors"
        self.input = self.folder / "input.f32"
        self.update = self.folder / "update.json"

    def filled(self, shape, batch):
        """A batch of the samples, again and again until it is full, and how many of its answers are asked for."""
        samples = numpy.fromfile(self.input, dtype="<f4").reshape(-1, *shape)
        return samples[numpy.arange(batch) % len(samples)], min(batch, len(samples))


class LabelledData:
    """A part of a data set of idx files: images of one channel, and their classes."""

    def __init__(self, folder, part):
        self.images = idx(folder / f"{part}-images-idx3-ubyte")[:, None]
        self.labels = idx(folder / f"{part}-labels-idx1-ubyte").astype(numpy.int64)

    def batches(self, order, size):
        """Images from 0 to 1 and their classes; the last batch is smaller."""
        for begin in range(0, len(order), size):
            rows = order[begin : begin + size]
            yield self.images[rows].astype(numpy.float32) / 255, self.labels[rows]


def idx(path):
    """An idx file of bytes: 0, 0, 8, the number of extents, the extents (big-endian), then the bytes."""
    content = path.read_bytes()
    if content[:3] != b"\0\0\x08":
        raise Failed("crashed", f"{path}: no idx file of bytes")
    begin = 4 + 4 * content[3]
    return numpy.frombuffer(content, numpy.uint8, offset=begin).reshape(numpy.frombuffer(content[4:begin], ">u4"))


class Workload:
    """What is prepared of a configuration. `ready` holds what the worker answers; a subclass adds to it."""

    # Whether an iteration may be a pass over real data.
    has_epochs = False

    def __init__(self, configuration):
        self.configuration = configuration
        self.batch = configuration["batch_size"]
        self.stage = configuration["stage"]
        self.timing = configuration.get("timing", "latency")
        # Updates that were made so far make the next one smaller.
        self.update, self.updates = configuration.get("update") if self.stage == "train" else None, 0
        self.network = configuration.get("network")
        if self.network not in MANIFEST["networks"]:
            raise unsupported(f"this worker has no network `{self.network}`")
        data = configuration.get("data", {})
        is_epoch, is_real = configuration.get("unit") == "epoch", data.get("from") == "folder"
        if is_epoch != is_real or is_epoch and not (self.has_epochs and self.update and self.timing == "latency"):
            raise unsupported("this worker measures batches of made-up data, or training for epochs on real data")
        self.data = pathlib.Path(data["path"]) if is_epoch else None
        self.set = LabelledData(self.data, "train") if is_epoch else None
        self.random = numpy.random.default_rng(configuration.get("seed", 0))
        shape = configuration.get("input_shape")
        self.files = ModelFiles(configuration["model_files"]) if configuration.get("model_files") else None
        self.shape = tuple(shape or default_shape(self.network))
        # Those of ImageNet, unless the answers to the samples of the files are others.
        self.classes = 1000
        self.ready = {"input_shape": list(self.shape), "counts": "image", "stated": {"api-language": "Python"}}

        if self.set:
            self.ready["samples_per_iteration"] = len(self.set.labels)

    def made_up(self):
        """A batch of random numbers, of which the seed decides."""
        generator = numpy.random.default_rng(self.configuration.get("seed", 0))
        return generator.standard_normal((self.batch, *self.shape), dtype=numpy.float32)

    def made_up_labels(self):
        return numpy.random.default_rng(self.configuration.get("seed", 0)).integers(self.classes, size=self.batch)

    def batch_sizes(self):
        """Those of all iterations, which a framework that compiles needs to know before."""
        return {self.batch} if self.set is None else {size for size in (self.batch, len(self.set.labels) % self.batch) if size}

    def timed(self, gradients="", before_update=""):
        """What an iteration's time holds, in words."""
        if self.set:
            return "a pass over the training data: loading, forward, backward and update"
        words = TIMED[self.stage]
        if self.update:
            words = f"one forward pass, one backward pass{gradients} and one update of the weights ({before_update}SGD)"
        if self.timing == "throughput":
            words += ", one after the other without waiting for the device in between"
        return words

    def rate(self):
        """The learning rate of the next update."""
        return self.update["rate"] / (1.0 + self.update.get("decay", 0.0) * self.updates)

    def compare(self):
        """Adds the answers to the samples of the files, computed as iterations are; where gradients are computed, also those after one
        update."""
        if not self.files:
            return
        samples, asked = self.files.filled(self.shape, self.batch)
        self.ready["outputs"] = self.answers(samples, asked)
        if self.stage in LEARNING and self.files.update.exists():
            update = json.loads(self.files.update.read_text(encoding="utf-8"))
            # A batch of one sample has the same mean loss whatever its size is.
            batch, labels = numpy.repeat(samples[:1], self.batch, axis=0), numpy.full(self.batch, update["label"])
            with self.updated(batch, labels, update["rate"]):
                self.ready["updated_outputs"] = self.answers(samples, asked)

    def answers(self, samples, asked):
        outputs = numpy.asarray(self.outputs(samples)[:asked], dtype=numpy.float64)
        if not numpy.isfinite(outputs).all():
            raise Failed("crashed", "the outputs contain values that are not numbers")
        outputs = outputs.reshape(asked, -1)
        self.classes = outputs.shape[1]
        return outputs.tolist()

    def outputs(self, samples):
        """The network's answers to a batch, in the way that is timed."""
        raise NotImplementedError

    def updated(self, samples, labels, rate):
        """A context in which the weights are those after one update in evaluation, by a batch and the plain gradient times the rate."""
        raise NotImplementedError

    def before(self):
        """What stands before an iteration and is not timed."""

    def step(self):
        """One iteration over the batch that was fed last."""
        raise NotImplementedError

    def feed(self, samples, labels):
        """Puts a batch where iterations take it from."""
        raise NotImplementedError

    def epoch(self):
        """One iteration over all data."""
        for samples, labels in self.set.batches(self.random.permutation(len(self.set.labels)), self.batch):
            self.feed(samples, labels)
            self.step()

    def evaluated(self):
        """How the network does on the test part of the data."""
        if self.set is None:
            raise unsupported("made-up data has no test part")
        part = LabelledData(self.data, "t10k")
        batches = part.batches(numpy.arange(len(part.labels)), self.batch)
        wrong = sum(int((self.outputs(samples).argmax(1) != labels).sum()) for samples, labels in batches)
        return {"error_rate": wrong / len(part.labels), "samples": len(part.labels)}

    def wait(self):
        """Waits until the device is done."""

    def loss(self):
        """The loss of the last iteration, when training."""
        return None

    def device_memory_mib(self):
        return None


def default_shape(network):
    """One sample, channels first."""
    return tuple(MANIFEST["input-shapes"].get(network, (3, 224, 224)))


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
    step = workload.epoch if workload.set else workload.step
    host_ns = []
    if workload.timing == "throughput":
        workload.wait()
        start = clock()
        for _ in range(count):
            step()
        workload.wait()
        host_ns.append(clock() - start)
    else:
        for _ in range(count):
            workload.before()
            workload.wait()
            start = clock()
            step()
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
    # What a library prints is not an event.
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
                case "evaluate" if workload:
                    say({"event": "evaluated", **workload.evaluated()})
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
