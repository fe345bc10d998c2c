//! Questions to the miniature knowledge base: what is found, how it is presented, and what goes wrong.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::process::Stdio;

use dlbench::KnowledgeBase;
use dlbench::ask::answer::Page;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Dlbench, KbCopy, Ran, miniature_kb, notes, texts};

#[test]
fn words_mean_the_same_in_any_order_and_spelling() {
    let dlbench = Dlbench::on_miniature();
    let ids = |question: &str| -> BTreeSet<String> {
        texts(&dlbench.answer(question)["measurements"], "id").into_iter().map(str::to_owned).collect()
    };
    let expected = ids("fp16 N100 deepnet50");
    assert_eq!(expected.len(), 5);
    for question in [
        "deepnet50 fp16 N100",
        "N100 deepnet50 fp16",
        "n100 DeepNet-50 FP16",
        "nova 100 deepnet 50 half precision",
        "the Nova with deepnet_50 in float16",
        "Acme Nova 100 dn50 16-bit",
    ] {
        assert_eq!(ids(question), expected, "{question}");
    }
}

#[test]
fn words_come_as_one_argument_or_as_several() {
    let dlbench = Dlbench::on_miniature();
    assert_eq!(
        dlbench.ok(&["query", "fp16", "N100", "deepnet50"]).lines().skip(1).collect::<Vec<_>>(),
        dlbench.ok(&["query", "fp16 N100 deepnet50"]).lines().skip(1).collect::<Vec<_>>()
    );
}

#[test]
fn the_json_answer_has_the_promised_shape() {
    let answer = Dlbench::on_miniature().answer("amp-fp16 N100 deepnet50");
    assert_eq!(
        keys(&answer),
        [
            "query",
            "question",
            "read_as",
            "unread",
            "total",
            "conclusion",
            "remarks",
            "measurements",
            "catalog",
            "unstated",
            "suggestions"
        ],
        "the keys of an answer"
    );
    assert_eq!(answer["query"], "amp-fp16 N100 deepnet50");
    for read in answer["read_as"].as_array().unwrap() {
        assert_eq!(keys(read), ["text", "from", "to", "facet", "values", "how"]);
    }
    assert_eq!(
        keys(&answer["catalog"]),
        ["frameworks", "devices", "hardware_classes", "networks", "datasets", "sources"]
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer).unwrap());
}

#[test]
fn every_measurement_has_the_promised_keys_and_no_figure_is_zero() {
    const PROMISED: &[&str] = &[
        "id",
        "source",
        "framework",
        "framework_version",
        "backend",
        "device",
        "device_raw",
        "device_count",
        "network",
        "dataset",
        "stage",
        "precision",
        "batch_size",
        "metrics",
        "statistic",
        "n",
        "date",
        "outcome",
        "status",
        "derived",
        "best",
    ];
    let answer = Dlbench::on_miniature().answer("deepnet");
    let measurements = answer["measurements"].as_array().unwrap();
    assert_eq!(measurements.len(), 10);
    for measurement in measurements {
        let keys = keys(measurement);
        for key in PROMISED {
            assert!(keys.contains(key), "{key} is missing in {measurement}");
        }
        assert!(measurement["status"] == "reported", "{measurement}");
        for (metric, value) in measurement["metrics"].as_object().unwrap() {
            assert!(value.as_f64().is_some_and(|value| value > 0.0), "{metric} in {measurement}");
        }
    }
}

#[test]
fn what_is_unknown_is_null_never_zero() {
    let dlbench = Dlbench::on_miniature();
    let unstated = &dlbench.answer("text:snowdrift")["measurements"][0];
    assert_eq!(unstated["batch_size"], Value::Null);
    assert_eq!(unstated["metrics"], json!({ "latency_ms": 33.3 }), "no throughput follows without a batch size");
    assert_eq!(unstated["date"], "2019-12-24");

    let failed = &dlbench.answer("outcome:oom")["measurements"][0];
    assert_eq!((&failed["outcome"], &failed["metrics"]), (&json!("oom"), &json!({})));
    assert_eq!(failed["batch_size"], 512);
}

