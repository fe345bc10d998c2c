"""The worker of PyTorch from Python: networks of torchvision, eager or through torch.compile. It also writes the files by which
other workers get a network."""

import contextlib
import copy
import ctypes
import functools
import json
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

from dlbench_worker import LEARNING, MANIFEST, TIMED, Greeting, ModelFiles, Workload, default_shape, serve, unsupported

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

# The gradient scaler of mixed precision multiplies by 65536 at first, and by half as much after each overflow.
MOST_SCALINGS = 17

# How far at most the update that is compared moves an output, as a share of the outputs' range.
MOVED = 0.2


def mnist_cnn(weights):
    """The network of benchm-dl's cnn-mnist."""
    layers = torch.nn
    return layers.Sequential(
        layers.Conv2d(1, 32, 4), layers.ReLU(), layers.MaxPool2d(2),
        layers.Conv2d(32, 16, 3), layers.ReLU(), layers.MaxPool2d(2), layers.Dropout(0.2), layers.Flatten(),
        layers.Linear(400, 128), layers.ReLU(), layers.Linear(128, 64), layers.ReLU(), layers.Linear(64, 10))


# Networks that torchvision does not have, by the names of the manifest.
OWN = {"mnist_cnn": mnist_cnn}


def build(network):
    """A network of torchvision or of this worker, in evaluation."""
    name = MANIFEST["networks"][network]
    options = {"aux_logits": False, "init_weights": False} if network in ("googlenet", "inception-v3") else {}
    return (OWN.get(name) or getattr(torchvision.models, name))(weights=None, **options).eval()


def compiles():
    return "--compile" in sys.argv[1:]


