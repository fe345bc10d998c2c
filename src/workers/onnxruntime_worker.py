"""The worker of ONNX Runtime from Python: its CPU execution provider."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy
import onnx
import onnxruntime

from dlbench_worker import Greeting, serve, unsupported
from onnx_workload import OnnxWorkload


class OnnxRuntimeWorkload(OnnxWorkload):
    def __init__(self, configuration):
        super().__init__(configuration)
        if configuration["precision"] != "fp32":
            raise unsupported(f"this worker does not compute in {configuration['precision']}")
        options = onnxruntime.SessionOptions()
        options.add_free_dimension_override_by_name("batch", self.batch)
        threads = configuration.get("threads")
        if threads:
            options.intra_op_num_threads = threads
            self.ready["threads"] = threads
        start = time.perf_counter()
        self.session = onnxruntime.InferenceSession(str(self.files.onnx), options, providers=["CPUExecutionProvider"])
        # Reading, optimising and planning are one.
        self.ready["compile_s"] = time.perf_counter() - start
        self.compare()
        self.fed = {"input": self.made_up()}
        # oneDNN and others are providers of their own.
        self.ready["stated"].update({"mode": "graph", "kernel-library": "MLAS", "reduced-precision": "not allowed"})

    def outputs(self, samples):
        return self.session.run(None, {"input": samples})[0]

    def step(self):
        self.session.run(None, self.fed)


def main():
    build = {"providers": ", ".join(onnxruntime.get_available_providers()), "built-with": onnxruntime.get_build_info()}
    packages = f"onnx {onnx.__version__}, NumPy {numpy.__version__}"
    serve(Greeting("onnxruntime", onnxruntime.__version__, build=build, packages=packages), OnnxRuntimeWorkload)


if __name__ == "__main__":
    main()
