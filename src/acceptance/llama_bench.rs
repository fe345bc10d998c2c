//! llama-bench's files come in by their format, and what an import lacks is told.

use std::fs;

use tempfile::TempDir;

use crate::{Dlbench, KbCopy, REPOSITORY};

/// Two tables of a page: what printed the second one found no GPU.
const PAGE: &str = "\
## Of a card
```
ggml_vulkan: Found 1 Vulkan devices:
ggml_vulkan: 0 = NVIDIA GeForce RTX 4090 (NVIDIA) | uma: 0 | fp16: 1
| model | size | params | backend | ngl | test | t/s |
| --- | ---: | ---: | --- | --: | ---: | ---: |
| llama 7B Q4_K - Medium | 3.80 GiB | 6.74 B | Vulkan | 99 | pp512 | 7100.25 ± 10.50 |

| model | size | params | backend | threads | test | t/s |
| --- | ---: | ---: | --- | --: | ---: | ---: |
| llama 7B F16 | 12.55 GiB | 6.74 B | CPU | 8 | pp512+tg128 @ d4096 | 9.50 ± 0.00 |
```
";

#[test]
fn each_table_has_the_gpu_that_stands_above_it_and_each_test_its_stage() {
    let output = TempDir::new().expect("a temporary folder");
    let (folder, page) = (output.path().to_string_lossy().into_owned(), output.path().join("page.md"));
    fs::write(&page, PAGE).expect("the page is written");
    let words = ["import", "llama-bench", &page.to_string_lossy(), "--source", "dgx-spark-llama-cpp-2025"];
    let program = Dlbench::on(REPOSITORY);
    let account = program.ok(&[&words[..], &["--set", "network=llama-2-7b", "-o", &folder]].concat());
    // The processor that ran the second table is named nowhere.
    assert!(account.contains("1  left out: no device"), "{account}");
    let written = fs::read_to_string(output.path().join("page.toml")).expect("the file was written");
    for part in ["\"geforce-rtx-4090\"", "\"prefill\"", "\"Q4_K_M\"", "\"input tokens, by llama-bench\"", "10.50"] {
        assert!(written.contains(part), "{part} is not in\n{written}");
    }
    assert!(written.contains("network = \"llama-2-7b\"") && !written.contains("9.50"), "{written}");
}

#[test]
fn the_json_names_model_and_device_itself() {
    let output = TempDir::new().expect("a temporary folder");
    let folder = output.path().to_string_lossy().into_owned();
    let file = format!("{REPOSITORY}/src/acceptance/samples/llama-bench.json");
    let words = ["import", "llama-bench", &file, "--source", "dgx-spark-llama-cpp-2025", "-o", &folder];
    let account = Dlbench::on(REPOSITORY).ok(&words);
    assert!(!account.contains("without a"), "{account}");
    let written = fs::read_to_string(output.path().join("llama-bench.toml")).expect("the file was written");
    for part in ["\"llama-3-8b\"", "\"geforce-rtx-4090\"", "\"b5163\"", "\"prefill\"", "7100.002165", "2025-04-24"] {
        assert!(written.contains(part), "{part} is not in\n{written}");
    }
}

#[test]
fn what_no_row_states_is_told_with_how_to_state_it() {
    let kb = KbCopy::new();
    kb.write(
        "results.csv",
        ",Timestamp,Framework,Algoritem,BenchStage,Precision,Result\n0,,firelight,deepnet50,eval,fp32,1.5ms\n",
    );
    let file = kb.path("results.csv").to_string_lossy().into_owned();
    let words = ["import", "wrapper-csv", &file, "--source", "imagined-2018", "--dry-run"];
    let refused = kb.dlbench().run(&words);
    let account = refused.stdout;
    assert!(
        refused.code == 1 && account.contains("1  left out: no device: nothing in the files names it; --device"),
        "{account}"
    );
    let account = kb.dlbench().ok(&[&words[..], &["--device", "nova-100"]].concat());
    assert!(!account.contains("no device"), "{account}");
}

#[test]
fn a_row_that_repeats_another_is_told_apart_from_one_with_other_values() {
    let kb = KbCopy::new();
    let row = |value: &str| format!("0,,firelight,deepnet50,eval,fp32,{value}\n");
    let rows = [row("1.5ms"), row("1.5ms"), row("1.7ms")].concat();
    kb.write("results.csv", format!(",Timestamp,Framework,Algoritem,BenchStage,Precision,Result\n{rows}"));
    let file = kb.path("results.csv").to_string_lossy().into_owned();
    let account = kb.dlbench().ok(&[
        "import",
        "wrapper-csv",
        &file,
        "--source",
        "imagined-2018",
        "--device",
        "nova-100",
        "--dry-run",
    ]);
    for line in [
        "1  left out: duplicate of a row before it",
        "1  left out: other values than a row before it from which nothing",
    ] {
        assert!(account.contains(line), "{line:?} is not in\n{account}");
    }
}
