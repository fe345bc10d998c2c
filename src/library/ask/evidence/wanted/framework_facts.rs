//! What claims of frameworks lack: a row on a network, on a data set, on a kind of hardware, on several hosts.

use std::collections::{BTreeSet, HashMap};

use super::devices::{VARIED, counts};
use super::document::{LackingClaim, LackingKind, WantedCell};
use super::frames::{WantedFrame, frames};
use crate::ask::evidence::document::{ClaimEvidence, EvidenceVerdict};
use crate::ask::evidence::framework_facts::{FactClaim, FrameworkRows, Sought};
use crate::ask::evidence::judge::Judge;
use crate::ask::evidence::measured::stated;
use crate::ask::execute::spread::rounded;
use crate::ask::hits::{ComparisonKeys, HitColumns, PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, Fact, Field, Metric, Value};
use crate::stores::index::Condition;

/// Of one claim so many items are told at most.
const ITEMS: usize = 5;

/// The cells that would bear out what nothing bears out yet.
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

/// Whether no period knows anything of an item.
fn is_silent(judged: &ClaimEvidence, item: usize) -> bool {
    judged.periods.iter().all(|period| {
        let found = period.comparisons.get(item).and_then(|comparison| comparison.verdict);
        found.is_none_or(|verdict| verdict == EvidenceVerdict::NoEvidence)
    })
}

/// The frame in which the most frameworks were measured: whose rows it is of, its first hit, and how many they are.
#[derive(Clone, Copy)]
struct Widest {
    rows: usize,
    first: usize,
    frameworks: usize,
}

/// Rows of whole networks, by metric, in frames of frameworks.
struct MeasuredFrames {
    rows: Vec<FramedRows>,
    known: HashMap<Sought, Option<Widest>>,
}

struct FramedRows {
    metric: Metric,
    hits: HitColumns,
    keys: ComparisonKeys,
    frames: Vec<WantedFrame>,
}

impl MeasuredFrames {
    fn read(judge: &Judge<'_>) -> Result<Self, QueryError> {
        let (stores, values) = (judge.measured.stores, judge.measured.values);
        let mut rows = Vec::new();
        for metric in [Metric::ThroughputPerS, Metric::LatencyMs] {
            let hits =
                HitColumns::of(stores, &Condition::All(Vec::new()), &[metric])?.filtered(|parts| counts(values, parts));
            let keys = ComparisonKeys::new(values, metric, VARIED);
            let frames = frames(values, &hits, &keys, Field::Framework);
            rows.push(FramedRows { metric, hits, keys, frames });
        }
        Ok(Self { rows, known: HashMap::new() })
    }

    /// The frame of what is sought in which the most frameworks were measured, of throughputs if there is one.
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
                // A frame is of one network.
                Field::Network => widest(&rows.frames),
                _ => {
                    let is_of: Vec<usize> =
                        (0..rows.hits.len()).filter(|hit| is_sought(&rows.hits.parts(*hit))).collect();
                    let kept: BTreeSet<usize> = is_of.iter().copied().collect();
                    let hits = rows.hits.kept(|hit| kept.contains(&hit));
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
        let like = judge.ids.of(judge.measured.stores, &[rows.hits.row(widest.first)])?;
        let text = |aspect| values.text(aspect, &parts).unwrap_or_default();
        let mut under = stated(values, [&parts], VARIED);
        let filter = match sought.field {
            Field::Dataset => {
                let dataset = text(Aspect::Field(Field::Dataset));
                under.insert(Field::Dataset.key().to_owned(), Some(Value::Text(dataset.into())));
                format!(" dataset:{dataset}")
            }
            Field::Device => format!(" class:{}", text(Aspect::Fact(Fact::Class))),
            Field::Hosts => " hosts>1".to_owned(),
            _ => String::new(),
        };
        Ok(WantedCell {
            on: format!("framework:{framework}{filter}"),
            network: text(Aspect::Field(Field::Network)).to_owned(),
            measure: rows.metric.key().to_owned(),
            settles: vec![settles],
            share,
            comparisons: widest.frameworks,
            rows: None,
            under,
            like: like.into_iter().next().unwrap_or_default(),
            here: None,
            not_here: None,
        })
    }
}
