//! The keys of a framework's file.

use super::citations::entity_citations;
use crate::model::{Diagnostic, Framework, ReportedFramework};
use crate::reading::codes;
use crate::reading::scalars::decimal;
use crate::reading::strict::StrictTable;
use crate::values::spelling::normalise;
use crate::values::{EntityId, EntityKind};

/// The SPDX expression that people mean by `apache 2`, `MIT or Apache` and the like.
fn meant_license(license: &str) -> Option<String> {
    let imprecise = spdx::Expression::canonicalize(license).ok().flatten();
    if let Some(meant) = imprecise.filter(|meant| spdx::Expression::parse(meant).is_ok()) {
        return Some(meant);
    }
    // `BSD 3` is the beginning of `BSD-3-Clause`, and the shortest id that begins so is the plain one.
    let beginning = normalise(license);
    let ids = spdx::identifiers::LICENSES.iter().map(|license| license.name);
    let begins = ids.filter(|id| !beginning.is_empty() && normalise(id).starts_with(&beginning));
    begins.min_by_key(|id| id.len()).map(str::to_owned)
}

/// `license` of a framework: an SPDX expression.
fn license(t: &mut StrictTable<'_, '_>) -> Option<String> {
    let license_span = t.value("license").map(|value| value.span());
    let license = t.text("license");
    if let (Some(license), Some(span)) = (&license, license_span)
        && let Err(error) = spdx::Expression::parse(license)
    {
        let message = format!("`license` is no SPDX expression: {license:?}");
        let label = format!("{}; see spdx.org/licenses for the ids", error.reason);
        let finding = Diagnostic::error(codes::LICENSE, t.file(), Some(span), message, label);
        t.findings().report(match meant_license(license) {
            Some(meant) => finding.help(format!("did you mean {meant:?}?")),
            None => finding,
        });
    }
    license
}

pub(super) fn framework(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Framework> {
    let entry = Framework {
        id: id.clone(),
        name: t.required_text("name").unwrap_or_default(),
        aliases: t.texts("aliases"),
        status: t.word("status"),
        status_date: t.date("status-date"),
        license: license(&mut t),
        core_languages: t.texts("core-languages"),
        api_languages: t.texts("api-languages"),
        hardware: t.words("hardware"),
        platforms: t.words("platforms"),
        platforms_by_plug_in: t.words("platforms-by-plug-in"),
        multi_server: t.flag("multi-server"),
        tested_networks: t.ids("tested-networks", EntityKind::Network),
        tested_datasets: t.ids("tested-datasets", EntityKind::Dataset),
        steward: t.text("steward"),
        first_release: t.date("first-release"),
        latest_release: t.text("latest-release"),
        latest_release_date: t.date("latest-release-date"),
        homepage: t.text("homepage"),
        repository: t.text("repository"),
        notes: t.text("notes"),
        sources: entity_citations(&mut t),
        reported: t.each_by_id("reported", EntityKind::Source, reported_framework).into_iter().collect(),
    };
    t.finish();
    Some(entry)
}

fn reported_framework(mut t: StrictTable<'_, '_>) -> ReportedFramework {
    let ratings = t
        .entries("ratings")
        .into_iter()
        .filter_map(|(name, _, value)| {
            let stars = decimal(value.get_ref()).filter(|stars| (0.0..=5.0).contains(&stars.value()));
            match stars {
                Some(stars) => Some((name.to_owned(), stars)),
                None => t.expected("ratings", value, "a number of stars from 0 to 5"),
            }
        })
        .collect();
    let entry = ReportedFramework {
        row: t.count("row").and_then(|row| u32::try_from(row).ok()),
        same_as: t.id("same-as", EntityKind::Framework),
        name: t.text("name"),
        status: t.word("status"),
        license: t.text("license"),
        core_languages: t.texts("core-languages"),
        api_languages: t.texts("api-languages"),
        hardware: t.texts("hardware"),
        multi_server: t.text("multi-server"),
        tested_networks: t.texts("tested-networks"),
        tested_datasets: t.texts("tested-datasets"),
        ratings,
        notes: t.text("notes"),
    };
    t.finish();
    entry
}
