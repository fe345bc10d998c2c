//! What is told besides that nothing here is called as a question says.

use super::by_intent::of_intent;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Aspect, Facet, Fact, Field};
use crate::stores::Stores;
use crate::stores::index::Hits;
use crate::values::text::counted;

/// So many rows are told with their numbers, whatever was run.
const FEW_ROWS: usize = 12;

/// So many networks are named that rows are of.
const MOST_NETWORKS: usize = 3;

/// `can I run a 7b on a 4060 ti 16gb`, which nothing here is called: whether it fits follows from the sizes that are named; `None`
/// where it is not asked, or where they are not.
pub(super) fn fit_besides_unknown(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let says = |key: &str| question.read_as().any(|read| read.facet == key);
    let names_sizes = says(Fact::Memory.key()) && (says(Fact::Parameters.key()) || says(Facet::Network.key()));
    if !question.wanted.quantities.contains(&Quantity::MemoryFit) || !names_sizes {
        return Ok(None);
    }
    let mut known = question.clone();
    known.clauses.retain(|clause| !question.wanted.unknown_names.contains(&clause.text));
    known.wanted.unknown_names.clear();
    // What was measured of it is nothing, and that of others is told as theirs.
    known.wanted.quantities = vec![Quantity::MemoryFit];
    known.wanted.speed = false;
    let told = of_intent(stores, &known, found)?;
    Ok((!told.entries.is_empty()).then_some(told))
}

/// What many rows are of where a question does not say what was run: numbers of work that nobody asked for say nothing of a product
/// that could not be compared.
pub(super) fn rows_of_any_work(
    stores: &Stores,
    question: &Question,
    hits: &Hits,
) -> Result<Option<String>, QueryError> {
    let of_work = |key: &str| matches!(key, "network" | "task" | "dataset" | "parameters" | "source");
    let names_work = question.clauses.iter().any(|clause| clause.plain_kind().is_some_and(of_work));
    if names_work || hits.total <= FEW_ROWS {
        return Ok(None);
    }
    let aspect = Aspect::Field(Field::Network);
    let counts = RowCounts::of(stores, hits, aspect)?;
    let told = counts.in_words(stores, &mut Names::default(), aspect, MOST_NETWORKS)?;
    Ok(Some(format!("{} of {told}.", counted(hits.total, "row", "rows"))))
}
