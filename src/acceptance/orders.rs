//! Orders and comparisons on the real knowledge base that are easily misread: peaks, prices, shares, ratios over unlike rows.

use dlbench::ask::answer::Answer;

use crate::real_kb::knowledge_base;

fn ask(question: &str) -> Answer {
    let kb = knowledge_base();
    kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"))
}

/// The quantities, networks and values of entries.
/// By what entries are: what was measured, where the value is a ratio to the first of a ranking.
fn quantities(answer: &Answer) -> Vec<&str> {
    let entries = answer.conclusion.entries.iter();
    entries
        .map(|entry| entry.measured.as_ref().map_or(&entry.quantity, |measured| &measured.quantity).as_str())
        .collect()
}

#[test]
fn what_was_tested_on_a_network_is_ranked_by_its_rows() {
    for question in ["slowest gpu ever tested on vgg16", "fastest framework tested on vgg16"] {
        let answer = ask(question);
        assert!(!answer.conclusion.entries.is_empty(), "{question}");
        for entry in &answer.conclusion.entries {
            let network = entry.under["network"].as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(network.contains("vgg"), "{question}: {network}");
        }
    }
}

#[test]
fn a_bare_peak_is_that_of_the_fastest_units_that_are_known() {
    for question in ["highest fp16 peak", "gpus by fp16 tflops", "which accelerator has the highest bf16 peak"] {
        let answer = ask(question);
        let first = quantities(&answer).first().copied().unwrap_or_default();
        assert!(first.contains("tensor"), "{question}: {}", answer.conclusion.text);
    }
    assert_eq!(quantities(&ask("Which GPU has most HBM today")).first(), Some(&"memory-gib"));
}

#[test]
fn a_rate_for_a_price_or_a_watt_is_ranked_by_it() {
    for (question, expected) in [
        ("gpus ranked by images per second per dollar", &["items-per-dollar", "rate-per-launch-usd"][..]),
        ("tokens/s per watt llama", &["items-per-joule", "items-per-tdp-joule"]),
        ("biggest batch size anyone used for resnet50", &["batch-size"]),
        ("which framework scales best", &["scaling-efficiency", "throughput-per-s"]),
        ("is the T4 cheaper than the V100", &["launch-price-usd", "usd-per-hour"]),
        ("price per hour of p3.2xlarge", &["usd-per-hour"]),
    ] {
        let answer = ask(question);
        let found = quantities(&answer);
        assert!(!found.is_empty() && found.iter().all(|quantity| expected.contains(quantity)), "{question}: {found:?}");
    }
}

#[test]
fn a_share_of_a_peak_is_of_a_peak_that_is_known() {
    let answer = ask("what fraction of H100's peak does ResNet-50 reach");
    assert!(!answer.conclusion.entries.is_empty());
    for entry in &answer.conclusion.entries {
        let precision = [&entry.subjects.get("precision"), &entry.under.get("precision").and_then(Option::as_ref)]
            .into_iter()
            .find_map(|value| value.map(ToString::to_string));
        assert_eq!(entry.quantity, "peak-fraction");
        assert_ne!(precision.as_deref(), Some("fp32"), "TF32 or not is not known");
    }
}
