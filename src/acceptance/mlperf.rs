//! MLPerf's result files by the named formats: the model that was run takes precedence over its category, and nothing is filled in.
//! The rows are invented; the device and network names are in the repository's catalog.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Dlbench, REPOSITORY};
use dlbench_second_reader::{Row, rows_of};

/// The rows written by an import, and its account.
struct Imported {
    rows: Vec<Row>,
    account: String,
}

impl Imported {
    /// The only row whose label contains `part`.
    fn row(&self, part: &str) -> &Row {
        let of_part = |row: &&Row| row["label"].as_str().is_some_and(|label| label.contains(part));
        let found: Vec<&Row> = self.rows.iter().filter(of_part).collect();
        assert_eq!(found.len(), 1, "{part}: {found:#?}\n{}", self.account);
        found[0]
    }
}

/// Imports a file in a named format.
fn imported(format: &str, name: &str, content: &str) -> Imported {
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join(name);
    fs::write(&file, content).expect("a file");
    let output = folder.path().join("out");
    let words = [file.to_string_lossy(), output.to_string_lossy()];
    let program = Dlbench::on(REPOSITORY).columns(400);
    let account = program.ok(&["import", format, &words[0], "--source", "mlperf-inference-v4.1", "-o", &words[1]]);
    let mut rows = Vec::new();
    for entry in fs::read_dir(&output).expect("something was written") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("TOML is text");
        rows.extend(rows_of(&text.parse().expect("a measurement file is TOML")));
    }
    Imported { rows, account }
}

