//! What may share a panel: values that a comparison would rank, by the same rules. Further differences are refused, or, if the
//! axes were inferred, the rows are narrowed to the most common setting.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::request::{FigureKind, PlotError, PlotRequest};
use super::row::PlottedRow;
use crate::comparability::{AllowedAxes, ComparedRow, Criterion, RankingKeys, depends_on};
use crate::model::{Aspect, Fact, Field, Metric, Tier};
use crate::values::text::{and_list, counted};

/// Refuses rows in a panel that cannot be ranked with each other, unless the figure shows in what they differ.
pub(super) fn refuse_unlike(
    rows: &[&PlottedRow<'_>],
    request: &PlotRequest,
    kind: FigureKind,
) -> Result<(), PlotError> {
    let per_item = [request.x, request.y]
        .into_iter()
        .flatten()
        .filter_map(super::request::measure_of)
        .any(|measure| measure.items_per().is_some());
    let counts: BTreeSet<&str> = rows.iter().filter_map(|row| row.counts()).map(Into::into).collect();
    if per_item && counts.len() > 1 {
        let counts: Vec<&str> = counts.into_iter().collect();
        let message = format!("numbers of different things ({}) cannot share one axis", counts.join(", "));
        return Err(PlotError::not_comparable(message, vec![Criterion::Field(Field::Counts)]));
    }
    let differing = differing(rows, request, kind);
    if differing.is_empty() {
        return Ok(());
    }
    /// Maximum number of differences listed; the rest is counted.
    const MAX_DIFFERENCES: usize = 6;
    let named = differing.iter().take(MAX_DIFFERENCES);
    let mut told: Vec<String> =
        named.map(|(criterion, values)| format!("{} ({})", criterion.key(), first_few(values))).collect();
    let more = differing.len().saturating_sub(MAX_DIFFERENCES);
    told.extend((more > 0).then(|| counted(more, "more field", "more fields")));
    Err(PlotError::not_comparable(
        format!("the measurements differ in {}, so that their numbers cannot be compared", and_list(&told)),
        differing.into_iter().map(|(criterion, _)| criterion).collect(),
    ))
}

/// The criteria that prevent rows from being ranked together and that the figure does not show, each with its values.
pub(super) fn differing(
    rows: &[&PlottedRow<'_>],
    request: &PlotRequest,
    kind: FigureKind,
) -> Vec<(Criterion, Vec<String>)> {
    let metrics = request.metrics();
    let shown = ShownDifferences::of(request, kind, &metrics);
    let mut values: BTreeMap<Criterion, BTreeSet<String>> = BTreeMap::new();
    let is_of_identity = |criterion: Criterion, metric: Metric| {
        criterion.tier(metric, rows.iter().any(|row| row.facts.is_of_layers())) == Some(Tier::Identity)
    };
    // Points are compared across networks, bars only with those of their own network.
    let are_points = matches!(kind, FigureKind::Scatter | FigureKind::Timeline);
    let whole = are_points.then(|| (rows.to_vec(), false));
    for (part, with_identity) in shown.parts(rows).into_iter().map(|part| (part, true)).chain(whole) {
        for metric in &metrics {
            let rows: Vec<ComparedRow<'_>> = part.iter().map(|row| row.compared_row()).collect();
            let keys = RankingKeys::of(rows, *metric, shown.allowed(), &shown.relaxed);
            let apart: BTreeSet<Criterion> = (1..part.len()).flat_map(|at| keys.apart(0, at)).collect();
            let counts = |criterion: &Criterion| {
                shown.counts(*criterion) && (with_identity || !is_of_identity(*criterion, *metric))
            };
            for criterion in apart.into_iter().filter(counts) {
                let of_part: BTreeSet<Option<String>> = part.iter().map(|row| stated(row, criterion)).collect();
                // If two sources leave out the same field, a note says so.
                if of_part.len() > 1 {
                    let said = of_part.into_iter().map(|value| value.unwrap_or_else(|| "not stated".to_owned()));
                    values.entry(criterion).or_default().extend(said);
                }
            }
        }
    }
    let mut differing: Vec<(Criterion, Vec<String>)> =
        values.into_iter().map(|(criterion, values)| (criterion, values.into_iter().collect())).collect();
    // Criteria of identity weigh more than axes of variation.
    differing.sort_by_key(|(criterion, _)| !metrics.iter().any(|metric| is_of_identity(*criterion, *metric)));
    differing
}

/// The value of a row for a criterion, as compared. For `timed` it is the row's own text.
pub(super) fn stated(row: &PlottedRow<'_>, criterion: Criterion) -> Option<String> {
    match criterion {
        Criterion::Field(Field::Timed) => row.measurement.text(Field::Timed).map(str::to_owned),
        other => row.compared_row().compared(other).map(Cow::into_owned),
    }
}

/// Whether the numbers of some rows depend on a criterion, so that its absence matters.
pub(super) fn is_missed(rows: &[&PlottedRow<'_>], criterion: Criterion, metrics: &[Metric]) -> bool {
    let missed =
        |row: &&PlottedRow<'_>| metrics.iter().any(|metric| depends_on(&row.compared_row(), criterion, *metric));
    rows.iter().any(missed)
}

/// The differences that a figure shows.
struct ShownDifferences {
    kind: FigureKind,
    /// The axes along which rows may differ.
    fields: Vec<Field>,
    /// Criteria that may differ because the figure shows them, although they are not axes.
    relaxed: Vec<Criterion>,
    /// Identity criteria that divide rows into sets which are not alternatives: networks, stages.
    dividing: Vec<Criterion>,
}

impl ShownDifferences {
    fn of(request: &PlotRequest, kind: FigureKind, metrics: &[Metric]) -> Self {
        let distinguishing = request.distinguishing_aspects();
        let is_identity = |field: Field| {
            metrics.iter().any(|metric| Criterion::Field(field).tier(*metric, false) == Some(Tier::Identity))
        };
        let field_of = |aspect: &Aspect| match aspect {
            Aspect::Field(field) => Some(*field),
            // A figure along a fact of devices compares devices.
            Aspect::Fact(fact) if request.x == Some(*aspect) => fact.naming_fields().next(),
            _ => None,
        };
        let fields: Vec<Field> = distinguishing.iter().filter_map(field_of).collect();
        let identities = || fields.iter().copied().filter(|field| is_identity(*field));
        let along = request.x.and_then(|x| field_of(&x)).filter(|_| kind != FigureKind::Bars);
        let mut relaxed: Vec<Criterion> = identities().map(Criterion::Field).collect();
        // A figure of two measures shows trade-offs between batch sizes.
        if metrics.len() > 1 || kind == FigureKind::Roofline {
            relaxed.push(Criterion::Field(Field::BatchSize));
        }
        // Each size of a layer is a point of its own.
        if !matches!(kind, FigureKind::Bars | FigureKind::Lines) {
            relaxed.push(Criterion::Field(Field::Label));
        }
        if distinguishing.contains(&Aspect::Fact(Fact::Class)) || kind == FigureKind::Roofline {
            relaxed.push(Criterion::Class);
        }
        let dividing = identities().filter(|field| Some(*field) != along).map(Criterion::Field).collect();
        Self { kind, fields, relaxed, dividing }
    }

    /// The axes that may vary; in a roofline all of them.
    fn allowed(&self) -> AllowedAxes<'_> {
        if self.kind == FigureKind::Roofline { AllowedAxes::All } else { AllowedAxes::Only(&self.fields) }
    }

    /// Whether a difference in this criterion matters for the figure.
    fn counts(&self, criterion: Criterion) -> bool {
        !self.relaxed.contains(&criterion) && criterion != Criterion::Source
    }

    /// Divides the rows into sets that agree in all identity criteria shown.
    fn parts<'r, 'p>(&self, rows: &[&'p PlottedRow<'r>]) -> Vec<Vec<&'p PlottedRow<'r>>> {
        let mut parts: BTreeMap<Vec<Option<String>>, Vec<&'p PlottedRow<'r>>> = BTreeMap::new();
        for row in rows {
            let key = self.dividing.iter().map(|criterion| stated(row, *criterion)).collect();
            parts.entry(key).or_default().push(row);
        }
        parts.into_values().collect()
    }
}

/// If the request asks for narrowing, the rows with the most common setting and a note on it; else all rows.
pub(super) fn narrowed<'r>(
    rows: Vec<&'r PlottedRow<'r>>,
    request: &PlotRequest,
    kind: FigureKind,
    notes: &mut Vec<String>,
) -> Vec<&'r PlottedRow<'r>> {
    if !request.narrowed {
        return rows;
    }
    let all = rows.len();
    let mut kept = rows;
    let chosen = narrow(&mut kept, request, kind);
    if !chosen.is_empty() {
        let stated = chosen
            .iter()
            .filter_map(|(criterion, value)| value.as_ref().map(|value| format!("{} {value}", criterion.in_prose())));
        let unstated: Vec<String> =
            chosen.iter().filter(|(_, value)| value.is_none()).map(|(criterion, _)| criterion.in_prose()).collect();
        let unstated = (!unstated.is_empty()).then(|| format!("not stated: {}", and_list(&unstated)));
        let shared: Vec<String> = stated.chain(unstated).collect();
        notes.push(format!(
            "{} of {} drawn, those with the most common setting ({}); the others are not comparable with them.",
            kept.len(),
            counted(all, "measurement", "measurements"),
            shared.join("; "),
        ));
    }
    kept
}

/// Keeps only the rows with the most common setting. Returns the criteria used and the rows' values.
pub(super) fn narrow(
    rows: &mut Vec<&PlottedRow<'_>>,
    request: &PlotRequest,
    kind: FigureKind,
) -> Vec<(Criterion, Option<String>)> {
    let mut chosen: Vec<(Criterion, Option<String>)> = Vec::new();
    let counts = Criterion::Field(Field::Counts);
    let differs_in_counts =
        |rows: &[&PlottedRow<'_>]| rows.iter().filter_map(|row| row.counts()).collect::<BTreeSet<_>>().len() > 1;
    loop {
        let first = match differs_in_counts(rows) {
            true => Some(counts),
            false => differing(rows, request, kind).first().map(|(criterion, _)| *criterion),
        };
        let Some(criterion) = first else { return chosen };
        // Rows must state the fields that every source is expected to state.
        let may_be_unstated = match criterion {
            Criterion::Field(field) => !field.is_expected() || field == Field::Timed,
            _ => false,
        };
        let mut rows_of: BTreeMap<Option<String>, usize> = BTreeMap::new();
        let values = rows.iter().map(|row| stated(row, criterion));
        values
            .filter(|value| value.is_some() || may_be_unstated)
            .for_each(|value| *rows_of.entry(value).or_default() += 1);
        // Ties go to the first by name, so that the same question always gives the same figure.
        let Some((most, _)) = rows_of.into_iter().rev().max_by_key(|(_, rows)| *rows) else { return chosen };
        let before = rows.len();
        rows.retain(|row| stated(row, criterion) == most);
        chosen.push((criterion, most));
        if rows.len() == before {
            return chosen;
        }
    }
}

/// The first few items, and the count of the others.
pub(super) fn first_few<S: AsRef<str>>(items: &[S]) -> String {
    const MAX_SHOWN: usize = 4;
    let shown: Vec<&str> = items.iter().take(MAX_SHOWN).map(AsRef::as_ref).collect();
    match items.len().saturating_sub(MAX_SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
