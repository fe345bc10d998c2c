//! What answers tell of the catalog on the real knowledge base: lists by name, facts with yes or no, grades, overviews, and
//! what is not known. What they count is counted again by other questions.

use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, Page};
use dlbench::render::answer::{self, AnswerView};
use serde_json::Value;

use crate::real_kb::{knowledge_base, on_repository};

fn ask(kb: &KnowledgeBase, question: &str) -> Answer {
    kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"))
}

/// What a person reads at 100 columns.
fn page(kb: &KnowledgeBase, question: &str) -> String {
    let view = AnswerView { page: Page::of_a_person(0), ..AnswerView::default() };
    let found = kb.query_page(question, &view.page).unwrap_or_else(|error| panic!("{question}: {error}"));
    answer::text(&found, &view, 100)
}

/// The subjects of the entries of a quantity, with their numbers, in their order.
fn numbers(answer: &Value, subject: &str, quantity: &str) -> Vec<(String, f64)> {
    let entries = answer["conclusion"]["entries"].as_array().expect("entries");
    let told = entries.iter().filter(|entry| entry["quantity"] == quantity);
    told.map(|entry| {
        let subject = entry["subjects"][subject].as_str().unwrap_or_else(|| panic!("{entry}"));
        // The members of a family differ.
        let number = entry["value"].as_f64().or_else(|| entry["low"].as_f64());
        (subject.to_owned(), number.unwrap_or_else(|| panic!("{entry}")))
    })
    .collect()
}

#[test]
fn a_list_has_the_most_measured_first_with_the_rows_that_other_questions_find() {
    let (kb, dlbench) = (knowledge_base(), on_repository());
    for (question, subject) in [
        ("turing gpus", "device"),
        ("which networks were tested on tpu?", "network"),
        ("frameworks with an mit license", "framework"),
        ("who has benchmarked the gtx 1080", "source"),
        ("what precisions were measured on the A30", "precision"),
    ] {
        let answer = dlbench.answer(question);
        assert_eq!(answer["intent"], "list", "{question}");
        let rows = numbers(&answer, subject, "measurements");
        assert!(rows.len() > 1, "{question}: {rows:?}");
        let in_order = |pair: &[(String, f64)]| pair[0].1 >= pair[1].1;
        assert!(rows.windows(2).all(in_order), "{question}: {rows:?}");
    }
    let turing = numbers(&dlbench.answer("turing gpus"), "device", "measurements");
    let (first, rows) = &turing[0];
    assert_eq!(ask(&kb, &format!("device:{first}")).total as f64, *rows, "{first}");
    let sources = numbers(&dlbench.answer("who has benchmarked the gtx 1080"), "source", "measurements");
    let all: f64 = sources.iter().map(|(_, rows)| rows).sum();
    assert_eq!(ask(&kb, "device:geforce-gtx-1080").total as f64, all);
}

#[test]
fn a_list_under_a_limit_holds_what_is_known_to_meet_it_and_says_how_many_do_not_state_it() {
    let (kb, dlbench) = (knowledge_base(), on_repository());
    for (question, subject, quantity, meets) in [
        ("devices with more than 64 gb memory", "device", "memory-gib", (|value| value > 64.0) as fn(f64) -> bool),
        ("networks with less than 5 million parameters", "network", "parameters-m", |value| value < 5.0),
    ] {
        let listed = numbers(&dlbench.answer(question), subject, quantity);
        assert!(listed.len() > 10, "{question}: {listed:?}");
        assert!(listed.iter().all(|(_, value)| meets(*value)), "{question}: {listed:?}");
        let text = ask(&kb, question).conclusion.text;
        assert!(text.contains(" more state no "), "{question}: {text}");
    }
}

#[test]
fn what_is_asked_to_be_so_is_answered_with_yes_or_no() {
    let kb = knowledge_base();
    for (question, begins) in [
        ("does jax support tpus", "Yes: JAX runs on cpu, gpu, tpu"),
        ("can keras run on several machines (distributed)", "Yes: Keras trains on several servers"),
        ("does caffe have a java api", "No: Caffe has official interfaces for Python, C++, MATLAB, not Java"),
        ("does the T4 support int8", "Yes: Tesla T4 has an int8 tensor peak of 130 TOP/s"),
    ] {
        let text = ask(&kb, question).conclusion.text;
        assert!(text.starts_with(begins), "{question}: {text}");
    }
}

#[test]
fn what_nothing_here_has_ends_the_answer() {
    let kb = knowledge_base();
    for question in [
        "gpt-4 parameter count",
        "who makes the Myriad X",
        "price of a Gaudi 4",
        "rx 9090 xt vs rtx 5095 ti stable diffusion",
    ] {
        let page = page(&kb, question);
        assert!(page.contains("not in the knowledge base"), "{question}:\n{page}");
        assert!(!page.contains("measurements, "), "rows of something else: {question}\n{page}");
        assert!(page.lines().count() <= 8, "{question}:\n{page}");
    }
}

#[test]
fn of_two_the_one_that_is_held_is_answered_and_the_other_is_said_first() {
    let kb = knowledge_base();
    for (question, unknown, known) in [
        ("Compare AMD MI100 with NVIDIA A100 on ResNet50", "`AMD MI100`", "device:a100 network:resnet-50"),
        (
            "Movidius NCS2 vs Coral USB accelerator mobilenet",
            "`Movidius NCS2`",
            "device:coral-usb-accelerator network:mobilenet",
        ),
    ] {
        let answer = ask(&kb, question);
        let text = &answer.conclusion.text;
        assert!(text.starts_with(&format!("{unknown} is not in the knowledge base")), "{question}: {text}");
        let rows = ask(&kb, known).total;
        assert!(rows > 0 && text.contains(&format!(" alone: {rows} rows from ")), "{question}: {text}");
    }
}

