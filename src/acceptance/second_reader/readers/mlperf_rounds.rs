//! MLPerf Inference v1.0 to v4.0: results from logs (v1.0 to v3.0) and from experiment files (v3.1, v4.0), which state power
//! and energy in the result's row or in a separate row. Every figure is for a whole system.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Meaning, Source, csv_records, entry, meaning, pattern};

/// Fields compared in addition to those of every source.
const ALSO: &[&str] = &[
    "accuracy",
    "availability",
    "backend",
    "counts",
    "dataset",
    "device-slice",
    "division",
    "energy-per-item-j",
    "latency-ms",
    "mean-latency-ms",
    "metered",
    "network-raw",
    "power-w",
    "quantization",
    "relative-accuracy-target",
    "scenario",
    "setting",
    "throughput-per-s",
    "timed",
];

type Row = BTreeMap<String, String>;

/// A result, with accessors for both kinds of files.
struct Submission<'r> {
    row: &'r Row,
    /// Whether the row is from the logs; the two kinds of files name their columns differently.
    of_logs: bool,
}

impl Submission<'_> {
    fn of(&self, of_logs: &str, published: &str) -> &str {
        let name = if self.of_logs { of_logs } else { published };
        self.row.get(name).map_or("", String::as_str)
    }

    fn accelerator(&self) -> Option<&str> {
        let named = self.of("accelerator", "accelerator_model_name");
        (!["", "-", "N/A", "None"].contains(&named)).then_some(named)
    }

    fn host(&self) -> &str {
        self.of("host_processor", "host_processor_model_name")
    }

    fn system(&self) -> &str {
        self.of("system", "Platform")
    }

    fn submitter(&self) -> &str {
        self.of("submitter", "Organization")
    }

    fn division(&self) -> &str {
        self.of("division", "Division")
    }

    /// The model that was run, if named, else the category.
    fn model(&self) -> &str {
        self.of("benchmark", "Model")
    }

    fn category(&self) -> &str {
        self.of("benchmark", "MlperfModel")
    }

    fn number(&self, of_logs: &str, published: &str) -> Option<u64> {
        self.of(of_logs, published).parse().ok().filter(|number| *number > 0)
    }

    /// Whether the result is not imported because its description cannot be represented correctly.
    fn is_left_out(&self, round: &str) -> bool {
        let system = self.system();
        let (framework, accuracy) = (self.of("framework", "framework"), self.of("", "Accuracy"));
        match self.accelerator() {
            Some(named) if pattern(r"80C$|24Q$|^Virtualized|Nodes?: .*Nodes?: ").is_match(named) => return true,
            Some(_) if round == "v1.0" && self.submitter() == "Alibaba" && self.division() == "open" => return true,
            None if system.contains("-gpu-") || framework.contains("tensorflow-metal") => return true,
            None if ["undefined", "Intel(R) Xeon(R) CPU @ 2.30GHz"].contains(&self.host()) => return true,
            _ => {}
        }
        let no_work = self.category().starts_with("bert") && accuracy.parse::<f64>().is_ok_and(|share| share < 10.0);
        no_work
            || self.of("metric", "Result_Units") == "samples per query"
            || ["huggingface-bert", "pruned-bert-99"].contains(&self.model())
    }

    fn device(&self) -> String {
        let (table, text) = match self.accelerator() {
            Some(named) => {
                let memory = self.of("accelerator_memory", "");
                (ACCELERATORS, format!("{named} @{} #{memory}", self.system()))
            }
            None => (PROCESSORS, format!("{} / {}", self.system(), self.host())),
        };
        entry(table, &text).unwrap_or_else(|| panic!("the second reader does not know `{text}`"))
    }

    /// Accelerators over all nodes; without accelerators, CPU sockets, where an Arm chip counts as one socket.
    fn devices(&self) -> Option<u64> {
        let nodes = self.number("nodes", "number_of_nodes").unwrap_or(1);
        let sockets = self.number("host_processors_per_node", "host_processors_per_node");
        let each = self.number("accelerators_per_node", "accelerators_per_node");
        match self.accelerator() {
            // 56 slices are seven on each of eight devices, 32 are four on each of eight.
            Some(_) if pattern("MIG_(56x|32x)").is_match(self.system()) => Some(8),
            Some(named) if named.contains("MIG") || named.starts_with("NPU") => None,
            Some(_) if self.submitter() == "JuniperNetworks" => None,
            Some(_) => each.map(|each| each * nodes),
            None if pattern("^(ARMv8|Cortex-A|Apple)").is_match(self.host()) => Some(nodes),
            None if self.system().starts_with("1-node-") => sockets,
            None => sockets.map(|sockets| sockets * nodes),
        }
    }

    fn network(&self) -> String {
        let plain = pattern(r"-?(non-quantized|quantized)|precision_(float|uint8)-|(?:^efficientnet-)(fp32|int8)-");
        let plain = match self.model() {
            model if model.starts_with("efficientnet-") && !model.contains("quantized") => {
                model.replace("-fp32", "").replace("-int8", "")
            }
            model => plain.replace_all(model, "").into_owned(),
        };
        let open = self.division() == "open" && !self.of_logs;
        let text = if open { format!("{plain} {}", self.system()) } else { plain.clone() };
        let found = entry(NETWORKS, &plain);
        let changed = if open && self.submitter() == "NVIDIA" { entry(NETWORKS, &text) } else { None };
        changed.or(found).unwrap_or_else(|| panic!("the second reader does not know the network `{text}`"))
    }

    /// 3D U-Net uses different images since v2.0; other data sets are not recorded.
    fn dataset(&self, round: &str) -> &'static str {
        match (self.category().starts_with("3d-unet"), round) {
            (false, _) => "",
            (true, "v1.0") => "brats-2019",
            (true, _) => "kits19",
        }
    }

    /// The single number format, and the combination if there are several.
    fn formats(&self) -> (&str, &str) {
        let types = self.of("weight_data_types", "");
        let system = self.system();
        let of_its_own = self.division() == "closed" && self.submitter() == "cTuning";
        if of_its_own && system.contains("nvidia_original-gpu") {
            return ("", "");
        }
        match types {
            "" => {}
            "No change." => return ("", ""),
            "Google bfloat16." => return ("bf16", ""),
            "Signed 8-bit integer." | "int8_t" | "INT8" => return ("int8", ""),
            "float16" => return ("fp16", ""),
            types if pattern(r"[,+]| and ").is_match(types) => return ("", types),
            types => return (types, ""),
        }
        let named = [
            (r"precision_float|-fp32-lite", "fp32"),
            (r"precision_uint8", "uint8"),
            (r"-int8-lite|[_-]quant-", "int8"),
            (r"^(mobilebert|o?bert)-.*none", "fp32"),
        ];
        let of_network =
            named.iter().find(|(words, _)| pattern(words).is_match(self.model())).map(|(_, format)| *format);
        let ends = [("-INT8", "int8"), ("-INT4", "int4"), ("-BF16", "bf16")];
        let of_system = || ends.iter().find(|(end, _)| system.ends_with(end)).map(|(_, format)| *format);
        (of_network.or_else(of_system).unwrap_or_default(), "")
    }

    /// Framework and backend; taken from the system name if the description names something else.
    fn software(&self) -> (Option<String>, &'static str) {
        let text = self.of("framework", "framework");
        let system = self.system();
        if self.accelerator().is_none() && text.starts_with("TensorRT") {
            return (None, "");
        }
        let other = pattern(r"^(CUDA [\d.]+|Triton.*|NGC MLPerf.*|)$").is_match(text);
        let by_library = other && self.of("software", "").starts_with("TensorRT");
        let by_name = other && pattern("_TRT(_|$)").is_match(system);
        let framework = match by_library || by_name {
            true => Some("tensorrt".to_owned()),
            false if other => None,
            // The system's name has the TFLite delegate that was used.
            false if text.contains("TFLite") && system.contains("-armnn_tflite") => Some("arm-nn".to_owned()),
            false => entry(FRAMEWORKS, text),
        };
        let below = match text {
            text if text.contains("KILT) with ONNX") => "onnx-runtime",
            text if text.contains("KILT) with TensorRT") => "tensorrt",
            text if text.contains("KILT) with Snapdragon") => "snpe",
            text if text.contains("AWS Neuron") => "aws-neuron",
            text if text.contains("MERA") => "mera",
            text if text.contains("VODLA") && self.of("software", "").starts_with("TensorRT") => "tensorrt",
            _ => "",
        };
        (framework, below)
    }

    /// The meaning of the result; `power` is a figure and its unit.
    fn meaning(&self, round: &str, power: Option<(&str, &str)>) -> Meaning {
        let scenario = self.of("scenario", "Scenario").to_lowercase().replace("stream", "-stream");
        let count = self.devices().map(|devices| devices.to_string()).unwrap_or_default();
        let slice = self
            .accelerator()
            .and_then(|named| pattern(r"\((\d.*MIG)\)").captures(named).map(|part| part[1].to_owned()));
        let (precision, quantization) = self.formats();
        let (framework, backend) = self.software();
        let target = [("-99.9", "0.999"), ("-99", "0.99")].iter().find(|(end, _)| self.category().ends_with(end));
        let availability = self.of("status", "Availability").to_lowercase();
        let network = self.network();
        let batch = pattern(r"batch_size\.(\d+)").captures(self.system()).filter(|found| !found[0].is_empty());
        let batch = batch.filter(|_| !self.system().contains("maxbatch")).map(|found| found[1].to_owned());
        let metric = self.of("metric", "Result_Units").to_lowercase();
        let value = self.of("value", "Result");
        let milliseconds = |text: &str| text.parse::<f64>().map(|value| (value / 1e6).to_string()).unwrap_or_default();
        let (latency, rate) = match metric.as_str() {
            metric if metric.ends_with("(ns)") => (milliseconds(value), ""),
            metric if metric.ends_with("(ms)") => (value.to_owned(), ""),
            _ => (String::new(), value),
        };
        let tokens =
            self.row.get("version").is_some_and(|round| round == "v4.0") && self.model().starts_with("llama2-70b");
        let counts = match metric.as_str() {
            "samples/s" if tokens => "token",
            metric if metric.contains("sample") => "sample",
            _ => "query",
        };
        let statistic = match metric.get(..4) {
            Some("90th") => "p90",
            Some("99th") => "p99",
            _ => "",
        };
        let images = ["resnet", "resnet50"].contains(&self.category()) && !self.of_logs;
        let share = self.of("", "Accuracy").parse::<f64>().ok().filter(|_| images);
        let share = share.map(|percent| (percent / 100.0).to_string()).unwrap_or_default();
        let (watts, joules) = match power {
            Some((figure, "Watts")) => (figure.to_owned(), String::new()),
            Some((figure, "millijoules")) => {
                (String::new(), (figure.parse::<f64>().expect("an energy") / 1e3).to_string())
            }
            _ => Default::default(),
        };
        let live = self.of("framework", "framework").contains("live preprocessing");
        let tuned = pattern("(?i)maxq").is_match(&format!("{} {}", self.system(), self.of("", "SystemName")));
        let limit =
            pattern(r"^aedk_(\d+)w-").captures(self.system()).map(|watts| format!("power limit {} W", &watts[1]));
        let setting = if tuned { "MaxQ (power-tuned)" } else { limit.as_deref().unwrap_or_default() };
        meaning([
            ("device", &self.device()),
            ("device-count", &count),
            ("device-slice", slice.as_deref().unwrap_or_default()),
            ("network", &network),
            ("network-raw", self.model()),
            ("dataset", self.dataset(round)),
            ("stage", "eval"),
            ("scenario", &scenario),
            ("setting", setting),
            ("division", self.division()),
            ("availability", &availability),
            ("precision", precision),
            ("quantization", quantization),
            ("batch-size", batch.as_deref().unwrap_or_default()),
            ("framework", framework.as_deref().unwrap_or_default()),
            ("backend", backend),
            ("statistic", statistic),
            ("counts", counts),
            ("relative-accuracy-target", target.map_or("", |(_, share)| share)),
            ("throughput-per-s", rate),
            ("latency-ms", &latency),
            ("mean-latency-ms", &milliseconds(self.of("mean_latency_ns", ""))),
            ("accuracy", &share),
            ("power-w", &watts),
            ("energy-per-item-j", &joules),
            ("metered", if power.is_some() { "wall" } else { "" }),
            ("timed", if live { "from a query to its answer, the preprocessing of the image included" } else { "" }),
        ])
    }
}

