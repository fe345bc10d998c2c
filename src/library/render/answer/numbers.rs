//! The rows of an answer: a table for each group of comparable rows, and the facet counts.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::super::table::{Table, remarks_in_one};
use super::super::{heading, paragraph};
use super::layout::{Numbers, SEPARATOR, joined};
use crate::ask::answer::{Answer, FacetCounts, Words};
use crate::model::{Aspect, Field};
use crate::rows::{EntityCache, JoinedRow};
use crate::values::text::counted;
use crate::values::{Grid, GridColumn};

impl Numbers<'_> {
    /// For a terminal of `width` columns.
    pub(super) fn text(&self, width: usize) -> String {
        let rows: Vec<&JoinedRow> = self.answer.measurements.iter().collect();
        let (by, groups) = groups(&rows, &self.names, self.groups_wanted());
        let whole = self.layout(&[rows], &by_request(&self.view.group_by));
        let mut text = paragraph("", &with_constants(self.count(), &joined(&whole.constants)), width);
        let shared: BTreeSet<Aspect> = whole.constants.iter().map(|(aspect, _)| *aspect).collect();
        let said: BTreeSet<Aspect> = shared.iter().chain(&by).copied().collect();
        let mut legend = Table { sections: whole.table.sections, notes: whole.table.notes, ..Table::default() };
        legend.best_of = whole.table.best_of;
        let mut hidden: Vec<String> = Vec::new();
        let groups: Vec<_> = groups.into_iter().filter(|group| !group.is_empty()).collect();
        for group in &groups {
            let layout = self.layout(std::slice::from_ref(group), &said);
            let mut title = self.title(group[0], &by, &shared);
            // With a single table, the line above it already states what all rows share.
            if !by.is_empty() {
                text.push('\n');
                title.extend(layout.constants.iter().map(|(_, text)| text.clone()));
                text.push_str(&paragraph("", &title.join(SEPARATOR), width));
            }
            let (drawn, no_room) = layout.table.text_alone(width);
            text.push_str(&drawn);
            for heading in no_room {
                if !hidden.contains(&heading) {
                    hidden.push(heading);
                }
            }
        }
        text + &remarks_in_one(&legend, &hidden, width)
    }

    /// All rows as one table with a section per group; its caption states what all rows share.
    pub(super) fn table(&self) -> Table {
        let rows: Vec<&JoinedRow> = self.answer.measurements.iter().collect();
        let (by, groups) = groups(&rows, &self.names, self.groups_wanted());
        let whole = self.layout(&[rows], &by_request(&self.view.group_by));
        let shared: BTreeSet<Aspect> = whole.constants.iter().map(|(aspect, _)| *aspect).collect();
        let divided: BTreeSet<Aspect> = by.iter().copied().collect();
        let mut table = self.layout(&groups, &divided).table;
        if !by.is_empty() {
            for (section, group) in table.sections.iter_mut().zip(&groups) {
                let title = group.first().map(|row| self.title(row, &by, &shared).join(SEPARATOR));
                section.title = title.filter(|title| !title.is_empty());
            }
        }
        table.notes = whole.table.notes;
        table.caption = match &self.view.caption {
            Some(caption) => caption.clone(),
            None => {
                let said = if self.view.cites { self.subjects() } else { self.answer.query.clone() };
                with_constants(said, &joined(&whole.constants))
            }
        };
        table
    }

    /// The question's filters in words, since a reader of a paper knows neither filter syntax nor ids.
    fn subjects(&self) -> String {
        let words = Words { names: &self.names, typed: &self.answer.read_as };
        let filters = [&self.answer.asked.subject].into_iter().chain(&self.answer.asked.sides);
        let parts: Vec<String> =
            filters.filter(|filter| !filter.terms.is_empty()).map(|filter| words.filter(filter)).collect();
        if parts.is_empty() { "Measurements".to_owned() } else { format!("Measurements of {}", parts.join(SEPARATOR)) }
    }

    /// The number of measurements, and what the shown ones share.
    pub(super) fn summary(&self) -> String {
        let rows = self.answer.measurements.iter().collect();
        let whole = self.layout(&[rows], &by_request(&self.view.group_by));
        with_constants(self.count(), &joined(&whole.constants))
    }

    /// The number of measurements and the shown range: `646 measurements, 1 to 20 shown`.
    fn count(&self) -> String {
        let (answer, page) = (self.answer, &self.view.page);
        let mut count = counted(answer.total, "measurement", "measurements");
        let shown = answer.measurements.len();
        if (answer.behind_conclusion || answer.is_relaxed) && answer.total == 0 {
            return format!("No measurement meets the whole question; {shown} shown that the first line is about");
        }
        if answer.behind_conclusion {
            return format!("{count}, {shown} behind the conclusion shown{}", self.options("--limit, --all"));
        }
        if shown == 0 {
            let options = self.options(&format!("--limit {}, --offset {}", page.limit, page.offset));
            count.push_str(&format!(", none shown{options}"));
        } else if shown < answer.total {
            let last = page.offset + shown;
            let options = self.options("--limit, --offset, --all");
            count.push_str(&format!(", {} to {last} shown{options}", page.offset + 1));
        }
        count
    }

    /// In parentheses, the options that show other rows.
    fn options(&self, options: &str) -> String {
        if self.view.without_options { String::new() } else { format!(" ({options})") }
    }

    /// The aspects to group rows by; `None` keeps sorted rows in a single group.
    fn groups_wanted(&self) -> Option<&[Aspect]> {
        match self.view.group_by.as_slice() {
            [] if self.answer.asked.sort.is_some() => None,
            wanted => Some(wanted),
        }
    }
}

