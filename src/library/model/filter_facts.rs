//! The facts of each catalog entity by which a question finds it.

use super::fact_value::FactValue;
use super::{Catalog, Fact, FactEntity, HardwareClassRecord};
use crate::values::Grade;

/// The facts of one entity by their keys.
pub type FilterFacts = Vec<(String, FactValue)>;

/// The facts of an entity that are filters. Where what it belongs to says more (the families that a network descends from), that
/// counts too.
pub fn filter_facts<E: FactEntity>(entity: &E, catalog: &Catalog) -> FilterFacts {
    let facts = Fact::filters().filter(|fact| fact.kind() == entity.kind());
    facts
        .flat_map(|fact| fact.filter_values(entity, catalog).into_iter().map(move |value| (fact.to_string(), value)))
        .collect()
}

/// The grades of a hardware class, by hardware metric.
pub fn grades_of(class: &HardwareClassRecord) -> FilterFacts {
    class.grades.iter().map(|(metric, record)| (metric.to_string(), FactValue::Number(rank_of(record.grade)))).collect()
}

/// How good a grade is, the best being the largest. A survey's `good` stands between `moderate` and `high`.
pub fn rank_of(grade: Grade) -> f64 {
    match grade {
        Grade::Low => 1.0,
        Grade::Moderate => 2.0,
        Grade::Good => 3.0,
        Grade::High => 4.0,
    }
}