/// The results from logs.
fn of_logs(folder: &Path, round: &str) -> Vec<Meaning> {
    let rows = csv_records(&folder.join("summary-derived.csv"));
    let results = rows.iter().map(|row| Submission { row, of_logs: true });
    let own = results.filter(|result| !result.is_left_out(round));
    let power = |result: &Submission<'_>| result.row.get("power_avg_w").filter(|watts| !watts.is_empty()).cloned();
    own.map(|result| result.meaning(round, power(&result).as_deref().map(|watts| (watts, "Watts")))).collect()
}

/// The results from experiment files. A power figure is in the result's row, or in another row with the same location.
fn published(folder: &Path, round: &str) -> Vec<Meaning> {
    let rows = csv_records(&folder.join(format!("inference-{round}-derived.csv")));
    let is_power = |row: &Row| ["Watts", "millijoules"].contains(&row["Result_Units"].as_str());
    let beside: BTreeMap<&str, &Row> =
        rows.iter().filter(|row| is_power(row)).map(|row| (row["Location"].as_str(), row)).collect();
    let results = rows.iter().filter(|row| !is_power(row)).map(|row| Submission { row, of_logs: false });
    let own = results.filter(|result| !result.is_left_out(round));
    let power = |result: &Submission<'_>| {
        let place = result.row["Location"].as_str();
        match (result.row["Result_Power"].as_str(), beside.get(place)) {
            ("", Some(row)) => Some((row["Result_Power"].clone(), row["Result_Units"].clone())),
            ("", None) => None,
            (figure, _) => Some((figure.to_owned(), result.row["Result_Power_Units"].clone())),
        }
    };
    own.map(|result| {
        result.meaning(round, power(&result).as_ref().map(|(figure, unit)| (figure.as_str(), unit.as_str())))
    })
    .collect()
}

