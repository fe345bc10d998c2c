//! ncnn's page of logs: a heading names the board; the lines above the figures give the number of threads and, if a GPU was
//! requested, which one in the list of GPUs.

use std::collections::BTreeMap;

use super::{Meaning, Source, entry, meaning, pattern, read_text};

const SOURCE: Source = Source {
    id: "ncnn-2026",
    folder: "Tencent__ncnn",
    also: &[
        "device-raw",
        "network-raw",
        "framework-version",
        "n",
        "threads",
        "setting",
        "standing",
        "date",
        "host",
        "os",
        "software",
        "label",
        "outcome",
        "lowest",
        "highest",
        "latency-ms",
    ],
};

/// CPUs, by heading.
const PROCESSORS: &[(&str, &str)] = &[
    (r"Jetson (AGX|Orin|TX2) (Orin|Xavier|Nano|NX)", "jetson-$1-$2-cpu"),
    (r"Jetson Nano", "jetson-nano-cpu"),
    (r"Threadripper 3970X", "ryzen-threadripper-3970x"),
    (r"Ryzen Embedded V1605B", "ryzen-embedded-v1605b"),
    (r"Ryzen 5700g", "ryzen-7-5700g"),
    (r"Ryzen 9 5950X", "ryzen-9-5950x"),
    (r"EPYC 7742", "epyc-7742"),
    (r"Snapdragon 8 Gen 2", "snapdragon-8-gen-2"),
    (r"Snapdragon X Elite", "snapdragon-x-elite"),
    (r"Snapdragon (\d+)\+", "snapdragon-$1-plus"),
    (r"Snapdragon (\d+G?)", "snapdragon-$1"),
    (r"Kirin 970", "kirin-970"),
    (r"Raspberry Pi 3 Model B\+", "raspberry-pi-3-model-b-plus"),
    (r"Raspberry Pi 4 Model B", "raspberry-pi-4-model-b"),
    (r"Raspberry Pi 5", "raspberry-pi-5"),
    (r"Raspberry Pi Zero 2 W", "raspberry-pi-zero-2-w"),
    (r"AllWinner H2\+", "allwinner-h2-plus"),
    (r"Allwinner (H616|T527)", "allwinner-$1"),
    (r"Radxa (Orion O6|Zero 3W)", "radxa-$1"),
    (r"Amlogic (A311D|S805)", "amlogic-$1"),
    (r"(?i)Rockchip (RK\d{4}[SH]?)", "rockchip-$1"),
    (r"RDK X3", "rdk-x3"),
    (r"Renesas RZG2L", "renesas-rzg2l"),
    (r"HiSilicon Hi3519V101", "hisilicon-hi3519v101"),
    (r"Apple A7", "apple-a7"),
    (r"i\.MX7 Dual", "freescale-imx7-dual"),
    (r"XC7Z020", "zynq-7020"),
    (r"(Loongson|Ingenic|Sunway|AXERA) (\w+)", "$1-$2"),
    (r"Phytium FT-2000\+/64", "phytium-ft-2000-plus-64"),
    (r"Phytium FT-2000/4", "phytium-ft-2000-4"),
    (r"Phytium E2000", "phytium-e2000"),
    (r"(?i)KunPeng 920 (\w+)", "kunpeng-920-$1"),
    (r"Atom x5-Z8350", "atom-x5-z8350"),
    (r"Celeron N5105", "celeron-n5105"),
    (r"Celeron M 420", "celeron-m-420"),
    (r"13-inch, (M\d)", "apple-$1-cpu"),
    (r"MacBook Pro \(15-inch, 2019\)", "intel-core-i7-macbook-pro-15-2019"),
    (r"JH7110", "starfive-jh7110"),
    (r"TH1520", "thead-th1520"),
    (r"CVITEK SG2000", "cvitek-sg2000"),
    (r"(?:Core™ |Core )i7-(\w+)", "core-i7-$1"),
    (r"AWS c5\.4xlarge", "xeon-platinum-8124m"),
    (r"Dimensity 9300", "dimensity-9300"),
    (r"Xeon Phi 3120A", "xeon-phi-3120a"),
    (r"Spacemit M1", "spacemit-m1"),
    (r"QRB2210", "qualcomm-qrb2210"),
    (r"Standard D64ps v6", "azure-cobalt-100"),
    (r"Standard D64s v6", "xeon-platinum-8573c"),
    (r"Standard D64as v7", "epyc-9v45"),
];

