//! Rules about the references of recipes and evidence: unresolved, impossible to replay, or unable to support a claim.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter;
use std::path::Path;
use std::sync::Arc;

use toml::{Table, Value};

use crate::contribute::recipe::{Part, Recipe, RecipeError};
use crate::contribute::rule_interface::{CatalogNames, Check, Findings, LintContext, Rule, Sample, hash_of};
use crate::model::{
    Code, ContextDefinition, EvidenceKind, Field, FieldType, GradedKind, MetricDefinition, Severity, SourceFile, Tier,
    Value as Measured,
};
use crate::reading::{FileKind, Located, Step};
use crate::values::text::{nearest, normalise, or_list};
use crate::values::{Date, EntityId, EntityKind};

pub(in crate::contribute) const RECIPE_REFERENCE: Rule = Rule {
    code: Code::new(110),
    title: "a recipe that does not resolve",
    severity: Severity::Error,
    page: "A recipe is kept under the id of the source that it imports, and its constants are checked like the values they become, those behind conditions, in maps and in `values` too: ids of the catalog, or names where they are resolved, words of their vocabularies, numbers and dates. A constant that no imported row has is reported. What stands in braces is known only when it is replayed.",
    sample: Sample::edited("catalog/recipes/imagined-2018.toml", "firelight", "firelite"),
    check: Check::Catalog(find_recipe_reference),
};

fn find_recipe_reference(context: &LintContext<'_>, found: &mut Findings) {
    // If only a part of the rows is loaded, a constant cannot be called unused.
    let rows = context.loaded.rows.iter().filter(|_| context.options.whole);
    let mut used: HashMap<&Path, HashSet<u64>> = HashMap::new();
    for row in rows {
        let path = row.file().path.as_path();
        for place in [Some(path), path.parent()].into_iter().flatten() {
            let values = row.get().fields().iter().map(|(field, value)| hash_of(*field, value));
            used.entry(place).or_default().extend(values);
        }
    }
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
        if let Some(source) = source.filter(|source| !context.is_listed(EntityKind::Source, source)) {
            found.at(&place, ["source".into()], format!("there is no source `{source}`"), "no such source");
        }
        let parts = recipe.get("table").and_then(Value::as_array).into_iter().flatten().enumerate();
        let of_parts = parts.map(|(at, part)| (vec!["table".into(), at.into()], part.as_table()));
        let mut told = BTreeSet::new();
        for (steps, part) in iter::once((Vec::<Step>::new(), Some(&recipe))).chain(of_parts) {
            let Some(part) = part else { continue };
            let values = Values { own: (&steps, part), shared: &recipe };
            // A part that writes a single file is compared with the rows of that file.
            let folder = Path::new("measurements").join(source.unwrap_or_default());
            let batch = part.get("batch").and_then(Value::as_str).filter(|batch| !batch.contains('{'));
            let made = batch.map(|batch| folder.join(format!("{batch}.toml")));
            let made = made.filter(|file| used.contains_key(file.as_path())).unwrap_or_else(|| folder.clone());
            let table = |key: &str| part.get(key).and_then(Value::as_table).into_iter().flatten();
            for (key, value) in table("set") {
                let steps = [steps.as_slice(), &["set".into(), key.as_str().into()]].concat();
                exchanged_targets(&place, &steps, value, found);
                values.constants(steps, value, false, &mut |steps, constant, is_name| {
                    if told.insert(format!("{key} {steps:?}")) {
                        // A condition or a map may apply only in other files.
                        let place_of_rows = if value.is_str() { &made } else { &folder };
                        if !is_name && let Some(used) = used.get(place_of_rows.as_path()) {
                            unused(context, used, (key, constant), (&place, &steps), found);
                        }
                        constant_of(context, &place, steps, key, constant, is_name, found);
                    }
                });
            }
            let outcomes = part.get("outcome").and_then(Value::as_array).into_iter().flatten().enumerate();
            for (at, outcome) in outcomes.filter_map(|(at, rule)| Some((at, rule.get("outcome")?.as_str()?))) {
                let steps = [steps.as_slice(), &["outcome".into(), at.into(), "outcome".into()]].concat();
                constant_of(context, &place, steps, Field::Outcome.key(), outcome, false, found);
            }
        }
    }
}

