"""The worker of tract, an engine in Rust, from Python."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy
import onnx
import tract

from dlbench_worker import Greeting, serve, unsupported
from onnx_workload import OnnxWorkload


class TractWorkload(OnnxWorkload):
    def __init__(self, configuration):
        super().__init__(configuration)
        if configuration["precision"] != "fp32":
            raise unsupported(f"this worker does not compute in {configuration['precision']}")
        if configuration.get("threads", 1) != 1:
            raise unsupported("tract computes with one thread from Python")
        start = time.perf_counter()
        model = tract.onnx().load(str(self.files.onnx))
        model.set_input_fact(0, ",".join(map(str, (self.batch, *self.shape))) + ",f32")
        # The file has it with a batch of any size.
        model.set_output_fact(0, None)
        self.ready["load_s"] = time.perf_counter() - start
        start = time.perf_counter()
        self.runnable = model.into_model().into_runnable()
        self.ready["compile_s"] = time.perf_counter() - start
        self.compare()
        self.fed = [tract.Tensor.from_numpy(self.made_up())]
        self.ready["threads"] = 1
        self.ready["stated"].update({"mode": "graph", "kernel-library": "tract-linalg", "reduced-precision": "not allowed"})

    def outputs(self, samples):
        return self.runnable.run([samples])[0].to_numpy()

    def step(self):
        self.runnable.run(self.fed)


def main():
    packages = f"onnx {onnx.__version__}, NumPy {numpy.__version__}"
    serve(Greeting("tract", tract.version(), packages=packages), TractWorkload)


if __name__ == "__main__":
    main()