#[test]
fn a_throughput_that_follows_from_latency_and_batch_is_marked_as_derived() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.answer("firelight eval fp16");
    let derived = &answer["measurements"][0];
    assert_eq!(derived["metrics"], json!({ "latency_ms": 10.0, "throughput_per_s": 1600 }));
    assert_eq!(derived["derived"], json!(["throughput_per_s"]));
    assert_eq!(notes(&answer, "derived-throughput").len(), 1);

    let answer = dlbench.answer("amp-fp16");
    let stated = &answer["measurements"][0];
    assert_eq!((&stated["metrics"], &stated["derived"]), (&json!({ "throughput_per_s": 900 }), &json!([])));
    assert!(notes(&answer, "derived-throughput").is_empty());
}

#[test]
fn the_best_of_the_comparable_rows_is_part_of_the_answer_as_it_is_of_the_table() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.answer("deepnet50 nova eval");
    let best: Vec<(f64, Value)> = answer["measurements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["metrics"]["latency_ms"].as_f64().unwrap(), row["best"].clone()))
        .collect();
    let marked = dlbench.ok(&["query", "deepnet50 nova eval"]);
    assert!(best.iter().any(|(_, best)| *best == json!([])), "{best:?}");
    assert!(best.iter().any(|(_, best)| best.as_array().unwrap().contains(&json!("latency_ms"))), "{best:?}");
    for (latency, best) in best {
        let is_best = best.as_array().unwrap().contains(&json!("latency_ms"));
        assert_eq!(marked.contains(&format!("{latency:.1}^")), is_best, "{latency} in {marked}");
    }
}

#[test]
fn figures_keep_the_digits_they_were_recorded_with() {
    let csv = Dlbench::on_miniature().ok(&["query", "epoch-s>0", "-f", "csv"]);
    assert!(csv.contains(",7.25,0.910,"), "{csv}");
}

#[test]
fn half_precision_takes_in_mixed_precision_and_says_so() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.answer("fp16");
    assert_eq!(answer["total"], 5);
    assert_eq!(answer["question"], "precision:fp16 ask:lookup");
    assert_eq!(notes(&answer, "mixed-precision").len(), 1, "{}", answer["remarks"]);

    let answer = dlbench.answer("amp-fp16");
    assert_eq!((&answer["total"], &answer["read_as"][0]["values"]), (&json!(1), &json!(["amp-fp16"])));
}

#[test]
fn a_family_means_all_its_members_and_a_member_only_itself() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.answer("nova");
    assert_eq!(answer["total"], 8);
    assert_eq!(answer["read_as"][0]["values"], json!(["nova-100"]));
    assert_eq!(texts(&answer["catalog"]["devices"], "id"), ["nova-100", "nova-100-16gb", "nova-100-32gb"]);
    assert_eq!(notes(&answer, "family").len(), 1, "rows that name the family could be any of its SKUs");

    let answer = dlbench.answer("nova-100-16gb");
    assert_eq!((&answer["total"], &answer["read_as"][0]["how"]), (&json!(1), &json!("exact")));
    assert!(notes(&answer, "family").is_empty());

    assert_eq!(dlbench.answer("deepnet")["total"], 10);
    assert_eq!(dlbench.answer("deepnet-101")["total"], 2);
}

#[test]
fn a_framework_is_found_in_front_and_as_backend() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.answer("gridflow firelight");
    assert_eq!(answer["total"], 1, "words about frameworks hold together where a row can have both");
    assert_eq!(answer["measurements"][0]["framework"], "gridflow");
    assert_eq!(answer["measurements"][0]["backend"], "firelight");
}

