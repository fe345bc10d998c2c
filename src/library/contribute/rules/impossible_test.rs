//! A test on a network that could not be run.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Citation, Code, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(211),
    title: "a test on a network that could not be run",
    severity: Severity::Warning,
    page: "The source that says so is older than the network's paper: a survey of 2018 cannot tell of a network of 2020. The network is another one of that name, or another source is meant.",
    sample: Sample::edited("catalog/frameworks/firelight.toml", "deepnet-18", "deepnet-gate"),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    for (id, framework) in &catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        let covers = |citation: &&Citation| citation.facts.iter().any(|fact| fact == "tested-networks");
        let named: Vec<&Citation> = framework.sources.iter().filter(covers).collect();
        let rest = framework.sources.iter().filter(|citation| citation.facts.is_empty());
        let sources = if named.is_empty() { rest.collect() } else { named };
        // The latest of them may have said so; a page without an entry was read lately.
        let years = sources.iter().map(|citation| {
            let source = citation.source.as_ref().and_then(|source| catalog.sources.get(source))?;
            source.year
        });
        let Some(year) = years.collect::<Option<Vec<i64>>>().and_then(|years| years.into_iter().max()) else {
            continue;
        };
        for (at, network) in framework.tested_networks.iter().enumerate() {
            let appeared = catalog.networks.get(network).and_then(|network| network.year);
            if let Some(appeared) = appeared.filter(|appeared| *appeared > year) {
                let message = format!("`{network}` is of {appeared}, the source of its test of {year}");
                found.at(place, ["tested-networks".into(), at.into()], message, "not yet there").of(id);
            }
        }
    }
}
