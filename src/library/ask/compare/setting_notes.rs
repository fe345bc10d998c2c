//! Notes on settings: those in which cells differ beyond rows and columns, as footnote marks, and those that all cells share.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use super::CompareError;
use super::pick_candidate::PickedMeasurement;
use super::request::{CompareRequest, PivotAxis};
use super::table::{Pivot, PivotNote};
use crate::comparability::Criterion;
use crate::model::{Aspect, Field, Metric, Tier};
use crate::values::citation_mark;
use crate::values::text::and_list;

/// Fields with more values than this are named without their values; see `most_values` for an exception.
const MOST_VALUES: usize = 6;
/// Maximum number of different settings marked individually.
const MOST_MARKS: usize = 12;
/// Footnote for cells that state none of the fields in which others differ.
const NOTHING_STATED: &str = "none of these";
/// Longer values are not put into footnotes.
const LONG: usize = 60;

/// Adds footnote marks to rows, columns or cells for settings beyond the axes, and records the shared settings.
///
/// # Errors
///
/// Fails if a store fails while looking up a value's name.
pub(super) fn add_settings(
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
    let mut groups: [Vec<CriterionValues>; 3] = Default::default();
    // Criteria that are only named, with their number of values if counted.
    let mut many: Vec<(Criterion, Option<usize>)> = Vec::new();
    let mut conditions: Vec<String> = vec![String::new(); chosen.len()];
    let of_layers = chosen.iter().any(|chosen| chosen.joined.facts().is_of_layers());
    for criterion in Criterion::all().filter(|criterion| !is_axis(*criterion)) {
        if criterion.tier(metric, of_layers).is_none() {
            continue;
        }
        let raw: Vec<Option<Cow<'_, str>>> =
            chosen.iter().map(|chosen| footnote_value(chosen, criterion, &numbers)).collect();
        if criterion != Criterion::Source {
            for (stated, value) in conditions.iter_mut().zip(&raw) {
                if let Some(value) = value {
                    let _ = write!(stated, "{}{}={value}", if stated.is_empty() { "" } else { "; " }, criterion.key());
                }
            }
        }
        // The heading already states what is counted.
        if criterion == Criterion::Field(Field::Counts) {
            continue;
        }
        let kinds = raw.iter().map(Option::as_deref).collect::<HashSet<Option<&str>>>().len();
        if kinds > most_values(criterion) {
            many.push((criterion, Some(kinds)));
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
            many.push((criterion, Some(different.len())));
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
    for (chosen, stated) in chosen.iter().zip(conditions) {
        if let Some(cell) = &mut pivot.cells[chosen.row][chosen.column] {
            cell.conditions = stated;
        }
    }
    let mut letters = FootnoteMarks::default();
    for (lines, criteria) in [SettingOf::Rows, SettingOf::Columns, SettingOf::Cells].into_iter().zip(groups) {
        let importance = |criterion: Criterion| importance(criterion, criterion.tier(metric, of_layers));
        // Context and disclosure fields would fill the page.
        let decides = |criterion: Criterion| criterion.tier(metric, of_layers).is_some_and(|tier| tier <= Tier::Axis);
        let (criteria, left_out) = markable(criteria, importance, decides);
        many.extend(left_out.into_iter().map(|criterion| (criterion, None)));
        if !criteria.is_empty() {
            mark_settings(pivot, chosen, &criteria, lines, &mut letters);
        }
    }
    if !many.is_empty() {
        let named = |name: &dyn Fn(Criterion) -> String| -> String {
            let counted = many.iter().map(|(criterion, values)| match values {
                Some(values) => format!("{} ({values} values)", name(*criterion)),
                None => name(*criterion),
            });
            let counted: Vec<String> = counted.collect();
            and_list(&counted)
        };
        let printed = Some(format!("Cells also differ in {}.", named(&Criterion::in_prose)));
        let keys = named(&|criterion| criterion.key().to_owned());
        let text = format!("Cells also differ in {keys} (-f ndjson names each measurement).");
        pivot.notes.push(PivotNote { printed, ..PivotNote::on_table("differences", text) });
    }
    Ok(())
}

/// The scope of a setting: shared by all cells of a row, by all of a column, or by neither.
#[derive(Debug, Clone, Copy)]
enum SettingOf {
    Rows,
    Columns,
    Cells,
}

/// Marks rows, columns or cells with the footnote of their setting, except for the setting that most of them have.
fn mark_settings(
    pivot: &mut Pivot,
    chosen: &[PickedMeasurement],
    criteria: &[CriterionValues],
    lines: SettingOf,
    letters: &mut FootnoteMarks,
) {
    let setting = |at: usize| -> String {
        setting_text(
            criteria.iter().map(|(criterion, values)| (*criterion, values[at].as_deref())),
            SettingWords::OfKeys,
        )
    };
    // The same text for print: field names in prose, sources as citation keys.
    let printed = |at: usize| -> String {
        let key = citation_mark(chosen[at].joined.recorded().source().as_str());
        let values = criteria.iter().map(|(criterion, values)| match criterion {
            Criterion::Source => (*criterion, Some(key.as_str())),
            _ => (*criterion, values[at].as_deref()),
        });
        setting_text(values, SettingWords::OfPrint)
    };
    let mut in_print: BTreeMap<String, String> = BTreeMap::new();
    let place = |chosen: &PickedMeasurement| match lines {
        SettingOf::Rows => (chosen.row, 0),
        SettingOf::Columns => (0, chosen.column),
        SettingOf::Cells => (chosen.row, chosen.column),
    };
    let mut settings: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for (at, chosen) in chosen.iter().enumerate() {
        let text = settings.entry(place(chosen)).or_insert_with(|| setting(at));
        in_print.entry(text.clone()).or_insert_with(|| printed(at));
    }
    let different: BTreeSet<&String> = settings.values().collect();
    let usual = different
        .iter()
        .copied()
        .find(|setting| settings.values().filter(|other| other == setting).count() * 2 > settings.len())
        .cloned();
    if let Some(usual) = usual.as_ref().filter(|usual| *usual != NOTHING_STATED) {
        let printed = in_print.get(usual).map(|usual| format!("Unless marked: {usual}."));
        let note = PivotNote::on_table("setting", format!("Unless marked: {usual}."));
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
                pivot.notes.push(PivotNote { printed: in_print.get(setting).cloned(), ..note });
                marks.insert(setting.clone(), pivot.notes.len() - 1);
                pivot.notes.len() - 1
            }
        };
        match lines {
            SettingOf::Rows => pivot.rows[place.0].notes.push(note),
            SettingOf::Columns => pivot.columns[place.1].notes.push(note),
            SettingOf::Cells => {
                if let Some(cell) = &mut pivot.cells[place.0][place.1] {
                    cell.notes.push(note);
                }
            }
        }
    }
}

