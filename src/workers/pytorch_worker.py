"""The worker of PyTorch from Python: networks of torchvision, eager or through torch.compile. It also writes the files by which
other workers get a network."""

import copy
import ctypes
import math
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy
import torch
import torchvision
from safetensors.torch import load_file, save_file
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only

from dlbench_worker import MANIFEST, Greeting, ModelFiles, Workload, default_shape, serve, unsupported

# The type of weights and input, and that of autocast.
RECIPES = {
    "fp64": (torch.float64, None),
    "fp32": (torch.float32, None),
    "tf32": (torch.float32, None),
    "fp16": (torch.float16, None),
    "bf16": (torch.bfloat16, None),
    "amp-fp16": (torch.float32, torch.float16),
    "amp-bf16": (torch.float32, torch.bfloat16),
}

# Processors have no TF32.
GPU_ONLY = {"tf32"}

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
        precision = configuration["precision"]
        self.dtype, self.autocast = RECIPES[precision]
        self.device = torch.device(configuration["device"])
        if self.device.type == "cuda" and (self.device.index or 0) >= torch.cuda.device_count():
            raise unsupported(f"this worker has no device `{self.device}`: there are {torch.cuda.device_count()} GPUs, counted from 0")
        if precision not in computes_in(self.device):
            raise unsupported(f"this worker does not compute in {precision} on {self.device.type}")
        allow_tf32(precision == "tf32")
        torch.manual_seed(configuration.get("seed", 0))
        if configuration.get("threads"):
            torch.set_num_threads(configuration["threads"])
        start = time.perf_counter()
        if self.files:
            # Nothing is drawn that the files replace.
            with torch.device("meta"):
                self.module = build(self.network)
            self.module.load_state_dict(load_file(self.files.weights, device=str(self.device)), assign=True)
        else:
            self.module = build(self.network)
        self.layout = torch.channels_last if configuration.get("channels_last") else torch.contiguous_format
        self.module = self.module.to(self.device, self.dtype, memory_format=self.layout)
        self.ready["load_s"] = time.perf_counter() - start
        self.call = torch.compile(self.module) if compiles() else self.module
        update = configuration.get("update") if self.stage == "train" else None
        self.update, self.updates = update, 0
        self.optimizer = update and torch.optim.SGD(
            self.module.parameters(), lr=update["rate"], momentum=update.get("momentum", 0.0), foreach=False)
        # Small gradients vanish in fp16.
        scales = self.autocast == torch.float16 and self.stage in ("train", "backward")
        self.scaler = torch.amp.GradScaler(self.device.type) if scales else None
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
            scaled, scaler = (" of the scaled loss", "gradient scaler, ") if self.scaler else ("", "")
            timed = f"one forward pass, one backward pass{scaled} and one update of the weights ({scaler}SGD)"
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
            "reduced-precision": reduced(self.device, precision),
        })
        if self.device.type == "cuda":
            self.ready["stated"]["cudnn-benchmark"] = "on" if torch.backends.cudnn.benchmark else "off"

    def laid_out(self, samples):
        return torch.from_numpy(samples).to(self.device, self.dtype, memory_format=self.layout)

    def mixed(self):
        return torch.autocast(self.device.type, self.autocast, enabled=self.autocast is not None)

    def passed(self, x):
        with self.mixed():
            return self.call(x)

    def outputs(self, samples):
        with torch.no_grad():
            return self.passed(self.laid_out(samples)).double().cpu().numpy()

    def passed_to_loss(self):
        """The loss of a forward pass, which mixed precision computes in fp32."""
        with self.mixed():
            return torch.nn.functional.cross_entropy(self.call(self.x), self.labels)

    def back(self, loss):
        (self.scaler.scale(loss) if self.scaler else loss).backward()
        self.last_loss = loss.detach()

    def update_weights(self):
        rate = self.update["rate"] / (1.0 + self.update.get("decay", 0.0) * self.updates)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        if self.scaler:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.optimizer.step()
        self.updates += 1

    def zero_gradients(self):
        for parameter in self.module.parameters():
            parameter.grad = None

    def before(self):
        if self.stage == "backward":
            self.zero_gradients()
            self.pending = self.passed_to_loss()

    def step(self):
        if self.stage == "eval":
            with torch.no_grad():
                self.passed(self.x)
        elif self.stage == "forward":
            self.passed(self.x)
        elif self.stage == "backward":
            self.back(self.pending)
        else:
            self.zero_gradients()
            self.back(self.passed_to_loss())
            if self.optimizer:
                self.update_weights()

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def loss(self):
        return None if self.last_loss is None else float(self.last_loss)

    def device_memory_mib(self):
        return torch.cuda.max_memory_reserved(self.device) / 2**20 if self.device.type == "cuda" else None


def computes_in(device):
    """The precisions that a device computes in."""
    return [precision for precision in RECIPES if device.type == "cuda" or precision not in GPU_ONLY]