class PyTorchWorkload(Workload):
    # The smaller batch at the end of an epoch would be compiled while it is timed.
    has_epochs = not compiles()

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
        self.optimizer = self.update and torch.optim.SGD(
            self.module.parameters(), lr=self.rate(), momentum=self.update.get("momentum", 0.0), foreach=False)
        self.scaler = self.new_scaler()
        self.last_loss = self.pending = None
        # Dropout and the statistics of a batch have outputs that hang on chance or on the batch: training is compared in evaluation.
        self.module.train(False)
        self.compare()
        self.scaler = self.new_scaler()
        self.module.train(self.stage != "eval")
        self.feed(self.made_up(), self.made_up_labels())
        if compiles():
            start = time.perf_counter()
            self.before()
            self.step()
            self.wait()
            self.ready["compile_s"] = time.perf_counter() - start
        self.ready.update({
            "parameters": sum(parameter.numel() for parameter in self.module.parameters()),
            "timed": self.timed(" of the scaled loss", "gradient scaler, ") if self.scaler else self.timed(),
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

    def feed(self, samples, labels):
        self.x, self.labels = self.laid_out(samples), torch.from_numpy(labels).to(self.device)

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

    def new_scaler(self):
        # Small gradients vanish in fp16.
        scales = self.autocast == torch.float16 and self.stage in LEARNING
        return torch.amp.GradScaler(self.device.type) if scales else None

    @contextlib.contextmanager
    def updated(self, samples, labels, rate):
        own = {name: tensor.clone() for name, tensor in self.module.state_dict().items()}
        self.feed(samples, labels)
        optimizer = torch.optim.SGD(self.module.parameters(), lr=rate, foreach=False)
        # A scaled loss whose gradients overflow is not an update, and is scaled less the next time.
        for _ in range(MOST_SCALINGS):
            self.zero_gradients()
            self.back(self.passed_to_loss())
            if self.scaler is None:
                optimizer.step()
                break
            scale = self.scaler.get_scale()
            self.scaler.step(optimizer)
            self.scaler.update()
            if self.scaler.get_scale() >= scale:
                break
        yield
        self.module.load_state_dict(own)
        self.zero_gradients()
        self.last_loss = None

    def update_weights(self):
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
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

    def evaluated(self):
        self.module.train(False)
        return super().evaluated()

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


# Functions whose operands TF32 shortens.
PRODUCTS = ("convolution", "convolution_backward", "addmm", "mm", "bmm", "baddbmm")


class Rounded(TorchDispatchMode):
    """Rounds every result of fp32 to a shorter format as soon as it is computed; of TF32 the operands of products, which is all that it
    shortens. Sums stay in fp32."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def __torch_dispatch__(self, function, types, arguments=(), options=None):
        is_product = function.overloadpacket.__name__ in PRODUCTS
        if self.dtype is None:
            shorter = tree_map_only(torch.Tensor, to_tf32, arguments) if is_product else arguments
            return function(*shorter, **(options or {}))
        results = function(*arguments, **(options or {}))
        if not function.is_view:
            # The data of a result has a version of its own: what the backward pass has kept counts as unchanged.
            tree_map_only(torch.Tensor, lambda result: result.is_floating_point() and result.data.copy_(result.to(self.dtype)), results)
        return results


def gradients(module, sample, label):
    """Of the loss of one sample."""
    loss = torch.nn.functional.cross_entropy(module(sample), torch.tensor([label]))
    return torch.autograd.grad(loss, list(module.parameters()))


def after_update(module, samples, of_loss, rate):
    """The outputs of a network whose weights were updated by gradients."""
    learnt = {name: parameter - rate * gradient for (name, parameter), gradient in zip(module.named_parameters(), of_loss)}
    return torch.func.functional_call(module, learnt, samples)


def moved(outputs, reference):
    """The largest difference of an output as a share of the range of the reference's, of a sample."""
    return float(((outputs - reference).abs().amax(1) / (reference.amax(1) - reference.amin(1))).max())


def compared_update(module, samples, outputs):
    """The update by which gradients are compared, and the outputs after it. It is that of the first sample for its least likely class:
    the gradient of the likeliest may vanish. Its rate is the largest power of two that moves no output by more than `MOVED`."""
    label = int(outputs[0].argmin())
    of_loss = gradients(module, samples[:1], label)
    # Nearly all of this loss is a difference of two outputs, which the squares of the gradients move first.
    squares = sum(float(gradient.square().sum()) for gradient in of_loss)
    rate = 2.0 ** math.ceil(math.log2(MOVED * float(outputs[0].max() - outputs[0].min()) / squares))
    with torch.no_grad():
        while not moved(updated := after_update(module, samples, of_loss, rate), outputs) <= MOVED:
            rate /= 2
    return {"label": label, "rate": rate}, updated


def moved_by_formats(module, samples, outputs, update, updated):
    """How far rounding to each shorter format moves a network's outputs before and after an update, as a share of their range: what the
    format itself costs, with this depth and these weights. The worker's sums and kernels have no part in it."""
    before, after = {}, {}
    for name, dtype in (("tf32", None), ("bf16", torch.bfloat16), ("fp16", torch.float16)):
        short, x = module, samples
        if dtype:
            short, x = copy.deepcopy(module).to(dtype).float(), samples.to(dtype).float()
        with Rounded(dtype):
            of_loss = gradients(short, x[:1], update["label"])
            with torch.no_grad():
                before[name] = moved(short(x), outputs)
                after[name] = moved(after_update(short, x, of_loss, update["rate"]), updated)
    return [{name: share for name, share in shares.items() if math.isfinite(share)} for shares in (before, after)]


def dropout_node(graph, x, ratio, training):
    """Dropout in the file of a network in evaluation, where the exporter would leave it out."""
    ratio = torch.onnx.symbolic_helper._get_const(ratio, "f", "ratio")
    return graph.op("Dropout", x, graph.op("Constant", value_t=torch.tensor(ratio)))


def with_dropout(module):
    """A network in evaluation whose blocks that are left out by chance are written as dropout."""
    torch.onnx.register_custom_op_symbolic("aten::dropout", dropout_node, OPSET)
    for layer in module.modules():
        if isinstance(layer, torchvision.ops.StochasticDepth):
            layer.forward = functools.partial(torch.dropout, p=layer.p, train=False)
    return module


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
    update, updated = compared_update(module, samples, outputs)
    rounding, updated_rounding = moved_by_formats(module, samples, outputs, update, updated)
    samples.numpy().astype("<f4").tofile(files.input)
    files.update.write_text(json.dumps(update), encoding="utf-8")
    weights = {name: tensor.contiguous() for name, tensor in module.state_dict().items()}
    # The file is sorted otherwise.
    save_file(weights, files.weights, metadata={"order": "\n".join(weights)})
    # As the module is: nothing is folded or fused before a framework sees it.
    torch.onnx.export(
        with_dropout(module), (samples,), str(files.onnx), input_names=["input"], output_names=["output"], opset_version=OPSET, dynamo=False,
        dynamic_axes={"input": {0: "batch"}, "output": {0: "batch"}}, do_constant_folding=False,
        training=torch.onnx.TrainingMode.PRESERVE)
    return {
        "parameters": sum(parameter.numel() for parameter in module.parameters()),
        "multiply_adds": multiply_adds(module, samples[:1]),
        "input_shape": list(shape),
        "outputs": outputs.double().numpy().tolist(),
        "rounding": rounding,
        "updated_outputs": updated.double().numpy().tolist(),
        "updated_rounding": updated_rounding,
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
