//! Questions to begin with.

use super::answer::{Page, ask};
use crate::stores::Stores;

/// A question to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExampleQuestion {
    /// The question.
    pub question: &'static str,
    /// Which part of the grammar it shows.
    pub shows: &'static str,
    /// How many measurements it finds.
    pub found: usize,
}

/// The examples that have an answer in this knowledge base: what a question names may not exist here.
pub fn examples(stores: &Stores) -> Vec<ExampleQuestion> {
    let answered = EXAMPLES.iter().filter_map(|&(question, shows)| {
        let answer = ask(stores, question, &Page::default()).ok().filter(|answer| !answer.is_empty())?;
        Some(ExampleQuestion { question, shows, found: answer.total })
    });
    answered.collect()
}

const EXAMPLES: &[(&str, &str)] = &[
    ("fp16 V100 resnet152", "words in any order and spelling"),
    ("keras theano mnist", "a framework over a backend"),
    ("fpga", "a class of hardware with its grades"),
    ("apache c++ multi-server lstm", "frameworks by their facts"),
    ("vgg16 train latency<100", "an explicit filter"),
    ("resnet152 -framework:caffe2 sort:latency", "exclusion and order"),
    ("(titan v OR 1080 ti) densenet161", "alternatives"),
];
