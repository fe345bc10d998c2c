//! The notes of a table: what all cells share, in what they differ, and how each was chosen.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::CompareError;
use super::labels::name;
use super::pick_candidate::PickedMeasurement;
use super::request::{ComparePick, CompareRequest, PivotAxis};
use super::table::{Pivot, PivotCell, PivotNote};
use crate::comparability::{ComparedRow, Criterion, Verdict, VerdictKind, compared};
use crate::model::{Aspect, Derived, Field, Measure, Metric};
use crate::rows::{EntityCache, formulas};
use crate::stores::Stores;
use crate::values::citation_mark;
use crate::values::text::and_list;

/// A field with more values than this is named, not spelled out.
const MOST_VALUES: usize = 6;
/// More different settings than this are not marked one by one.
const MOST_MARKS: usize = 12;
/// A value longer than this is no part of a footnote.
const LONG: usize = 60;

const DERIVED: &str = "*";
const FAMILY: &str = "†";
const MIXED: &str = "‡";
const CHOSEN: &str = "§";

/// Says what must be said.
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
    settings(pivot, chosen, metric, request, |field, value| name(entities, stores, Aspect::Field(field), value))?;
    mark_cells(pivot, chosen, request);
    price_notes(pivot, chosen, entities, request);
    if pivot.shares_first_rank {
        let text = "The known dispersion does not tell all of the best apart: they share the first rank.";
        pivot.notes.push(PivotNote::of_table("shared-rank", text));
    }
    if verdict.classes.is_some() && pivot.notes.iter().all(|note| note.code != "classes") {
        let text = "Different classes of hardware are never ranked together.";
        pivot.notes.push(PivotNote::of_table("classes", text));
    }
    unstated_note(pivot, &verdict);
    if !verdict.relaxed.is_empty() {
        let fields: Vec<&str> = verdict.relaxed.iter().map(|difference| difference.criterion.key()).collect();
        let text = format!("Relaxed: {} may differ among values that are ranked together.", and_list(&fields));
        pivot.notes.push(PivotNote::of_table("relaxed", text));
    }
    if retracted > 0 {
        let text = format!("{retracted} retracted measurements are left out.");
        pivot.notes.push(PivotNote::of_table("retracted", text));
    }
    verdict_note(pivot, &verdict);
    Ok(())
}

/// Says why cells are not ranked together, as far as no note says it of those that were picked among different things.
fn verdict_note(pivot: &mut Pivot, verdict: &Verdict) {
    if !matches!(verdict.kind(), VerdictKind::NotComparable | VerdictKind::Unknown) {
        return;
    }
    let mut deciding = verdict.deciding();
    // What was timed follows from the stage.
    if deciding.contains(&Criterion::Field(Field::Stage)) {
        deciding.retain(|criterion| *criterion != Criterion::Field(Field::Timed));
    }
    let said: BTreeSet<&str> =
        pivot.cells.iter().flatten().flatten().flat_map(|cell| cell.mixed.iter().copied()).collect();
    let keys: Vec<&str> = deciding.into_iter().map(Criterion::key).filter(|key| !said.contains(key)).collect();
    if keys.is_empty() {
        return;
    }
    let text = match verdict.kind() {
        VerdictKind::Unknown => {
            format!("Whether all cells are comparable is unknown: {} not stated by all.", and_list(&keys))
        }
        _ => format!("Cells that differ in {} are not ranked together.", and_list(&keys)),
    };
    pivot.notes.push(PivotNote::of_table("verdict", text));
}

/// Says what no cell states though numbers hang on it: that one source leaves it out of all rows does not make them alike.
fn unstated_note(pivot: &mut Pivot, verdict: &Verdict) {
    let unstated = verdict.caveats.iter().chain(&verdict.missing).filter(|difference| difference.values == [None]);
    let unstated: Vec<&str> = unstated.map(|difference| name_of(difference.criterion)).collect();
    if !unstated.is_empty() {
        let text = format!("No cell states its {}: whether they are alike in it is not known.", and_list(&unstated));
        pivot.notes.push(PivotNote::of_table("unstated", text));
    }
}

