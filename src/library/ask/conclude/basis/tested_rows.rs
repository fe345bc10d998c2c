//! What the rows are of where a question asks for frameworks by what they were tested on: a list of tests is not all that they ran.

use crate::ask::question::{Clause, Question};
use crate::model::{Facet, Fact};
use crate::stores::index::Condition;

/// The facet of rows that a condition on what frameworks were tested on is about.
pub(in crate::ask::conclude) fn tested_facet(clause: &Clause) -> Option<(Facet, &[String])> {
    let [reading] = clause.readings.as_slice() else { return None };
    let facet = match Fact::filter(&reading.read_as.facet)? {
        Fact::TestedNetwork => Facet::Network,
        Fact::TestedDataset => Facet::Dataset,
        _ => return None,
    };
    (!clause.is_excluded()).then_some((facet, reading.read_as.values.as_slice()))
}

/// What the rows are of which a question asks who was tested on it; `None` where it asks nothing so.
pub(in crate::ask::conclude) fn tested_on(question: &Question) -> Option<Vec<Condition>> {
    let tested = question.clauses.iter().filter_map(tested_facet);
    let conditions: Vec<Condition> = tested.map(|(facet, ids)| Condition::Facet(facet, ids.to_vec())).collect();
    (!conditions.is_empty()).then_some(conditions)
}
