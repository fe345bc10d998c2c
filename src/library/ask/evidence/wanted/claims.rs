//! What claims lack: networks measured on only one side of a comparison under the same conditions.

use super::document::{LackingClaim, LackingKind, WantedCell};
use super::frames::{cell, frames, largest_by_network};
use crate::ask::evidence::document::{ClaimEvidence, ClaimKind, Comparison};
use crate::ask::evidence::judge::Judge;
use crate::ask::evidence::measured::Period;
use crate::ask::execute::spread::rounded;
use crate::ask::hits::HitColumns;
use crate::ask::parse::QueryError;
use crate::model::{Aspect, EvidenceDefinition, EvidenceKind, Field, Measure};

/// Maximum number of networks requested for each side of a comparison.
const NETWORKS: usize = 5;

/// The measurements that would bring a claim closer to a verdict on the rows since its year.
pub(super) fn cells(
    claim: &ClaimEvidence,
    definition: &EvidenceDefinition,
    judge: &mut Judge<'_>,
) -> Result<Vec<WantedCell>, QueryError> {
    let (Some(year), Some(period)) = (claim.year.and_then(|year| u32::try_from(year).ok()), claim.periods.last())
    else {
        return Ok(Vec::new());
    };
    let mut cells = Vec::new();
    if definition.speaks == EvidenceKind::MatchedRows {
        for comparison in period.comparisons.iter().filter(|comparison| comparison.remark.is_some()) {
            let side = |name: &String| match claim.kind {
                ClaimKind::Grade => format!("class:{name}"),
                _ => name.clone(),
            };
            let sides = [side(&comparison.subject), side(&comparison.baseline)];
            for (wanted, there) in [(0, 1), (1, 0)] {
                let lacking = Lacking { claim, definition, comparison, wanted: &sides[wanted], there: &sides[there] };
                cells.extend(lacking.cells(Period::After(year), judge)?);
            }
        }
    }
    Ok(cells)
}

/// A comparison in which one side lacks rows.
struct Lacking<'l> {
    claim: &'l ClaimEvidence,
    definition: &'l EvidenceDefinition,
    comparison: &'l Comparison,
    /// The side to be measured, and the side that was measured.
    wanted: &'l str,
    there: &'l str,
}

impl Lacking<'_> {
    fn cells(&self, period: Period, judge: &mut Judge<'_>) -> Result<Vec<WantedCell>, QueryError> {
        let needed = usize::try_from(self.definition.least_units.unwrap_or(1)).unwrap_or(1);
        // Enough networks, but too few measurers: request one more network, from another measurer.
        let missing = needed.saturating_sub(self.comparison.units).max(1);
        let Some((measure, hits)) = self.newest(period, judge)? else { return Ok(Vec::new()) };
        let varied: Vec<Field> = self.definition.differing_fields().chain([Field::Device]).collect();
        let values = judge.measured.values;
        let keys = judge.measured.keys(measure.basis(), &varied);
        let mut cells = Vec::new();
        let frames = largest_by_network(frames(values, &hits, &keys, Field::Device));
        for frame in frames.into_iter().take(missing.min(NETWORKS)) {
            let settles = LackingClaim {
                claim: self.claim.id.clone(),
                kind: LackingKind::Networks,
                against: self.there.to_owned(),
                units: self.comparison.units,
                needed,
            };
            cells.push(WantedCell {
                settles: vec![settles],
                share: rounded(1.0 / missing as f64),
                comparisons: frame.members.len(),
                ..cell(judge, (&hits, frame.first), &varied, (self.wanted.to_owned(), measure.key()))?
            });
        }
        Ok(cells)
    }

    /// The rows of the measured side in its newest year, by the strongest measure that has any; networks that the wanted side also
    /// has in that year are left out.
    fn newest(&self, period: Period, judge: &mut Judge<'_>) -> Result<Option<(Measure, HitColumns)>, QueryError> {
        for measure in self.definition.measures() {
            let there = judge.measured.of(self.there, measure, self.definition)?;
            let wanted = judge.measured.of(self.wanted, measure, self.definition)?;
            let (measured, values) = (&judge.measured, judge.measured.values);
            let years = (0..there.len()).map(|hit| measured.year(&there.parts(hit)));
            let Some(newest) = years.filter(|year| period.holds(*year)).max() else { continue };
            let of_year = |hits: &HitColumns| hits.filtered(|parts| measured.year(parts) == newest);
            let network = Aspect::Field(Field::Network);
            let known: std::collections::HashSet<u32> = {
                let hits = of_year(&wanted);
                (0..hits.len()).map(|hit| values.number(network, &hits.parts(hit))).collect()
            };
            let missing = of_year(&there).filtered(|parts| !known.contains(&values.number(network, parts)));
            if !missing.is_empty() {
                return Ok(Some((measure, missing)));
            }
        }
        Ok(None)
    }
}
