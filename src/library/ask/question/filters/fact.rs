//! Filters by facts of the catalog: `memory>=16GB`, `api-language:c++`, `energy-efficiency>=moderate`.
//!
//! Such a filter asks for entities, and for the measurements that name exactly one of them.

use std::ops::RangeBounds as _;

use super::mistakes::{no_order, unknown_value};
use super::number::{all_bounds, bounds, read_values};
use crate::ask::question::clause::Clause;
use crate::ask::question::error::QueryError;
use crate::ask::question::grammar::{Filter, Operator};
use crate::ask::question::interpreter::Interpreter;
use crate::model::{Aspect, Facet, Fact, FactValue, Lookup as _, rank_of};
use crate::stores::index::Condition;
use crate::values::EntityKind;
use crate::values::Grade;
use crate::values::spelling::normalise;

impl<'q> Interpreter<'q> {
    pub(super) fn fact_filter(&mut self, fact: Fact, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        let text = self.span_text(filter);
        let mut value = text[filter.key.len()..].to_owned();
        let ids = match fact.unit() {
            Some(unit) => {
                let values = read_values(filter)?;
                value = self.as_read(filter, &values);
                let ranges = all_bounds(fact.key(), unit, filter.operator, &values)?;
                self.stores.database.entities_with(fact.kind(), fact.key(), |value| match value {
                    FactValue::Number(number) => ranges.iter().any(|range| range.contains(number)),
                    FactValue::Word(_) => false,
                })?
            }
            None if filter.operator != Operator::Is => return Err(no_order(fact.key(), filter).into()),
            None => {
                let wanted = self.words_of_fact(fact, filter)?;
                self.stores.database.entities_with(fact.kind(), fact.key(), |value| match value {
                    FactValue::Word(word) => wanted.contains(&normalise(word)),
                    FactValue::Number(_) => false,
                })?
            }
        };
        let condition = self.naming(fact.kind(), ids.into_iter().collect())?;
        Ok(Clause::of(&text, fact.key(), vec![value.clone()], format!("{}{value}", fact.key()), condition))
    }

    /// `energy-efficiency>=moderate`: the classes with such a grade.
    pub(super) fn grade_filter(&mut self, metric: &str, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        let mut ranges = Vec::new();
        for (text, span) in &filter.values {
            let rank = |text: &str| text.to_ascii_lowercase().parse::<Grade>().ok().map(rank_of);
            let range = bounds(filter.operator, text, rank);
            let grades = ["`low`", "`moderate`", "`good`", "`high`"].map(str::to_owned);
            ranges.push(range.ok_or_else(|| unknown_value("grade", text, span.clone(), &grades))?);
        }
        let classes = self.stores.database.entities_with(EntityKind::HardwareClass, metric, |value| match value {
            FactValue::Number(rank) => ranges.iter().any(|range| range.contains(rank)),
            FactValue::Word(_) => false,
        })?;
        let text = self.span_text(filter);
        let value = text[filter.key.len()..].to_owned();
        let condition = Condition::Facet(Facet::Class, classes.into_iter().collect());
        Ok(Clause::of(&text, metric, vec![value.clone()], format!("{metric}{value}"), condition))
    }

    /// The words that a filter's values mean, normalised: a network by any of its names, else the word itself.
    fn words_of_fact(&self, fact: Fact, filter: &Filter<'_>) -> Result<Vec<String>, QueryError> {
        let facet = fact.facet();
        let mut words = Vec::new();
        for (text, _) in &filter.values {
            let normal = normalise(text);
            if let Some(facet) = facet {
                let names = self.stores.database.exact(&normal)?;
                words.extend(names.into_iter().filter(|name| name.facet == facet).map(|name| normalise(&name.value)));
            }
            words.push(normal);
        }
        Ok(words)
    }

    /// Entities, and the measurements that name exactly one of them.
    pub(in crate::ask::question) fn naming(&self, kind: EntityKind, ids: Vec<String>) -> Result<Condition, QueryError> {
        let Some((aspect, _)) = Aspect::of_entities().find(|(_, named)| *named == kind) else {
            return Ok(Condition::Facet(Facet::of_entities(kind), ids));
        };
        let column = self.stores.database.aspect(aspect)?;
        let shares = column.shares_with(|id| ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok());
        let naming = aspect.part().map(|part| Condition::Shares(part, shares));
        Ok(Condition::Any(naming.into_iter().chain([Condition::Entities(kind, ids)]).collect()))
    }
}