#[test]
fn what_is_excluded_is_in_no_list_and_what_is_unknown_of_it_is_said() {
    let (kb, dlbench) = (knowledge_base(), on_repository());
    for (question, subject, none_of, said) in [
        ("frameworks not by google or facebook", "framework", "steward:Google,Facebook", " more state no steward"),
        ("frameworks that run on cpu and fpga", "framework", "class:cpu -class:fpga", " frameworks: Caffe"),
        (
            "data sets that are neither images nor text",
            "dataset",
            "task:image-classification,text-generation",
            " state",
        ),
        ("devices with fp16 but no bf16", "device", "peak-bf16-tensor>0", "what they support is not known"),
        (
            "speech recognition networks without librispeech",
            "network",
            "dataset:librispeech",
            " rows that state no data",
        ),
    ] {
        let answer = dlbench.answer(question);
        let entries = answer["conclusion"]["entries"].as_array().expect("entries");
        let listed = entries.iter().filter_map(|entry| entry["subjects"][subject].as_str());
        let listed: Vec<&str> = listed.collect();
        assert!(listed.len() > 1, "{question}: {listed:?}");
        let excluded = dlbench.answer(&format!("{subject}s {none_of}"));
        let excluded = excluded["conclusion"]["entries"].as_array().expect("entries").clone();
        assert!(!excluded.is_empty(), "{none_of}");
        for entry in &excluded {
            let id = entry["subjects"][subject].as_str().expect("an id");
            assert!(!listed.contains(&id), "{question}: {id} is {none_of}");
        }
        let text = ask(&kb, question).conclusion.text;
        assert!(text.contains(said), "{question}: {text}");
    }
    // What other products of its architecture compute in is no gap of the RTX 3090.
    let text = dlbench.answer("devices with fp16 but no bf16").to_string();
    assert!(!text.contains("\"geforce-rtx-3090\""));
    let none = ask(&kb, "edge devices w/o any measurement").conclusion;
    for entry in &none.entries {
        let device = entry.subjects["device"].to_string();
        assert_eq!(ask(&kb, &format!("device:{device}")).total, 0, "{device}");
    }
    assert!(!none.entries.is_empty());
}

#[test]
fn a_list_names_all_with_their_main_facts() {
    let kb = knowledge_base();
    let page = page(&kb, "list all FPGAs you know about");
    for told in ["ZCU102", "Zynq UltraScale+", "VCU128", "ZedBoard"] {
        assert!(page.contains(told), "{told}:\n{page}");
    }
    let tested = ask(&kb, "what frameworks were tested on MNIST").conclusion.text;
    let rows = ask(&kb, "dataset:mnist framework:keras").total;
    assert!(tested.contains(&format!("Keras ({rows} rows)")), "{tested}");
    assert!(tested.contains("PyTorch is here by rows alone"), "{tested}");
    let keras = ask(&kb, "all 7 framework metrics for keras please").conclusion.text;
    assert!(
        keras.starts_with("Keras by the 7 metrics") && keras.contains("tested datasets cifar-10, mnist"),
        "{keras}"
    );
    let host = ask(&kb, "coral usb accelerator inception v1 ms").conclusion.text;
    assert!(host.contains("from host x86-64 to Raspberry Pi 3B"), "{host}");
}

#[test]
fn grades_and_facts_take_no_rows_and_few_lines() {
    let kb = knowledge_base();
    for question in [
        "asic upgradability",
        "all 12 grades of the asic class",
        "fpga vs asic time to market and research cost",
        "tdp of the a40?",
        "tesla v100 vs a100 memory",
        "pytorch vs tensorflow license",
    ] {
        let page = page(&kb, question);
        assert!(!page.contains(" shown ("), "{question}:\n{page}");
        assert!(page.lines().count() <= 20, "{question}:\n{page}");
    }
    let both = ask(&kb, "fpga vs asic time to market and research cost").conclusion;
    assert!(both.text.starts_with("Time to market: FPGA high, ASIC low"), "{}", both.text);
    assert_eq!(both.entries.len(), 4);
}

#[test]
fn an_overview_names_what_was_measured_and_where_it_stands() {
    let kb = knowledge_base();
    for (question, told) in [
        ("rtx 3090", &["Best placed ", " networks: ", " frameworks: ", "Measured: "][..]),
        ("mobilenet", &["Fastest of ", " networks: ", " devices: ", " (family of "]),
        ("ampere", &["Fastest of ", " devices: ", "Ampere architecture: "]),
        ("chainer", &["Best placed ", " networks: ", " devices: ", "inactive"]),
    ] {
        let answer = ask(&kb, question);
        for words in told {
            assert!(answer.conclusion.text.contains(words), "{question}: no {words:?} in {}", answer.conclusion.text);
        }
        let is_id = |entry: &str| answer.conclusion.text.contains(entry);
        assert!(!is_id("geforce-rtx-3090") && !is_id("resnet-50-v1.5"), "{question}: {}", answer.conclusion.text);
    }
}

#[test]
fn documents_begin_with_what_the_answer_comes_to() {
    let dlbench = on_repository();
    let text = knowledge_base().query("asic upgradability").expect("an answer").conclusion.text;
    let sentence = text.split('.').next().expect("a sentence");
    for (format, before) in [("markdown", 8), ("html", 8), ("latex", 8)] {
        let document = dlbench.ok(&["query", "asic upgradability", "-f", format]);
        let at = document.lines().position(|line| line.contains(sentence));
        assert!(at.is_some_and(|at| at < before), "{format}:\n{document}");
    }
}
