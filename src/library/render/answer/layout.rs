//! Measurements as a table: a column for each field that varies, and a line above for what all rows share.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use strum::VariantArray as _;

use super::super::table::{Cell, Column, Role, Section, Table, TableNote};
use crate::ask::answer::{Answer, Page};
use crate::ask::parse::Ask;
use crate::model::{Aspect, Field, Metric, Tier};
use crate::render::table::AuthorStyle;
use crate::rows::{EntityCache, JoinedRow, formulas, natural};
use crate::values::text::and_list;
use crate::values::{Data, Decimal, Precision, citation_mark};

/// An answer, prepared for layout.
pub(super) struct Numbers<'a> {
    pub answer: &'a Answer,
    pub names: EntityCache<'a>,
    pub view: &'a AnswerView,
    /// The number of each source.
    pub(super) sources: HashMap<&'a str, usize>,
    /// The formulas of each derived metric, collected once for all cells.
    pub(super) formulas: BTreeMap<Metric, String>,
    /// The marks of rows whose published values no longer stand, by the text that says why (retracted, superseded, disputed).
    pub(super) standings: BTreeMap<String, String>,
}

/// Rows as a table, and what all of them share.
pub(super) struct Layout {
    /// The table.
    pub table: Table,
    /// The fields that all rows share, with their text.
    pub constants: Vec<(Aspect, String)>,
}

impl<'a> Numbers<'a> {
    pub(super) fn of(answer: &'a Answer, view: &'a AnswerView) -> Self {
        let rows: Vec<&JoinedRow> = answer.measurements.iter().collect();
        let sources = super::facts::ordered_sources(answer);
        let sources = sources.into_iter().enumerate().map(|(at, source)| (source.id.as_str(), at + 1)).collect();
        let mut standings = BTreeMap::new();
        for said in rows.iter().filter_map(|row| row.recorded().standing_in_words()) {
            let mark = format!("§{}", standings.len() + 1);
            standings.entry(said).or_insert(mark);
        }
        let derived = rows.iter().flat_map(|row| row.metrics()).filter(|(.., derived)| *derived);
        let derived: BTreeSet<Metric> = derived.map(|(metric, ..)| metric).collect();
        let formulas = derived.into_iter().map(|metric| (metric, formulas(&answer.measurements, metric))).collect();
        Self {
            formulas,
            answer,
            names: EntityCache::of_catalog(&answer.catalog).with_names(&answer.names),
            view,
            sources,
            standings,
        }
    }

