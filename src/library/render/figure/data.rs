//! The data of a figure as a table: every drawn measurement with its digits, its id and its source.

use super::super::table::{Cell, Column, Section, Table};
use super::ticks::{decimals_of, trimmed};
use crate::ask::plot::{Figure, FigureKind};

/// Comma-separated values.
pub fn csv(figure: &Figure) -> Result<String, crate::render::RenderError> {
    table(figure).csv()
}

/// A row for each point of a measurement; for a heat map one for each pair.
pub(super) fn table(figure: &Figure) -> Table {
    let heat = figure.kind == FigureKind::Heatmap;
    let mut columns = vec![Column::key("panel", false)];
    if !heat {
        columns.push(Column::key("group", false));
        columns.push(Column::key("label", false));
    }
    columns.push(Column::key(&figure.x.key, false));
    columns.push(Column::key(&figure.y.key, false));
    columns.extend(match heat {
        true => vec![Column::key("measurements", true)],
        false => ["low", "high", "derived", "id", "source"].map(|name| Column::key(name, false)).to_vec(),
    });
    let mut rows = Vec::new();
    for (panel, series, point) in figure.points().filter(|(_, _, point)| point.count > 0) {
        let group = series.group.and_then(|group| figure.groups.get(group)).map_or("", |group| group.name.as_str());
        let mut row = vec![panel.title.clone()];
        if !heat {
            row.extend([group.to_owned(), point.label.clone()]);
        }
        row.extend(point.texts.clone());
        if heat {
            row.push(point.count.to_string());
        } else {
            let end = |end: Option<f64>| end.map_or_else(String::new, short);
            row.extend([end(point.spread.map(|(low, _)| low)), end(point.spread.map(|(_, high)| high))]);
            row.push(if point.derived { "yes" } else { "no" }.to_owned());
            row.extend([point.id.clone(), point.source.clone()]);
        }
        rows.push(row.iter().map(|text| Cell::from(text.as_str())).collect());
    }
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}

/// Where the figure is from, for who opens the file without its text.
pub(super) fn origin(figure: &Figure) -> [String; 4] {
    [
        format!("dlbench plot: {}", figure.origin.query),
        format!("the same in filters: {}", figure.origin.equivalent),
        format!("content of the knowledge base: {}", figure.origin.content),
        format!("sources: {}", figure.sources.join(", ")),
    ]
}

/// A computed number with no more digits than it can have: it comes from a sum of two of the source's.
pub(super) fn short(number: f64) -> String {
    trimmed(number, decimals_of(number).max(6))
}
