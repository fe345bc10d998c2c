"""The worker of JAX: networks of ONNX files, traced and compiled by XLA."""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import jax
import jaxlib
import numpy
import onnx
from jax import lax
from jax import numpy as jnp

from dlbench_worker import Greeting, serve, unsupported
from onnx_graph import Graph, images
from onnx_workload import OnnxWorkload

# Height and width of images and kernels, and where their channels lie.
LAYOUT = ("NHWC", "HWIO", "NHWC")


class JaxOperations:
    """What the nodes of a network are computed with."""

    @staticmethod
    def conv(x, kernel, strides, pads, dilations, groups):
        return lax.conv_general_dilated(
            x, kernel, strides, pads, rhs_dilation=dilations, dimension_numbers=LAYOUT, feature_group_count=groups)

    @staticmethod
    def normalised(x, scale, offset, mean, variance, epsilon):
        factor = scale * lax.rsqrt(variance + epsilon)
        return x * factor + (offset - mean * factor)

    @staticmethod
    def max_pool(x, window, strides, pads):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, *window, 1), (1, *strides, 1), ((0, 0), *pads, (0, 0)))

    @staticmethod
    def mean_pool(x, window, strides):
        sums = lax.reduce_window(x, 0.0, lax.add, (1, *window, 1), (1, *strides, 1), "VALID")
        return sums / (window[0] * window[1])

    @staticmethod
    def product(a, b, is_transposed):
        return jnp.matmul(a, b.T if is_transposed else b)

    @staticmethod
    def split(x, sizes, axis):
        return jnp.split(x, numpy.cumsum(sizes)[:-1].tolist(), axis)

    @staticmethod
    def mean(x, axes, keeps):
        return jnp.mean(x, tuple(axes), keepdims=keeps)

    @staticmethod
    def pad(x, pads, value):
        return jnp.pad(x, pads, constant_values=value)

    concat = staticmethod(jnp.concatenate)
    clip = staticmethod(jnp.clip)
    relu = staticmethod(jax.nn.relu)
    sigmoid = staticmethod(jax.nn.sigmoid)
    reshape = staticmethod(jnp.reshape)
    transpose = staticmethod(jnp.transpose)


class JaxWorkload(OnnxWorkload):
    channels_last = True

    def __init__(self, configuration):
        super().__init__(configuration)
        if configuration["precision"] != "fp32":
            raise unsupported(f"this worker does not compute in {configuration['precision']}")
        limit_processors(configuration.get("threads"))
        start = time.perf_counter()
        graph = self.graph()
        # Weights are arguments, as those of a network that is being trained are: XLA does not fold one into the other.
        self.weights = jax.block_until_ready({name: jnp.asarray(array) for name, array in graph.weights.items()})
        self.ready["load_s"] = time.perf_counter() - start
        self.x = self.laid_out(self.made_up())
        start = time.perf_counter()
        network = jax.jit(lambda weights, x: graph(JaxOperations, weights, x))
        self.compiled = network.lower(self.weights, self.x).compile()
        self.ready["compile_s"] = time.perf_counter() - start
        self.pending = []
        self.compare()
        self.ready.update({"parameters": graph.parameters, "threads": len(os.sched_getaffinity(0))})
        self.ready["stated"].update({"mode": "compiled", "layout": "channels-last", "reduced-precision": "not allowed"})

    def graph(self):
        return Graph(self.files.onnx)

    def laid_out(self, samples):
        return jax.block_until_ready(jnp.asarray(images(samples)))

    def outputs(self, samples):
        return numpy.asarray(self.compiled(self.weights, self.laid_out(samples)))

    def step(self):
        self.pending.append(self.compiled(self.weights, self.x))

    def wait(self):
        jax.block_until_ready(self.pending)
        self.pending.clear()


def limit_processors(threads):
    """XLA has a thread for each processor that it may use; the first use of JAX counts them."""
    if threads:
        allowed = sorted(os.sched_getaffinity(0))
        if threads > len(allowed):
            raise unsupported(f"JAX has a thread for each processor, of which there are {len(allowed)}")
        os.sched_setaffinity(0, allowed[:threads])


def main():
    # Nothing may be computed in a shorter format than the recipe's.
    jax.config.update("jax_default_matmul_precision", "highest")
    packages = f"jaxlib {jaxlib.__version__}, onnx {onnx.__version__}, NumPy {numpy.__version__}"
    serve(Greeting("jax", jax.__version__, packages=packages), JaxWorkload)


if __name__ == "__main__":
    main()
