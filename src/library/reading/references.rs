//! Every id that a file mentions must be an entity of the catalog.

use std::collections::HashSet;
use std::sync::Arc;

use super::codes;
use super::files::{FileKind, KbFile};
use super::findings::ReadFindings;
use crate::model::{Catalog, Diagnostic, SourceFile};
use crate::values::text::{nearest, or_list};
use crate::values::{EntityId, EntityKind};

/// Reports each reference that does not resolve, with the nearest ids that would.
pub(super) fn check(catalog: &Catalog, files: &[(KbFile, Arc<SourceFile>)], findings: &mut ReadFindings) {
    // A file that is there but broken has its own findings; what refers to it is right.
    let present: HashSet<(EntityKind, &EntityId)> = files
        .iter()
        .filter_map(|(file, _)| match &file.kind {
            FileKind::Entity(kind, id) => Some((*kind, id)),
            _ => None,
        })
        .collect();
    for reference in findings.take_references() {
        if present.contains(&(reference.kind, &reference.id)) || catalog.contains(reference.kind, &reference.id) {
            continue;
        }
        let noun = reference.kind.noun();
        let near = nearest(reference.id.as_str(), catalog.ids(reference.kind), 3);
        let help = if near.is_empty() {
            format!(
                "add catalog/{}/{}.toml, or see `dlbench list {}` for the ids there are",
                reference.kind.plural(),
                reference.id,
                reference.kind.plural()
            )
        } else {
            let near: Vec<String> = near.iter().map(|id| format!("`{id}`")).collect();
            format!("did you mean {}?", or_list(&near))
        };
        findings.report(
            Diagnostic::error(
                codes::REFERENCE,
                &reference.file,
                reference.span,
                format!("there is no {noun} `{}`", reference.id),
                format!("no such {noun}"),
            )
            .help(help),
        );
    }
}
