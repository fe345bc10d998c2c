//! What stands around a table of a page: its headings and the text before it.

use std::collections::BTreeMap;

use super::capture;
use crate::contribute::recipe::Compiled;

/// The headings above a place, and the text since the last of them or the last table.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    headings: [String; 6],
    before: String,
}

impl Surroundings {
    /// A heading of a level from 1 to 6 ends those of its level and below.
    pub fn heading(&mut self, level: usize, text: String) {
        self.headings[level - 1] = text;
        self.headings[level..].iter_mut().for_each(String::clear);
        self.before.clear();
    }

    /// A line of text.
    pub fn text(&mut self, line: &str) {
        self.before.push_str(line);
        self.before.push('\n');
    }

    /// A table stands here: `{h1}` … `{h6}` and the groups of the recipe's patterns, or nothing when the recipe does
    /// not want it.
    pub fn of_table(&mut self, compiled: &Compiled<'_>) -> Option<BTreeMap<String, String>> {
        let before = std::mem::take(&mut self.before);
        let mut around: BTreeMap<String, String> = BTreeMap::new();
        for (at, heading) in self.headings.iter().enumerate() {
            around.insert(format!("h{}", at + 1), heading.clone());
        }
        if let Some(pattern) = &compiled.heading
            && !self.headings.iter().rev().any(|heading| capture(pattern, heading, &mut around))
        {
            return None;
        }
        if let Some(pattern) = &compiled.text
            && !capture(pattern, &before, &mut around)
        {
            return None;
        }
        Some(around)
    }
}