/// A field with more values than this is only named. The device count gets a higher limit, since it must be visible.
fn most_values(criterion: Criterion) -> usize {
    if criterion == Criterion::Field(Field::DeviceCount) { MOST_MARKS } else { MOST_VALUES }
}

/// Order of marking: the device count first, then criteria that prevent ranking, then axes of comparison.
fn importance(criterion: Criterion, tier: Option<Tier>) -> (bool, Option<Tier>) {
    (criterion != Criterion::Field(Field::DeviceCount), tier)
}

/// A criterion with its value for each chosen measurement.
type CriterionValues = (Criterion, Vec<Option<String>>);

/// Splits criteria into those to mark and those left out: if marking all would take too many marks, only the most important ones
/// that matter are marked.
fn markable<O: Ord>(
    criteria: Vec<CriterionValues>,
    importance: impl Fn(Criterion) -> O,
    matters: impl Fn(Criterion) -> bool,
) -> (Vec<CriterionValues>, Vec<Criterion>) {
    let marks = |kept: &[&CriterionValues]| {
        let settings = (0..kept.first().map_or(0, |(_, values)| values.len()))
            .map(|at| kept.iter().map(|(_, values)| &values[at]).collect::<Vec<_>>());
        settings.collect::<BTreeSet<_>>().len()
    };
    let mut kept: Vec<&CriterionValues> = Vec::new();
    let mut by_importance: Vec<&CriterionValues> = criteria.iter().collect();
    by_importance.sort_by_key(|(criterion, _)| importance(*criterion));
    let all_fit = marks(&by_importance) <= MOST_MARKS;
    for criterion in by_importance {
        kept.push(criterion);
        if marks(&kept) > MOST_MARKS || !all_fit && !matters(criterion.0) {
            kept.pop();
        }
    }
    let kept: Vec<Criterion> = kept.iter().map(|(criterion, _)| *criterion).collect();
    let (kept, left_out): (Vec<_>, Vec<_>) = criteria.into_iter().partition(|(criterion, _)| kept.contains(criterion));
    (kept, left_out.into_iter().map(|(criterion, _)| criterion).collect())
}