    /// Lays out rows in sections with the same columns, leaving out the aspects in `elsewhere`, which are shown already.
    pub(super) fn layout(&self, sections: &[Vec<&JoinedRow>], elsewhere: &BTreeSet<Aspect>) -> Layout {
        let rows: Vec<&JoinedRow> = sections.iter().flatten().copied().collect();
        let mut notes: Vec<TableNote> = Vec::new();
        let mut constants = Vec::new();
        let mut columns: Vec<(Aspect, Vec<Cell>)> = Vec::new();
        let mut unseen: Vec<&str> = Vec::new();
        for aspect in self.candidates(&rows).into_iter().filter(|aspect| !elsewhere.contains(aspect)) {
            let mut marks = Vec::new();
            let mut cells: Vec<Cell> = rows.iter().map(|row| self.cell(row, aspect, &mut marks)).collect();
            // Long labels are shortened unless their column was requested.
            let is_long = matches!(aspect, Aspect::Field(Field::Label | Field::Timed));
            if is_long && !self.is_wanted(aspect) {
                let labels: Vec<&str> = cells.iter().map(|cell| cell.text.as_str()).collect();
                let folded = without_shared_parts(&labels);
                cells = cells.into_iter().zip(folded).map(|(cell, text)| Cell { text, ..cell }).collect();
            }
            let Some(first) = cells.first() else { continue };
            let varies = cells.iter().any(|cell| cell.text != first.text);
            // A weight format whose column equals another one, such as the quantization's, adds nothing.
            let is_said = || columns.iter().any(|(_, said)| said.iter().zip(&cells).all(|(a, b)| a.text == b.text));
            if varies && !self.is_wanted(aspect) && is_name_of_format(aspect) && is_said() {
                continue;
            }
            if !self.is_wanted(aspect) && !varies {
                if !first.text.is_empty() && !silent(aspect, &first.text) {
                    let mark: String = first.notes.iter().map(|note| marks[*note].mark.as_str()).collect();
                    constants.push((aspect, aspect.in_words(&first.text) + &mark));
                    take(&mut notes, marks);
                }
            } else if self.is_wanted(aspect) || self.view.columns.is_none() {
                let marks = take(&mut notes, marks);
                let moved = |cell: Cell| Cell { notes: cell.notes.iter().map(|note| marks[*note]).collect(), ..cell };
                columns.push((aspect, cells.into_iter().map(moved).collect()));
            } else if distinguishes_rows(aspect) {
                unseen.push(aspect.heading());
            }
        }
        if !unseen.is_empty() {
            note(&mut notes, ("", &format!("not shown, but rows differ in it: {}", and_list(&unseen))));
        }
        if let Some(wanted) = &self.view.columns {
            columns.sort_by_key(|(aspect, _)| wanted.iter().position(|other| other == aspect));
        }
        self.mark_standings(&rows, &mut columns, &mut notes);
        let counts: BTreeSet<Option<&str>> = rows.iter().map(|row| row.recorded().text(Field::Counts)).collect();
        let heads: Vec<Column> = columns.iter().map(|(aspect, _)| self.column(*aspect, &counts)).collect();
        // Circumstances such as the host come last among the sort keys.
        let mut keys: Vec<usize> = (0..heads.len()).filter(|at| heads[*at].role == Role::Key).collect();
        keys.sort_by_key(|at| !distinguishes_rows(columns[*at].0));
        let named: Vec<Aspect> = keys.iter().map(|at| columns[*at].0).collect();
        let mut columns: Vec<_> = columns.into_iter().map(|(_, cells)| cells.into_iter()).collect();
        let sections = sections.iter().map(|section| {
            let mut row = |_: &&JoinedRow| columns.iter_mut().map(|cells| cells.next().unwrap_or_default()).collect();
            let rows: Vec<Vec<Cell>> = section.iter().map(&mut row).collect();
            // The rows of a look-up are already in the order of its conclusion.
            let is_told = self.answer.ask == Ask::Lookup && !self.answer.conclusion.entries.is_empty();
            let mut order: Vec<usize> = match self.answer.asked.sort.is_some() || is_told {
                true => (0..rows.len()).collect(),
                false => sorted(&rows, section, &keys),
            };
            if !self.view.author.order.is_empty() {
                order.sort_by_cached_key(|at| self.authors_place(section[*at], &named));
            }
            let mut rows: Vec<Option<Vec<Cell>>> = rows.into_iter().map(Some).collect();
            Section { title: None, rows: order.into_iter().filter_map(|at| rows[at].take()).collect() }
        });
        let sections = sections.collect();
        let best_of = self.best_of();
        let mut table = Table { columns: heads, sections, notes, best_of, ..Table::default() };
        table.order_columns(&self.view.author);
        table.rename_headings(&self.view.author);
        Layout { table, constants }
    }

    /// What a group of rows shares, in the order of `by`, leaving out the aspects in `elsewhere`, which are shown already.
    ///
    /// A group that states nothing gets a title as well: without one it would seem to belong to the group before.
    pub(super) fn title(&self, row: &JoinedRow, by: &[Aspect], elsewhere: &BTreeSet<Aspect>) -> Vec<String> {
        let mut unsaid = by.iter().filter(|aspect| !elsewhere.contains(aspect));
        let parts = unsaid.clone().filter_map(|aspect| {
            let mut marks = Vec::new();
            let cell = self.cell(row, *aspect, &mut marks);
            match cell.text.as_str() {
                "" if self.view.group_by.is_empty() => None,
                "" => Some(unstated(row, *aspect)),
                _ if self.view.group_by.is_empty() && silent(*aspect, &cell.text) => None,
                text => Some(aspect.in_words(text) + &marks.iter().map(|note| note.mark.as_str()).collect::<String>()),
            }
        });
        let parts: Vec<String> = parts.collect();
        match (parts.is_empty(), unsaid.next()) {
            (true, Some(aspect)) => vec![unstated(row, *aspect)],
            _ => parts,
        }
    }

