//! The repository's own knowledge base: it loads, contains what its sources contain, and answers the questions it was made for.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::sync::Mutex;

use dlbench::KnowledgeBase;
use dlbench::ask::answer::Page;
use serde_json::{Value, json};
use toml::{Table, Value as TomlValue};

use crate::{Dlbench, REPOSITORY, notes, shared_cache, texts, without_best};

/// The program on the repository's own knowledge base.
pub(crate) fn on_repository() -> Dlbench {
    Dlbench::on(REPOSITORY)
}

/// The repository's knowledge base, open; it is returned to a pool when dropped, because a process per question or opening it for
/// each test would check every file again.
pub(crate) struct OpenBase(Option<KnowledgeBase>);

static OPEN: Mutex<Vec<KnowledgeBase>> = Mutex::new(Vec::new());

pub(crate) fn knowledge_base() -> OpenBase {
    let left = OPEN.lock().expect("no test ends while it takes one").pop();
    let open = || KnowledgeBase::open_with_cache(REPOSITORY, shared_cache()).expect("the knowledge base opens");
    OpenBase(Some(left.unwrap_or_else(open)))
}

impl Deref for OpenBase {
    type Target = KnowledgeBase;

    fn deref(&self) -> &KnowledgeBase {
        self.0.as_ref().expect("it goes back only when this ends")
    }
}

impl Drop for OpenBase {
    fn drop(&mut self) {
        if let (Ok(mut open), Some(kb)) = (OPEN.lock(), self.0.take()) {
            open.push(kb);
        }
    }
}

/// The JSON answer, as `query -f json` writes it.
pub(crate) fn asked(question: &str, page: &Page) -> Value {
    let answer = knowledge_base().query_page(question, page).unwrap_or_else(|error| panic!("{question}: {error}"));
    serde_json::to_value(&answer).expect("an answer is JSON")
}

#[test]
fn an_index_that_was_built_beforehand_has_the_rankings_over_everything() {
    // Use a separate cache, because other tests add to the shared one.
    let cache = tempfile::tempdir().expect("a temporary folder");
    let dlbench = on_repository().with_cache(cache.path());
    let status: Value = serde_json::from_str(&dlbench.ok(&["index", "-f", "json"])).expect("JSON");
    let folder = status["stores"].as_str().expect("a folder").replace("<cache>", &cache.path().to_string_lossy());
    let kept = || fs::read_dir(Path::new(&folder).join("kept")).expect("the folder of what is kept").count();
    let before = kept();
    for subject in ["device", "gpu", "cpu", "framework", "precision"] {
        dlbench.ok(&["query", &format!("fastest {subject}")]);
    }
    assert_eq!(kept(), before, "none of them had to be found");
}

#[test]
fn the_program_writes_what_the_library_answers() {
    let question = "fp16 V100 resnet152";
    let written = on_repository().json(&["query", "--all", "-f", "json", "--", question]);
    assert_eq!(written, asked(question, &Page::of(0, usize::MAX)));
}

