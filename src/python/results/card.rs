//! Everything that is recorded of one thing.

use serde_json::{Value, json};

use super::{Drawn, DrawnFor};
use dlbench::KnowledgeBase;
use dlbench::ask::export::Sheet;
use dlbench::model::References;
use dlbench::render::answer::{page, sheet};
use dlbench::render::table::{Paper, Table};
use dlbench::render::{Format, card};
use dlbench_server::Refusal;
use dlbench_server::requests::{Cited, Shown};

/// A card.
pub struct CardResult {
    shown: Shown,
}

impl CardResult {
    /// What was shown.
    pub fn of(shown: Shown) -> Self {
        Self { shown }
    }

    /// A row for each known fact.
    fn rows(&self) -> Vec<Value> {
        let known = self.shown.card.facts.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        known.map(|(fact, value)| json!({ "fact": fact, "value": text(value) })).collect()
    }
}

impl Drawn for CardResult {
    fn document(&self) -> serde_json::Result<String> {
        let (card, cited) = (&self.shown.card, Cited::from(&self.shown.references));
        serde_json::to_string(&json!({ "title": card.title, "facts": card.facts, "references": cited.references }))
    }

    fn draw(&self, kb: &KnowledgeBase, reader: DrawnFor) -> Result<String, Refusal> {
        let card = &self.shown.card;
        let cited = Cited::from(&self.shown.references);
        let sources: Vec<String> = cited.references.into_iter().map(|reference| reference.text).collect();
        let about =
            vec![format!("dlbench show: {}", card.title), format!("content of the knowledge base: {}", kb.content())];
        let table = || Table { caption: card.title.clone(), ..card::table(&card.facts) };
        Ok(match reader {
            DrawnFor::Terminal(width) => {
                card::write(&card.title, &card.facts, Format::Table, width).map_err(|error| Refusal::failed(&error))?
            }
            DrawnFor::Markdown => sheet(&table(), &sources, &about),
            DrawnFor::Html => page(&table(), &sources, &about, false),
            DrawnFor::Latex => table().latex(&Paper { about, cite: self.shown.references.keys(), ..Paper::default() }),
        })
    }

    fn references(&self, _: &KnowledgeBase) -> Result<References, Refusal> {
        Ok(self.shown.references.clone())
    }

    fn sheets(&self) -> Result<Vec<Sheet>, Refusal> {
        Ok(vec![Sheet::of_entities("facts", self.rows())?])
    }
}