/// Reports texts of a map whose ids were exchanged: `15H` maps to `hailo-15l`, next to `15L`.
fn exchanged_targets(place: &Located<()>, steps: &[Step], rule: &Value, found: &mut Findings) {
    let map = rule.get("map").and_then(Value::as_table).into_iter().flatten();
    let map: Vec<(&String, String, String)> =
        map.filter_map(|(text, id)| Some((text, normalise(text), normalise(id.as_str()?)))).collect();
    let says_which = |text: &str| text.len() > 1 && text.contains(|c: char| c.is_ascii_digit());
    for (written, text, id) in map.iter().filter(|(_, text, id)| says_which(text) && !id.contains(text.as_str())) {
        let is_other = |(_, other, theirs): &&(&String, String, String)| {
            says_which(other)
                && theirs.contains(text.as_str())
                && !theirs.contains(other.as_str())
                && id.contains(other.as_str())
        };
        if let Some((other, ..)) = map.iter().find(is_other) {
            let message = format!("{written:?} becomes what {other:?} names, and that what {written:?} names");
            let at: Vec<Step> = steps.iter().cloned().chain(["map".into(), written.as_str().into()]).collect();
            found.at(place, at, message, "exchanged?");
        }
    }
}

/// Reports a constant that occurs in no row imported by this part of the recipe.
fn unused(
    context: &LintContext<'_>,
    used: &HashSet<u64>,
    (key, constant): (&str, &str),
    (place, steps): (&Located<()>, &[Step]),
    found: &mut Findings,
) {
    let Some(field) = key.parse::<Field>().ok().filter(|field| *field != Field::Notes) else { return };
    let text = || Some(Measured::Text(constant.into()));
    let value = match field.kind() {
        FieldType::Entity(kind) => text().filter(|_| context.is_listed(kind, constant)),
        FieldType::Word(words) => text().filter(|_| words.contains(&constant)),
        FieldType::Count => constant.parse().ok().map(Measured::Count),
        FieldType::Number => None,
        _ => text(),
    };
    if value.is_some_and(|value| !used.contains(&hash_of(field, &value))) {
        let message = format!("no row that this imports has the {field} {constant:?}");
        let label = "is another value meant?";
        found.at(place, steps.to_vec(), message, label).help("correct it, import the rows anew, or leave it out");
    }
}

/// The `values` that a part of a recipe can refer to: its own, and those of the whole recipe.
struct Values<'r> {
    own: (&'r [Step], &'r Table),
    shared: &'r Table,
}

impl Values<'_> {
    /// The rule and its path in the file, for a template that is one name in braces (`{device}`).
    fn named(&self, template: &str) -> Option<(Vec<Step>, &Value)> {
        let name = template.strip_prefix('{')?.strip_suffix('}')?;
        [self.own, (&[], self.shared)].into_iter().find_map(|(steps, part)| {
            let rule = part.get("values")?.get(name)?;
            Some(([steps, &["values".into(), name.into()]].concat(), rule))
        })
    }

    /// Visits the constants that a rule may yield unchanged: alone, in a list of conditional rules, as the targets of a
    /// map, or through a value it refers to. `is_name` marks constants that are resolved as names; the others are ids.
    fn constants(&self, steps: Vec<Step>, rule: &Value, is_name: bool, tell: &mut impl FnMut(Vec<Step>, &str, bool)) {
        let with = |step: Step| steps.iter().cloned().chain([step]).collect::<Vec<Step>>();
        match rule {
            Value::String(text) if text.contains('{') => {
                // A value is computed from a record's own values, never from another value.
                let is_value = steps.iter().any(|step| *step == Step::from("values"));
                if let Some((steps, rule)) = self.named(text).filter(|_| !is_value) {
                    self.constants(steps, rule, is_name, tell);
                }
            }
            Value::String(text) if !text.is_empty() => tell(steps, text, is_name),
            Value::Array(choices) => {
                for (at, choice) in choices.iter().enumerate() {
                    self.constants(with(at.into()), choice, is_name, tell);
                }
            }
            Value::Table(rule) => {
                let is_name = is_name || rule.contains_key("resolve");
                match rule.get("map").and_then(Value::as_table) {
                    Some(map) => {
                        for (text, value) in map {
                            let steps = with("map".into()).into_iter().chain([text.as_str().into()]).collect();
                            self.constants(steps, value, is_name, tell);
                        }
                    }
                    None if rule.contains_key("pick") => {}
                    None => {
                        let from = rule.get("from").into_iter();
                        from.for_each(|from| self.constants(with("from".into()), from, is_name, tell));
                    }
                }
            }
            _ => {}
        }
    }
}

