"""The objects of answers, comparisons, evidence and cards: a class each, written by `make docs` from the published
schemas. Units stand in the names and in the documentation; what is not known is ``None``."""

from __future__ import annotations

from typing import Any, Literal

from ._record import Record

ClaimKind = Literal["grade", "fact", "figure"]
"""Kinds of claims."""

Data = Literal["synthetic", "real"]
"""Whether the timed input was generated or read from a data set."""

Dating = Literal["measured", "commit", "round", "page", "year"]
"""What the date of a measurement is based on."""

EvidenceVerdict = Literal["supported", "contradicted", "mixed", "no-evidence"]
"""What the evidence says about a claim."""

FrameworkStatus = Literal["mature", "developing", "inactive"]
"""Development status of a framework."""

Grade = Literal["high", "good", "moderate", "low"]
"""A qualitative grade on the scale of Dai & Berleant's Table I (which uses `Good` once)."""

HardwareClass = Literal["gpu", "fpga", "asic", "cpu"]
"""The hardware classes that the 12 qualitative hardware metrics grade."""

How = Literal[
    "exact",
    "alias",
    "nearest",
    "lexicon",
    "number",
    "filter",
    "text",
    "filler",
    "unread",
    "unread-subject",
    "unread-bound",
]
"""How words were read."""

Platform = Literal[
    "any-cpu",
    "x86-cpu",
    "arm-cpu",
    "power-cpu",
    "s390x-cpu",
    "risc-v-cpu",
    "loongarch-cpu",
    "microcontroller",
    "nvidia-gpu",
    "amd-gpu",
    "intel-gpu",
    "apple-gpu",
    "qualcomm-gpu",
    "arm-gpu",
    "moore-threads-gpu",
    "iluvatar-gpu",
    "metax-gpu",
    "hygon-dcu",
    "vulkan-gpu",
    "opencl-gpu",
    "directx-gpu",
    "webgpu-gpu",
    "google-tpu",
    "edge-tpu",
    "intel-gaudi",
    "aws-neuron",
    "huawei-ascend",
    "cambricon-mlu",
    "kunlun-xpu",
    "graphcore-ipu",
    "cerebras",
    "ibm-spyre",
    "rebellions",
    "furiosa",
    "tenstorrent",
    "qualcomm-cloud-ai",
    "qualcomm-npu",
    "intel-npu",
    "amd-npu",
    "apple-npu",
    "mediatek-npu",
    "samsung-npu",
    "arm-npu",
    "rockchip-npu",
    "nxp-npu",
    "hailo",
    "amd-fpga",
    "intel-fpga",
]
"""Hardware that the documentation of a framework lists as supported: a vendor's kind of device, or an interface that
devices of several vendors offer."""

StandingWord = Literal["disputed", "superseded", "retracted"]
"""The status of a number or a source after its publication. Only `superseded` ones are still correct: a newer one
replaces them."""

Target = Literal["cpu", "gpu", "fpga", "asic", "tpu", "mobile"]
"""Hardware that a framework runs on."""

VerdictKind = Literal["comparable", "with-caveats", "along", "unknown", "not-comparable"]
"""The verdict as one word."""


class Span(Record):
    """Consecutive words, and how they were read. Each word of a question is in exactly one span."""

    @property
    def text(self) -> str:
        """The words as typed."""
        return self._data["text"]

    @property
    def from_(self) -> int:
        """Byte offset of their start in the question."""
        return self._data["from"]

    @property
    def to(self) -> int:
        """Byte offset of their end in the question, exclusive."""
        return self._data["to"]

    @property
    def facet(self) -> str:
        """Their meaning: the key of a filter, or of a word of the language (`order`, `link`, `filler` …); empty if
        unread."""
        return self._data["facet"]

    @property
    def values(self) -> list[str]:
        """The values that they mean, as spelled in the canonical form."""
        return self._data["values"]

    @property
    def how(self) -> How:
        """How they were read."""
        return self._data["how"]


class Measured(Record):
    """A measured value beside a ratio."""

    @property
    def quantity(self) -> str:
        """The key of the metric or derived measure."""
        return self._data["quantity"]

    @property
    def value(self) -> float:
        """The value."""
        return self._data["value"]

    @property
    def unit(self) -> str | None:
        """Its unit, if it has one."""
        return self._data.get("unit")


class PairValues(Record):
    """The values of a matched pair."""

    @property
    def quantity(self) -> str:
        """The key of the metric or derived measure."""
        return self._data["quantity"]

    @property
    def unit(self) -> str | None:
        """Its unit, if it has one."""
        return self._data.get("unit")

    @property
    def subject(self) -> float:
        """The subject's value."""
        return self._data["subject"]

    @property
    def baseline(self) -> float:
        """The baseline's value."""
        return self._data["baseline"]


class Entry(Record):
    """One value that answers the question. The first nine fields are stable."""

    @property
    def subjects(self) -> dict[str, str | int | float]:
        """The subject: ids and values by filter key (`device`, `device-count`)."""
        return self._data["subjects"]

    @property
    def baseline(self) -> dict[str, str | int | float] | None:
        """The other side of a comparison."""
        return self._data.get("baseline")

    @property
    def quantity(self) -> str:
        """The quantity: the key of a metric, derived measure, fact or grade, or `speed-up`."""
        return self._data["quantity"]

    @property
    def value(self) -> bool | float | str | list[str] | None:
        """The value; ``None`` if it is not known."""
        return self._data.get("value")

    @property
    def unit(self) -> str | None:
        """Its unit, if it has one."""
        return self._data.get("unit")

    @property
    def low(self) -> float | None:
        """The lower end of the interval or spread."""
        return self._data.get("low")

    @property
    def high(self) -> float | None:
        """The upper end of the interval or spread."""
        return self._data.get("high")

    @property
    def n(self) -> int:
        """Number of pairs, rows or statements behind it."""
        return self._data["n"]

    @property
    def under(self) -> dict[str, str | int | float | None]:
        """The conditions that everything behind it shares, by filter key; ``None`` if no row states it."""
        return self._data["under"]

    @property
    def measurements(self) -> list[str]:
        """The measurements behind it, at most 200; for a comparison, subject and baseline alternately."""
        return self._data["measurements"]

    @property
    def sources(self) -> list[str]:
        """The ids of the sources behind it."""
        return self._data["sources"]

    @property
    def rank(self) -> int | None:
        """The rank by all comparable evidence, from 1; candidates that do not differ from the first one of a rank share
        it."""
        return self._data.get("rank")

    @property
    def measurers(self) -> int | None:
        """Number of independent measurers, in such a ranking."""
        return self._data.get("measurers")

    @property
    def measured(self) -> Measured | None:
        """Its measured value in the setting that most candidates share."""
        value = self._data.get("measured")
        return None if value is None else Measured(value)

    @property
    def by(self) -> str | None:
        """The metric or measure of a ratio."""
        return self._data.get("by")

    @property
    def pair(self) -> PairValues | None:
        """The two values behind the ratio of a single pair."""
        value = self._data.get("pair")
        return None if value is None else PairValues(value)

    @property
    def cited(self) -> list[str] | None:
        """The origin of a fact, for people: names of sources and pages, which need no entry in the catalog."""
        return self._data.get("cited")

    @property
    def is_interval(self) -> bool | None:
        """Whether `low` and `high` are an interval of the value (true) or the spread of the values found (false)."""
        return self._data.get("is_interval")

    @property
    def of_all_evidence(self) -> bool | None:
        """Whether it is based on all comparable evidence instead of matched pairs alone."""
        return self._data.get("of_all_evidence")

    @property
    def is_decided(self) -> bool | None:
        """Whether the interval excludes 'no difference', so that there is a winner."""
        return self._data.get("is_decided")


class Conclusion(Record):
    """The conclusion of an answer."""

    @property
    def text(self) -> str:
        """The first line."""
        return self._data["text"]

    @property
    def entries(self) -> list[Entry]:
        """The values, most important first."""
        value = self._data["entries"]
        return [Entry(item) for item in value]


class WordedRemark(Record):
    """A remark as text."""

    @property
    def code(self) -> str:
        """A stable code for programs."""
        return self._data["code"]

    @property
    def text(self) -> str:
        """The text for people."""
        return self._data["text"]


