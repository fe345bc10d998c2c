//! Some measurements as a table: columns for what varies, and aside what all of them share.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::table::{Cell, Column, Role, Section, Table, TableNote};
use super::columns::{metric_heading, metrics_of, rank, silent, tells_apart};
use super::labels::without_shared_parts;
use super::marks::{note, take};
use super::telling::telling_apart;
use super::view::AnswerView;
use crate::ask::answer::Answer;
use crate::model::{Aspect, Field, Metric};
use crate::rows::{EntityCache, JoinedRow, formulas, natural};
use crate::values::Data;
use crate::values::text::and_list;

/// An answer, ready to be laid out.
pub(super) struct Numbers<'a> {
    pub answer: &'a Answer,
    pub names: EntityCache<'a>,
    pub view: &'a AnswerView,
    /// The number of each source.
    pub(super) sources: HashMap<&'a str, usize>,
    /// The formulas of each metric that is derived in any row: once for all of its cells.
    pub(super) formulas: BTreeMap<Metric, String>,
    /// What became of rows that do not stand as they were published, and the mark of each.
    pub(super) standings: BTreeMap<String, String>,
}

/// Some numbers as a table, and what all of its rows share.
pub(super) struct Layout {
    /// The table.
    pub table: Table,
    /// What all rows share, ready to be read.
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