#[test]
fn the_rounds_of_logs_mean_what_they_say() {
    for (round, id, folder) in [
        ("v1.0", "mlperf-inference-v1.0", "mlcommons__inference_results_v1.0"),
        ("v2.0", "mlperf-inference-v2.0", "mlcommons__inference_results_v2.0"),
        ("v2.1", "mlperf-inference-v2.1", "mlcommons__inference_results_v2.1"),
        ("v3.0", "mlperf-inference-v3.0", "mlcommons__inference_results_v3.0"),
    ] {
        Source { id, folder, also: ALSO }.assert_matches(|folder| of_logs(folder, round));
    }
}

#[test]
fn the_rounds_of_experiment_files_mean_what_they_say() {
    for (round, id) in [("v3.1", "mlperf-inference-v3.1"), ("v4.0", "mlperf-inference-v4.0")] {
        let source = Source { id, folder: "mlcommons__cm4mlperf-results", also: ALSO };
        source.assert_matches(|folder| published(folder, round));
    }
}

/// Accelerators; the text is the name, then ` @` and the system, then ` #` and the memory if the description states it.
pub(super) const ACCELERATORS: &[(&str, &str)] = &[
    (r"H200-SXM-141GB-CTS", "h200-sxm-141gb-cts"),
    (r"H200-SXM-141GB", "h200-sxm-141gb"),
    (r"H100 NVL", "h100-nvl-94gb"),
    (r"H100-SXM-80GB|H100 80GB HBM3", "h100-sxm5-80gb"),
    (r"H100-PCIe-80GB", "h100-pcie-80gb"),
    (r"GraceHopper.*GH200-(96|144)GB", "gh200-${1}gb"),
    (r"GraceHopper", "gh200"),
    // The GPU of a mobile workstation.
    (r"RTX A1000", "rtx-a1000-laptop"),
    (r"RTX (A\d000)", "rtx-$1"),
    // The system's name and its description disagree on the form factor.
    (r"A100-PCIe-40GB @.*A100-SXM", "a100"),
    (r"Drive-A100", "drive-a100-pcie"),
    (r"A100-SXM4?-80GB CTS", "a100-sxm4-80gb-cts"),
    (r"A100-SXM4?-(40|80)GB", "a100-sxm4-${1}gb"),
    (r"(?i)A100[-_]PCIe[-_](40|80)GB", "a100-pcie-${1}gb"),
    (r"A100-PCIe @.*#40GB", "a100-pcie-40gb"),
    (r"A100", "a100"),
    (r"A10(-PCI-24GB)? @", "a10"),
    (r"NVIDIA A(2|16) @", "nvidia-a$1"),
    (r"NVIDIA A(30|40)\b", "a$1"),
    (r"L40S @", "l40s"),
    (r"L40(-PCIE-48GB)? @", "l40"),
    (r"L4(-PCIe-24GB)? @", "l4"),
    (r"RTX 4090", "geforce-rtx-4090"),
    (r"Quadro RTX (\d000)", "quadro-rtx-$1"),
    (r"T4 @", "tesla-t4"),
    // The only K80 is in a Google instance, so it is one of the board's two GPUs.
    (r"Tesla K80", "tesla-k80-gpu"),
    (r"AGX Orin (\d\d)G", "jetson-agx-orin-${1}gb"),
    (r"AGX Orin", "jetson-agx-orin"),
    (r"Orin NX 16G", "jetson-orin-nx-16gb"),
    (r"Orin NX", "jetson-orin-nx"),
    (r"NVIDIA Orin", "nvidia-orin"),
    (r"AGX Xavier", "jetson-agx-xavier"),
    (r"Xavier NX", "jetson-xavier-nx"),
    (r"Xavier", "jetson-xavier"),
    (r"AI 100 DM\.2 ?e", "qualcomm-cloud-ai-100-dm-2e"),
    (r"AI 100 DM\.2", "qualcomm-cloud-ai-100-dm-2"),
    (r"AI 100 (?:PCIe/HHHL )?(Pro|Standard|Lite|Ultra)", "qualcomm-cloud-ai-100-$1"),
    (r"AI 100 PCIe HHHL", "qualcomm-cloud-ai-100"),
    (r"MOFFETT S(\d+)-", "moffett-s$1"),
    (r"Mali-G52 MP6", "amlogic-s922x-gpu"),
    (r"G52MP8", "amlogic-a311d2-gpu"),
    (r"Mali-G610 MP4", "rockchip-rk3588s-gpu"),
    (r"Mali-T860", "rockchip-rk3399-gpu"),
    (r"Adreno 650", "snapdragon-865-gpu"),
    (r"Hexagon 698", "snapdragon-865-dsp"),
    (r"NPU 230", "snapdragon-865-npu"),
    (r"NPU 3\.0", "rockchip-rk3588-npu"),
    (r"RBLN ATOM", "rbln-atom"),
    (r"RecAccel N3000", "recaccel-n3000"),
    (r"RecAccel", "recaccel-fpga"),
    (r"MLSOC DualM\.2", "sima-mlsoc-dual-m2"),
    (r"DaVinci", "sima-davinci"),
    (r"tensorflow-metal", "apple-m1"),
    (r"Gaudi® ?2|Gaudi2", "gaudi-2"),
    (r"TPU v5e", "tpu-v5e"),
    (r"Inferentia", "aws-inferentia"),
    (r"Warboy", "furiosa-warboy"),
    (r"BR104-300W", "biren-br104-300w"),
    (r"SAPEON X220-(compact|enterprise)", "sapeon-x220-$1"),
    (r"Centaur", "centaur-ncore"),
    (r"Alveo U(\d+)", "alveo-u$1"),
    (r"VCK5000", "vck5000"),
];

