//! Chooses one of several candidates for a cell, and notes in which identity fields they differ.

use std::collections::{BTreeSet, HashMap};

use strum::VariantArray as _;

use super::CompareError;
use super::candidates::Candidates;
use super::compared_columns::ComparedColumns;
use super::request::{ComparePick, CompareRequest};
use super::table::{PivotCell, PivotColumn};
use crate::comparability::{Criterion, Spread};
use crate::model::{Derived, Direction, Field, Measure, Metric, Part, Tier};
use crate::rows::{EntityCache, JoinedRow};
use crate::stores::Stores;
use crate::values::{Decimal, Statistic};

/// More measurements than this are not read to show all candidates.
const MOST_SHOWN: usize = 20_000;

/// Digits of a scaling efficiency, besides the one that derived figures have more.
const DIGITS_OF_SCALING: u8 = 3;

/// The hit that was chosen for a cell.
pub(super) struct PickedHit {
    pub row: usize,
    pub column: usize,
    pub hit: usize,
    candidates: usize,
    mixed: Vec<&'static str>,
    failed: bool,
}

/// A measurement that stands in a cell.
pub(super) struct PickedMeasurement {
    pub row: usize,
    pub column: usize,
    pub joined: JoinedRow,
}

/// The choice for every cell, by row and column.
pub(super) fn pick_cells(
    compared: &ComparedColumns,
    candidates: &Candidates,
    request: &CompareRequest,
) -> Vec<PickedHit> {
    let interned = InternedFields::of(compared, request);
    let standings: Vec<bool> = compared.shares[Part::Protocol as usize]
        .iter()
        .map(|share| share.fields.iter().all(|(field, _)| *field != Field::Standing))
        .collect();
    let stands = |hit: &usize| standings[compared.columns.parts[Part::Protocol as usize][*hit] as usize];
    let mut picked: Vec<PickedHit> = Vec::with_capacity(candidates.cells.len());
    for ((row, column), hits) in &candidates.cells {
        let measure = candidates.columns[*column].1;
        // What was disputed or superseded stands in a cell only where there is nothing else.
        let standing: Vec<usize> = hits.iter().copied().filter(stands).collect();
        let hit = choice(compared, measure, if standing.is_empty() { hits } else { &standing }, request.pick);
        let mixed = interned.differing(compared, measure.basis(), hits);
        picked.push(PickedHit { row: *row, column: *column, hit, candidates: hits.len(), mixed, failed: false });
    }
    for ((row, column), hits) in &candidates.failed {
        if !candidates.cells.contains_key(&(*row, *column)) {
            let (row, column) = (*row, *column);
            picked.push(PickedHit {
                row,
                column,
                hit: hits[0],
                candidates: hits.len(),
                mixed: Vec::new(),
                failed: true,
            });
        }
    }
    picked.sort_by_key(|picked| (picked.row, picked.column));
    picked
}

fn choice(compared: &ComparedColumns, measure: Measure, hits: &[usize], pick: ComparePick) -> usize {
    let values = compared.values(measure);
    let lower = measure.direction() == Direction::Lower;
    // Of equal values the earlier measurement, so that the choice is the same every time.
    let better = |a: &usize, b: &usize| {
        let by_value = values[*a].total_cmp(&values[*b]);
        (if lower { by_value } else { by_value.reverse() }).then(a.cmp(b))
    };
    let best = |hits: &mut dyn Iterator<Item = usize>| hits.min_by(better).unwrap_or(0);
    match pick {
        ComparePick::Best | ComparePick::All if measure.direction() != Direction::Neutral => {
            best(&mut hits.iter().copied())
        }
        ComparePick::Latest => {
            let latest = hits.iter().map(|hit| compared.date(*hit)).max().unwrap_or_default();
            best(&mut hits.iter().copied().filter(|hit| compared.date(*hit) == latest))
        }
        // The best stands in front, so the worse of two in the middle is the later one.
        _ => {
            let mut ordered = hits.to_vec();
            let middle = ordered.len() / 2;
            *ordered.select_nth_unstable_by(middle, better).1
        }
    }
}