/// A row's values for these keys, `-` where it states none.
pub(crate) fn stated(row: &Row, keys: &[&str]) -> String {
    let text = |key: &&str| match row.get(*key) {
        None => "-".to_owned(),
        Some(toml::Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    keys.iter().map(text).collect::<Vec<_>>().join(" | ")
}

/// A summary of results, each with its differences from a typical one; `Location` identifies it.
fn summary(results: &[(&str, Value)]) -> String {
    let objects: Vec<Value> = results
        .iter()
        .map(|(name, differs)| {
            let mut object = json!({
                "Submitter": "Acme", "Availability": "available", "Category": "closed", "Suite": "datacenter",
                "System": "Acme rack", "Platform": "rack_TRT", "UsedModel": "resnet50", "Model": "resnet",
                "Scenario": "Offline", "Accuracy": "mAP: 37.3", "Nodes": 1, "Processor": "AMD EPYC 9654", "p#": 2,
                "Accelerator": "NVIDIA L40S", "a#": 8.0, "Software": "TensorRT 10.2.0, CUDA 12.4", "Notes": "",
                "operating_system": "Ubuntu 22.04.4", "inferred": 0, "weight_data_types": "int8",
                "Performance_Result": 1234.5, "Performance_Units": "Samples/s", "Location": name,
            });
            for (key, value) in differs.as_object().expect("an object") {
                object[key] = value.clone();
            }
            object
        })
        .collect();
    Value::from(objects).to_string()
}

#[test]
fn devices_are_counted_over_all_nodes_and_sockets_where_the_processor_computes() {
    let of_accelerator = |name: &str| json!({ "Accelerator": name });
    let imported = imported(
        "mlperf-json",
        "summary_results.json",
        &summary(&[
            ("one node", json!({})),
            ("four nodes", json!({ "Nodes": 4 })),
            ("sockets", json!({ "Accelerator": "", "a#": "", "Nodes": 2 })),
            ("said otherwise", json!({ "Accelerator": "NVIDIA L40S (x87)", "Nodes": 11, "Total Accelerators": 88 })),
            ("total", json!({ "Nodes": 3, "a#": 4, "Total Accelerators": 12 })),
            ("slice", of_accelerator("NVIDIA A100-SXM4 (1x1g.5gb MIG)")),
            ("limited", of_accelerator("NVIDIA L40S (Power Cap 250 W)")),
            ("two kinds", of_accelerator("NVIDIA L40S (x8) and NVIDIA L4 (x8)")),
        ]),
    );
    for (name, expected) in [
        ("one node", "l40s | 8 | -"),
        ("four nodes", "l40s | 32 | -"),
        ("sockets", "epyc-9654 | 4 | -"),
        ("said otherwise", "l40s | 87 | -"),
        ("total", "l40s | 12 | -"),
        ("slice", "a100 | - | 1x1g.5gb MIG"),
        ("limited", "l40s | 8 | -"),
    ] {
        let row = imported.row(name);
        assert_eq!(stated(row, &["device", "device-count", "device-slice"]), expected, "{name}");
    }
    assert_eq!(stated(imported.row("said otherwise"), &["device-raw"]), "NVIDIA L40S (x87)");
    assert!(imported.account.contains("1  left out: accelerators of several kinds"), "{}", imported.account);
}

#[test]
fn the_model_that_was_run_goes_before_its_category() {
    let open = |used: &str, model: &str| json!({ "Category": "open", "UsedModel": used, "Model": model });
    let imported = imported(
        "mlperf-json",
        "summary_results.json",
        &summary(&[
            ("small llama", open("neuralmagic_Llama-2-7b-chat-hf-FP8", "llama2-70b-99.9")),
            ("mobile bert", open("mobilebert-base_quant-none-bert-99", "bert-99")),
            ("pruned bert", open("obert-large-pruned95-none-vnni-bert-99", "bert-99")),
            (
                "pruned llama",
                json!({ "Category": "open", "UsedModel": "llama2-70b-99", "Model": "llama2-70b-99", "Platform": "x1_TRT_DepthPruned" }),
            ),
            ("plain", json!({})),
            ("unknown", open("nobodys-bert-none-bert-99", "bert-99")),
        ]),
    );
    let network = |name: &str| stated(imported.row(name), &["network", "network-raw", "division"]);
    assert_eq!(network("small llama"), "llama-2-7b | neuralmagic_Llama-2-7b-chat-hf-FP8 | open");
    assert_eq!(network("mobile bert"), "mobilebert | mobilebert-base_quant-none-bert-99 | open");
    assert_eq!(network("pruned bert"), "obert-large-pruned95 | obert-large-pruned95-none-vnni-bert-99 | open");
    assert_eq!(network("pruned llama"), "llama-2-70b-depth-pruned | llama2-70b-99 | open");
    assert_eq!(network("plain"), "resnet-50-v1.5 | resnet50 | closed");
    let told = "1  left out: unknown network `nobodys-bert-none-bert-99`";
    assert!(imported.account.contains(told), "{}", imported.account);
}

#[test]
fn the_software_that_ran_is_the_framework_wherever_it_is_named() {
    let software = |text: &str, platform: &str| json!({ "Software": text, "Platform": platform });
    let imported = imported(
        "mlperf-json",
        "summary_results.json",
        &summary(&[
            ("tensorrt", json!({})),
            ("behind", software("Jetpack 6.0, TensorRT 10.1, CUDA 12.2", "Orin")),
            ("over pytorch", software("vLLM 0.4.3+rocm614, PyTorch 2.3.0, ROCm 6.1.2", "x")),
            ("versions", software("PyTorch: rgat: 2.7.0+cpu, whisper: 2.7.0+cpu, llama: 2.8.0", "x")),
            ("by its system", software("CUDA 12.4", "L40Sx1_TRT_MaxQ")),
            ("not at all", software("CUDA 12.4", "L40Sx1")),
            ("in front", software("KRAI Inference Library Technology (KILT) with ONNX Runtime support", "x")),
            ("a stranger", software("Gridware SDK 3.1", "x")),
        ]),
    );
    for (name, expected) in [
        ("tensorrt", "tensorrt | 10.2.0 | - | 12.4"),
        ("behind", "tensorrt | 10.1 | - | 12.2"),
        ("over pytorch", "vllm | 0.4.3+rocm614 | pytorch | -"),
        ("versions", "pytorch | - | - | -"),
        ("by its system", "tensorrt | - | - | 12.4"),
        ("not at all", "- | - | - | 12.4"),
        ("in front", "kilt | - | onnx-runtime | -"),
        ("a stranger", "- | - | - | -"),
    ] {
        let row = imported.row(name);
        assert_eq!(stated(row, &["framework", "framework-version", "backend", "cuda"]), expected, "{name}");
    }
    let told = "1  without it: unknown framework `Gridware SDK 3.1`";
    assert!(imported.account.contains(told), "{}", imported.account);
}

#[test]
fn precision_is_what_is_stated_and_one_format() {
    let types = |text: &str| json!({ "weight_data_types": text });
    let by_notes = |model: &str| json!({ "Notes": "INT4 for GPT-J, and INT8 for all other models", "weight_data_types": "int8", "Model": model, "UsedModel": model });
    let imported = imported(
        "mlperf-json",
        "summary_results.json",
        &summary(&[
            ("capitals", types("INT4")),
            ("micro", types("MXFP4")),
            ("short", types("fp4")),
            ("unsigned", types("uint8")),
            ("google's", types("bfloat16")),
            ("two at once", types("fp8,bf16")),
            ("unset", types("UNSET")),
            ("unheard of", types("int7")),
            ("noted gptj", by_notes("gptj-99")),
            ("noted bert", by_notes("bert-99")),
        ]),
    );
    for (name, expected) in [
        ("capitals", "int4 | -"),
        ("micro", "mxfp4 | -"),
        ("short", "fp4 | -"),
        ("unsigned", "uint8 | -"),
        ("google's", "bf16 | -"),
        ("two at once", "- | fp8,bf16"),
        ("unset", "- | -"),
        ("unheard of", "- | -"),
        ("noted gptj", "int4 | -"),
        ("noted bert", "int8 | -"),
    ] {
        assert_eq!(stated(imported.row(name), &["precision", "quantization"]), expected, "{name}");
    }
    assert!(imported.account.contains("1  without it: unknown precision `int7`"), "{}", imported.account);
}

#[test]
fn nothing_is_filled_in_and_units_are_as_they_are_named() {
    let imported = imported(
        "mlperf-json",
        "summary_results.json",
        &summary(&[
            ("rate", json!({ "Model": "bert-99.9", "UsedModel": "bert-99.9", "Scenario": "Interactive" })),
            (
                "latency",
                json!({ "Performance_Units": "Latency (ms)", "Scenario": "SingleStream", "Accuracy": "acc: 76.078" }),
            ),
            (
                "seconds",
                json!({ "Performance_Units": "Latency (s)", "Performance_Result": 1.25, "Scenario": "SingleStream" }),
            ),
            ("energy", json!({ "Power_Result": 250.5, "Power_Units": "millijoules" })),
            (
                "power",
                json!({ "Power_Result": 6152.98, "Power_Units": "Watts", "Availability": "preview", "Notes": "H200 TGP 700W" }),
            ),
            ("inferred", json!({ "inferred": 1 })),
        ]),
    );
    let keys = [
        "scenario",
        "statistic",
        "counts",
        "throughput-per-s",
        "latency-ms",
        "energy-per-item-j",
        "power-w",
        "metered",
    ];
    for (name, expected) in [
        ("rate", "interactive | - | sample | 1234.5 | - | - | - | -"),
        ("latency", "single-stream | - | query | - | 1234.5 | - | - | -"),
        ("seconds", "single-stream | - | query | - | 1250 | - | - | -"),
        ("energy", "offline | - | sample | 1234.5 | - | 0.2505 | - | wall"),
        ("power", "offline | - | sample | 1234.5 | - | - | 6152.98 | wall"),
    ] {
        assert_eq!(stated(imported.row(name), &keys), expected, "{name}");
    }
    let keys = ["relative-accuracy-target", "availability", "accuracy", "notes", "batch-size", "dataset"];
    assert_eq!(stated(imported.row("rate"), &keys), "0.999 | available | - | - | - | -");
    assert_eq!(stated(imported.row("latency"), &keys), "- | available | 0.76078 | - | - | -");
    assert_eq!(stated(imported.row("power"), &keys), "- | preview | - | H200 TGP 700W | - | -");
    assert!(imported.account.contains("1  left out: inferred from another result"), "{}", imported.account);
}

const CSV_HEADER: &str = "division,submitter,system,benchmark,scenario,metric,value,valid,mean_latency_ns,accelerator,\
    accelerators_per_node,nodes,host_processor,host_processors_per_node,framework,software,status\n";

#[test]
fn a_row_of_the_first_rounds_says_what_its_names_say() {
    let rows = "\
        closed,Google,tpu-v3.8x16,resnet,Offline,Samples per second,1234.5,VALID,5000000,tpu-v3.8,128,1,Intel Skylake,2,tf-nightly==1.15.0-dev20190730,TPU version 1.15,available\n\
        closed,Intel,1-node-8s-cpx-pt-bf16,dlrm-99,Offline,Samples per second,99.5,VALID,,N/A,0,1,Intel(R) Xeon(R) Platinum 8380H CPU @ 2.90GHz,8,PyTorch,5.4.0,preview\n\
        open,dividiti,rpi4-tflite-v2.2.0-ruy,mobilenet-v2-1.0-96-quantized,singlestream,90th percentile latency (ns),2500000,VALID,2250000,-,0,1,Arm Cortex-A72 MP4,1,TFLite v2.2.0 (ruy),GCC 9.3.0,available\n\
        open,dividiti,rpi4-tflite-v2.2.0-ruy,mobilenet-v2-1.0-96-quantized,offline,90th percentile latency (ns),2500000,VALID,2250000,-,0,1,Arm Cortex-A72 MP4,1,TFLite v2.2.0 (ruy),GCC 9.3.0,available\n\
        open,dividiti,gtx-tensorrt-dynamic,ssd-inception-v2,singlestream,90th percentile latency (ns),2500000,VALID,,NVIDIA GeForce GTX 1080,1,1,Intel Xeon CPU E5-2650 v3,1,TensorFlow v1.14 (TensorRT-dynamic),Driver 430.50; CUDA 10.1; TensorRT 5.1.5,Research\n\
        closed,Acme,T4x4_TRT,bert-99.9,Server,Scheduled samples per second,77.25,VALID,,NVIDIA T4,4,2,AMD EPYC 7742,2,CUDA 11.0,\"TensorRT 7.2, CUDA 11.0\",on-premise\n\
        closed,Acme,MIG_TRT,rnnt,Offline,Samples per second,10.5,VALID,,NVIDIA A100-SXM4 (1x1g.5gb MIG),1,1,AMD EPYC 7742,2,\"TensorRT 7.2, CUDA 11.0 Update 1\",PyCUDA 2019.1.2,available\n\
        closed,Acme,ICL-I3-1005G1_OpenVINO-Windows,mobilenet,MultiStream,Samples per query,12,VALID,,,,,,,,,\n\
        open,Acme,rk-small,mobilenet-v2-0.5-96,singlestream,90th percentile latency (ns),1500000,VALID,,NVIDIA T4,1,1,AMD EPYC 7742,2,TFLite v2.2.0 (ruy),GCC,available\n\
        open,Acme,odd,resnet50,Offline,Samples per second,5.5,VALID,,,,,,,,,\n";
    let imported = imported("mlperf-csv", "summary.csv", &format!("{CSV_HEADER}{rows}"));
    let keys = ["device", "device-count", "device-slice", "precision", "framework", "framework-version", "backend"];
    for (name, expected) in [
        ("tpu-v3.8x16", "tpu-v3 | 64 | - | - | tensorflow | 1.15.0-dev20190730 | -"),
        ("1-node-8s", "xeon-platinum-8380h | 8 | - | bf16 | pytorch | - | -"),
        ("rpi4", "raspberry-pi-4-model-b | 1 | - | int8 | tflite | 2.2.0 | -"),
        ("gtx-tensorrt", "geforce-gtx-1080 | 1 | - | - | tf-trt | 1.14 | tensorrt"),
        ("T4x4_TRT", "tesla-t4 | 8 | - | - | tensorrt | 7.2 | -"),
        ("MIG_TRT", "a100 | - | 1x1g.5gb MIG | - | tensorrt | 7.2 | -"),
    ] {
        assert_eq!(stated(imported.row(name), &keys), expected, "{name}");
    }
    let keys =
        ["scenario", "statistic", "latency-ms", "mean-latency-ms", "availability", "relative-accuracy-target", "cuda"];
    for (name, expected) in [
        ("rpi4", "single-stream | p90 | 2.5 | 2.25 | available | - | -"),
        ("tpu-v3.8x16", "offline | - | - | 5.0 | available | - | -"),
        ("T4x4_TRT", "server | - | - | - | available | 0.999 | 11.0"),
        ("MIG_TRT", "offline | - | - | - | available | - | 11.0 Update 1"),
        // 96 pixels, not 96 %.
        ("rk-small", "single-stream | p90 | 1.5 | - | available | - | -"),
        ("gtx-tensorrt", "single-stream | p90 | 2.5 | - | - | - | 10.1"),
    ] {
        assert_eq!(stated(imported.row(name), &keys), expected, "{name}");
    }
    for told in [
        "1  left out: an offline result whose log is that of a single-stream run",
        "1  left out: samples per query: a number of streams, not a speed",
        "1  without it: availability `Research` is not in the recipe",
    ] {
        assert!(imported.account.contains(told), "{told:?} is not in\n{}", imported.account);
    }
}

#[test]
fn the_columns_of_the_submission_checker_are_read_too() {
    let header = "Division,Organization,Platform,SystemName,Availability,Model,MlperfModel,Scenario,Result,Units,Result_Power,\
        Result_Power_Units,inferred,accelerator_model_name,accelerators_per_node,number_of_nodes,host_processor_model_name,\
        host_processors_per_node,framework,operating_system\n";
    let rows = "\
        open,CTuning,a,A,available,bert-large-base-none-bert-99,bert-99,SingleStream,12.5,Latency (ms),350.5,millijoules,0,N/A,0,1,AMD Ryzen 9 7950X 16-Core Processor,1,\"MLCommons reference with CM API, deepsparse v1.5.2\",Ubuntu\n\
        closed,Acme,b_TRT,B,available,resnet50,resnet,Server,2000.5,Queries/s,1200.5,Watts,0,NVIDIA L4,4,2,AMD EPYC 9654,2,\"TensorRT 9.0.0, CUDA 12.2\",Ubuntu\n\
        closed,Acme,c_TRT,C,available,resnet50,resnet,Offline,1.5,Samples/s,,,1,NVIDIA L4,1,1,AMD EPYC 9654,2,\"TensorRT 9.0.0, CUDA 12.2\",Ubuntu\n";
    let imported = imported("mlperf-csv", "summary.csv", &format!("{header}{rows}"));
    let keys = [
        "device",
        "device-count",
        "network",
        "framework",
        "counts",
        "latency-ms",
        "throughput-per-s",
        "energy-per-item-j",
        "power-w",
    ];
    let row = stated(imported.row("CTuning; a"), &keys);
    assert_eq!(row, "ryzen-9-7950x | 1 | bert-large | deepsparse | query | 12.5 | - | 0.3505 | -");
    let row = stated(imported.row("Acme; b"), &keys);
    assert_eq!(row, "l4 | 8 | resnet-50-v1.5 | tensorrt | query | - | 2000.5 | - | 1200.5");
    assert!(imported.account.contains("1  left out: inferred from another result"), "{}", imported.account);
}

#[test]
fn power_in_a_row_of_its_own_is_told_with_its_result() {
    let header = "version,Division,Organization,Platform,Availability,Model,MlperfModel,Scenario,Result,Result_Units,Result_Power,\
        Result_Power_Units,has_power,inferred,accelerator_model_name,accelerators_per_node,number_of_nodes,\
        host_processor_model_name,host_processors_per_node,framework,Location\n";
    let row = |platform: &str, model: &str, result: &str, power: &str, has_power: &str| {
        let scenario = if result.contains("ms") || power.contains("milli") { "SingleStream" } else { "Offline" };
        let units = if result.is_empty() { power } else { result }.split_once(' ').expect("a unit").1;
        let number = |text: &str| text.split_once(' ').map(|parts| parts.0.to_owned()).unwrap_or_default();
        let (figure, watts) = (number(result), number(power));
        format!(
            "v4.0,closed,Acme,{platform},available,{model},{model},{scenario},{figure},{units},{watts},,{has_power},0,NVIDIA L4,1,1,\
             AMD EPYC 9654,2,\"TensorRT 9.3.0, CUDA 12.2\",closed/Acme/{platform}/{scenario}\n"
        )
    };
    let rows = [
        row("a_TRT", "resnet50", "1500.5 Samples/s", "", "True"),
        row("a_TRT", "resnet50", "", "250.5 Watts", "True"),
        row("b_TRT", "bert-99", "12.5 Latency (ms)", "", "True"),
        row("b_TRT", "bert-99", "", "350.5 millijoules", "True"),
        row("c_TRT", "resnet50", "900.5 Samples/s", "", "False"),
        row("d_TRT", "llama2-70b-99", "21000.5 Samples/s", "", "False"),
    ];
    let imported = imported("mlperf-csv", "summary.csv", &format!("{header}{}", rows.concat()));
    let keys = ["counts", "throughput-per-s", "latency-ms", "power-w", "energy-per-item-j", "metered"];
    for (name, expected) in [
        ("Acme; a_TRT", "sample | 1500.5 | - | 250.5 | - | wall"),
        ("Acme; b_TRT", "query | - | 12.5 | - | 0.3505 | wall"),
        ("Acme; c_TRT", "sample | 900.5 | - | - | - | -"),
        ("Acme; d_TRT", "token | 21000.5 | - | - | - | -"),
    ] {
        assert_eq!(stated(imported.row(name), &keys), expected, "{name}");
    }
    let told = "2  left out: told again with its power, in a row of its own";
    assert!(imported.account.contains(told), "{}", imported.account);
}

#[test]
fn the_traps_of_the_later_rounds() {
    let header = "division,submitter,system,benchmark,scenario,metric,value,valid,early_stopping_latency_ns,power_avg_w,\
        weight_data_types,accelerator,accelerators_per_node,nodes,host_processor,host_processors_per_node,framework,software,status\n";
    let rows = "\
        open,Krai,odroid-tflite-v2.7.1-ruy,mobilenet-v1-0.5-160-quantized,singlestream,90th percentile latency (ns),2500000,VALID,2600000,7.25,int8,-,0,1,NVIDIA Carmel (ARMv8.2),1,TFLite v2.7.1 (ruy),Python,available\n\
        open,cTuning,macbook_pro_m1-tflite_cpp-cpu-tflite-vmaster-default_config,mobilenet-v1-precision_uint8-0.5-160,singlestream,90th percentile latency (ns),2500000,VALID,2600000,,uint8,N/A,0,1,Apple M1,1,TFLite vmaster (xnnpack),Python,available\n\
        open,cTuning,nvidia_orin-reference-cpu-onnxruntime-v1.14.0-default_config,resnet50,offline,samples per second,20.5,VALID,,,fp32,N/A,0,1,ARMv8 Processor rev 1 (v8l),3,Onnxruntime v1.14.0,Python,available\n\
        closed,HPE,1-node-2S-SPR-PyTorch-INT8,resnet50,Offline,samples per second,20529.5,VALID,,,INT8,N/A,0,2,Intel(R) Xeon(R) Platinum 8480+,2,PyTorch,5.15,available\n\
        closed,NVIDIA,DGX-A100_A100-SXM-80GB-MIG_56x1g.10gb_TRT_Triton,bert-99,Offline,samples per second,25606.8,VALID,,,int8,NVIDIA A100-SXM-80GB (7x1g.10gb MIG),8,1,AMD EPYC 7742,2,\"TensorRT 8.4.0, CUDA 11.6\",\"TensorRT 8.4.0, CUDA 11.6, Driver 5252.85.12\",available\n\
        closed,cTuning,ws-nvidia_original-gpu-tensorrt-v8.5.2.2-default_config,resnet50,offline,samples per second,36427.9,VALID,,,fp32,NVIDIA GeForce RTX 4090 (Ada Lovelace),1,1,AMD Ryzen 9 7950X 16-Core Processor,1,TensorRT v8.5.2.2,\"Python: 3.10.6, CUDA: 11.8, cuDNN: 8.6.0\",available\n\
        closed,Dell,v_TRT,resnet50,Offline,samples per second,99.5,VALID,,,int8,NVIDIA H100-80C,2,1,AMD EPYC 9654,2,\"TensorRT 8.6.0, CUDA 12.0\",TensorRT 8.6.0,available\n";
    let imported = imported("mlperf-csv", "summary.csv", &format!("{header}{rows}"));
    let keys = ["device", "device-count", "device-slice", "precision", "driver", "cuda", "power-w", "metered"];
    for (name, expected) in [
        // The name of the board takes precedence over a description of a different board.
        ("odroid", "amlogic-s922x | 1 | - | int8 | - | - | 7.25 | wall"),
        ("macbook", "apple-m1-cpu | 1 | - | uint8 | - | - | - | -"),
        ("nvidia_orin", "jetson-agx-orin-cpu | 1 | - | fp32 | - | - | - | -"),
        ("1-node-2S", "xeon-platinum-8480-plus | 2 | - | int8 | - | - | - | -"),
        ("MIG_56x", "a100-sxm4-80gb | 8 | 7x1g.10gb MIG | int8 | - | 11.6 | - | -"),
        ("ws-nvidia", "geforce-rtx-4090 | 1 | - | - | - | 11.8 | - | -"),
    ] {
        assert_eq!(stated(imported.row(name), &keys), expected, "{name}");
    }
    let note = stated(imported.row("odroid"), &["notes", "statistic", "latency-ms"]);
    assert_eq!(note, "early-stopping estimate: 2600000 ns | p90 | 2.5");
    assert!(imported.account.contains("1  left out: a virtual GPU"), "{}", imported.account);
}

const SCORES: &str = "division,submitter,system,benchmark,variant,score_min,runs,dropped_each_side,not_converged,\
    scaling_factor,accelerator,accelerators_total,nodes,framework,global_batch_size,status\n";

const RUNS: &str = "division,submitter,system,benchmark,variant,run,run_status,time_to_train_min,final_quality,\
    quality_target,global_batch_size,accelerator,accelerators_per_node,nodes,host_processor,host_processors_per_node,\
    status,framework,software,source_path\n";

/// Imports the first of these files, with the others beside it; returns the rows and the account.
fn mlperf_training_imported(files: &[(&str, String)]) -> (Vec<Row>, String) {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, content) in files {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    let output = folder.path().join("out");
    let words = [folder.path().join(files[0].0), output.clone()].map(|path| path.to_string_lossy().into_owned());
    let program = Dlbench::on(REPOSITORY).columns(400);
    let account =
        program.ok(&["import", "mlperf-training", &words[0], "--source", "mlperf-training-v5.1", "-o", &words[1]]);
    let mut rows = Vec::new();
    for entry in fs::read_dir(&output).expect("something was written") {
        let text = fs::read_to_string(entry.expect("an entry").path()).expect("TOML is text");
        rows.extend(rows_of(&text.parse().expect("a measurement file is TOML")));
    }
    (rows, account)
}

/// The only row whose label contains `part`.
fn row<'r>(rows: &'r [Row], part: &str) -> &'r Row {
    let of_part = |row: &&Row| row["label"].as_str().is_some_and(|label| label.contains(part));
    let found: Vec<&Row> = rows.iter().filter(of_part).collect();
    assert_eq!(found.len(), 1, "{part}: {found:#?}");
    found[0]
}

