//! Picks one of several candidates for each cell, and records in what they differ.

use std::collections::{BTreeMap, HashMap};

use super::CompareError;
use super::candidates::Candidates;
use super::compared_columns::ComparedColumns;
use super::interned_fields::InternedFields;
use super::like_conditions::{self, CellCandidates, Conditions};
use super::lines::{Baseline, Lines};
use super::request::{Along, ComparePick, CompareRequest};
use super::table::{PivotCell, PivotColumn};
use crate::comparability::{AllowedAxes, Criterion, Spread};
use crate::model::{Derived, Direction, Field, Measure, Metric, Part, Tier, Value};
use crate::rows::{EntityCache, JoinedRow};
use crate::stores::Stores;
use crate::values::{Decimal, Division};

/// Maximum number of measurements read to show all candidates.
const MOST_SHOWN: usize = 20_000;

/// Significant digits of a scaling efficiency; derived values have one more.
const DIGITS_OF_SCALING: u8 = 3;

/// The hit picked for a cell.
pub(super) struct PickedHit {
    pub row: usize,
    pub column: usize,
    pub hit: usize,
    candidates: usize,
    mixed: Vec<&'static str>,
    varied: Vec<&'static str>,
    failed: bool,
}

/// The measurement picked for a cell.
pub(super) struct PickedMeasurement {
    pub row: usize,
    pub column: usize,
    pub joined: JoinedRow,
}

/// A cell's row and column, with its candidate hits.
type CellWithHits = ((usize, usize), Vec<usize>);

/// Picks a hit for every cell, by row and column.
pub(super) fn pick_cells(
    compared: &ComparedColumns,
    candidates: &Candidates,
    request: &CompareRequest,
    lines: Lines,
) -> Vec<PickedHit> {
    let interned = InternedFields::of(compared, request);
    let asked: Vec<Field> = request.rows.iter().chain(&request.columns).filter_map(|axis| axis.field()).collect();
    let keeps_division =
        asked.contains(&Field::Division) || request.relaxed.contains(&Criterion::Field(Field::Division));
    let preferred = Preferred::of(compared, keeps_division);
    let mut of_lines: BTreeMap<(usize, Measure), Vec<CellWithHits>> = BTreeMap::new();
    for ((row, column), hits) in &candidates.cells {
        let line = if lines.along == Along::Column { *column } else { *row };
        let measure = candidates.columns[*column].1;
        of_lines.entry((line, measure)).or_default().push(((*row, *column), preferred.among(compared, hits)));
    }
    let mut by_metric: BTreeMap<Metric, Conditions> = BTreeMap::new();
    let chooses_count = !AllowedAxes::Only(&asked).allows(Field::DeviceCount)
        && !request.relaxed.contains(&Criterion::Field(Field::DeviceCount));
    let mut picked: Vec<PickedHit> = Vec::with_capacity(candidates.cells.len());
    for ((_, measure), mut cells) in of_lines {
        cells.sort_by_key(|(place, _)| *place);
        let metric = measure.basis();
        let pick = |hits: &[usize]| choice(compared, measure, hits, request.pick);
        let chosen: Vec<usize> = match request.pick {
            // The latest values are requested, whatever their conditions.
            ComparePick::Latest => cells.iter().map(|(_, hits)| pick(hits)).collect(),
            _ => {
                let conditions = by_metric
                    .entry(metric)
                    .or_insert_with(|| Conditions { numbers: interned.conditions(metric, &asked), chooses_count });
                let is_baseline = |place: &(usize, usize)| match lines.baseline {
                    Some(Baseline::Row(row)) => place.0 == row,
                    Some(Baseline::Column(column)) => place.1 == column,
                    None => false,
                };
                let of_line: Vec<CellCandidates<'_>> = cells
                    .iter()
                    .map(|(place, hits)| CellCandidates { hits, is_baseline: is_baseline(place) })
                    .collect();
                like_conditions::pick_under_shared_conditions(compared, conditions, &of_line, pick)
            }
        };
        for (((row, column), hits), hit) in cells.iter().zip(chosen) {
            let among = |tier| interned.differing(compared, (metric, tier), hits);
            let mut mixed = among(Tier::Identity);
            mixed.extend(timed_differently(compared, hits, request).then_some(Field::Timed.key()));
            picked.push(PickedHit {
                row: *row,
                column: *column,
                hit,
                candidates: hits.len(),
                mixed,
                varied: among(Tier::Axis),
                failed: false,
            });
        }
    }
    for ((row, column), hits) in &candidates.failed {
        if !candidates.cells.contains_key(&(*row, *column)) {
            let (row, column) = (*row, *column);
            let (mixed, varied) = (Vec::new(), Vec::new());
            picked.push(PickedHit { row, column, hit: hits[0], candidates: hits.len(), mixed, varied, failed: true });
        }
    }
    picked.sort_by_key(|picked| (picked.row, picked.column));
    picked
}

