//! Measurements set against each other.

use super::{Drawn, DrawnFor};
use dlbench::KnowledgeBase;
use dlbench::ask::export::Sheet;
use dlbench::model::{References, Source};
use dlbench::render::answer::{citation, page, sheet};
use dlbench::render::pivot;
use dlbench::render::table::Paper;
use dlbench_server::Refusal;
use dlbench_server::requests::ComparedAnswer;

/// A table, or a verdict.
pub struct ComparisonResult {
    comparison: ComparedAnswer,
}

impl ComparisonResult {
    /// What a comparison came to.
    pub fn of(comparison: ComparedAnswer) -> Self {
        Self { comparison }
    }

    fn sources(&self) -> &[Source] {
        match &self.comparison {
            ComparedAnswer::Table { compared, .. } => &compared.pivot.sources,
            ComparedAnswer::Verdict { verdict, .. } => &verdict.sources,
        }
    }
}

impl Drawn for ComparisonResult {
    fn document(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.comparison.document()?)
    }

    fn draw(&self, kb: &KnowledgeBase, reader: DrawnFor) -> Result<String, Refusal> {
        let (table, sources, about) = self.comparison.parts();
        Ok(match reader {
            DrawnFor::Terminal(width) => table.text(width),
            DrawnFor::Markdown => sheet(&table, &sources, about),
            DrawnFor::Html => page(&table, &sources, about, false),
            DrawnFor::Latex => {
                let sources = self.sources().iter().map(|source| (source.id.to_string(), citation(source))).collect();
                let cite = self.references(kb)?.keys();
                table.latex(&Paper { about: about.to_vec(), cite, sources, ..Paper::default() })
            }
        })
    }

    fn references(&self, kb: &KnowledgeBase) -> Result<References, Refusal> {
        Ok(kb.references(self.sources().iter().map(|source| source.id.as_str()), &[])?)
    }

    fn sheets(&self) -> Result<Vec<Sheet>, Refusal> {
        Ok(vec![match &self.comparison {
            ComparedAnswer::Table { compared, .. } => Sheet::of_entities("cells", pivot::cells(&compared.pivot))?,
            ComparedAnswer::Verdict { verdict, .. } => Sheet::of_entities("fields", &verdict.fields)?,
        }])
    }
}