fn constant_of(
    context: &LintContext<'_>,
    place: &Located<()>,
    steps: Vec<Step>,
    key: &str,
    value: &str,
    is_name: bool,
    found: &mut Findings,
) {
    match key.parse::<Field>().map(Field::kind) {
        Ok(FieldType::Entity(kind)) => {
            let of_kind = || context.loaded.catalog.entities().filter(|entity| entity.kind() == kind);
            // A value written like an id must be an id, even if a name looks alike; other names only need to resolve.
            let is_read = || {
                let is_kebab = value.contains('-') && value.parse::<EntityId>().is_ok();
                let named = CatalogNames::of(&context.loaded.catalog, kind);
                !is_kebab && !named.named_in(value).is_empty()
            };
            if context.is_listed(kind, value) || is_name && is_read() {
                return;
            }
            let near = nearest(value, of_kind().map(|entity| entity.id()), 3);
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
        Ok(FieldType::Count) if value.parse::<i64>().is_err() => {
            found.at(place, steps, format!("`{key}` cannot be {value:?}"), "expected a whole number");
        }
        Ok(FieldType::Date) if value.parse::<Date>().is_err() => {
            found.at(place, steps, format!("`{key}` cannot be {value:?}"), "expected a date, such as 2017-12-07");
        }
        _ => {}
    }
}

pub(in crate::contribute) const UNREADABLE_RECIPE: Rule = Rule {
    code: Code::new(111),
    title: "a recipe that cannot be replayed",
    severity: Severity::Error,
    page: "`dlbench import --recipe` could not read it: a key it does not have, a pattern that is not a regular expression, a rule without its parts. `dlbench explain recipe` documents every key.",
    sample: Sample::edited("catalog/recipes/imagined-2018.toml", "format", "fromat"),
    check: Check::Recipe(find_unreadable_recipe),
};

fn find_unreadable_recipe(file: &Arc<SourceFile>, found: &mut Findings) {
    // Invalid TOML is reported by another rule.
    if file.text.parse::<toml::Table>().is_err() {
        return;
    }
    let read = Recipe::parse(&file.text).and_then(|recipe| recipe.table.iter().try_for_each(Part::check));
    if let Err(error) = read {
        // In a double-quoted text, a backslash is written twice.
        let written = |text: &str| {
            let spellings = [text.to_owned(), text.replace('\\', r"\\")];
            let place = |text: &String| file.text.find(text.as_str()).map(|at| at..at + text.len());
            spellings.iter().find_map(place).unwrap_or_default()
        };
        let (span, error) = match &error {
            RecipeError::Toml(error) => (error.span().unwrap_or_default(), error.message().to_owned()),
            RecipeError::Pattern { pattern: text, .. }
            | RecipeError::IntoWithoutPick(text)
            | RecipeError::UnknownKey(text) => (written(text), error.to_string()),
        };
        found
            .in_text(file, span, format!("the recipe cannot be replayed: {error}"), "")
            .help("`dlbench explain recipe` documents every key");
    }
}

pub(in crate::contribute) const EVIDENCE_REFERENCE: Rule = Rule {
    code: Code::new(114),
    title: "evidence that cannot speak",
    severity: Severity::Error,
    page: "Each operational definition of `catalog/evidence.toml` is of one metric of `hardware-metrics.toml` or `framework-metrics.toml`, and each metric has one. Rows of a pair may differ in what is an axis of comparison, never in what makes two numbers different things (`stage`, `network`, `counts` …). A claim of `catalog/claims.toml` names the definition by which its sides are compared, there is no other claim of its id, its `low` is not above its `high`, both are figures of its `text` (or its ratios, or those in another unit), its sides are entries of the catalog, and classes stand in the text in the order of `subject` and `baseline`. What may differ between two rows that are held against each other (`[contradiction]`) belongs to a context, whose weight is measured.",
    sample: Sample::edited("catalog/evidence.toml", r#"differ = ["framework"]"#, r#"differ = ["stage"]"#),
    check: Check::Catalog(find_evidence_reference),
};

fn find_evidence_reference(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    let place = |kind: fn(&FileKind) -> bool| {
        let file = context.loaded.files.iter().find(|(listed, _)| kind(&listed.kind));
        file.map(|(_, file)| Located::new((), file, 0..0))
    };
    let steps =
        |key: &'static str, at: usize, inner: &'static str| -> Vec<Step> { vec![key.into(), at.into(), inner.into()] };
    if let Some(place) = place(|kind| matches!(kind, FileKind::Evidence)) {
        let mut seen = BTreeSet::new();
        for (at, definition) in catalog.evidence.iter().enumerate() {
            let metrics = metrics(catalog, definition.grades);
            let metric = &definition.metric;
            let mut wrong = |key: &'static str, message: String, label: &str| {
                found.at(&place, steps("definition", at, key), message, label);
            };
            if !metrics.iter().any(|known| known.id == *metric) {
                wrong("metric", format!("there is no metric `{metric}` of {}", definition.grades), "no such metric");
            }
            if !seen.insert((definition.grades, metric)) {
                wrong("metric", format!("`{metric}` is defined twice"), "one definition for each metric");
            }
            // Sources may describe the same timed work in different words.
            let is_identity = |field: &Field| field.tier() == Tier::Identity && *field != Field::Timed;
            for field in definition.differing_fields().filter(is_identity) {
                let message = format!("rows that differ in `{field}` are different things, and no pair");
                wrong("differ", message, "leave it out");
            }
        }
        if let Some(definition) = &catalog.contradiction {
            let explaining: BTreeSet<Field> = definition.contexts.iter().flat_map(ContextDefinition::fields).collect();
            for field in definition.varied_fields().filter(|field| !explaining.contains(field)) {
                let message = format!("no context holds `{field}`, which may differ");
                found.at(&place, [Step::from("contradiction")], message, "what may differ may explain");
            }
            let differ = definition.differ.iter().filter_map(|key| key.parse::<Field>().ok());
            for field in differ.filter(|field| field.tier() == Tier::Identity) {
                let message = format!("rows that differ in `{field}` are different things, and contradict nothing");
                found.at(&place, ["contradiction".into(), "differ".into()], message, "leave it out");
            }
        }
        for grades in [GradedKind::Hardware, GradedKind::Framework] {
            for metric in metrics(catalog, grades).iter().filter(|metric| !seen.contains(&(grades, &metric.id))) {
                let message = format!("the metric `{}` of {grades} has no definition", metric.id);
                found.at(&place, [Step::from("definition")], message, "say that nothing speaks, where nothing does");
            }
        }
    }
    if let Some(place) = place(|kind| matches!(kind, FileKind::Claims)) {
        let mut seen = BTreeSet::new();
        for (at, claim) in catalog.claims.iter().enumerate() {
            if !seen.insert(&claim.id) {
                let message = format!("there are two claims `{}`", claim.id);
                found.at(&place, steps("claim", at, "id"), message, "one of them needs another id");
            }
            for (key, side) in [("subject", &claim.subject), ("baseline", &claim.baseline)] {
                let Some(side) = side.as_deref().filter(|side| !is_side(context, side)) else { continue };
                let message = format!("`{key}` of `{}` is {side:?}, of which there is none", claim.id);
                let label = "expected a kind and an id: `class:gpu`, `device:tesla-v100`";
                found.at(&place, steps("claim", at, key), message, label);
            }
            let cited = claim.cited.as_ref();
            for (steps, low, high) in [
                (steps("claim", at, "high"), claim.low, claim.high),
                (
                    vec!["claim".into(), at.into(), "cited".into(), "high".into()],
                    cited.map(|cited| cited.low),
                    cited.and_then(|cited| cited.high),
                ),
            ] {
                if let Some((low, high)) = low.zip(high).filter(|(low, high)| low.value() > high.value()) {
                    let message = format!("`{}` claims at least {low} and at most {high}", claim.id);
                    found.at(&place, steps, message, "below `low`: exchanged?");
                }
            }
            for (key, bound) in [("low", claim.low), ("high", claim.high)] {
                if let Some(bound) = bound.filter(|bound| !is_in_text(bound.value(), &claim.text)) {
                    let message = format!("`{key}` of `{}` is {bound}, its text has no such figure", claim.id);
                    found.at(&place, steps("claim", at, key), message, "another figure than in `text`");
                }
            }
            let class = |side: &Option<String>| {
                side.as_deref().and_then(|side| Some(side.strip_prefix("class:")?.to_lowercase()))
            };
            if let Some((subject, baseline)) = class(&claim.subject).zip(class(&claim.baseline)) {
                let text = claim.text.to_lowercase();
                if let Some((_, _)) = text.find(&subject).zip(text.find(&baseline)).filter(|(own, other)| own > other) {
                    let message = format!(
                        "`{}` compares {subject} with {baseline}, its text {baseline} with {subject}",
                        claim.id
                    );
                    found.at(&place, steps("claim", at, "subject"), message, "exchanged with `baseline`?");
                }
            }
            let by = claim.by.as_ref().map(|by| catalog.evidence.iter().find(|definition| definition.metric == *by));
            let speaks =
                by.flatten().is_some_and(|by| !matches!(by.speaks, EvidenceKind::Nothing | EvidenceKind::Fact));
            if claim.by.is_some() && !speaks {
                let message = "no definition compares two sides so".to_owned();
                found.at(&place, steps("claim", at, "by"), message, "name a metric whose definition does");
            }
        }
    }
}

/// Whether a side of a claim is a kind and an existing id: `class:gpu`.
fn is_side(context: &LintContext<'_>, side: &str) -> bool {
    let parts = side.split_once(':').map(|(kind, id)| (kind.parse::<Field>().ok(), kind, id));
    parts.is_some_and(|(field, kind, id)| match field.map(Field::kind) {
        Some(FieldType::Entity(kind)) => context.is_listed(kind, id),
        _ => kind == "class" && context.is_listed(EntityKind::HardwareClass, id),
    })
}

/// Number words from zero.
const NUMBERS: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// Whether a bound is a number in a text (in its unit or one a thousand times as large or small), or the ratio of two
/// of them; a bound of 1 ("at least as good") needs no number.
fn is_in_text(bound: f64, text: &str) -> bool {
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | ',')));
    let figure = |word: &str| {
        let word = word.trim_matches(['.', ',']).replace(',', "").to_lowercase();
        let in_words = || match word.as_str() {
            "twice" | "double" => Some(2.0),
            "half" => Some(0.5),
            "hundred" => Some(100.0),
            _ => NUMBERS.iter().position(|name| *name == word).map(|number| number as f64),
        };
        word.parse::<f64>().ok().or_else(in_words)
    };
    let figures: Vec<f64> = words.filter_map(figure).collect();
    let is_near = |value: f64, within: f64| (value - bound).abs() <= within * bound.abs();
    bound == 0.0
        || bound == 1.0
        || figures.iter().any(|own| [1.0, 1e3, 1e-3].iter().any(|unit| is_near(own * unit, 1e-9)))
        || figures.iter().any(|own| figures.iter().any(|other| is_near(own / other, 0.03)))
}

fn metrics(catalog: &crate::model::Catalog, grades: GradedKind) -> &[MetricDefinition] {
    match grades {
        GradedKind::Hardware => &catalog.hardware_metrics,
        GradedKind::Framework => &catalog.framework_metrics,
    }
}