#[test]
fn the_answer_joins_numbers_and_facts() {
    let answer = Dlbench::on_miniature().answer("gridflow eval fp16");
    let catalog = &answer["catalog"];
    let framework = &catalog["frameworks"][0];
    assert_eq!(framework["license"], "Apache-2.0");
    assert_eq!(framework["core_languages"], json!(["C++"]));
    assert_eq!(framework["multi_server"], true);
    assert_eq!(framework["network_tested"], json!({ "deepnet-50": false }), "it tested DeepNet-101 alone");
    assert_eq!(framework["dataset_tested"], json!({ "tiny-pictures": false }));
    assert_eq!(catalog["devices"][1]["memory_gib"], 16);
    assert_eq!(catalog["hardware_classes"][0]["grades"]["energy-efficiency"]["grade"], "moderate");
    assert_eq!(texts(&catalog["sources"], "id"), ["invented-2020"]);

    let tested = Dlbench::on_miniature().answer("firelight eval fp16");
    let framework = &tested["catalog"]["frameworks"][0];
    assert_eq!(framework["network_tested"], json!({ "deepnet-50": true }), "tested with its family");
}

#[test]
fn a_slip_is_read_as_the_nearest_name_and_said() {
    let dlbench = Dlbench::on_miniature();
    let answer = dlbench.answer("depnet50 nova");
    assert_eq!(answer["total"], 7);
    assert_eq!(
        answer["read_as"][0],
        json!({ "text": "depnet50", "from": 0, "to": 8, "facet": "network", "values": ["deepnet-50"], "how": "nearest" })
    );
    assert_eq!(notes(&answer, "read-as-nearest"), ["`depnet50` was read as `deepnet-50`, the nearest name."]);
    assert!(dlbench.ok(&["query", "depnet50 nova"]).contains("depnet50 = network deepnet-50 (nearest name)"));

    assert_eq!(dlbench.answer("deepnet51")["read_as"][0]["how"], "unread-subject", "another number is not a slip");
}

#[test]
fn filters_narrow_the_answer() {
    let dlbench = Dlbench::on_miniature();
    for (question, total) in [
        ("device:nova-100", 8),
        ("device:nova-100-16gb,weave-9", 3),
        ("class:fpga", 2),
        ("batch>=32", 2),
        ("batch>16", 2),
        ("batch<=1", 1),
        ("batch:16", 5),
        ("batch=16", 5),
        ("batch:8..64", 6),
        ("batch_size:..1", 1),
        ("latency<20", 2),
        ("latency-ms:10..12.5", 2),
        ("throughput>1000", 2),
        ("-framework:gridflow", 7),
        ("framework:firelight,gridflow", 8),
        ("stage:train,eval", 10),
        ("stage:train -precision:fp16", 1),
        ("stage:train -fp16", 1),
        ("license:apache-2.0", 3),
        ("multi-server:yes", 3),
        ("multi-server:no", 5),
        ("language:java", 3),
        ("year:2018", 2),
        ("year:2019", 1),
        ("year>=2020", 7),
        ("year:2018..2019", 3),
        ("outcome:oom", 1),
        ("source:imagined-2018", 2),
        ("status:reported", 10),
        ("status:measured", 0),
        ("(int8 OR oom)", 3),
        ("(weave OR nova) deepnet-101", 2),
        ("int8 OR oom", 3),
        ("nova (eval fp32 OR train fp16 -amp-fp16)", 4),
        ("-(train OR int8)", 4),
        ("\"beside a snowdrift\"", 1),
        ("\"snowdrift a beside\"", 0),
        ("deepnet -\"beside a snowdrift\"", 9),
        ("-text:snowdrift", 9),
        ("text:snowdrift", 1),
        ("text:snowdrift,weave", 3),
        ("fp16 OR the", 5),
        ("device:\"nova 100\" eval", 4),
        ("deepnet50 sort:latency", 8),
    ] {
        assert_eq!(dlbench.answer(question)["total"], total, "{question}");
    }
}

#[test]
fn a_question_may_begin_with_what_it_leaves_out() {
    let dlbench = Dlbench::on_miniature();
    let ran = dlbench.run(&["query", "-framework:gridflow deepnet50", "-f", "csv"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 1 + 5), "{ran:#?}");
    let ran = dlbench.run(&["query", "-f", "csv", "deepnet50", "-framework:gridflow"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 1 + 5), "{ran:#?}");
}

