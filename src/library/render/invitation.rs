//! What `dlbench query` without a question says: what there is, and examples that have answers here.

use super::table::Table;
use crate::ask::ExampleQuestion;
use crate::values::text::counted;
use crate::values::{Grid, GridColumn};

/// Draws it for a knowledge base with so many measurements and sources; `examples` have answers there.
pub fn draw(measurements: usize, sources: usize, examples: &[ExampleQuestion], width: usize) -> String {
    let mut text = format!(
        "Ask {} from {} in plain words.\n\n",
        counted(measurements, "measurement", "measurements"),
        counted(sources, "source", "sources"),
    );
    let mut grid = Grid {
        columns: vec![GridColumn::text("try"), GridColumn::number("finds"), GridColumn::text("which shows")],
        rows: Vec::new(),
    };
    for example in examples {
        let command = format!("dlbench query '{}'", example.question);
        grid.push(vec![command, example.found.to_string(), example.shows.to_owned()]);
    }
    let mut table = Table::from(&grid);
    // A command is copied as it stands.
    table.columns[0].whole = true;
    text.push_str(&table.text(width));
    text.push_str("\n`dlbench query --help` has the options; `dlbench list metrics` what is measured.\n");
    text
}
