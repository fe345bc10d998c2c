//! The references of an answer, table or figure.

use std::collections::BTreeSet;
use std::path::Path;

use super::answer::Answer;
use crate::model::{Citation, Facet, KbReference, Reference, References, Source, Value};
use crate::reading;
use crate::stores::{OpenError, Stores};

/// The references of an answer: the sources of its measurements and conclusion; if it has neither, what its facts cite. The
/// knowledge base itself is always included.
///
/// # Errors
///
/// When a store or `catalog/kb.toml` cannot be read.
pub fn cited_by(answer: &Answer, stores: &Stores, root: &Path) -> Result<References, OpenError> {
    let of_rows = answer.measurements.iter().map(|row| row.recorded().source().as_str());
    let concluded = answer.conclusion.entries.iter().flat_map(|entry| &entry.sources).map(String::as_str);
    let described =
        answer.conclusion.entries.iter().filter_map(|entry| match entry.subjects.get(Facet::Source.key()) {
            Some(Value::Text(id)) => Some(id.as_ref()),
            _ => None,
        });
    let ids: BTreeSet<&str> = of_rows.chain(concluded).chain(described).collect();
    if !ids.is_empty() {
        return cited(ids, &[], stores, root);
    }
    let catalog = &answer.catalog;
    let facts = catalog.frameworks.iter().flat_map(|joined| &joined.framework.sources);
    let facts = facts.chain(catalog.devices.iter().flat_map(|device| &device.sources));
    let facts = facts.chain(catalog.networks.iter().flat_map(|network| &network.sources));
    let facts = facts.chain(catalog.datasets.iter().flat_map(|dataset| &dataset.sources));
    let facts: Vec<&Citation> = facts.chain(catalog.hardware_classes.iter().flat_map(|class| &class.sources)).collect();
    cited(catalog.sources.iter().map(|source| source.id.as_str()), &facts, stores, root)
}

/// The sources with these ids, the works that the citations name, and the knowledge base itself.
///
/// # Errors
///
/// When a store or `catalog/kb.toml` cannot be read.
pub fn cited<'i>(
    ids: impl IntoIterator<Item = &'i str>,
    citations: &[&Citation],
    stores: &Stores,
    root: &Path,
) -> Result<References, OpenError> {
    let mut references = References::default();
    for id in ids.into_iter().collect::<BTreeSet<_>>() {
        if let Some(source) = stores.database.entity::<Source>(id)? {
            references.add(Reference::Source(Box::new(source)));
        }
    }
    for citation in citations {
        references.add_citation(citation, |id| stores.database.entity(id))?;
    }
    references.add(Reference::KnowledgeBase(knowledge_base_reference(stores, root)?));
    Ok(references)
}

/// The reference for citing the knowledge base itself.
///
/// # Errors
///
/// When a store or `catalog/kb.toml` cannot be read.
pub fn knowledge_base_reference(stores: &Stores, root: &Path) -> Result<KbReference, OpenError> {
    let info = reading::info(root)?;
    let sources: Vec<Source> = stores.database.entities()?;
    let accessed = sources.iter().filter_map(|source| source.accessed).max();
    let (name, url, license) = (info.name, info.url, info.license);
    Ok(KbReference { name, content: stores.content.clone(), url, license, accessed })
}
