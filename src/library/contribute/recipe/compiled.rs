//! A part of a recipe with its patterns compiled and its keys looked up.

use regex::{Regex, RegexBuilder};

use super::raw::{Join, OutcomeRule, Part, Recipe, RecipeError, Rule, Skip};
use crate::model::MeasurementKey;

#[derive(Debug)]
pub(in crate::contribute) struct Compiled<'p> {
    pub part: &'p Part,
    pub file_name: Option<Regex>,
    pub heading: Option<Regex>,
    pub text: Option<Regex>,
    pub sheet: Option<Regex>,
    pub facts: Option<Regex>,
    pub join: Vec<(&'p Join, Vec<Regex>)>,
    pub header: Option<Regex>,
    pub line: Option<Regex>,
    pub state: Vec<Regex>,
    pub reset: Option<Regex>,
    pub melt: Option<Regex>,
    pub skip: Vec<(&'p Skip, Regex)>,
    pub outcome: Vec<(&'p OutcomeRule, Regex)>,
    pub values: Vec<(&'p str, Vec<Choice<'p>>)>,
    pub set: Vec<(MeasurementKey, Vec<Choice<'p>>)>,
}

/// A rule with its patterns compiled.
#[derive(Debug)]
pub(in crate::contribute) struct Choice<'p> {
    pub rule: &'p Rule,
    pub pick: Option<Regex>,
    pub condition: Option<(&'p str, Regex)>,
}

impl Choice<'_> {
    /// The template that yields the rule's text; empty for a constant integer or a list.
    pub fn template(&self) -> &str {
        match self.rule {
            Rule::Template(template) => template,
            Rule::ProcessedTemplate(worked) => &worked.from,
            Rule::Integer(_) | Rule::First(_) => "",
        }
    }

    /// Whether a text that cannot be read leaves the field absent.
    pub fn is_optional(&self) -> bool {
        matches!(self.rule, Rule::ProcessedTemplate(worked) if worked.optional)
    }
}

impl Compiled<'_> {
    /// Whether a number of a measurement is read from this column unchanged, without a pattern that picks a part of it.
    pub fn reads_number(&self, column: &str) -> bool {
        let aliases = self.part.names.iter().filter(|(_, others)| others.iter().any(|other| other == column));
        let melted = self.melt.as_ref().filter(|melt| melt.is_match(column)).map(|_| "value");
        let mut names: Vec<String> = aliases.map(|(name, _)| format!("{{{name}}}")).collect();
        names.extend([column].into_iter().chain(melted).map(|name| format!("{{{name}}}")));
        let mut rules = self.set.iter().filter(|(key, _)| key.is_number()).flat_map(|(_, choices)| choices);
        rules.any(|choice| choice.pick.is_none() && names.iter().any(|name| choice.template().contains(name)))
    }
}

impl Part {
    /// Compiles every pattern and looks up every key.
    ///
    /// # Errors
    ///
    /// The first pattern or key that is invalid.
    pub(in crate::contribute) fn check(&self) -> Result<(), RecipeError> {
        self.compiled()?;
        std::iter::once(&self.files).chain(&self.exclude).try_for_each(|files| wildcard(files).map(drop))
    }

    /// Compiles the patterns and looks up the keys.
    pub(in crate::contribute) fn compiled(&self) -> Result<Compiled<'_>, RecipeError> {
        let mut set = Vec::new();
        for (name, rule) in &self.set {
            let key = MeasurementKey::named(name).ok_or_else(|| RecipeError::UnknownKey(name.clone()))?;
            set.push((key, choices(rule)?));
        }
        set.sort_by_key(|(key, _)| *key);
        Ok(Compiled {
            part: self,
            file_name: optional(&self.file_name)?,
            heading: optional(&self.heading)?,
            text: optional(&self.text)?,
            sheet: optional(&self.sheet)?,
            facts: optional(&self.facts)?,
            join: self
                .join
                .iter()
                .map(|join| Ok((join, patterns(&join.lines)?)))
                .collect::<Result<_, RecipeError>>()?,
            header: optional(&self.header)?,
            line: optional(&self.line)?,
            state: patterns(&self.state)?,
            reset: optional(&self.reset)?,
            melt: optional(&self.melt)?,
            skip: self
                .skip
                .iter()
                .map(|skip| Ok((skip, pattern(&skip.matches)?)))
                .collect::<Result<_, RecipeError>>()?,
            outcome: self
                .outcome
                .iter()
                .map(|rule| Ok((rule, pattern(&rule.matches)?)))
                .collect::<Result<_, RecipeError>>()?,
            values: self
                .values
                .iter()
                .map(|(name, rule)| Ok((name.as_str(), choices(rule)?)))
                .collect::<Result<_, RecipeError>>()?,
            set,
        })
    }
}

