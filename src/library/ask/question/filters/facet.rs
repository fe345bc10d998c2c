//! Filters by facet: `device:v100`, `network:resnet*`, `multi-server:yes`.

use std::ops::Range;

use super::mistakes::{no_order, unknown_value};
use crate::ask::question::clause::{Clause, ClauseReading, filter_text};
use crate::ask::question::error::QueryError;
use crate::ask::question::grammar::{Filter, Operator};
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::read_as::ReadAs;
use crate::model::{Facet, Lookup as _, Name, NameKind};
use crate::stores::index::Condition;
use crate::values::spelling::normalise;
use crate::values::text::nearest;

impl<'q> Interpreter<'q> {
    pub(super) fn facet_filter(&mut self, facet: Facet, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        if filter.operator != Operator::Is {
            return Err(no_order(facet.key(), filter).into());
        }
        let mut asked: Vec<String> = Vec::new();
        let mut readings: Vec<ClauseReading> = Vec::new();
        for (text, span) in &filter.values {
            let values = self.values_called(facet, text, span.clone())?;
            let (read_as, values) = self.expanded(text, facet, values, "exact")?;
            let (equivalent, condition) = (filter_text(facet, &values), Condition::Facet(facet, values.clone()));
            readings.push(ClauseReading { read_as, equivalent, condition });
            asked.extend(values.into_iter().filter(|value| !asked.contains(value)).collect::<Vec<_>>());
        }
        Ok(Clause {
            text: self.span_text(filter),
            equivalent: filter_text(facet, &asked),
            condition: Condition::Facet(facet, asked),
            readings,
            sides: Vec::new(),
        })
    }

    /// The values of a facet that a name or a pattern with `*` leads to.
    fn values_called(&self, facet: Facet, text: &str, span: Range<usize>) -> Result<Vec<String>, QueryError> {
        let store = &self.stores.database;
        let names = if text.contains('*') { store.names_like(text)? } else { store.exact(&normalise(text))? };
        let mut names: Vec<Name> = names.into_iter().filter(|name| name.facet == facet).collect();
        if facet == Facet::MultiServer && names.is_empty() {
            names.extend(yes_or_no(text));
        }
        if names.is_empty() {
            return Err(unknown_value(facet.key(), text, span, &self.near_values(facet, text)?).into());
        }
        let mut values = Vec::new();
        for name in names {
            if !values.contains(&name.value) {
                values.push(name.value);
            }
        }
        Ok(values)
    }

    /// Values of a facet whose names are near to a text, each in backquotes.
    fn near_values(&self, facet: Facet, text: &str) -> Result<Vec<String>, QueryError> {
        let all = self.stores.database.all()?;
        let of_facet: Vec<&Name> = all.iter().filter(|name| name.facet == facet).collect();
        let mut values: Vec<String> = Vec::new();
        for normal in nearest(&normalise(text), of_facet.iter().map(|name| name.normal.as_str()), 3) {
            let found = of_facet.iter().filter(|name| name.normal == normal);
            values.extend(found.map(|name| format!("`{}`", name.value)));
        }
        values.dedup();
        Ok(values)
    }

    /// How a reading of words as a facet is shown, and what it asks for.
    pub(in crate::ask::question) fn facet_clause(
        &mut self,
        text: &str,
        facet: Facet,
        values: Vec<String>,
        how: &str,
    ) -> Result<Clause, QueryError> {
        let (read_as, values): (ReadAs, Vec<String>) = self.expanded(text, facet, values, how)?;
        let equivalent = filter_text(facet, &values);
        Ok(ClauseReading { read_as, equivalent, condition: Condition::Facet(facet, values) }.clause())
    }
}

fn yes_or_no(text: &str) -> Option<Name> {
    let value = match text {
        "yes" | "true" | "1" => "yes",
        "no" | "false" | "0" => "no",
        _ => return None,
    };
    Some(Name { normal: text.to_owned(), facet: Facet::MultiServer, value: value.to_owned(), kind: NameKind::Exact })
}
