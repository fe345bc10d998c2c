//! What stands in the cells of rows: names, figures cut to what is read, and the marks of what must be said of them.

use super::super::table::{Cell, TableNote};
use super::layout::Numbers;
use super::marks::{CUT, CUT_IN_PRINT, FAMILY, MAY_BE_TF32, MIXED, ROUNDED, ROUNDED_IN_PRINT, note};
use crate::model::{Aspect, Field, Metric};
use crate::rows::JoinedRow;
use crate::values::{Decimal, Precision, citation_mark};

impl Numbers<'_> {
    /// Whether a row says fp32 of a device that computes in TF32 unless it is told not to, and nothing of which of them it was.
    fn may_be_tf32(&self, row: &JoinedRow) -> bool {
        let recorded = row.recorded();
        let is_full = recorded.precision() == Some(Precision::Fp32) && recorded.get(Field::ReducedPrecision).is_none();
        is_full && recorded.text(Field::Device).is_some_and(|device| self.names.has_tf32(device))
    }

    /// What stands in the column of an aspect, with its marks.
    pub(super) fn cell(&self, row: &JoinedRow, aspect: Aspect, notes: &mut Vec<TableNote>) -> Cell {
        let text = match aspect {
            Aspect::Source => {
                let source = row.recorded().source();
                if self.view.cites {
                    return Cell::from(citation_mark(source.as_str()).as_str());
                }
                self.sources.get(source.as_str()).map_or_else(|| source.to_string(), |number| format!("[{number}]"))
            }
            Aspect::Field(Field::Framework) if !self.versions_stand_apart() => {
                let in_full = self.names.framework_in_full(row.recorded(), true);
                // The version stays beside the author's own name.
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

    /// The author's own name of what a row states.
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

    /// The figure of a metric, cut to what is read, with its marks.
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

    /// Marks the figures of rows that do not stand as they were published; a row without figures is marked where it begins.
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
