//! Names in a recipe's templates that no record has: a misspelt `{column}` would leave a field out in silence.

use std::collections::BTreeSet;

use crate::contribute::recipe::Recipe;
use crate::values::text::{nearest, or_list};

/// A name that a recipe's templates use and no record of its files has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownColumn {
    /// The name, as it stands in braces.
    pub name: String,
    /// The line of the recipe, counted from 1; 0 where it is not known.
    pub line: usize,
    /// The names that records have and that are nearest, best first.
    pub near: Vec<String>,
}

impl std::fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let near: Vec<String> = self.near.iter().map(|name| format!("`{{{name}}}`")).collect();
        write!(f, "line {}: no record has `{{{}}}`; did you mean {}?", self.line, self.name, or_list(&near))
    }
}

/// Names in the recipe's templates that no record has but one of a near name. A name that nothing is near to stands for what
/// other files of the source have.
pub(super) fn unknown_columns(recipe: &Recipe, seen: &BTreeSet<String>) -> Vec<UnknownColumn> {
    let mut unknown = Vec::new();
    for (name, line) in recipe.names_in_templates() {
        if seen.contains(&name) || recipe.own_names().any(|own| own == name) {
            continue;
        }
        let near: Vec<String> =
            nearest(&name, seen.iter().map(String::as_str), 3).into_iter().map(str::to_owned).collect();
        if !near.is_empty() {
            unknown.push(UnknownColumn { name, line, near });
        }
    }
    unknown
}
