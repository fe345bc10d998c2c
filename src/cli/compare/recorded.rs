//! A comparison as a paper keeps it: what was asked, what stands in it, and what it cites.

use super::{CompareArgs, references};
use crate::cli::output_options::ForPaper;
use dlbench::KnowledgeBase;
use dlbench::ask::compare::{Compared, Pivot};
use dlbench::ask::paper::{DrawnItem, PaperOutput, UsedValue};
use dlbench::ask::parse::print;
use dlbench::render::paper::ItemSetting;
use dlbench::render::pivot;

impl CompareArgs {
    /// What the comparison adds to a paper; nothing where nothing is found.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, the request cannot be met, or an option has no place in a paper.
    pub(in crate::cli) fn paper_output(&self, kb: &KnowledgeBase, setting: &ItemSetting) -> ForPaper {
        self.writing.refuse_in_a_paper()?;
        let compared = self.compared(self.request()?, kb)?;
        let pivot = &compared.pivot;
        if pivot.is_empty() {
            return Ok(None);
        }
        self.refuse_what_nobody_reads(pivot)?;
        let references = references(pivot, kb)?;
        let mut look = self.look(pivot);
        look.caption = setting.caption.clone().or(look.caption);
        let paper = self.writing.pages.applied_to(setting.paper(self.about(&compared, kb), &references));
        Ok(Some(PaperOutput {
            drawn: DrawnItem::Table(pivot::latex(pivot, &self.question(), &look, paper)),
            used: used(pivot),
            references,
        }))
    }

    /// What the first lines of a document record.
    pub(super) fn about(&self, compared: &Compared, kb: &KnowledgeBase) -> Vec<String> {
        vec![
            format!("dlbench compare: {}", self.as_asked()),
            format!("canonical form of the question: {}", print(&compared.asked.question)),
            format!("content of the knowledge base: {}", kb.content()),
        ]
    }

    /// The command line that asks for the same again.
    fn as_asked(&self) -> String {
        let mut text = format!("\"{}\"", self.question.join(" "));
        let mut option = |name: &str, values: &[String]| {
            if !values.is_empty() {
                text.push_str(&format!(" {name} {}", values.join(",")));
            }
        };
        option("--rows", &self.rows);
        option("--group-by", &self.group_by);
        option("--cols", &self.cols);
        option("--metric", &self.metric);
        option("--baseline", self.baseline.as_slice());
        option("--relax", &self.relax);
        option("--dataset", self.dataset.as_slice());
        option("--pick", &[self.pick.to_string()]);
        option("--cells", &self.cells.iter().map(ToString::to_string).collect::<Vec<_>>());
        if let Some(kind) = self.relative {
            text.push_str(&format!(" --relative={kind}"));
        }
        if let Some(line) = self.best_of {
            text.push_str(&format!(" --best-of {line}"));
        }
        if let Some(policy) = self.mean {
            text.push_str(&format!(" --mean {policy}"));
        }
        text + &self.author.as_asked() + &self.values.as_asked()
    }
}

/// The value of every cell, or all its candidates' where all are shown.
fn used(pivot: &Pivot) -> Vec<UsedValue> {
    let mut used = Vec::new();
    for (row, cells) in pivot.rows.iter().zip(&pivot.cells) {
        for (column, cell) in pivot.columns.iter().zip(cells) {
            let Some(cell) = cell else { continue };
            let names: Vec<&str> = row.labels.iter().chain(&column.labels).map(|label| label.name.as_str()).collect();
            let one = |id: &str, value: String| UsedValue {
                at: names.join(", "),
                id: id.to_owned(),
                measure: column.measure.to_owned(),
                value,
                ..UsedValue::default()
            };
            match cell.all.as_slice() {
                [] => {
                    let value = cell.value.map(|value| value.to_string()).or_else(|| cell.outcome.clone());
                    used.push(one(&cell.id, value.unwrap_or_default()));
                }
                all => used.extend(all.iter().map(|(id, value)| one(id, value.to_string()))),
            }
        }
    }
    used
}
