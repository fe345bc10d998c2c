//! Renders a table in every format.

use serde_json::{Map, Value};

use super::content::write;
use super::content::{Cell, Column, Table};
use super::html::Html;
use super::latex::{self, Paper};
use super::markdown::Markdown;
use super::text::remarks;
use super::typst::Typst;
use super::{csv, text};
use crate::render::{self, Format, RenderError};

impl Table {
    /// For a terminal of `width` columns, with the legend.
    pub fn text(&self, width: usize) -> String {
        let drawn = text::drawn(self, width);
        drawn.text + &remarks(self, &drawn.hidden, width)
    }

    /// As [`Table::text`] without the legend, with the headings of the columns that did not fit.
    pub fn text_alone(&self, width: usize) -> (String, Vec<String>) {
        let drawn = text::drawn(self, width);
        (drawn.text, drawn.hidden)
    }

    /// Comma-separated values, without marks and sections.
    pub fn csv(&self) -> Result<String, RenderError> {
        Ok(csv::draw(self)?)
    }

    /// A Markdown table with its legend.
    pub fn markdown(&self) -> String {
        write(self, &Markdown)
    }

    /// An HTML table with its legend.
    pub fn html(&self) -> String {
        write(self, &Html::of(self))
    }

    /// A LaTeX table with its legend.
    pub fn latex(&self, paper: &Paper) -> String {
        latex::drawn(self, paper)
    }

    /// A Typst figure with its legend.
    pub fn typst(&self) -> String {
        let table = self.clone().with_units_over_columns();
        write(&table, &Typst::of(&table))
    }

    /// An array with one object per row, keyed by the headings.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<Cell>| {
            let cells =
                self.columns.iter().zip(row).map(|(column, cell)| (column.title(), json_of(column, &cell.text)));
            Value::Object(cells.collect::<Map<_, _>>())
        };
        Value::Array(self.rows().map(object).collect())
    }

    /// The table in any format; `width` applies to the terminal only.
    pub fn draw(&self, format: Format, width: usize) -> Result<String, RenderError> {
        Ok(match format {
            Format::Table => self.text(width),
            Format::Json => render::json(&self.json())?,
            Format::Ndjson => render::ndjson(self.json().as_array().into_iter().flatten())?,
            Format::Csv => self.csv()?,
            Format::Markdown => self.markdown(),
            Format::Html => self.html(),
            Format::Latex => self.latex(&Paper::default()),
            Format::Typst => self.typst(),
        })
    }
}

/// The JSON value of a cell; an empty text is an unknown value (null).
fn json_of(column: &Column, cell: &str) -> Value {
    match cell {
        "" => Value::Null,
        number if column.numeric => {
            serde_json::from_str::<serde_json::Number>(number).map_or_else(|_| number.into(), Value::Number)
        }
        text => text.into(),
    }
}
