//! Importing: every row is written or counted under a reason, and malformed input writes nothing.

use std::fs;

use tempfile::TempDir;

use crate::{Dlbench, KbCopy, REPOSITORY};

const WRAPPER: &str = "\
,Timestamp,Framework,Algoritem,BenchStage,Precision,Result
0,2019-05-15T16:32:41.123456,firelight,deepnet50,eval,fp32,141.9ms
1,2019-05-15T16:33:41.123456,firelight,deepnet50,train,fp16,92.90ms
2,2019-05-15T16:34:41.123456,gridflow,deepnet50,eval,fp32,0ms
3,2019-05-15T16:35:41.123456,firelight,nonet,eval,fp32,1.5ms
";

fn import(kb: &KbCopy, args: &[&str]) -> crate::Ran {
    let mut words = vec!["import"];
    words.extend(args);
    kb.dlbench().run(&words)
}

fn beside(kb: &KbCopy, name: &str, text: &str) -> String {
    kb.write(name, text);
    kb.path(name).to_string_lossy().into_owned()
}

#[test]
fn rows_read_are_rows_written_and_rows_left_out_by_reason() {
    let kb = KbCopy::new();
    let file = beside(&kb, "results.csv", WRAPPER);
    let ran = import(
        &kb,
        &["wrapper-csv", &file, "--source", "imagined-2018", "--device", "Nova 100 16GB", "--batch-size", "16"],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    for line in ["4  read", "2  written", "1  left out: not run (0ms)", "1  left out: unknown network `nonet`"] {
        assert!(ran.stdout.contains(line), "{line:?} is not in\n{}", ran.stdout);
    }
    assert!(ran.stdout.contains("2 added, 0 changed, 0 removed"), "{}", ran.stdout);

    let written = fs::read_to_string(kb.path("measurements/imagined-2018/results.toml")).expect("the file was written");
    assert!(written.contains("92.90"), "digits are kept as they were: {written}");
    let answer = kb.dlbench().answer("imagined-2018 2019 train fp16 latency:92.9");
    assert_eq!(answer["total"], 1, "{answer:#}");
    assert_eq!(answer["measurements"][0]["batch_size"], 16);
    assert_eq!(answer["measurements"][0]["date"], "2019-05-15");
}

#[cfg(unix)]
#[test]
fn imported_files_have_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let kb = KbCopy::new();
    let file = beside(&kb, "results.csv", WRAPPER);
    import(&kb, &["wrapper-csv", &file, "--source", "imagined-2018", "--device", "nova-100", "--batch-size", "16"]);
    let mode = |path: &str| fs::metadata(kb.path(path)).expect("the file is there").permissions().mode();
    assert_eq!(mode("measurements/imagined-2018/results.toml"), mode("results.csv"));
}

#[test]
fn importing_twice_gives_the_same_bytes() {
    let kb = KbCopy::new();
    let file = beside(&kb, "results.csv", WRAPPER);
    let args =
        ["wrapper-csv", file.as_str(), "--source", "imagined-2018", "--device", "nova-100", "--batch-size", "16"];
    import(&kb, &args);
    let first = fs::read(kb.path("measurements/imagined-2018/results.toml")).expect("the file was written");
    let again = import(&kb, &args);
    assert!(again.stdout.contains("0 added, 0 changed, 0 removed, 2 as they were"), "{}", again.stdout);
    assert_eq!(first, fs::read(kb.path("measurements/imagined-2018/results.toml")).expect("the file is there"));
}

