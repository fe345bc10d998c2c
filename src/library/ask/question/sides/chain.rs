//! What stands against each other in a question, by the places of its clauses.

use crate::ask::question::clause::{Clause, any_of, combine, either};
use crate::ask::question::facing::{HARDWARE, kind_of};
use crate::ask::question::vocabulary::Link;
use crate::model::Facet;
use crate::stores::index::Condition;

/// A clause as it was read; linked to those before by a `vs` or an `or`.
#[derive(Debug, Clone)]
pub(in crate::ask::question) struct ReadClause {
    /// The facet, where it is about one alone and is joined with others about it.
    pub facet: Option<Facet>,
    /// The clause.
    pub clause: Clause,
    /// What links it to those before.
    pub link: Option<Link>,
}

/// The clauses that stand against each other, by their places.
pub(super) struct Chain {
    pub sides: Vec<Vec<usize>>,
    /// Whether they are compared, not only listed.
    pub compares: bool,
}

/// The filter of a clause.
pub(super) fn filter_of(read: &[ReadClause], at: usize) -> &str {
    &read[at].clause.equivalent
}

impl Chain {
    /// Whether a clause is of any side.
    pub fn has(&self, at: usize) -> bool {
        self.sides.iter().any(|side| side.contains(&at))
    }

    /// One clause of all sides.
    pub fn joined(&self, read: &[ReadClause]) -> Option<ReadClause> {
        let side = |places: &Vec<usize>| combine(places.iter().map(|at| read[*at].clause.clone()).collect());
        let mut sides: Vec<Clause> = self.sides.iter().filter_map(side).collect();
        settle(&mut sides);
        stand_apart(&mut sides);
        let joint = if self.compares { " vs " } else { " or " };
        let text = sides.iter().map(|side| side.text.as_str()).collect::<Vec<_>>().join(joint);
        let facet = facet_of(sides.first()?);
        let clause = match facet {
            Some(facet) if sides.iter().all(|side| facet_of(side) == Some(facet)) => any_of(facet, sides.clone()),
            _ => either(text.clone(), sides.clone())?,
        };
        let sides = if self.compares { sides } else { Vec::new() };
        Some(ReadClause { facet: None, clause: Clause { text, sides, ..clause }, link: None })
    }
}

/// What is a side of its own is none of the family that it stands against: `V100S vs V100`.
fn stand_apart(sides: &mut [Clause]) {
    let ids = |side: &Clause| match side.readings.as_slice() {
        // A number format takes in the mixed recipe, which stands apart where it is a side of its own.
        [only] if matches!(only.condition, Condition::Facet(Facet::Device | Facet::Network | Facet::Precision, _)) => {
            only.read_as.values.clone()
        }
        _ => Vec::new(),
    };
    let named: Vec<Vec<String>> = sides.iter().map(ids).collect();
    let conditions: Vec<(Condition, String)> =
        sides.iter().map(|side| (side.condition.clone(), side.equivalent.clone())).collect();
    for (at, side) in sides.iter_mut().enumerate() {
        let own = &named[at];
        let within = |other: &usize| {
            *other != at
                && !named[*other].is_empty()
                && named[*other].len() < own.len()
                && named[*other].iter().all(|id| own.contains(id))
        };
        let members: Vec<usize> = (0..named.len()).filter(within).collect();
        if members.is_empty() {
            continue;
        }
        let mut all = vec![side.condition.clone()];
        for member in &members {
            all.push(Condition::Not(Box::new(conditions[*member].0.clone())));
            side.equivalent = format!("({} -{})", side.equivalent, conditions[*member].1);
            side.readings[0].read_as.values.retain(|id| !named[*member].contains(id));
        }
        side.condition = Condition::All(all);
    }
}

/// The facet of a clause that asks for values of one alone.
pub(in crate::ask::question) fn facet_of(clause: &Clause) -> Option<Facet> {
    match clause.condition {
        Condition::Facet(facet, _) if facet.key() == kind_of(clause) => Some(facet),
        _ => None,
    }
}

/// Of a side that can be read in several ways (L4 is a device and a layer) the reading that faces the others.
fn settle(sides: &mut [Clause]) {
    let sure = sides.iter().find(|side| side.readings.len() == 1).map(|side| kind_of(side).to_owned());
    let Some(kind) = sure else { return };
    for side in sides.iter_mut().filter(|side| side.readings.len() > 1) {
        let one_text = side.readings.iter().all(|reading| reading.read_as.text == side.text);
        let hardware = HARDWARE.contains(&kind.as_str());
        let is_alike = |facet: &str| facet == kind || hardware && HARDWARE.contains(&facet);
        let Some(reading) = side.readings.iter().find(|reading| one_text && is_alike(&reading.read_as.facet)) else {
            continue;
        };
        if matches!(reading.condition, Condition::Facet(..)) {
            *side = reading.clone().clause();
        }
    }
}
