"""A network of an ONNX file, computed with the operations of a framework that does not read such files itself.

A tensor of four axes, which is a batch of images, lies with its channels last wherever the framework holds it: XLA and TensorFlow
convolve so on a CPU. Everything else keeps the axes of the file. What hangs on shapes alone is computed by NumPy, once, while the
framework traces the network.

The file holds a network in evaluation, with everything that is otherwise in training: `Dropout` is the identity there. Operations
that say `is_training` are asked for `normalised_by_batch` and `dropped` instead, and keep the new `statistics` by the names of the old.
"""

from dataclasses import dataclass

import numpy
import onnx

from dlbench_worker import unsupported

# The inputs of each operation that are learnt; those of a normalisation that are only kept are not parameters.
LEARNT = {"Conv": (1, 2), "Gemm": (1, 2), "MatMul": (1,), "BatchNormalization": (1, 2)}
KEPT = {"BatchNormalization": (3, 4)}

# Where an axis of a batch of images lies in the framework, and from which it comes.
LAST, FIRST = (0, 3, 1, 2), (0, 2, 3, 1)

# The module whose dropout leaves out a block of a sample as a whole, as PyTorch names it.
BY_SAMPLE = "/stochastic_depth/"


@dataclass
class Node:
    """A node of the file."""

    name: str
    op: str
    inputs: list
    outputs: list
    attributes: dict

    def of(self, name, default=None):
        return self.attributes.get(name, default)

    def pairs(self, name, axes):
        """An attribute that has the begins of all axes and then the ends, as pairs."""
        extents = self.of(name) or [0] * 2 * axes
        return list(zip(extents[:axes], extents[axes:]))


class Graph:
    """The nodes of a file in their order, and its weights as the framework holds them: NumPy arrays by their names."""

    def __init__(self, path):
        graph = onnx.load(path).graph
        self.nodes = [node_of(node) for node in graph.node]
        held = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in graph.initializer}
        self.input = next(value.name for value in graph.input if value.name not in held)
        self.output = graph.output[0].name
        learnt = set(self.used(LEARNT))
        self.parameters = sum(held[name].size for name in learnt if name in held)
        weights = learnt.union(self.used(KEPT)).intersection(held)
        self.learnt = sorted(learnt.intersection(held))
        kernels = {node.inputs[1] for node in self.nodes if node.op == "Conv"}
        self.weights = {name: kernel(held[name]) if name in kernels else held[name] for name in sorted(weights)}
        self.constants = {name: array for name, array in held.items() if name not in weights}

    def used(self, roles):
        for node in self.nodes:
            yield from (node.inputs[at] for at in roles.get(node.op, ()) if at < len(node.inputs) and node.inputs[at])

    def __call__(self, ops, weights, x):
        """The output for a batch, computed with `ops`; `weights` are those of the file, as `ops` wants them."""
        values = {"": None, **self.constants, **weights, self.input: x}
        for node in self.nodes:
            given = [values[name] for name in node.inputs]
            if all(value is None or isinstance(value, numpy.ndarray) for value in given):
                found = of_constants(node, given)
            elif node.op in OPERATIONS:
                found = OPERATIONS[node.op](ops, node, *given)
            else:
                raise unsupported(f"this worker has no operation {node.op}")
            found = found if isinstance(found, (list, tuple)) else [found]
            values.update(zip(node.outputs, found))
        return values[self.output]


def node_of(node):
    attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    if attributes.get("auto_pad", b"NOTSET") not in (b"NOTSET", b"VALID"):
        raise unsupported(f"{node.op} with padding {attributes['auto_pad'].decode()}")
    return Node(node.name, node.op_type, list(node.input), list(node.output), attributes)


def kernel(weights):
    """From outputs, inputs, height, width to height, width, inputs, outputs."""
    return numpy.ascontiguousarray(weights.transpose(2, 3, 1, 0))


def images(array):
    """A batch of images as the framework holds it."""
    return numpy.ascontiguousarray(array.transpose(FIRST))


def axis_of(x, axis):
    """Where an axis of the file lies."""
    axis %= len(x.shape)
    return LAST[axis] if len(x.shape) == 4 else axis


def shape_of(x):
    """The extents in the order of the file."""
    extents = [int(extent) for extent in x.shape]
    is_image = len(extents) == 4 and not isinstance(x, numpy.ndarray)
    return [extents[LAST[axis]] for axis in range(4)] if is_image else extents


def as_in_file(ops, x):
    return ops.transpose(x, LAST) if len(x.shape) == 4 else x


def as_held(ops, x):
    return ops.transpose(x, FIRST) if len(x.shape) == 4 else x