fn by_request(group_by: &[Aspect]) -> BTreeSet<Aspect> {
    group_by.iter().copied().collect()
}

fn with_constants(text: String, constants: &str) -> String {
    if constants.is_empty() { text } else { format!("{text}: {constants}") }
}

/// Fields that rows of a group may share, the narrowest grouping first: such rows can be compared with each other.
///
/// Each comes with the average number of rows that a group needs to be worth a heading.
const CANDIDATES: &[(&[Field], usize)] = &[
    (&[Field::Network, Field::Dataset, Field::Stage, Field::Scenario, Field::Counts], 3),
    (&[Field::Network, Field::Dataset, Field::Stage], 3),
    (&[Field::Network, Field::Dataset], 2),
    (&[Field::Network], 2),
];

/// Groups of rows in the order of their first rows, and the aspects that the rows of a group share.
///
/// `by`: `None` does not group, an empty list chooses a grouping, other lists are used as given.
pub(super) fn groups<'a>(
    rows: &[&'a JoinedRow],
    names: &EntityCache<'_>,
    by: Option<&[Aspect]>,
) -> (Vec<Aspect>, Vec<Vec<&'a JoinedRow>>) {
    match by {
        None => return (Vec::new(), vec![rows.to_vec()]),
        Some([]) => {}
        Some(by) => return (by.to_vec(), divided(rows, names, by)),
    }
    for (candidate, rows_of_a_group) in CANDIDATES {
        let by: Vec<Aspect> = candidate.iter().copied().map(Aspect::Field).collect();
        let groups = divided(rows, names, &by);
        if groups.len() > 1 && groups.len() * rows_of_a_group <= rows.len() {
            return (by, groups);
        }
    }
    (Vec::new(), vec![rows.to_vec()])
}

fn divided<'a>(rows: &[&'a JoinedRow], names: &EntityCache<'_>, by: &[Aspect]) -> Vec<Vec<&'a JoinedRow>> {
    let mut groups: IndexMap<Vec<Option<String>>, Vec<&'a JoinedRow>> = IndexMap::new();
    for row in rows {
        groups.entry(by.iter().map(|aspect| names.shown(row, *aspect)).collect()).or_default().push(row);
    }
    groups.into_values().collect()
}

/// Maximum number of values shown per field; the rest is counted.
const MOST_VALUES: usize = 8;

/// The facet counts for a terminal.
pub(super) fn text(answer: &Answer, width: usize) -> String {
    let Some(facets) = &answer.facets else { return String::new() };
    let all = counted(answer.total, "measurement", "measurements");
    let mut text = format!("\n{}", heading(&format!("Values in all {all}")));
    let label = |facet: &FacetCounts| facet.field.replace('_', "-");
    let longest = facets.iter().map(|facet| label(facet).len()).max().unwrap_or(0);
    for facet in facets {
        text.push_str(&paragraph(&format!("  {:longest$}  ", label(facet)), &values(facet), width));
    }
    text
}

/// The facet counts as a table: field, value, count.
pub(super) fn table(facets: &[FacetCounts]) -> Table {
    let mut grid = Grid::of_texts(&["field", "value"]);
    grid.columns.push(GridColumn::number("measurements"));
    for facet in facets {
        let field = facet.field.replace('_', "-");
        for value in &facet.values {
            let shown = value.value.as_ref().map_or_else(|| "(any)".to_owned(), ToString::to_string);
            grid.push(vec![field.clone(), shown, value.count.to_string()]);
        }
        if facet.not_stated > 0 {
            grid.push(vec![field.clone(), "(not stated)".to_owned(), facet.not_stated.to_string()]);
        }
    }
    Table::from(&grid)
}

/// The values of a field with their counts: `mxnet (9) · pytorch (2) · not stated (3)`.
fn values(facet: &FacetCounts) -> String {
    let shown = facet.values.iter().take(MOST_VALUES);
    let mut parts: Vec<String> = shown
        .map(|value| match &value.value {
            Some(name) => format!("{name} ({})", value.count),
            None => format!("stated ({})", value.count),
        })
        .collect();
    if facet.values.len() > MOST_VALUES {
        parts.push(format!("{} more values", facet.values.len() - MOST_VALUES));
    }
    if facet.not_stated > 0 {
        parts.push(format!("not stated ({})", facet.not_stated));
    }
    parts.join(" · ")
}
