//! The headings above a table of a page, and the text before it.

use std::collections::BTreeMap;

use super::record::add_captures;
use crate::contribute::recipe::Compiled;

/// The headings above the current line with the text below each, and the text since the last heading or table.
#[derive(Debug, Default)]
pub(super) struct PageContext {
    headings: [String; 6],
    /// The text of the page before its first heading, then that below the heading of each level.
    sections: [String; 7],
    level: usize,
    before: String,
}

impl PageContext {
    /// A heading of a level from 1 to 6 ends those of its level and below.
    pub fn heading(&mut self, level: usize, text: String) {
        self.headings[level - 1] = text;
        self.headings[level..].iter_mut().for_each(String::clear);
        self.sections[level..].iter_mut().for_each(String::clear);
        self.level = level;
        self.before.clear();
    }

    /// A line of text.
    pub fn text(&mut self, line: &str) {
        for text in [&mut self.before, &mut self.sections[self.level]] {
            text.push_str(line);
            text.push('\n');
        }
    }

    /// What is known of a table that begins here: `{h1}` … `{h6}`, the text below these headings as `{above}` (that of the
    /// nearest heading last, without tables) and the named groups of the recipe's patterns; `None` when the recipe does not
    /// want the table.
    pub fn of_table(&mut self, compiled: &Compiled<'_>) -> Option<BTreeMap<String, String>> {
        let before = std::mem::take(&mut self.before);
        let mut context: BTreeMap<String, String> = BTreeMap::new();
        for (at, heading) in self.headings.iter().enumerate() {
            context.insert(format!("h{}", at + 1), heading.clone());
        }
        context.insert("above".to_owned(), self.sections.concat());
        if let Some(pattern) = &compiled.heading
            && !self.headings.iter().rev().any(|heading| add_captures(pattern, heading, &mut context))
        {
            return None;
        }
        if let Some(pattern) = &compiled.text
            && !add_captures(pattern, &before, &mut context)
        {
            return None;
        }
        Some(context)
    }
}
