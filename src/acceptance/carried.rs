//! Questions that one word carries by which no fact, metric or axis is called, on the real knowledge base: what they are answered by is
//! looked for in the data by other ways.

use std::collections::BTreeSet;

use crate::real_kb::on_repository;

/// The texts of the conclusions hold these words, and leave nothing of the question out.
#[test]
fn what_a_single_word_asks_for_is_read_off_the_catalog() {
    let base = on_repository();
    for (question, quantity, words) in [
        ("what came after the tesla t4", "successor", &["L4 (Ada Lovelace", "Tesla T4 (Turing"][..]),
        ("predecessor of the h100", "predecessor", &["A100 (Ampere", "H100 (Hopper"]),
        ("what became of mxnet", "status", &["inactive", "archived on 2023-11-17"]),
        ("how many chips does the mi250x have", "chip", &["Two dies"]),
        ("which soc is inside the jetson nano", "chip", &["GM20B"]),
        ("which backends does keras use", "backend", &["TensorFlow (", "CNTK (", "Theano ("]),
        ("what is built on top of theano", "backend", &["Keras (", "Lasagne (", "Pylearn2 ("]),
        ("which backbones does retinanet have", "name", &["ResNeXt-50"]),
        ("how is torch rated", "rating-architecture", &["architecture 5", "zer0n-2016"]),
        ("does neon support several gpus", "measurements", &["several GPUs"]),
        ("in which metrics is the fpga graded low", "scalability", &["Graded low", "FPGA (3 of 12)"]),
        ("verdicts on fpga claims", "energy-efficiency", &["12 claims about fpga"]),
    ] {
        let answer = base.first_page(question);
        let text = answer["conclusion"]["text"].as_str().expect("a text");
        assert!(words.iter().all(|word| text.contains(word)), "{question}: {text}");
        assert_eq!(answer["ignored"].as_array().map(Vec::len), Some(0), "{question}: {}", answer["ignored"]);
        let entries = answer["conclusion"]["entries"].as_array().expect("entries");
        assert!(entries.iter().any(|entry| entry["quantity"] == quantity), "{question}: {entries:?}");
    }
}

#[test]
fn what_has_the_same_is_what_the_filter_by_its_value_finds() {
    let base = on_repository();
    let ids = |question: &str, kind: &str| -> BTreeSet<String> {
        let answer = base.first_page(question);
        let entries = answer["conclusion"]["entries"].as_array().cloned().expect("entries");
        entries.iter().filter_map(|entry| Some(entry["subjects"][kind].as_str()?.to_owned())).collect()
    };
    let alike = ids("gpus with the same architecture as the gtx 1080", "device");
    let mut pascal = ids("gpus architecture:pascal", "device");
    assert!(pascal.remove("geforce-gtx-1080"), "{pascal:?}");
    assert_eq!(alike, pascal);
    let alike = ids("frameworks under the same license as keras", "framework");
    let mut apache = ids("frameworks license:apache-2.0", "framework");
    assert!(apache.remove("keras") && alike.len() > 10, "{alike:?}");
    // What is under either of two licences is not under the same.
    assert!(alike.is_subset(&apache) && apache.len() - alike.len() < 3, "{alike:?} {apache:?}");
}

#[test]
fn what_is_not_kept_is_said_before_what_is_nearest() {
    let base = on_repository();
    for (question, lead, nearest) in [
        ("which frameworks work on linux but not on windows", "Operating systems are not kept", "rows state"),
        ("price per hour of an h100 on aws", "aws: ", "their prices are not known"),
        ("does deeplearning4j support multiple gpus", "Not known: no row", "several servers"),
        ("what chip is inside the pixel 6", "`pixel 6` is not in the knowledge base", "Pixel 2"),
    ] {
        let answer = base.first_page(question);
        let text = answer["conclusion"]["text"].as_str().expect("a text");
        assert!(text.starts_with(lead) && text.contains(nearest), "{question}: {text}");
    }
}