#[test]
fn the_order_is_the_one_asked_for_and_rows_without_a_value_come_last() {
    let dlbench = Dlbench::on_miniature();
    let latencies = |question: &str| -> Vec<Option<f64>> {
        let answer = dlbench.answer(question);
        let measurements = answer["measurements"].as_array().unwrap();
        measurements.iter().map(|m| m["metrics"]["latency_ms"].as_f64()).collect()
    };
    let known = [10.0, 12.5, 21.5, 33.3, 40.0].map(Some);
    let unknown = [None; 5];
    assert_eq!(latencies("deepnet sort:latency"), [known, unknown].concat());
    let mut reversed = known;
    reversed.reverse();
    assert_eq!(latencies("sort:-latency deepnet"), [reversed, unknown].concat());
}

#[test]
fn a_mistake_in_the_question_is_told_with_its_place() {
    let dlbench = Dlbench::on_miniature();
    let mut told = String::new();
    for question in [
        "nova (eval",
        "nova) eval",
        "nova \"deep net",
        "nova OR",
        "stage:",
        "nova framwork:firelight",
        "nova device:nova-200",
        "batch>=many",
        "year:twenty",
        "sort:latncy nova",
        "device>3",
        "precision:fp61",
        "größe:3 batch>",
    ] {
        let Ran { stdout, stderr, code } = dlbench.run(&["query", question]);
        assert_eq!((stdout.as_str(), code), ("", 2), "{question}");
        assert!(stderr.contains('^'), "{question}: {stderr}");
        told.push_str(&stderr);
        told.push('\n');
    }
    insta::assert_snapshot!(told);
}

#[test]
fn an_empty_answer_names_the_word_that_emptied_it_and_questions_nearby() {
    let dlbench = Dlbench::on_miniature();
    let ran = dlbench.run(&["query", "nova int8 zebra"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));

    let ran = dlbench.run(&["query", "nova \"zebra\""]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stdout);

    let answer = dlbench.answer("nova \"zebra\"");
    assert_eq!((&answer["total"], &answer["measurements"]), (&json!(0), &json!([])));
    assert!(notes(&answer, "relaxed")[0].contains("zebra"), "{}", answer["remarks"]);
    assert_eq!(answer["suggestions"], json!([{ "query": "device:nova-100 ask:lookup", "total": 8 }]));
    assert_eq!(dlbench.run(&["query", "nova \"zebra\"", "-f", "json"]).code, 1);

    // If the subject is known, an unknown word does not stop the answer; it is reported.
    let answer = dlbench.answer("nova zebra");
    assert_eq!(answer["unread"], json!(["zebra"]));
}

#[test]
fn every_suggestion_finds_what_it_says() {
    let dlbench = Dlbench::on_miniature();
    for question in [
        "nova \"zebra\"",
        "\"beside a snowdrift\" gridflow",
        "\"snowdrift beside\" deepnet",
        "nova -framework:firelight \"snowdrift\" batch>=16",
        "(weave OR oom) fp32",
    ] {
        let answer = dlbench.answer(question);
        assert_eq!(answer["total"], 0, "{question}");
        let suggestions = answer["suggestions"].as_array().unwrap();
        assert!(!suggestions.is_empty(), "{question}: {}", answer["remarks"]);
        for suggestion in suggestions {
            let asked = dlbench.answer(suggestion["query"].as_str().unwrap());
            assert_eq!(asked["total"], suggestion["total"], "{question}: {suggestion}");
        }
    }
}

#[test]
fn a_suggested_question_can_be_pasted_into_a_shell() {
    let dlbench = Dlbench::on_miniature();
    let stopped = dlbench.run(&["query", "(weave OR oom) batch>=16 flubberwock9"]).stdout;
    let stopped = stopped.replace('\n', " ");
    assert!(stopped.contains("'batch-size>=16 (device:weave-9 OR outcome:oom)'"), "{stopped}");
}

