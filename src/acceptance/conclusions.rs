//! Conclusions on the real knowledge base, recomputed independently from the rows that the same questions find: keys of all fields
//! that decide comparability, medians of equal keys, ratios and their geometric mean.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::real_kb::on_repository;

/// Fields of a row that do not affect comparability.
const CIRCUMSTANCES: &[&str] = &[
    "id",
    "source",
    "metrics",
    "derived",
    "best",
    "framework_raw",
    "device_raw",
    "network_raw",
    "dataset_raw",
    "instance",
    "host",
    "data",
    "label",
    "cuda",
    "cudnn",
    "driver",
    "os",
    "container",
    "software",
    "availability",
    "date",
    "status",
    "statistic",
    "n",
    "lowest",
    "highest",
    "std_deviation",
    "protocol",
    "outcome",
    "standing",
    "standing_reason",
    "replaced_by",
    "evidence",
    "evidence_lacks",
    "caveats",
    "notes",
    "epochs",
    "batch_size",
    "batch_size_global",
];

/// The key of a row: all fields that decide comparability, except the compared ones. `None` for percentiles and with a `standing`.
fn key(row: &Value, compared: &[&str]) -> Option<String> {
    let statistic = row["statistic"].as_str().unwrap_or("mean");
    if !["mean", "median", "single"].contains(&statistic) || !row["standing"].is_null() {
        return None;
    }
    let fields = row.as_object()?.iter().filter(|(field, value)| {
        !value.is_null() && !CIRCUMSTANCES.contains(&field.as_str()) && !compared.contains(&field.as_str())
    });
    let mut key: BTreeMap<&str, String> = fields.map(|(field, value)| (field.as_str(), value.to_string())).collect();
    if !compared.contains(&"batch_size") {
        let (global, devices) = (row["batch_size_global"].as_i64(), row["device_count"].as_i64());
        let of_one =
            row["batch_size"].as_i64().or_else(|| Some(global? / devices.filter(|n| global.unwrap() % n == 0)?));
        key.insert("batch", format!("{of_one:?} of {:?}", global.filter(|_| of_one.is_none())));
    }
    Some(format!("{key:?}"))
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

/// The values of a metric, grouped by key and by the side that a function assigns to the row.
fn grouped(
    rows: &[Value],
    metric: &str,
    compared: &[&str],
    side: impl Fn(&Value) -> Option<String>,
) -> BTreeMap<String, BTreeMap<String, Vec<f64>>> {
    let mut groups: BTreeMap<String, BTreeMap<String, Vec<f64>>> = BTreeMap::new();
    for row in rows {
        let Some(value) = row["metrics"][metric].as_f64() else { continue };
        if let (Some(key), Some(side)) = (key(row, compared), side(row)) {
            groups.entry(key).or_default().entry(side).or_default().push(value);
        }
    }
    groups
}

fn rows(answer: &Value) -> Vec<Value> {
    answer["measurements"].as_array().expect("rows").clone()
}

fn entries<'a>(answer: &'a Value, quantity: &str) -> Vec<&'a Value> {
    let entries = answer["conclusion"]["entries"].as_array().expect("entries");
    entries.iter().filter(|entry| entry["quantity"] == quantity).collect()
}

/// Whether two numbers agree to the precision of entries.
fn agree(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 2e-3
}

/// The values of a side, by the mode in which they were measured.
fn by_mode<'s>(sides: &'s BTreeMap<String, Vec<f64>>, side: &str) -> BTreeMap<&'s str, &'s Vec<f64>> {
    let of = sides.iter().filter_map(|(name, values)| Some((name.split_once('\n')?, values)));
    of.filter(|((name, _), _)| *name == side).map(|((_, mode), values)| (mode, values)).collect()
}

