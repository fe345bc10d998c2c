//! How a question was understood, what each part of it leaves, and how it is answered.

use crate::ask::question::{QueryError, Question, ReadAs, understand};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};

/// The reading of a question, laid open.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Explanation {
    /// How each word was read, and how many measurements that alone leaves; `None` for what leaves all of them.
    pub readings: Vec<(ReadAs, Option<usize>)>,
    /// How many measurements all of it leaves.
    pub total: usize,
    /// The question in explicit filters; asked again, it gives the same answer.
    pub equivalent: String,
    /// What is done, in this order.
    pub plan: Vec<PlanStep>,
}

/// A step of the plan.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct PlanStep {
    /// What is done.
    pub does: String,
    /// How many measurements are left after it.
    pub leaves: usize,
}

/// Explains a question without answering it.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn explain(stores: &Stores, question: &str) -> Result<Explanation, QueryError> {
    let understood = understand(question, stores)?;
    let mut readings = Vec::new();
    for reading in understood.clauses.iter().flat_map(|clause| &clause.readings) {
        let leaves = stores.index.count(DocumentKind::Measurement, &reading.condition)?;
        readings.push((reading.read_as.clone(), Some(leaves)));
    }
    readings.extend(understood.asides.iter().map(|aside| (aside.clone(), None)));
    let total = stores.index.count(DocumentKind::Measurement, &understood.condition_without(None))?;
    Ok(Explanation { readings, total, equivalent: understood.equivalent(), plan: plan(stores, &understood, total)? })
}

/// The clauses from the most to the least selective, which is how the index intersects them, then order and join.
fn plan(stores: &Stores, understood: &Question, total: usize) -> Result<Vec<PlanStep>, QueryError> {
    let mut clauses = Vec::new();
    for clause in &understood.clauses {
        clauses.push((stores.index.count(DocumentKind::Measurement, &clause.condition)?, clause));
    }
    clauses.sort_by_key(|(count, _)| *count);
    let mut steps = Vec::new();
    let mut held = Vec::new();
    for (count, clause) in &clauses {
        held.push(clause.condition.clone());
        let condition = Condition::All(held.clone());
        let does = match steps.is_empty() {
            true => format!("index: read the {count} rows of {}", clause.equivalent),
            false => format!("index: keep those with {} ({count} rows)", clause.equivalent),
        };
        steps.push(PlanStep { does, leaves: stores.index.count(DocumentKind::Measurement, &condition)? });
    }
    if steps.is_empty() {
        steps.push(PlanStep { does: "index: read all rows".to_owned(), leaves: total });
    }
    let order = match understood.sort {
        Some(sort) => format!(
            "index: keep the rows with the {} {} while counting all",
            if sort.descending { "largest" } else { "smallest" },
            sort.key()
        ),
        None => "index: keep the first rows in the order of the catalog while counting all".to_owned(),
    };
    steps.push(PlanStep { does: order, leaves: total });
    let join = "store: read the rows shown, and the frameworks, devices, networks and sources of all rows";
    steps.push(PlanStep { does: join.to_owned(), leaves: total });
    Ok(steps)
}