#[test]
fn a_question_that_only_the_catalog_can_answer_is_answered() {
    let dlbench = Dlbench::on_miniature();
    let ran = dlbench.run(&["query", "apache java fpga"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let answer = dlbench.answer("apache java fpga");
    assert_eq!(texts(&answer["catalog"]["frameworks"], "id"), ["gridflow"]);
}

#[test]
fn csv_holds_the_measurements_with_every_field_that_one_of_them_has() {
    let dlbench = Dlbench::on_miniature();
    let csv = dlbench.ok(&["query", "deepnet", "-f", "csv"]);
    insta::assert_snapshot!(csv);
}

#[test]
fn markdown_holds_numbers_facts_sources_and_notes() {
    let markdown = Dlbench::on_miniature().ok(&["query", "fp16 N100 deepnet50", "-f", "markdown"]);
    insta::assert_snapshot!(markdown);
}

#[test]
fn pages_make_up_the_whole() {
    let dlbench = Dlbench::on_miniature();
    let page = |args: &[&str]| -> (u64, Vec<String>) {
        let answer = dlbench.json(&[&["query", "deepnet", "-f", "json"], args].concat());
        let ids = texts(&answer["measurements"], "id").into_iter().map(str::to_owned).collect();
        (answer["total"].as_u64().unwrap(), ids)
    };
    let (total, all) = page(&["--all"]);
    assert_eq!((total, all.len()), (10, 10));
    let mut pages = Vec::new();
    for offset in ["0", "4", "8"] {
        let (total, ids) = page(&["--limit", "4", "--offset", offset]);
        assert_eq!(total, 10);
        pages.extend(ids);
    }
    assert_eq!(pages, all);
    assert_eq!(page(&["--offset", "10"]), (10, vec![]));
    assert_eq!(page(&["--offset", "18446744073709551615"]), (10, vec![]));
    assert_eq!(page(&["--limit", "0"]), (10, vec![]));

    let text = dlbench.ok(&["query", "deepnet", "--limit", "4", "--offset", "4"]);
    assert!(text.contains("10 measurements, 5 to 8 shown (--limit, --offset, --all)"), "{text}");
    assert_eq!(dlbench.run(&["query", "deepnet", "--all", "--limit", "3"]).code, 2);
}

#[test]
fn the_facts_of_a_page_are_those_of_the_whole_answer() {
    let dlbench = Dlbench::on_miniature();
    let page = dlbench.json(&["query", "deepnet", "-f", "json", "--limit", "1"]);
    let whole = dlbench.json(&["query", "deepnet", "-f", "json", "--all"]);
    assert_eq!(page["catalog"], whole["catalog"]);
}

#[test]
fn explaining_says_how_each_word_was_read() {
    let ran = Dlbench::on_miniature().run(&[
        "query",
        "--explain",
        "--limit=1",
        "depnet50 n100 (eval OR oom) -framework:gridflow batch>=16",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let (_, explanation) = ran.stdout.split_once("How it was read").expect("an explanation at the end");
    insta::assert_snapshot!(explanation);
}

#[test]
fn an_exclusion_leaves_the_rest() {
    let text =
        Dlbench::on_miniature().ok(&["query", "--explain", "--limit=1", "deepnet -framework:gridflow -text:snowdrift"]);
    let (_, explanation) = text.split_once("Rows of each part").expect("an explanation at the end");
    let leaves = |words: &str| {
        let line = explanation.lines().find(|line| line.starts_with(words));
        line.and_then(|line| line.split_whitespace().last()).unwrap_or_default().to_owned()
    };
    assert_eq!(
        (leaves("network:deepnet").as_str(), leaves("-framework:gridflow").as_str()),
        ("10", "7"),
        "{explanation}"
    );
    assert_eq!(leaves("-text:snowdrift"), "9", "{explanation}");
}

#[test]
fn an_explanation_leaves_the_result_for_programs_alone() {
    let dlbench = Dlbench::on_miniature();
    for format in ["json", "csv", "markdown"] {
        let plain = dlbench.run(&["query", "fp16 nova", "-f", format]);
        let explained = dlbench.run(&["query", "fp16 nova", "-f", format, "--explain"]);
        assert_eq!(plain.stdout, explained.stdout);
        assert!(
            explained.stderr.contains("precision:fp16 device:nova-100 ask:lookup"),
            "{format}: {}",
            explained.stderr
        );
    }
}

#[test]
fn the_question_in_filters_finds_the_same() {
    let dlbench = Dlbench::on_miniature().columns(10_000);
    for question in [
        "fp16 N100 deepnet50",
        "nova",
        "depnet50",
        "apache java",
        "gridflow firelight",
        "\"beside a snowdrift\"",
        "(weave OR nova) deepnet-101",
        "int8 OR oom",
        "-fp16 -framework:gridflow",
        "-(train OR int8)",
        "-(-text:deepnet batch>=16)",
        "batch>=16 latency:10..30",
        "year:2018..2019",
        "multi-server cost 2020",
        "class:fpga,gpu -weave",
        "device:\"nova 100 16gb\"",
        "imagined-2018 text:weave",
        "deepnet sort:-latency",
        "sort:batch deepnet",
    ] {
        let ran = dlbench.run(&["query", "--all", "-f", "json", "--explain", "--", question]);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        let same = answer["question"].as_str().unwrap();
        let again = dlbench.answer(same);
        assert_eq!(again["total"], answer["total"], "{question} -> {same}");
        assert_eq!(again["measurements"], answer["measurements"], "{question} -> {same}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_asked_the_question_in_filters_finds_the_same(question in question()) {
        let ask = |question: &str| with_miniature(|kb| kb.query_page(question, &Page::of(0, usize::MAX)));
        // The canonical form omits unread words.
        if let Some(answer) = ask(&question).ok().filter(|answer| !answer.is_stopped) {
            let again = ask(&answer.question);
            let again = match again {
                Ok(again) => again,
                Err(error) => return Err(TestCaseError::fail(format!("{question} -> {}: {error}", answer.question))),
            };
            let ids = |measurements: &[_]| -> BTreeSet<String> {
                measurements.iter().map(|m: &dlbench::rows::JoinedRow| m.id().to_owned()).collect()
            };
            prop_assert_eq!(ids(&again.measurements), ids(&answer.measurements), "{} -> {}", question, answer.question);
        }
    }

    #[test]
    fn no_question_panics(question in "[ -~\u{1b}äé\u{202e}]{0,24}") {
        let _ = with_miniature(|kb| kb.query(&question));
    }
}

#[test]
fn where_an_alternative_is_left_out_the_others_exclude_as_before() {
    let ask =
        |question: &str| with_miniature(|kb| kb.query_page(question, &Page::of(0, usize::MAX)).expect("an answer"));
    let answer = ask("(-deepnet50 OR text:deepnet)");
    assert_eq!((answer.question.as_str(), answer.total), ("(-network:deepnet-50 OR text:deepnet) ask:lookup", 2));
    assert_eq!(ask(&answer.question).total, 2);
    let bounded = ask("(text:deepnet OR batch>=16)");
    assert_eq!(ask(&bounded.question).total, bounded.total, "{}", bounded.question);
}

/// A random question of words, filters, groups and negations that have a meaning in the miniature.
fn question() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "fp16",
        "amp-fp16",
        "nova",
        "N100 16gb",
        "deepnet50",
        "depnet101",
        "deepnet",
        "firelight",
        "gridflow",
        "weave 9",
        "apache",
        "c++",
        "java",
        "gpu",
        "fpga",
        "train",
        "oom",
        "zebra",
        "snowdrift",
        "beside",
        "the",
        "multi-server",
        "images per joule",
        "image-classification",
        "nimbus.large",
        "\"a snowdrift\"",
        "batch>=16",
        "latency:..30",
        "throughput>=200",
        "year:2018..2019",
        "2019",
        "device:nova,weave-9",
        "license:\"apache 2.0\",bsd",
        "text:deepnet",
        "source:invented-2020",
        "power",
        "sort:-latency",
        "()",
    ]);
    let leaf = (any::<bool>(), part).prop_map(|(negated, part)| match part.split_once(' ') {
        None if negated => format!("-{part}"),
        _ => part.to_owned(),
    });
    leaf.prop_recursive(2, 12, 3, |inner| {
        let sequence = prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.join(" "));
        let group = (any::<bool>(), prop::collection::vec(inner, 1..3))
            .prop_map(|(negated, parts)| format!("{}({})", if negated { "-" } else { "" }, parts.join(" OR ")));
        prop_oneof![sequence, group]
    })
}

/// The miniature knowledge base in this process, opened once for all cases.
fn with_miniature<T>(ask: impl FnOnce(&KnowledgeBase) -> T) -> T {
    thread_local! {
        static CACHE: tempfile::TempDir = tempfile::TempDir::new().unwrap();
        static KB: KnowledgeBase =
            CACHE.with(|cache| KnowledgeBase::open_with_cache(miniature_kb(), cache.path()).unwrap());
    }
    KB.with(ask)
}

#[test]
fn control_characters_in_a_question_never_reach_the_terminal() {
    let dlbench = Dlbench::on_miniature();
    let hostile = "nova \u{1b}[31mred\u{7} \u{9b}2J \u{202e}back \r over";
    for format in ["table", "markdown", "csv", "json"] {
        for more in ["", "--explain"] {
            for color in ["never", "always"] {
                let mut args = vec!["query", hostile, "-f", format, "--color", color];
                args.extend((!more.is_empty()).then_some(more));
                let ran = dlbench.run(&args);
                assert_harmless(&ran, &args);
            }
        }
    }
    for question in
        ["nova \u{1b}[31m (", "nova device:\u{1b}[31m", "\u{1b}]0;title\u{7}:x", "\u{202e}:x", "\u{9b}31m (nova"]
    {
        let args = ["query", question];
        let ran = dlbench.run(&args);
        assert_ne!(ran.code, 0, "{ran:#?}");
        assert_harmless(&ran, &args);
    }
    for args in [["show", "device", "\u{1b}[31m"], ["table", "hardware", "--as-reported=\u{1b}[31m\u{9b}"]] {
        assert_harmless(&dlbench.run(&args), &args);
    }
}

/// An escape may only start one of the program's own styles (bold, dim, colours, reset).
fn assert_harmless(ran: &Ran, args: &[&str]) {
    for text in [&ran.stdout, &ran.stderr] {
        let is_ours = |sequence: &str| {
            let style = sequence.strip_prefix('[').and_then(|rest| rest.split_once('m')).map(|(codes, _)| codes);
            style.is_some_and(|codes| codes.len() <= 8 && codes.chars().all(|c| c.is_ascii_digit() || c == ';'))
        };
        let always = args.contains(&"always");
        for (at, _) in text.match_indices('\u{1b}') {
            let sequence = &text[at + 1..];
            assert!(always && is_ours(sequence) && !sequence.contains("red\n"), "{args:?}: {text:?}");
        }
        assert!(!text.contains("\u{1b}[31mred"), "{args:?}: {text:?}");
        let hidden =
            |c: char| c.is_control() && !matches!(c, '\n' | '\u{1b}') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!text.contains(hidden), "{args:?}: {text:?}");
    }
}

