//! An address that is none.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample, cited_urls};
use crate::model::{Code, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(214),
    title: "an address that is none",
    severity: Severity::Error,
    page: "A URL begins with `https://` or `http://`, names a host, and has no blanks. A DOI is `10.…/…` without an address in front.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "https://example.org", "example.org"),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    for address in cited_urls(context.loaded) {
        let rest = address.url.strip_prefix("https://").or_else(|| address.url.strip_prefix("http://"));
        let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
        let good = host.is_some_and(|host| host.contains('.')) && !address.url.contains(char::is_whitespace);
        if !good {
            let message = format!("{:?} is no address", address.url);
            found.at(&address.place, address.steps, message, "expected https://…").of(&address.id);
        }
    }
    for (id, source) in &context.loaded.catalog.sources {
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        if let Some(doi) = source.doi.as_ref().filter(|doi| !(doi.starts_with("10.") && doi.contains('/'))) {
            found.at(place, ["doi".into()], format!("{doi:?} is no DOI"), "expected 10.…/…").of(id);
        }
    }
}
