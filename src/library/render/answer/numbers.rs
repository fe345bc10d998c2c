//! The numbers of an answer: what all rows share in a line, then a table for each group of rows that belong together.

use std::collections::BTreeSet;

use super::super::paragraph;
use super::super::table::{Table, remarks_in_one};
use super::groups::groups;
use super::layout::{Layout, Numbers, SEPARATOR, joined};
use crate::ask::answer::Words;
use crate::model::Aspect;
use crate::rows::JoinedRow;
use crate::values::text::counted;

impl Numbers<'_> {
    /// For a person at a terminal of so many columns.
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
        let mut layouts: Vec<Layout> =
            groups.iter().map(|group| self.layout(std::slice::from_ref(group), &said)).collect();
        // Ids stand in all groups or in none.
        let id = Aspect::Id.heading();
        if layouts.iter().any(|layout| layout.table.text_alone(width).1.iter().any(|heading| heading == id)) {
            hidden.push(id.to_owned());
            for layout in &mut layouts {
                layout.table.remove_heading(id);
            }
        }
        for (group, layout) in groups.iter().zip(layouts) {
            let mut title = self.title(group[0], &by, &shared);
            // What all rows share stands right above the only table.
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

    /// All of it as one table whose sections are the groups; its caption says what all rows share.
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

    /// What the question is about: a reader of a paper knows neither its filters nor ids.
    fn subjects(&self) -> String {
        let words = Words { names: &self.names, typed: &self.answer.read_as };
        let filters = [&self.answer.asked.subject].into_iter().chain(&self.answer.asked.sides);
        let parts: Vec<String> =
            filters.filter(|filter| !filter.terms.is_empty()).map(|filter| words.filter(filter)).collect();
        if parts.is_empty() { "Measurements".to_owned() } else { format!("Measurements of {}", parts.join(SEPARATOR)) }
    }

    /// How many there are, and what all of those shown share.
    pub(super) fn summary(&self) -> String {
        let rows = self.answer.measurements.iter().collect();
        let whole = self.layout(&[rows], &by_request(&self.view.group_by));
        with_constants(self.count(), &joined(&whole.constants))
    }

    /// `646 measurements, 1 to 20 shown`.
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

    /// The options that show other rows, in brackets.
    fn options(&self, options: &str) -> String {
        if self.view.without_options { String::new() } else { format!(" ({options})") }
    }

    /// What rows are grouped by; `None` leaves rows in an order that was asked for together.
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
