"""The worker of TensorFlow: networks of ONNX files, traced into a graph by tf.function."""

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


class TensorFlowWorkload(OnnxWorkload):
    channels_last = True

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
        self.ready["load_s"] = time.perf_counter() - start
        self.x = self.laid_out(self.made_up())
        start = time.perf_counter()
        network = tf.function(lambda x: graph(TensorFlowOperations, self.weights, x), autograph=False)
        self.traced = network.get_concrete_function(tf.TensorSpec(self.x.shape, self.x.dtype))
        # The first call optimises the graph.
        self.traced(self.x)
        self.ready["compile_s"] = time.perf_counter() - start
        self.compare()
        self.ready.update({"parameters": graph.parameters, "threads": threads or len(os.sched_getaffinity(0))})
        self.ready["stated"].update({
            "mode": "graph", "layout": "channels-last", "kernel-library": kernels(), "reduced-precision": "not allowed"})

    def graph(self):
        return Graph(self.files.onnx)

    def laid_out(self, samples):
        return tf.constant(images(samples))

    def outputs(self, samples):
        return self.traced(self.laid_out(samples)).numpy()

    def step(self):
        self.traced(self.x)


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