#[test]
fn importing_again_keeps_what_people_added_or_says_what_would_be_lost() {
    let kb = KbCopy::new();
    let file = beside(&kb, "results.csv", WRAPPER);
    let args =
        ["wrapper-csv", file.as_str(), "--source", "imagined-2018", "--device", "nova-100", "--batch-size", "16"];
    import(&kb, &args);
    const FILE: &str = "measurements/imagined-2018/results.toml";
    let written = fs::read_to_string(kb.path(FILE)).expect("the file was written");
    let run = written.replace("\n[[table]]\n", "\nnotes = \"Looked at twice.\"\n\n[[table]]\n");
    assert_ne!(run, written);
    kb.write(FILE, format!("# Compared with the page by hand.\n\n{run}"));
    beside(&kb, "results.csv", &WRAPPER.replace("141.9ms", "142.0ms"));
    let again = import(&kb, &args);
    assert!(again.stdout.contains("1 changed") && again.stdout.contains("kept manual additions: 3"), "{again:#?}");
    let kept = fs::read_to_string(kb.path(FILE)).expect("the file is there");
    assert!(kept.starts_with("# Compared") && kept.contains("Looked at twice.") && kept.contains("142.0"), "{kept}");

    kb.write(FILE, kept.replace("rows = [", "rows = [  # of the second table"));
    let refused = import(&kb, &args);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
    for told in ["would lose rows or comments that the files do not have", "# of the second table", "--replace"] {
        assert!(refused.stderr.contains(told), "{told}: {}", refused.stderr);
    }
    assert!(fs::read_to_string(kb.path(FILE)).expect("the file").contains("# of the second table"));
    assert_eq!(import(&kb, &[&args[..], &["--replace"]].concat()).code, 0);
    assert!(!fs::read_to_string(kb.path(FILE)).expect("the file").contains('#'));
}

#[cfg(unix)]
#[test]
fn what_may_never_end_is_no_result_file() {
    let kb = KbCopy::new();
    let recipe = beside(&kb, "r.txt", "[[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\n");
    for args in [
        &["timm", "/dev/zero", "--source", "imagined-2018"][..],
        &["nvidia-smi", "/dev/zero"],
        &["--recipe", "/dev/zero", "/tmp"],
    ] {
        let ran = import(&kb, args);
        assert!(ran.code == 2 && ran.stderr.contains("/dev/zero"), "{args:?}: {ran:#?}");
    }
    let folder = kb.path("results");
    fs::create_dir(&folder).expect("a folder");
    if std::process::Command::new("mkfifo").arg(folder.join("a.csv")).status().is_ok_and(|status| status.success()) {
        let ran = import(&kb, &["--recipe", &recipe, &folder.to_string_lossy(), "--source", "imagined-2018"]);
        assert!(ran.code == 2 && ran.stderr.contains("not a regular file"), "{ran:#?}");
    }
}

#[test]
fn a_changed_value_shows_as_changed_not_as_another_measurement() {
    let kb = KbCopy::new();
    let file = beside(&kb, "results.csv", WRAPPER);
    let args =
        ["wrapper-csv", file.as_str(), "--source", "imagined-2018", "--device", "nova-100", "--batch-size", "16"];
    import(&kb, &args);
    beside(&kb, "results.csv", &WRAPPER.replace("141.9ms", "142.0ms"));
    let again = import(&kb, &args);
    assert!(again.stdout.contains("0 added, 1 changed, 0 removed, 1 as they were"), "{}", again.stdout);
    // The value that was replaced may have been corrected by hand.
    assert!(again.stdout.contains("had corrected it: imagined-2018:"), "{}", again.stdout);
}

