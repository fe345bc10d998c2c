//! What the real knowledge base lacks: that it does is said first, with what is nearest; and what states nothing is neither taken
//! for what it might be nor dropped in silence. What answers tell is held against other questions.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::real_kb::on_repository;

fn text(answer: &Value) -> String {
    answer["conclusion"]["text"].as_str().expect("a text").to_owned()
}

/// The values of a subject of all entries.
fn subjects(answer: &Value, key: &str) -> BTreeSet<String> {
    let entries = answer["conclusion"]["entries"].as_array().expect("entries");
    entries.iter().filter_map(|entry| entry["subjects"][key].as_str()).map(str::to_owned).collect()
}

#[test]
fn a_family_is_listed_by_what_all_of_its_members_state_and_is_measured_where_any_is() {
    let base = on_repository();
    let listed = subjects(&base.first_page("nvidia cards with 32 gb or more"), "device");
    // Of 40 and 80 GiB; of 16 and 32.
    assert!(listed.contains("a100") && !listed.contains("tesla-v100"), "{listed:?}");
    // No row names the family itself.
    let unmeasured = subjects(&base.first_page("gpus that were never benchmarked with bert"), "device");
    let of_family = base.first_page("device:tesla-p100 network:bert");
    assert!(of_family["total"].as_u64() > Some(0) && unmeasured.len() > 20, "{unmeasured:?}");
    assert!(!unmeasured.contains("tesla-p100"), "{unmeasured:?}");
}

#[test]
fn of_what_is_excluded_those_that_state_nothing_are_counted_and_other_makers_are_none() {
    let base = on_repository();
    let answer = base.first_page("cards with 200 gb or more that are not blackwell");
    assert!(subjects(&answer, "device").contains("instinct-mi325x"), "{answer}");
    let listed = |question: &str| subjects(&base.first_page(question), "framework");
    let (all, written) = (listed("all frameworks"), listed("frameworks written in c++"));
    let answer = base.first_page("frameworks not written in c++");
    let others = subjects(&answer, "framework");
    let silent = all.iter().filter(|id| !written.contains(*id) && !others.contains(*id)).count();
    let said = format!("{silent} more state no core-language.");
    let remarks = answer["remarks"].as_array().expect("remarks");
    assert!(silent > 1 && remarks.iter().any(|remark| remark["text"] == said.as_str()), "{said} {remarks:?}");
}

#[test]
fn what_nothing_is_called_comes_with_the_nearest_of_its_line_and_a_size_in_a_name_is_no_condition() {
    let base = on_repository();
    let told = text(&base.first_page("vgg16 on an iphone 11 pro"));
    let near = told.split_once("Nearest").map(|(_, near)| near.to_owned());
    assert!(near.is_some_and(|near| near.split('.').next().unwrap_or_default().contains("iphone-12")), "{told}");
    // Both of its forms.
    let coral = base.first_page("what ran on the google edge tpu");
    let of_forms = ["coral-dev-board", "coral-usb-accelerator"]
        .map(|id| base.first_page(&format!("device:{id}"))["total"].as_u64().expect("a count"));
    assert!(of_forms.iter().all(|rows| *rows > 0));
    assert_eq!(coral["total"].as_u64(), Some(of_forms.iter().sum()), "{}", text(&coral));
}

#[test]
fn a_size_that_a_device_never_ran_is_said_before_what_is_known_of_the_device() {
    let answer = on_repository().first_page("13b q5_1 generation speed on an m2 ultra");
    let told = text(&answer);
    assert!(told.starts_with("No row of ") && told.contains("M2 Ultra: GPU"), "{told}");
    assert_eq!(answer["total"], 0, "{told}");
}

#[test]
fn the_energy_of_a_token_follows_from_that_of_a_request_and_the_tokens_of_its_answer() {
    let base = on_repository();
    let answer = base.first_page("energy per token of gemma 2 27b on an a100");
    let entries = answer["conclusion"]["entries"].as_array().expect("entries");
    let told: Vec<&Value> = entries.iter().filter(|entry| entry["quantity"] == "output-token-energy-j").collect();
    assert!(!told.is_empty(), "{}", text(&answer));
    let rows = base.answer("network:gemma-2-27b device:a100 metric:energy-per-request-j");
    let rows = rows["measurements"].as_array().expect("rows");
    let of_row =
        |row: &Value| Some(row["metrics"]["energy_per_request_j"].as_f64()? / row["mean_output_length"].as_f64()?);
    let values: Vec<f64> = rows.iter().filter_map(of_row).collect();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let low = told.iter().filter_map(|entry| entry["low"].as_f64().or_else(|| entry["value"].as_f64()));
    let low = low.fold(f64::INFINITY, f64::min);
    assert!((low / least - 1.0).abs() < 1e-3, "{low} and {least} of {}", values.len());
}

#[test]
fn the_one_side_that_was_measured_is_told_by_what_it_ran_and_never_as_one_number() {
    let answer = on_repository().first_page("m2 max or 3090 for training with pytorch");
    let entries = answer["conclusion"]["entries"].as_array().expect("entries");
    let of_speed = entries.iter().filter(|entry| entry["quantity"] == "throughput-per-s");
    for entry in of_speed {
        let network = entry["subjects"]["network"].as_str().or_else(|| entry["under"]["network"].as_str());
        assert!(network.is_some(), "{entry}");
    }
    assert!(text(&answer).starts_with("No such row of M2 Max ("), "{}", text(&answer));
}

#[test]
fn accuracies_of_different_tasks_are_never_ranked_together() {
    let base = on_repository();
    let ranked = subjects(&base.first_page("most accurate network with fewer than 30m parameters"), "network");
    assert!(ranked.len() > 5, "{ranked:?}");
    let of_task =
        subjects(&base.first_page("list image classification networks with fewer than 30m parameters"), "network");
    assert!(ranked.is_subset(&of_task), "{:?}", ranked.difference(&of_task).collect::<Vec<_>>());
}

#[test]
fn two_choices_in_a_question_are_sets_and_what_none_is_called_is_left_out_of_its_own() {
    let base = on_repository();
    let answer = base.first_page("dlrm or gpt9 on fpga or tpu, without any gpus");
    // What could be the subject stops the answer, and the rest is a question to type.
    assert_eq!(answer["unread"], serde_json::json!(["gpt9"]), "{answer}");
    let answer = base.first_page("dlrm on fpga or tpu, without any gpus");
    let tpu = base.first_page("network:dlrm device:tpu")["total"].as_u64().expect("a count");
    let fpga = base.first_page("network:dlrm class:fpga")["total"].as_u64().expect("a count");
    assert!(tpu > 0);
    assert_eq!(answer["total"].as_u64(), Some(tpu + fpga), "{}", text(&answer));
}
