//! Rows that a question may be about although they do not state what it asks for.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::condition::{condition, rows_meeting, shares};
use super::entities::values;
use super::key::field_of;
use super::outcome::Remark;
use super::plan::rows_asked;
use crate::ask::parse::{Ask, Filter, Is, Key, QueryError, Question, Term, Test};
use crate::model::{Aspect, Facet, Field};
use crate::rows::Note;
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;

/// Counts rows that fail only by a field they do not state, rows that may be excluded ones, and rows dated by their source.
pub(super) fn unstated(stores: &Stores, question: &Question) -> Result<Vec<Remark>, QueryError> {
    let filter = rows_asked(question);
    // Rows that do not state the listed field are missing from the list and are counted here.
    let listed = question.of.clone().filter(|_| question.ask == Ask::List).map(|of| Term::of(of, Is::Stated));
    let filter = listed.map_or(filter.clone(), |listed| filter.with(listed));
    let count = |filter: &Filter, also: Condition| -> Result<usize, QueryError> {
        let condition = Condition::All(vec![condition(stores, filter)?, also]);
        Ok(stores.index.count(DocumentKind::Measurement, &condition)?)
    };
    let mut more: Vec<(usize, Key)> = Vec::new();
    let mut remarks = Vec::new();
    for (at, term) in filter.terms.iter().enumerate() {
        match term {
            Term::Test(test) => {
                // A list reports entities without a fact itself.
                let is_reported = |aspect: &Aspect| question.ask == Ask::List && matches!(aspect, Aspect::Fact(_));
                let Some(aspect) = asked(test).filter(|aspect| !is_reported(aspect)) else { continue };
                let missing = not_stating(stores, aspect)?;
                // Integer weights tell a number format where no recipe is stated.
                let rows = count(&filter.without(at), missing.clone())? - count(&filter, missing)?;
                if rows > 0 && more.iter().all(|(_, key)| *key != test.key) {
                    more.push((rows, test.key.clone()));
                }
            }
            Term::Not(excluded) => {
                let [Term::Test(test)] = excluded.terms.as_slice() else { continue };
                let Some(field) = field_of(&test.key).filter(|_| test.is != Is::Stated) else { continue };
                let rows = count(&filter, not_stating(stores, Aspect::Field(field))?)?;
                if rows > 0 {
                    let of = rows_meeting(stores, &filter)?;
                    remarks.push(Remark::Rows(Note::MayBeExcluded { field, rows, of }));
                }
            }
            Term::Any(_) => {}
        }
    }
    more.sort_by_key(|(rows, _)| Reverse(*rows));
    remarks.splice(0..0, more.into_iter().map(|(rows, field)| Remark::Unstated(field, rows)));
    let is_part = |stage: &String| ["prefill", "decode"].contains(&stage.as_str());
    let of_part = |term: &Term| {
        let stages = term.names(Facet::Stage);
        !stages.is_empty() && stages.iter().all(is_part)
    };
    if let Some(part) = filter.terms.iter().find(|term| of_part(term)) {
        let whole = Term::of(Facet::Stage, Is::OneOf(vec!["eval".to_owned()]));
        let apart = Term::Not(Filter { terms: vec![part.clone()] });
        let devices = |subject: Filter| -> Result<Vec<(String, usize)>, QueryError> {
            let rows = Question { subject, ..Question::default() };
            let counted = values(stores, &rows, &Facet::Device.into())?.into_iter();
            Ok(counted.filter_map(|entry| Some((entry.subjects.values().next()?.to_string(), entry.n))).collect())
        };
        let of_whole = devices(filter.only(|term| !of_part(term)).with(whole).with(apart))?;
        let rows = of_whole.iter().map(|(_, rows)| rows).sum();
        if rows > 0 {
            let of_part: HashSet<String> = devices(filter.clone())?.into_iter().map(|(device, _)| device).collect();
            let only = of_whole.into_iter().map(|(device, _)| device).filter(|device| !of_part.contains(device));
            remarks.push(Remark::OfWholeInference { rows, only: only.collect() });
        }
    }
    if filter.has(Facet::Year) {
        let rows = count(&filter, not_stating(stores, Aspect::Field(Field::Date))?)?;
        if rows > 0 {
            let of = rows_meeting(stores, &filter)?;
            remarks.push(Remark::Rows(Note::DatedBySource { rows, of }));
        }
    }
    Ok(remarks)
}

/// The field or device fact of a test that rows may leave unstated; not device and network, which identify a row.
fn asked(test: &Test) -> Option<Aspect> {
    match (field_of(&test.key), &test.key) {
        (Some(field), _) => (field.is_expected() && !matches!(field, Field::Device | Field::Network | Field::Counts))
            .then_some(Aspect::Field(field)),
        (None, Key::Aspect(aspect @ Aspect::Fact(fact))) => (fact.kind() == EntityKind::Device).then_some(*aspect),
        _ => None,
    }
}

/// The rows that do not state something; none of what no share states.
fn not_stating(stores: &Stores, aspect: Aspect) -> Result<Condition, QueryError> {
    let Some(part) = aspect.part() else { return Ok(Condition::Any(Vec::new())) };
    let column = stores.database.aspect(aspect)?;
    // A batch may follow from that of all devices.
    let also = match aspect {
        Aspect::Field(Field::BatchSize) => Some(stores.database.aspect(Aspect::Field(Field::BatchSizeGlobal))?),
        _ => None,
    };
    let states_none =
        |share: &u32| column.number(*share) == 0 && also.as_ref().is_none_or(|also| also.number(*share) == 0);
    Ok(shares(part, (0..column.len() as u32).filter(states_none).collect()))
}
