//! A recipe that cannot be replayed.

use std::sync::Arc;

use crate::contribute::recipe::Recipe;
use crate::contribute::rule_interface::{Check, Findings, Rule, Sample};
use crate::model::{Code, Severity, SourceFile};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(111),
    title: "a recipe that cannot be replayed",
    severity: Severity::Error,
    page: "`dlbench import --recipe` could not read it: a key it does not have, a pattern that is no regular expression, a rule without its parts. `dlbench explain recipe` documents every key.",
    sample: Sample::edited("catalog/recipes/imagined-2018.toml", "format", "fromat"),
    check: Check::Recipe(find),
};
fn find(file: &Arc<SourceFile>, found: &mut Findings) {
    // What is not valid TOML has a finding already.
    if file.text.parse::<toml::Table>().is_err() {
        return;
    }
    if let Err(error) = Recipe::parse(&file.text) {
        found
            .in_text(file, 0..0, format!("the recipe cannot be replayed: {error}"), "")
            .help("`dlbench explain recipe` documents every key");
    }
}
