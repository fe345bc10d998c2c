//! What entries of several kinds have in common: citations of their facts, and exceptions from rules.

use super::codes;
use super::located::Located;
use super::scalars::plain;
use super::strict::StrictTable;
use super::table_keys::ValueKind;
use super::unknown_key::unknown_key;
use crate::model::{Citation, Exception, Field};
use crate::values::EntityKind;

impl<'a> StrictTable<'a, '_> {
    /// The citations of an entity: each fact they name must be a key of the entity.
    pub fn citations(&mut self) -> Vec<Citation> {
        let keys = self.keys();
        self.each("sources", |mut citation| {
            citation.note("facts", ValueKind::Texts);
            let facts = citation.spanned_texts("facts");
            for (fact, span) in &facts {
                if !keys.contains(fact) {
                    citation.report(
                        codes::UNSTATED_FACT,
                        span.clone(),
                        format!("the citation covers `{fact}`, which this file does not state"),
                        "no such key above",
                    );
                }
            }
            let read = Citation {
                source: citation.id("source", EntityKind::Source),
                url: citation.text("url"),
                title: citation.text("title"),
                accessed: citation.date("accessed"),
                facts: facts.into_iter().map(|(fact, _)| fact.to_owned()).collect(),
            };
            if read.source.is_some() == read.url.is_some() {
                let span = citation.span();
                citation.report(
                    codes::CITATION,
                    span,
                    "a citation names either a `source` of the catalog or a `url`",
                    "exactly one of the two is needed",
                );
            }
            citation.finish();
            Some(read)
        })
    }

    /// `[[exceptions]]`: findings of other rules that are right as they are.
    pub fn exceptions(&mut self) {
        let exceptions = self.each("exceptions", |mut exception| {
            let place = Located::new((), exception.file(), exception.span());
            exception.require("rule");
            exception.require("reason");
            let rule = exception.parsed("rule");
            let reason = exception.text("reason");
            let mut fields = Vec::new();
            exception.note("where", ValueKind::Fields);
            for (name, span, value) in exception.entries("where") {
                match name.parse::<Field>() {
                    Ok(field) if !field.is_computed() => {
                        fields.extend(plain(value.get_ref()).map(|text| (field, text)))
                    }
                    _ => {
                        let known = Field::of_files().map(Field::key);
                        let finding = unknown_key(exception.file(), span, name, known);
                        exception.findings().report(finding);
                    }
                }
            }
            let read = (exception.text("batch"), exception.texts("ids"));
            exception.finish();
            let ids = read.1.iter().filter_map(|id| id.parse().ok()).collect();
            Some(place.with(Exception { rule: rule?, reason: reason?, batch: read.0, ids, fields }))
        });
        self.findings().except(exceptions);
    }
}