impl PickedHit {
    /// The cell with its value to the last digit.
    pub fn cell(
        &self,
        compared: &ComparedColumns,
        row: &JoinedRow,
        measure: Measure,
        entities: &EntityCache<'_>,
        request: &CompareRequest,
    ) -> PivotCell {
        let measurement = row.recorded();
        let (value, derived) = match measure {
            Measure::Metric(metric) => {
                row.metric(metric).map_or((None, true), |(value, derived)| (Some(value), derived))
            }
            Measure::Derived(Derived::ScalingEfficiency) => {
                (Decimal::derived(compared.value(measure, self.hit), DIGITS_OF_SCALING), true)
            }
            Measure::Derived(derived) => {
                let text = |field| measurement.text(field);
                let dataset = request.dataset.as_deref().or_else(|| text(Field::Dataset));
                let catalog = entities.catalog_inputs(text(Field::Device), text(Field::Network), dataset);
                (derived.of(measurement, &catalog), true)
            }
        };
        let spread = match measure {
            Measure::Metric(metric) => Spread::of(measurement, metric),
            Measure::Derived(_) => None,
        };
        PivotCell {
            id: measurement.id().to_owned(),
            source: measurement.source().to_string(),
            value: if self.failed { None } else { value },
            outcome: measurement.text(Field::Outcome).filter(|_| self.failed).map(str::to_owned),
            derived: derived && !self.failed,
            range: spread.and_then(|spread| match spread {
                Spread::Range(low, high) => Some((low, high)),
                Spread::Deviation(..) | Spread::Processes(..) => None,
            }),
            deviation: spread.and_then(|spread| match spread {
                Spread::Deviation(deviation, _) | Spread::Processes(deviation, _) => Some(deviation),
                Spread::Range(..) => None,
            }),
            candidates: self.candidates,
            mixed: self.mixed.clone(),
            all: Vec::new(),
            vs_baseline: None,
            vs_best: None,
            rank: None,
            best: false,
            notes: Vec::new(),
        }
    }
}

/// Reads the values of all candidates of all cells.
pub(super) fn fill_all(
    compared: &ComparedColumns,
    candidates: &Candidates,
    stores: &Stores,
    columns: &[PivotColumn],
    cells: &mut [Vec<Option<Box<PivotCell>>>],
) -> Result<(), CompareError> {
    let several = || candidates.cells.iter().filter(|(_, hits)| hits.len() > 1);
    let count: usize = several().map(|(_, hits)| hits.len()).sum();
    if count > MOST_SHOWN {
        return Err(CompareError::request(
            format!("--pick all would show {count} values"),
            "narrow the question, or let one stand for all: --pick best",
        ));
    }
    for ((row, column), hits) in several() {
        let Measure::Metric(metric) = columns[*column].of else { continue };
        let rows: Vec<u64> = hits.iter().map(|hit| compared.columns.rows[*hit]).collect();
        let mut all: Vec<(String, Decimal)> = stores
            .database
            .measurements(&rows)?
            .iter()
            .filter_map(|measurement| Some((measurement.id().to_owned(), measurement.metric_or_implied(metric)?)))
            .collect();
        let lower = metric.direction() == Direction::Lower;
        all.sort_by(|a, b| {
            let by_value = a.1.value().total_cmp(&b.1.value());
            (if lower { by_value } else { by_value.reverse() }).then_with(|| a.0.cmp(&b.0))
        });
        if let Some(cell) = &mut cells[*row][*column] {
            cell.all = all;
        }
    }
    Ok(())
}

/// Field values as numbers by share, so that comparing hits compares integers.
struct InternedFields {
    fields: Vec<(Criterion, Part, Vec<u32>)>,
    relaxed: Vec<Criterion>,
}

impl InternedFields {
    fn of(compared: &ComparedColumns, request: &CompareRequest) -> Self {
        let interesting = |field: &Field| {
            *field != Field::Timed
                && (matches!(field.tier(), Tier::Identity | Tier::Axis) || *field == Field::Statistic)
        };
        let fields = Field::VARIANTS.iter().copied().filter(interesting);
        let fields = fields.filter_map(|field| Some((field, field.part()?))).map(|(field, part)| {
            let mut known: HashMap<String, u32> = HashMap::new();
            let numbers = compared.shares[part as usize].iter().map(|share| {
                let value = share.fields.iter().find(|(other, _)| *other == field).map(|(_, value)| value.to_string());
                let Some(value) = as_compared(field, value) else { return 0 };
                let next = known.len() as u32 + 1;
                *known.entry(value).or_insert(next)
            });
            let is_target = field == Field::RelativeAccuracyTarget;
            let field = if is_target { Field::AccuracyTarget } else { field };
            (Criterion::Field(field), part, numbers.collect())
        });
        Self { fields: fields.collect(), relaxed: request.relaxed.clone() }
    }

    /// The criteria of identity in which hits differ.
    fn differing(&self, compared: &ComparedColumns, metric: Metric, hits: &[usize]) -> Vec<&'static str> {
        if hits.len() < 2 {
            return Vec::new();
        }
        let mut differing: BTreeSet<&'static str> = BTreeSet::new();
        for (criterion, part, numbers) in &self.fields {
            if self.relaxed.contains(criterion) || criterion.tier(metric, false) != Some(Tier::Identity) {
                continue;
            }
            let of = |hit: usize| numbers[compared.columns.parts[*part as usize][hit] as usize];
            let first = of(hits[0]);
            if hits.iter().any(|hit| of(*hit) != first) {
                differing.insert(criterion.key());
            }
        }
        differing.into_iter().collect()
    }
}

/// A value as it is compared: figures of the middle are alike.
fn as_compared(field: Field, value: Option<String>) -> Option<String> {
    match field {
        Field::Statistic => match value.as_deref().and_then(|text| text.parse::<Statistic>().ok()) {
            Some(statistic) if !Statistic::is_middle(statistic) => Some(statistic.to_string()),
            _ => Some("middle".to_owned()),
        },
        _ => value,
    }
}
