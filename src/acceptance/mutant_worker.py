"""Workers that do other work than was asked for, each in one way, for the tests of the output check: `make test-workers`.

The first argument is the worker, the second what is wrong with it.
"""

import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

WORKER, KIND = sys.argv.pop(1), sys.argv.pop(1)


def changed(module):
    """ResNet-18 of PyTorch with one mistake, after its weights were loaded."""
    if KIND == "wrong-padding":
        module.conv1.padding = (2, 2)
    elif KIND == "no-batch-norm":
        module.layer2[0].bn1.forward = lambda x: x
    elif KIND == "train-mode":
        module.train()
    elif KIND == "other-weights":
        module.fc.reset_parameters()
    elif KIND == "no-gradient":
        module.layer2[0].conv1.weight.register_hook(lambda gradient: gradient * 0)


def changed_graph(graph):
    """A network of an ONNX file with one mistake."""
    of = {op: [node for node in graph.nodes if node.op == op] for op in ("Conv", "BatchNormalization", "Gemm")}
    if KIND == "wrong-padding":
        of["Conv"][0].attributes["pads"] = [2, 2, 2, 2]
    elif KIND == "no-batch-norm":
        of["BatchNormalization"][5].op = "Identity"
        del of["BatchNormalization"][5].inputs[1:]
    elif KIND == "other-weights":
        name = of["Gemm"][0].inputs[1]
        graph.weights[name] = graph.weights[name][::-1].copy()
    elif KIND == "no-gradient":
        graph.learnt.remove(of["Conv"][5].inputs[1])
    return graph


def by_the_batch(normalised):
    """A normalisation as in training: by the statistics of the batch."""

    def own(x, scale, offset, mean, variance, epsilon):
        axes = tuple(range(len(x.shape) - 1))
        mean = sum_over(x, axes) / size_over(x, axes)
        variance = sum_over((x - mean) ** 2, axes) / size_over(x, axes)
        return normalised(x, scale, offset, mean, variance, epsilon)

    return own


def size_over(x, axes):
    size = 1
    for axis in axes:
        size *= int(x.shape[axis])
    return size


def sum_over(x, axes):
    if WORKER == "jax":
        return x.sum(axes)
    import tensorflow

    return tensorflow.reduce_sum(x, axes)


def pytorch():
    import pytorch_worker

    class Mutant(pytorch_worker.PyTorchWorkload):
        def compare(self):
            changed(self.module)
            super().compare()

    pytorch_worker.serve(pytorch_worker.greeting(), Mutant, pytorch_worker.export)


def of_graph(workload, operations):
    """A worker that computes a network node by node."""
    worker = importlib.import_module(f"{WORKER}_worker")
    if KIND == "train-mode":
        own = getattr(worker, operations)
        own.normalised = staticmethod(by_the_batch(own.normalised))

    class Mutant(getattr(worker, workload)):
        def graph(self):
            return changed_graph(super().graph())

    setattr(worker, workload, Mutant)
    worker.main()


def openvino():
    import openvino_worker

    class Mutant(openvino_worker.OpenVinoWorkload):
        def compile(self, core, model, wanted):
            # As a program does that gives no hint.
            return core.compile_model(model, "CPU")

    openvino_worker.OpenVinoWorkload = Mutant
    openvino_worker.main()


match WORKER:
    case "pytorch":
        pytorch()
    case "jax":
        of_graph("JaxWorkload", "JaxOperations")
    case "tensorflow":
        of_graph("TensorFlowWorkload", "TensorFlowOperations")
    case "openvino":
        openvino()