#[test]
fn the_answer_at_80_columns() {
    let text = Dlbench::on_miniature().columns(80).ok(&["query", "fp16 N100 deepnet50"]);
    insta::assert_snapshot!(text);
}

#[test]
fn the_answer_at_200_columns() {
    let text = Dlbench::on_miniature().columns(200).ok(&["query", "deepnet"]);
    insta::assert_snapshot!(text);
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let mut wide = Vec::new();
    for columns in [80, 100, 120, 200] {
        let dlbench = Dlbench::on_miniature().columns(columns);
        for question in ["fp16 N100 deepnet50", "deepnet", "apache java fpga", "nova zebra"] {
            let ran = dlbench.run(&["query", question, "--explain"]);
            let too_wide = ran.stdout.lines().filter(|line| line.chars().count() > columns);
            wide.extend(too_wide.map(|line| format!("{columns} columns, {question}: {line}")));
        }
    }
    assert!(wide.is_empty(), "\n{}", wide.join("\n"));
}

#[test]
fn neither_a_figure_of_many_digits_nor_a_heading_is_broken_in_two() {
    let kb = KbCopy::new();
    let devices = ["nova-100", "nova-100-16gb", "nova-100-32gb", "weave-9"];
    let rows: String = (1..)
        .zip(devices)
        .map(|(row, device)| {
            let batch = 16 * row;
            format!(
                "\n[[run]]\nstage = \"forward\"\nprecision = \"bf16\"\nbatch-size = {batch}\nlatency-ms = {row}78.9660930633604\n\
                 label = \"run number {row} of a long label\"\nkernel-library = \"library {row}.1\"\nlayout = \"layout {row}\"\n\
                 device = \"{device}\"\ndevice-count = {row}\nframework-version = \"1.2.{row}-post{row}\"\nthreads = {row}\n"
            )
        })
        .collect();
    kb.append("measurements/invented-2020/nova.toml", &rows);
    for columns in [80, 100] {
        let text = kb.dlbench().columns(columns).ok(&["query", "bf16"]);
        let figures: Vec<f64> =
            text.split_whitespace().filter_map(|word| word.trim_end_matches(['*', '^']).parse().ok()).collect();
        for row in 1..=4 {
            let latency = f64::from(row) * 100.0 + 78.966;
            for figure in [latency, f64::from(16 * row * row) * 1000.0 / latency] {
                let shown = figures.iter().any(|shown| (shown / figure - 1.0).abs() < 1e-3);
                assert!(shown, "{figure} cannot be read at {columns} columns:\n{text}");
            }
        }
        let broken = text.split_whitespace().find(|word| word.len() > 1 && "9660930633604".ends_with(word));
        assert_eq!(broken, None, "the end of a figure at {columns} columns:\n{text}");
        for heading in ["device", "framework", "batch", "latency", "images/s"] {
            let whole = text.split_whitespace().any(|word| word == heading);
            assert!(whole, "the heading {heading} is broken at {columns} columns:\n{text}");
        }
    }
}

