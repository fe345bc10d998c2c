//! A comparison, or the verdict on two measurements, in the format that is wanted.

use super::CompareArgs;
use crate::cli::failure::Failure;
use crate::cli::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::ask::compare::{CompareDocument, Compared, PairVerdict, Pivot, PivotDocument};
use dlbench::model::References;
use dlbench::render;
use dlbench::render::pivot::{self, CellPart, PivotStyle};
use dlbench::render::table::{Paper, Table};
use dlbench::render::{Format, answer, contradictions, paragraph};

impl CompareArgs {
    pub(super) fn written(
        &self,
        compared: &Compared,
        references: &References,
        kb: &KnowledgeBase,
        screen: &Screen,
    ) -> Result<String, Failure> {
        let (pivot, question, about) = (&compared.pivot, self.question(), self.about(compared, kb));
        let look = self.look(pivot);
        let format = self.writing.format;
        if format.is_for_people() {
            self.refuse_what_nobody_reads(pivot)?;
        }
        let sources: Vec<String> = pivot.sources.iter().map(answer::citation).collect();
        Ok(match format {
            Format::Table => pivot::text(pivot, &question, &look, screen.width()),
            Format::Json => render::json(&CompareDocument::Table(PivotDocument {
                query: &question,
                about: &about,
                knowledge_base: kb.content(),
                pivot,
            }))?,
            Format::Ndjson => render::ndjson(pivot::cells(pivot))?,
            Format::Markdown => answer::sheet(&pivot::table(pivot, &question, &look), &sources, &about),
            Format::Html => {
                answer::page(&pivot::table(pivot, &question, &look), &sources, &about, self.writing.standalone)
            }
            Format::Typst => pivot::typst(pivot, &question, &look, &about),
            Format::Latex => pivot::latex(pivot, &question, &look, self.writing.paper(about, references)),
            Format::Csv => pivot::csv(pivot, &look)?,
        })
    }

    /// The verdict on measurements, field by field.
    pub(super) fn drawn(
        &self,
        said: &PairVerdict,
        references: &References,
        kb: &KnowledgeBase,
        screen: &Screen,
    ) -> Result<String, Failure> {
        let caption = self.writing.caption.clone().unwrap_or_else(|| said.verdict.clone());
        let table = Table { caption, ..contradictions::verdict_table(said) };
        let about = vec![
            format!("dlbench compare: {}", self.question.join(" ")),
            format!("content of the knowledge base: {}", kb.content()),
        ];
        let sources: Vec<String> = said.sources.iter().map(answer::citation).collect();
        Ok(match self.writing.format {
            Format::Json => render::json(&CompareDocument::Verdict(said))?,
            Format::Table => {
                let mut text = paragraph("", &said.verdict, screen.width());
                text.push('\n');
                text.push_str(&table.text(screen.width()));
                text
            }
            Format::Markdown => answer::sheet(&table, &sources, &about),
            Format::Html => answer::page(&table, &sources, &about, self.writing.standalone),
            Format::Latex => {
                let paper = self.writing.paper(about, references);
                let keys = said.sources.iter().map(|source| source.id.to_string());
                table.latex(&Paper { sources: keys.zip(sources).collect(), ..paper })
            }
            format => table.draw(format, screen.width())?,
        })
    }

    pub(super) fn look(&self, pivot: &Pivot) -> PivotStyle {
        let mut shown = self.cells.clone();
        if shown.is_empty() {
            shown.push(CellPart::Value);
            if self.relative.is_some() && pivot.baseline.is_some() {
                shown.push(CellPart::VsBaseline);
            }
            if self.relative.is_some() {
                shown.push(CellPart::VsBest);
            }
        }
        PivotStyle {
            shown,
            author: self.values.applied_to(self.author.style()),
            caption: self.writing.caption.clone(),
            exact: self.writing.format.is_delimited(),
            cites: false,
        }
    }

    pub(super) fn refuse_what_nobody_reads(&self, pivot: &Pivot) -> Result<(), Failure> {
        /// Nobody reads a table of more columns.
        const MOST_COLUMNS: usize = 60;
        match pivot.columns.len() {
            0..=MOST_COLUMNS => Ok(()),
            count => Err(Failure::usage(
                format!("the table would have {count} columns"),
                "narrow the question, make rows of the longer field, or write -f csv",
            )),
        }
    }
}