#[test]
fn it_loads_without_a_mistake() {
    let ran = on_repository().run(&["index", "--status", "-f", "json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

#[test]
fn every_source_has_as_many_measurements_as_it_has_figures() {
    let sources = on_repository().json(&["list", "sources", "-f", "json"]);
    let found: BTreeMap<&str, u64> = sources
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|source| Some((source["source"].as_str()?, source["measurements"].as_u64()?)))
        .collect();
    for (source, count) in [
        ("u39kun-2018", 116),
        ("szilard-2017", 80),
        ("autumnai-2018", 52),
        ("soumith-2017", 271),
        ("zer0n-2016", 6),
        ("dai-berleant-2019", 14),
    ] {
        assert_eq!(found.get(source), Some(&count), "{source}");
    }
}

#[test]
fn every_entity_of_the_survey_is_there() {
    let dlbench = on_repository();
    assert_eq!(dlbench.ok(&["table", "hardware-metrics", "-f", "csv"]).lines().count(), 1 + 12);
    assert_eq!(dlbench.ok(&["table", "framework-metrics", "-f", "csv"]).lines().count(), 1 + 7);
    assert_eq!(dlbench.ok(&["table", "principles", "-f", "csv"]).lines().count(), 1 + 7);
    for class in ["asic", "fpga", "gpu"] {
        let class = dlbench.json(&["show", "hardware-class", class, "-f", "json"]);
        let grades = class["grades"].as_object().unwrap();
        assert_eq!(grades.len(), 12, "{class}");
        for (metric, grade) in grades {
            assert!(grade["rationale"].is_string() && grade["source"].is_string(), "{metric}: {grade}");
        }
    }
    for inactive in ["torch", "purine"] {
        assert_eq!(dlbench.json(&["show", "framework", inactive, "-f", "json"])["status"], "inactive", "{inactive}");
    }
}

/// Figures that the first question must find: framework, version, stage, milliseconds for a batch of 16.
const FIRST_QUESTION: [(&str, &str, &str, f64); 4] = [
    ("pytorch", "0.3.0", "eval", 21.7),
    ("pytorch", "0.3.0", "train", 92.9),
    ("tensorflow", "1.5.0", "eval", 22.6),
    ("tensorflow", "1.5.0", "train", 147.4),
];

#[test]
fn the_first_question_finds_its_four_figures() {
    let answer = on_repository().answer("fp16 V100 resnet152");
    let measurements = answer["measurements"].as_array().unwrap();
    for (framework, version, stage, latency) in FIRST_QUESTION {
        let found: Vec<&Value> = measurements
            .iter()
            .filter(|m| m["source"] == "u39kun-2018" && m["framework"] == framework)
            .filter(|m| m["framework_version"] == version && m["stage"] == stage)
            .collect();
        let [measurement] = found.as_slice() else { panic!("{framework} {version} {stage}: {found:?}") };
        assert_eq!(measurement["metrics"]["latency_ms"], latency);
        assert_eq!(measurement["batch_size"], 16);
        assert_eq!(measurement["precision"], "fp16");
        assert_eq!(measurement["device"], "tesla-v100");
        assert_eq!(measurement["network"], "resnet-152");
        assert_eq!(measurement["derived"], json!(["throughput_per_s"]));
        let throughput = measurement["metrics"]["throughput_per_s"].as_f64().unwrap();
        let implied = 16.0 * 1000.0 / latency;
        assert!((throughput / implied - 1.0).abs() < 1e-3, "{throughput} is not {implied}");
    }
}

#[test]
fn the_first_question_joins_the_facts() {
    let answer = on_repository().first_page("fp16 V100 resnet152");
    let catalog = &answer["catalog"];
    let one = |kind: &str, id: &str| -> &Value {
        let of_kind = catalog[kind].as_array().unwrap();
        of_kind.iter().find(|entity| entity["id"] == id).unwrap_or_else(|| panic!("no {id} in {kind}"))
    };
    for (framework, license, core) in [("pytorch", "BSD-3-Clause", "C++"), ("tensorflow", "Apache-2.0", "C++")] {
        let framework = one("frameworks", framework);
        assert_eq!(framework["license"], license);
        assert!(texts(&framework["core_languages"], "").contains(&core), "{framework}");
        assert!(texts(&framework["api_languages"], "").contains(&"Python"), "{framework}");
        assert_eq!(framework["multi_server"], true);
        assert_eq!(framework["network_tested"]["resnet-152"], true);
    }
    let sku = one("devices", "tesla-v100-sxm2-16gb");
    assert_eq!((&sku["variant_of"], &sku["memory_gib"]), (&json!("tesla-v100"), &json!(16)));
    assert_eq!(sku["peak_tflops"]["fp16_tensor"].as_f64(), Some(125.0));
    assert!(one("devices", "tesla-v100-pcie-16gb")["bandwidth_gb_per_s"].as_f64().is_some_and(|rate| rate >= 897.0));
    let grades = one("hardware_classes", "gpu")["grades"].as_object().unwrap();
    assert_eq!(grades.len(), 12);
    assert_eq!(grades["compatibility"]["grade"], "high");
    assert_eq!(one("networks", "resnet-152")["family"], "resnet");
    let source = one("sources", "u39kun-2018");
    assert_eq!(source["url"], "https://github.com/u39kun/deep-learning-benchmark");
    assert!(source["method"]["description"].is_string());
}

#[test]
fn the_first_question_is_told_to_a_person() {
    let text = on_repository().ok(&["query", "fp16 V100 resnet152"]);
    for shown in [
        "21.7",
        "737.3*",
        "92.9",
        "172.2*",
        "22.6",
        "708.0*",
        "147.4",
        "108.55*",
        "PyTorch 0.3.0",
        "TensorFlow 1.5.0",
        "BSD-3-Clause",
        "u39kun-2018: Sako",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    let text = on_repository().ok(&["query", "--facts", "fp16 V100 resnet152"]);
    for shown in ["Tesla V100 SXM2 16 GB", "compatibility"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
}

#[test]
fn a_class_of_hardware_is_answered_with_its_grades_devices_and_figures() {
    let answer = on_repository().first_page("fpga");
    assert_eq!(answer["read_as"][0]["facet"], "class");
    let classes = answer["catalog"]["hardware_classes"].as_array().unwrap();
    let fpga = classes.iter().find(|class| class["id"] == "fpga").expect("the class itself");
    assert_eq!(fpga["grades"].as_object().unwrap().len(), 12);
    let devices = answer["catalog"]["devices"].as_array().unwrap();
    assert!(texts(&answer["catalog"]["devices"], "id").contains(&"arria-10-gx1150"));
    assert!(devices.iter().all(|device| device["class"] == "fpga"), "{devices:?}");
    let arria = find(&answer, |m| m["device"] == "arria-10-gx1150");
    assert_eq!(arria["metrics"], json!({ "items_per_joule": 9.3, "power_w": 25, "throughput_per_s": 233 }));
}

#[test]
fn frameworks_are_found_by_their_facts() {
    let ran = on_repository().run(&["query", "apache c++ multi-server lstm"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let answer = on_repository().first_page("apache c++ multi-server lstm");
    let facets = texts(&answer["read_as"], "facet");
    assert_eq!(facets, ["license", "language", "multi-server", "network"]);
    let frameworks = answer["catalog"]["frameworks"].as_array().unwrap();
    for id in ["deeplearning4j", "paddlepaddle", "plaidml"] {
        let framework = frameworks.iter().find(|framework| framework["id"] == id);
        let framework = framework.unwrap_or_else(|| panic!("{id} is among them"));
        assert_eq!(framework["license"], "Apache-2.0");
        let languages = [texts(&framework["core_languages"], ""), texts(&framework["api_languages"], "")].concat();
        assert!(languages.contains(&"C++"), "{framework}");
        assert_eq!(framework["multi_server"], true);
        assert!(texts(&framework["tested_networks"], "").contains(&"lstm"), "{framework}");
    }
    for id in ["keras", "dynet"] {
        let found = frameworks.iter().any(|framework| framework["id"] == id);
        assert!(!found, "{id} is not under Apache 2.0, or was not tested on several servers");
    }
}

#[test]
fn a_metric_and_two_classes_are_answered_with_figures_and_grades_side_by_side() {
    let answer = on_repository().answer("images per joule fpga asic");
    let readings: Vec<(&str, &str)> =
        texts(&answer["read_as"], "text").into_iter().zip(texts(&answer["read_as"], "facet")).collect();
    for reading in [("images per joule", "quantity"), ("fpga", "class"), ("asic", "class")] {
        assert!(readings.contains(&reading), "{reading:?} is not in {readings:?}");
    }
    assert_eq!(find(&answer, |m| m["device"] == "arria-10-gx1150")["metrics"]["items_per_joule"], 9.3);
    assert_eq!(find(&answer, |m| m["device"] == "eyeriss")["metrics"]["items_per_joule"], 125.9);
    assert_eq!(texts(&answer["catalog"]["hardware_classes"], "id"), ["asic", "fpga"]);
}

#[test]
fn a_framework_over_a_backend_is_found_by_both_names() {
    let answer = on_repository().answer("keras theano mnist");
    let measurements = answer["measurements"].as_array().unwrap();
    for measurement in measurements {
        assert_eq!(
            (&measurement["framework"], &measurement["backend"], &measurement["dataset"]),
            (&json!("keras"), &json!("theano"), &json!("mnist"))
        );
    }
    let szilard = measurements.iter().filter(|m| m["source"] == "szilard-2017");
    assert_eq!(szilard.count(), 8);
    let total = find(&answer, |m| m["device"] == "tesla-k80-gpu");
    assert_eq!(total["metrics"]["total_s"], 130);
    assert_eq!(total["metrics"]["error_rate"], 0.009);
    let epoch = find(&answer, |m| m["device_raw"] == "1080 Ti" && m["network"] == "keras-mnist-cnn");
    assert_eq!((&epoch["metrics"]["epoch_s"], &epoch["metrics"]["accuracy"]), (&json!(17.3), &json!(0.9894)));
}

#[test]
fn a_slip_finds_the_network_it_was_meant_for() {
    let answer = on_repository().answer("resnt152 1080ti");
    let read = &answer["read_as"][0];
    assert_eq!(
        (&read["text"], &read["facet"], &read["how"]),
        (&json!("resnt152"), &json!("network"), &json!("nearest"))
    );
    assert_eq!(read["values"][0], "resnet-152");
    assert_eq!(notes(&answer, "read-as-nearest").len(), 1);
    let measurements = answer["measurements"].as_array().unwrap();
    assert_eq!(measurements.iter().filter(|m| m["source"] == "u39kun-2018").count(), 12);
    for measurement in measurements {
        let network = measurement["network"].as_str().unwrap_or_default();
        assert!(["resnet-152", "resnet-152-v1.5"].contains(&network), "{measurement}");
        assert_eq!(measurement["device"], "geforce-gtx-1080-ti");
    }
}

#[test]
fn a_question_of_no_words_shows_examples_that_find_something() {
    let ran = on_repository().run(&["query"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("dlbench query 'fp16 V100 resnet152'"), "{}", ran.stdout);
}

#[test]
fn table_1_of_the_survey_comes_back_cell_by_cell() {
    let table = on_repository().ok(&["table", "hardware", "--as-reported", "dai-berleant-2019", "-f", "csv"]);
    assert_eq!(table, TABLE_1);
}

#[test]
fn table_2_of_the_survey_comes_back_cell_by_cell() {
    let table = on_repository().ok(&["table", "frameworks", "--as-reported", "dai-berleant-2019", "-f", "csv"]);
    assert_eq!(table, TABLE_2);
}

#[test]
fn what_was_reported_stands_beside_what_holds_today() {
    let keras = on_repository().json(&["show", "framework", "keras", "-f", "json"]);
    assert_eq!(keras["license"], "Apache-2.0");
    assert_eq!(keras["reported"]["dai-berleant-2019"]["license"], "MIT License");
    let pytorch = on_repository().json(&["show", "framework", "pytorch", "-f", "json"]);
    assert!(texts(&pytorch["core_languages"], "").contains(&"C++"));
    assert_eq!(pytorch["reported"]["dai-berleant-2019"]["core_languages"], json!(["Python"]));
}

#[test]
fn every_kind_can_be_listed_and_each_first_one_shown() {
    let dlbench = on_repository();
    for (many, one) in [
        ("frameworks", "framework"),
        ("devices", "device"),
        ("hardware-classes", "hardware-class"),
        ("networks", "network"),
        ("datasets", "dataset"),
        ("sources", "source"),
    ] {
        let listed = dlbench.json(&["list", many, "-f", "json"]);
        let first = &listed[0];
        let id = first["id"].as_str().or(first["source"].as_str()).unwrap_or_else(|| panic!("{many}: {first}"));
        assert_eq!(dlbench.json(&["show", one, id, "-f", "json"])["id"], id);
    }
    let answer = dlbench.answer("fp16 V100 resnet152");
    let id = answer["measurements"][0]["id"].as_str().unwrap();
    assert_eq!(dlbench.json(&["show", "measurement", id, "-f", "json"]), without_best(&answer["measurements"][0]));
}

/// The first measurement of an answer that meets a condition.
fn find(answer: &Value, wanted: impl Fn(&Value) -> bool) -> &Value {
    let measurements = answer["measurements"].as_array().unwrap();
    measurements.iter().find(|measurement| wanted(measurement)).unwrap_or_else(|| panic!("none in {answer}"))
}

/// Table I of Dai & Berleant 2019: the three hardware classes by twelve metrics.
pub(crate) const TABLE_1: &str = "\
#,Attributes,ASICs,FPGAs,GPUs
1,Computing Performance,High,Low,Moderate
2,Low Latency,High,Moderate,Low
3,Energy efficiency,High,Moderate,Good
4,Compatibility,Low,Moderate,High
5,Die Size,High,Moderate,Low
6,Research Costs,High,Moderate,Low
7,Research Risks,High,Low,Moderate
8,Upgradability,Low,Moderate,High
9,Scalability,High,Low,Moderate
10,Chip Price,Low,High,Moderate
11,Ubicomp,Low,High,High
12,Time-to-Market,Low,High,High
";

/// Table II of Dai & Berleant 2019: the sixteen frameworks by seven metrics.
pub(crate) const TABLE_2: &str = r#"#,Frameworks,License Type,Core Codes,API Codes,Hardware Devices,Multi-Server,Tested Networks,Related Datasets
1,BigDL,Apache 2.0,Scala,Scala,CPU/GPU,Multi-Server,"VGG, Inception, ResNet, GoogleNet","ImageNet, CIFAR-10"
2,Caffe/Caffe2,BSD License,C++,"Python, C++, MATLAB",CPU/GPU/FPGA/Mobile,Multi-Server,"LeNet, RNN","CIFAR-10, MNIST, ImageNet"
3,Chainer,MIT License,Python,Python,CPU/GPU,Multi-Server,RNN,"CIFAR-10, ImageNet"
4,DeepLearning4j,Apache 2.0,Java,"Java, Scala, Clojure, Python, Kotlin",CPU/GPU,Multi-Server,"AlexNet, LeNet, Inception, ResNet, RNN, LSTM, VGG, Xception",ImageNet
5,DyNet,Apache 2.0,C++,"C++, Python",CPU/GPU,Single Node,"RNN, LSTM",ImageNet
6,FastAI,Apache 2.0,Python,Python,CPU/GPU,Multi-Server,ResNet,"CIFAR-10, ImageNet"
7,Keras,MIT License,Python,"Python, R",CPU/GPU,Multi-Server,"CNN, RNN","CIFAR-10, MNIST"
8,Microsoft CNTK,MIT License,C++,"C++, C#, Python, Java",CPU/GPU,Multi-Server,"CNN, RNN, LSTM","CIFAR-10, MNIST, ImageNet, P-VOC"
9,MXNet,Apache 2.0,C++,"C++, Python, Clojure, Julia, Perl, R, Scala, Java, JavaScript, Matlab",CPU/GPU/Mobile,Multi-Server,"CNN, RNN, Inception","CIFAR-10, MNIST, ImageNet, P-VOC"
10,Neon,Apache 2.0,Python,Python,CPU/GPU,Multi-Server,"AlexNet, ResNet, LSTM","CIFAR-10, mnist, ImageNet"
11,PaddlePaddle,Apache 2.0,Python,Python,CPU/GPU/Mobile,Multi-Server,"AlexNet, GoogleNet, LSTM","CIFAR-10, ImageNet"
12,PlaidML,Apache 2.0,C++,"Python, C++",CPU/GPU,Multi-Server,"Inception, ResNet, VGG, Xception, MobileNet, DenseNet, ShuffleNet, LSTM","CIFAR-10, ImageNet"
13,PyTorch,BSD License,Python,Python,CPU/GPU,Multi-Server,"AlexNet, Inception, ResNet, VGG, DenseNet, SqueezeNet","CIFAR-10, ImageNet"
14,SINGA,Apache 2.0,C++,Python,CPU/GPU,Multi-Server,"RNN, AlexNet, DenseNet, GoogleNet, Inception, ResidualNet, VGG","MNIST, ImageNet"
15,TensorFlow,Apache 2.0,C++,"Python, C++, Java, Go, JavaScript, R, Julia, Swift, JavaScript",CPU/GPU/TPU/Mobile,Multi-Server,"AlexNet, Inception, ResNet, VGG, LeNet, MobileNet","CIFAR-10, mnist, ImageNet"
16,Theano,BSD License,Python,Python (Keras),CPU/GPU,Multi-Server,"AlexNet, VGG, GoogleNet","CIFAR-10, ImageNet"
"#;

/// The source of measurements by `dlbench run`.
pub(crate) const SOURCE: &str = "dlbench-runs";

/// Tolerance for samples and results, each rounded to five digits.
const ROUNDING: f64 = 1e-4;

#[test]
fn measured_numbers_follow_from_their_samples() {
    let folder = Path::new(REPOSITORY).join("measurements").join(SOURCE);
    let (mut rows, mut stages) = (0, Vec::new());
    for file in fs::read_dir(&folder).expect("measured files") {
        let path = file.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a measured file");
        let file: Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // The environment describes one worker or several.
        let is_worker = |key: &String| key == "worker" || key.starts_with("worker-of-");
        assert!(file["environment"].as_table().is_some_and(|environment| environment.keys().any(is_worker)));
        // A failed run has no samples.
        for run in file["run"].as_array().expect("runs").iter().filter(|run| run.get("outcome").is_none()) {
            let record = run.get("record").and_then(TomlValue::as_table).expect("a record");
            let mut processes = processes(record);
            let mut samples = processes.concat();
            samples.sort_by(f64::total_cmp);
            processes.iter_mut().for_each(|samples| samples.sort_by(f64::total_cmp));
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let about = format!("{}: {}", path.display(), record["point"]);
            let same = |stated: &TomlValue, sampled: f64| {
                let stated = number(stated).expect("a number");
                assert!((stated - sampled).abs() <= ROUNDING * sampled, "{about}: {stated} is not {sampled}");
            };
            same(&record["median-ms"], median(&samples));
            same(&record["minimum-ms"], samples[0]);
            same(&record["mean-ms"], mean(&samples));
            if let Some(latency) = run.get("latency-ms") {
                // The value is the mean of the medians of the processes.
                same(latency, mean(&processes.iter().map(|samples| median(samples)).collect::<Vec<_>>()));
                same(&run["lowest"], samples[0]);
                same(&run["highest"], samples[samples.len() - 1]);
                assert_eq!(run["n"].as_integer(), i64::try_from(samples.len()).ok(), "{about}");
            } else {
                // A complete training run has one sample per epoch.
                let totals: Vec<f64> = processes.iter().map(|samples| samples.iter().sum()).collect();
                same(&TomlValue::from(1e3 * number(&run["epoch-s"]).expect("seconds")), median(&samples));
                same(&TomlValue::from(1e3 * number(&run["total-s"]).expect("seconds")), mean(&totals));
            }
            rows += 1;
            stages.push(run["stage"].as_str().expect("a stage").to_owned());
        }
    }
    assert!(rows >= 23, "only {rows} rows");
    for stage in ["eval", "train"] {
        assert!(stages.iter().any(|other| other == stage), "nothing was measured of {stage}");
    }
}

/// The samples of each process of a row; older files, with one process, have them in the record itself.
fn processes(record: &Table) -> Vec<Vec<f64>> {
    let samples = |table: &Table| table["samples-ms"].as_array().expect("samples").iter().filter_map(number).collect();
    match record.get("process").and_then(TomlValue::as_array) {
        None => vec![samples(record)],
        Some(all) => all.iter().filter_map(TomlValue::as_table).map(samples).collect(),
    }
}

fn number(value: &TomlValue) -> Option<f64> {
    value.as_float().or_else(|| Some(value.as_integer()? as f64))
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}