#[test]
fn a_question_of_no_words_shows_what_can_be_asked() {
    let ran = Dlbench::on_miniature().run(&["query"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.starts_with("Ask 10 measurements from 2 sources"), "{}", ran.stdout);
}

#[test]
fn colour_is_used_only_where_it_is_wanted() {
    let dlbench = Dlbench::on_miniature();
    let question = ["query", "nova"];
    assert!(!dlbench.run(&question).stdout.contains('\u{1b}'));
    assert!(dlbench.run(&[&question[..], &["--color", "always"]].concat()).stdout.contains("\u{1b}[1m"));
    assert!(!dlbench.run(&[&question[..], &["--color", "never"]].concat()).stdout.contains('\u{1b}'));
    let piped = dlbench.command(&question).env_remove("NO_COLOR").output().unwrap();
    assert!(!piped.stdout.contains(&0x1b), "a pipe is not a terminal");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let dlbench = Dlbench::on_miniature();
    dlbench.ok(&["index"]);
    for args in [["query", "deepnet"].as_slice(), &["query", "deepnet", "-f", "json"], &["list", "metrics"]] {
        let mut child = dlbench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_knowledge_base_is_named_or_found_above() {
    let named = Dlbench::on("/nowhere");
    let kb = miniature_kb();
    let count = |ran: Ran| {
        let status: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
        status["measurements"].as_u64()
    };
    let status = ["index", "--status", "-f", "json"];
    let flag = [&status[..], &["--kb", kb.to_str().unwrap()]].concat();
    assert_eq!(count(named.run(&flag)), Some(10), "--kb comes before DLBENCH_KB");

    let below = kb.join("catalog/devices");
    let output = named.command(&status).env_remove("DLBENCH_KB").current_dir(below).output().unwrap();
    assert_eq!(count(named.ran(output)), Some(10), "the nearest folder above");
}

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap_or_else(|| panic!("no object: {object}")).keys().map(String::as_str).collect()
}
