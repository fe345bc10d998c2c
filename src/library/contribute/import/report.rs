//! What became of every record of an import, and drafts of the entries that it misses.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;

use super::error::UnresolvedName;
use crate::model::{Facet, Measurement};
use crate::reading::schema::{ValueForm, top_keys};
use crate::reading::{check_measurements, toml_text};
use crate::values::{EntityId, EntityKind, Standing};

/// Records read, written and left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Records in the files.
    pub read: usize,
    /// Rows written.
    pub written: usize,
    /// Records left out, by reason.
    pub left_out: BTreeMap<String, LeftOut>,
    /// Texts that could not be read, of rows that were written without them.
    pub unknown: BTreeMap<String, LeftOut>,
    /// The names that the catalog does not have, most frequent first.
    pub unresolved: Vec<UnresolvedName>,
    /// Files that could not be read, beside others that could.
    pub unread: Vec<UnreadFile>,
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadFile {
    /// Its place, as `file:line`.
    pub place: String,
    /// What was expected of it.
    pub message: String,
}

/// Records left out for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// How many.
    pub count: usize,
    /// The place of the first one, as `file:line`.
    pub first: String,
}

impl ImportReport {
    /// Counts a file that could not be read; each part of a recipe that reads it says so.
    pub(super) fn leave_unread(&mut self, file: UnreadFile) {
        if !self.unread.contains(&file) {
            self.unread.push(file);
        }
    }

    pub(super) fn leave_out(&mut self, reason: String, place: &str) {
        count_at(&mut self.left_out, reason, place);
    }
}

/// Counts one more of `what`; the place of the first one is kept.
pub(super) fn count_at(counts: &mut BTreeMap<String, LeftOut>, what: String, place: &str) {
    counts.entry(what).or_insert_with(|| LeftOut { count: 0, first: place.to_owned() }).count += 1;
}

/// What an import changed in the files that were there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportChanges {
    /// Measurements that were not there.
    pub added: usize,
    /// The ids of measurements whose values or context differ: what a person had corrected in them is undone.
    pub changed: Vec<String>,
    /// Measurements that are gone.
    pub removed: usize,
    /// Measurements that are as they were.
    pub unchanged: usize,
    /// Rows whose label the source corrected, and that stay as superseded ones.
    pub superseded: usize,
    /// Remarks, exceptions and comments that people had added, and that are there still.
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
                // It is counted as one whose label was corrected.
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
    /// What it is an entry of.
    pub kind: EntityKind,
    /// Its id, the stem of its file.
    pub id: EntityId,
    /// The text of its file.
    pub text: String,
}

/// The drafts of all entries that are missing, a name each; names of one id are spellings of one entry. What may be several
/// entities, and words of a closed vocabulary, have none.
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
