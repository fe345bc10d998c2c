//! Brands and series: words in front of a product's number or name that name no product themselves.

/// Those of hardware.
pub(in crate::ask::question) const HARDWARE_BRANDS: &[&str] = &[
    "rtx",
    "gtx",
    "rx",
    "geforce",
    "tesla",
    "quadro",
    "radeon",
    "instinct",
    "xeon",
    "core",
    "ryzen",
    "epyc",
    "threadripper",
    "arc",
    "jetson",
    "pixel",
    "iphone",
    "ipad",
    "galaxy",
    "snapdragon",
    "exynos",
    "kirin",
    "titan",
    "apple",
    "nvidia",
    "intel",
    "amd",
    "google",
    "graphcore",
    "ascend",
    "huawei",
    "azure",
    "aws",
    "cortex",
    "cerebras",
    "groq",
    "sambanova",
    "tenstorrent",
    "rockchip",
    "mediatek",
    "qualcomm",
    "raspberry",
];

/// Those of networks.
const NETWORK_BRANDS: &[&str] = &["gpt", "claude", "gemini", "llama", "qwen", "mistral", "deepseek", "phi", "gemma"];

/// Whether a word in lower case is a brand or a series, of hardware or of networks.
pub(in crate::ask::question) fn is_brand(word: &str) -> bool {
    HARDWARE_BRANDS.contains(&word) || NETWORK_BRANDS.contains(&word)
}

/// Whether a name of several words begins with the brand of a device.
pub(in crate::ask::question) fn is_branded(name: &str) -> bool {
    let brand = name.split(' ').next().unwrap_or_default().to_lowercase();
    name.contains(' ') && HARDWARE_BRANDS.contains(&brand.as_str())
}