class Metrics(Record):
    """The values; the unit is part of the key."""

    @property
    def latency_ms(self) -> float | None:
        """Time for one batch of the stage, in milliseconds."""
        return self._data.get("latency_ms")

    @property
    def mean_latency_ms(self) -> float | None:
        """Mean time from a query to its answer, waiting included, in milliseconds (beside a percentile or a rate)."""
        return self._data.get("mean_latency_ms")

    @property
    def time_to_first_token_ms(self) -> float | None:
        """Time from a request to the first token of its answer, in milliseconds."""
        return self._data.get("time_to_first_token_ms")

    @property
    def time_per_output_token_ms(self) -> float | None:
        """Time of a request from its first token to its last / tokens behind the first, in milliseconds."""
        return self._data.get("time_per_output_token_ms")

    @property
    def inter_token_latency_ms(self) -> float | None:
        """Time between one token of a request and the next, in milliseconds."""
        return self._data.get("inter_token_latency_ms")

    @property
    def median_time_to_first_token_ms(self) -> float | None:
        """Median of the time from a request to the first token of its answer, in milliseconds."""
        return self._data.get("median_time_to_first_token_ms")

    @property
    def p90_time_to_first_token_ms(self) -> float | None:
        """90th percentile of the time from a request to the first token of its answer, in milliseconds."""
        return self._data.get("p90_time_to_first_token_ms")

    @property
    def p95_time_to_first_token_ms(self) -> float | None:
        """95th percentile of the time from a request to the first token of its answer, in milliseconds."""
        return self._data.get("p95_time_to_first_token_ms")

    @property
    def p99_time_to_first_token_ms(self) -> float | None:
        """99th percentile of the time from a request to the first token of its answer, in milliseconds."""
        return self._data.get("p99_time_to_first_token_ms")

    @property
    def median_time_per_output_token_ms(self) -> float | None:
        """Median of the time of a request from its first token to its last / tokens behind the first, in
        milliseconds."""
        return self._data.get("median_time_per_output_token_ms")

    @property
    def p90_time_per_output_token_ms(self) -> float | None:
        """90th percentile of the time of a request from its first token to its last / tokens behind the first, in
        milliseconds."""
        return self._data.get("p90_time_per_output_token_ms")

    @property
    def p95_time_per_output_token_ms(self) -> float | None:
        """95th percentile of the time of a request from its first token to its last / tokens behind the first, in
        milliseconds."""
        return self._data.get("p95_time_per_output_token_ms")

    @property
    def p99_time_per_output_token_ms(self) -> float | None:
        """99th percentile of the time of a request from its first token to its last / tokens behind the first, in
        milliseconds."""
        return self._data.get("p99_time_per_output_token_ms")

    @property
    def median_inter_token_latency_ms(self) -> float | None:
        """Median of the time between one token of a request and the next, in milliseconds."""
        return self._data.get("median_inter_token_latency_ms")

    @property
    def p90_inter_token_latency_ms(self) -> float | None:
        """90th percentile of the time between one token of a request and the next, in milliseconds."""
        return self._data.get("p90_inter_token_latency_ms")

    @property
    def p95_inter_token_latency_ms(self) -> float | None:
        """95th percentile of the time between one token of a request and the next, in milliseconds."""
        return self._data.get("p95_inter_token_latency_ms")

    @property
    def p99_inter_token_latency_ms(self) -> float | None:
        """99th percentile of the time between one token of a request and the next, in milliseconds."""
        return self._data.get("p99_inter_token_latency_ms")

    @property
    def throughput_per_s(self) -> float | None:
        """Items (images, tokens … as the row says) finished in a second."""
        return self._data.get("throughput_per_s")

    @property
    def device_throughput_per_s(self) -> float | None:
        """Items finished in a second, divided by the devices, where that is what the source states."""
        return self._data.get("device_throughput_per_s")

    @property
    def epoch_s(self) -> float | None:
        """Time for one pass over the data set, in seconds."""
        return self._data.get("epoch_s")

    @property
    def total_s(self) -> float | None:
        """Time for the whole task as the source defines it, in seconds."""
        return self._data.get("total_s")

    @property
    def time_to_accuracy_s(self) -> float | None:
        """Training time until the accuracy target is met, in seconds."""
        return self._data.get("time_to_accuracy_s")

    @property
    def memory_mib(self) -> float | None:
        """Memory in use on the device, in MiB."""
        return self._data.get("memory_mib")

    @property
    def power_w(self) -> float | None:
        """Electrical power, in watts."""
        return self._data.get("power_w")

    @property
    def energy_j(self) -> float | None:
        """Energy of the task, in joules."""
        return self._data.get("energy_j")

    @property
    def energy_per_item_j(self) -> float | None:
        """Energy for one item (image, token … as the row says), in joules."""
        return self._data.get("energy_per_item_j")

    @property
    def cpu_energy_per_item_j(self) -> float | None:
        """What the processors took of the energy for one item, in joules."""
        return self._data.get("cpu_energy_per_item_j")

    @property
    def ram_energy_per_item_j(self) -> float | None:
        """What the memory of the processors took of the energy for one item, in joules."""
        return self._data.get("ram_energy_per_item_j")

    @property
    def gpu_energy_per_item_j(self) -> float | None:
        """What the GPU took of the energy for one item, in joules."""
        return self._data.get("gpu_energy_per_item_j")

    @property
    def platform_energy_per_item_j(self) -> float | None:
        """Energy of the whole platform for one item where its firmware meters that, in joules."""
        return self._data.get("platform_energy_per_item_j")

    @property
    def energy_per_request_j(self) -> float | None:
        """Energy for one request and all of its answer, in joules."""
        return self._data.get("energy_per_request_j")

    @property
    def items_per_joule(self) -> float | None:
        """Items finished for each joule."""
        return self._data.get("items_per_joule")

    @property
    def gpu_util_pct(self) -> float | None:
        """Share of time the GPU was busy, in percent."""
        return self._data.get("gpu_util_pct")

    @property
    def cpu_util_pct(self) -> float | None:
        """Share of time the CPU was busy, in percent."""
        return self._data.get("cpu_util_pct")

    @property
    def accuracy(self) -> float | None:
        """Fraction of right answers, 0 to 1."""
        return self._data.get("accuracy")

    @property
    def error_rate(self) -> float | None:
        """Fraction of wrong answers, 0 to 1."""
        return self._data.get("error_rate")

    @property
    def loss(self) -> float | None:
        """Value of the loss function on the validation set."""
        return self._data.get("loss")

    @property
    def cost_usd(self) -> float | None:
        """Cost of the task, in US dollars."""
        return self._data.get("cost_usd")

    @property
    def gflops(self) -> float | None:
        """Floating-point operations, in 10^9 a second."""
        return self._data.get("gflops")

    @property
    def device_gflops(self) -> float | None:
        """The model's arithmetic, in 10^9 operations a second of each device."""
        return self._data.get("device_gflops")

    @property
    def mfu(self) -> float | None:
        """Model FLOPs utilisation: the model's arithmetic (nothing computed twice) as a share of the dense peak, 0 to
        1."""
        return self._data.get("mfu")

    @property
    def bandwidth_gb_per_s(self) -> float | None:
        """Memory traffic, in 10^9 bytes a second."""
        return self._data.get("bandwidth_gb_per_s")

    @property
    def speedup(self) -> float | None:
        """Times as fast as the row's baseline."""
        return self._data.get("speedup")

    @property
    def efficiency_ratio(self) -> float | None:
        """Times the performance per watt of the row's baseline."""
        return self._data.get("efficiency_ratio")


