//! What words of a question are read as on the real knowledge base: words that the wrong entity would claim, words of another
//! language, names inside of labels. What is read is checked against filters that say the same.

use dlbench::KnowledgeBase;
use dlbench::ask::answer::Answer;

use crate::real_kb::knowledge_base;

fn ask(kb: &KnowledgeBase, question: &str) -> Answer {
    kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"))
}

/// The values that a facet was read as.
fn read<'a>(answer: &'a Answer, facet: &str) -> Vec<&'a str> {
    let of = answer.read_as.iter().filter(|read| read.facet == facet);
    of.flat_map(|read| &read.values).map(String::as_str).collect()
}

fn notes(answer: &Answer, code: &str) -> Vec<String> {
    let of = answer.notes.iter().filter(|note| note.code() == code);
    of.map(ToString::to_string).collect()
}

#[test]
fn a_small_s_makes_several_of_a_product_and_a_large_one_another() {
    let kb = knowledge_base();
    let several = ask(&kb, "resnet training on v100s");
    assert_eq!(several.total, ask(&kb, "resnet training device:tesla-v100").total);
    assert_eq!(notes(&several, "plural").len(), 1, "it is told");
    assert_eq!(read(&ask(&kb, "memory of the V100S"), "device"), ["tesla-v100s-pcie-32gb"]);
    // What has rows of its own is called so.
    assert_eq!(read(&ask(&kb, "memory of the l40s"), "device"), ["l40s"]);
}

#[test]
fn providers_makers_and_benchmarks_reach_all_that_is_theirs() {
    let kb = knowledge_base();
    // The rows name no instance, and a TPU is rented out by its maker alone.
    let rented = ask(&kb, "squad on google cloud with a tpu v2");
    assert_eq!(rented.total, ask(&kb, "dataset:squad device:tpu-v2").total);
    assert!(rented.total > 0);
    assert_eq!(read(&ask(&kb, "huawei chips"), "vendor"), ["Huawei", "HiSilicon"]);
    let suite = ask(&kb, "mlperf training");
    assert_eq!(suite.total, ask(&kb, "source:mlperf-training-*").total);
    assert_eq!(ask(&kb, "azure NC24rs v3").total, ask(&kb, "NC24rs v3").total);
    let series = ask(&kb, "devices of the rtx 40 series");
    assert!(read(&series, "device").contains(&"geforce-rtx-4070"), "{:?}", series.read_as);
    assert!(!read(&series, "device").iter().any(|id| !id.contains("-rtx-40")), "{:?}", series.read_as);
}

#[test]
fn words_of_families_labels_and_years_select_what_has_them() {
    let kb = knowledge_base();
    let family = ask(&kb, "segformer");
    assert!(read(&family, "network").len() > 1, "{:?}", family.read_as);
    // The label says `dgxa100_…`.
    let labelled = ask(&kb, "3d u-net on a dgx of mlperf training v1.0");
    assert_eq!(notes(&labelled, "inside-of-labels").len(), 1, "{:?}", labelled.read_as);
    assert!(labelled.total > 0 && labelled.total < ask(&kb, "3d u-net mlperf training v1.0").total);
    assert_eq!(ask(&kb, "alexnet torch 2017").total, ask(&kb, "alexnet torch year:2017").total);
    assert_eq!(notes(&ask(&kb, "alexnet torch 2011"), "none-of-year").len(), 1);
    // A longer name is another product's.
    assert_eq!(ask(&kb, "sdxl on an iphone 15 pro").unknown_names, ["iphone 15 pro"]);
}

#[test]
fn a_part_of_a_name_is_another_name_only_where_it_is_a_word_of_it() {
    let kb = knowledge_base();
    // The Kendryte K210 is no GK210.
    assert_eq!(ask(&kb, "what can run on a k210").unknown_names, ["k210"]);
    assert_eq!(read(&ask(&kb, "devices with gk210"), "chip"), ["GK210"]);
    assert_eq!(ask(&kb, "t4 vs laptop 1650").unknown_names, ["laptop 1650"]);
    assert_eq!(read(&ask(&kb, "laptop 3070"), "device"), ["geforce-rtx-3070-laptop"]);
    assert_eq!(read(&ask(&kb, "resnet50 latency onnx"), "framework"), ["onnx-runtime"]);
    assert_eq!(read(&ask(&kb, "flax/jax vs pytorch"), "framework"), ["flax", "jax", "pytorch"]);
    let gpt = ask(&kb, "gpt latency");
    let of_gpt = read(&gpt, "network");
    assert!(of_gpt.len() > 2 && of_gpt.iter().all(|id| id.contains("gpt-")), "{of_gpt:?}");
    let server = ask(&kb, "tensorflow parameter server");
    assert!(read(&server, "scenario").is_empty() && server.total > 0, "{:?}", server.read_as);
}

#[test]
fn alternatives_of_which_one_has_more_are_compared() {
    let kb = knowledge_base();
    let asked = ask(&kb, "vit-b/16 or resnet-101, what costs more gpu time per image");
    assert_eq!(asked.conclusion.text, ask(&kb, "vit-b/16 vs resnet-101 latency").conclusion.text);
    let memory = ask(&kb, "gddr or hbm on the a10").conclusion.text;
    assert_eq!(memory, ask(&kb, "memory type of the a10").conclusion.text);
}

#[test]
fn the_other_processors_of_a_chip_are_told_with_its_cpu() {
    let kb = knowledge_base();
    let text = ask(&kb, "squeezenet on the kirin 970").conclusion.text;
    assert!(text.contains("of its other processors") && text.contains("Mali-G72 MP12"), "{text}");
    let of_cpu = ask(&kb, "squeezenet on the cpu of the kirin 970").conclusion.text;
    assert!(!of_cpu.contains("other processors"), "{of_cpu}");
}

#[test]
fn what_a_person_asks_in_german_is_what_another_asks_in_english() {
    let kb = knowledge_base();
    for (german, english) in [
        ("lohnt sich die A40 gegenüber der A6000 bei Transformer", "is A40 vs A6000 for transformer"),
        ("wie groß sind die Bilder von CIFAR-10", "input size of CIFAR-10"),
        ("goya gegen t4 mit resnet50", "goya vs t4 with resnet50"),
        ("welche Klasse hat niedrige Entwicklungskosten", "which class has low research costs"),
    ] {
        let [german, english] = [german, english].map(|question| ask(&kb, question));
        assert_eq!(german.conclusion.text, english.conclusion.text);
        assert_eq!(german.intent, english.intent);
    }
    let graded = ask(&kb, "which hardware class does dai and berleant grade with a low chip price");
    assert!(graded.conclusion.text.contains("ASIC low"), "{}", graded.conclusion.text);
}