/// The value of a criterion as shown in a footnote; sources by their number.
fn footnote_value<'c>(
    chosen: &'c PickedMeasurement,
    criterion: Criterion,
    numbers: &BTreeMap<String, usize>,
) -> Option<Cow<'c, str>> {
    match criterion {
        Criterion::Source => {
            numbers.get(chosen.joined.recorded().source().as_str()).map(|number| Cow::Owned(format!("[{number}]")))
        }
        // Only the row's own words: the source's method does not belong in a cell's footnote.
        Criterion::Field(Field::Timed) => chosen.joined.recorded().text(Field::Timed).map(Cow::Borrowed),
        other => chosen.joined.compared_row().shown(other),
    }
}

/// The vocabulary of a setting's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SettingWords {
    /// The names used in columns and filters.
    OfKeys,
    /// The prose names used in a paper.
    OfPrint,
}

/// The text of a setting: `CUDA 9.0, cuDNN 7.0; driver not stated`.
fn setting_text<'v>(values: impl Iterator<Item = (Criterion, Option<&'v str>)>, words: SettingWords) -> String {
    let (mut stated, mut unstated) = (Vec::new(), Vec::new());
    for (criterion, value) in values {
        match value {
            Some(value) => stated.push(stated_value(criterion, value, words)),
            None if is_missed(criterion) && words == SettingWords::OfPrint => unstated.push(criterion.in_prose()),
            None if is_missed(criterion) => unstated.push(name_of(criterion).to_owned()),
            None => {}
        }
    }
    let mut text = stated.join(", ");
    if !unstated.is_empty() {
        text.push_str(if text.is_empty() { "" } else { "; " });
        text.push_str(&format!("{} not stated", and_list(&unstated)));
    }
    if text.is_empty() { NOTHING_STATED.to_owned() } else { text }
}

/// Whether the absence of this field is worth mentioning; other fields need not apply.
fn is_missed(criterion: Criterion) -> bool {
    match criterion {
        Criterion::Field(field) => field.is_expected(),
        _ => true,
    }
}

pub(super) fn name_of(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Field(field) => field.heading(),
        other => other.key(),
    }
}

/// The text of a value: `CUDA 9.0`; sources by their number.
fn stated_value(criterion: Criterion, value: &str, words: SettingWords) -> String {
    match (criterion, words) {
        (Criterion::Source, _) => value.to_owned(),
        (Criterion::Field(field), SettingWords::OfKeys) => field.in_list(value),
        (Criterion::Field(field), SettingWords::OfPrint) => field.in_print(value),
        (other, _) => format!("{} {value}", other.key()),
    }
}

/// Footnote marks: a to z, then aa. There is no superscript q.
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
