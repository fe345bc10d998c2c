"""The worker of TensorFlow: networks of ONNX files, traced into a graph by tf.function."""

import contextlib
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy
import onnx
import tensorflow as tf

from dlbench_worker import Greeting, serve, unsupported
from onnx_graph import Graph, images
from onnx_workload import OnnxWorkload


class TensorFlowOperations:
    """What the nodes of a network are computed with."""

    is_training, statistics = False, {}

    @staticmethod
    def conv(x, kernel, strides, pads, dilations, groups):
        pads = [(0, 0), *pads, (0, 0)]
        height, width, inputs, outputs = kernel.shape
        if groups > 1 and inputs == 1:
            by_input = tf.reshape(kernel, (height, width, groups, outputs // groups))
            return tf.nn.depthwise_conv2d(x, by_input, [1, *strides, 1], pads, dilations=dilations)
        return tf.nn.conv2d(x, kernel, strides, pads, dilations=dilations)

    @staticmethod
    def normalised(x, scale, offset, mean, variance, epsilon):
        y, _, _ = tf.compat.v1.nn.fused_batch_norm(x, scale, offset, mean, variance, epsilon, is_training=False)
        return y

    @staticmethod
    def max_pool(x, window, strides, pads):
        return tf.nn.max_pool2d(x, window, strides, [(0, 0), *pads, (0, 0)])

    @staticmethod
    def mean_pool(x, window, strides):
        return tf.nn.avg_pool2d(x, window, strides, "VALID")

    @staticmethod
    def product(a, b, is_transposed):
        return tf.matmul(a, b, transpose_b=is_transposed)

    @staticmethod
    def clip(x, low, high):
        if (low, high) == (0.0, 6.0):
            return tf.nn.relu6(x)
        x = x if low is None else tf.maximum(x, low)
        return x if high is None else tf.minimum(x, high)

    @staticmethod
    def pad(x, pads, value):
        return tf.pad(x, pads, constant_values=value)

    mean = staticmethod(tf.reduce_mean)
    concat = staticmethod(tf.concat)
    relu = staticmethod(tf.nn.relu)
    sigmoid = staticmethod(tf.sigmoid)
    split = staticmethod(tf.split)
    reshape = staticmethod(tf.reshape)
    transpose = staticmethod(tf.transpose)


class TensorFlowTraining(TensorFlowOperations):
    """The same in training."""

    is_training = True

    def __init__(self):
        self.statistics = {}

    @staticmethod
    def normalised_by_batch(x, scale, offset, mean, variance, epsilon, share):
        # As Keras does: the operation computes the new statistics itself.
        return tf.compat.v1.nn.fused_batch_norm(
            x, scale, offset, mean, variance, epsilon, is_training=True, exponential_avg_factor=1 - share)

    @staticmethod
    def dropped(x, ratio, shape):
        return tf.nn.dropout(x, ratio, noise_shape=shape)


class TensorFlowWorkload(OnnxWorkload):
    channels_last = has_epochs = True
    stages = ("eval", "train")

    def __init__(self, configuration):
        super().__init__(configuration)
        if configuration["precision"] != "fp32":
            raise unsupported(f"this worker does not compute in {configuration['precision']}")
        threads = configuration.get("threads")
        if threads:
            tf.config.threading.set_intra_op_parallelism_threads(threads)
        start = time.perf_counter()
        graph = self.graph()
        # As a network is that can be trained further: what is constant TensorFlow would fold.
        self.weights = {name: tf.Variable(array) for name, array in graph.weights.items()}
        self.learnt = [self.weights[name] for name in graph.learnt]
        self.ready["load_s"] = time.perf_counter() - start
        tf.random.set_seed(configuration.get("seed", 0))
        self.last_loss = None
        self.network = tf.function(lambda x: graph(TensorFlowOperations, self.weights, x), autograph=False)
        if self.stage == "eval":
            self.x = self.laid_out(self.made_up())
            self.network = self.timed_trace(self.network, self.x)
            self.compare()
        else:
            if has_grouped_convolutions(graph):
                raise unsupported("TensorFlow has no gradient of grouped convolutions on a CPU")
            self.update_once = self.iteration(graph, lambda: TensorFlowOperations, self.update or {})
            self.compare()
            self.feed(self.made_up(), self.made_up_labels())
            trained = self.iteration(graph, TensorFlowTraining, self.update)
            with restored([*self.weights.values(), *self.velocity]):
                self.traced = {
                    size: self.timed_trace(trained, self.x[:size], self.labels[:size], tf.constant(0.0))
                    for size in self.batch_sizes()}
        self.ready.update({"parameters": graph.parameters, "threads": threads or len(os.sched_getaffinity(0))})
        self.ready["stated"].update({
            "mode": "graph", "layout": "channels-last", "kernel-library": kernels(), "reduced-precision": "not allowed"})

    def graph(self):
        return Graph(self.files.onnx)

    def laid_out(self, samples):
        return tf.constant(images(samples))

    def timed_trace(self, function, *arguments):
        start = time.perf_counter()
        traced = function.get_concrete_function(*(tf.TensorSpec(value.shape, value.dtype) for value in arguments))
        # The first call optimises the graph.
        traced(*arguments)
        self.ready["compile_s"] = self.ready.get("compile_s", 0) + time.perf_counter() - start
        return traced

    def iteration(self, graph, operations, update):
        """A function that makes one iteration of training; without an update it gives the gradients, which are computed so."""
        momentum = (update or {}).get("momentum", 0.0)
        self.velocity = velocity = [tf.Variable(tf.zeros_like(weights)) for weights in self.learnt] if momentum else []

        def iterate(x, labels, rate):
            ops = operations()
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(self.learnt)
                outputs = graph(ops, self.weights, x)
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, outputs))
            gradients = tape.gradient(loss, self.learnt)
            for name, value in ops.statistics.items():
                self.weights[name].assign(value)
            if update is None:
                return loss, gradients
            for at, (weights, gradient) in enumerate(zip(self.learnt, gradients)):
                if momentum:
                    tf.raw_ops.ResourceApplyMomentum(
                        var=weights.handle, accum=velocity[at].handle, lr=rate, grad=gradient, momentum=momentum)
                else:
                    tf.raw_ops.ResourceApplyGradientDescent(var=weights.handle, alpha=rate, delta=gradient)
            return loss, []

        return tf.function(iterate, autograph=False)

    def outputs(self, samples):
        return self.network(self.laid_out(samples)).numpy()

    def feed(self, samples, labels):
        self.x, self.labels = self.laid_out(samples), tf.constant(labels)

    @contextlib.contextmanager
    def updated(self, samples, labels, rate):
        with restored(self.learnt):
            self.feed(samples, labels)
            self.update_once(self.x, self.labels, tf.constant(rate, tf.float32))
            yield

    def step(self):
        if self.stage == "eval":
            self.network(self.x)
        else:
            rate = tf.constant(self.rate() if self.update else 0.0)
            self.last_loss, _ = self.traced[len(self.labels)](self.x, self.labels, rate)
            self.updates += 1

    def loss(self):
        return None if self.last_loss is None else float(self.last_loss)


