//! Drafts of the entries that an import misses: what the source says, and comments on what a person must look up.

use indexmap::IndexMap;

use super::unresolved_name::UnresolvedName;
use crate::model::Facet;
use crate::reading::schema::{ValueForm, top_keys};
use crate::reading::toml_text;
use crate::values::{EntityId, EntityKind};

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