def conv(ops, node, x, weights, bias=None):
    strides, dilations = node.of("strides", [1, 1]), node.of("dilations", [1, 1])
    y = ops.conv(x, weights, strides, node.pairs("pads", 2), dilations, node.of("group", 1))
    return y if bias is None else y + bias


def normalised(ops, node, x, scale, offset, mean, variance):
    if node.of("training_mode", 0):
        raise unsupported("a normalisation by the statistics of the batch")
    epsilon = node.of("epsilon", 1e-5)
    if not ops.is_training:
        return ops.normalised(x, scale, offset, mean, variance, epsilon)
    # The momentum of ONNX is the share of the old statistics.
    y, *new = ops.normalised_by_batch(x, scale, offset, mean, variance, epsilon, node.of("momentum", 0.9))
    ops.statistics.update(zip(node.inputs[3:], new))
    return y


def dropout(ops, node, x, ratio=0.5, *_):
    if not ops.is_training:
        return x
    return ops.dropped(x, float(ratio), [x.shape[0]] + [1] * (len(x.shape) - 1) if BY_SAMPLE in node.name else x.shape)


def gemm(ops, node, a, b, c=None):
    if node.of("transA", 0) or node.of("alpha", 1.0) != 1.0 or node.of("beta", 1.0) != 1.0:
        raise unsupported("a product of matrices that are scaled or transposed before")
    y = ops.product(a, b, bool(node.of("transB", 0)))
    return y if c is None else y + c


