//! The answer to a question.

use super::objects::flattened;
use super::{Drawn, DrawnFor};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, Page};
use dlbench::ask::export::{Sheet, measurements};
use dlbench::model::References;
use dlbench::render::answer::{AnswerView, about, html, latex, markdown, text};
use dlbench::render::table::Paper;
use dlbench_server::Refusal;

/// An answer.
pub struct AnswerResult {
    answer: Answer,
    page: Page,
    /// Whether somebody said how many measurements there shall be, so that a reader sees all of them.
    is_limited: bool,
}

impl AnswerResult {
    /// An answer with the measurements of a page.
    pub fn of(answer: Answer, page: Page, is_limited: bool) -> Self {
        Self { answer, page, is_limited }
    }

    /// What a reader sees: as much as the program shows.
    fn shown(&self, kb: &KnowledgeBase, reader: DrawnFor) -> Result<(Answer, AnswerView), Refusal> {
        let offset = self.page.offset;
        let page = match reader {
            _ if self.is_limited => self.page.clone(),
            DrawnFor::Terminal(_) => Page::of_a_person(offset),
            DrawnFor::Markdown | DrawnFor::Html => Page::of_a_document(offset),
            DrawnFor::Latex => Page { offset, ..Page::default() },
        };
        let question = &self.answer.query;
        let mut answer = kb.query_page(question, &page).map_err(|error| Refusal::of_question(question, &error))?;
        answer.facets.clone_from(&self.answer.facets);
        Ok((answer, AnswerView { page, ..AnswerView::default() }))
    }
}

impl Drawn for AnswerResult {
    fn document(&self) -> serde_json::Result<String> {
        serde_json::to_string(&self.answer)
    }

    fn draw(&self, kb: &KnowledgeBase, reader: DrawnFor) -> Result<String, Refusal> {
        let (answer, view) = self.shown(kb, reader)?;
        let about = about(&answer, kb.content());
        Ok(match reader {
            DrawnFor::Terminal(width) => text(&answer, &view, width),
            DrawnFor::Markdown => markdown(&answer, &view, &about),
            DrawnFor::Html => html(&answer, &view, &about, false),
            DrawnFor::Latex => {
                let cite = kb.references_of(&answer)?.keys();
                latex(&answer, &view, Paper { about, cite, ..Paper::default() })
            }
        })
    }

    fn references(&self, kb: &KnowledgeBase) -> Result<References, Refusal> {
        Ok(kb.references_of(&self.answer)?)
    }

    fn sheets(&self) -> Result<Vec<Sheet>, Refusal> {
        let entries = self.answer.conclusion.entries.iter().map(flattened).collect::<Result<Vec<_>, _>>()?;
        Ok(vec![measurements(&self.answer.measurements), Sheet::of_entities("entries", entries)?])
    }
}
