"""The worker of OpenVINO from Python: its CPU plugin."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy
import onnx
import openvino

from dlbench_worker import Greeting, serve, unsupported
from onnx_workload import OnnxWorkload

# What the plugin is asked to compute in. Without a hint it takes bf16 wherever the processor has it.
HINTS = {"fp32": openvino.Type.f32, "bf16": openvino.Type.bf16}


class OpenVinoWorkload(OnnxWorkload):
    def __init__(self, configuration):
        super().__init__(configuration)
        precision = configuration["precision"]
        hint = HINTS.get(precision)
        core = openvino.Core()
        if hint is None or precision == "bf16" and "BF16" not in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES"):
            raise unsupported(f"OpenVINO does not compute in {precision} on this processor")
        wanted = {"INFERENCE_PRECISION_HINT": hint, "PERFORMANCE_HINT": "LATENCY"}
        if configuration.get("threads"):
            wanted["INFERENCE_NUM_THREADS"] = configuration["threads"]
        start = time.perf_counter()
        model = core.read_model(str(self.files.onnx))
        model.reshape([self.batch, *self.shape])
        self.ready["load_s"] = time.perf_counter() - start
        start = time.perf_counter()
        self.compiled = self.compile(core, model, wanted)
        self.ready["compile_s"] = time.perf_counter() - start
        self.request = self.compiled.create_infer_request()
        self.compare()
        self.fed = [self.made_up()]
        self.ready["threads"] = int(self.compiled.get_property("INFERENCE_NUM_THREADS"))
        streams = int(self.compiled.get_property("NUM_STREAMS"))
        if streams != 1:
            self.ready["stated"]["partition"] = f"{streams} streams"
        self.ready["stated"].update({"mode": "graph", "kernel-library": "oneDNN", "reduced-precision": "not allowed"})

    def compile(self, core, model, wanted):
        compiled = core.compile_model(model, "CPU", wanted)
        taken = compiled.get_property("INFERENCE_PRECISION_HINT")
        if taken != wanted["INFERENCE_PRECISION_HINT"]:
            raise unsupported(f"OpenVINO computes in {taken.to_string()}, not in {self.configuration['precision']}")
        return compiled

    def outputs(self, samples):
        return self.request.infer([samples])[0]

    def step(self):
        self.request.infer(self.fed, share_inputs=True, share_outputs=True)


def main():
    version = openvino.__version__
    packages = f"onnx {onnx.__version__}, NumPy {numpy.__version__}"
    build = {"built-with": openvino.get_version()}
    serve(Greeting("openvino", version.split("-")[0], build=build, packages=packages), OpenVinoWorkload)


if __name__ == "__main__":
    main()
