"""What the workers share that take a network as ONNX."""

import onnx

from dlbench_worker import Workload, unsupported

# What batch normalisation keeps beside its parameters, as PyTorch calls it.
STATISTICS = ("running_mean", "running_var", "num_batches_tracked")


class OnnxWorkload(Workload):
    """A network of which there are files."""

    # What is timed of it.
    stages = ("eval",)
    # Whether images lie with their channels last, whatever is asked for.
    channels_last = False

    def __init__(self, configuration):
        super().__init__(configuration)
        if self.files is None:
            raise unsupported("this worker needs the files of a network, which `dlbench run --framework` hands over")
        if self.stage not in self.stages:
            raise unsupported(f"this worker does not time the stage `{self.stage}`")
        if configuration["device"] != "cpu":
            raise unsupported(f"this worker computes on the CPU, not on `{configuration['device']}`")
        if configuration.get("channels_last") and not self.channels_last:
            raise unsupported("this worker takes images with their channels first")
        self.ready["timed"] = self.timed()
        self.ready["parameters"] = parameters(self.files.onnx)


def parameters(path):
    """The trainable numbers of an ONNX file."""
    initializers = onnx.load(path).graph.initializer
    sizes = (numbers(tensor) for tensor in initializers if tensor.name.rpartition(".")[2] not in STATISTICS)
    return sum(sizes)


def numbers(tensor):
    count = 1
    for extent in tensor.dims:
        count *= extent
    return count
