//! Results of comparisons and evidence queries in Python.

use dlbench::KnowledgeBase;
use dlbench::ask::evidence::Evidence;
use dlbench::ask::export::Sheet;
use dlbench::model::{References, Source};
use dlbench::render::answer::{citation, page, sheet};
use dlbench::render::evidence::{table, text};
use dlbench::render::pivot;
use dlbench::render::table::{Paper, Table};
use dlbench_server::Refusal;
use dlbench_server::requests::ComparedAnswer;
use serde_json::json;

use super::{Renderable, ResultFormat, flattened};

/// The result of a comparison: a table or a verdict.
pub struct ComparisonResult {
    comparison: ComparedAnswer,
}

impl ComparisonResult {
    /// Wraps a comparison.
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

impl Renderable for ComparisonResult {
    fn document(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.comparison.document()?)
    }

    fn draw(&self, kb: &KnowledgeBase, reader: ResultFormat) -> Result<String, Refusal> {
        let (table, sources, about) = self.comparison.parts();
        Ok(match reader {
            ResultFormat::Terminal(width) => table.text(width),
            ResultFormat::Markdown => sheet(&table, &sources, about),
            ResultFormat::Html => page(&table, &sources, about, false),
            ResultFormat::Latex => {
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
            ComparedAnswer::Table { compared, .. } => Sheet::from_entities("cells", pivot::cells(&compared.pivot))?,
            ComparedAnswer::Verdict { verdict, .. } => Sheet::from_entities("fields", &verdict.fields)?,
        }])
    }
}

/// Up to this many claims are printed as paragraphs, more as a table.
const MOST_DETAILED: usize = 3;

/// Claims with their verdicts.
pub struct EvidenceResult {
    found: Evidence,
}

impl EvidenceResult {
    /// Wraps the result of an evidence query.
    pub fn of(found: Evidence) -> Self {
        Self { found }
    }
}

impl Renderable for EvidenceResult {
    fn document(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.found)
    }

    fn draw(&self, kb: &KnowledgeBase, reader: ResultFormat) -> Result<String, Refusal> {
        let found = &self.found;
        let caption = "Claims compared with measurements".to_owned();
        let table = Table { caption, ..table(found) };
        let about = vec![
            format!("dlbench evidence: {}", found.query),
            found.method.clone(),
            format!("content of the knowledge base: {}", kb.content()),
        ];
        Ok(match reader {
            ResultFormat::Terminal(width) if found.claims.len() <= MOST_DETAILED => text(found, width),
            ResultFormat::Terminal(width) => table.text(width),
            ResultFormat::Markdown => sheet(&table, &[], &about),
            ResultFormat::Html => page(&table, &[], &about, false),
            ResultFormat::Latex => table.latex(&Paper { about, cite: self.references(kb)?.keys(), ..Paper::default() }),
        })
    }

    fn references(&self, kb: &KnowledgeBase) -> Result<References, Refusal> {
        let claims = &self.found.claims;
        let comparisons = claims.iter().flat_map(|claim| &claim.periods).flat_map(|period| &period.comparisons);
        let behind = comparisons.flat_map(|comparison| &comparison.sources).map(String::as_str);
        Ok(kb.references(claims.iter().map(|claim| claim.said_by.as_str()).chain(behind), &[])?)
    }

    fn sheets(&self) -> Result<Vec<Sheet>, Refusal> {
        let mut rows = Vec::new();
        for claim in &self.found.claims {
            for period in &claim.periods {
                for comparison in &period.comparisons {
                    let mut row = flattened(json!({
                        "claim": claim.id,
                        "kind": claim.kind,
                        "claimed_of_claim": claim.claimed,
                        "said_by": claim.said_by,
                        "verdict_of_claim": claim.verdict,
                        "period": period.period,
                    }))?;
                    row.extend(flattened(comparison)?);
                    rows.push(row);
                }
            }
        }
        Ok(vec![Sheet::from_entities("comparisons", rows)?])
    }
}
