//! A contributor's tasks: new entries and measurements, what changed, how good the data are, and support for editors.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use dlbench::reading::schema::schemas;
use serde_json::Value;
use tempfile::TempDir;

use crate::{Dlbench, KbCopy, REPOSITORY, texts};

#[test]
fn a_new_device_takes_what_its_family_says_and_checks_clean() {
    let kb = KbCopy::new();
    let set = ["--set", "variant-of=nova-100", "--set", "memory-gib=24", "--set", "peak-tflops.fp32=20.50"];
    let mut words = vec!["new", "device", "Nova 200 24GB", "--source", "invented-2020"];
    words.extend(set);
    let ran = kb.dlbench().run(&words);
    assert_eq!((ran.code, ran.stderr.contains("near are nova-100-16gb")), (0, true), "{ran:#?}");
    insta::assert_snapshot!(fs::read_to_string(kb.path("catalog/devices/nova-200-24gb.toml")).unwrap(), @r#"
    name = "Nova 200 24GB"
    variant-of = "nova-100"
    class = "gpu"
    vendor = "Acme"
    architecture = "Supernova"
    memory-gib = 24

    [peak-tflops]
    fp32 = 20.50

    [[sources]]
    source = "invented-2020"
    "#);
    assert_eq!(kb.dlbench().run(&["check", "--deny", "warnings"]).code, 0);
}

#[test]
fn a_new_entry_of_every_kind_checks_clean() {
    let kb = KbCopy::new();
    for words in [
        ["framework", "OmegaLearn", "--set", "license=MIT", "--set", "hardware=cpu, gpu"],
        ["network", "WideNet 9", "--set", "parameters-m=3.2", "--set", "task=image-classification"],
        ["dataset", "Small Set", "--set", "classes=10", "--set", "train-size=100"],
        ["device", "Weave 10", "--set", "class=fpga", "--set", "tdp-w=45"],
    ] {
        let mut all = vec!["new", "--url", "https://example.org/page", "--title", "A page"];
        all.extend(words);
        let ran = kb.dlbench().run(&all);
        assert_eq!(ran.code, 0, "{words:?}: {ran:#?}");
    }
    let source = ["new", "source", "Some page 2026", "--set", "url=https://example.org/p", "--set", "authors=Doe"];
    assert_eq!(kb.dlbench().run(&source).code, 0);
    assert_eq!(kb.dlbench().run(&["check", "--deny", "warnings"]).code, 0);
}

#[test]
fn a_new_measurement_reads_names_as_people_write_them_and_joins_its_batch() {
    let kb = KbCopy::new();
    let new = |latency: &str, batch: &str| {
        let (latency, batch) = (format!("latency-ms={latency}"), format!("batch-size={batch}"));
        let mut words =
            vec!["new", "measurement", "mine", "--source", "invented-2020", "--set", "framework=Firelight 1.3"];
        words.extend(["--set", "device=Acme Nova 100 16GB", "--set", "network=DN50", "--set", "stage=eval"]);
        words.extend(["--set", "precision=fp32", "--set", &latency, "--set", &batch]);
        kb.dlbench().run(&words)
    };
    assert_eq!(new("9.70", "8").code, 0);
    assert_eq!(new("18.5", "16").code, 0);
    insta::assert_snapshot!(fs::read_to_string(kb.path("measurements/invented-2020/mine.toml")).unwrap());
    // An impossible value is reported and not written.
    let before = fs::read_to_string(kb.path("measurements/invented-2020/mine.toml")).unwrap();
    let impossible = new("0.5", "32");
    assert_eq!(impossible.code, 1);
    assert!(impossible.stdout.contains("error[DL0401]"), "{}", impossible.stdout);
    assert!(impossible.stdout.contains("The check refuses it: nothing was written."), "{}", impossible.stdout);
    let again = new("9.9", "8");
    assert!(again.stdout.contains("error[DL0103]"), "{}", again.stdout);
    assert_eq!(fs::read_to_string(kb.path("measurements/invented-2020/mine.toml")).unwrap(), before);
    let dry = kb.dlbench().run(&[
        "new",
        "device",
        "Weave 11",
        "--set",
        "class=fpga",
        "--source",
        "invented-2020",
        "--dry-run",
    ]);
    assert_eq!(dry.code, 0, "{dry:#?}");
    assert!(dry.stdout.contains("Nothing was written: this was a dry run."), "{}", dry.stdout);
    assert!(!kb.path("catalog/devices/weave-11.toml").exists());
}

#[test]
fn twelve_who_add_to_one_batch_at_once_lose_nothing() {
    let kb = KbCopy::new();
    let children: Vec<_> = (1..=12)
        .map(|batch: u32| {
            let facts = [
                "framework=Firelight 1.3".to_owned(),
                "device=Acme Nova 100 16GB".to_owned(),
                "network=DN50".to_owned(),
                "stage=eval".to_owned(),
                "precision=fp32".to_owned(),
                format!("batch-size={batch}"),
                format!("latency-ms={batch}0.5"),
            ];
            let mut words = vec!["new", "measurement", "crowd", "--source", "invented-2020"];
            words.extend(facts.iter().flat_map(|fact| ["--set", fact.as_str()]));
            kb.dlbench().command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let text = fs::read_to_string(kb.path("measurements/invented-2020/crowd.toml")).unwrap();
    let missing: Vec<u32> = (1..=12).filter(|batch| !text.contains(&format!("\nbatch-size = {batch}\n"))).collect();
    assert!(missing.is_empty(), "lost: {missing:?}\n{text}");
}

#[test]
fn what_is_there_or_cannot_be_made_is_refused_and_nothing_is_written() {
    let kb = KbCopy::new();
    let before = fs::read_dir(kb.path("catalog/devices")).unwrap().count();
    for (words, message) in [
        (vec!["new", "device", "N100"], "there is already a device called \"N100\": nova-100"),
        (
            vec!["new", "device", "X9", "--set", "memory-gb=3"],
            "a device has no key `memory-gb`: did you mean `memory-gib`?",
        ),
        (vec!["new", "device"], "the name is missing"),
        (vec!["new", "network", "X9"], "the source of the facts is missing"),
        (vec!["new", "device", "…"], "the name makes no id"),
        (vec!["new", "device", "X9", "--set", "class"], "--set class states nothing"),
        (vec!["new", "measurement", "a"], "the source is missing"),
        (
            vec!["new", "measurement", "a", "--source", "invented-2020", "--set", "device=Shuttle 8"],
            "`Shuttle 8` is not a device of the catalog",
        ),
        (vec!["new", "measurement", "/etc/hostname"], "is a file"),
    ] {
        let ran = kb.dlbench().run(&words);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{words:?}");
        assert!(ran.stderr.contains(message), "{words:?}: {}", ran.stderr);
    }
    assert_eq!(fs::read_dir(kb.path("catalog/devices")).unwrap().count(), before);
}

/// Runs git in a folder; `false` if git is missing or fails.
fn git(folder: &Path, args: &[&str]) -> bool {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]);
    let output = git.args(args).current_dir(folder).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn the_difference_of_two_revisions_is_told_in_words_and_numbers() {
    let kb = KbCopy::new();
    let folder = kb.path(".");
    if !(git(&folder, &["init", "-q"]) && git(&folder, &["add", "."]) && git(&folder, &["commit", "-qm", "one"])) {
        eprintln!("skipped: there is no git");
        return;
    }
    let none = kb.dlbench().run(&["diff", "HEAD"]);
    assert_eq!((none.code, none.stdout.as_str()), (1, "No entity and no measurement changed.\n"));
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 10.0", "latency-ms = 12.5");
    kb.replace("measurements/imagined-2018/weave.toml", "  [\"deepnet-101\", \"\", 120, 24, 5.0],\n", "");
    kb.replace("catalog/devices/weave-9.toml", "tdp-w = 40", "tdp-w = 45\nmemory-gib = 2");
    fs::remove_file(kb.path("catalog/datasets/tiny-pictures.toml")).unwrap();
    kb.write("catalog/datasets/smallset.toml", "name = \"SmallSet\"\nclasses = 10\n");
    insta::assert_snapshot!("diff_text", kb.dlbench().ok(&["diff", "HEAD"]));
    insta::assert_snapshot!("diff_markdown", kb.dlbench().ok(&["diff", "HEAD", "-f", "markdown"]));
    assert!(git(&folder, &["commit", "-qam", "two"]));
    // Files not added to git exist only in the working tree.
    let json = kb.dlbench().json(&["diff", "HEAD~1", "HEAD", "-f", "json"]);
    assert_eq!(texts(&json["measurements"], "change").len(), 2);
    assert_eq!(texts(&json["entities"], "id"), ["weave-9", "tiny-pictures"]);

    let ran = kb.dlbench().run(&["diff", "--", "--output=/tmp/x"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(kb.dlbench().run(&["diff", "no-such-revision"]).code, 2);
}

/// The quality of the repository's knowledge base, in thousandths. Raise a number when it has risen; never lower one, except
/// if rows stated what their source does not (a precision assumed by habit), or if new entries are of a kind for which no source
/// states the fact (the multiply-adds of language models).
const QUALITY: &[(&str, u64)] = &[
    ("/facts_cited", 1000),
    ("/devices_with_peaks", 313),
    ("/networks_with_figures", 559),
    ("/measurements/sku", 775),
    ("/measurements/batch", 690),
    ("/measurements/precision", 700),
    ("/measurements/method", 1000),
    ("/measurements/environment", 423),
];

#[test]
fn the_quality_of_the_knowledge_base_does_not_fall() {
    let quality = Dlbench::on(REPOSITORY).json(&["stats", "-f", "json"]);
    for (share, least) in QUALITY {
        let of = |key: &str| quality.pointer(&format!("{share}/{key}")).and_then(Value::as_u64).expect(share);
        let per_mille = of("have") * 1000 / of("of");
        assert!(per_mille >= *least, "{share} has fallen to {per_mille} of 1000, it was {least}");
    }
}

#[test]
fn quality_is_told_by_source() {
    insta::assert_snapshot!(Dlbench::on_miniature().ok(&["stats"]));
}

#[test]
fn the_schemas_in_the_repository_are_current() {
    let root = Path::new(REPOSITORY);
    let schemas = schemas(None);
    assert!(schemas.len() >= 11);
    for schema in &schemas {
        let current = serde_json::to_string_pretty(&schema.schema).expect("a schema is JSON") + "\n";
        let kept = fs::read_to_string(root.join(".schemas").join(&schema.name)).unwrap_or_default();
        assert!(kept == current, ".schemas/{} is not current: `make schemas` writes it", schema.name);
    }
    let settings = fs::read_to_string(root.join("taplo.toml")).expect("taplo.toml");
    let settings: toml::Table = settings.parse().expect("taplo.toml is TOML");
    // The schema of recipes has no ids: it is generated from the types that read recipes.
    assert_eq!(settings["rule"].as_array().map(Vec::len), Some(schemas.len() + 1));
    let recipe = fs::read_to_string(root.join(".schemas/recipe.json")).expect(".schemas/recipe.json");
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("a schema is JSON");
    assert!(read(&recipe) == read(dlbench::contribute::recipe::RECIPE_SCHEMA), "`make schemas` writes it");
}

#[test]
fn schemas_know_the_keys_the_words_and_the_ids() {
    let kb = KbCopy::new();
    let device = kb.dlbench().json(&["schema", "device"]);
    assert_eq!(texts(&device["required"], ""), ["name", "class"]);
    assert_eq!(texts(&device["properties"]["class"]["enum"], ""), ["gpu", "fpga", "asic", "cpu"]);
    assert_eq!(device["properties"]["variant-of"]["$ref"], "#/definitions/device");
    assert!(texts(&device["definitions"]["device"]["enum"], "").contains(&"nova-100-32gb"));
    assert_eq!(device["additionalProperties"], false);
    let measurements = kb.dlbench().json(&["schema", "measurements"]);
    let row = &measurements["properties"]["run"]["items"]["properties"];
    assert!(texts(&row["stage"]["enum"], "").contains(&"prefill"));
    assert!(row["latency-ms"]["description"].as_str().unwrap().contains("one batch"));
    kb.dlbench().ok(&["schema", "--write"]);
    for file in [".schemas/device.json", "taplo.toml", ".schemas/ids/device.json", ".taplo.toml"] {
        assert!(kb.path(file).is_file(), "{file}");
    }
    let own = fs::read_to_string(kb.path(".schemas/ids/device.json")).unwrap();
    let shared = fs::read_to_string(kb.path(".schemas/device.json")).unwrap();
    assert!(own.contains("\"nova-100-32gb\"") && !shared.contains("nova-100-32gb"));
}

#[test]
fn two_branches_that_add_a_device_each_have_nothing_to_conflict_in() {
    let kb = KbCopy::new();
    kb.write(".gitignore", fs::read(Path::new(REPOSITORY).join(".gitignore")).expect(".gitignore"));
    let folder = kb.path(".");
    kb.dlbench().ok(&["schema", "--write"]);
    assert!(git(&folder, &["init", "-q", "-b", "main"]) && git(&folder, &["add", "."]));
    assert!(git(&folder, &["commit", "-qm", "one"]));
    for (branch, name) in [("a", "Nova 210"), ("b", "Nova 220")] {
        assert!(git(&folder, &["checkout", "-q", "-b", branch, "main"]));
        let new =
            kb.dlbench().run(&["new", "device", name, "--set", "variant-of=nova-100", "--source", "invented-2020"]);
        assert_eq!(new.code, 0, "{new:#?}");
        assert!(new.stderr.contains("the schemas in .schemas/ids/ name it"), "{}", new.stderr);
        assert!(git(&folder, &["add", "."]) && git(&folder, &["commit", "-qm", branch]));
    }
    assert!(git(&folder, &["merge", "-q", "--no-edit", "a"]), "both add a device, and nothing else");
}

#[test]
fn a_name_with_another_number_is_not_claimed_by_a_family() {
    let program = Dlbench::on_miniature();
    let ran = program.run(&["resolve", "device", "Nova 300"]);
    assert_eq!(ran.code, 1, "{ran:#?}");
    assert!(ran.stdout.contains("`300` beside the name makes it another product"), "{}", ran.stdout);
    let ran = program.run(&["new", "measurement", "a", "--source", "invented-2020", "--set", "device=Nova 300"]);
    assert!(ran.stderr.contains("`Nova 300` is not a device of the catalog"), "{}", ran.stderr);
    for spelling in ["Nova", "Acme Nova", "2x Nova", "Nova (cloud)", "Nova 16GB"] {
        assert_eq!(program.run(&["resolve", "device", spelling]).code, 0, "{spelling}");
    }
}

#[test]
fn what_changed_comes_first_and_many_alike_share_a_line() {
    let kb = KbCopy::new();
    let folder = kb.path(".");
    assert!(git(&folder, &["init", "-q"]) && git(&folder, &["add", "."]) && git(&folder, &["commit", "-qm", "one"]));
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 10.0", "latency-ms = 10.5");
    let rows: String = (1..=20).map(|batch| format!("  [{batch}, {}.5],\n", 10 + batch)).collect();
    let head = "[[table]]\nframework = \"firelight\"\ndevice = \"nova-100-16gb\"\nnetwork = \"deepnet-50\"\nstage = \"eval\"\n\
                precision = \"fp32\"\ncounts = \"image\"\nnotes = \"a [link](https://example.org)\"\n";
    kb.write(
        "measurements/imagined-2018/many.toml",
        format!("{head}columns = [\"batch-size\", \"latency-ms\"]\nrows = [\n{rows}]\n"),
    );
    insta::assert_snapshot!(kb.dlbench().ok(&["diff", "HEAD", "-f", "markdown"]), @r"
    ### 20 measurements added, 1 changed

    - changed `invented-2020:sd7xzfeam1` deepnet-50 eval fp16 nova-100 firelight 1.2 batch 16: latency-ms 10.0 → 10.5 (+5.0 %)
    - added 20 measurements in `measurements/imagined-2018/many.toml`, such as deepnet-50 eval fp32 nova-100-16gb firelight batch 1
      - device nova-100-16gb; device-count not stated; precision fp32; stage eval; framework firelight
      - latency-ms: 11.5 (deepnet-50 eval fp32 nova-100-16gb firelight batch 1) to 30.5 (deepnet-50 eval fp32 nova-100-16gb firelight batch 20), median 21.5
    ");
}

#[test]
fn what_is_documented_in_the_code_is_told_by_the_program() {
    let dlbench = Dlbench::on_miniature();
    let recipe = dlbench.ok(&["explain", "recipe"]);
    assert!(recipe.contains("- `file-name` (text): ") && recipe.contains("- `resolve` (word): "), "{recipe}");
    let protocol = dlbench.ok(&["explain", "protocol"]);
    assert!(protocol.contains("{\"do\":\"prepare\""), "{protocol}");
    assert!(!recipe.contains("src/") && !protocol.contains("src/"), "users have no src/");
}

#[test]
fn no_message_names_a_path_inside_src() {
    let folder = Path::new(crate::REPOSITORY).join("src");
    for file in crate::parsed_source::Code::of_the_repository().files {
        let code = fs::read_to_string(folder.join(&file.path)).unwrap();
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        let line = code.lines().find(|line| line.contains("src/") && !line.trim_start().starts_with("//"));
        assert_eq!(line, None, "src/{} names a file of the code", file.path);
    }
}

#[test]
fn a_word_leads_to_the_rules_about_it() {
    let listed = Dlbench::on_miniature().ok(&["explain", "memory"]);
    assert!(listed.contains("DL0404") && listed.contains("DL0216") && !listed.contains("DL0401"), "{listed}");
}

/// Runs the program in an empty folder, with no environment variable that names a knowledge base.
fn run(program: &Dlbench, folder: &TempDir, args: &[&str]) -> crate::Ran {
    let mut command = program.command(args);
    command.current_dir(folder.path()).env_remove("DLBENCH_KB");
    program.ran(command.output().expect("the program starts"))
}

#[test]
fn in_an_empty_folder_the_built_in_knowledge_base_answers_and_is_named() {
    let program = Dlbench::on("nowhere");
    let folder = TempDir::new().expect("a temporary folder");
    let ran = run(&program, &folder, &["query", "-f", "json", "fp16 V100 resnet152"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stderr, "", "a program is not disturbed");
    let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert!(answer["total"].as_u64() >= Some(4), "{}", answer["total"]);

    let status = run(&program, &folder, &["index", "--status", "-f", "json"]);
    let status: Value = serde_json::from_str(&status.stdout).expect("JSON");
    assert_eq!(status["built_now"], false, "the second question builds nothing");
    assert!(status["origin"].as_str().is_some_and(|origin| origin.starts_with("the built-in one of ")), "{status}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing is written where one asks");
}

#[test]
fn what_would_write_says_how_to_make_a_knowledge_base_first() {
    let program = Dlbench::on("nowhere");
    let folder = TempDir::new().expect("a temporary folder");
    for args in
        [&["new", "device", "Nova 100"][..], &["check"], &["fmt"], &["run", "resnet-50"], &["schema", "--write"]]
    {
        let ran = run(&program, &folder, args);
        assert_eq!(ran.code, 2, "{args:?}");
        assert!(ran.stderr.contains("`dlbench init DIR` makes one"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_knowledge_base_goes_into_a_snapshot_and_comes_out_of_it() {
    let program = Dlbench::on_miniature();
    let folder = TempDir::new().expect("a temporary folder");
    let [first, second, there] = ["a.tar.gz", "b.tar.gz", "there"].map(|name| folder.path().join(name));
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    for file in [&first, &second] {
        let ran = program.run(&["snapshot", "-o", &text(file)]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    assert_eq!(fs::read(&first).expect("a file"), fs::read(&second).expect("a file"), "reproducible to the byte");

    let ran = run(&program, &folder, &["init", "there", "--from", &text(&first)]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let copy = Dlbench::on(&there);
    let asked = &["query", "--all", "-f", "json", "v100"];
    assert_eq!(copy.json(asked)["measurements"], program.json(asked)["measurements"]);

    let again = run(&program, &folder, &["init", "there", "--from", &text(&first)]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("is not empty"), "{}", again.stderr);
}

#[test]
fn a_snapshot_that_is_damaged_is_told() {
    let program = Dlbench::on_miniature();
    let folder = TempDir::new().expect("a temporary folder");
    for (content, told) in [(&b"not an archive"[..], "snapshot"), (b"", "snapshot")] {
        fs::write(folder.path().join("a.tar.gz"), content).expect("a file is written");
        let ran = run(&program, &folder, &["init", "there", "--from", "a.tar.gz"]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        assert!(!folder.path().join("there").exists());
    }
}

/// The miniature with one extra file, packed as a snapshot with a date.
fn packed(name: &str, text: &str, date: &str) -> Vec<u8> {
    let kb = crate::KbCopy::new();
    kb.write(name, text);
    let origin = dlbench_snapshot::Origin { date: Some(date.to_owned()), commit: None };
    dlbench_snapshot::pack(&kb.path(""), origin, 1).expect("a snapshot")
}

#[test]
fn init_refuses_whatever_pull_refuses() {
    let program = Dlbench::on_miniature();
    let folder = TempDir::new().expect("a temporary folder");
    let file = folder.path().join("a.tar.gz");
    let text = file.to_str().expect("UTF-8").to_owned();
    let device = "name = \"Nova 200\"\nclass = \"gpu\"\n\n[[sources]]\nsource = \"invented-2020\"\n";
    for (name, content, date, told) in [
        ("catalog/devices/nova-200.toml", "name = [\n", "2020-01-01", "mistake"),
        ("catalog/devices/nova\u{202e}-200.toml", device, "2020-01-01", ""),
        ("catalog/devices/nova-200.toml", device, "9999-12-31", "is in the future"),
    ] {
        fs::write(&file, packed(name, content, date)).expect("a file is written");
        let ran = run(&program, &folder, &["init", "there", "--from", &text]);
        assert_eq!(ran.code, 2, "{name:?} {date}: {}", ran.stdout);
        assert!(ran.stderr.contains(told), "{name:?} {date}: {}", ran.stderr);
        assert!(!ran.stderr.contains('\u{202e}'), "{}", ran.stderr);
        assert!(!folder.path().join("there").exists(), "{name:?} {date}");
        let pulled = run(&program, &folder, &["pull", &text]);
        assert_eq!(pulled.code, 2, "{name:?} {date}: {}", pulled.stdout);
    }
    fs::write(&file, packed("catalog/devices/nova-200.toml", device, "2020-01-01")).expect("a file is written");
    let ran = run(&program, &folder, &["init", "there", "--from", &text]);
    assert_eq!(ran.code, 0, "what is right passes the same door: {}", ran.stderr);
}