def allow_tf32(allowed):
    """Whether products and convolutions of fp32 may be computed in TF32: nothing else is computed in a shorter format than the recipe's."""
    torch.set_float32_matmul_precision("high" if allowed else "highest")
    torch.backends.cudnn.allow_tf32 = allowed


def reduced(device, precision):
    """What may be computed in a shorter format than the recipe's, in the words of libtorch's worker."""
    dtype, autocast = RECIPES[precision]
    on_gpu, format = device.type == "cuda", autocast or dtype
    if precision == "tf32":
        return "TF32 in products and convolutions"
    if format == torch.float16:
        in_half = torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction if on_gpu else torch._C._get_cpu_allow_fp16_reduced_precision_reduction()
        return "fp16 sums of products" if in_half else "not allowed"
    if format == torch.bfloat16 and on_gpu and torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction:
        return "bf16 sums of products"
    return "not allowed"


def cudnn_version():
    number = torch.backends.cudnn.version()
    return f"{number // 10_000}.{number % 10_000 // 100}.{number % 100}"


def cublas_version():
    """The version of the cuBLAS that PyTorch has loaded; it has no function that tells."""
    try:
        library = ctypes.CDLL(f"libcublas.so.{torch.version.cuda.partition('.')[0]}")
        parts = [ctypes.c_int() for _ in range(3)]
        failed = any(library.cublasGetProperty(which, ctypes.byref(part)) for which, part in enumerate(parts))
    except (OSError, AttributeError):
        return None
    return None if failed else ".".join(str(part.value) for part in parts)


def kernels(device):
    if device.type == "cuda":
        cublas = cublas_version()
        return f"cuDNN {cudnn_version()}" + (f", cuBLAS {cublas}" if cublas else "")
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


def to_tf32(tensor):
    """The nearest numbers with ten bits of mantissa."""
    bits = tensor.view(torch.int32)
    return ((bits + 0xFFF + ((bits >> 13) & 1)) & ~0x1FFF).view(torch.float32)


class Rounded(TorchDispatchMode):
    """Rounds every result of fp32 to a shorter format as soon as it is computed; of TF32 the operands of products, which is all that it
    shortens. Sums stay in fp32."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        is_product = function.overloadpacket.__name__ in ("convolution", "addmm", "mm", "bmm", "baddbmm")
        if self.dtype is None:
            shorter = tree_map_only(torch.Tensor, to_tf32, arguments) if is_product else arguments
            return function(*shorter, **(options or {}))
        results = function(*arguments, **(options or {}))
        tree_map_only(torch.Tensor, lambda result: result.is_floating_point() and result.copy_(result.to(self.dtype)), results)
        return results


def moved_by_formats(module, samples, outputs):
    """How far rounding to each shorter format moves a network's outputs, as a share of their range: what the format itself costs, with
    this depth and these weights. The worker's sums and kernels have no part in it."""
    for name, dtype in (("tf32", None), ("bf16", torch.bfloat16), ("fp16", torch.float16)):
        short, x = module, samples
        if dtype:
            short, x = copy.deepcopy(module).to(dtype).float(), samples.to(dtype).float()
        with torch.no_grad(), Rounded(dtype):
            moved = (short(x) - outputs).abs().amax(1)
        yield name, float((moved / (outputs.amax(1) - outputs.amin(1))).max())


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
        "rounding": {name: moved for name, moved in moved_by_formats(module, samples, outputs) if math.isfinite(moved)},
        "made_by": f"PyTorch {torch.__version__}, eager, fp32, on the CPU; torchvision {torchvision.__version__}",
    }


def multiply_adds(module, sample):
    """Of the convolutions and matrix products of one sample's forward pass."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter, torch.no_grad():
        module(sample)
    return counter.get_total_flops() // 2


def greeting():
    devices = [{"id": "cpu", "precisions": computes_in(torch.device("cpu"))}]
    build = {"built-with": " ".join(torch.__config__.show().split()), "inter-op-threads": str(torch.get_num_interop_threads()),
             "torchvision": torchvision.__version__}
    if torch.cuda.is_available():
        for at in range(torch.cuda.device_count()):
            of = torch.cuda.get_device_properties(at)
            pci = f"{of.pci_domain_id:04x}:{of.pci_bus_id:02x}:{of.pci_device_id:02x}.0"
            devices.append({"id": f"cuda:{at}", "name": of.name, "pci": pci, "precisions": computes_in(torch.device("cuda"))})
        build["cuda"] = torch.version.cuda
        build["cudnn"] = cudnn_version()
    return Greeting(
        "pytorch-compile" if compiles() else "pytorch", torch.__version__.partition("+")[0], devices, build,
        f"torchvision {torchvision.__version__}, NumPy {numpy.__version__}", exports=not compiles())


def main():
    allow_tf32(False)
    torch.backends.cudnn.benchmark = True
    serve(greeting(), PyTorchWorkload, export)


if __name__ == "__main__":
    main()