/// Ratios within equal modes; if there are none, the ratio of each side's mode with the highest throughput.
fn ratios_by_mode(own: &BTreeMap<&str, &Vec<f64>>, other: &BTreeMap<&str, &Vec<f64>>) -> Vec<f64> {
    let alike = own.iter().filter_map(|(mode, values)| Some(median(values) / median(other.get(mode)?)));
    let alike: Vec<f64> = alike.collect();
    let highest = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best =
        |of: &BTreeMap<&str, &Vec<f64>>| of.values().copied().max_by(|a, b| highest(a).total_cmp(&highest(b))).cloned();
    match (alike.is_empty(), best(own), best(other)) {
        (true, Some(own), Some(other)) => vec![median(&own) / median(&other)],
        _ => alike,
    }
}

#[test]
fn a_comparison_is_the_geometric_mean_over_rows_that_are_alike_in_all_else() {
    let dlbench = on_repository();
    for (question, field, subject, baseline, also) in [
        ("T4 vs V100 source:nvidia-dle-2024", "device", "tesla-v100", "tesla-t4", &[][..]),
        (
            "pytorch vs tensorflow throughput source:nvidia-dle-2024",
            "framework",
            "pytorch",
            "tensorflow",
            &["framework_version", "backend", "backend_version", "api_language", "kernel_library", "mode"],
        ),
    ] {
        let answer = dlbench.answer(question);
        let compared: Vec<&str> = [field].iter().chain(also).copied().collect();
        // A SKU counts for the side of its family.
        let side = |row: &Value| {
            let named = row[field].as_str()?;
            let family = [subject, baseline].into_iter().find(|side| field == "device" && named.starts_with(side));
            Some(family.unwrap_or(named).to_owned())
        };
        // Each stage has its own headline: one number over training and inference would describe neither.
        let mut stages = BTreeSet::new();
        for headline in entries(&answer, "speed-up") {
            let stage = &headline["under"]["stage"];
            if !stages.insert(stage.to_string()) {
                continue;
            }
            let of_stage: Vec<Value> =
                rows(&answer).into_iter().filter(|row| stage.is_null() || row["stage"] == *stage).collect();
            // A framework chooses how it executes a network, but runs in different modes are not repetitions.
            let mode = |row: &Value| if field == "framework" { row["mode"].to_string() } else { String::new() };
            let side_and_mode = |row: &Value| Some(format!("{}\n{}", side(row)?, mode(row)));
            let groups = grouped(&of_stage, "throughput_per_s", &compared, side_and_mode);
            let ratios: Vec<f64> = groups
                .values()
                .flat_map(|sides| ratios_by_mode(&by_mode(sides, subject), &by_mode(sides, baseline)))
                .collect();
            assert!(ratios.len() >= 10, "{question}: only {} pairs", ratios.len());
            let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
            let told = (headline["value"].as_f64().unwrap(), headline["n"].as_u64().unwrap() as usize);
            assert_eq!(told.1, ratios.len(), "{question}: {mean} {headline}");
            assert!(agree(told.0, mean), "{question}: {mean} {headline}");
            assert_eq!(headline["subjects"][field], subject);
            assert_eq!(headline["baseline"][field], baseline);
        }
    }
}

