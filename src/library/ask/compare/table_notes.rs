//! The notes of a table: what all cells share, in what they differ, and how each was picked.

use std::collections::{BTreeMap, BTreeSet};

use super::CompareError;
use super::labels::name;
use super::pick_candidate::PickedMeasurement;
use super::request::{ComparePick, CompareRequest, PivotAxis};
use super::setting_notes::{add_settings, name_of};
use super::table::{Pivot, PivotCell, PivotNote};
use crate::comparability::{ComparedRow, Criterion, Verdict, VerdictKind, compared};
use crate::model::{Aspect, Derived, Field, Measure};
use crate::rows::{EntityCache, formulas};
use crate::stores::Stores;
use crate::values::Outcome;
use crate::values::text::and_list;

const DERIVED: &str = "*";
const FAMILY: &str = "†";
const MIXED: &str = "‡";
const CHOSEN: &str = "§";

/// Adds all notes to the table.
pub(super) fn add_notes(
    pivot: &mut Pivot,
    chosen: &[PickedMeasurement],
    retracted: usize,
    context: (&Stores, &mut EntityCache<'_>),
    request: &CompareRequest,
) -> Result<(), CompareError> {
    let (stores, entities) = context;
    let Some(metric) = pivot.columns.first().map(|column| column.of.basis()) else { return Ok(()) };
    let compared_rows: Vec<ComparedRow<'_>> = chosen.iter().map(|chosen| chosen.joined.compared_row()).collect();
    let verdict = compared(&compared_rows, metric, &request.relaxed);
    pivot.verdict = (chosen.len() > 1).then(|| verdict.kind());
    add_settings(pivot, chosen, metric, request, |field, value| name(entities, stores, Aspect::Field(field), value))?;
    mark_cells(pivot, chosen, request);
    outcome_notes(pivot);
    items_note(pivot, chosen);
    price_notes(pivot, chosen, entities, request);
    if pivot.shares_first_rank {
        let text = "The known dispersion does not tell all of the best apart: they share the first rank.";
        pivot.notes.push(PivotNote::on_table("shared-rank", text));
    }
    if verdict.classes.is_some() && pivot.notes.iter().all(|note| note.code != "classes") {
        let text = "Different classes of hardware are never ranked together.";
        pivot.notes.push(PivotNote::on_table("classes", text));
    }
    unstated_note(pivot, &verdict);
    if !verdict.relaxed.is_empty() {
        let fields: Vec<&str> = verdict.relaxed.iter().map(|difference| difference.criterion.key()).collect();
        pivot.notes.push(PivotNote::on_criteria("relaxed", &fields, |fields| {
            format!("Relaxed: {fields} may differ among values that are ranked together.")
        }));
    }
    if retracted > 0 {
        let text = format!("{retracted} retracted measurements are left out.");
        pivot.notes.push(PivotNote::on_table("retracted", text));
    }
    verdict_note(pivot, &verdict);
    Ok(())
}

/// Adds the reason why cells are not ranked together, unless the note on mixed candidates covers it.
fn verdict_note(pivot: &mut Pivot, verdict: &Verdict) {
    if !matches!(verdict.kind(), VerdictKind::NotComparable | VerdictKind::Unknown) {
        return;
    }
    let mut deciding = verdict.deciding();
    // A different stage implies different timing.
    if deciding.contains(&Criterion::Field(Field::Stage)) {
        deciding.retain(|criterion| *criterion != Criterion::Field(Field::Timed));
    }
    let said: BTreeSet<&str> =
        pivot.cells.iter().flatten().flatten().flat_map(|cell| cell.mixed.iter().copied()).collect();
    let keys: Vec<&str> = deciding.into_iter().map(Criterion::key).filter(|key| !said.contains(key)).collect();
    if keys.is_empty() {
        return;
    }
    pivot.notes.push(PivotNote::on_criteria("verdict", &keys, |keys| match verdict.kind() {
        VerdictKind::Unknown => format!("Whether all cells are comparable is unknown: {keys} not stated by all."),
        _ => format!("Cells that differ in {keys} are not ranked together."),
    }));
}

/// Adds a note on fields that matter but that no cell states: silence does not mean that they are equal.
fn unstated_note(pivot: &mut Pivot, verdict: &Verdict) {
    let unstated = verdict.caveats.iter().chain(&verdict.missing).filter(|difference| difference.values == [None]);
    let unstated: Vec<Criterion> = unstated.map(|difference| difference.criterion).collect();
    if !unstated.is_empty() {
        let say = |names: &[&str]| {
            format!("No cell states its {}: whether they are alike in it is not known.", and_list(names))
        };
        let names: Vec<&str> = unstated.iter().map(|criterion| name_of(*criterion)).collect();
        let prose: Vec<String> = unstated.iter().map(|criterion| criterion.in_prose()).collect();
        let prose: Vec<&str> = prose.iter().map(String::as_str).collect();
        let note = PivotNote::on_table("unstated", say(&names));
        pivot.notes.push(PivotNote { printed: Some(say(&prose)), ..note });
    }
}

/// Marks what applies to single cells; what applies to all of them becomes a note on the table.
fn mark_cells(pivot: &mut Pivot, chosen: &[PickedMeasurement], request: &CompareRequest) {
    let facts: BTreeMap<(usize, usize), &PickedMeasurement> =
        chosen.iter().map(|chosen| ((chosen.row, chosen.column), chosen)).collect();
    let implied = |measure: Measure| match measure {
        Measure::Metric(metric) => formulas(chosen.iter().map(|chosen| &chosen.joined), metric),
        Measure::Derived(derived) => derived.definition().to_owned(),
    };
    for measure in pivot.columns.iter().map(|column| column.of).collect::<BTreeSet<_>>() {
        let text = format!("Derived: {}.", implied(measure));
        let sign = DERIVED.repeat(1 + pivot.notes.iter().filter(|note| note.code == "derived").count());
        mark(pivot, "derived", &sign, text, |pivot, place| {
            pivot.columns[place.1].of == measure && cell(pivot, place).is_some_and(|cell| cell.derived)
        });
    }
    // A family is a property of the device, so the mark is on the device's row if rows are devices.
    let text = "A device family: the source does not say which member.".to_owned();
    let is_family = |place: &(usize, usize)| facts.get(place).is_some_and(|chosen| chosen.joined.facts().is_family);
    if request.rows.contains(&PivotAxis::Aspect(Aspect::Field(Field::Device))) {
        let families: Vec<usize> = (0..pivot.rows.len())
            .filter(|row| (0..pivot.columns.len()).any(|column| is_family(&(*row, column))))
            .collect();
        if !families.is_empty() {
            pivot.notes.push(PivotNote::marked("family", FAMILY.to_owned(), text));
            let note = pivot.notes.len() - 1;
            families.into_iter().for_each(|row| pivot.rows[row].notes.push(note));
        }
    } else {
        mark(pivot, "family", FAMILY, text, |_, place| is_family(&place));
    }
    let mixed: BTreeSet<&str> =
        pivot.cells.iter().flatten().flatten().flat_map(|cell| cell.mixed.iter().copied()).collect();
    if !mixed.is_empty() {
        let mixed: Vec<&str> = mixed.into_iter().collect();
        let note = PivotNote::on_criteria("mixed", &mixed, |mixed| {
            format!("Picked among measurements that differ in {mixed}, so it is ranked with nothing.")
        });
        mark(pivot, "mixed", MIXED, note.text, |pivot, place| {
            cell(pivot, place).is_some_and(|cell| !cell.mixed.is_empty())
        });
        if let Some(last) = pivot.notes.last_mut() {
            last.printed = note.printed;
        }
    }
    let counts: Vec<usize> =
        pivot.cells.iter().flatten().flatten().map(|cell| cell.candidates).filter(|count| *count > 1).collect();
    if let (Some(least), Some(most)) = (counts.iter().min(), counts.iter().max()) {
        let how = match request.pick {
            ComparePick::Latest => "The latest",
            ComparePick::Best => "The best",
            ComparePick::Median => "The median",
            ComparePick::All => "All",
        };
        let count = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let varied: BTreeSet<&str> =
            pivot.cells.iter().flatten().flatten().flat_map(|cell| cell.varied.iter().copied()).collect();
        let varied: Vec<&str> = varied.into_iter().collect();
        let one_cell = pivot.cells.iter().flatten().flatten().count() == 1;
        let conditions = |varied: &str| match request.pick {
            _ if varied.is_empty() => String::new(),
            ComparePick::Best | ComparePick::Median if !one_cell => {
                format!(", which differ in {varied}; where cells have a setting in common, it is that one")
            }
            _ => format!(", which differ in {varied}"),
        };
        let told = PivotNote::on_criteria("pick", &varied, |varied| {
            format!("{how} of {count} measurements{}", conditions(varied))
        });
        let text = format!("{} (--pick {}).", told.text, request.pick);
        mark(pivot, "pick", CHOSEN, text, |pivot, place| cell(pivot, place).is_some_and(|cell| cell.candidates > 1));
        if let Some(note) = pivot.notes.last_mut() {
            note.printed = told.printed.map(|printed| printed + ".");
        }
    }
}

fn cell(pivot: &Pivot, place: (usize, usize)) -> Option<&PivotCell> {
    pivot.cells[place.0][place.1].as_deref()
}

fn mark(
    pivot: &mut Pivot,
    code: &'static str,
    sign: &str,
    text: String,
    holds: impl Fn(&Pivot, (usize, usize)) -> bool,
) {
    let places = (0..pivot.rows.len()).flat_map(|row| (0..pivot.columns.len()).map(move |column| (row, column)));
    let filled: Vec<(usize, usize)> = places.filter(|place| cell(pivot, *place).is_some()).collect();
    let marked: Vec<(usize, usize)> = filled.iter().copied().filter(|place| holds(pivot, *place)).collect();
    if marked.is_empty() {
        return;
    }
    let everywhere = marked.len() == filled.len();
    pivot.notes.push(PivotNote::marked(code, if everywhere { String::new() } else { sign.to_owned() }, text));
    let note = pivot.notes.len() - 1;
    for (row, column) in marked {
        if let (false, Some(cell)) = (everywhere, &mut pivot.cells[row][column]) {
            cell.notes.push(note);
        }
    }
}

/// Explains the words shown where an attempt gave no value.
fn outcome_notes(pivot: &mut Pivot) {
    let words = pivot.cells.iter().flatten().flatten().filter_map(|cell| cell.outcome.as_deref());
    let outcomes: BTreeSet<Outcome> = words.filter_map(|word| word.parse().ok()).collect();
    for outcome in outcomes {
        let text = format!("{outcome}: {}; there is no value.", outcome.meaning());
        pivot.notes.push(PivotNote::on_table("outcome", text));
    }
}

/// Explains what an item is, if cells count different things or do not state it.
fn items_note(pivot: &mut Pivot, chosen: &[PickedMeasurement]) {
    let of_items = chosen.iter().filter(|chosen| pivot.columns[chosen.column].of.items_per().is_some());
    let counted: BTreeSet<Option<&str>> = of_items.map(|chosen| chosen.joined.recorded().text(Field::Counts)).collect();
    let words: Vec<&str> = counted.iter().copied().flatten().collect();
    let text = match (words.as_slice(), counted.contains(&None)) {
        ([], false) | ([_], false) => return,
        ([], true) => "What an item is, is not stated.".to_owned(),
        (words, unstated) => {
            let or = if unstated { "; of some it is not stated" } else { "" };
            format!("What an item is differs: {}{or}.", and_list(words))
        }
    };
    pivot.notes.push(PivotNote::on_table("items", text));
}

/// Lists the prices from which values are derived.
fn price_notes(pivot: &mut Pivot, chosen: &[PickedMeasurement], entities: &EntityCache<'_>, request: &CompareRequest) {
    let prices = pivot.columns.iter().any(|column| column.of == Measure::Derived(Derived::ItemsPerDollar));
    let mut told: BTreeSet<String> = BTreeSet::new();
    for chosen in chosen.iter().filter(|_| prices) {
        let device = chosen.joined.recorded().text(Field::Device).and_then(|id| entities.device(id));
        told.extend(device.and_then(|device| device.rent.as_ref()).map(|rent| format!("{rent} ({})", rent.source)));
    }
    if !told.is_empty() {
        let told: Vec<String> = told.into_iter().collect();
        pivot.notes.push(PivotNote::on_table("prices", format!("Prices: {}.", told.join("; "))));
    }
    if let Some(dataset) = &request.dataset {
        pivot.notes.push(PivotNote::on_table("dataset", format!("Epochs are those of {dataset}.")));
    }
}