/// What cells differ in beside rows and columns, as marks on rows, on columns or on cells; what they share.
fn settings(
    pivot: &mut Pivot,
    chosen: &[PickedMeasurement],
    metric: Metric,
    request: &CompareRequest,
    mut named: impl FnMut(Field, &str) -> Result<String, CompareError>,
) -> Result<(), CompareError> {
    let asked: Vec<PivotAxis> = request.rows.iter().chain(&request.columns).copied().collect();
    let is_axis = |criterion: Criterion| match criterion {
        Criterion::Class => true,
        Criterion::Source => asked.contains(&PivotAxis::Aspect(Aspect::Source)),
        Criterion::Field(field) => asked.contains(&PivotAxis::Aspect(Aspect::Field(field))),
    };
    let numbers: BTreeMap<String, usize> =
        pivot.sources.iter().enumerate().map(|(at, source)| (source.id.to_string(), at + 1)).collect();
    let mut groups: [Vec<(Criterion, Vec<Option<String>>)>; 3] = Default::default();
    let mut many: Vec<String> = Vec::new();
    let of_layers = chosen.iter().any(|chosen| chosen.joined.facts().is_of_layers());
    for criterion in Criterion::all().filter(|criterion| !is_axis(*criterion)) {
        let counts = criterion == Criterion::Field(Field::Counts);
        if criterion.tier(metric, of_layers).is_none() || counts {
            continue;
        }
        let raw: Vec<Option<Cow<'_, str>>> =
            chosen.iter().map(|chosen| footnote_value(chosen, criterion, &numbers)).collect();
        let kinds = raw.iter().map(Option::as_deref).collect::<HashSet<Option<&str>>>().len();
        if kinds > MOST_VALUES {
            many.push(format!("{} ({kinds} values)", criterion.key()));
            continue;
        }
        let mut values: Vec<Option<String>> = raw.into_iter().map(|value| value.map(Cow::into_owned)).collect();
        if let Criterion::Field(field) = criterion {
            for value in values.iter_mut().flatten() {
                *value = named(field, value)?;
            }
        }
        let different: BTreeSet<&Option<String>> = values.iter().collect();
        if different.len() == 1 {
            if let Some(Some(only)) = values.first()
                && !matches!(criterion, Criterion::Source)
                && !matches!(criterion, Criterion::Field(field) if field.unstated() == Some(only))
                && only.chars().count() <= LONG
            {
                pivot.shared.push((criterion.key().to_owned(), only.clone()));
            }
            continue;
        }
        let long = values.iter().flatten().any(|value| value.chars().count() > LONG);
        if long {
            many.push(format!("{} ({} values)", criterion.key(), different.len()));
            continue;
        }
        let by = |line: fn(&PickedMeasurement) -> usize| {
            let mut first: BTreeMap<usize, &Option<String>> = BTreeMap::new();
            chosen.iter().zip(&values).all(|(chosen, value)| *first.entry(line(chosen)).or_insert(value) == value)
        };
        let group = match (by(|chosen| chosen.row), by(|chosen| chosen.column)) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        };
        groups[group].push((criterion, values));
    }
    let mut letters = FootnoteMarks::default();
    for (group, criteria) in groups.into_iter().enumerate() {
        if criteria.is_empty() {
            continue;
        }
        let setting = |at: usize| -> String {
            setting_text(criteria.iter().map(|(criterion, values)| (*criterion, values[at].as_deref())))
        };
        // The same with the keys of sources for a format that cites.
        let cited = |at: usize| -> String {
            let key = citation_mark(chosen[at].joined.recorded().source().as_str());
            setting_text(criteria.iter().map(|(criterion, values)| match criterion {
                Criterion::Source => (*criterion, Some(key.as_str())),
                _ => (*criterion, values[at].as_deref()),
            }))
        };
        let names_sources = criteria.iter().any(|(criterion, _)| *criterion == Criterion::Source);
        let mut citing: BTreeMap<String, String> = BTreeMap::new();
        let place = |chosen: &PickedMeasurement| match group {
            0 => (chosen.row, 0),
            1 => (0, chosen.column),
            _ => (chosen.row, chosen.column),
        };
        let mut settings: BTreeMap<(usize, usize), String> = BTreeMap::new();
        for (at, chosen) in chosen.iter().enumerate() {
            let text = settings.entry(place(chosen)).or_insert_with(|| setting(at));
            if names_sources {
                citing.entry(text.clone()).or_insert_with(|| cited(at));
            }
        }
        let different: BTreeSet<&String> = settings.values().collect();
        if different.len() > MOST_MARKS {
            many.extend(criteria.iter().map(|(criterion, _)| criterion.key().to_owned()));
            continue;
        }
        let usual = different
            .iter()
            .copied()
            .find(|setting| settings.values().filter(|other| other == setting).count() * 2 > settings.len())
            .cloned();
        if let Some(usual) = &usual {
            let printed = citing.get(usual).map(|usual| format!("Unless marked: {usual}."));
            let note = PivotNote::of_table("setting", format!("Unless marked: {usual}."));
            pivot.notes.push(PivotNote { printed, ..note });
        }
        let mut marks: BTreeMap<String, usize> = BTreeMap::new();
        for (place, setting) in &settings {
            if usual.as_ref() == Some(setting) {
                continue;
            }
            let note = match marks.get(setting) {
                Some(note) => *note,
                None => {
                    let note = PivotNote::marked("setting", letters.next(), setting.clone());
                    pivot.notes.push(PivotNote { printed: citing.get(setting).cloned(), ..note });
                    marks.insert(setting.clone(), pivot.notes.len() - 1);
                    pivot.notes.len() - 1
                }
            };
            match group {
                0 => pivot.rows[place.0].notes.push(note),
                1 => pivot.columns[place.1].notes.push(note),
                _ => {
                    if let Some(cell) = &mut pivot.cells[place.0][place.1] {
                        cell.notes.push(note);
                    }
                }
            }
        }
    }
    if !many.is_empty() {
        let printed = Some(format!("Cells also differ in {}.", and_list(&many)));
        let text = format!("Cells also differ in {} (-f ndjson names each measurement).", and_list(&many));
        pivot.notes.push(PivotNote { printed, ..PivotNote::of_table("differences", text) });
    }
    Ok(())
}