#[test]
fn malformed_input_names_file_and_line_and_writes_nothing() {
    let kb = KbCopy::new();
    let file = beside(&kb, "results.csv", &WRAPPER.replace("fp16,92.90ms", "92.90ms"));
    let ran = import(&kb, &["wrapper-csv", &file, "--source", "imagined-2018", "--device", "nova-100"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("results.csv:3: expected 7 cells as in the header, found 6"), "{}", ran.stderr);
    assert!(!kb.path("measurements/imagined-2018/results.toml").exists());
}

#[test]
fn a_table_of_a_page_is_imported_by_a_recipe() {
    let kb = KbCopy::new();
    kb.write(
        "pages/perf.md",
        "# Speed\n## Inference\n- Nova 100\n\n| Batch | DeepNet-50 | DeepNet 101 |\n|---|---|---|\n| 1 | **10.50** | 7 |\n| 2 | 12 | OOM |\n",
    );
    let recipe = beside(
        &kb,
        "perf.recipe",
        "source = \"imagined-2018\"\n[[table]]\nfiles = \"*.md\"\nformat = \"markdown\"\nheading = \"Inference\"\n\
         text = \"- (?P<gpu>.+)\"\nmelt = \"^(?P<net>DeepNet.*)$\"\nbatch = \"perf\"\n\
         outcome = [{ when = \"{value}\", matches = \"OOM\", outcome = \"oom\" }]\n[table.set]\n\
         device = { from = \"{gpu}\", resolve = \"device\" }\nnetwork = { from = \"{net}\", resolve = \"network\" }\n\
         framework = \"firelight\"\nstage = \"eval\"\nbatch-size = \"{Batch}\"\ncounts = \"image\"\nthroughput-per-s = \"{value}\"\n\
         label = \"page\"\n",
    );
    let pages = kb.path("pages").to_string_lossy().into_owned();
    let ran = import(&kb, &["--recipe", &recipe, &pages]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let written = fs::read_to_string(kb.path("measurements/imagined-2018/perf.toml")).expect("the file was written");
    assert!(written.contains("10.50") && written.contains("\"oom\""), "{written}");
    assert_eq!(kb.dlbench().answer("text:page outcome:oom")["total"], 1);
}

#[test]
fn what_the_caller_gets_wrong_is_told_with_what_would_be_right() {
    let kb = KbCopy::new();
    let file = beside(&kb, "results.csv", WRAPPER);
    for (args, expected) in [
        (vec!["wraper-csv", file.as_str()], "did you mean `wrapper-csv`?"),
        (vec!["wrapper-csv", file.as_str()], "--source ID"),
        (vec!["wrapper-csv", file.as_str(), "--source", "imagined-2018", "--set", "latencyms=1"], "--set key=value"),
        (vec!["wrapper-csv"], "dlbench import wrapper-csv FILE"),
        (vec!["wrapper-csv", "/nowhere.csv", "--source", "imagined-2018"], "/nowhere.csv"),
    ] {
        let ran = import(&kb, &args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_file_of_no_known_name_is_told_which_names_there_are() {
    let kb = KbCopy::new();
    let samples = format!("{}/src/acceptance/samples", crate::REPOSITORY);
    let one = format!("{samples}/results.csv");
    let ran = import(&kb, &["dawnbench", &one, "--source", "imagined-2018"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("expected `*/inference/*.json` or `*/train/*.json`"), "{}", ran.stderr);
}

#[test]
fn a_first_epoch_that_reaches_the_target_is_found_beside_the_entry() {
    let program = crate::Dlbench::on(crate::REPOSITORY);
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let output = folder.path().to_string_lossy().into_owned();
    let entry = format!("{}/src/acceptance/samples/CIFAR10/train/kakaobrain_resnet9_1v100.json", crate::REPOSITORY);
    program.ok(&["import", "dawnbench", &entry, "--source", "dawnbench-2020", "-o", &output]);
    let written = fs::read_to_string(folder.path().join("training-cifar10.toml")).expect("the file was written");
    // 0.01584601 hours, at the epoch with 94.20 %; the previous epoch has 93.88 %.
    assert!(written.contains("57.045636") && written.contains("0.9420"), "{written}");
}

#[test]
fn a_known_board_is_told_with_what_differs_and_an_unknown_one_is_drafted() {
    let kb = KbCopy::new();
    let csv = "name, memory.total [MiB], power.default_limit [W], pci.device_id\n\
               Acme Nova 100 16GB, 16160 MiB, 300.00 W, 0x1DB110DE\n\
               Acme Nova 100, 32510 MiB, 275.00 W, 0x1DB110DE\nBoreal X7-PCIe-24GB, 23000 MiB, 180.00 W, 0x1EB810DE\n";
    let file = beside(&kb, "boards.csv", csv);
    let ran = import(&kb, &["nvidia-smi", &file]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    insta::assert_snapshot!(ran.stdout);

    let output = kb.path("catalog/devices").to_string_lossy().into_owned();
    import(&kb, &["nvidia-smi", &file, "-o", &output]);
    let card = kb.dlbench().ok(&["show", "device", "boreal x7 pcie 24gb"]);
    assert!(card.contains("10de:1eb8") && card.contains("PCIe"), "{card}");
    let again = import(&kb, &["nvidia-smi", &file]);
    assert!(
        again.stdout.contains("Boreal X7-PCIe-24GB is boreal-x7-pcie-24gb, and its entry agrees with the file"),
        "{}",
        again.stdout
    );
}

#[test]
fn a_board_whose_sku_is_open_is_no_answer() {
    let kb = KbCopy::new();
    let file = beside(&kb, "board.csv", "name\nAcme Nova 100\n");
    let ran = import(&kb, &["nvidia-smi", &file]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(ran.stdout.contains("# Acme Nova 100 is nova-100, but the SKU is not stated"), "{}", ran.stdout);
}

const RECIPE: &str = "source = \"imagined-2018\"\n[[table]]\nfiles = \"*.csv\"\nformat = \"csv\"\nbatch = \"new\"\n[table.set]\n\
     framework = \"firelight\"\nstage = \"eval\"\ncounts = \"image\"\n\
     device = { from = \"{Hardware}\", resolve = \"device\" }\nnetwork = { from = \"{Network}\", resolve = \"network\" }\n\
     latency-ms = \"{Latency}\"\n";

#[test]
fn all_new_names_are_told_at_once_with_near_ones_and_drafted_where_the_caller_asks() {
    let kb = KbCopy::new();
    kb.write(
        "new/a.csv",
        "Hardware,Network,Latency\nNova 950,DeepNett-50,1.5\nNova 950,DeepNet-50,2.5\nNova 100,DeepNet-50,3.5\n",
    );
    let recipe = beside(&kb, "new.recipe", RECIPE);
    let folder = kb.path("new").to_string_lossy().into_owned();
    let ran = import(&kb, &["--recipe", &recipe, &folder, "--dry-run"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    for words in [["2", "device", "Nova 950"], ["1", "network", "DeepNett-50"]] {
        let told =
            ran.stdout.lines().any(|line| words.iter().all(|word| line.contains(word)) && line.contains("a.csv:2"));
        assert!(told, "{words:?} are not in\n{}", ran.stdout);
    }
    assert!(ran.stdout.contains("deepnet-50") && ran.stdout.contains("--drafts DIR writes 2 drafts"), "{}", ran.stdout);

    let catalog = kb.path("catalog").to_string_lossy().into_owned();
    let ran = import(&kb, &["--recipe", &recipe, &folder, "--dry-run", "--drafts", &catalog]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let draft = fs::read_to_string(kb.path("catalog/devices/nova-950.toml")).expect("the draft was written");
    assert!(draft.contains("name = \"Nova 950\"") && draft.contains("source = \"imagined-2018\""), "{draft}");
    // The check reports what is missing in the draft.
    let checked = kb.dlbench().run(&["check", &kb.path("catalog/devices/nova-950.toml").to_string_lossy()]);
    assert!(checked.code == 1 && checked.stdout.contains("class"), "{}{}", checked.stdout, checked.stderr);
}

#[test]
fn a_misspelt_column_is_an_error_with_its_line_and_near_names() {
    let kb = KbCopy::new();
    kb.write("new/a.csv", "Hardware,Network,Latency\nNova 100,DeepNet-50,1.5\n");
    let recipe = beside(&kb, "new.recipe", &RECIPE.replace("{Network}", "{Nework}"));
    let folder = kb.path("new").to_string_lossy().into_owned();
    let ran = import(&kb, &["--recipe", &recipe, &folder, "--dry-run"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("line 11: no record has `{Nework}`; did you mean `{Network}`?"), "{}", ran.stderr);
}

#[test]
fn ids_that_the_catalog_does_not_have_fail_a_dry_run_too() {
    let kb = KbCopy::new();
    kb.write("new/a.csv", "Hardware,Network,Latency\nNova 100,DeepNet-50,1.5\n");
    let wrong = RECIPE.replace("\"firelight\"", "\"firelght\"");
    let recipe = beside(&kb, "new.recipe", &wrong);
    let folder = kb.path("new").to_string_lossy().into_owned();
    for arguments in [vec!["--recipe", &recipe, &folder, "--dry-run"], vec!["--recipe", &recipe, &folder]] {
        let ran = import(&kb, &arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("framework: there is no framework `firelght`; did you mean firelight?"),
            "{}",
            ran.stderr
        );
    }
    let source = ["--recipe", &recipe, &folder, "--dry-run", "--source", "imagined-2017"];
    let ran = import(&kb, &source);
    assert!(ran.stderr.contains("there is no source `imagined-2017`; did you mean imagined-2018"), "{}", ran.stderr);
}

/// A page with two tables; the program that printed the second one found no GPU.
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
    // The CPU that ran the second table is not named.
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
    for line in
        ["1  left out: duplicate of a row before it", "1  left out: other values than an earlier row with the same"]
    {
        assert!(account.contains(line), "{line:?} is not in\n{account}");
    }
}