/// CPUs and boards; the text is the system's name, then ` / ` and the host.
pub(super) const PROCESSORS: &[(&str, &str)] = &[
    (r"^odroid", "amlogic-s922x"),
    (r"^vim4", "amlogic-a311d2"),
    (r"^rpi3", "raspberry-pi-3"),
    (r"(?i)^(rpi4|raspberrypi4|raspberry_pi_4)", "raspberry-pi-4-model-b"),
    (r"^firefly.*RK3588S", "rockchip-rk3588s"),
    (r"^firefly", "rockchip-rk3399"),
    (r"^(aws_)?a1\.", "aws-graviton"),
    (r"^(aws\.)?(t4g|c6g)[._]", "aws-graviton2"),
    (r"^aws.*(m7g|c7g)[._]", "aws-graviton3"),
    (r"^(gcp_t2a|mlperf_test_1)", "ampere-altra"),
    (r"(?i)orin.* / ARMv8", "jetson-agx-orin-cpu"),
    (r" / Arm Cortex-A78AE", "nvidia-orin-cpu"),
    (r"Carmel", "nvidia-carmel"),
    (r" / Apple M1$", "apple-m1-cpu"),
    (r" / (Apple M1 Pro$|MacBook Pro .*MacBookPro18,1)", "apple-m1-pro-cpu"),
    (r" / Alibaba Yitian 710", "alibaba-yitian-710"),
    (r"Snapdragon 865", "snapdragon-865"),
    (r"code named Sapphire Rapids", "intel-sapphire-rapids"),
    (r"Intel Cascade Lake", "intel-cascade-lake"),
    (r"EPYC 9004", "epyc-9004-series"),
    (r"EPYC (\w+)", "epyc-$1"),
    (r"Ryzen Threadripper (\w+)", "ryzen-threadripper-$1"),
    (r"Ryzen (\d) (\w+)", "ryzen-$1-$2"),
    (r"E5-(\d+) v4", "xeon-e5-$1-v4"),
    (r"w7-(\w+)", "xeon-w7-$1"),
    (r"CPU Max (\d+)", "xeon-max-$1"),
    (r"8380H", "xeon-platinum-8380h"),
    (r"(?i)Xeon.* (Platinum|Gold) (\d{4}\w?)\+", "xeon-$1-$2-plus"),
    (r"(?i)Xeon.* (Platinum|Gold) (\d{4}\w*)", "xeon-$1-$2"),
];

