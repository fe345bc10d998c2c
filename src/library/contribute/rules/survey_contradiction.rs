//! A survey that disagrees with the facts, without a note.

use std::collections::BTreeSet;

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Framework, ReportedFramework, Severity, license_family};
use crate::values::EntityKind;
use crate::values::text::normalise;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(210),
    title: "a survey that disagrees with the facts, without a note",
    severity: Severity::Warning,
    page: "What a survey reported stays as it was printed, what holds stands above with its own source. Where the two disagree, a reader must be told: `notes` in the survey's table, or at the entry.",
    sample: Sample::edited("catalog/frameworks/firelight.toml", "notes = \"The licence has changed since.\"\n", ""),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (id, framework) in &context.loaded.catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        if framework.notes.is_some() {
            continue;
        }
        for (source, reported) in framework.reported.iter().filter(|(_, reported)| reported.notes.is_none()) {
            for (key, then, now) in differences(framework, reported) {
                let steps = ["reported".into(), source.as_str().into(), key.into()];
                let message = format!("`{source}` reports {then} where `{key}` is {now}, and no note says why");
                found.at(place, steps, message, "differs from today's fact").of(id).help("add `notes` beside it");
            }
        }
    }
}

fn differences(now: &Framework, then: &ReportedFramework) -> Vec<(&'static str, String, String)> {
    let mut all = Vec::new();
    if let (Some(now), Some(then)) = (now.multi_server, &then.multi_server) {
        let several = !then.to_lowercase().contains("single");
        if several != now {
            all.push(("multi-server", format!("{then:?}"), now.to_string()));
        }
    }
    if let (Some(now), Some(then)) = (now.status, then.status)
        && now != then
    {
        all.push(("status", then.to_string(), now.to_string()));
    }
    for (key, now, then) in [
        ("core-languages", &now.core_languages, &then.core_languages),
        ("api-languages", &now.api_languages, &then.api_languages),
    ] {
        let folded = |all: &[String]| all.iter().map(|name| normalise(name)).collect::<BTreeSet<String>>();
        if !now.is_empty() && !then.is_empty() && folded(now) != folded(then) {
            all.push((key, then.join(", "), now.join(", ")));
        }
    }
    if let (Some(now), Some(then)) = (&now.license, &then.license)
        && let (Some(a), Some(b)) = (license_family(now), license_family(then))
        && a != b
    {
        all.push(("license", format!("{then:?}"), now.clone()));
    }
    all
}
