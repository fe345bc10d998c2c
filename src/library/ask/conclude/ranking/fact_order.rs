//! What entities that are ranked by what they state have in common: which they are, which value is better, and the words for both.

use crate::ask::conclude::basis::fact_wording::fact_name;
use crate::ask::conclude::basis::listed_kinds::aspect_of;
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Facet, Fact};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::and_list;

/// The entities that the conditions are about; where they are about rows, those that the rows name.
pub(super) fn candidates(stores: &Stores, question: &Question, kind: EntityKind) -> Result<Vec<String>, QueryError> {
    let condition = question.condition_without(None);
    let direct = stores.index.entities(kind, &condition)?;
    let Some(aspect) = aspect_of(kind).filter(|_| direct.is_empty()) else { return Ok(direct) };
    let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
    Ok(RowCounts::of(stores, &hits, aspect)?.values.into_iter().map(|(id, _)| id).collect())
}

/// Whether more of a fact is better: a price, a power and a size are better where they are lower.
pub(in crate::ask::conclude) fn is_higher_better(fact: Fact) -> bool {
    !matches!(fact, Fact::Tdp | Fact::LaunchPrice | Fact::Price | Fact::Process | Fact::Parameters | Fact::MultiplyAdds)
}

/// `Largest memory`, `Fewest parameters`, `Newest`.
pub(super) fn in_front(fact: Fact, largest_first: bool) -> String {
    let name = fact_name(fact);
    let (most, least) = match fact {
        Fact::Released | Fact::FirstRelease | Fact::Published => {
            return if largest_first { "Newest" } else { "Oldest" }.to_owned();
        }
        Fact::Parameters | Fact::MultiplyAdds | Fact::Cores | Fact::TensorCores => ("Most", "Fewest"),
        Fact::Memory => ("Largest", "Smallest"),
        Fact::TrainSize | Fact::TestSize | Fact::Classes => ("Most", "Fewest"),
        _ => ("Highest", "Lowest"),
    };
    format!("{} {name}", if largest_first { most } else { least })
}

/// The conditions on what was measured, which the entities meet in some row of theirs.
pub(super) fn conditions(question: &Question) -> String {
    let of_entities = [Facet::Class, Facet::Vendor, Facet::Architecture, Facet::Device, Facet::Task];
    let is_of_rows = |clause: &&Clause| {
        let facets = || clause.readings.iter().map(|reading| reading.read_as.facet.as_str());
        let is_fact = |facet: &str| Fact::filter(facet).is_some() || of_entities.iter().any(|of| of.key() == facet);
        !clause.text.is_empty() && !facets().any(is_fact)
    };
    let words = question.clauses.iter().filter(is_of_rows).map(|clause| format!("`{}`", clause.text));
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::new() } else { format!(" with rows of {}", and_list(&words)) }
}