#[test]
fn a_score_is_the_time_of_all_accelerators_and_the_mean_of_its_runs() {
    let scores = "\
        closed,Acme,n1452,llama2_70b_lora,,0.5,10,1,0,1.0,NVIDIA H100-SXM5-80GB,11616,1452,NVIDIA NeMo Framework Release 24.04,2048,onprem\n\
        closed,Acme,early,ssd,,10.25,5,1,0,,NVIDIA A100-SXM4-80GB (400W),8,1,PyTorch NVIDIA Release 21.09,896,cloud\n\
        closed,Acme,late,ssd,,40,5,1,0,1.0,NVIDIA A100-SXM-80GB,8,1,\"MXNet NVIDIA Release 23.04, PyTorch NVIDIA Release 23.04\",256,preview\n\
        closed,Acme,tpu-v4-128-TF,bert,,1.5,10,1,0,,TPU,64,16,TF-research,,research\n\
        closed,Acme,4-nodes-16s,dlrm,,20,5,1,0,,N/A,0,4,PyTorch v1.5,,available\n\
        open,Acme,odd_mxnet,resnet,,3,5,1,0,,NVIDIA A100,8,1,\"NGC MXNet 21.05 , NGC PyTorch 21.05\",,available\n\
        closed,Acme,none,bert,,,10,1,10,,NVIDIA A100,8,1,PyTorch,,available\n";
    let run = |system: &str, benchmark: &str, quality: &str, host: &str, sockets: &str, nodes: &str| {
        format!("closed,Acme,{system},{benchmark},,0,success,1,{quality},,,x,8,{nodes},{host},{sockets},,,,\n")
    };
    let runs = [
        run("early", "ssd", "0.2312", "AMD EPYC 7742", "2", "1"),
        run("late", "ssd", "0.3461", "AMD EPYC 7742", "2", "1"),
        run("4-nodes-16s", "dlrm", "0.8026", "Intel(R) Xeon(R) Platinum 8380H CPU @ 2.90GHz", "4", "4"),
        // The same system in another benchmark has no effect on this row.
        run("late", "bert", "0.72", "AMD EPYC 9654", "1", "9"),
    ]
    .concat();
    let (rows, account) = mlperf_training_imported(&[
        ("scores-derived.csv", format!("{SCORES}{scores}")),
        ("runs-derived.csv", format!("{RUNS}{runs}")),
    ]);
    let keys =
        ["device", "device-count", "network", "accuracy-target", "time-to-accuracy-s", "statistic", "n", "stage"];
    for (part, expected) in [
        ("n1452", "h100-sxm5-80gb | 11616 | llama-2-70b-lora | - | 30 | mean | 10 | train"),
        // A power limit does not make a different device; 0.23 mAP is the SSD's target, 0.34 that of RetinaNet.
        ("early", "a100-sxm4-80gb | 8 | mlperf-training-ssd | 0.23 | 615 | mean | 5 | train"),
        ("late", "a100-sxm4-80gb | 8 | retinanet | 0.34 | 2400 | mean | 5 | train"),
        ("tpu-v4-128", "tpu-v4 | 64 | bert-large | 0.72 | 90 | mean | 10 | train"),
        ("4-nodes-16s", "xeon-platinum-8380h | 16 | dlrm | 0.8025 | 1200 | mean | 5 | train"),
        ("odd", "a100 | 8 | resnet-50-v1.5 | - | 180 | mean | 5 | train"),
    ] {
        assert_eq!(stated(row(&rows, part), &keys), expected, "{part}");
    }
    let keys = ["framework", "framework-version", "container", "availability", "division", "precision", "host"];
    for (part, expected) in [
        ("n1452", "nemo | - | - | available | closed | - | -"),
        ("early", "pytorch | - | NVIDIA Release 21.09 | available | closed | - | 2 x AMD EPYC 7742"),
        // The source does not say which of two frameworks was used.
        ("late", "- | - | - | preview | closed | - | 2 x AMD EPYC 7742"),
        ("tpu-v4-128", "tensorflow | - | - | rdi | closed | - | -"),
        // The system's name identifies the framework, and a container's number is not a version.
        ("odd", "mxnet | - | - | available | open | - | -"),
    ] {
        assert_eq!(stated(row(&rows, part), &keys), expected, "{part}");
    }
    assert!(account.contains("1  left out: no score: too few of its runs reached the target"), "{account}");
}

