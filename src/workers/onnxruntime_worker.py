"""The worker of ONNX Runtime from Python: its CPU execution provider."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy
import onnx
import onnxruntime

from dlbench_worker import Greeting, own_threads, serve, unsupported
from onnx_workload import OnnxWorkload


class OnnxRuntimeWorkload(OnnxWorkload):
    def __init__(self, configuration):
        super().__init__(configuration)
        if configuration["precision"] != "fp32":
            raise unsupported(f"this worker does not compute in {configuration['precision']}")
        options = onnxruntime.SessionOptions()
        options.add_free_dimension_override_by_name("batch", self.batch)
        # One operation after the other: the pool for several at once is not made.
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        # 0 is its own choice, which it does not tell.
        options.intra_op_num_threads = configuration.get("threads") or 0
        before = own_threads()
        start = time.perf_counter()
        self.session = onnxruntime.InferenceSession(str(self.files.onnx), options, providers=["CPUExecutionProvider"])
        # Reading, optimising and planning are one.
        self.ready["compile_s"] = time.perf_counter() - start
        self.ready.update(computing_threads(configuration.get("threads"), before, own_threads()))
        self.compare()
        self.fed = {"input": self.made_up()}
        # oneDNN and others are providers of their own.
        self.ready["stated"].update({"mode": "graph", "kernel-library": "MLAS", "reduced-precision": "not allowed"})

    def outputs(self, samples):
        return self.session.run(None, {"input": samples})[0]

    def step(self):
        self.session.run(None, self.fed)


def computing_threads(asked, before, after):
    """How many threads compute an operation: those that the session has started, and the one that calls it."""
    if asked or before is None:
        return {"threads": asked} if asked else {}
    return {"threads": after - before + 1}


def main():
    build = {"inter-op-threads": "1", "providers": ", ".join(onnxruntime.get_available_providers()), "built-with": onnxruntime.get_build_info()}
    packages = f"onnx {onnx.__version__}, NumPy {numpy.__version__}"
    serve(Greeting("onnxruntime", onnxruntime.__version__, build=build, packages=packages), OnnxRuntimeWorkload)


if __name__ == "__main__":
    main()
