//! How a question was read: its words, the question in filters, what each part leaves, and the plan.

use super::super::table::Table;
use super::super::{heading, paragraph};
use crate::ask::answer::Explanation;
use crate::values::{Grid, GridColumn};

/// More values than this are counted, not listed.
const MOST_VALUES: usize = 12;

/// Draws it for a person.
pub fn explanation(explanation: &Explanation, width: usize) -> String {
    let mut text = format!("\n{}", heading("How it was read"));
    let mut words = Grid::of_texts(&["words", "about", "read as", "how"]);
    words.columns.push(GridColumn::number("leaves"));
    for (read, leaves) in &explanation.readings {
        let mut values: Vec<String> = read.values.iter().take(MOST_VALUES).cloned().collect();
        if read.values.len() > MOST_VALUES {
            values.push(format!("and {} more", read.values.len() - MOST_VALUES));
        }
        words.push(vec![
            read.text.clone(),
            read.facet.clone(),
            values.join(", "),
            read.how.clone(),
            leaves.map_or_else(String::new, |leaves| leaves.to_string()),
        ]);
    }
    text.push_str(&Table::from(&words).text_alone(width).0);
    text.push_str(&paragraph("all of it leaves ", &explanation.total.to_string(), width));
    text.push_str(&paragraph("the same in filters: ", &explanation.equivalent, width));
    text.push_str(&format!("\n{}", heading("Plan")));
    let mut plan = Grid { columns: vec![GridColumn::text("step"), GridColumn::number("leaves")], rows: Vec::new() };
    for step in &explanation.plan {
        plan.push(vec![step.does.clone(), step.leaves.to_string()]);
    }
    text.push_str(&Table::from(&plan).text_alone(width).0);
    text
}
