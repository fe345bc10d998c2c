//! What is known of an entity: what it is, how much was measured of it and on what, its facts or grades.

use super::condition::rows_meeting;
use super::counted::values;
use super::facts::stated_facts;
use super::grades::grades_of_class;
use super::named::{NamedEntity, named, subject};
use super::{Entry, Outcome};
use crate::ask::parse::{Ask, QueryError, Question};
use crate::model::{Facet, Fact};
use crate::stores::Stores;
use crate::values::EntityKind;

/// So many values of what was measured are named.
const MOST_NAMED: usize = 5;

/// The overview of what a question names: of the first entity; of anything else, what was measured of it.
pub(super) fn overview(stores: &Stores, question: &Question) -> Result<Outcome, QueryError> {
    let mut outcome = Outcome::of(Ask::Overview);
    let rows = rows_meeting(stores, &question.subject)?;
    let named = named(stores, &question.subject)?;
    let counted = |subjects| Entry::of_rows(subjects, rows);
    // Of several, such as the rounds of a benchmark, what they have in common is that they were asked for.
    let named = if named.len() == 1 { named } else { Vec::new() };
    match named.first() {
        Some(entity) => {
            outcome.entries.push(counted(subject(entity.kind, &entity.id)));
            outcome.entries.extend(introduction(stores, entity)?);
        }
        None if rows > 0 => outcome.entries.push(counted(Default::default())),
        None => {}
    }
    let about = named.first().map(|entity| entity.kind);
    for kind in [EntityKind::Network, EntityKind::Device, EntityKind::Framework, EntityKind::Source] {
        if about == Some(kind) || rows == 0 {
            continue;
        }
        let most = values(stores, question, &Facet::of_entities(kind).into())?.into_iter().take(MOST_NAMED);
        outcome.entries.extend(most.map(|entry| Entry { sources: Vec::new(), ..entry }));
        if about.is_some() {
            break;
        }
    }
    if named.is_empty() && rows > 0 {
        let mut stages = values(stores, question, &Facet::Stage.into())?;
        stages.truncate(MOST_NAMED);
        outcome.entries.extend(stages);
    }
    Ok(outcome)
}

/// The facts by which an entity is introduced; of a class its grades.
fn introduction(stores: &Stores, entity: &NamedEntity) -> Result<Vec<Entry>, QueryError> {
    if entity.kind == EntityKind::HardwareClass {
        return grades_of_class(stores, &entity.id);
    }
    stated_facts(stores, (entity.kind, &entity.id), facts_of(entity.kind).iter().copied())
}

/// The facts by which an entity of a kind is introduced.
pub(super) fn facts_of(kind: EntityKind) -> &'static [Fact] {
    use Fact::*;
    match kind {
        EntityKind::Device => &[
            Class,
            Vendor,
            Architecture,
            Cores,
            Memory,
            Bandwidth,
            PeakFp32,
            PeakFp16Tensor,
            Tdp,
            Released,
            LaunchPrice,
            Notes,
        ],
        EntityKind::Framework => {
            &[Steward, FirstRelease, Maturity, License, CoreLanguage, ApiLanguage, MultiServer, Hardware, Notes]
        }
        EntityKind::Network => &[Task, Parameters, MultiplyAdds, InputShape, Published, DiffersIn, Notes],
        EntityKind::Dataset => &[Task, Classes, TrainSize, TestSize, License, Notes],
        EntityKind::Source => &[Year],
        EntityKind::HardwareClass => &[],
    }
}