/// Networks, by the result's name without its precision words.
pub(super) const NETWORKS: &[(&str, &str)] = &[
    (r"^(resnet|resnet50)$", "resnet-50-v1.5"),
    (r"^resnet50_bootstrapnas([ABC])", "resnet-50-bootstrapnas-$1"),
    (r"^mobilenet-v1-1\.0-224$", "mobilenet-v1"),
    (r"^(mobilenetv2|mobilenet-v2-1\.0-224)$", "mobilenet-v2"),
    (r"^mobilenet-v2-1\.4-224$", "mobilenet-v2-1.4"),
    (r"^mobilenet-v3-(large|small)-minimalistic", "mobilenet-v3-$1-minimalistic"),
    (r"^mobilenet-v3-(large|small)_224_0\.75", "mobilenet-v3-$1-0.75-224"),
    (r"^mobilenet-v3-(large|small)", "mobilenet-v3-$1"),
    (r"^(mobilenet-v[12]-[\d.]+-\d+)$", "$1"),
    (r"^(efficientnet-lite\d)$", "$1"),
    (r"_?distilbert", "distilbert"),
    (r"MiniLM", "bert-minilm"),
    (r"^bert_pruned_(8\d\.\d)_mp$", "bert-pruned-$1"),
    (r"jpqd-(base|large)$", "bert-$1-jpqd"),
    (r"jpqd-mobilebert$", "mobilebert-jpqd"),
    (r"prune-ofa-large", "prune-ofa-bert-large"),
    (r"obert_(large|mobilebert)_(\d\d)sparse", "obert-$1-${2}sparse"),
    (r"_obert-(large|mobilebert)$", "obert-$1"),
    (r"^(bert-base)$", "$1"),
    (r"^mobilebert-14layer", "mobilebert-14layer-pruned50"),
    (r"^mobilebert", "mobilebert"),
    (r"^bert-base-pruned95_obs", "bert-base-pruned95-obs"),
    (r"^(o?bert-(base|large)-pruned\d\d)", "$1"),
    (r"^(o?bert-large-base|bert-99)", "bert-large"),
    (r"^3d-unet-", "3d-unet"),
    (r"^dlrm-v2-", "dlrm-v2"),
    (r"^dlrm-", "dlrm"),
    (r"^rnnt$", "rnn-t"),
    (r"^gptj-\S+ .*_PRUNED$", "gpt-j-6b-pruned"),
    (r"^gptj-", "gpt-j-6b"),
    (r"^llama2-70b-\S+ .*_SPARSE$", "llama-2-70b-sparse"),
    (r"^llama2-70b-", "llama-2-70b"),
    (r"^stable-diffusion-xl .*_DEEP_CACHE_PRUNED$", "stable-diffusion-xl-deep-cache-pruned"),
    (r"^stable-diffusion-xl .*_DEEP_CACHE$", "stable-diffusion-xl-deep-cache"),
    (r"^stable-diffusion-xl", "stable-diffusion-xl"),
    (r"^retinanet$", "retinanet"),
    (r"^(ssd-large|ssd-resnet34)$", "ssd-resnet-34"),
    (r"^(rcnn-.*-lowproposals|rcnn-inception-v2|ssd-inception-v2|ssdlite-mobilenet-v2)-coco$", "$1"),
    (r"^ssd-mobilenet-v1-fpn-sbp-coco$", "ssd-mobilenet-v1-fpn"),
    (r"^ssd-resnet50-v1-fpn-sbp-coco$", "ssd-resnet50-fpn"),
    (r"^ssd_resnet(\d+)_v1_fpn_(\d+)x", "ssd-resnet$1-fpn-$2"),
    (r"^ssd_mobilenet_v1_fpn_(\d+)x", "ssd-mobilenet-v1-fpn-$1"),
    (r"^ssd_mobilenet_v2_(\d+)x", "ssd-mobilenet-v2-$1"),
    (r"^ssd_mobilenet_v2_fpnlite_(\d+)x", "ssd-mobilenet-v2-fpnlite-$1"),
    (r"^(ssd-small|ssd-mobilenet|ssd_mobilenet_v1_.*coco)$", "ssd-mobilenet-v1"),
    (r"^yolo-v3-coco$", "yolov3"),
];

/// Frameworks, by the text of the column; earlier patterns take precedence.
pub(super) const FRAMEWORKS: &[(&str, &str)] = &[
    (r"KILT", "kilt"),
    (r"(?i)qualcomm cloud ai", "qualcomm-cloud-ai-sdk"),
    (r"(?i)deepsparse", "deepsparse"),
    (r"(?i)tensorrt", "tensorrt"),
    (r"(?i)armnn", "arm-nn"),
    (r"(?i)tflite|tensorflow-lite", "tflite"),
    (r"(?i)openvino", "openvino"),
    (r"(?i)onnx ?runtime", "onnx-runtime"),
    (r"(?i)ncnn", "ncnn"),
    (r"(?i)pytorch", "pytorch"),
    (r"(?i)tensorflow|^TF$", "tensorflow"),
    (r"MXNet", "mxnet"),
    (r"^TVM", "tvm"),
    (r"^(Furiosa\w*|SiMa|RBLN|SAPEON|Moffett) SDK", "$1-sdk"),
    (r"Neural_Engine", "intel-neural-engine"),
    (r"^(SAX|Saxml)$", "saxml"),
    (r"^suInfer", "suinfer"),
    (r"VODLA", "sinian-vodla"),
];