/// The alternatives of a rule in order, with their patterns compiled.
fn choices(rule: &Rule) -> Result<Vec<Choice<'_>>, RecipeError> {
    let compiled = |rule| {
        let mut choice = Choice { rule, pick: None, condition: None };
        if let Rule::ProcessedTemplate(worked) = rule {
            if let (Some(into), None) = (&worked.into, &worked.pick) {
                return Err(RecipeError::IntoWithoutPick(into.clone()));
            }
            choice.pick = optional(&worked.pick)?;
            choice.condition = match (&worked.when, optional(&worked.matches)?) {
                (Some(when), Some(matches)) => Some((when, matches)),
                _ => None,
            };
        }
        Ok(choice)
    };
    rule.choices().iter().map(compiled).collect()
}

/// A file pattern: `*` is any text without `/`, `**` any text, `?` one character, `{a,b}` one of several texts.
pub(in crate::contribute) fn wildcard(files: &str) -> Result<Regex, RecipeError> {
    let escaped = regex::escape(files).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*");
    let escaped = escaped.replace(r"\?", "[^/]");
    let escaped = match escaped.matches(r"\{").count() == escaped.matches(r"\}").count() {
        true => one_of_several(&escaped),
        false => escaped,
    };
    pattern(&format!("^{escaped}$"))
}

/// Converts `\{a,b\}` to a regex group that matches one of the texts.
fn one_of_several(escaped: &str) -> String {
    let mut pattern = String::new();
    let mut depth = 0_usize;
    let mut rest = escaped;
    while let Some(c) = rest.chars().next() {
        let (taken, length) = match () {
            () if rest.starts_with(r"\{") => ("(?:", 2),
            () if rest.starts_with(r"\}") => (")", 2),
            () if c == ',' && depth > 0 => ("|", 1),
            () => (&rest[..c.len_utf8()], c.len_utf8()),
        };
        depth = match taken {
            "(?:" if length == 2 => depth + 1,
            ")" if length == 2 => depth.saturating_sub(1),
            _ => depth,
        };
        pattern.push_str(taken);
        rest = &rest[length..];
    }
    pattern
}

fn optional(text: &Option<String>) -> Result<Option<Regex>, RecipeError> {
    text.as_deref().map(pattern).transpose()
}

fn patterns(texts: &[String]) -> Result<Vec<Regex>, RecipeError> {
    texts.iter().map(|text| pattern(text)).collect()
}

/// Maximum size in bytes of a compiled pattern. Matching time is proportional to it, and a recipe may come from a
/// stranger. The recipes in the repository stay below it.
const LARGEST_PATTERN: usize = 1 << 20;

fn pattern(text: &str) -> Result<Regex, RecipeError> {
    let compiled = RegexBuilder::new(text).size_limit(LARGEST_PATTERN).build();
    compiled.map_err(|error| RecipeError::Pattern { pattern: text.to_owned(), error })
}

impl Recipe {
    /// The names that the recipe itself defines for values of a record.
    pub(in crate::contribute) fn own_names(&self) -> impl Iterator<Item = &str> {
        self.table.iter().flat_map(|part| part.values.keys()).map(String::as_str)
    }

    /// Each name in braces in the recipe's templates, with the first line that contains it, counted from 1 (0 if the
    /// recipe was not parsed from text). A nested name is skipped: it is not known before a record is read.
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

/// All templates of a part.
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

/// The names in braces that contain no braces themselves; for `{batch.{net}}` only `net`.
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
    use super::super::raw::Recipe;
    use super::*;

    #[test]
    fn a_wildcard_stays_within_its_folder_unless_doubled() {
        let one = wildcard("results/*.csv").unwrap();
        assert!(one.is_match("results/a.csv") && !one.is_match("results/b/a.csv"));
        let any = wildcard("**/perf.md").unwrap();
        assert!(any.is_match("docs/x/perf.md") && any.is_match("perf.md"));
    }

    #[test]
    fn a_pattern_that_would_be_read_for_seconds_is_refused_with_its_limit() {
        let error = pattern("(a|b|ab)*(a.{1,2000}c){1,3}!").unwrap_err();
        assert!(error.to_string().contains("1048576 bytes"), "{error}");
        assert!(pattern(r"^(\w+) \((\d{1,3}) x (\w+)\)$").is_ok());
    }

    #[test]
    fn a_text_for_groups_needs_their_pattern() {
        let rule = "[[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\nlabel = { from = \"{a}\", into = \"{1}\" }";
        let recipe = Recipe::parse(rule).unwrap();
        assert!(matches!(recipe.table[0].compiled(), Err(RecipeError::IntoWithoutPick(into)) if into == "{1}"));
    }

    #[test]
    fn a_recipe_that_sets_what_no_measurement_has_is_refused() {
        let recipe =
            Recipe::parse("[[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\nlatencyms = \"1\"")
                .unwrap();
        assert!(matches!(recipe.table[0].compiled(), Err(RecipeError::UnknownKey(key)) if key == "latencyms"));
    }

    #[test]
    fn names_are_found_with_their_lines() {
        let text = "[[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"{net}\"\n[table.set]\nnetwork = \"{Net}\"\n\
                    batch-size = { from = \"{batch.{net}}\", when = \"{x}\", matches = \"1\" }\n";
        let names = Recipe::parse(text).unwrap().names_in_templates();
        assert_eq!(names, [("net".to_owned(), 4), ("x".to_owned(), 7), ("Net".to_owned(), 6)]);
    }
}
