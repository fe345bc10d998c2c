"""The worker of PyTorch from Python: networks of torchvision, eager or through torch.compile. It also writes the files by which
other workers get a network."""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy
import torch
import torchvision
from safetensors.torch import load_file, save_file

from dlbench_worker import MANIFEST, Greeting, ModelFiles, Workload, default_shape, serve, unsupported

# The type of weights and input, and that of autocast.
RECIPES = {
    "fp64": (torch.float64, None),
    "fp32": (torch.float32, None),
    "bf16": (torch.bfloat16, None),
    "amp-bf16": (torch.float32, torch.bfloat16),
}

# Samples by which outputs are compared, and those whose statistics batch normalisation has.
COMPARED, NORMALISED = 2, 8

OPSET = 17

TIMED = {
    "eval": "one forward pass",
    "forward": "one forward pass that keeps what the backward pass needs",
    "backward": "one backward pass",
    "train": "one forward and one backward pass",
}


def build(network):
    """A network of torchvision, in evaluation."""
    options = {"aux_logits": False, "init_weights": False} if network in ("googlenet", "inception-v3") else {}
    return getattr(torchvision.models, MANIFEST["networks"][network])(weights=None, **options).eval()


def compiles():
    return "--compile" in sys.argv[1:]


class PyTorchWorkload(Workload):
    def __init__(self, configuration):
        super().__init__(configuration)
        if self.stage not in TIMED:
            raise unsupported(f"this worker does not time the stage `{self.stage}`")
        if self.timing == "throughput" and self.stage == "backward":
            raise unsupported("the forward pass before a backward pass cannot be left out of a throughput")
        if configuration["precision"] not in RECIPES:
            raise unsupported(f"this worker does not compute in {configuration['precision']}")
        self.dtype, self.autocast = RECIPES[configuration["precision"]]
        self.device = torch.device(configuration["device"])
        torch.manual_seed(configuration.get("seed", 0))
        if configuration.get("threads"):
            torch.set_num_threads(configuration["threads"])
        start = time.perf_counter()
        self.module = build(self.network)
        if self.files:
            self.module.load_state_dict(load_file(self.files.weights))
        self.layout = torch.channels_last if configuration.get("channels_last") else torch.contiguous_format
        self.module = self.module.to(self.device, self.dtype, memory_format=self.layout)
        self.ready["load_s"] = time.perf_counter() - start
        self.call = torch.compile(self.module) if compiles() else self.module
        update = configuration.get("update") if self.stage == "train" else None
        self.update, self.updates = update, 0
        self.optimizer = update and torch.optim.SGD(
            self.module.parameters(), lr=update["rate"], momentum=update.get("momentum", 0.0), foreach=False)
        self.last_loss = self.pending = None
        # Dropout and the statistics of a batch have outputs that hang on chance or on the batch: training is compared in evaluation.
        self.module.train(False)
        self.compare()
        self.module.train(self.stage != "eval")
        self.x = self.laid_out(self.made_up())
        self.labels = torch.randint(1000, (self.batch,), device=self.device)
        if compiles():
            start = time.perf_counter()
            self.before()
            self.step()
            self.wait()
            self.ready["compile_s"] = time.perf_counter() - start
        timed = TIMED[self.stage]
        if self.optimizer:
            timed = "one forward pass, one backward pass and one update of the weights (SGD)"
        if self.timing == "throughput":
            timed += ", one after the other without waiting for the device in between"
        self.ready.update({
            "parameters": sum(parameter.numel() for parameter in self.module.parameters()),
            "timed": timed,
            "threads": torch.get_num_threads(),
        })
        self.ready["stated"].update({
            "mode": "compiled" if compiles() else "eager",
            "kernel-library": kernels(self.device),
            "reduced-precision": "not allowed",
        })

    def laid_out(self, samples):
        return torch.from_numpy(samples).to(self.device, self.dtype, memory_format=self.layout)

    def passed(self, x):
        if self.autocast is None:
            return self.call(x)
        with torch.autocast(self.device.type, self.autocast):
            return self.call(x)

    def outputs(self, samples):
        with torch.no_grad():
            return self.passed(self.laid_out(samples)).double().cpu().numpy()

    def loss_of(self, y):
        return torch.nn.functional.cross_entropy(y, self.labels)

    def zero_gradients(self):
        for parameter in self.module.parameters():
            parameter.grad = None

    def before(self):
        if self.stage == "backward":
            self.zero_gradients()
            self.pending = self.loss_of(self.passed(self.x))

    def step(self):
        if self.stage == "eval":
            with torch.no_grad():
                self.passed(self.x)
        elif self.stage == "forward":
            self.passed(self.x)
        elif self.stage == "backward":
            self.pending.backward()
            self.last_loss = self.pending.detach()
        else:
            self.zero_gradients()
            loss = self.loss_of(self.passed(self.x))
            loss.backward()
            self.last_loss = loss.detach()
            if self.optimizer:
                rate = self.update["rate"] / (1.0 + self.update.get("decay", 0.0) * self.updates)
                for group in self.optimizer.param_groups:
                    group["lr"] = rate
                self.optimizer.step()
                self.updates += 1

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def loss(self):
        return None if self.last_loss is None else float(self.last_loss)

    def device_memory_mib(self):
        return torch.cuda.max_memory_reserved(self.device) / 2**20 if self.device.type == "cuda" else None