    /// The aspects that may become columns, in display order.
    fn candidates(&self, rows: &[&JoinedRow]) -> Vec<Aspect> {
        let metrics = metrics_of(rows);
        let mut fields = Field::columns();
        // What the power meter covered is irrelevant to speed.
        if !metrics.iter().any(|metric| metric.is_of_energy()) {
            fields.retain(|field| *field != Field::Metered);
        }
        let telling = distinguishing_fields(rows, &fields);
        let mut candidates: Vec<Aspect> = fields.into_iter().chain(telling).map(Aspect::Field).collect();
        candidates.extend(metrics.into_iter().map(Aspect::Metric));
        candidates.extend([Aspect::Source, Aspect::Id]);
        let more = self.view.columns.iter().flatten().filter(|aspect| !candidates.contains(aspect));
        let more: Vec<Aspect> = more.copied().collect();
        candidates.extend(more);
        candidates
    }

    /// Whether the aspect always has a column, even if its values are all the same.
    fn is_wanted(&self, aspect: Aspect) -> bool {
        match &self.view.columns {
            Some(wanted) => wanted.contains(&aspect),
            None => matches!(aspect, Aspect::Metric(_) | Aspect::Id),
        }
    }

    /// The position of a row in the author's order, by its keys.
    fn authors_place(&self, row: &JoinedRow, named: &[Aspect]) -> usize {
        let values = named.iter().flat_map(|aspect| {
            let value = match aspect {
                Aspect::Field(field) => row.recorded().get(*field).map(ToString::to_string),
                _ => None,
            };
            [self.names.shown(row, *aspect), value]
        });
        let values: Vec<String> = values.flatten().collect();
        self.view.author.place(&values.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn column(&self, aspect: Aspect, counts: &BTreeSet<Option<&str>>) -> Column {
        let heading = match aspect {
            Aspect::Metric(metric) => metric_heading(metric, counts),
            aspect => aspect.heading().to_owned(),
        };
        let rank = match aspect {
            _ if self.view.columns.is_some() => None,
            aspect => rank(aspect),
        };
        Column {
            role: match aspect {
                Aspect::Metric(_) | Aspect::Derived(_) => Role::Value,
                Aspect::Source => Role::Origin,
                Aspect::Id => Role::Trace,
                _ => Role::Key,
            },
            drop_rank: rank,
            whole: aspect == Aspect::Id,
            sorts_by: Some(aspect.key()),
            ..Column::key(&heading, aspect.is_numeric())
        }
    }

    pub(super) fn has_version_columns(&self) -> bool {
        let apart = [Field::FrameworkVersion, Field::Backend, Field::BackendVersion].map(Aspect::Field);
        self.view.columns.iter().flatten().any(|aspect| apart.contains(aspect))
    }

    /// What the rows marked as best are the best of.
    fn best_of(&self) -> String {
        match self.answer.measurements.len() < self.answer.total {
            true => "best of the comparable rows shown".to_owned(),
            false => "best of the comparable rows".to_owned(),
        }
    }
}

/// Whether the field holds a source's own name for a number format, which may equal the name in another column.
fn is_name_of_format(aspect: Aspect) -> bool {
    use Field::{ActivationFormat, KvCacheFormat, Label, Quantization, WeightFormat};
    matches!(aspect, Aspect::Field(Quantization | WeightFormat | ActivationFormat | KvCacheFormat | Label))
}

/// The text for a field that a row does not state; for the dataset of synthetic input it says so.
fn unstated(row: &JoinedRow, aspect: Aspect) -> String {
    let data = row.recorded().text(Field::Data).filter(|_| aspect == Aspect::Field(Field::Dataset));
    match data {
        Some(data) if data == <&str>::from(Data::Synthetic) => format!("{data} data"),
        _ => format!("{} not stated", aspect.heading()),
    }
}

/// Separates the shared fields of a line.
pub(super) const SEPARATOR: &str = " · ";

/// The shared fields in one line: `ResNet-152 · fp16 · 1 device`.
pub(super) fn joined(constants: &[(Aspect, String)]) -> String {
    constants.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(SEPARATOR)
}

/// The order of rows by the columns `keys`: numerically if a column holds only numbers, else in natural text order; unknown
/// values last. Rows whose published values no longer stand come after all others.
fn sorted(rows: &[Vec<Cell>], of: &[&JoinedRow], keys: &[usize]) -> Vec<usize> {
    let numbers = |at: &usize| -> Option<Vec<f64>> {
        let number = |row: &Vec<Cell>| match row[*at].text.as_str() {
            "" => Some(f64::INFINITY),
            text => text.parse().ok(),
        };
        rows.iter().map(number).collect()
    };
    let columns: Vec<(usize, Option<Vec<f64>>)> = keys.iter().map(|at| (*at, numbers(at))).collect();
    let stands: Vec<bool> = of.iter().map(|row| row.recorded().is_in_good_standing()).collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| {
        let mut orders = columns.iter().map(|(at, numbers)| {
            let [x, y] = [a, b].map(|row| rows[row][*at].text.as_str());
            match numbers {
                Some(numbers) => numbers[a].total_cmp(&numbers[b]).then(x.is_empty().cmp(&y.is_empty())),
                // Fast path: neighbouring rows mostly have equal texts.
                None if x == y => Ordering::Equal,
                None => x.is_empty().cmp(&y.is_empty()).then_with(|| natural(x, y)),
            }
        });
        stands[b].cmp(&stands[a]).then_with(|| orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
    });
    order
}

/// The metrics that at least one of the measurements has.
pub(super) fn metrics_of(measurements: &[&JoinedRow]) -> Vec<Metric> {
    let present = |metric: &Metric| measurements.iter().any(|m| m.metric(*metric).is_some());
    Metric::VARIANTS.iter().copied().filter(present).collect()
}

/// The drop rank of a column; `None` if it is never dropped.
pub(super) fn rank(aspect: Aspect) -> Option<u8> {
    match aspect {
        Aspect::Field(field) => field.gives_way(),
        _ => None,
    }
}

/// Whether rows that differ in this aspect must not be treated as alike.
pub(super) fn distinguishes_rows(aspect: Aspect) -> bool {
    match aspect {
        Aspect::Field(Field::Statistic) => true,
        Aspect::Field(field) => matches!(field.tier(), Tier::Identity | Tier::Axis),
        _ => false,
    }
}

/// Whether a value need not be mentioned when all rows share it.
pub(super) fn silent(aspect: Aspect, value: &str) -> bool {
    match aspect {
        Aspect::Field(field) => !field.is_shown_alike(value),
        _ => false,
    }
}

/// The heading of a metric; with its unit, such as `images/s`, if all rows count the same thing.
pub(super) fn metric_heading(metric: Metric, counts: &BTreeSet<Option<&str>>) -> String {
    let counted: Vec<&&str> = counts.iter().flatten().collect();
    let of_one = match counted.as_slice() {
        [one] => metric.heading_of(one),
        _ => None,
    };
    of_one.unwrap_or_else(|| metric.heading().to_owned())
}

impl Numbers<'_> {
    /// Whether a row states fp32 on a device that uses TF32 by default, without saying which of the two ran.
    fn may_be_tf32(&self, row: &JoinedRow) -> bool {
        let recorded = row.recorded();
        let is_full = recorded.precision() == Some(Precision::Fp32) && recorded.get(Field::ReducedPrecision).is_none();
        is_full && recorded.text(Field::Device).is_some_and(|device| self.names.has_tf32(device))
    }

    /// The cell of a row in the column of an aspect, with its marks.
    pub(super) fn cell(&self, row: &JoinedRow, aspect: Aspect, notes: &mut Vec<TableNote>) -> Cell {
        let text = match aspect {
            Aspect::Source => {
                let source = row.recorded().source();
                if self.view.cites {
                    return Cell::from(citation_mark(source.as_str()).as_str());
                }
                self.sources.get(source.as_str()).map_or_else(|| source.to_string(), |number| format!("[{number}]"))
            }
            Aspect::Field(Field::Framework) if !self.has_version_columns() => {
                let in_full = self.names.framework_in_full(row.recorded(), true);
                // An author's own name replaces only the framework's name, not its version.
                let name = self.names.shown(row, aspect).unwrap_or_default();
                self.own_name(row, aspect, &name).map_or(in_full.clone(), |own| in_full.replacen(&name, own, 1))
            }
            Aspect::Metric(metric) => return self.figure(row, metric, notes),
            Aspect::Derived(measure) => {
                note(notes, ("", &format!("{}: {}", measure.key(), measure.definition())));
                let shown = self.names.shown(row, aspect).unwrap_or_default();
                match (self.view.author.digits, shown.parse::<Decimal>()) {
                    (Some(digits), Ok(number)) => number.cut(digits).to_string(),
                    _ => shown,
                }
            }
            aspect => {
                let shown = self.names.shown(row, aspect).unwrap_or_default();
                self.own_name(row, aspect, &shown).map(str::to_owned).unwrap_or(shown)
            }
        };
        let mut cell = Cell::from(text.as_str());
        match aspect {
            Aspect::Field(Field::Device) if row.facts().is_family => {
                cell.notes.push(note(notes, FAMILY));
            }
            Aspect::Field(Field::Precision) if text.parse().is_ok_and(Precision::is_mixed) => {
                cell.notes.push(note(notes, MIXED));
            }
            Aspect::Field(Field::Precision) if self.may_be_tf32(row) => {
                cell.notes.push(note(notes, MAY_BE_TF32));
            }
            _ => {}
        }
        cell
    }

    /// The author's own name for a value of a row.
    fn own_name(&self, row: &JoinedRow, aspect: Aspect, shown: &str) -> Option<&str> {
        if self.view.author.names.is_empty() {
            return None;
        }
        let value = match aspect {
            Aspect::Field(field) => row.recorded().get(field).map(ToString::to_string),
            _ => None,
        };
        self.view.author.own_name(&[Some(shown), value.as_deref()].into_iter().flatten().collect::<Vec<_>>())
    }

    /// The value of a metric, shortened to readable digits, with its marks.
    fn figure(&self, row: &JoinedRow, metric: Metric, notes: &mut Vec<TableNote>) -> Cell {
        let Some((value, derived)) = row.metric(metric) else { return Cell::default() };
        let shown = self.view.author.number(value);
        let mut cell = Cell::from(shown.to_string().as_str());
        if shown.to_string() != value.to_string() {
            let said = match (self.view.author.digits, self.view.cites) {
                (None, false) => CUT,
                (None, true) => CUT_IN_PRINT,
                (Some(_), false) => ROUNDED,
                (Some(_), true) => ROUNDED_IN_PRINT,
            };
            note(notes, said);
        }
        if derived {
            let mark = if metric == Metric::ThroughputPerS { "*" } else { "**" };
            let how = format!("derived: {}", self.formulas.get(&metric).map_or("", String::as_str));
            cell.notes.push(note(notes, (mark, &how)));
        }
        cell.best = row.is_best(metric);
        cell
    }

    /// Marks the values of rows whose published values no longer stand; a row without values is marked in its first filled cell.
    pub(super) fn mark_standings(
        &self,
        rows: &[&JoinedRow],
        columns: &mut [(Aspect, Vec<Cell>)],
        notes: &mut Vec<TableNote>,
    ) {
        for (at, row) in rows.iter().enumerate() {
            let Some(said) = row.recorded().standing_in_words() else { continue };
            let Some(mark) = self.standings.get(&said) else { continue };
            let filled: Vec<usize> = (0..columns.len()).filter(|c| !columns[*c].1[at].text.is_empty()).collect();
            let figures = filled.iter().copied().filter(|c| matches!(columns[*c].0, Aspect::Metric(_)));
            let mut marked: Vec<usize> = figures.collect();
            if marked.is_empty() {
                marked.extend(filled.first());
            }
            for column in marked {
                columns[column].1[at].notes.push(note(notes, (mark, &said)));
            }
        }
    }
}

/// Note on a device family: the source does not name the member.
pub(super) const FAMILY: (&str, &str) = ("†", "a device family: the source does not say which member");

/// Note on mixed precision.
pub(super) const MIXED: (&str, &str) = ("‡", "mixed precision: computes in the shorter format");

/// Note on fp32 that may be TF32.
pub(super) const MAY_BE_TF32: (&str, &str) =
    ("¶", "fp32 of a device with TF32 units: the source does not say which of the two ran");

/// Note on truncated values.
pub(super) const CUT: (&str, &str) = ("", "figures of more than 7 digits are cut (-f csv has all)");

/// The same note in print, where readers cannot request all digits.
pub(super) const CUT_IN_PRINT: (&str, &str) = ("", "figures of more than 7 digits are cut");

/// Note on rounded values.
pub(super) const ROUNDED: (&str, &str) = ("", "figures are rounded (-f csv has all digits)");

/// The same note in print, where readers cannot request all digits.
pub(super) const ROUNDED_IN_PRINT: (&str, &str) = ("", "figures are rounded");

/// Index of a note in `notes`, to which it is added if missing.
pub(super) fn note(notes: &mut Vec<TableNote>, (mark, text): (&str, &str)) -> usize {
    if let Some(at) = notes.iter().position(|note| note.mark == mark && note.text == text) {
        return at;
    }
    notes.push(TableNote { mark: mark.to_owned(), text: text.to_owned() });
    notes.len() - 1
}

/// Adds notes to `notes` and returns their indices there.
pub(super) fn take(notes: &mut Vec<TableNote>, more: Vec<TableNote>) -> Vec<usize> {
    more.into_iter().map(|new| note(notes, (&new.mark, &new.text))).collect()
}

/// Replaces omitted parts of a label.
const LEFT_OUT: &str = "…";

/// The labels without the leading and trailing parts that all of them share; unchanged if they share none, or if all are the same.
pub(super) fn without_shared_parts(labels: &[&str]) -> Vec<String> {
    let all: Vec<Vec<&str>> = labels.iter().map(|label| parts(label)).collect();
    let stated: Vec<&Vec<&str>> = all.iter().filter(|parts| !parts.is_empty()).collect();
    let least = stated.iter().map(|parts| parts.len()).min().unwrap_or_default();
    let differ = stated.windows(2).any(|pair| pair[0] != pair[1]);
    if !differ {
        return labels.iter().map(|label| (*label).to_owned()).collect();
    }
    let is_shared = |of: &dyn Fn(&[&'_ str]) -> Option<String>| {
        let mut own = stated.iter().map(|parts| of(parts));
        let first = own.next().flatten();
        first.is_some() && own.all(|other| other == first)
    };
    let before = (0..least).take_while(|at| is_shared(&|parts| parts.get(*at).map(|part| (*part).to_owned()))).count();
    let from_end = |parts: &[&str], at: usize| {
        parts
            .len()
            .checked_sub(at + 1)
            .and_then(|place| parts.get(place))
            .map(|part| part.trim_end_matches("; ").to_owned())
    };
    let behind = (0..least - before).take_while(|at| is_shared(&|parts| from_end(parts, *at))).count();
    let told = |parts: &Vec<&str>| {
        let own = parts.get(before..parts.len().saturating_sub(behind)).unwrap_or_default().concat();
        let own = own.trim_end_matches("; ");
        match (parts.is_empty(), before > 0, behind > 0) {
            (true, ..) => String::new(),
            (_, true, true) => format!("{LEFT_OUT}{own}{LEFT_OUT}"),
            (_, true, false) => format!("{LEFT_OUT}{own}"),
            (_, false, true) => format!("{own}{LEFT_OUT}"),
            (_, false, false) => own.to_owned(),
        }
    };
    all.iter().map(told).collect()
}

/// The parts of a label, each with its trailing separator.
fn parts(label: &str) -> Vec<&str> {
    label.split_inclusive("; ").filter(|part| !part.is_empty()).collect()
}

/// Fields that are part of the framework column: `Keras 2.0.6 on Theano 0.9.0`.
const IN_FULL: &[Field] = &[Field::FrameworkVersion, Field::Backend, Field::BackendVersion];

/// Whether a field without a column may distinguish rows that are otherwise alike.
fn may_distinguish(field: &Field) -> bool {
    matches!(field.compared_tier(), Some(Tier::Identity | Tier::Axis)) || *field == Field::Host
}

/// Fields needed to distinguish rows that are alike in all of these columns: what was timed, how devices share the work, the host.
pub(super) fn distinguishing_fields(rows: &[&JoinedRow], columns: &[Field]) -> Vec<Field> {
    let mut alike: Vec<Vec<&JoinedRow>> = vec![rows.to_vec()];
    // A chance difference in a disclosure field, such as the sample count, does not distinguish rows.
    let is_about = |field: &&Field| !matches!(field.tier(), Tier::Disclosure);
    for field in columns.iter().chain(IN_FULL).filter(is_about) {
        alike = divided(alike, *field);
    }
    let is_other = |field: &&Field| may_distinguish(field) && !columns.contains(field) && !IN_FULL.contains(field);
    // The host says less than what ran, so it is tried last.
    let (hosts, others): (Vec<&Field>, Vec<&Field>) =
        Field::VARIANTS.iter().filter(is_other).partition(|field| **field == Field::Host);
    let mut telling = Vec::new();
    for field in others.into_iter().chain(hosts) {
        let before = alike.len();
        alike = divided(alike, *field);
        if alike.len() > before {
            telling.push(*field);
        }
    }
    telling
}

/// Splits each group of rows by the values of a field.
fn divided(groups: Vec<Vec<&JoinedRow>>, field: Field) -> Vec<Vec<&JoinedRow>> {
    let mut divided = Vec::with_capacity(groups.len());
    for group in groups {
        let mut parts: Vec<(Option<String>, Vec<&JoinedRow>)> = Vec::new();
        for row in group {
            let value = row.recorded().get(field).map(ToString::to_string);
            match parts.iter_mut().find(|(of, _)| *of == value) {
                Some((_, own)) => own.push(row),
                None => parts.push((value, vec![row])),
            }
        }
        divided.extend(parts.into_iter().map(|(_, own)| own));
    }
    divided
}

/// How an answer is shown: its columns, groups and rows.
#[derive(Debug, Clone, Default)]
pub struct AnswerView {
    /// The requested page.
    pub page: Page,
    /// The requested columns; `None` shows the fields that vary.
    pub columns: Option<Vec<Aspect>>,
    /// The fields to group rows by; if empty, the grouping is chosen automatically.
    pub group_by: Vec<Aspect>,
    /// Whether the facts of entities are shown as full tables instead of one line per entity.
    pub facts: bool,
    /// Whether all remarks are shown instead of the most important ones.
    pub notes: bool,
    /// Whether to leave out hints on command-line options that show more rows: a web page has links instead.
    pub without_options: bool,
    /// The digits, the order and the names that the author wants.
    pub author: AuthorStyle,
    /// A caption that replaces the default one.
    pub caption: Option<String>,
    /// Whether sources are cited by key, as in LaTeX, instead of by number.
    pub cites: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Measurement, Value};

    #[test]
    fn what_all_labels_share_is_left_out() {
        let labels = ["closed; Dell; R760xa; resnet50; resnet", "closed; HPE; DL380a; resnet50; resnet"];
        assert_eq!(without_shared_parts(&labels), ["…Dell; R760xa…", "…HPE; DL380a…"]);
        let labels = ["closed; Dell; offline", "closed; Dell; server", ""];
        assert_eq!(without_shared_parts(&labels), ["…offline", "…server", ""]);
    }

    #[test]
    fn labels_that_share_nothing_or_are_alike_stay_as_they_are() {
        assert_eq!(without_shared_parts(&["run 1", "run 2"]), ["run 1", "run 2"]);
        assert_eq!(without_shared_parts(&["closed; Dell", "closed; Dell", ""]), ["closed; Dell", "closed; Dell", ""]);
        assert_eq!(without_shared_parts(&["closed; Dell", "closed; Dell; MaxQ"]), ["…Dell", "…Dell; MaxQ"]);
    }

    #[test]
    fn only_rows_that_look_alike_are_told_apart_by_more() {
        let row = |stated: &[(Field, &str)]| -> JoinedRow {
            let fields = stated.iter().map(|(field, value)| (*field, Value::Text((*value).into())));
            Measurement::new("a".parse().unwrap(), fields.collect(), Vec::new()).into()
        };
        let short = row(&[(Field::Device, "x"), (Field::Timed, "512 tokens"), (Field::Host, "h")]);
        let long = row(&[(Field::Device, "x"), (Field::Timed, "2048 tokens"), (Field::Host, "i")]);
        let other = row(&[(Field::Device, "y"), (Field::Timed, "2048 tokens")]);
        let columns = [Field::Device];
        assert_eq!(distinguishing_fields(&[&short, &long], &columns), [Field::Timed], "what is first told is enough");
        assert!(distinguishing_fields(&[&short, &other], &columns).is_empty(), "the device tells them apart");
        assert!(distinguishing_fields(&[&short, &short], &columns).is_empty());
    }
}