def window(node, x):
    """Extents, steps and padding of a pooling; what `ceil_mode` adds is padded at the ends."""
    extents, strides = node.of("kernel_shape"), node.of("strides", [1, 1])
    pads = node.pairs("pads", 2)
    if any(dilation != 1 for dilation in node.of("dilations", [1, 1])):
        raise unsupported("pooling with gaps")
    if node.of("ceil_mode", 0):
        for axis, (extent, stride, (begin, end)) in enumerate(zip(extents, strides, pads)):
            size = shape_of(x)[2 + axis]
            steps = -((size + begin + end - extent) // -stride)
            # No window lies in the padding alone.
            if steps * stride >= size + begin:
                steps -= 1
            pads[axis] = (begin, max(end, steps * stride + extent - size - begin))
    return extents, strides, pads


def max_pool(ops, node, x):
    return ops.max_pool(x, *window(node, x))


def mean_pool(ops, node, x):
    extents, strides, pads = window(node, x)
    if all(pad == (0, 0) for pad in pads):
        return ops.mean_pool(x, extents, strides)
    y = ops.mean_pool(ops.pad(x, [(0, 0), *pads, (0, 0)], 0.0), extents, strides)
    if node.of("count_include_pad", 0):
        return y
    ones = numpy.pad(numpy.ones(shape_of(x)[2:], numpy.float32), pads)
    windows = numpy.lib.stride_tricks.sliding_window_view(ones, extents)[:: strides[0], :: strides[1]]
    return y / windows.mean(axis=(2, 3))[None, :, :, None]


def mean(ops, node, x, axes=None):
    axes = [axis % len(x.shape) for axis in (node.of("axes") if axes is None else axes.tolist())]
    keeps = bool(node.of("keepdims", 1))
    if len(x.shape) == 4 and not keeps and sorted(axes) != [2, 3]:
        raise unsupported("a mean that leaves out other axes of images than height and width")
    return ops.mean(x, [axis_of(x, axis) for axis in axes], keeps)


def pad(ops, node, x, pads, value=None, axes=None):
    if node.of("mode", b"constant") != b"constant" or axes is not None:
        raise unsupported("padding by a value that is not a constant")
    half = len(pads) // 2
    by_axis = list(zip(pads[:half].tolist(), pads[half:].tolist()))
    held = [by_axis[axis] for axis in (FIRST if half == 4 else range(half))]
    return ops.pad(x, held, 0.0 if value is None else float(value))


def reshape(ops, node, x, extents):
    own = shape_of(x)
    extents = [own[axis] if extent == 0 else extent for axis, extent in enumerate(extents.tolist())]
    return as_held(ops, ops.reshape(as_in_file(ops, x), extents))


def flatten(ops, node, x):
    axis, own = node.of("axis", 1), shape_of(x)
    if axis != 1:
        raise unsupported("flattening from another axis than the second")
    return ops.reshape(as_in_file(ops, x), [own[0], -1])


def transpose(ops, node, x):
    return as_held(ops, ops.transpose(as_in_file(ops, x), node.of("perm")))


def sliced(ops, node, x, *limits):
    by_axis = slices(shape_of(x), *limits)
    return x[tuple(by_axis[axis] for axis in (FIRST if len(by_axis) == 4 else range(len(by_axis))))]


def split(ops, node, x, sizes=None):
    axis, parts = node.of("axis", 0), len(node.outputs)
    extent = shape_of(x)[axis]
    sizes = [extent // parts] * parts if sizes is None else sizes.tolist()
    return ops.split(x, sizes, axis_of(x, axis))


def clip(ops, node, x, low=None, high=None):
    return ops.clip(x, *(None if limit is None else float(limit) for limit in (low, high)))


def hard_sigmoid(ops, x, alpha, beta):
    return ops.clip(x * alpha + beta, 0.0, 1.0)


# Each operation of the networks by the name in the file: the operations of the framework, the node, and what goes in.
OPERATIONS = {
    "Add": lambda ops, node, a, b: a + b,
    "AveragePool": mean_pool,
    "BatchNormalization": normalised,
    "Clip": clip,
    "Concat": lambda ops, node, *parts: ops.concat(parts, axis_of(parts[0], node.of("axis"))),
    "Conv": conv,
    "Dropout": dropout,
    "Flatten": flatten,
    "Gemm": gemm,
    "GlobalAveragePool": lambda ops, node, x: ops.mean(x, [1, 2], True),
    "HardSigmoid": lambda ops, node, x: hard_sigmoid(ops, x, node.of("alpha", 0.2), node.of("beta", 0.5)),
    "HardSwish": lambda ops, node, x: x * hard_sigmoid(ops, x, 1 / 6, 0.5),
    "Identity": lambda ops, node, x: x,
    "MatMul": lambda ops, node, a, b: ops.product(a, b, False),
    "MaxPool": max_pool,
    "Mul": lambda ops, node, a, b: a * b,
    "Pad": pad,
    "ReduceMean": mean,
    "Relu": lambda ops, node, x: ops.relu(x),
    "Reshape": reshape,
    "Shape": lambda ops, node, x: numpy.array(shape_of(x), numpy.int64),
    "Sigmoid": lambda ops, node, x: ops.sigmoid(x),
    "Slice": sliced,
    "Split": split,
    "Transpose": transpose,
}


def of_constants(node, given):
    """What hangs on shapes alone, as ONNX says it."""
    if node.op not in CONSTANTS:
        raise unsupported(f"this worker has no operation {node.op} of constants")
    return numpy.asarray(CONSTANTS[node.op](node, *given))


def slices(extents, starts, ends, axes=None, steps=None):
    """What is cut out of each axis; ends lie anywhere behind the last element or before the first."""
    axes = range(len(starts)) if axes is None else axes.tolist()
    steps = [1] * len(starts) if steps is None else steps.tolist()
    cut = [slice(None)] * len(extents)
    for axis, start, end, step in zip(axes, starts.tolist(), ends.tolist(), steps):
        start, end, step = slice(start, end, step).indices(extents[axis])
        cut[axis] = slice(start, None if end < 0 else end, step)
    return cut


def quotient(node, a, b):
    return a // b if numpy.issubdtype(numpy.result_type(a, b), numpy.integer) else a / b


CONSTANTS = {
    "Add": lambda node, a, b: a + b,
    "Cast": lambda node, x: x.astype(onnx.helper.tensor_dtype_to_np_dtype(node.of("to"))),
    "Concat": lambda node, *parts: numpy.concatenate(parts, node.of("axis")),
    "Constant": lambda node: onnx.numpy_helper.to_array(node.of("value")),
    "ConstantOfShape": lambda node, shape: numpy.full(
        shape.tolist(), onnx.numpy_helper.to_array(node.of("value"))[0] if node.of("value") else numpy.float32(0)),
    "Div": quotient,
    "Floor": lambda node, x: numpy.floor(x),
    "Gather": lambda node, x, places: numpy.take(x, places, axis=node.of("axis", 0)),
    "Identity": lambda node, x: x,
    "Mul": lambda node, a, b: a * b,
    "Reshape": lambda node, x, extents: x.reshape(extents.tolist()),
    "Shape": lambda node, x: numpy.array(x.shape, numpy.int64),
    "Slice": lambda node, x, *limits: x[tuple(slices(x.shape, *limits))],
    "Squeeze": lambda node, x, axes=None: numpy.squeeze(x, None if axes is None else tuple(axes.tolist())),
    "Sub": lambda node, a, b: a - b,
    "Transpose": lambda node, x: x.transpose(node.of("perm")),
    "Unsqueeze": lambda node, x, axes: numpy.expand_dims(x, tuple(axes.tolist())),
}
