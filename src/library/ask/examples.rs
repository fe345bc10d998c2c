//! Example questions for new users.

use strum::VariantArray as _;

use super::found::interpret;
use super::parse::QueryError;
use crate::stores::Stores;
use crate::stores::index::DocumentKind;
use crate::values::EntityKind;

/// An example question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExampleQuestion {
    /// The question.
    pub question: &'static str,
    /// The part of the grammar that it shows.
    pub shows: &'static str,
    /// The number of measurements that it finds.
    pub found: usize,
}

/// The examples that find something in this knowledge base, which may lack what an example names.
pub fn examples(stores: &Stores) -> Vec<ExampleQuestion> {
    let answered = EXAMPLES.iter().filter_map(|&(question, shows)| {
        let found = rows_found(stores, question).ok()??;
        Some(ExampleQuestion { question, shows, found })
    });
    answered.collect()
}

/// The number of rows that a question finds; `None` if it finds neither rows nor entities.
fn rows_found(stores: &Stores, question: &str) -> Result<Option<usize>, QueryError> {
    let condition = interpret(stores, question)?.condition;
    let rows = stores.index.count(DocumentKind::Measurement, &condition)?;
    let mut entities = 0;
    for kind in EntityKind::VARIANTS {
        entities += stores.index.count(DocumentKind::Entity(*kind), &condition)?;
    }
    Ok((rows + entities > 0).then_some(rows))
}

const EXAMPLES: &[(&str, &str)] = &[
    ("fp16 V100 resnet152", "words in any order and spelling"),
    ("fastest gpu llama-3-8b decode", "a ranking by all comparable evidence"),
    ("H100 vs A100 bert", "a comparison by matched pairs"),
    ("frameworks with a C++ API", "entities by their facts"),
    ("fpga energy efficiency", "a grade and what measurements say of it"),
    ("RTX 4090 tdp", "a fact with its source"),
    ("resnet50 A100 by device-count", "a value along an axis"),
    ("resnet152 -framework:caffe2 sort:latency", "exclusion and order"),
    ("fpga", "a class of hardware with its grades"),
];
