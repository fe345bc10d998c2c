"""The worker of JAX: networks of ONNX files, traced and compiled by XLA."""

import contextlib
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

    is_training, statistics = False, {}

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


class JaxTraining(JaxOperations):
    """The same in training, with the random numbers of a key."""

    is_training = True

    def __init__(self, key):
        self.key, self.statistics = key, {}

    @staticmethod
    def normalised_by_batch(x, scale, offset, mean, variance, epsilon, share):
        axes = tuple(range(x.ndim - 1))
        # Both sums in one pass, as Flax computes them.
        own_mean = jnp.mean(x, axes)
        own_variance = jnp.maximum(jnp.mean(jnp.square(x), axes) - jnp.square(own_mean), 0.0)
        count = x.size // x.shape[-1]
        kept = [share * old + (1 - share) * new for old, new in ((mean, own_mean), (variance, own_variance * count / (count - 1)))]
        return JaxOperations.normalised(x, scale, offset, own_mean, own_variance, epsilon), *kept

    def dropped(self, x, ratio, shape):
        self.key, own = jax.random.split(self.key)
        return jnp.where(jax.random.bernoulli(own, 1 - ratio, shape), x / (1 - ratio), 0.0)


class JaxWorkload(OnnxWorkload):
    channels_last = has_epochs = True
    stages = ("eval", "train")

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
        self.pending, self.learnt = [], graph.learnt
        self.network = jax.jit(lambda weights, x: graph(JaxOperations, weights, x))
        if self.stage == "eval":
            self.x = self.laid_out(self.made_up())
            self.network = self.timed_compilation(self.network, self.weights, self.x)
            self.compare()
        else:
            self.update_once = jax.jit(self.iteration(graph, lambda key: JaxOperations, self.update or {}))
            self.compare()
            self.feed(self.made_up(), self.made_up_labels())
            self.state = self.begun(jax.random.key(configuration.get("seed", 0)))
            # Each iteration takes the memory of the last one's weights.
            step = jax.jit(self.iteration(graph, JaxTraining, self.update), donate_argnums=0)
            self.compiled = {
                size: self.timed_compilation(step, self.state, self.x[:size], self.labels[:size], numpy.float32(0))
                for size in self.batch_sizes()}
            # The weights that are trained are others than those of the file.
            self.weights = None
        self.ready.update({"parameters": graph.parameters, "threads": len(os.sched_getaffinity(0))})
        self.ready["stated"].update({"mode": "compiled", "layout": "channels-last", "reduced-precision": "not allowed"})

    def graph(self):
        return Graph(self.files.onnx)

    def laid_out(self, samples):
        return jax.block_until_ready(jnp.asarray(images(samples)))

    def timed_compilation(self, function, *arguments):
        start = time.perf_counter()
        compiled = function.lower(*arguments).compile()
        self.ready["compile_s"] = self.ready.get("compile_s", 0) + time.perf_counter() - start
        return compiled

    def begun(self, key):
        """What an iteration changes, before the first one."""
        learnt = {name: self.weights[name] for name in self.learnt}
        kept = {name: array for name, array in self.weights.items() if name not in learnt}
        has_velocity = self.update and self.update.get("momentum", 0.0)
        velocity = jax.tree.map(jnp.zeros_like, learnt) if has_velocity else None
        return {"learnt": learnt, "kept": kept, "velocity": velocity, "key": key}

    @staticmethod
    def iteration(graph, operations, update):
        """A function that makes one iteration of training; without an update it gives the gradients, which are computed so."""

        def iterate(state, x, labels, rate):
            key, own = jax.random.split(state["key"])
            ops = operations(own)

            def loss_of(learnt):
                outputs = jax.nn.log_softmax(graph(ops, {**learnt, **state["kept"]}, x))
                return -jnp.take_along_axis(outputs, labels[:, None], 1).mean(), dict(ops.statistics)

            (loss, statistics), gradients = jax.value_and_grad(loss_of, has_aux=True)(state["learnt"])
            state = {**state, "kept": {**state["kept"], **statistics}, "key": key}
            if update is None:
                return state, loss, gradients
            if state["velocity"] is not None:
                gradients = jax.tree.map(lambda old, new: update["momentum"] * old + new, state["velocity"], gradients)
                state["velocity"] = gradients
            state["learnt"] = jax.tree.map(lambda weights, change: weights - rate * change, state["learnt"], gradients)
            return state, loss, None

        return iterate

    def outputs(self, samples):
        return numpy.asarray(self.network(self.weights, self.laid_out(samples)))

    def feed(self, samples, labels):
        self.x, self.labels = self.laid_out(samples), jnp.asarray(labels, jnp.int32)

    @contextlib.contextmanager
    def updated(self, samples, labels, rate):
        own, begun = self.weights, self.begun(jax.random.key(0))
        self.feed(samples, labels)
        state, *_ = self.update_once(begun, self.x, self.labels, rate)
        self.weights = {**state["learnt"], **state["kept"]}
        yield
        self.weights = own

    def step(self):
        if self.stage == "eval":
            self.pending.append(self.network(self.weights, self.x))
            return
        rate = numpy.float32(self.rate() if self.update else 0)
        self.state, *self.pending = self.compiled[len(self.labels)](self.state, self.x, self.labels, rate)
        self.updates += 1

    def evaluated(self):
        self.weights = {**self.state["learnt"], **self.state["kept"]}
        return super().evaluated()

    def wait(self):
        jax.block_until_ready(self.pending)
        if self.stage == "eval":
            self.pending.clear()
        else:
            jax.block_until_ready(self.state)

    def loss(self):
        return None if self.stage == "eval" else float(self.pending[0])


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
