//! What `dlbench query` without a question says: what there is, and examples that have answers here.

use super::table::Table;
use crate::ask::KnowledgeBase;
use crate::stores::store::StoreError;
use crate::values::text::counted;
use crate::values::{Grid, GridColumn};

/// Draws it for this knowledge base.
pub fn draw(kb: &KnowledgeBase, width: usize) -> Result<String, StoreError> {
    let counts = kb.stores().store.counts()?;
    let mut text = format!(
        "Ask {} from {} in plain words.\n\n",
        counted(counts.measurements as usize, "measurement", "measurements"),
        counted(counts.entities.get("sources").copied().unwrap_or(0) as usize, "source", "sources"),
    );
    let mut examples = Grid {
        columns: vec![GridColumn::text("try"), GridColumn::number("finds"), GridColumn::text("which shows")],
        rows: Vec::new(),
    };
    for (question, shows) in EXAMPLES {
        // What an example names may not exist in this knowledge base.
        let Ok(found) = kb.query(question) else { continue };
        if !found.is_empty() {
            examples.push(vec![format!("dlbench query '{question}'"), found.total.to_string(), (*shows).to_owned()]);
        }
    }
    let mut examples = Table::from(&examples);
    // A command is copied as it stands.
    examples.columns[0].whole = true;
    text.push_str(&examples.text(width));
    text.push_str("\n`dlbench query --help` has the options; `dlbench list metrics` what is measured.\n");
    Ok(text)
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
