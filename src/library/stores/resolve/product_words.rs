//! Which words beside a device's name say nothing against it. Every other word makes another product of it: whether the
//! catalog has that product or not.

/// Words that describe a device of any name; what follows them is read on.
const DESCRIPTIVE: &[&str] = &[
    "accelerator",
    "accelerators",
    "board",
    "boards",
    "card",
    "cards",
    "chip",
    "chips",
    "cpu",
    "cpus",
    "device",
    "devices",
    "fpga",
    "gpu",
    "gpus",
    "graphics",
    "igpu",
    "ipu",
    "machine",
    "memory",
    "module",
    "node",
    "nodes",
    "npu",
    "nvlink",
    "processor",
    "processors",
    "server",
    "single",
    "soc",
    "som",
    "vram",
    "workstation",
];

/// Words with which something else begins: a connection, another name, the software, a number format.
const BEGINS_SOMETHING_ELSE: &[&str] = &[
    // connections
    "and",
    "as",
    "at",
    "by",
    "each",
    "for",
    "from",
    "in",
    "of",
    "on",
    "per",
    "running",
    "to",
    "using",
    "via",
    "vs",
    "with",
    "without",
    "x",
    // software and systems
    "aarch64",
    "android",
    "aocc",
    "arm64",
    "armnn",
    "cuda",
    "cudnn",
    "fedora",
    "ios",
    "linux",
    "macos",
    "ncnn",
    "onnx",
    "onnxruntime",
    "opencl",
    "openvino",
    "pytorch",
    "rocm",
    "ruy",
    "tensorflow",
    "tensorrt",
    "tflite",
    "trt",
    "ubuntu",
    "vllm",
    "vulkan",
    "windows",
    "x86",
    // number formats
    "amp",
    "bf16",
    "float16",
    "float32",
    "fp16",
    "fp32",
    "fp4",
    "fp64",
    "fp8",
    "half",
    "int4",
    "int8",
    "mixed",
    "tf32",
    // where it stands
    "aws",
    "azure",
    "cluster",
    "colab",
    "desktop",
    "ec2",
    "gce",
    "gcp",
    "host",
    "instance",
    "lambda",
    "macbook",
    "overclock",
    "overclocked",
    "pod",
    "pods",
    "system",
    "vm",
    // makers: the name of another part, or of the same by its chip
    "allwinner",
    "amd",
    "amlogic",
    "apple",
    "arm",
    "broadcom",
    "google",
    "hisilicon",
    "huawei",
    "intel",
    "mediatek",
    "nvidia",
    "qualcomm",
    "rockchip",
    "samsung",
    "spacemit",
    "xilinx",
];

/// The makers' lines of products: a name behind such a word is the name of another product than without it (`Quadro P4` is
/// no Tesla P4).
const PRODUCT_LINES: &[&str] = &[
    "adreno",
    "alveo",
    "arc",
    "ascend",
    "athlon",
    "atom",
    "bow",
    "celeron",
    "core",
    "dimensity",
    "drive",
    "epyc",
    "exynos",
    "firepro",
    "gaudi",
    "geforce",
    "grid",
    "gt",
    "gtx",
    "hailo",
    "helio",
    "instinct",
    "iphone",
    "iris",
    "jetson",
    "kirin",
    "kria",
    "mali",
    "nvs",
    "opteron",
    "pentium",
    "phenom",
    "quadro",
    "radeon",
    "rtx",
    "rx",
    "ryzen",
    "snapdragon",
    "tegra",
    "tesla",
    "threadripper",
    "titan",
    "tpu",
    "vega",
    "versal",
    "xeon",
    "zynq",
];

pub(super) fn is_descriptive(word: &str) -> bool {
    DESCRIPTIVE.contains(&word) || is_operating_point(word)
}

pub(super) fn begins_something_else(word: &str) -> bool {
    BEGINS_SOMETHING_ELSE.contains(&word)
}

pub(super) fn is_product_line(word: &str) -> bool {
    PRODUCT_LINES.contains(&word)
}

/// A clock or a voltage: `30mhz`, `0v9`.
fn is_operating_point(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    word.strip_suffix("mhz").or_else(|| word.strip_suffix("ghz")).is_some_and(digits)
        || word.split_once('v').is_some_and(|(volts, tenths)| digits(volts) && digits(tenths))
}

/// A board's form, as SKUs are told apart by it: `SXM4`, `PCIe`, `NVL` …
pub(super) fn form(word: &str) -> Option<String> {
    let forms = ["sxm", "sxm2", "sxm3", "sxm4", "sxm5", "pcie", "nvl", "dgxs", "oam", "cnx", "fhhl", "hgx"];
    forms.contains(&word).then(|| word.to_owned())
}

/// GiB of a word such as `16GB`, `32G` or `1536MB`.
pub(super) fn memory_gib(word: &str) -> Option<f64> {
    let word = word.to_lowercase();
    let digits = word.find(|c: char| !c.is_ascii_digit())?;
    let number: f64 = word[..digits].parse().ok()?;
    unit_gib(&word[digits..]).map(|gib| number * gib)
}

/// GiB of a unit of memory.
pub(super) fn unit_gib(unit: &str) -> Option<f64> {
    match unit {
        "gb" | "gib" | "g" => Some(1.0),
        "mb" | "mib" => Some(1.0 / 1024.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_forms_are_told_from_names() {
        assert_eq!((memory_gib("16GB"), memory_gib("32g"), memory_gib("1536MB")), (Some(16.0), Some(32.0), Some(1.5)));
        assert_eq!((memory_gib("GB200"), memory_gib("A16"), memory_gib("16")), (None, None, None));
        assert!(form("sxm4").is_some() && form("sx").is_none());
        assert!(is_descriptive("30mhz") && is_descriptive("0v9") && !is_descriptive("v2"));
    }
}
