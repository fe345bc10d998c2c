//! Evidence that cannot speak: a definition of no metric, a pair of different things, a claim without a definition.

use std::collections::BTreeSet;

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, ContextDefinition, EvidenceKind, Field, GradedKind, MetricDefinition, Severity, Tier};
use crate::reading::{FileKind, Located, Step};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(114),
    title: "evidence that cannot speak",
    severity: Severity::Error,
    page: "Each operational definition of `catalog/evidence.toml` is of one metric of `hardware-metrics.toml` or `framework-metrics.toml`, and each metric has one. Rows of a pair may differ in what is an axis of comparison, never in what makes two numbers different things (`stage`, `network`, `counts` …). A claim of `catalog/claims.toml` names the definition by which its sides are compared, and there is no other claim of its id. What may differ between two rows that are held against each other (`[contradiction]`) belongs to a context, whose weight is measured.",
    sample: Sample::edited("catalog/evidence.toml", r#"differ = ["framework"]"#, r#"differ = ["stage"]"#),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
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
            // Two sources have different words for what may be the same to be timed.
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

fn metrics(catalog: &crate::model::Catalog, grades: GradedKind) -> &[MetricDefinition] {
    match grades {
        GradedKind::Hardware => &catalog.hardware_metrics,
        GradedKind::Framework => &catalog.framework_metrics,
    }
}