/// What a chosen measurement states, as a footnote has it; a source is its number.
fn footnote_value<'c>(
    chosen: &'c PickedMeasurement,
    criterion: Criterion,
    numbers: &BTreeMap<String, usize>,
) -> Option<Cow<'c, str>> {
    match criterion {
        Criterion::Source => {
            numbers.get(chosen.joined.recorded().source().as_str()).map(|number| Cow::Owned(format!("[{number}]")))
        }
        // The method of a source is no footnote of a cell.
        Criterion::Field(Field::Timed) => chosen.joined.recorded().text(Field::Timed).map(Cow::Borrowed),
        other => chosen.joined.compared_row().shown(other),
    }
}

/// `cuda 9.0, cudnn 7.0; driver not stated`.
fn setting_text<'v>(values: impl Iterator<Item = (Criterion, Option<&'v str>)>) -> String {
    let (mut stated, mut unstated) = (Vec::new(), Vec::new());
    for (criterion, value) in values {
        match value {
            Some(value) => stated.push(stated_value(criterion, value)),
            None if is_missed(criterion) => unstated.push(name_of(criterion)),
            None => {}
        }
    }
    let mut text = stated.join(", ");
    if !unstated.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "; " });
        text.push_str(&format!("{} not stated", and_list(&unstated)));
    }
    if text.is_empty() { "none of these".to_owned() } else { text }
}

