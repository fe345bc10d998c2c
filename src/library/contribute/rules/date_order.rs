//! Dates in the wrong order.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(206),
    title: "dates in the wrong order",
    severity: Severity::Error,
    page: "A commit is not read before it was made; an offer does not precede the device, nor a latest release the first; a network does not appear in a source that is older than its paper. One of the two dates is wrong.",
    sample: Sample::edited(
        "catalog/sources/imagined-2018.toml",
        "commit-date = 2018-11-03",
        "commit-date = 2026-11-30",
    ),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    for (id, source) in &catalog.sources {
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        if let (Some(commit), Some(accessed)) = (source.commit_date, source.accessed)
            && accessed.is_before(commit)
        {
            let message = format!("`{id}` was read on {accessed}, before its commit of {commit}");
            found
                .at(place, ["commit-date".into()], message, "later than `accessed`")
                .of(id)
                .beside(["accessed".into()], "when it was read");
        }
        if let (Some(year), Some(accessed)) = (source.year, source.accessed)
            && i64::from(accessed.year()) < year
        {
            let message = format!("`{id}` is of {year}, but was read in {}", accessed.year());
            found
                .at(place, ["year".into()], message, "later than `accessed`")
                .of(id)
                .beside(["accessed".into()], "when it was read");
        }
    }
    for (id, framework) in &catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        if let (Some(first), Some(latest)) = (framework.first_release, framework.latest_release_date)
            && latest.is_before(first)
        {
            found
                .at(
                    place,
                    ["latest-release-date".into()],
                    format!("`{id}` came out on {first}, its latest release on {latest}"),
                    "before the first one",
                )
                .of(id)
                .beside(["first-release".into()], "the first release");
        }
    }
    for (id, device) in &catalog.devices {
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        for (at, offer) in device.cloud.iter().enumerate() {
            if let (Some(released), Some(as_of)) = (device.release_date, offer.as_of)
                && as_of.is_before(released)
            {
                let message = format!("`{id}` came out on {released}, but was for rent on {as_of}");
                found
                    .at(place, ["cloud".into(), at.into(), "as-of".into()], message, "before its release")
                    .of(id)
                    .beside(["release-date".into()], "the release");
            }
        }
    }
}