/// Whether one source describes what was timed in one stage differently; such descriptions are not comparable across sources.
fn timed_differently(compared: &ComparedColumns, hits: &[usize], request: &CompareRequest) -> bool {
    let timed = Criterion::Field(Field::Timed);
    let is_asked = request.rows.iter().chain(&request.columns).any(|axis| axis.field() == Some(Field::Timed));
    if hits.len() < 2 || is_asked || request.relaxed.contains(&timed) {
        return false;
    }
    let text = |hit: usize, field: Field| match compared.stated(hit, field) {
        Some(Value::Text(text)) => Some(&**text),
        _ => None,
    };
    let mut said: HashMap<(&str, Option<&str>), Option<&str>> = HashMap::new();
    hits.iter().any(|hit| {
        let timed = text(*hit, Field::Timed);
        *said.entry((compared.source(*hit), text(*hit, Field::Stage))).or_insert(timed) != timed
    })
}

/// Which candidates take precedence in their cell, whatever their values.
struct Preferred {
    /// By protocol: whether it was neither disputed nor superseded.
    is_in_good_standing: Vec<bool>,
    /// By protocol: whether it is outside open divisions, or divisions are an axis or relaxed.
    is_closed: Vec<bool>,
}

impl Preferred {
    fn of(compared: &ComparedColumns, keeps_division: bool) -> Self {
        let open: &str = Division::Open.into();
        let protocols = || compared.shares[Part::Protocol as usize].iter();
        Self {
            is_in_good_standing: protocols().map(|share| share.get(Field::Standing).is_none()).collect(),
            is_closed: protocols().map(|share| keeps_division || share.text(Field::Division) != Some(open)).collect(),
        }
    }

    /// The candidates that are undisputed, and among these those outside open divisions, as far as there are any.
    fn among(&self, compared: &ComparedColumns, hits: &[usize]) -> Vec<usize> {
        let protocol = |hit: &usize| compared.columns.parts[Part::Protocol as usize][*hit] as usize;
        let mut kept = hits.to_vec();
        for wanted in [&self.is_in_good_standing, &self.is_closed] {
            let better: Vec<usize> = kept.iter().copied().filter(|hit| wanted[protocol(hit)]).collect();
            if !better.is_empty() {
                kept = better;
            }
        }
        kept
    }
}

fn choice(compared: &ComparedColumns, measure: Measure, hits: &[usize], pick: ComparePick) -> usize {
    let values = compared.values(measure);
    let lower = measure.direction() == Direction::Lower;
    // Ties go to the earlier measurement, so that the choice is deterministic.
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
        // The best comes first, so the worse of the two in the middle is the later one.
        _ => {
            let mut ordered = hits.to_vec();
            let middle = ordered.len() / 2;
            *ordered.select_nth_unstable_by(middle, better).1
        }
    }
}

impl PickedHit {
    /// The cell for this hit, with the value in full precision.
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
            varied: self.varied.clone(),
            all: Vec::new(),
            vs_baseline: None,
            vs_best: None,
            rank: None,
            best: false,
            unranked: false,
            nearness: None,
            notes: Vec::new(),
            conditions: String::new(),
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
            "narrow the question, or let one represent all: --pick best",
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