/// GPUs with a name of their own; the others are the GPU of the chip in the heading.
const GPUS: &[(&str, &str)] = &[
    (r"GeForce RTX 3070 Laptop", "geforce-rtx-3070-laptop"),
    (r"RTX A3000 Laptop", "rtx-a3000-laptop"),
    (r"GeForce (GTX|RTX) (\d{4}) Ti", "geforce-$1-$2-ti"),
    (r"GeForce RTX 2060", "geforce-rtx-2060-laptop"),
    (r"GeForce RTX (\d{4})", "geforce-rtx-$1"),
    (r"Quadro RTX 8000", "quadro-rtx-8000"),
    (r"V100-PCIE-32GB", "tesla-v100-pcie-32gb"),
    (r"UHD Graphics (630|770)", "intel-uhd-graphics-$1"),
    (r"UHD Graphics \(JSL\)", "intel-uhd-graphics-jsl"),
    (r"HD Graphics \(CHV\)", "intel-hd-graphics-chv"),
    (r"Direct3D12 \(Intel\(R\) UHD", "intel-uhd-graphics-11800h"),
    (r"Radeon Pro 555X", "radeon-pro-555x"),
    (r"RX 6900 XT", "radeon-rx-6900-xt"),
    (r"Vega 8", "radeon-vega-8"),
    (r"^Apple (M\d)$", "apple-$1"),
];

const NETWORKS: &[(&str, &str)] = &[
    (r"^regnety_400m$", "regnety-004"),
    (r"^mobilenet[_-]ssd$", "ssd-mobilenet-v1"),
    (r"^efficientnetv2_b0$", "tf-efficientnetv2-b0"),
    (r"^vision_transformer$", "vit"),
    (r"^(resnet|vgg)(\d+)$", "$1-$2"),
];

/// From this network on, the GPU results of the RK3588S are invalid: the times are shorter than the arithmetic takes.
const LOST_AT: (&str, &str) = ("ROC-RK3588S-PC", "efficientnet_b0");

fn device(heading: &str, gpu: Option<&str>) -> String {
    let processor = || {
        let id = entry(PROCESSORS, heading).unwrap_or_else(|| panic!("the second reader does not know `{heading}`"));
        id.replace(' ', "-")
    };
    match gpu {
        None => processor(),
        Some(gpu) => entry(GPUS, gpu).unwrap_or_else(|| match processor().strip_suffix("-cpu") {
            Some(module) => module.to_owned(),
            None => processor() + "-gpu",
        }),
    }
}

/// The state read so far from the lines above the figures.
#[derive(Default)]
struct Log {
    heading: String,
    /// Facts below the heading: operating system, compiler, release.
    section: BTreeMap<String, String>,
    /// The settings that a run prints first.
    settings: BTreeMap<String, String>,
    /// The GPUs that a run lists, by number.
    gpus: BTreeMap<String, String>,
    is_lost: bool,
}

impl Log {
    fn figures(&mut self, found: &regex::Captures<'_>) -> Meaning {
        let setting = |key: &str| self.settings.get(key).map_or("", String::as_str);
        let section = |key: &str| self.section.get(key).map_or("", String::as_str);
        let gpu = self.gpus.get(setting("gpu_device")).map(String::as_str);
        let named = |wanted: &str| {
            let found = pattern(wanted).captures(&self.heading);
            found.map(|found| found[1].to_owned()).unwrap_or_default()
        };
        let network = found[1].trim_end_matches("_int8").trim_end_matches("-int8");
        if self.heading.contains(LOST_AT.0) && gpu.is_some() && network == LOST_AT.1 {
            self.is_lost = true;
        }
        // 8-bit networks always run on the CPU.
        let is_lost = self.is_lost && gpu.is_some() && !found[1].ends_with("int8");
        let core = match (gpu, setting("powersave")) {
            (None, "1") => "little cores",
            (None, "2") => "big cores",
            _ => "",
        };
        let (host, system) = match section("os").split_once('(') {
            Some((host @ "Beaglev-ahead", system)) => (host, system.trim_end_matches(')')),
            _ => ("", section("os")),
        };
        let clock = named(r"Overclock to ([\d.]+Ghz),");
        let build = section("build");
        let chosen = match (gpu, clock.is_empty()) {
            _ if build.ends_with("AVX512") => build.to_lowercase().replace("avx512", "AVX-512"),
            (Some(gpu), true) if gpu.starts_with("Microsoft Direct3D12") => {
                format!("Vulkan device {} through Direct3D 12 in a Hyper-V guest", setting("gpu_device"))
            }
            (None, false) => format!("overclocked to {clock}"),
            (Some(_), false) => {
                let own = named(r"Graphics Overclock to ([\d.]+Ghz)");
                format!("Vulkan device {}, overclocked to {own} (processor to {clock})", setting("gpu_device"))
            }
            (Some(_), _) => format!("Vulkan device {}", setting("gpu_device")),
            (None, _) if !section("affinity").is_empty() => section("affinity").to_owned(),
            (None, _) => core.to_owned(),
        };
        let board = self.heading.split('(').next().unwrap_or_default().trim_end();
        let run = match (section("arguments"), setting("cooling_down")) {
            ("", "") => format!("powersave {}", setting("powersave")),
            ("", cooling) => format!("powersave {}, cooling_down {cooling}", setting("powersave")),
            (arguments, _) => arguments.to_owned(),
        };
        let label = if build.is_empty() { format!("{board}; {run}") } else { format!("{board}; {build}; {run}") };
        let os = match system {
            "" => named(r"(?i)\b(ubuntu \d+\.\d+|fedora-\d+|Armbian focal \([0-9.]+\)|StationOS \(Android\))"),
            os => os.to_owned(),
        };
        let compiler = match section("compiler") {
            "" if !section("cmake").is_empty() => section("cmake").to_owned(),
            "" => named(r"(AOCC_[0-9.]+-Build#\d+)"),
            compiler => compiler.to_owned(),
        };
        meaning([
            ("device", &device(&self.heading, gpu)),
            ("device-raw", &gpu.map_or_else(|| self.heading.clone(), |gpu| format!("{}: {gpu}", self.heading))),
            ("device-count", if gpu.is_some() { "1" } else { "" }),
            ("network", &entry(NETWORKS, network).unwrap_or_else(|| network.to_lowercase().replace('_', "-"))),
            ("network-raw", &found[1]),
            ("precision", if found[1].ends_with("int8") { "int8" } else { "" }),
            ("stage", "eval"),
            ("framework", "ncnn"),
            ("framework-version", section("tag")),
            ("statistic", "mean"),
            ("n", setting("loop_count")),
            ("threads", setting("num_threads")),
            ("setting", &chosen),
            ("standing", if gpu.is_some() && found[1].ends_with("int8") { "disputed" } else { "" }),
            ("date", &named(r"\[(\d{4}-\d\d-\d\d)\]")),
            ("host", host),
            ("os", &os),
            ("label", &label),
            ("software", &compiler),
            ("outcome", if is_lost { "crashed" } else { "" }),
            ("lowest", &found[2]),
            ("highest", &found[3]),
            ("latency-ms", if is_lost { "" } else { &found[4] }),
        ])
    }
}