class Measurement(Record):
    """A measurement; in NDJSON, a line. An unknown field is null or missing."""

    @property
    def id(self) -> str:
        """The source id and a code derived from the row's identity."""
        return self._data["id"]

    @property
    def source(self) -> str:
        return self._data["source"]

    @property
    def framework(self) -> str | None:
        """The framework that was asked; with a backend, the one in front."""
        return self._data.get("framework")

    @property
    def framework_version(self) -> str | None:
        """The framework's version, as the source spells it."""
        return self._data.get("framework_version")

    @property
    def framework_raw(self) -> str | None:
        """The source's own spelling of the framework."""
        return self._data.get("framework_raw")

    @property
    def backend(self) -> str | None:
        """The framework that computes, where another is in front."""
        return self._data.get("backend")

    @property
    def backend_version(self) -> str | None:
        """The backend's version."""
        return self._data.get("backend_version")

    @property
    def api_language(self) -> str | None:
        """The programming language from which the framework was used."""
        return self._data.get("api_language")

    @property
    def kernel_library(self) -> str | None:
        """The library of kernels that was chosen, such as a cuDNN or a BLAS."""
        return self._data.get("kernel_library")

    @property
    def cudnn_benchmark(self) -> Literal["on", "off"] | None:
        """Whether cuDNN tried its algorithms and took the fastest, or took one by its heuristics."""
        return self._data.get("cudnn_benchmark")

    @property
    def device(self) -> str | None:
        """The device, or its family where the source does not say the SKU."""
        return self._data.get("device")

    @property
    def device_raw(self) -> str | None:
        """The source's own spelling of the device."""
        return self._data.get("device_raw")

    @property
    def device_count(self) -> int | None:
        """How many devices worked together."""
        return self._data.get("device_count")

    @property
    def prefill_devices(self) -> int | None:
        """How many of the devices read prompts, where others write the answers."""
        return self._data.get("prefill_devices")

    @property
    def decode_devices(self) -> int | None:
        """How many of the devices write answers, where others read the prompts."""
        return self._data.get("decode_devices")

    @property
    def device_slice(self) -> str | None:
        """The part of the device that ran it, where that is not the whole (1g.5gb of a MIG)."""
        return self._data.get("device_slice")

    @property
    def compute_unit(self) -> Literal["cpu", "gpu", "npu"] | None:
        """The part of a chip that ran it, where the device is a chip of several."""
        return self._data.get("compute_unit")

    @property
    def hosts(self) -> int | None:
        """How many machines hold the devices."""
        return self._data.get("hosts")

    @property
    def tensor_parallel(self) -> int | None:
        """Devices among which each layer's tensors are split."""
        return self._data.get("tensor_parallel")

    @property
    def pipeline_parallel(self) -> int | None:
        """Stages of layers, each on devices of its own."""
        return self._data.get("pipeline_parallel")

    @property
    def data_parallel(self) -> int | None:
        """Replicas that each work on samples of their own."""
        return self._data.get("data_parallel")

    @property
    def expert_parallel(self) -> int | None:
        """Devices among which the experts of a layer are split."""
        return self._data.get("expert_parallel")

    @property
    def context_parallel(self) -> int | None:
        """Devices among which the tokens of a sequence are split."""
        return self._data.get("context_parallel")

    @property
    def instance(self) -> str | None:
        """The cloud instance."""
        return self._data.get("instance")

    @property
    def host(self) -> str | None:
        """The machine around the devices."""
        return self._data.get("host")

    @property
    def price_usd_per_hour(self) -> float | None:
        """Price of the machine an hour, in US dollars, as the source states it."""
        return self._data.get("price_usd_per_hour")

    @property
    def threads(self) -> int | None:
        """Threads of the host that took part."""
        return self._data.get("threads")

    @property
    def allocator(self) -> Literal["system", "kept"] | None:
        """Whether unused memory returns to the system at once (the C library's default) or is kept."""
        return self._data.get("allocator")

    @property
    def network(self) -> str | None:
        """The revision of the network that was run."""
        return self._data.get("network")

    @property
    def network_raw(self) -> str | None:
        """The source's own spelling of the network."""
        return self._data.get("network_raw")

    @property
    def dataset(self) -> str | None:
        """The data set."""
        return self._data.get("dataset")

    @property
    def dataset_raw(self) -> str | None:
        """The source's own spelling of the data set."""
        return self._data.get("dataset_raw")

    @property
    def input_shape(self) -> str | None:
        """One sample, channels first."""
        return self._data.get("input_shape")

    @property
    def sequence_length(self) -> int | None:
        """Tokens of one sample."""
        return self._data.get("sequence_length")

    @property
    def component(self) -> str | None:
        """The part of the network that was timed, where it was not the whole (an encoder)."""
        return self._data.get("component")

    @property
    def input_length(self) -> int | None:
        """Tokens that each request brings."""
        return self._data.get("input_length")

    @property
    def output_length(self) -> int | None:
        """Tokens that each request asks for."""
        return self._data.get("output_length")

    @property
    def mean_output_length(self) -> float | None:
        """Tokens that a request was answered with, on average."""
        return self._data.get("mean_output_length")

    @property
    def stage(self) -> Literal["eval", "train", "forward", "backward", "prefill", "decode"] | None:
        """What was timed."""
        return self._data.get("stage")

    @property
    def scenario(self) -> Literal["offline", "server", "single-stream", "multi-stream", "interactive"] | None:
        """How the load arrives."""
        return self._data.get("scenario")

    @property
    def concurrency(self) -> int | None:
        """The most requests that are worked on at once."""
        return self._data.get("concurrency")

    @property
    def request_rate_per_s(self) -> float | None:
        """Requests that arrive in a second, as the load was set."""
        return self._data.get("request_rate_per_s")

    @property
    def division(self) -> Literal["closed", "open", "network"] | None:
        """Under which of MLPerf's rules it was run."""
        return self._data.get("division")

    @property
    def availability(self) -> Literal["available", "preview", "rdi"] | None:
        """Whether the system that was measured can be had."""
        return self._data.get("availability")

    @property
    def precision(self) -> Literal["fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "mxfp8", "fp4", "mxfp4", "nvfp4", "int16", "int8", "uint8", "int4", "uint4", "binary", "amp-fp16", "amp-bf16"] | None:
        """The numeric recipe."""
        return self._data.get("precision")

    @property
    def quantization(self) -> str | None:
        """How the weights were quantised, as the source calls it."""
        return self._data.get("quantization")

    @property
    def weight_format(self) -> str | None:
        """Number format or GGUF type of the stored weights."""
        return self._data.get("weight_format")

    @property
    def activation_format(self) -> str | None:
        """Number format of what the layers exchange."""
        return self._data.get("activation_format")

    @property
    def kv_cache_format(self) -> str | None:
        """Number format of the keys and values of earlier tokens."""
        return self._data.get("kv_cache_format")

    @property
    def reduced_precision(self) -> str | None:
        """What may be computed in a shorter format than the recipe's, as the framework was set."""
        return self._data.get("reduced_precision")

    @property
    def batch_size(self) -> int | None:
        """Samples in a batch of one device."""
        return self._data.get("batch_size")

    @property
    def batch_size_global(self) -> int | None:
        """Samples in a batch of all devices."""
        return self._data.get("batch_size_global")

    @property
    def micro_batch_size(self) -> int | None:
        """Samples that a device takes at once, where a batch is worked on in pieces."""
        return self._data.get("micro_batch_size")

    @property
    def layout(self) -> str | None:
        """Order of the axes in memory, such as NCHW."""
        return self._data.get("layout")

    @property
    def mode(self) -> str | None:
        """How it was executed: eager, graph, compiled …."""
        return self._data.get("mode")

    @property
    def partition(self) -> str | None:
        """How the work was divided, where no count states it: instances of some cores each, data parallel …."""
        return self._data.get("partition")

    @property
    def setting(self) -> str | None:
        """What else was chosen of the machine or the work: big cores, a performance mode, padded kernels …."""
        return self._data.get("setting")

    @property
    def attention_backend(self) -> str | None:
        """The kernel by which attention was computed: math, flash …."""
        return self._data.get("attention_backend")

    @property
    def prefix_cache(self) -> Literal["on", "off"] | None:
        """Whether keys and values of a prefix shared by requests are cached."""
        return self._data.get("prefix_cache")

    @property
    def speculative_decoding(self) -> str | None:
        """How tokens were drafted and then accepted or not: the method, its model, the tokens of a draft; `off` where
        the source says so."""
        return self._data.get("speculative_decoding")

    @property
    def data(self) -> Literal["synthetic", "real"] | None:
        """Made-up or real input."""
        return self._data.get("data")

    @property
    def epochs(self) -> int | None:
        """Passes over the data set."""
        return self._data.get("epochs")

    @property
    def accuracy_target(self) -> float | None:
        """The accuracy that ends a training, 0 to 1."""
        return self._data.get("accuracy_target")

    @property
    def relative_accuracy_target(self) -> float | None:
        """The accuracy that the category asks for, as a share of the reference's (MLPerf: 0.99, 0.999)."""
        return self._data.get("relative_accuracy_target")

    @property
    def baseline(self) -> str | None:
        """What a ratio is relative to."""
        return self._data.get("baseline")

    @property
    def label(self) -> str | None:
        """The source's own name of the run, where nothing else distinguishes it from its neighbours."""
        return self._data.get("label")

    @property
    def cuda(self) -> str | None:
        """Version of CUDA."""
        return self._data.get("cuda")

    @property
    def cudnn(self) -> str | None:
        """Version of cuDNN."""
        return self._data.get("cudnn")

    @property
    def driver(self) -> str | None:
        """Version of the device's driver."""
        return self._data.get("driver")

    @property
    def os(self) -> str | None:
        """The operating system."""
        return self._data.get("os")

    @property
    def container(self) -> str | None:
        """The container image."""
        return self._data.get("container")

    @property
    def software(self) -> str | None:
        """Other software and its versions."""
        return self._data.get("software")

    @property
    def date(self) -> str | None:
        """When it was measured."""
        return self._data.get("date")

    @property
    def dated(self) -> str | None:
        """When it was measured, else when its source was published: round, page, commit or year; computed."""
        return self._data.get("dated")

    @property
    def dated_by(self) -> Literal["measured", "commit", "round", "page", "year"] | None:
        """What `dated` is the date of: the measurement, the source's round, page or commit, or its year alone;
        computed."""
        return self._data.get("dated_by")

    @property
    def status(self) -> Literal["reported", "measured"]:
        """Copied from a publication, or measured by our own runner."""
        return self._data["status"]

    @property
    def statistic(self) -> Literal["mean", "median", "min", "max", "p90", "p95", "p99", "single"] | None:
        """What the values are of their samples."""
        return self._data.get("statistic")

    @property
    def samples_of(self) -> Literal["latency-ms", "mean-latency-ms", "time-to-first-token-ms", "time-per-output-token-ms", "inter-token-latency-ms", "median-time-to-first-token-ms", "p90-time-to-first-token-ms", "p95-time-to-first-token-ms", "p99-time-to-first-token-ms", "median-time-per-output-token-ms", "p90-time-per-output-token-ms", "p95-time-per-output-token-ms", "p99-time-per-output-token-ms", "median-inter-token-latency-ms", "p90-inter-token-latency-ms", "p95-inter-token-latency-ms", "p99-inter-token-latency-ms", "throughput-per-s", "device-throughput-per-s", "epoch-s", "total-s", "time-to-accuracy-s", "memory-mib", "power-w", "energy-j", "energy-per-item-j", "cpu-energy-per-item-j", "ram-energy-per-item-j", "gpu-energy-per-item-j", "platform-energy-per-item-j", "energy-per-request-j", "items-per-joule", "gpu-util-pct", "cpu-util-pct", "accuracy", "error-rate", "loss", "cost-usd", "gflops", "device-gflops", "mfu", "bandwidth-gb-per-s", "speedup", "efficiency-ratio", "test-metric-bits"] | None:
        """The metric that statistic, n, deviation, lowest and highest belong to, where that is not the row's first."""
        return self._data.get("samples_of")

    @property
    def n(self) -> int | None:
        """How many samples there are."""
        return self._data.get("n")

    @property
    def processes(self) -> int | None:
        """Number of fresh processes measured; the value is the mean of their statistics."""
        return self._data.get("processes")

    @property
    def lowest(self) -> float | None:
        """The smallest sample of the first metric, or of `samples-of`, in its unit."""
        return self._data.get("lowest")

    @property
    def highest(self) -> float | None:
        """The largest sample of the first metric, or of `samples-of`, in its unit."""
        return self._data.get("highest")

    @property
    def std_deviation(self) -> float | None:
        """The samples' standard deviation of the first metric, or of `samples-of`, in its unit."""
        return self._data.get("std_deviation")

    @property
    def process_deviation(self) -> float | None:
        """The standard deviation between the values of the processes, of the first metric, in its unit."""
        return self._data.get("process_deviation")

    @property
    def counts(self) -> Literal["image", "sample", "token", "sequence", "query", "frame", "inference", "video"] | None:
        """What the batch and a throughput count."""
        return self._data.get("counts")

    @property
    def metered(self) -> Literal["chip", "device", "parts", "host", "wall"] | None:
        """What the power or energy meter covered: the devices, the machine, everything behind the plug."""
        return self._data.get("metered")

    @property
    def top_k(self) -> int | None:
        """How many answers to a sample an accuracy allows, the right one among them: 1 where the first must be
        right."""
        return self._data.get("top_k")

    @property
    def timed(self) -> str | None:
        """What lies between start and stop of the clock."""
        return self._data.get("timed")

    @property
    def protocol(self) -> Literal["u39kun-2018", "benchmarker", "benchm-dl"] | None:
        """The method of a source that our own runner followed, by name."""
        return self._data.get("protocol")

    @property
    def outcome(self) -> Literal["oom", "unsupported", "crashed", "timeout"] | None:
        """Why there is no number."""
        return self._data.get("outcome")

    @property
    def standing(self) -> Literal["disputed", "superseded", "retracted"] | None:
        """What became of the number after it was published."""
        return self._data.get("standing")

    @property
    def standing_reason(self) -> str | None:
        """Why its status changed."""
        return self._data.get("standing_reason")

    @property
    def replaced_by(self) -> str | None:
        """The id of the measurement that replaces it, or of the source where all of its source is replaced."""
        return self._data.get("replaced_by")

    @property
    def caveats(self) -> str | None:
        """What disturbed a measurement of our own runner, and what to do about it."""
        return self._data.get("caveats")

    @property
    def notes(self) -> str | None:
        """Remarks."""
        return self._data.get("notes")

    @property
    def evidence(self) -> Literal["a", "b", "c", "d"] | None:
        """How well the row is attested, from a (the best) to d; computed."""
        return self._data.get("evidence")

    @property
    def evidence_lacks(self) -> str | None:
        """Which indicators of evidence are not met; computed."""
        return self._data.get("evidence_lacks")

    @property
    def metrics(self) -> Metrics:
        """The values; the unit is part of the key."""
        value = self._data["metrics"]
        return Metrics(value)

    @property
    def derived(self) -> list[Literal["latency_ms", "mean_latency_ms", "time_to_first_token_ms", "time_per_output_token_ms", "inter_token_latency_ms", "median_time_to_first_token_ms", "p90_time_to_first_token_ms", "p95_time_to_first_token_ms", "p99_time_to_first_token_ms", "median_time_per_output_token_ms", "p90_time_per_output_token_ms", "p95_time_per_output_token_ms", "p99_time_per_output_token_ms", "median_inter_token_latency_ms", "p90_inter_token_latency_ms", "p95_inter_token_latency_ms", "p99_inter_token_latency_ms", "throughput_per_s", "device_throughput_per_s", "epoch_s", "total_s", "time_to_accuracy_s", "memory_mib", "power_w", "energy_j", "energy_per_item_j", "cpu_energy_per_item_j", "ram_energy_per_item_j", "gpu_energy_per_item_j", "platform_energy_per_item_j", "energy_per_request_j", "items_per_joule", "gpu_util_pct", "cpu_util_pct", "accuracy", "error_rate", "loss", "cost_usd", "gflops", "device_gflops", "mfu", "bandwidth_gb_per_s", "speedup", "efficiency_ratio"]]:
        """The metrics that were derived from others, not recorded."""
        return self._data["derived"]

    @property
    def best(self) -> list[Literal["latency_ms", "mean_latency_ms", "time_to_first_token_ms", "time_per_output_token_ms", "inter_token_latency_ms", "median_time_to_first_token_ms", "p90_time_to_first_token_ms", "p95_time_to_first_token_ms", "p99_time_to_first_token_ms", "median_time_per_output_token_ms", "p90_time_per_output_token_ms", "p95_time_per_output_token_ms", "p99_time_per_output_token_ms", "median_inter_token_latency_ms", "p90_inter_token_latency_ms", "p95_inter_token_latency_ms", "p99_inter_token_latency_ms", "throughput_per_s", "device_throughput_per_s", "epoch_s", "total_s", "time_to_accuracy_s", "memory_mib", "power_w", "energy_j", "energy_per_item_j", "cpu_energy_per_item_j", "ram_energy_per_item_j", "gpu_energy_per_item_j", "platform_energy_per_item_j", "energy_per_request_j", "items_per_joule", "gpu_util_pct", "cpu_util_pct", "accuracy", "error_rate", "loss", "cost_usd", "gflops", "device_gflops", "mfu", "bandwidth_gb_per_s", "speedup", "efficiency_ratio"]] | None:
        """Metrics in which this row is the best among those of the answer that differ only in device and framework; at
        most one row for each network, data set, stage, scenario and counted item. Missing outside an answer."""
        return self._data.get("best")


class Citation(Record):
    """A citation: a source in the catalog or a page, and the facts (keys of the entity) that it covers."""

    @property
    def source(self) -> str | None:
        """A source in the catalog."""
        return self._data.get("source")

    @property
    def url(self) -> str | None:
        """A page, if the source is not in the catalog."""
        return self._data.get("url")

    @property
    def title(self) -> str | None:
        """Title of the page."""
        return self._data.get("title")

    @property
    def accessed(self) -> str | None:
        """Date at which the page was read."""
        return self._data.get("accessed")

    @property
    def facts(self) -> list[str] | None:
        """The keys it covers; empty means every key that no other citation covers."""
        return self._data.get("facts")


class ReportedFramework(Record):
    """What one survey reported about a framework, spelled as printed."""

    @property
    def row(self) -> int | None:
        """Number of the row in the survey's table."""
        return self._data.get("row")

    @property
    def same_as(self) -> str | None:
        """The framework whose row this one shares (Caffe2 shares the row `Caffe/Caffe2`)."""
        return self._data.get("same_as")

    @property
    def name(self) -> str | None:
        """Name as printed."""
        return self._data.get("name")

    @property
    def status(self) -> FrameworkStatus | None:
        """The survey's group."""
        return self._data.get("status")

    @property
    def license(self) -> str | None:
        """Licence as printed."""
        return self._data.get("license")

    @property
    def core_languages(self) -> list[str] | None:
        """Core languages as printed."""
        return self._data.get("core_languages")

    @property
    def api_languages(self) -> list[str] | None:
        """Interface languages as printed."""
        return self._data.get("api_languages")

    @property
    def hardware(self) -> list[str] | None:
        """Hardware as printed."""
        return self._data.get("hardware")

    @property
    def multi_server(self) -> str | None:
        """`Multi-Server` or `Single Node`, as printed."""
        return self._data.get("multi_server")

    @property
    def tested_networks(self) -> list[str] | None:
        """Networks as printed."""
        return self._data.get("tested_networks")

    @property
    def tested_datasets(self) -> list[str] | None:
        """Data sets as printed."""
        return self._data.get("tested_datasets")

    @property
    def ratings(self) -> dict[str, float] | None:
        """Star ratings, 0 to 5, by the aspect rated."""
        return self._data.get("ratings")

    @property
    def notes(self) -> str | None:
        """Remarks on the claim."""
        return self._data.get("notes")


class JoinedFramework(Record):
    """A framework, and which of the answer's networks and data sets its developers tested."""

    @property
    def id(self) -> str:
        """The file name without its extension."""
        return self._data["id"]

    @property
    def name(self) -> str:
        """The name as its developers write it."""
        return self._data["name"]

    @property
    def aliases(self) -> list[str]:
        """Other names in use."""
        return self._data["aliases"]

    @property
    def status(self) -> FrameworkStatus | None:
        """Development status."""
        return self._data.get("status")

    @property
    def status_date(self) -> str | None:
        """Date at which the status was checked."""
        return self._data.get("status_date")

    @property
    def license(self) -> str | None:
        """SPDX expression."""
        return self._data.get("license")

    @property
    def core_languages(self) -> list[str]:
        """Languages of the core."""
        return self._data["core_languages"]

    @property
    def api_languages(self) -> list[str]:
        """Languages with an official interface."""
        return self._data["api_languages"]

    @property
    def hardware(self) -> list[Target]:
        """Hardware that it runs on."""
        return self._data["hardware"]

    @property
    def platforms(self) -> list[Platform] | None:
        """Platforms that its own documentation lists as supported, by vendor."""
        return self._data.get("platforms")

    @property
    def platforms_by_plug_in(self) -> list[Platform] | None:
        """Platforms that its own documentation attributes to plug-ins of others or calls experimental."""
        return self._data.get("platforms_by_plug_in")

    @property
    def multi_server(self) -> bool | None:
        """Whether training runs on several machines."""
        return self._data.get("multi_server")

    @property
    def tested_networks(self) -> list[str]:
        """Networks that the developers verified (ids, families allowed)."""
        return self._data["tested_networks"]

    @property
    def tested_datasets(self) -> list[str]:
        """Data sets that the developers verified."""
        return self._data["tested_datasets"]

    @property
    def steward(self) -> str | None:
        """Maintainer."""
        return self._data.get("steward")

    @property
    def first_release(self) -> str | None:
        """First public release."""
        return self._data.get("first_release")

    @property
    def latest_release(self) -> str | None:
        """Version number of the newest release."""
        return self._data.get("latest_release")

    @property
    def latest_release_date(self) -> str | None:
        """Date of the newest release."""
        return self._data.get("latest_release_date")

    @property
    def homepage(self) -> str | None:
        """Web page."""
        return self._data.get("homepage")

    @property
    def repository(self) -> str | None:
        """Source code."""
        return self._data.get("repository")

    @property
    def notes(self) -> str | None:
        """Remarks."""
        return self._data.get("notes")

    @property
    def sources(self) -> list[Citation]:
        """The sources of the facts."""
        value = self._data["sources"]
        return [Citation(item) for item in value]

    @property
    def reported(self) -> dict[str, ReportedFramework]:
        """What surveys reported, by source."""
        value = self._data["reported"]
        return {key: ReportedFramework(item) for key, item in value.items()}

    @property
    def network_tested(self) -> dict[str, bool]:
        """For each network of the answer, whether it or its family is officially tested."""
        return self._data["network_tested"]

    @property
    def dataset_tested(self) -> dict[str, bool]:
        """For each data set of the answer, whether it is officially tested."""
        return self._data["dataset_tested"]


class CloudOffer(Record):
    """A cloud instance with the device."""

    @property
    def provider(self) -> str:
        """Cloud provider."""
        return self._data["provider"]

    @property
    def instance(self) -> str:
        """Name of the instance type."""
        return self._data["instance"]

    @property
    def devices(self) -> int | None:
        """Number of devices in an instance."""
        return self._data.get("devices")

    @property
    def usd_per_hour(self) -> float | None:
        """Price of the instance, US dollars per hour."""
        return self._data.get("usd_per_hour")

    @property
    def as_of(self) -> str | None:
        """Date of the price."""
        return self._data.get("as_of")

    @property
    def source(self) -> str:
        """Source of the offer."""
        return self._data["source"]


class Rent(Record):
    """The cheapest recent offer of a device."""

    @property
    def usd_per_hour(self) -> float:
        """US dollars per hour for one device."""
        return self._data["usd_per_hour"]

    @property
    def device(self) -> str:
        """The device in the offer: this one, its family or, for a family, a member."""
        return self._data["device"]

    @property
    def provider(self) -> str:
        """Cloud provider."""
        return self._data["provider"]

    @property
    def instance(self) -> str:
        """Name of the instance type."""
        return self._data["instance"]

    @property
    def as_of(self) -> str | None:
        """Date of the price."""
        return self._data.get("as_of")

    @property
    def source(self) -> str:
        """Source of the offer."""
        return self._data["source"]


class Device(Record):
    """A device: a SKU refers to its family in `variant_of`; a family has the facts that its SKUs share."""

    @property
    def id(self) -> str:
        """The file name without its extension."""
        return self._data["id"]

    @property
    def name(self) -> str:
        """The name as its vendor writes it."""
        return self._data["name"]

    @property
    def aliases(self) -> list[str]:
        """Other names in use; each belongs to one device only."""
        return self._data["aliases"]

    @property
    def variant_of(self) -> str | None:
        """The family."""
        return self._data.get("variant_of")

    @property
    def class_(self) -> HardwareClass:
        """Hardware class."""
        return self._data["class"]

    @property
    def vendor(self) -> str | None:
        """Vendor."""
        return self._data.get("vendor")

    @property
    def architecture(self) -> str | None:
        """Micro-architecture."""
        return self._data.get("architecture")

    @property
    def chip(self) -> str | None:
        """Name of the die."""
        return self._data.get("chip")

    @property
    def form_factor(self) -> str | None:
        """SXM2, PCIe …."""
        return self._data.get("form_factor")

    @property
    def memory_gib(self) -> float | None:
        """Memory of the board, GiB."""
        return self._data.get("memory_gib")

    @property
    def memory_type(self) -> str | None:
        """HBM2, GDDR6 …."""
        return self._data.get("memory_type")

    @property
    def bandwidth_gb_per_s(self) -> float | None:
        """Memory bandwidth of the board, 10^9 byte/s."""
        return self._data.get("bandwidth_gb_per_s")

    @property
    def cores(self) -> int | None:
        """CUDA cores, stream processors or CPU cores."""
        return self._data.get("cores")

    @property
    def tensor_cores(self) -> int | None:
        """Matrix units."""
        return self._data.get("tensor_cores")

    @property
    def tdp_w(self) -> float | None:
        """Thermal design power, W."""
        return self._data.get("tdp_w")

    @property
    def base_clock_mhz(self) -> float | None:
        """Base clock, MHz."""
        return self._data.get("base_clock_mhz")

    @property
    def boost_clock_mhz(self) -> float | None:
        """Boost clock, MHz."""
        return self._data.get("boost_clock_mhz")

    @property
    def process_nm(self) -> float | None:
        """Process node, nm."""
        return self._data.get("process_nm")

    @property
    def release_date(self) -> str | None:
        """Release date."""
        return self._data.get("release_date")

    @property
    def launch_price_usd(self) -> float | None:
        """Price at launch, US dollars."""
        return self._data.get("launch_price_usd")

    @property
    def compute_capability(self) -> str | None:
        """CUDA compute capability."""
        return self._data.get("compute_capability")

    @property
    def pci_ids(self) -> list[str]:
        """PCI vendor and device ids."""
        return self._data["pci_ids"]

    @property
    def peak_tflops(self) -> dict[str, float]:
        """Dense peak throughput by number format, TFLOP/s (TOP/s for integers)."""
        return self._data["peak_tflops"]

    @property
    def cloud(self) -> list[CloudOffer]:
        """Cloud offers."""
        value = self._data["cloud"]
        return [CloudOffer(item) for item in value]

    @property
    def rent(self) -> Rent | None:
        """The cheapest recent offer; computed from `cloud`, not stated in files."""
        value = self._data.get("rent")
        return None if value is None else Rent(value)

    @property
    def notes(self) -> str | None:
        """Remarks."""
        return self._data.get("notes")

    @property
    def sources(self) -> list[Citation]:
        """The sources of the facts."""
        value = self._data["sources"]
        return [Citation(item) for item in value]

    @property
    def reported(self) -> dict[str, dict[str, str | int | float]]:
        """Wrong or doubtful claims of surveys, by source, then by free key."""
        return self._data["reported"]


class GradeRecord(Record):
    """One grade with its rationale and source."""

    @property
    def grade(self) -> Grade:
        """The grade."""
        return self._data["grade"]

    @property
    def rationale(self) -> str | None:
        """The reason."""
        return self._data.get("rationale")

    @property
    def source(self) -> str:
        """Its source."""
        return self._data["source"]

    @property
    def notes(self) -> str | None:
        """Disagreements."""
        return self._data.get("notes")


class HardwareClassRecord(Record):
    """A hardware class with its grades by hardware metric."""

    @property
    def id(self) -> HardwareClass:
        """The class."""
        return self._data["id"]

    @property
    def name(self) -> str:
        """Its name."""
        return self._data["name"]

    @property
    def aliases(self) -> list[str]:
        """Other names in use."""
        return self._data["aliases"]

    @property
    def description(self) -> str | None:
        """Description."""
        return self._data.get("description")

    @property
    def notes(self) -> str | None:
        """Remarks."""
        return self._data.get("notes")

    @property
    def sources(self) -> list[Citation]:
        """The sources of the facts."""
        value = self._data["sources"]
        return [Citation(item) for item in value]

    @property
    def grades(self) -> dict[str, GradeRecord]:
        """Grades by metric id, in the order of the file."""
        value = self._data["grades"]
        return {key: GradeRecord(item) for key, item in value.items()}

    @property
    def reported(self) -> dict[str, dict[str, str]]:
        """Grades as a survey printed them: source, then metric id."""
        return self._data["reported"]


class Network(Record):
    """A network; families (`resnet`) are networks without figures to which others refer in `family`."""

    @property
    def id(self) -> str:
        """The file name without its extension."""
        return self._data["id"]

    @property
    def name(self) -> str:
        """The name as its authors write it."""
        return self._data["name"]

    @property
    def aliases(self) -> list[str]:
        """Other names in use; each belongs to one network only."""
        return self._data["aliases"]

    @property
    def family(self) -> str | None:
        """The family it belongs to."""
        return self._data.get("family")

    @property
    def variant_of(self) -> str | None:
        """The network of which it is a revision."""
        return self._data.get("variant_of")

    @property
    def differs_in(self) -> str | None:
        """What the revision changed."""
        return self._data.get("differs_in")

    @property
    def task(self) -> str | None:
        """Task."""
        return self._data.get("task")

    @property
    def input_shape(self) -> str | None:
        """Shape of one sample, channels first."""
        return self._data.get("input_shape")

    @property
    def parameters_m(self) -> float | None:
        """Trainable parameters, millions."""
        return self._data.get("parameters_m")

    @property
    def active_parameters_m(self) -> float | None:
        """Of these, the parameters that a token uses, millions: in a layer with several experts, only the chosen
        ones."""
        return self._data.get("active_parameters_m")

    @property
    def multiply_adds_g(self) -> float | None:
        """Multiply-adds of a forward pass of one sample, 10^9."""
        return self._data.get("multiply_adds_g")

    @property
    def paper(self) -> str | None:
        """The paper."""
        return self._data.get("paper")

    @property
    def year(self) -> int | None:
        """Year of the paper."""
        return self._data.get("year")

    @property
    def notes(self) -> str | None:
        """Remarks."""
        return self._data.get("notes")

    @property
    def sources(self) -> list[Citation]:
        """The sources of the facts."""
        value = self._data["sources"]
        return [Citation(item) for item in value]


class Dataset(Record):
    """A data set on which networks are trained or tested."""

    @property
    def id(self) -> str:
        """The file name without its extension."""
        return self._data["id"]

    @property
    def name(self) -> str:
        """Its name."""
        return self._data["name"]

    @property
    def aliases(self) -> list[str]:
        """Other names in use."""
        return self._data["aliases"]

    @property
    def task(self) -> str | None:
        """Task."""
        return self._data.get("task")

    @property
    def classes(self) -> int | None:
        """Number of classes."""
        return self._data.get("classes")

    @property
    def train_size(self) -> int | None:
        """Training samples."""
        return self._data.get("train_size")

    @property
    def test_size(self) -> int | None:
        """Test (or validation) samples."""
        return self._data.get("test_size")

    @property
    def input_shape(self) -> str | None:
        """Shape of one sample, channels first."""
        return self._data.get("input_shape")

    @property
    def license(self) -> str | None:
        """Licence terms, in a few words."""
        return self._data.get("license")

    @property
    def homepage(self) -> str | None:
        """Web page."""
        return self._data.get("homepage")

    @property
    def notes(self) -> str | None:
        """Remarks."""
        return self._data.get("notes")

    @property
    def sources(self) -> list[Citation]:
        """The sources of the facts."""
        value = self._data["sources"]
        return [Citation(item) for item in value]


class Publication(Record):
    """The published version of a source, as cited."""

    @property
    def type(self) -> str:
        """BibTeX entry type."""
        return self._data["type"]

    @property
    def name(self) -> str:
        """Its title, which can differ from that of the version read."""
        return self._data["name"]

    @property
    def year(self) -> int:
        """Year of publication."""
        return self._data["year"]

    @property
    def venue(self) -> str:
        """Journal or proceedings."""
        return self._data["venue"]

    @property
    def pages(self) -> str:
        """Pages, such as `148-155`."""
        return self._data["pages"]

    @property
    def publisher(self) -> str:
        """Publisher."""
        return self._data["publisher"]

    @property
    def place(self) -> str | None:
        """Location of the conference."""
        return self._data.get("place")

    @property
    def doi(self) -> str:
        """DOI."""
        return self._data["doi"]


class Standing(Record):
    """Why a measurement or source should not be relied on, and what replaces it."""

    @property
    def standing(self) -> StandingWord:
        """Its status."""
        return self._data["standing"]

    @property
    def reason(self) -> str:
        """The reason."""
        return self._data["reason"]

    @property
    def replaced_by(self) -> str | None:
        """The source that replaces it."""
        return self._data.get("replaced_by")


class Method(Record):
    """How a source measured."""

    @property
    def timed(self) -> str | None:
        """What was timed."""
        return self._data.get("timed")

    @property
    def warm_up(self) -> int | None:
        """Untimed runs before the timed ones."""
        return self._data.get("warm_up")

    @property
    def iterations(self) -> int | None:
        """Timed runs."""
        return self._data.get("iterations")

    @property
    def statistic(self) -> str | None:
        """Which statistic of the timed runs the figure is, in words."""
        return self._data.get("statistic")

    @property
    def data(self) -> Data | None:
        """Synthetic or real input."""
        return self._data.get("data")

    @property
    def description(self) -> str | None:
        """Anything else."""
        return self._data.get("description")


class LeftOutRows(Record):
    """Records in a source's files that were not imported."""

    @property
    def reason(self) -> str:
        """The reason."""
        return self._data["reason"]

    @property
    def rows(self) -> int | None:
        """Number of records; unknown if they were not counted."""
        return self._data.get("rows")


class Source(Record):
    """A paper, a repository or a page: what a citation needs, and how its numbers were measured."""

    @property
    def id(self) -> str:
        """The file name without its extension."""
        return self._data["id"]

    @property
    def name(self) -> str:
        """Its title."""
        return self._data["name"]

    @property
    def aliases(self) -> list[str]:
        """Short names in use."""
        return self._data["aliases"]

    @property
    def type(self) -> str:
        """BibTeX entry type."""
        return self._data["type"]

    @property
    def authors(self) -> list[str]:
        """`Family, Given`; organisations unchanged."""
        return self._data["authors"]

    @property
    def year(self) -> int | None:
        """Year of the version cited; unknown for a page without a date."""
        return self._data.get("year")

    @property
    def venue(self) -> str | None:
        """Journal, proceedings or publisher."""
        return self._data.get("venue")

    @property
    def url(self) -> str | None:
        """URL."""
        return self._data.get("url")

    @property
    def doi(self) -> str | None:
        """DOI."""
        return self._data.get("doi")

    @property
    def published(self) -> Publication | None:
        """The published version, if another version was read."""
        value = self._data.get("published")
        return None if value is None else Publication(value)

    @property
    def commit(self) -> str | None:
        """Commit of the version cited."""
        return self._data.get("commit")

    @property
    def commit_date(self) -> str | None:
        """Date of that commit."""
        return self._data.get("commit_date")

    @property
    def dated(self) -> str | None:
        """Publication date, if neither its commit nor its year alone states it."""
        return self._data.get("dated")

    @property
    def dated_by(self) -> Dating | None:
        """What `dated` is the date of."""
        return self._data.get("dated_by")

    @property
    def accessed(self) -> str | None:
        """Date of access."""
        return self._data.get("accessed")

    @property
    def license(self) -> str | None:
        """Its own licence, in words or SPDX."""
        return self._data.get("license")

    @property
    def standing(self) -> Standing | None:
        """Whether it is still valid: ``None`` means yes."""
        value = self._data.get("standing")
        return None if value is None else Standing(value)

    @property
    def method(self) -> Method | None:
        """How its numbers were measured."""
        value = self._data.get("method")
        return None if value is None else Method(value)

    @property
    def left_out(self) -> list[LeftOutRows] | None:
        """What its files contain and the knowledge base does not, by reason."""
        value = self._data.get("left_out")
        return None if value is None else [LeftOutRows(item) for item in value]

    @property
    def notes(self) -> str | None:
        """Remarks."""
        return self._data.get("notes")


class CatalogAnswer(Record):
    """The catalog entities to which some rows refer."""

    @property
    def frameworks(self) -> list[JoinedFramework]:
        """Frameworks."""
        value = self._data["frameworks"]
        return [JoinedFramework(item) for item in value]

    @property
    def devices(self) -> list[Device]:
        """Devices; a family comes with its SKUs."""
        value = self._data["devices"]
        return [Device(item) for item in value]

    @property
    def hardware_classes(self) -> list[HardwareClassRecord]:
        """Hardware classes with their grades."""
        value = self._data["hardware_classes"]
        return [HardwareClassRecord(item) for item in value]

    @property
    def networks(self) -> list[Network]:
        """Networks."""
        value = self._data["networks"]
        return [Network(item) for item in value]

    @property
    def datasets(self) -> list[Dataset]:
        """Data sets."""
        value = self._data["datasets"]
        return [Dataset(item) for item in value]

    @property
    def sources(self) -> list[Source]:
        """Sources."""
        value = self._data["sources"]
        return [Source(item) for item in value]


class UnstatedField(Record):
    """Rows that match but do not state a field."""

    @property
    def field(self) -> str:
        """The field, as spelled in filters."""
        return self._data["field"]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._data["rows"]


class Suggestion(Record):
    """A question similar to the one asked."""

    @property
    def query(self) -> str:
        """The question."""
        return self._data["query"]

    @property
    def total(self) -> int:
        """Number of measurements that it finds."""
        return self._data["total"]


class ValueCount(Record):
    """One value, with the number of measurements that have it."""

    @property
    def value(self) -> str | int | float | None:
        """The value; `null` means any number, if there are too many numbers to distinguish."""
        return self._data.get("value")

    @property
    def count(self) -> int:
        """Number of measurements that have it."""
        return self._data["count"]


class FacetCounts(Record):
    """The values of one aspect, with the number of measurements that have each."""

    @property
    def field(self) -> str:
        """The aspect's key, in snake_case."""
        return self._data["field"]

    @property
    def values(self) -> list[ValueCount]:
        """Its values, most frequent first. For a metric, `null` has the number of measurements that state it."""
        value = self._data["values"]
        return [ValueCount(item) for item in value]

    @property
    def not_stated(self) -> int:
        """Number of measurements whose value is not known."""
        return self._data["not_stated"]


class AnswerDocument(Record):
    """The answer to a question."""

    @property
    def query(self) -> str:
        """The question as asked."""
        return self._data["query"]

    @property
    def question(self) -> str:
        """The question in the explicit language, which has the same answer."""
        return self._data["question"]

    @property
    def read_as(self) -> list[Span]:
        """How each word of the question was read."""
        value = self._data["read_as"]
        return [Span(item) for item in value]

    @property
    def unread(self) -> list[str]:
        """The words that were not read."""
        return self._data["unread"]

    @property
    def total(self) -> int:
        """Number of matching measurements; `measurements` contains one page of them."""
        return self._data["total"]

    @property
    def conclusion(self) -> Conclusion:
        """The conclusion."""
        value = self._data["conclusion"]
        return Conclusion(value)

    @property
    def remarks(self) -> list[WordedRemark]:
        """What a reader must know to use the answer, most important first."""
        value = self._data["remarks"]
        return [WordedRemark(item) for item in value]

    @property
    def measurements(self) -> list[Measurement]:
        """The page of measurements, best row first."""
        value = self._data["measurements"]
        return [Measurement(item) for item in value]

    @property
    def catalog(self) -> CatalogAnswer:
        """The catalog entities to which the matching measurements refer, and those that match the question
        themselves."""
        value = self._data["catalog"]
        return CatalogAnswer(value)

    @property
    def unstated(self) -> list[UnstatedField]:
        """Rows that match but do not state a field that the question asks for."""
        value = self._data["unstated"]
        return [UnstatedField(item) for item in value]

    @property
    def suggestions(self) -> list[Suggestion]:
        """Similar questions that have an answer."""
        value = self._data["suggestions"]
        return [Suggestion(item) for item in value]

    @property
    def facets(self) -> list[FacetCounts] | None:
        """How often each value occurs in all matching measurements, if requested."""
        value = self._data.get("facets")
        return None if value is None else [FacetCounts(item) for item in value]


class Label(Record):
    """The label of a row or column on one axis."""

    @property
    def value(self) -> str | None:
        """The value as in measurements; ``None`` if it is not stated."""
        return self._data.get("value")

    @property
    def name(self) -> str:
        """The name for people."""
        return self._data["name"]


class PivotRow(Record):
    """A row."""

    @property
    def labels(self) -> list[Label]:
        """Its labels, one per axis."""
        value = self._data["labels"]
        return [Label(item) for item in value]

    @property
    def notes(self) -> list[int]:
        """Indices of the notes that apply to all its cells."""
        return self._data["notes"]


class PivotColumn(Record):
    """A column."""

    @property
    def labels(self) -> list[Label]:
        """Its labels, one per axis."""
        value = self._data["labels"]
        return [Label(item) for item in value]

    @property
    def measure(self) -> str:
        """Key of the metric or derived measure of its numbers."""
        return self._data["measure"]

    @property
    def heading(self) -> str:
        """The heading of the measure, with its unit, and with what it counts if that is the same for all numbers."""
        return self._data["heading"]

    @property
    def notes(self) -> list[int]:
        """Indices of the notes that apply to all its cells."""
        return self._data["notes"]


class PivotCell(Record):
    """A cell."""

    @property
    def id(self) -> str:
        """Id of the measurement."""
        return self._data["id"]

    @property
    def source(self) -> str:
        """Its source."""
        return self._data["source"]

    @property
    def value(self) -> float | None:
        """Its value, with the digits of the source; ``None`` if the attempt failed."""
        return self._data.get("value")

    @property
    def outcome(self) -> str | None:
        """Why there is no value."""
        return self._data.get("outcome")

    @property
    def derived(self) -> bool:
        """Whether the value is derived rather than stated."""
        return self._data["derived"]

    @property
    def range(self) -> list[Any] | None:
        """Smallest and largest sample."""
        return self._data.get("range")

    @property
    def deviation(self) -> float | None:
        """Standard deviation of the samples."""
        return self._data.get("deviation")

    @property
    def candidates(self) -> int:
        """Number of measurements from which it was picked."""
        return self._data["candidates"]

    @property
    def mixed(self) -> list[str]:
        """Fields whose differences make the candidates incomparable."""
        return self._data["mixed"]

    @property
    def varied(self) -> list[str]:
        """Axes in which the candidates differ: the table chose the conditions of the cell."""
        return self._data["varied"]

    @property
    def all(self) -> list[list[Any]]:
        """The values of all candidates, if requested: id and value, best first."""
        return self._data["all"]

    @property
    def vs_baseline(self) -> float | None:
        """Ratio to the baseline."""
        return self._data.get("vs_baseline")

    @property
    def vs_best(self) -> float | None:
        """Ratio to the best comparable value."""
        return self._data.get("vs_best")

    @property
    def rank(self) -> int | None:
        """Rank among the comparable values."""
        return self._data.get("rank")

    @property
    def best(self) -> bool:
        """Whether it is the best of these, or not distinguishable from the best."""
        return self._data["best"]

    @property
    def notes(self) -> list[int]:
        """Indices of the notes that apply to it."""
        return self._data["notes"]


class GeometricMean(Record):
    """A geometric mean of ratios."""

    @property
    def value(self) -> float:
        """The mean."""
        return self._data["value"]

    @property
    def n(self) -> int:
        """Number of ratios."""
        return self._data["n"]


class PivotNote(Record):
    """A note that the reader needs."""

    @property
    def code(self) -> str:
        """A stable code for programs."""
        return self._data["code"]

    @property
    def mark(self) -> str:
        """The mark of the rows, columns or cells to which it applies; empty for the whole table."""
        return self._data["mark"]

    @property
    def text(self) -> str:
        """The text."""
        return self._data["text"]


class PivotDocument(Record):
    """A table with the question that it answers."""

    @property
    def query(self) -> str:
        """The question."""
        return self._data["query"]

    @property
    def about(self) -> list[str]:
        """The command, the question as filters, the knowledge base."""
        return self._data["about"]

    @property
    def knowledge_base(self) -> str:
        """Hash of the knowledge base's content."""
        return self._data["knowledge_base"]

    @property
    def rows_by(self) -> list[str]:
        """The row axes: keys of aspects."""
        return self._data["rows_by"]

    @property
    def columns_by(self) -> list[str]:
        """The column axes."""
        return self._data["columns_by"]

    @property
    def pick(self) -> str:
        """How a cell was picked from its candidates."""
        return self._data["pick"]

    @property
    def total(self) -> int:
        """Number of measurements found."""
        return self._data["total"]

    @property
    def rows(self) -> list[PivotRow]:
        """The rows."""
        value = self._data["rows"]
        return [PivotRow(item) for item in value]

    @property
    def columns(self) -> list[PivotColumn]:
        """The columns."""
        value = self._data["columns"]
        return [PivotColumn(item) for item in value]

    @property
    def cells(self) -> list[list[PivotCell | None]]:
        """The cells by row, then by column; ``None`` if nothing was measured."""
        value = self._data["cells"]
        return [[None if inner is None else PivotCell(inner) for inner in item] for item in value]

    @property
    def along(self) -> str:
        """Which cells were compared with each other: those of a `column` or of a `row`."""
        return self._data["along"]

    @property
    def baseline(self) -> str | None:
        """The name of the baseline."""
        return self._data.get("baseline")

    @property
    def ratio(self) -> str | None:
        """The kind of ratio: `speed-up` or `quotient`."""
        return self._data.get("ratio")

    @property
    def means(self) -> list[GeometricMean | None]:
        """Geometric means of the ratios by row (along columns) or by column (along rows)."""
        value = self._data["means"]
        return [None if item is None else GeometricMean(item) for item in value]

    @property
    def shared(self) -> list[list[Any]]:
        """What all cells have in common: the key of the criterion and its value."""
        return self._data["shared"]

    @property
    def verdict(self) -> VerdictKind | None:
        """The verdict on all cells together."""
        return self._data.get("verdict")

    @property
    def notes(self) -> list[PivotNote]:
        """Notes that are needed to judge the numbers."""
        value = self._data["notes"]
        return [PivotNote(item) for item in value]

    @property
    def relaxed(self) -> list[str]:
        """The relaxed criteria."""
        return self._data["relaxed"]

    @property
    def sources(self) -> list[Source]:
        """The sources of the cells, in order of appearance."""
        value = self._data["sources"]
        return [Source(item) for item in value]


class FieldOfPair(Record):
    """One field of the measurements."""

    @property
    def field(self) -> str:
        """The key of the field."""
        return self._data["field"]

    @property
    def tier(self) -> str:
        """The tier that gives its weight: `identity`, `axis`, `context`, `disclosure`."""
        return self._data["tier"]

    @property
    def values(self) -> list[str | None]:
        """The value that each measurement states."""
        return self._data["values"]

    @property
    def says(self) -> str:
        """The result: `same`, `differs`, `unknown`."""
        return self._data["says"]


class PairVerdict(Record):
    """The verdict on two or more measurements."""

    @property
    def ids(self) -> list[str]:
        """The ids of the measurements."""
        return self._data["ids"]

    @property
    def metric(self) -> str | None:
        """The metric by which they are compared."""
        return self._data.get("metric")

    @property
    def values(self) -> list[float | None]:
        """The value of the metric for each measurement; ``None`` if it has none."""
        return self._data["values"]

    @property
    def kind(self) -> VerdictKind:
        """The verdict as one word."""
        return self._data["kind"]

    @property
    def verdict(self) -> str:
        """The verdict as a sentence."""
        return self._data["verdict"]

    @property
    def fields(self) -> list[FieldOfPair]:
        """All fields that at least one of them states."""
        value = self._data["fields"]
        return [FieldOfPair(item) for item in value]

    @property
    def order_supported(self) -> bool | None:
        """Whether the known dispersion supports the order of the two values."""
        return self._data.get("order_supported")

    @property
    def sources(self) -> list[Source]:
        """The sources of the measurements."""
        value = self._data["sources"]
        return [Source(item) for item in value]


class PairEvidence(Record):
    """A pair of rows."""

    @property
    def unit(self) -> str:
        """The network, framework or task."""
        return self._data["unit"]

    @property
    def subject(self) -> float | None:
        """The subject's value."""
        return self._data.get("subject")

    @property
    def baseline(self) -> float | None:
        """The baseline's value."""
        return self._data.get("baseline")

    @property
    def effect(self) -> float:
        """The effect, in the unit of the comparison."""
        return self._data["effect"]

    @property
    def devices(self) -> list[str]:
        """Devices of both sides."""
        return self._data["devices"]

    @property
    def measurements(self) -> list[str]:
        """Ids of rows."""
        return self._data["measurements"]


class EvidenceComparison(Record):
    """A comparison of two sides, or the evidence for an item of a fact."""

    @property
    def subject(self) -> str:
        """The class or framework of the claim, or filters."""
        return self._data["subject"]

    @property
    def baseline(self) -> str:
        """What it is compared with, or the item of the fact."""
        return self._data["baseline"]

    @property
    def claimed(self) -> str:
        """What is claimed: `more`, `less`, `alike`, a range, or the item."""
        return self._data["claimed"]

    @property
    def verdict(self) -> EvidenceVerdict | None:
        """The verdict."""
        return self._data.get("verdict")

    @property
    def measure(self) -> str | None:
        """The metric, derived measure or fact that is the evidence."""
        return self._data.get("measure")

    @property
    def weak(self) -> bool:
        """Whether a weaker measure replaces the first one."""
        return self._data["weak"]

    @property
    def unit(self) -> str | None:
        """The unit of the effect: `ratio`, `years` or `share`, how many times as good, years earlier or how much more
        the subject is; `value`, a fact of the catalog; `cited`, what another work states."""
        return self._data.get("unit")

    @property
    def effect(self) -> float | None:
        """The mean over units; for ratios the geometric mean."""
        return self._data.get("effect")

    @property
    def low(self) -> float | None:
        """Lower end of the 95 % interval."""
        return self._data.get("low")

    @property
    def high(self) -> float | None:
        """Upper end of the 95 % interval."""
        return self._data.get("high")

    @property
    def pairs(self) -> int:
        """Number of pairs, or of counted items."""
        return self._data["pairs"]

    @property
    def units(self) -> int:
        """Number of units that are resampled for the interval, usually networks."""
        return self._data["units"]

    @property
    def devices(self) -> int | None:
        """Number of devices of the side with fewer; ``None`` if they do not represent a class."""
        return self._data.get("devices")

    @property
    def measurers(self) -> int:
        """Number of independent measurers of the side with fewer."""
        return self._data["measurers"]

    @property
    def sources(self) -> list[str]:
        """The sources."""
        return self._data["sources"]

    @property
    def years(self) -> list[Any] | None:
        """The first and last year of the rows."""
        return self._data.get("years")

    @property
    def measurements(self) -> list[str]:
        """Ids of rows, subject and baseline alternately; if there are many pairs, a sample spread over all."""
        return self._data["measurements"]

    @property
    def remark(self) -> str | None:
        """Why there is no evidence, or a remark on it."""
        return self._data.get("remark")

    @property
    def details(self) -> list[PairEvidence] | None:
        """All pairs, if requested."""
        value = self._data.get("details")
        return None if value is None else [PairEvidence(item) for item in value]


class PeriodEvidence(Record):
    """The evidence from the rows of a period."""

    @property
    def period(self) -> str:
        """`then`, up to the claim's year, or `since`."""
        return self._data["period"]

    @property
    def verdict(self) -> EvidenceVerdict:
        """The combined verdict of all comparisons."""
        return self._data["verdict"]

    @property
    def comparisons(self) -> list[EvidenceComparison]:
        """The comparisons."""
        value = self._data["comparisons"]
        return [EvidenceComparison(item) for item in value]


class ClaimEvidence(Record):
    """A claim, with the evidence for and against it."""

    @property
    def id(self) -> str:
        """`gpu/energy-efficiency`, `pytorch/license-type`, or the id of a figure."""
        return self._data["id"]

    @property
    def kind(self) -> ClaimKind:
        """The kind of claim."""
        return self._data["kind"]

    @property
    def about(self) -> str:
        """The class, framework or filters that it is about."""
        return self._data["about"]

    @property
    def metric(self) -> str | None:
        """The metric by whose definition it is judged."""
        return self._data.get("metric")

    @property
    def claimed(self) -> str:
        """What is claimed: a grade, a fact as printed, a range."""
        return self._data["claimed"]

    @property
    def text(self) -> str:
        """The claim in a sentence."""
        return self._data["text"]

    @property
    def said_by(self) -> str:
        """The source of the claim."""
        return self._data["said_by"]

    @property
    def place(self) -> str | None:
        """The place in the source: a section, or a table with row or column."""
        return self._data.get("place")

    @property
    def year(self) -> int | None:
        """The year of the claim."""
        return self._data.get("year")

    @property
    def notes(self) -> str | None:
        """Remarks on the claim."""
        return self._data.get("notes")

    @property
    def verdict(self) -> EvidenceVerdict:
        """The verdict by measurements after the claim's year, else by those up to it."""
        return self._data["verdict"]

    @property
    def by(self) -> str | None:
        """The period on which the verdict is based."""
        return self._data.get("by")

    @property
    def periods(self) -> list[PeriodEvidence]:
        """The evidence up to the claim's year and since then."""
        value = self._data["periods"]
        return [PeriodEvidence(item) for item in value]

    @property
    def formula(self) -> str:
        """How the claim is expressed as a number."""
        return self._data["formula"]

    @property
    def not_captured(self) -> str:
        """What the number does not capture."""
        return self._data["not_captured"]

    @property
    def would_change(self) -> str:
        """What would change the verdict."""
        return self._data["would_change"]


class ChanceRate(Record):
    """Two sides with directions swapped at random."""

    @property
    def metric(self) -> str:
        """The metric by whose definition they are compared."""
        return self._data["metric"]

    @property
    def measure(self) -> str | None:
        """The measure, if rows are compared."""
        return self._data.get("measure")

    @property
    def period(self) -> str:
        """`then` or `since`."""
        return self._data["period"]

    @property
    def subject(self) -> str:
        """One side, as filters."""
        return self._data["subject"]

    @property
    def baseline(self) -> str:
        """The other side, as filters."""
        return self._data["baseline"]

    @property
    def pairs(self) -> int:
        """Number of pairs, or of counted items."""
        return self._data["pairs"]

    @property
    def units(self) -> int:
        """Number of units, usually networks."""
        return self._data["units"]

    @property
    def devices(self) -> int | None:
        """Number of devices of the side with fewer, if they represent a class."""
        return self._data.get("devices")

    @property
    def supported(self) -> float:
        """Share of the swaps in which a claim that the subject has more was supported."""
        return self._data["supported"]

    @property
    def contradicted(self) -> float:
        """Share of the swaps in which it was contradicted."""
        return self._data["contradicted"]


class ByChance(Record):
    """How often chance alone gives a verdict on two sides: the directions of the real pairs are swapped at random,
    those of all pairs of a device together (half of the times by the devices of one side, half by those of the other);
    if items are counted, those of each item."""

    @property
    def level(self) -> float:
        """The accepted share of both verdicts together."""
        return self._data["level"]

    @property
    def shuffles(self) -> int:
        """How many times directions were swapped."""
        return self._data["shuffles"]

    @property
    def rates(self) -> list[ChanceRate]:
        """All pairs of sides with enough evidence for a verdict."""
        value = self._data["rates"]
        return [ChanceRate(item) for item in value]


class EvidenceDocument(Record):
    """Claims tested against measurements."""

    @property
    def query(self) -> str:
        """The question; empty for everything."""
        return self._data["query"]

    @property
    def knowledge_base(self) -> str:
        """Hash of the knowledge base's content."""
        return self._data["knowledge_base"]

    @property
    def method(self) -> str:
        """How intervals are computed, in words."""
        return self._data["method"]

    @property
    def claims(self) -> list[ClaimEvidence]:
        """The claims: grades, framework facts, figures from texts."""
        value = self._data["claims"]
        return [ClaimEvidence(item) for item in value]

    @property
    def by_chance(self) -> ByChance | None:
        """How often chance alone would give these verdicts, if requested."""
        value = self._data.get("by_chance")
        return None if value is None else ByChance(value)


class Framework(Record):
    """A framework as it is today, each fact with its source."""

    @property
    def id(self) -> str:
        """The file name without its extension."""
        return self._data["id"]

    @property
    def name(self) -> str:
        """The name as its developers write it."""
        return self._data["name"]

    @property
    def aliases(self) -> list[str]:
        """Other names in use."""
        return self._data["aliases"]

    @property
    def status(self) -> FrameworkStatus | None:
        """Development status."""
        return self._data.get("status")

    @property
    def status_date(self) -> str | None:
        """Date at which the status was checked."""
        return self._data.get("status_date")

    @property
    def license(self) -> str | None:
        """SPDX expression."""
        return self._data.get("license")

    @property
    def core_languages(self) -> list[str]:
        """Languages of the core."""
        return self._data["core_languages"]

    @property
    def api_languages(self) -> list[str]:
        """Languages with an official interface."""
        return self._data["api_languages"]

    @property
    def hardware(self) -> list[Target]:
        """Hardware that it runs on."""
        return self._data["hardware"]

    @property
    def platforms(self) -> list[Platform] | None:
        """Platforms that its own documentation lists as supported, by vendor."""
        return self._data.get("platforms")

    @property
    def platforms_by_plug_in(self) -> list[Platform] | None:
        """Platforms that its own documentation attributes to plug-ins of others or calls experimental."""
        return self._data.get("platforms_by_plug_in")

    @property
    def multi_server(self) -> bool | None:
        """Whether training runs on several machines."""
        return self._data.get("multi_server")

    @property
    def tested_networks(self) -> list[str]:
        """Networks that the developers verified (ids, families allowed)."""
        return self._data["tested_networks"]

    @property
    def tested_datasets(self) -> list[str]:
        """Data sets that the developers verified."""
        return self._data["tested_datasets"]

    @property
    def steward(self) -> str | None:
        """Maintainer."""
        return self._data.get("steward")

    @property
    def first_release(self) -> str | None:
        """First public release."""
        return self._data.get("first_release")

    @property
    def latest_release(self) -> str | None:
        """Version number of the newest release."""
        return self._data.get("latest_release")

    @property
    def latest_release_date(self) -> str | None:
        """Date of the newest release."""
        return self._data.get("latest_release_date")

    @property
    def homepage(self) -> str | None:
        """Web page."""
        return self._data.get("homepage")

    @property
    def repository(self) -> str | None:
        """Source code."""
        return self._data.get("repository")

    @property
    def notes(self) -> str | None:
        """Remarks."""
        return self._data.get("notes")

    @property
    def sources(self) -> list[Citation]:
        """The sources of the facts."""
        value = self._data["sources"]
        return [Citation(item) for item in value]

    @property
    def reported(self) -> dict[str, ReportedFramework]:
        """What surveys reported, by source."""
        value = self._data["reported"]
        return {key: ReportedFramework(item) for key, item in value.items()}