/// Whether a field that is not stated is worth a word; others need not apply.
fn is_missed(criterion: Criterion) -> bool {
    match criterion {
        Criterion::Field(field) => field.is_expected(),
        _ => true,
    }
}

fn name_of(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Field(field) => field.heading(),
        other => other.key(),
    }
}

/// `cuda 9.0`; a source is its number.
fn stated_value(criterion: Criterion, value: &str) -> String {
    match criterion {
        Criterion::Source => value.to_owned(),
        Criterion::Field(field) => field.in_list(value),
        other => format!("{} {value}", other.key()),
    }
}

/// The marks of footnotes: a to z, then aa. There is no raised q.
#[derive(Default)]
struct FootnoteMarks(usize);

const LETTERS: &[u8] = b"abcdefghijklmnoprstuvwxyz";

impl FootnoteMarks {
    fn next(&mut self) -> String {
        let mut text = String::new();
        let mut number = self.0;
        loop {
            text.insert(0, char::from(LETTERS[number % LETTERS.len()]));
            if number < LETTERS.len() {
                break;
            }
            number = number / LETTERS.len() - 1;
        }
        self.0 += 1;
        text
    }
}

/// Marks what holds for single cells; what holds for all of them is said of the table.
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
    // A family is the device's affair: it is marked where the device stands.
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
        let text =
            format!("Picked among measurements that differ in {}, so it is ranked with nothing.", and_list(&mixed));
        mark(pivot, "mixed", MIXED, text, |pivot, place| cell(pivot, place).is_some_and(|cell| !cell.mixed.is_empty()));
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
        let conditions = match (varied.as_slice(), request.pick) {
            ([], _) => String::new(),
            (varied, ComparePick::Best | ComparePick::Median) if !one_cell => {
                format!(", which differ in {}; cells that share a setting are picked under it", and_list(varied))
            }
            (varied, _) => format!(", which differ in {}", and_list(varied)),
        };
        let text = format!("{how} of {count} measurements{conditions} (--pick {}).", request.pick);
        mark(pivot, "pick", CHOSEN, text, |pivot, place| cell(pivot, place).is_some_and(|cell| cell.candidates > 1));
        if let Some(note) = pivot.notes.last_mut() {
            note.printed = Some(format!("{how} of {count} measurements{conditions}."));
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

/// The prices behind what is derived from them.
fn price_notes(pivot: &mut Pivot, chosen: &[PickedMeasurement], entities: &EntityCache<'_>, request: &CompareRequest) {
    let prices = pivot.columns.iter().any(|column| column.of == Measure::Derived(Derived::ItemsPerDollar));
    let mut told: BTreeSet<String> = BTreeSet::new();
    for chosen in chosen.iter().filter(|_| prices) {
        let text = |field| chosen.joined.recorded().text(field);
        let catalog = entities.catalog_inputs(text(Field::Device), text(Field::Network), None);
        let devices = chosen.joined.recorded().devices() as f64;
        let date = text(Field::Date).and_then(|date| date.parse().ok());
        if let Some((_, offer)) = catalog.price(text(Field::Instance), date, devices)
            && let Some(price) = offer.usd_per_hour
        {
            let date = offer.as_of.map_or_else(|| "date not stated".to_owned(), |date| date.to_string());
            told.insert(format!("{} {} {price} USD/h ({date}, {})", offer.provider, offer.instance, offer.source));
        }
    }
    if !told.is_empty() {
        let told: Vec<String> = told.into_iter().collect();
        pivot.notes.push(PivotNote::of_table("prices", format!("Prices: {}.", told.join("; "))));
    }
    if let Some(dataset) = &request.dataset {
        pivot.notes.push(PivotNote::of_table("dataset", format!("Epochs are those of {dataset}.")));
    }
}