fn of_page(page: &str) -> Vec<Meaning> {
    let listed = pattern(r"^\[(\d+) (.+?)\] +queueC");
    let setting = pattern(r"^(loop_count|num_threads|powersave|gpu_device|cooling_down) = (-?\d+)");
    let stated = pattern(r"^- (?:Guest )?(OS|Host|Compiler|ncnn (?:version )?tag): (.+)");
    let tested = pattern(r"^(?i:test|tested) on `?([^`]+)(?:`(?: with `(cmake [^`]+)`)?)?");
    let built = pattern(r"^\*\*Results \(([^)]+)\)\*\*");
    let figures = pattern(r"^\s*([A-Za-z0-9_.+-]+)\s+min =\s*([\d.]+)\s+max =\s*([\d.]+)\s+avg =\s*([\d.]+)");
    let run = pattern(r"benchncnn(?:\.exe)?(?: (.+)|$)");
    let affinity = pattern(r"KMP_AFFINITY=\w+");
    let mut log = Log::default();
    let mut rows = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            let heading = heading.split_whitespace().collect::<Vec<_>>().join(" ");
            log = Log { heading, ..Log::default() };
        } else if log.heading.is_empty() {
        } else if let Some(found) = figures.captures(line) {
            rows.push(log.figures(&found));
        } else if let Some(found) = listed.captures(line) {
            if &found[1] == "0" {
                log.gpus.clear();
            }
            log.gpus.insert(found[1].to_owned(), found[2].to_owned());
        } else if let Some(found) = setting.captures(line) {
            log.settings.insert(found[1].to_owned(), found[2].to_owned());
        } else if let Some(found) = stated.captures(line) {
            let key = match &found[1] {
                "Host" | "OS" => "os",
                "Compiler" => "compiler",
                _ => "tag",
            };
            log.section.insert(key.to_owned(), found[2].trim().to_owned());
        } else if let Some(found) = tested.captures(line).filter(|found| !found[1].trim().ends_with("PU")) {
            log.section.insert("os".to_owned(), found[1].trim().to_owned());
            if let Some(cmake) = found.get(2) {
                log.section.insert("cmake".to_owned(), cmake.as_str().to_owned());
            }
        } else if let Some(found) = built.captures(line) {
            log.section.insert("build".to_owned(), found[1].to_owned());
        } else if let Some(found) = run.captures(line) {
            log.gpus.clear();
            if let Some(arguments) = found.get(1) {
                log.section.insert("arguments".to_owned(), arguments.as_str().trim().to_owned());
            }
            if let Some(affinity) = affinity.find(line) {
                log.section.insert("affinity".to_owned(), affinity.as_str().to_owned());
            }
        }
    }
    rows
}

#[test]
fn ncnn_means_what_its_logs_say() {
    SOURCE.assert_matches(|folder| of_page(&read_text(&folder.join("benchmark/README.md"))));
}
