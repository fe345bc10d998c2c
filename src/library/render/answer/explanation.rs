//! How a question was read: where each word went, the question in the explicit language, and what each part leaves.

use super::super::table::Table;
use super::super::{heading, paragraph};
use crate::ask::answer::Explanation;
use crate::values::{Grid, GridColumn};

/// More values than this are counted.
const MOST_VALUES: usize = 12;

/// Draws it for a person.
pub fn explanation(explanation: &Explanation, width: usize) -> String {
    let mut text = format!("\n{}", heading("How it was read"));
    let mut words = Grid::of_texts(&["words", "about", "read as", "how", "rule"]);
    for (span, rule) in &explanation.spans {
        let mut values: Vec<String> = span.values.iter().take(MOST_VALUES).cloned().collect();
        if span.values.len() > MOST_VALUES {
            values.push(format!("and {} more", span.values.len() - MOST_VALUES));
        }
        let how: &str = span.how.into();
        let cells = [span.text.as_str(), &span.facet, &values.join(", "), how, rule];
        words.push(cells.map(str::to_owned).to_vec());
    }
    text.push_str(&Table::from(&words).text_alone(width).0);
    text.push_str(&paragraph("canonical: ", &explanation.question, width));
    let mut parts = Grid { columns: vec![GridColumn::text("part"), GridColumn::number("rows")], rows: Vec::new() };
    for (part, rows) in &explanation.parts {
        parts.push(vec![part.clone(), rows.to_string()]);
    }
    parts.push(vec!["all of it".to_owned(), explanation.total.to_string()]);
    text.push_str(&format!("\n{}", heading("Rows of each part")));
    text.push_str(&Table::from(&parts).text_alone(width).0);
    text
}