def kernels(device):
    if device.type == "cuda":
        number = torch.backends.cudnn.version()
        return f"cuDNN {number // 10_000}.{number % 10_000 // 100}.{number % 100}"
    words = torch.__config__.show()
    version = words.partition("MKL-DNN v")[2].split(" ")[0]
    mkl = words.partition("Math Kernel Library Version ")[2].split("-")[0]
    return ", ".join(name for name, of in ((f"oneDNN {version}", version), (f"MKL {mkl}", mkl)) if of)


def drawn(network, shape, seed):
    """A network with the weights of a seed, by the rule of PROTOCOL.md, in evaluation."""
    torch.manual_seed(seed)
    module = build(network)
    normalised = []
    with torch.no_grad():
        for layer in module.modules():
            own = dict(layer.named_parameters(recurse=False))
            for name in sorted(own):
                weights = own[name]
                if name == "bias":
                    weights.uniform_(-0.1, 0.1)
                elif weights.dim() == 1:
                    weights.uniform_(0.5, 1.5)
                elif not weights.any():
                    weights.normal_(std=weights[0].numel() ** -0.5)
            if isinstance(layer, torch.nn.modules.batchnorm._BatchNorm):
                layer.reset_running_stats()
                layer.train()
                normalised.append((layer, layer.momentum))
                layer.momentum = None
        if normalised:
            module(torch.randn(NORMALISED, *shape))
    for layer, momentum in normalised:
        layer.momentum = momentum
    return module.eval()


def export(request):
    """Writes the files of a network, and tells its outputs for the samples in them."""
    network, files = request["network"], ModelFiles(request["folder"])
    if network not in MANIFEST["networks"]:
        raise unsupported(f"this worker has no network `{network}`")
    shape = tuple(request.get("input_shape") or default_shape(network))
    module = drawn(network, shape, request.get("seed", 0))
    samples = torch.randn(COMPARED, *shape)
    with torch.no_grad():
        outputs = module(samples)
    samples.numpy().astype("<f4").tofile(files.input)
    weights = {name: tensor.contiguous() for name, tensor in module.state_dict().items()}
    # The file is sorted otherwise.
    save_file(weights, files.weights, metadata={"order": "\n".join(weights)})
    # As the module is: nothing is folded or fused before a framework sees it.
    torch.onnx.export(
        module, (samples,), str(files.onnx), input_names=["input"], output_names=["output"], opset_version=OPSET, dynamo=False,
        dynamic_axes={"input": {0: "batch"}, "output": {0: "batch"}}, do_constant_folding=False,
        training=torch.onnx.TrainingMode.PRESERVE)
    return {
        "parameters": sum(parameter.numel() for parameter in module.parameters()),
        "multiply_adds": multiply_adds(module, samples[:1]),
        "input_shape": list(shape),
        "outputs": outputs.double().numpy().tolist(),
        "made_by": f"PyTorch {torch.__version__}, eager, fp32, on the CPU; torchvision {torchvision.__version__}",
    }


def multiply_adds(module, sample):
    """Of the convolutions and matrix products of one sample's forward pass."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter, torch.no_grad():
        module(sample)
    return counter.get_total_flops() // 2


def greeting():
    devices = [{"id": "cpu", "precisions": list(RECIPES)}]
    build = {"built-with": " ".join(torch.__config__.show().split()), "inter-op-threads": str(torch.get_num_interop_threads()),
             "torchvision": torchvision.__version__}
    if torch.cuda.is_available():
        for at in range(torch.cuda.device_count()):
            of = torch.cuda.get_device_properties(at)
            pci = f"{of.pci_domain_id:04x}:{of.pci_bus_id:02x}:{of.pci_device_id:02x}.0"
            devices.append({"id": f"cuda:{at}", "name": of.name, "pci": pci, "precisions": list(RECIPES)})
        build["cuda"] = torch.version.cuda
        build["cudnn"] = kernels(torch.device("cuda")).removeprefix("cuDNN ")
    return Greeting(
        "pytorch-compile" if compiles() else "pytorch", torch.__version__.partition("+")[0], devices, build,
        f"torchvision {torchvision.__version__}, NumPy {numpy.__version__}", exports=not compiles())


def main():
    # Nothing may be computed in a shorter format than the recipe's.
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    serve(greeting(), PyTorchWorkload, export)


if __name__ == "__main__":
    main()