@contextlib.contextmanager
def restored(variables):
    """Gives variables their values back at the end."""
    values = [tf.identity(variable) for variable in variables]
    yield
    for variable, value in zip(variables, values):
        variable.assign(value)


def has_grouped_convolutions(graph):
    """Whether a convolution has groups of several inputs; where each has one, TensorFlow calls it depthwise."""
    convolutions = (node for node in graph.nodes if node.op == "Conv" and node.of("group", 1) > 1)
    return any(graph.weights[node.inputs[1]].shape[2] > 1 for node in convolutions)


def kernels():
    """What TensorFlow itself says of the processor it runs on, and of TF_ENABLE_ONEDNN_OPTS."""
    from tensorflow.python.util import _pywrap_util_port

    return "oneDNN" if _pywrap_util_port.IsMklEnabled() else "Eigen"


def main():
    build = {key.replace("_", "-"): str(value) for key, value in tf.sysconfig.get_build_info().items()}
    # As many operations at once as there are processors, unless it is told otherwise.
    build["inter-op-threads"] = str(tf.config.threading.get_inter_op_parallelism_threads() or len(os.sched_getaffinity(0)))
    packages = f"onnx {onnx.__version__}, NumPy {numpy.__version__}"
    serve(Greeting("tensorflow", tf.__version__, build=build, packages=packages), TensorFlowWorkload)


if __name__ == "__main__":
    main()
