//! What claims about frameworks lack: a row with a network, a data set, a kind of hardware, or several hosts.

use std::collections::{BTreeSet, HashMap};

use super::document::{LackingClaim, LackingKind, WantedCell};
use super::frames::{FramedRows, WantedFrame, frames};
use crate::ask::evidence::document::{ClaimEvidence, EvidenceVerdict};
use crate::ask::evidence::framework_facts::{FactClaim, FrameworkRows, Sought};
use crate::ask::evidence::judge::Judge;
use crate::ask::execute::spread::rounded;
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, Fact, Field, Value};

/// Maximum number of items requested for each claim.
const ITEMS: usize = 5;

/// The measurements that would confirm items without any evidence so far.
pub(super) fn cells(claims: &[FactClaim<'_>], judge: &mut Judge<'_>) -> Result<Vec<WantedCell>, QueryError> {
    let rows = FrameworkRows::read(judge)?;
    let mut measured = MeasuredFrames::read(judge)?;
    let mut cells = Vec::new();
    for claim in claims {
        let judged = claim.judged(judge, &rows)?;
        let items = claim.items();
        let silent: Vec<&String> =
            items.iter().enumerate().filter(|(at, _)| is_silent(&judged, *at)).map(|(_, item)| item).collect();
        for item in silent.iter().take(ITEMS) {
            let Some(sought) = claim.sought(item, judge)? else { continue };
            let Some(widest) = measured.widest(&sought, judge.measured.values) else { continue };
            let settles = LackingClaim {
                claim: judged.id.clone(),
                kind: LackingKind::Items,
                against: (*item).clone(),
                units: items.len() - silent.len(),
                needed: items.len(),
            };
            let share = rounded(1.0 / silent.len() as f64);
            cells.push(measured.cell(claim.framework.id.as_str(), &sought, &widest, settles, share, judge)?);
        }
    }
    Ok(cells)
}

/// Whether no period has evidence for an item.
fn is_silent(judged: &ClaimEvidence, item: usize) -> bool {
    judged.periods.iter().all(|period| {
        let found = period.comparisons.get(item).and_then(|comparison| comparison.verdict);
        found.is_none_or(|verdict| verdict == EvidenceVerdict::NoEvidence)
    })
}

/// The frame in which the most frameworks were measured: the index of its rows, its first hit, and the number of frameworks.
#[derive(Clone, Copy)]
struct Widest {
    rows: usize,
    first: usize,
    frameworks: usize,
}

/// Rows of whole networks by metric, in frames whose members are frameworks.
struct MeasuredFrames {
    rows: Vec<FramedRows>,
    known: HashMap<Sought, Option<Widest>>,
}

impl MeasuredFrames {
    fn read(judge: &Judge<'_>) -> Result<Self, QueryError> {
        let rows = FramedRows::read(judge.measured.stores, judge.measured.values, Field::Framework)?;
        Ok(Self { rows, known: HashMap::new() })
    }

    /// The frame of the sought rows with the most frameworks; frames of throughputs are preferred.
    fn widest(&mut self, sought: &Sought, values: &SharedValues) -> Option<Widest> {
        if let Some(known) = self.known.get(sought) {
            return *known;
        }
        let of_rows = |(at, rows): (usize, &FramedRows)| {
            let is_sought = |parts: &PartNumbers| sought.is_met(values, parts);
            let widest = |frames: &[WantedFrame]| {
                let meets = frames.iter().filter(|frame| is_sought(&rows.hits.parts(frame.first)));
                let most = meets.max_by_key(|frame| (frame.members.len(), std::cmp::Reverse(frame.first)))?;
                Some(Widest { rows: at, first: most.first, frameworks: most.members.len() })
            };
            match sought.field {
                // All rows of a frame are of one network.
                Field::Network => widest(&rows.frames),
                _ => {
                    let is_of: Vec<usize> =
                        (0..rows.hits.len()).filter(|hit| is_sought(&rows.hits.parts(*hit))).collect();
                    let kept: BTreeSet<usize> = is_of.iter().copied().collect();
                    let hits = rows.hits.filtered_by_hit(|hit| kept.contains(&hit));
                    let most = frames(values, &hits, &rows.keys, Field::Framework);
                    let most = most.iter().max_by_key(|frame| (frame.members.len(), std::cmp::Reverse(frame.first)))?;
                    Some(Widest { rows: at, first: *is_of.get(most.first)?, frameworks: most.members.len() })
                }
            }
        };
        let found = self.rows.iter().enumerate().find_map(of_rows);
        self.known.insert(sought.clone(), found);
        found
    }

    fn cell(
        &self,
        framework: &str,
        sought: &Sought,
        widest: &Widest,
        settles: LackingClaim,
        share: f64,
        judge: &mut Judge<'_>,
    ) -> Result<WantedCell, QueryError> {
        let values = judge.measured.values;
        let rows = &self.rows[widest.rows];
        let parts = rows.hits.parts(widest.first);
        let text = |aspect| values.text(aspect, &parts).unwrap_or_default();
        let mut cell = rows.cell(judge, format!("framework:{framework}"), widest.first)?;
        let also = match sought.field {
            Field::Dataset => {
                let dataset = text(Aspect::Field(Field::Dataset));
                cell.under.insert(Field::Dataset.key().to_owned(), Some(Value::Text(dataset.into())));
                format!(" dataset:{dataset}")
            }
            Field::Device => format!(" class:{}", text(Aspect::Fact(Fact::Class))),
            Field::Hosts => " hosts>1".to_owned(),
            _ => String::new(),
        };
        cell.on.push_str(&also);
        Ok(WantedCell { settles: vec![settles], share, comparisons: widest.frameworks, ..cell })
    }
}