#[test]
fn a_run_is_a_row_only_where_no_score_stands_for_it() {
    let runs = "\
        closed,gnmt-tpuv2-8,tpu,gnmt,,0,success,30,22.1,21.8,,tpuv2-8,8,1,Intel Skylake,,cloud,TensorFlow 1.12,,v0.5.0/google/x/result_0.txt\n\
        closed,resnet-tpuv3-32,tpu,resnet,,3,,60,0.7512,0.749,,tpuv3-32,32,2,Intel Skylake,,cloud,TensorFlow 1.12,,v0.5.0/google/y/result_3.txt\n\
        closed,submission,dgx1,ncf,,4,,0.5,0.6349,0.635,,Tesla V100-SXM2-16GB,8,1,Intel,,on-prem,Pytorch NGC 18.11,,v0.5.0/nvidia/z/result_4.txt\n\
        closed,submission,skx_8180_2s_8x,resnet,,1,success,90,0.75,0.749,,NA,0,8,Intel(R) Xeon(R) Platinum 8180 CPU @ 2.50GHz,,on-prem,Intel Caffe 1.1.2a,,v0.5.0/intel/z/result_1.txt\n\
        closed,Lab,big,cosmoflow,weak,7,success,40,0.12,,,NVIDIA A100-SXM4-40GB,4,128,AMD EPYC 7763,1,onprem,PyTorch,,Lab/r.txt\n\
        closed,Lab,big,cosmoflow,strong,2,success,2,0.12,,512,NVIDIA A100-SXM4-40GB,4,128,AMD EPYC 7763,1,onprem,PyTorch,,Lab/s.txt\n\
        closed,Lab,none,deepcam,strong,2,,,,,,NVIDIA A100-SXM4-40GB,4,128,AMD EPYC 7763,1,onprem,PyTorch,,Lab/t.txt\n";
    let (rows, account) = mlperf_training_imported(&[("runs-derived.csv", format!("{RUNS}{runs}"))]);
    let keys =
        ["device", "device-count", "network", "accuracy-target", "time-to-accuracy-s", "statistic", "n", "framework"];
    for (part, expected) in [
        // The cores of the whole system, two per chip, whatever the number of nodes.
        ("google; tpu; gnmt; run 0", "tpu-v2 | 4 | gnmt | - | 1800 | - | 1 | tensorflow"),
        ("google; tpu; resnet; run 3", "tpu-v3 | 16 | resnet-50-v1.5 | 0.749 | 3600 | - | 1 | tensorflow"),
        ("skx_8180_2s_8x", "xeon-platinum-8180 | 16 | resnet-50-v1.5 | 0.749 | 5400 | - | 1 | caffe"),
        ("Lab; big; cosmoflow", "a100-sxm4-40gb | 512 | cosmoflow | - | 120 | - | 1 | pytorch"),
    ] {
        assert_eq!(stated(row(&rows, part), &keys), expected, "{part}");
    }
    assert_eq!(
        stated(row(&rows, "gnmt"), &["timed"]),
        "run start to run stop, data loading and evaluation included; until BLEU is 21.8"
    );
    for told in [
        "1  left out: ended below its target quality",
        "1  left out: no time in the log",
        "1  left out: weak scaling: one of many networks that were trained at once on one machine",
    ] {
        assert!(account.contains(told), "{told:?} is not in\n{account}");
    }
    let score = "closed,Lab,big,cosmoflow,strong,2.1,10,1,0,,NVIDIA A100-SXM4-40GB,512,128,PyTorch,512,onprem\n";
    let (rows, account) = mlperf_training_imported(&[
        ("runs-derived.csv", format!("{RUNS}{runs}")),
        ("scores-derived.csv", format!("{SCORES}{score}")),
    ]);
    assert!(account.contains("1  left out: a run behind a score"), "{account}");
    assert_eq!(rows.len(), 3);
}
