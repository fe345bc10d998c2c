//! The names that the templates of a recipe use, and the lines where they stand.

use super::raw::{Part, Recipe};
use super::rule::Rule;

impl Recipe {
    /// The names that the recipe itself gives to values of a record.
    pub(in crate::contribute) fn own_names(&self) -> impl Iterator<Item = &str> {
        self.table.iter().flat_map(|part| part.values.keys()).map(String::as_str)
    }

    /// Each name in braces in a template of the recipe, with the first line in which it stands, counted from 1 (0 where the
    /// recipe was not read from a text). A name that holds another name is not known before a record is read.
    pub(in crate::contribute) fn names_in_templates(&self) -> Vec<(String, usize)> {
        let mut names: Vec<(String, usize)> = Vec::new();
        let filled = self.table.iter().flat_map(|part| &part.fill);
        let named = self.table.iter().flat_map(templates).flat_map(plain_names).chain(filled.cloned());
        for name in named {
            if names.iter().all(|(known, _)| *known != name) {
                let in_braces = format!("{{{name}}}");
                let is_fill = |line: &str| line.trim_start().starts_with("fill") && line.contains(&name);
                let line = self.text.lines().position(|line| line.contains(&in_braces) || is_fill(line));
                names.push((name, line.map_or(0, |at| at + 1)));
            }
        }
        names
    }
}

/// Every template of a part.
fn templates(part: &Part) -> Vec<&str> {
    let mut templates = vec![part.batch.as_str()];
    templates.extend(part.skip.iter().map(|skip| skip.when.as_str()));
    templates.extend(part.outcome.iter().map(|rule| rule.when.as_str()));
    for rule in part.set.values().chain(part.values.values()).flat_map(Rule::choices) {
        match rule {
            Rule::Template(template) => templates.push(template),
            Rule::ProcessedTemplate(worked) => {
                templates.push(&worked.from);
                templates.extend(worked.when.as_deref());
            }
            Rule::Integer(_) | Rule::First(_) => {}
        }
    }
    templates
}

/// The names in braces that hold no braces themselves; of `{batch.{net}}` only `net`.
pub(in crate::contribute) fn plain_names(template: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut open: Vec<(usize, bool)> = Vec::new();
    for (at, c) in template.char_indices() {
        match c {
            '{' => {
                open.iter_mut().for_each(|(_, plain)| *plain = false);
                open.push((at + 1, true));
            }
            '}' => {
                if let Some((start, true)) = open.pop()
                    && start < at
                {
                    names.push(template[start..at].to_owned());
                }
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_with_their_lines() {
        let text = "[[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"{net}\"\n[table.set]\nnetwork = \"{Net}\"\n\
                    batch-size = { from = \"{batch.{net}}\", when = \"{x}\", matches = \"1\" }\n";
        let names = Recipe::parse(text).unwrap().names_in_templates();
        assert_eq!(names, [("net".to_owned(), 4), ("x".to_owned(), 7), ("Net".to_owned(), 6)]);
    }
}