    /// Lays out rows in sections that share their columns; the aspects in `elsewhere` are already said.
    pub(super) fn layout(&self, sections: &[Vec<&JoinedRow>], elsewhere: &BTreeSet<Aspect>) -> Layout {
        let rows: Vec<&JoinedRow> = sections.iter().flatten().copied().collect();
        let mut notes: Vec<TableNote> = Vec::new();
        let mut constants = Vec::new();
        let mut columns: Vec<(Aspect, Vec<Cell>)> = Vec::new();
        let mut unseen: Vec<&str> = Vec::new();
        for aspect in self.candidates(&rows).into_iter().filter(|aspect| !elsewhere.contains(aspect)) {
            let mut marks = Vec::new();
            let mut cells: Vec<Cell> = rows.iter().map(|row| self.cell(row, aspect, &mut marks)).collect();
            // Who asks for the labels wants all of them.
            let is_long = matches!(aspect, Aspect::Field(Field::Label | Field::Timed));
            if is_long && !self.is_wanted(aspect) {
                let labels: Vec<&str> = cells.iter().map(|cell| cell.text.as_str()).collect();
                let folded = without_shared_parts(&labels);
                cells = cells.into_iter().zip(folded).map(|(cell, text)| Cell { text, ..cell }).collect();
            }
            let Some(first) = cells.first() else { continue };
            let varies = cells.iter().any(|cell| cell.text != first.text);
            // Weights that are called as their quantisation is say nothing more.
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
            } else if tells_apart(aspect) {
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
        // Circumstances such as the host order rows last.
        let mut keys: Vec<usize> = (0..heads.len()).filter(|at| heads[*at].role == Role::Key).collect();
        keys.sort_by_key(|at| !tells_apart(columns[*at].0));
        let named: Vec<Aspect> = keys.iter().map(|at| columns[*at].0).collect();
        let mut columns: Vec<_> = columns.into_iter().map(|(_, cells)| cells.into_iter()).collect();
        let sections = sections.iter().map(|section| {
            let mut row = |_: &&JoinedRow| columns.iter_mut().map(|cells| cells.next().unwrap_or_default()).collect();
            let rows: Vec<Vec<Cell>> = section.iter().map(&mut row).collect();
            let mut order: Vec<usize> = match self.answer.asked.sort.is_some() || self.answer.is_best_first() {
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

    /// What a group of rows has in common, in the order of `by`; the aspects in `elsewhere` are already said.
    ///
    /// A group that states nothing says so: without a heading of its own it would seem to belong to the one before.
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

    /// Aspects that may be columns, in their order.
    fn candidates(&self, rows: &[&JoinedRow]) -> Vec<Aspect> {
        let metrics = metrics_of(rows);
        let mut fields = Field::columns();
        // What was metered says nothing of a speed.
        if !metrics.iter().any(|metric| metric.is_of_energy()) {
            fields.retain(|field| *field != Field::Metered);
        }
        let telling = telling_apart(rows, &fields);
        let mut candidates: Vec<Aspect> = fields.into_iter().chain(telling).map(Aspect::Field).collect();
        candidates.extend(metrics.into_iter().map(Aspect::Metric));
        candidates.extend([Aspect::Source, Aspect::Id]);
        let more = self.view.columns.iter().flatten().filter(|aspect| !candidates.contains(aspect));
        let more: Vec<Aspect> = more.copied().collect();
        candidates.extend(more);
        candidates
    }

    /// Whether it stands in a column, whatever its values are.
    fn is_wanted(&self, aspect: Aspect) -> bool {
        match &self.view.columns {
            Some(wanted) => wanted.contains(&aspect),
            None => matches!(aspect, Aspect::Metric(_) | Aspect::Id),
        }
    }

    /// The place of a row in the author's order, by what it is about.
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
            gives_way: rank,
            whole: aspect == Aspect::Id,
            sorts_by: Some(aspect.key()),
            ..Column::key(&heading, aspect.is_numeric())
        }
    }

    pub(super) fn versions_stand_apart(&self) -> bool {
        let apart = [Field::FrameworkVersion, Field::Backend, Field::BackendVersion].map(Aspect::Field);
        self.view.columns.iter().flatten().any(|aspect| apart.contains(aspect))
    }

    /// Among which rows the best ones are marked.
    fn best_of(&self) -> String {
        match self.answer.measurements.len() < self.answer.total {
            true => "best of the comparable rows shown".to_owned(),
            false => "best of the comparable rows".to_owned(),
        }
    }
}

/// Whether it is what somebody calls the format of numbers, which others may call the same.
fn is_name_of_format(aspect: Aspect) -> bool {
    use Field::{ActivationFormat, KvCacheFormat, Label, Quantization, WeightFormat};
    matches!(aspect, Aspect::Field(Quantization | WeightFormat | ActivationFormat | KvCacheFormat | Label))
}

/// What is said of a field that a row does not state: made-up input is of no data set.
fn unstated(row: &JoinedRow, aspect: Aspect) -> String {
    let data = row.recorded().text(Field::Data).filter(|_| aspect == Aspect::Field(Field::Dataset));
    match data {
        Some(data) if data == <&str>::from(Data::Synthetic) => format!("{data} data"),
        _ => format!("{} not stated", aspect.heading()),
    }
}

/// Between the parts of a line that says what rows share.
pub(super) const SEPARATOR: &str = " · ";

/// `ResNet-152 · fp16 · 1 device`.
pub(super) fn joined(constants: &[(Aspect, String)]) -> String {
    constants.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(SEPARATOR)
}

/// The order of rows by what stands in the columns `keys`: numbers by size where a column has nothing else, texts in natural order, what
/// is unknown last. Those that do not stand as they were published come behind all others.
fn sorted(rows: &[Vec<Cell>], of: &[&JoinedRow], keys: &[usize]) -> Vec<usize> {
    let numbers = |at: &usize| -> Option<Vec<f64>> {
        let number = |row: &Vec<Cell>| match row[*at].text.as_str() {
            "" => Some(f64::INFINITY),
            text => text.parse().ok(),
        };
        rows.iter().map(number).collect()
    };
    let columns: Vec<(usize, Option<Vec<f64>>)> = keys.iter().map(|at| (*at, numbers(at))).collect();
    let stands: Vec<bool> = of.iter().map(|row| row.recorded().stands()).collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| {
        let mut orders = columns.iter().map(|(at, numbers)| {
            let [x, y] = [a, b].map(|row| rows[row][*at].text.as_str());
            match numbers {
                Some(numbers) => numbers[a].total_cmp(&numbers[b]).then(x.is_empty().cmp(&y.is_empty())),
                // Neighbours are most often alike.
                None if x == y => Ordering::Equal,
                None => x.is_empty().cmp(&y.is_empty()).then_with(|| natural(x, y)),
            }
        });
        stands[b].cmp(&stands[a]).then_with(|| orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
    });
    order
}
