//! The report of an import: what became of every record, and drafts of missing catalog entries.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;

use super::error::UnresolvedName;
use crate::model::{Facet, Measurement};
use crate::reading::schema::{ValueForm, top_keys};
use crate::reading::{check_measurements, toml_text};
use crate::values::{EntityId, EntityKind, Standing};

/// The counts of an import: records read, written and left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Number of records in the files.
    pub read: usize,
    /// Number of rows written.
    pub written: usize,
    /// Records left out, by reason.
    pub left_out: BTreeMap<String, LeftOut>,
    /// Texts that could not be read; their rows were written without them.
    pub unknown: BTreeMap<String, LeftOut>,
    /// Names that are not in the catalog, most frequent first.
    pub unresolved: Vec<UnresolvedName>,
    /// Files that could not be read although others could.
    pub unread: Vec<UnreadFile>,
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadFile {
    /// Its place, as `file:line`.
    pub place: String,
    /// What the reader expected.
    pub message: String,
}

/// Records left out for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Number of records.
    pub count: usize,
    /// The place of the first one, as `file:line`.
    pub first: String,
}

impl ImportReport {
    /// Records a file that could not be read, once even if several parts of the recipe read it.
    pub(super) fn leave_unread(&mut self, file: UnreadFile) {
        if !self.unread.contains(&file) {
            self.unread.push(file);
        }
    }

    pub(super) fn leave_out(&mut self, reason: String, place: &str) {
        count_at(&mut self.left_out, reason, place);
    }
}

/// Increments the count of `what` and remembers the place of its first occurrence.
pub(super) fn count_at(counts: &mut BTreeMap<String, LeftOut>, what: String, place: &str) {
    counts.entry(what).or_insert_with(|| LeftOut { count: 0, first: place.to_owned() }).count += 1;
}

/// What an import changed in the existing files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportChanges {
    /// Number of new measurements.
    pub added: usize,
    /// Ids of measurements whose values or context changed; a person's corrections in them are overwritten.
    pub changed: Vec<String>,
    /// Number of removed measurements.
    pub removed: usize,
    /// Number of unchanged measurements.
    pub unchanged: usize,
    /// Number of rows whose label the source corrected, kept as superseded rows.
    pub superseded: usize,
    /// Number of remarks, exceptions and comments by people that were preserved.
    pub kept: usize,
}

impl ImportChanges {
    pub(super) fn add(&mut self, before: &str, after: &str, source: &EntityId) {
        let read = |text: &str| -> BTreeMap<String, Measurement> {
            let rows = check_measurements(Path::new("before.toml"), text, source).unwrap_or_default();
            rows.into_iter().map(|row| (row.id().to_owned(), row)).collect()
        };
        let (before, after) = (read(before), read(after));
        for (id, row) in &after {
            match before.get(id) {
                None => self.added += 1,
                Some(old) if old == row => self.unchanged += 1,
                // Not counted as changed: the row was superseded because the source corrected its label.
                Some(old) if old.standing().is_none() && row.standing() == Some(Standing::Superseded) => {}
                Some(_) => self.changed.push(id.clone()),
            }
        }
        self.removed += before.keys().filter(|id| !after.contains_key(*id)).count();
    }
}

/// The draft of a catalog entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryDraft {
    /// The kind of entity.
    pub kind: EntityKind,
    /// Its id, the stem of its file.
    pub id: EntityId,
    /// The text of its file.
    pub text: String,
}

/// Drafts of all missing entries. Names with the same id are spellings of one entry. Names that may be several
/// entities, and words of a closed vocabulary, get no draft.
pub fn entry_drafts(names: &[UnresolvedName], source: &EntityId) -> Vec<EntryDraft> {
    let mut entries: IndexMap<(EntityKind, EntityId), Vec<&UnresolvedName>> = IndexMap::new();
    for name in names {
        let kind = match name.facet {
            Facet::Device => EntityKind::Device,
            Facet::Network => EntityKind::Network,
            Facet::Framework => EntityKind::Framework,
            Facet::Dataset => EntityKind::Dataset,
            _ => continue,
        };
        if let Some(id) = EntityId::of_name(&name.spelling) {
            entries.entry((kind, id)).or_default().push(name);
        }
    }
    let draft = |((kind, id), spellings): ((EntityKind, EntityId), Vec<&UnresolvedName>)| EntryDraft {
        text: text_of(kind, &spellings, source),
        kind,
        id,
    };
    entries.into_iter().map(draft).collect()
}

fn text_of(kind: EntityKind, spellings: &[&UnresolvedName], source: &EntityId) -> String {
    let quoted = |name: &&UnresolvedName| toml_text(&name.spelling).to_string();
    let [first, others @ ..] = spellings else { return String::new() };
    let mut lines = Vec::new();
    lines.push(format!("# Drafted by an import from {}: complete it from a source of its own.", first.first));
    if !first.near.is_empty() {
        lines.push(format!("# If it is one of {}, add an alias there instead.", first.near.join(", ")));
    }
    lines.push(format!("name = {}", quoted(first)));
    if !others.is_empty() {
        lines.push(format!("aliases = [{}]", others.iter().map(quoted).collect::<Vec<_>>().join(", ")));
    }
    let required = top_keys(kind).into_iter().filter(|(key, _, required)| *required && *key != "name");
    for (key, form, _) in required.filter(|(key, ..)| *key != "sources") {
        let value = match form {
            ValueForm::Text => "\"\"",
            ValueForm::Texts => "[\"\"]",
            ValueForm::Bare | ValueForm::Date | ValueForm::Table => "",
        };
        lines.push(format!("# {key} = {value}  # required"));
    }
    lines.push(format!("\n[[sources]]\nsource = {}", toml_text(source.as_str())));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(facet: Facet, spelling: &str) -> UnresolvedName {
        UnresolvedName {
            facet,
            spelling: spelling.to_owned(),
            rows: 2,
            first: "a.csv:3".to_owned(),
            why: String::new(),
            near: vec!["nova-100".to_owned()],
        }
    }

    #[test]
    fn many_names_are_drafted_in_their_order() {
        let source: EntityId = "imagined-2018".parse().unwrap();
        let names: Vec<UnresolvedName> = (0..10_000).map(|at| name(Facet::Network, &format!("Net {at}"))).collect();
        let drafts = entry_drafts(&names, &source);
        assert!(drafts.iter().enumerate().all(|(at, draft)| draft.id.as_str() == format!("net-{at}")));
        assert_eq!(drafts.len(), names.len());
    }

    #[test]
    fn a_draft_says_what_the_source_says_and_what_is_missing() {
        let source: EntityId = "imagined-2018".parse().unwrap();
        let names = [name(Facet::Device, "Nova 900"), name(Facet::Device, "Nova-900"), name(Facet::Precision, "fp3")];
        let drafts = entry_drafts(&names, &source);
        assert_eq!(drafts.len(), 1);
        assert_eq!((drafts[0].kind, drafts[0].id.as_str()), (EntityKind::Device, "nova-900"));
        for part in
            ["name = \"Nova 900\"", "aliases = [\"Nova-900\"]", "# class = ", "nova-100", "source = \"imagined-2018\""]
        {
            assert!(drafts[0].text.contains(part), "{part} is not in\n{}", drafts[0].text);
        }
    }
}