#[test]
fn what_a_comparison_rests_on_is_named_pair_by_pair() {
    let answer = on_repository().answer("T4 vs V100 source:nvidia-dle-2024");
    let by_id: BTreeMap<String, Value> =
        rows(&answer).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    for entry in entries(&answer, "speed-up") {
        let ids: Vec<&str> = entry["measurements"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(!ids.is_empty() && ids.len().is_multiple_of(2), "{entry}");
        for pair in ids.chunks(2) {
            let (own, other) = (&by_id[pair[0]], &by_id[pair[1]]);
            assert!(own["device"].as_str().is_some_and(|device| device.starts_with("tesla-v100")), "{own}");
            assert_eq!(other["device"], "tesla-t4");
            assert_eq!(key(own, &["device"]), key(other, &["device"]), "{pair:?}");
        }
    }
}

#[test]
fn a_ranking_has_one_line_for_each_candidate_with_what_was_measured_of_it() {
    let answer = on_repository().answer("fastest gpu training resnet50 source:lambdal-2025");
    let lines = entries(&answer, "speed-up");
    assert!(lines.len() > 5, "{}", lines.len());
    let names: BTreeSet<&str> = lines.iter().filter_map(|line| line["subjects"]["device"].as_str()).collect();
    assert_eq!(names.len(), lines.len(), "one line each");
    let number = |line: &Value, key: &str| line[key].as_f64().unwrap();
    assert!(lines.windows(2).all(|pair| number(pair[0], "value") >= number(pair[1], "value")));
    assert!(lines.windows(2).all(|pair| pair[0]["rank"].as_u64() <= pair[1]["rank"].as_u64()));
    assert!(lines[1..].iter().all(|line| {
        let ratio = number(line, "value");
        number(line, "low") < ratio && ratio < number(line, "high") && line["measurers"].as_u64() >= Some(1)
    }));
    // The measured value is that of the row it names.
    let by_id = by_id(&answer);
    for line in &lines {
        let row = &by_id[line["measurements"][0].as_str().unwrap()];
        assert_eq!(line["measured"]["quantity"], "throughput-per-s");
        assert!(agree(number(&row["metrics"], "throughput_per_s"), number(&line["measured"], "value")), "{line}");
    }
}

#[test]
fn scaling_is_held_against_one_device_that_is_alike_in_all_else() {
    let answer = on_repository().answer("2080 ti multi gpu scaling source:lambdal-2025");
    let count = |row: &Value| row["device_count"].as_i64().map(|count| count.to_string());
    // The question finds rows of several devices; those of one device are found without `multi gpu`.
    let all = on_repository().answer("2080 ti source:lambdal-2025");
    let groups = grouped(&rows(&all), "throughput_per_s", &["device_count"], count);
    let told = entries(&answer, "scaling-efficiency");
    assert!(!told.is_empty());
    for entry in told.into_iter().filter(|entry| entry["under"]["device"] == "geforce-rtx-2080-ti") {
        let count = entry["subjects"]["device-count"].as_i64().unwrap();
        let efficiencies: Vec<f64> = groups
            .values()
            .filter_map(|counts| {
                Some(median(counts.get(&count.to_string())?) / median(counts.get("1")?) / count as f64)
            })
            .collect();
        let mean = (efficiencies.iter().map(|value| value.ln()).sum::<f64>() / efficiencies.len() as f64).exp();
        assert_eq!(entry["n"].as_u64().unwrap() as usize, efficiencies.len(), "{count} devices");
        assert!(agree(entry["value"].as_f64().unwrap(), mean), "{count} devices: {mean} {entry}");
    }
}

#[test]
fn the_better_side_is_named_first_whatever_the_order_of_the_question() {
    for question in ["rtx 3090 vs 4090 for training", "rtx 4090 vs 3090 for training"] {
        let answer = on_repository().first_page(question);
        let headline = entries(&answer, "speed-up")[0];
        assert_eq!(headline["subjects"]["device"], "geforce-rtx-4090", "{question}: {headline}");
        assert!(headline["value"].as_f64().is_some_and(|ratio| ratio > 1.0), "{question}: {headline}");
    }
}

#[test]
fn where_nothing_pairs_the_nearest_numbers_of_both_sides_are_told() {
    let answer = on_repository().answer("mi300x vs b200 llama 2 70b tokens/s");
    let by_id: BTreeMap<String, Value> =
        rows(&answer).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    let told = entries(&answer, "throughput-per-s");
    let devices: Vec<&str> = told.iter().filter_map(|entry| entry["subjects"]["device"].as_str()).collect();
    assert_eq!(devices[..2], ["instinct-mi300x", "b200"]);
    for entry in told {
        let row = &by_id[entry["measurements"][0].as_str().unwrap()];
        let value = row["metrics"]["throughput_per_s"].as_f64().unwrap();
        assert!(agree(entry["value"].as_f64().unwrap(), value), "{entry}");
    }
}

#[test]
fn the_cheapest_training_to_a_target_is_that_of_the_lowest_time_times_price() {
    let answer = on_repository().answer("cheapest way to train imagenet to 93% top5");
    let all = on_repository().answer("dataset:imagenet-1k stage:train source:dawnbench-2020");
    let cost = |row: &Value| {
        Some(row["metrics"]["time_to_accuracy_s"].as_f64()? * row["price_usd_per_hour"].as_f64()? / 3600.0)
    };
    let mut costs: Vec<f64> = rows(&all).iter().filter_map(cost).collect();
    costs.sort_by(f64::total_cmp);
    assert!(costs.len() > 10, "only {} rows state a price", costs.len());
    let told = entries(&answer, "cost-to-accuracy-usd");
    let values: Vec<f64> = told.iter().filter_map(|entry| entry["value"].as_f64()).collect();
    assert!(agree(values[0], costs[0]), "{values:?} {costs:?}");
    assert!(values.windows(2).all(|pair| pair[0] <= pair[1]), "{values:?}");
}

#[test]
fn what_is_asked_per_watt_is_derived_from_the_tdp_where_no_power_was_measured() {
    let answer = on_repository().answer("images per second per watt rtx a6000 vs a4000");
    let all = on_repository().answer("device:rtx-a6000,rtx-a4000");
    let by_id: BTreeMap<String, Value> =
        rows(&all).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    let per_joule = |id: &str| {
        let row = &by_id[id];
        // The boards draw at most 300 W and 140 W.
        let watts = if row["device"] == "rtx-a6000" { 300.0 } else { 140.0 };
        row["metrics"]["throughput_per_s"].as_f64().unwrap() / (watts * row["device_count"].as_f64().unwrap())
    };
    // After the headline, typical pairs come first and extreme ones last.
    let headline = entries(&answer, "speed-up")[0];
    let ids: Vec<&str> = headline["measurements"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let ratios: Vec<f64> = ids.chunks(2).map(|pair| per_joule(pair[0]) / per_joule(pair[1])).collect();
    let mean = headline["value"].as_f64().unwrap();
    let apart = |ratio: f64| (ratio / mean).ln().abs();
    assert!(ratios.len() > 3, "{ratios:?}");
    assert!(ratios.windows(2).all(|pair| apart(pair[0]) <= apart(pair[1]) + 2e-3), "{mean} {ratios:?}");
    let (least, most) =
        (ratios.iter().copied().fold(f64::INFINITY, f64::min), ratios.iter().copied().fold(0.0, f64::max));
    assert!(least < mean && mean < most, "{mean} {ratios:?}");
}

#[test]
fn every_condition_of_a_ranking_holds_and_is_told() {
    let answer = on_repository().first_page("fastest gpu for resnet50 with at least 500 images/s");
    let told = entries(&answer, "speed-up");
    assert!(!told.is_empty());
    assert!(told.iter().all(|entry| entry["measured"]["value"].as_f64().unwrap() >= 500.0), "{told:?}");
}

#[test]
fn a_limit_on_what_follows_from_prices_is_applied() {
    let answer = on_repository().first_page("best gpu under 1 dollar per million images");
    let told = entries(&answer, "speed-up");
    assert!(!told.is_empty(), "{}", answer["conclusion"]);
    let measured = |entry: &&Value| entry["measured"]["value"].as_f64().unwrap();
    assert!(told.iter().all(|entry| entry["measured"]["quantity"] == "items-per-dollar" && measured(entry) > 1e6));
}

#[test]
fn who_names_the_device_and_the_network_is_told_the_figures_the_best_first() {
    let answer = on_repository().answer("minimum latency resnet50 on T4");
    let told = entries(&answer, "latency-ms");
    let values: Vec<f64> = told.iter().filter_map(|entry| entry["value"].as_f64()).collect();
    assert!(values.len() > 5 && values.windows(2).all(|pair| pair[0] <= pair[1]), "{values:?}");
    let by_id: BTreeMap<String, Value> =
        rows(&answer).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    let first = &by_id[told[0]["measurements"][0].as_str().unwrap()];
    let same = |row: &&Value| {
        let means = row["statistic"].as_str().is_none_or(|statistic| ["mean", "median", "single"].contains(&statistic));
        means
            && ["network", "stage", "scenario", "division", "input_shape"]
                .iter()
                .all(|field| row[*field] == first[*field])
    };
    let least = by_id.values().filter(same).filter(|row| row["device_count"].as_i64().is_none_or(|n| n == 1));
    let least = least.filter_map(|row| row["metrics"]["latency_ms"].as_f64()).fold(f64::INFINITY, f64::min);
    assert!(agree(values[0], least), "{} {least}", values[0]);
}

#[test]
fn no_share_of_a_peak_above_it_is_ranked() {
    for question in ["best fraction of peak on resnet50", "best fraction of peak", "gpu with the best utilization"] {
        let answer = on_repository().first_page(question);
        let of_evidence: Vec<&Value> =
            entries(&answer, "speed-up").into_iter().map(|entry| &entry["measured"]).collect();
        let told = if of_evidence.is_empty() { entries(&answer, "peak-fraction") } else { of_evidence };
        assert!(!told.is_empty(), "{question}: {}", answer["conclusion"]);
        for entry in told {
            assert!(entry["value"].as_f64().unwrap() <= 1.0, "{question}: {entry}");
        }
    }
}

#[test]
fn a_member_does_not_stand_against_itself_in_its_family() {
    let answer = on_repository().answer("V100S vs V100");
    let by_id: BTreeMap<String, Value> =
        rows(&answer).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
    for entry in entries(&answer, "speed-up") {
        let ids: Vec<&str> = entry["measurements"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for pair in ids.chunks(2) {
            let is_s = |id: &str| by_id[id]["device"] == "tesla-v100s-pcie-32gb";
            assert_ne!(is_s(pair[0]), is_s(pair[1]), "{entry}");
        }
    }
}

#[test]
fn a_form_that_is_said_selects_the_members_of_that_form() {
    let answer = on_repository().answer("A100 SXM vs A100 PCIe resnet50");
    let by_id = by_id(&answer);
    let headline = entries(&answer, "speed-up")[0];
    assert!(answer["conclusion"]["text"].as_str().unwrap().starts_with("A100 SXM is "), "{headline}");
    for (own, other) in pairs(headline, &by_id) {
        assert!(own["device"].as_str().unwrap().contains("sxm"), "{own}");
        assert!(other["device"].as_str().unwrap().contains("pcie"), "{other}");
    }
}

#[test]
fn no_headline_hangs_on_failed_runs_and_the_pairs_first_named_are_typical() {
    let answer = on_repository().answer("vllm vs tensorrt-llm tokens/s same gpu");
    let by_id = by_id(&answer);
    for entry in entries(&answer, "speed-up") {
        let (value, low, high) = (&entry["value"], &entry["low"], &entry["high"]);
        if let (Some(value), Some(low), Some(high)) = (value.as_f64(), low.as_f64(), high.as_f64()) {
            assert!(0.9 * low <= value && value <= 1.1 * high || entry["n"].as_u64().unwrap() < 8, "{entry}");
        }
        for (own, other) in pairs(entry, &by_id) {
            let of = |row: &Value| row["metrics"]["throughput_per_s"].as_f64();
            let Some((own, other)) = of(own).zip(of(other)) else { continue };
            assert!(own / other < 10.0 && other / own < 10.0, "{own} {other} {entry}");
        }
    }
    let headline = entries(&answer, "speed-up")[0];
    let (own, other) = pairs(headline, &by_id)[0];
    let of = |row: &Value| row["metrics"]["throughput_per_s"].as_f64().unwrap();
    let ratio = of(own) / of(other);
    assert!(headline["low"].as_f64().unwrap() <= ratio && ratio <= headline["high"].as_f64().unwrap(), "{ratio}");
}

#[test]
fn what_a_reader_would_take_for_granted_is_said() {
    for (question, said) in [
        ("fastest gpu for llama 70b decode", "more rows are of inference as a whole"),
        ("fastest gpu for llama 70b decode", "and B200, Instinct MI300X"),
        ("cheapest gpu for llm inference per token", "the sources do not say which member of the family ran"),
        ("cheapest gpu for llm inference per token", "Priced by the cheapest recent offer of each device"),
        ("fastest gpu for resnet-50 inference", "L40S 1.11 times GeForce RTX 4090 (2 pairs)"),
        ("cheapest way to train resnet50", "accuracies on different data sets do not compare"),
        ("what is the difference between the P40 and the P4", "Tesla P40 347.1 GB/s, Tesla P4 192.3 GB/s"),
        ("rtx 3060 vs 1080 ti fp32", "Without fp32"),
        ("B200 fp4 tflops", "Fp4 peak of B200: not known"),
        ("which cloud instances have the TPU v5e", "1 instance: ct5lp-hightpu-4t"),
        ("which sources measured power", "ml-energy-2026"),
        ("accelerators with more than 100 GB of HBM", "more state no memory-type"),
        ("fastest tpu for training", "devices compared"),
        ("densenet-121 params vs resnet50", "ResNet-50 25.56 M"),
        ("does llama 3 70b Q4_K_M fit on 2 RTX 4090", "fits 2 GeForce RTX 4090 in Q4_K_M"),
        ("lightgbm V100", "Not found: lightgbm"),
    ] {
        let printed = on_repository().columns(1000).run(&["query", question]).stdout;
        assert!(printed.contains(said), "{question}: {printed}");
    }
    // Every run of this network on an RTX 3070 ran out of memory.
    let cheapest = on_repository().answer("cheapest GPU for llama 3 70b inference");
    let entries = entries(&cheapest, "launch-price-usd");
    assert!(!entries.is_empty() && entries.iter().all(|entry| entry["subjects"]["device"] != "geforce-rtx-3070"));
    // A decoder step is not a whole network.
    let fastest = on_repository().answer("fastest device for whisper");
    assert!(fastest["conclusion"]["entries"][0]["under"].get("component").is_none());
}

#[test]
fn scaling_is_told_of_the_same_setups() {
    let answer = on_repository().first_page("how does resnet50 throughput scale from 1 to 8 gpus?");
    for entry in entries(&answer, "scaling-efficiency") {
        let (value, n) = (entry["value"].as_f64().unwrap(), entry["n"].as_u64().unwrap());
        let within =
            entry["low"].as_f64().zip(entry["high"].as_f64()).is_none_or(|(low, high)| low <= value && value <= high);
        assert!(n < 8 || within || value > 0.5, "a mean far outside its middle half: {entry}");
    }
}

#[test]
fn what_training_takes_over_inference_is_told_where_both_are_named() {
    let answer = on_repository().answer("training vs inference time ratio of vgg");
    let by_id = by_id(&answer);
    let told = entries(&answer, "speed-up");
    for (own, other) in pairs(told[0], &by_id) {
        assert_eq!(own["stage"], told[0]["subjects"]["stage"]);
        assert_eq!(other["stage"], told[0]["baseline"]["stage"]);
        assert_eq!(key(own, &["stage"]), key(other, &["stage"]));
    }
}

/// The rows of an answer by id.
fn by_id(answer: &Value) -> BTreeMap<String, Value> {
    rows(answer).into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect()
}

/// The pairs of measurements that an entry names.
fn pairs<'a>(entry: &'a Value, by_id: &'a BTreeMap<String, Value>) -> Vec<(&'a Value, &'a Value)> {
    let ids: Vec<&str> = entry["measurements"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    ids.chunks(2).map(|pair| (&by_id[pair[0]], &by_id[pair[1]])).collect()
}
