//! What a question excludes, wants both of or only of: each is held against the filters that say the same, or against what other
//! questions find of every entity that is listed. A word of the question that the answer does not heed is told.

use dlbench::KnowledgeBase;
use dlbench::ask::answer::Answer;

use crate::real_kb::knowledge_base;

fn ask(kb: &KnowledgeBase, question: &str) -> Answer {
    kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"))
}

/// The entities that a list is of.
fn listed(answer: &Answer, subject: &str) -> Vec<String> {
    let subjects = answer.conclusion.entries.iter().filter_map(|entry| entry.subjects.get(subject));
    let mut ids: Vec<String> = subjects.map(ToString::to_string).collect();
    ids.dedup();
    ids
}

#[test]
fn what_is_excluded_in_words_is_excluded_as_by_a_filter() {
    let kb = knowledge_base();
    for (question, filters) in [
        ("resnet50 training, not nvidia", "network:resnet-50 stage:train -vendor:NVIDIA"),
        ("all int8 results except on NVIDIA and Intel", "precision:int8 -vendor:NVIDIA -vendor:Intel"),
        ("anything but nvidia for resnet50 training", "network:resnet-50 stage:train -vendor:NVIDIA"),
        ("non-nvidia resnet50 training", "network:resnet-50 stage:train -vendor:NVIDIA"),
        ("resnet50 on neither gpu nor cpu", "network:resnet-50 -class:gpu -class:cpu"),
        ("bert on cpu only, no gpu", "network:bert class:cpu -class:gpu"),
        // Limits are turned round by the negation in front of them, wherever the noun stands that they are of.
        ("bert on tpus, no pods bigger than 64 chips", "network:bert device:tpu device-count<=64"),
        ("resnet50 training, nothing above 8 gpus", "network:resnet-50 stage:train class:gpu device-count<=8"),
        ("resnet50 training on not more than 8 devices", "network:resnet-50 stage:train device-count<=8"),
        ("resnet50 v100 with no fewer than 4 gpus", "network:resnet-50 device:tesla-v100 class:gpu device-count>=4"),
        ("no batch larger than 32, resnet50 v100", "network:resnet-50 device:tesla-v100 batch-size<=32"),
        ("resnet50 v100 batch not above 64", "network:resnet-50 device:tesla-v100 batch-size<=64"),
        ("resnet50 on v100, no batches over 64", "network:resnet-50 device:tesla-v100 batch-size<=64"),
        ("resnet50 v100 not batch 1", "network:resnet-50 device:tesla-v100 -batch-size:1"),
        ("resnet50 v100 except batch 1", "network:resnet-50 device:tesla-v100 -batch-size:1"),
        ("resnet50 on t4 not before 2020", "network:resnet-50 device:tesla-t4 year>=2020"),
        ("resnet50 on t4 not after 2020", "network:resnet-50 device:tesla-t4 year<=2020"),
        ("resnet50 results, none with more than 256 chips", "network:resnet-50 device-count<=256"),
        // Parts of names stand for whole ones of the series in front of them.
        ("vgg not 16, not 19 on v100", "network:vgg -network:vgg-16 -network:vgg-19 device:tesla-v100"),
        ("vgg but not 16 or 19 on v100", "network:vgg -network:vgg-16 -network:vgg-19 device:tesla-v100"),
        ("vgg other than 16 and 19 on v100", "network:vgg -network:vgg-16 -network:vgg-19 device:tesla-v100"),
        (
            "mobilenet except v1 and v2 on pixel 2",
            "network:mobilenet -network:mobilenet-v1 -network:mobilenet-v2 device:google-pixel-2",
        ),
        ("resnet without 50 on t4", "network:resnet -network:resnet-50 device:tesla-t4"),
        // Each of several exceptions is one.
        ("resnet50 other than on nvidia and cpus", "network:resnet-50 -vendor:NVIDIA -class:cpu"),
        (
            "h100 results from sources other than mlperf and lambdal",
            "device:h100 -source:mlperf-* -source:lambdal-2025",
        ),
    ] {
        let (answer, meant) = (ask(&kb, question), ask(&kb, filters));
        let read: Vec<String> = answer.read_as.iter().map(|read| format!("{}={}", read.text, read.facet)).collect();
        assert_eq!(answer.total, meant.total, "{question}: {read:?}");
        assert!(answer.total > 0 && answer.unread.is_empty(), "{question}: not read {:?}", answer.unread);
    }
}

#[test]
fn a_list_holds_over_all_rows_of_what_is_listed() {
    let kb = knowledge_base();
    let rows = |filters: String| ask(&kb, &filters).total;
    // The filter of a family takes in its members, which are networks of their own.
    let is_one = |network: &String| ask(&kb, &format!("network:{network}")).read_as[0].values.len() == 1;
    for (question, with, without) in [
        ("networks measured on both V100 and TPU", &["device:tesla-v100", "device:tpu"][..], &[][..]),
        ("networks on V100 but not on A100", &["device:tesla-v100"], &["device:a100"]),
        ("networks that nobody ran on tpu", &[], &["device:tpu"]),
        ("networks with only inference results", &["stage:eval,prefill,decode"], &["stage:train"]),
    ] {
        let answer = ask(&kb, question);
        let networks = listed(&answer, "network");
        assert!(networks.len() > 2, "{question}: {}", answer.conclusion.text);
        for network in networks.iter().filter(|network| is_one(network)).take(6) {
            for filter in with {
                assert!(rows(format!("network:{network} {filter}")) > 0, "{question}: {network} {filter}");
            }
            for filter in without {
                assert_eq!(rows(format!("network:{network} {filter}")), 0, "{question}: {network} {filter}");
            }
        }
    }
}

#[test]
fn of_what_is_not_stated_it_is_not_said_that_it_is_not_so() {
    let kb = knowledge_base();
    let frameworks = |question: &str| {
        let answer = ask(&kb, question);
        let found = answer.catalog.frameworks.iter().map(|joined| joined.framework.clone());
        found.collect::<Vec<_>>()
    };
    let without = frameworks("frameworks that do not support gpus");
    assert!(!without.is_empty());
    for framework in without {
        let hardware: Vec<String> = framework.hardware.iter().map(ToString::to_string).collect();
        assert!(!hardware.is_empty() && !hardware.contains(&"gpu".to_owned()), "{}: {hardware:?}", framework.name);
    }
    for framework in frameworks("frameworks that run only on cpu") {
        let hardware: Vec<String> = framework.hardware.iter().map(ToString::to_string).collect();
        assert_eq!(hardware, ["cpu"], "{}", framework.name);
    }
    let page = ask(&kb, "gpus without tensor cores");
    let devices = listed(&page, "device");
    assert!(devices.len() > 3, "{}", page.conclusion.text);
    assert!(!devices.iter().any(|device| device.contains("v100")), "{devices:?}");
    // Nor is it passed over which rows do not state it.
    for (question, code) in
        [("resnet50 training without tensorflow", "may-be-excluded"), ("resnet50 since 2022", "dated-by-source")]
    {
        assert!(ask(&kb, question).remarks.iter().any(|remark| remark.code == code), "{question}");
    }
}
