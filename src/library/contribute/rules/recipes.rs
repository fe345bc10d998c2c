//! Recipes: unresolved, or impossible to replay.

use std::sync::Arc;

use toml::{Table, Value};

use crate::contribute::recipe::Recipe;
use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Field, FieldType, Severity, SourceFile};
use crate::reading::{FileKind, Located, Step};
use crate::values::EntityKind;
use crate::values::text::{nearest, or_list};

pub(in crate::contribute) const RECIPE_REFERENCE: Rule = Rule {
    code: Code::new(110),
    title: "a recipe that does not resolve",
    severity: Severity::Error,
    page: "A recipe is kept under the id of the source that it imports, and its constants are checked like the values they become: ids of the catalog, words of their vocabularies. What stands in braces is known only when it is replayed.",
    sample: Sample::edited("catalog/recipes/imagined-2018.toml", "firelight", "firelite"),
    check: Check::Catalog(find_recipe_reference),
};

fn find_recipe_reference(context: &LintContext<'_>, found: &mut Findings) {
    for (listed, file) in &context.loaded.files {
        if !matches!(listed.kind, FileKind::Recipe) {
            continue;
        }
        let Ok(recipe) = file.text.parse::<Table>() else { continue };
        let place = Located::new((), file, 0..0);
        let source = recipe.get("source").and_then(Value::as_str);
        let stem = listed.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        if let Some(source) = source.filter(|source| Some(*source) != stem.as_deref()) {
            let message = format!("the recipe is of the source `{source}`, its file has another name");
            found.at(&place, ["source".into()], message, "the file is called like its source");
        }
        if let Some(source) = source.filter(|source| context.place(EntityKind::Source, source).is_none()) {
            found.at(&place, ["source".into()], format!("there is no source `{source}`"), "no such source");
        }
        for (at, part) in recipe.get("table").and_then(Value::as_array).into_iter().flatten().enumerate() {
            for (key, value) in part.get("set").and_then(Value::as_table).into_iter().flatten() {
                let steps: Vec<Step> = vec!["table".into(), at.into(), "set".into(), key.as_str().into()];
                if let Some(constant) = value.as_str().filter(|text| !text.contains('{')) {
                    constant_of(context, &place, steps, key, constant, found);
                }
            }
        }
    }
}

fn constant_of(
    context: &LintContext<'_>,
    place: &Located<()>,
    steps: Vec<Step>,
    key: &str,
    value: &str,
    found: &mut Findings,
) {
    match key.parse::<Field>().map(Field::kind) {
        Ok(FieldType::Entity(kind)) if context.place(kind, value).is_none() => {
            let of_kind = context.loaded.places.keys().filter(|(other, _)| *other == kind);
            let near = nearest(value, of_kind.map(|(_, id)| id.as_str()), 3);
            let near: Vec<String> = near.iter().map(|id| format!("`{id}`")).collect();
            let noun = kind.noun();
            let finding = found.at(place, steps, format!("there is no {noun} `{value}`"), format!("no such {noun}"));
            if !near.is_empty() {
                finding.help(format!("did you mean {}?", or_list(&near)));
            }
        }
        Ok(FieldType::Word(words)) if !words.contains(&value) => {
            let label = format!("expected {}", or_list(words));
            found.at(place, steps, format!("`{key}` cannot be {value:?}"), label);
        }
        _ => {}
    }
}

pub(in crate::contribute) const UNREADABLE_RECIPE: Rule = Rule {
    code: Code::new(111),
    title: "a recipe that cannot be replayed",
    severity: Severity::Error,
    page: "`dlbench import --recipe` could not read it: a key it does not have, a pattern that is no regular expression, a rule without its parts. `dlbench explain recipe` documents every key.",
    sample: Sample::edited("catalog/recipes/imagined-2018.toml", "format", "fromat"),
    check: Check::Recipe(find_unreadable_recipe),
};

fn find_unreadable_recipe(file: &Arc<SourceFile>, found: &mut Findings) {
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
