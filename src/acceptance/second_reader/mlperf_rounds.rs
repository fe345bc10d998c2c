//! MLPerf Inference v1.0 to v4.0: results of logs (v1.0 to v3.0) and of the experiment files (v3.1, v4.0), which tell power
//! and energy in the row or in one beside it. Every figure is that of a whole system.

use std::collections::BTreeMap;
use std::path::Path;

use super::mlperf_rounds_names::{ACCELERATORS, FRAMEWORKS, NETWORKS, PROCESSORS};
use super::{Meaning, Source, csv_records, entry, meaning, pattern};

/// What is compared beside the fields of every source.
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

/// A result, by the words of its own file.
struct Submission<'r> {
    row: &'r Row,
    /// The names of the columns, which differ between the two kinds of files.
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

    /// What was run: the model that is named, else the category.
    fn model(&self) -> &str {
        self.of("benchmark", "Model")
    }

    fn category(&self) -> &str {
        self.of("benchmark", "MlperfModel")
    }

    fn number(&self, of_logs: &str, published: &str) -> Option<u64> {
        self.of(of_logs, published).parse().ok().filter(|number| *number > 0)
    }

    /// Whether the description cannot be said truthfully, so that the result is left out.
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

    /// Accelerators over all nodes; sockets where there are none, of which a chip of Arm cores is one.
    fn devices(&self) -> Option<u64> {
        let nodes = self.number("nodes", "number_of_nodes").unwrap_or(1);
        let sockets = self.number("host_processors_per_node", "host_processors_per_node");
        let each = self.number("accelerators_per_node", "accelerators_per_node");
        match self.accelerator() {
            // 56 slices are eight devices of seven, 32 eight of four.
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

    /// 3D U-Net works on other images since v2.0; the other data sets are not kept.
    fn dataset(&self, round: &str) -> &'static str {
        match (self.category().starts_with("3d-unet"), round) {
            (false, _) => "",
            (true, "v1.0") => "brats-2019",
            (true, _) => "kits19",
        }
    }

    /// The number format, and several of them at once as they are told.
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

    /// The framework and what computes below it; the system says it where the description names other things.
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
            // The delegate of TFLite that ran stands in the system's name.
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

    /// The meaning; `power` is a figure with its unit.
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

/// The results of logs.
fn of_logs(folder: &Path, round: &str) -> Vec<Meaning> {
    let rows = csv_records(&folder.join("summary-derived.csv"));
    let results = rows.iter().map(|row| Submission { row, of_logs: true });
    let own = results.filter(|result| !result.is_left_out(round));
    let power = |result: &Submission<'_>| result.row.get("power_avg_w").filter(|watts| !watts.is_empty()).cloned();
    own.map(|result| result.meaning(round, power(&result).as_deref().map(|watts| (watts, "Watts")))).collect()
}

/// The results of the experiment files. A figure of power stands in its row, or in another one of the same place.
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
        Source { id, folder, also: ALSO }.holds(|folder| of_logs(folder, round));
    }
}

#[test]
fn the_rounds_of_experiment_files_mean_what_they_say() {
    for (round, id) in [("v3.1", "mlperf-inference-v3.1"), ("v4.0", "mlperf-inference-v4.0")] {
        let source = Source { id, folder: "mlcommons__cm4mlperf-results", also: ALSO };
        source.holds(|folder| published(folder, round));
    }
}
