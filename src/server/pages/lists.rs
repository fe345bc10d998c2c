//! Lists of entities: one page of rows at a time, sortable by any column.

use std::collections::BTreeSet;

use maud::{Markup, html};
use serde::Deserialize;

use super::grid::{HeadLink, Links, drawn};
use super::layout;
use super::links::{card, encoded};
use crate::refusal::Refusal;
use crate::requests::entities_of;
use dlbench::KnowledgeBase;
use dlbench::ask::tables::ListKind;
use dlbench::render::table::{Cell, Column, Table};
use dlbench::values::{EntityKind, Grid};

/// Rows per page.
pub(crate) const ROWS: usize = 500;

/// The rows of a list to show.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListPageRequest {
    /// Number of rows to skip.
    #[serde(default)]
    pub offset: usize,
    /// Heading of the column to sort by, with a leading `-` in descending order; by default, rows are ordered by id.
    #[serde(default)]
    pub sort: Option<String>,
}

impl ListPageRequest {
    /// The address of these rows for a kind.
    pub fn address(&self, kind: EntityKind) -> String {
        let sort = self.sort.as_ref().map(|sort| format!("sort={}", encoded(sort)));
        let offset = (self.offset > 0).then(|| format!("offset={}", self.offset));
        let arguments: Vec<String> = sort.into_iter().chain(offset).collect();
        let mark = if arguments.is_empty() { "" } else { "?" };
        format!("/entities/{}{mark}{}", kind.plural(), arguments.join("&"))
    }

    /// The page of a list.
    ///
    /// # Errors
    ///
    /// When the kind or column does not exist, or a store fails.
    pub fn page(&self, kind: &str, kb: &KnowledgeBase) -> Result<String, Refusal> {
        let kind = entities_of(kind)?;
        let mut grid = kb.list(ListKind::Entities(kind))?;
        let total = grid.rows.len();
        let sorted = self.sort.as_deref().map(|sort| order(&mut grid, sort)).transpose()?;
        grid.rows = grid.rows.split_off(self.offset.min(total));
        grid.rows.truncate(ROWS);
        let title = title(kind);
        let body = html! {
            h1 { (title) }
            p.quiet { (total) " in all" }
            (self.table(kind, &grid, sorted, kb)?)
            (self.pages(kind, total))
            p.ways { a href={ "/data/" (data(kind)) ".csv" } { "CSV" } }
        };
        Ok(layout::page(title, "", &body))
    }

    fn table(
        &self,
        kind: EntityKind,
        grid: &Grid,
        sorted: Option<(usize, bool)>,
        kb: &KnowledgeBase,
    ) -> Result<Markup, Refusal> {
        let ids: BTreeSet<String> = kb.ids(kind)?.into_iter().collect();
        let table = Table::from(grid);
        let head = |column: &Column| {
            let heading = column.own_title();
            let at = grid.columns.iter().position(|column| column.heading == heading)?;
            let sorted = sorted.filter(|(by, _)| *by == at).map(|(_, descending)| descending);
            let sort = format!("{}{heading}", if sorted == Some(false) { "-" } else { "" });
            Some(HeadLink { address: Self { offset: 0, sort: Some(sort) }.address(kind), sorted })
        };
        let cell = |column: &Column, cell: &Cell| {
            (column.heading == "id" && ids.contains(&cell.text)).then(|| card(kind, &cell.text))
        };
        Ok(drawn(&table, &Links { head: &head, cell: &cell }))
    }

    fn pages(&self, kind: EntityKind, total: usize) -> Markup {
        let at = |offset: usize| Self { offset, sort: self.sort.clone() }.address(kind);
        let next = self.offset.saturating_add(ROWS);
        html! {
            @if total > ROWS {
                p.pages {
                    @if self.offset > 0 { a href=(at(self.offset.saturating_sub(ROWS))) rel="prev" { "Rows before" } }
                    @if next < total { a href=(at(next)) rel="next" { "Rows behind" } }
                }
            }
        }
    }
}

/// A list as a CSV file.
///
/// # Errors
///
/// When there is no such list, or a store fails.
pub(crate) fn csv(file: &str, kb: &KnowledgeBase) -> Result<String, Refusal> {
    let kind = file.strip_suffix(".csv").unwrap_or(file).replace('_', "-");
    let list = kb.list(ListKind::Entities(entities_of(&kind)?))?;
    Table::from(&list).csv().map_err(|error| Refusal::failed(&error))
}

/// The file name of a kind, as in the export.
pub(crate) fn data(kind: EntityKind) -> String {
    kind.plural().replace('-', "_")
}

pub(crate) fn title(kind: EntityKind) -> &'static str {
    match kind {
        EntityKind::Framework => "Frameworks",
        EntityKind::Device => "Devices",
        EntityKind::HardwareClass => "Hardware classes",
        EntityKind::Network => "Networks",
        EntityKind::Dataset => "Data sets",
        EntityKind::Source => "Sources",
    }
}

/// Sorts rows by a column: numbers numerically, and unknown values last in either direction.
fn order(grid: &mut Grid, sort: &str) -> Result<(usize, bool), Refusal> {
    let (heading, descending) = sort.strip_prefix('-').map_or((sort, false), |heading| (heading, true));
    let at = grid.columns.iter().position(|column| column.heading == heading).ok_or_else(|| {
        Refusal::not_found(heading, grid.columns.iter().map(|column| column.heading.clone()).collect())
    })?;
    let numeric = grid.columns[at].numeric;
    grid.rows.sort_by(|a, b| {
        let (a, b) = (a[at].as_str(), b[at].as_str());
        let known = a.is_empty().cmp(&b.is_empty());
        let compared = match numeric {
            true => number(a).total_cmp(&number(b)),
            false => a.to_lowercase().cmp(&b.to_lowercase()),
        };
        known.then(if descending { compared.reverse() } else { compared })
    });
    Ok((at, descending))
}

/// The leading number of a cell; for a range (`4.1 to 5`), its lower end.
fn number(cell: &str) -> f64 {
    cell.split_whitespace().next().and_then(|text| text.parse().ok()).unwrap_or(f64::NEG_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dlbench::values::GridColumn;

    #[test]
    fn numbers_are_ordered_as_numbers_and_the_unknown_stands_last() {
        let mut grid = Grid::of_texts(&["id"]);
        grid.columns.push(GridColumn { heading: "memory".to_owned(), numeric: true });
        for (id, memory) in [("a", "9"), ("b", ""), ("c", "16"), ("d", "80")] {
            grid.push(vec![id.to_owned(), memory.to_owned()]);
        }
        let ids = |grid: &Grid| grid.rows.iter().map(|row| row[0].clone()).collect::<String>();
        assert_eq!(order(&mut grid, "memory").unwrap(), (1, false));
        assert_eq!(ids(&grid), "acdb");
        assert_eq!(order(&mut grid, "-memory").unwrap(), (1, true));
        assert_eq!(ids(&grid), "dcab");
        assert!(order(&mut grid, "colour").is_err());
    }
}
