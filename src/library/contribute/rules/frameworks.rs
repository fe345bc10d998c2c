//! Rules about frameworks: hardware that they do not run on, and surveys and tests that contradict their facts.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Citation, Code, Field, Framework, Measurement, ReportedFramework, Severity, license_family};
use crate::reading::Step;
use crate::values::text::{normalise, or_list};
use crate::values::{EntityId, EntityKind, HardwareClass, Platform, Target};

pub(in crate::contribute) const SURVEY_CONTRADICTION: Rule = Rule {
    code: Code::new(210),
    title: "a survey that disagrees with the facts, without a note",
    severity: Severity::Warning,
    page: "What a survey reported stays as it was printed, what holds stands above with its own source. Where the two disagree, a reader must be told: `notes` in the survey's table, or at the entry; of a licence they name the one that holds. An SPDX id in the notes of an entry is not of another family than its `license`. A row of the survey's table is reported by one framework: others that share it say `same-as`.",
    sample: Sample::edited("catalog/frameworks/firelight.toml", "notes = \"It is under BSD today.\"\n", ""),
    check: Check::Catalog(find_survey_contradiction),
};

fn find_survey_contradiction(context: &LintContext<'_>, found: &mut Findings) {
    find_grades(context, found);
    let mut reported: BTreeMap<(&EntityId, u32), Vec<&Framework>> = BTreeMap::new();
    for framework in context.loaded.catalog.frameworks.values() {
        for (source, row) in framework.reported.iter().filter_map(|(source, own)| Some((source, own.row?))) {
            reported.entry((source, row)).or_default().push(framework);
        }
    }
    for ((source, row), all) in reported.into_iter().filter(|(_, all)| all.len() > 1) {
        for framework in &all {
            let Some(place) = context.place(EntityKind::Framework, framework.id.as_str()) else { continue };
            let others: Vec<String> =
                all.iter().filter(|other| other.id != framework.id).map(|other| format!("`{}`", other.id)).collect();
            let message = format!("row {row} of `{source}` is `{}` and {}", framework.id, or_list(&others));
            let steps = ["reported".into(), source.as_str().into(), "row".into()];
            found.at(place, steps, message, "another framework has this row").of(&framework.id);
        }
    }
    for (id, framework) in &context.loaded.catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        if let (Some(license), Some(notes)) = (&framework.license, &framework.notes)
            && let named = license_ids(notes)
            && !named.is_empty()
            && license_family(license).is_some()
            && !named.iter().any(|named| license_family(named) == license_family(license))
        {
            let message = format!("`license` is {license}, the notes speak of {}", or_list(&named));
            let finding = found.at(place, ["license".into()], message, "not the licence of the notes");
            finding.beside(["notes".into()], "its notes").of(id);
        }
        for (source, reported) in &framework.reported {
            let notes: Vec<String> =
                [&framework.notes, &reported.notes].into_iter().flatten().map(|notes| notes.to_lowercase()).collect();
            for (key, then, now) in differences(framework, reported) {
                // A note about languages, or about the former licence, does not explain a different licence.
                let explains = |notes: &String| key != "license" || names_license(notes, &now);
                if notes.iter().any(explains) {
                    continue;
                }
                let steps: [Step; 3] = ["reported".into(), source.as_str().into(), key.into()];
                let message = format!("`{source}` reports {then} where `{key}` is {now}, and no note says why");
                // Projects hardly ever change their licence, so the fact is more likely wrong.
                let finding = match key {
                    "license" => found
                        .at(place, [key.into()], message, "differs from what was reported")
                        .beside(steps, "what was reported"),
                    _ => found.at(place, steps, message, "differs from today's fact"),
                };
                finding.of(id).help("add `notes` that say why");
            }
        }
    }
}

/// Reports grades that differ from those printed in a survey.
fn find_grades(context: &LintContext<'_>, found: &mut Findings) {
    for (id, class) in &context.loaded.catalog.hardware_classes {
        let Some(place) = context.place(EntityKind::HardwareClass, &id.to_string()) else { continue };
        for (source, printed) in &class.reported {
            for (metric, then) in printed {
                let Some(now) = class.grades.get(metric).map(|grade| grade.grade.to_string()) else { continue };
                if !now.eq_ignore_ascii_case(then) {
                    let message = format!("`{source}` grades {metric} {then:?}, and it is {now:?} here");
                    let steps = ["grades".into(), metric.as_str().into(), "grade".into()];
                    found.at(place, steps, message, "differs from what was printed").of(id);
                }
            }
        }
    }
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '.').map(|word| word.trim_matches(['-', '.']))
}

/// The SPDX ids in a text. Words without a hyphen do not count: `MIT` is an id, but also a university.
fn license_ids(text: &str) -> Vec<&str> {
    words(text).filter(|word| word.contains('-') && spdx::license_id(word).is_some()).collect()
}

/// Whether a lower-case text mentions the family of a licence.
fn names_license(text: &str, license: &str) -> bool {
    let is_of = |word: &str, family| ["", "l", "a"].iter().any(|kind| word.strip_prefix(kind) == Some(family));
    let named = |family| words(text).any(|word| is_of(word.split('-').next().unwrap_or_default(), family));
    license_family(license).is_none_or(named)
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

pub(in crate::contribute) const IMPOSSIBLE_TEST: Rule = Rule {
    code: Code::new(211),
    title: "a test on a network that could not be run",
    severity: Severity::Warning,
    page: "The source that says so is older than the network's paper: a survey of 2018 cannot tell of a network of 2020. The network is another one of that name, or another source is meant.",
    sample: Sample::edited("catalog/frameworks/firelight.toml", "deepnet-18", "deepnet-gate"),
    check: Check::Catalog(find_impossible_test),
};

fn find_impossible_test(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    for (id, framework) in &catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        let covers = |citation: &&Citation| citation.facts.iter().any(|fact| fact == "tested-networks");
        let named: Vec<&Citation> = framework.sources.iter().filter(covers).collect();
        let rest = framework.sources.iter().filter(|citation| citation.facts.is_empty());
        let sources = if named.is_empty() { rest.collect() } else { named };
        // The latest of the sources may be the one that lists the test; a page without a catalog entry was read recently.
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

pub(in crate::contribute) const PLATFORM_CLASS: Rule = Rule {
    code: Code::new(224),
    title: "kinds of hardware that disagree with the makers named",
    severity: Severity::Warning,
    page: "`hardware` of a framework says of what kinds the devices are that it runs on, `platforms` and `platforms-by-plug-in` which makers' they are. A kind of which no maker is named, or a maker's device whose kind is missing, makes a filter answer falsely. Where rows show what it runs on, the list that lacks it is told.",
    sample: Sample::edited(
        "catalog/frameworks/firelight.toml",
        "hardware = [\"gpu\"]",
        "hardware = [\"gpu\"]\nplatforms = [\"nvidia-gpu\", \"x86-cpu\"]",
    ),
    check: Check::Catalog(find_platform_class),
};

fn find_platform_class(context: &LintContext<'_>, found: &mut Findings) {
    let ran_on = ran_on(context);
    for (id, framework) in &context.loaded.catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        let named = || framework.platforms.iter().chain(&framework.platforms_by_plug_in);
        if named().next().is_none() || framework.hardware.is_empty() {
            continue;
        }
        // Hardware in measured rows is supported, so the list without it is wrong.
        let has_run = |target: Target| ran_on.contains(&(id.as_str(), class_of(target)));
        let lacks = |platform: &&Platform| !has(&framework.hardware, **platform);
        for (key, platforms) in
            [("platforms", &framework.platforms), ("platforms-by-plug-in", &framework.platforms_by_plug_in)]
        {
            let Some(platform) = platforms.iter().find(lacks) else { continue };
            let target = platform.target();
            let alike = named().filter(|other| other.target() == target).count();
            let message = format!("`{platform}` is a {target}, which `hardware` does not have");
            match alike > 1 || has_run(target) {
                true => found.at(place, ["hardware".into()], message, format!("{target} is missing")),
                false => found.at(place, [key.into()], message, "its kind is missing in `hardware`"),
            }
            .of(id);
            break;
        }
        let unnamed =
            |target: &&Target| **target != Target::Mobile && !named().any(|platform| has(&[**target], *platform));
        if let Some(target) = framework.hardware.iter().find(unnamed) {
            let message = format!("`hardware` has {target}, and `platforms` names no maker's");
            let key = if has_run(*target) { "platforms" } else { "hardware" };
            found.at(place, [key.into()], message, "of which maker?").of(id);
        }
    }
}

/// The frameworks with the hardware classes that they were measured on. Rows with a backend are skipped: the backend runs.
fn ran_on<'l>(context: &LintContext<'l>) -> HashSet<(&'l str, HardwareClass)> {
    let rows = context.loaded.rows.iter().map(|row| row.get()).filter(|row| row.text(Field::Backend).is_none());
    let of_row = |row: &'l Measurement| {
        let device = context.loaded.catalog.devices.get(row.text(Field::Device)?)?;
        Some((row.text(Field::Framework)?, device.class))
    };
    rows.filter_map(of_row).collect()
}

/// The hardware class of a target. A phone has several classes; its processor is the one that everything runs on.
fn class_of(target: Target) -> HardwareClass {
    match target {
        Target::Cpu | Target::Mobile => HardwareClass::Cpu,
        Target::Gpu => HardwareClass::Gpu,
        Target::Fpga => HardwareClass::Fpga,
        Target::Asic | Target::Tpu => HardwareClass::Asic,
    }
}

/// Whether the listed hardware includes a platform. TPUs are ASICs, and phones contain the platforms of [`IN_PHONES`].
fn has(hardware: &[Target], platform: Platform) -> bool {
    let target = platform.target();
    hardware.iter().any(|own| match own {
        Target::Mobile => IN_PHONES.contains(&platform),
        Target::Asic | Target::Tpu => matches!(target, Target::Asic | Target::Tpu),
        own => *own == target,
    })
}

/// Platforms found in phones and single-board computers.
const IN_PHONES: &[Platform] = &[
    Platform::AnyCpu,
    Platform::ArmCpu,
    Platform::Microcontroller,
    Platform::AppleGpu,
    Platform::QualcommGpu,
    Platform::ArmGpu,
    Platform::VulkanGpu,
    Platform::OpenclGpu,
    Platform::WebgpuGpu,
    Platform::EdgeTpu,
    Platform::AppleNpu,
    Platform::QualcommNpu,
    Platform::MediatekNpu,
    Platform::SamsungNpu,
    Platform::ArmNpu,
    Platform::RockchipNpu,
    Platform::NxpNpu,
];

pub(in crate::contribute) const WRONG_HARDWARE: Rule = Rule {
    code: Code::new(305),
    title: "a framework on hardware that it does not run on",
    severity: Severity::Warning,
    page: "The framework's entry lists the hardware it runs on, and the class of the row's device, or the maker's kind that its documents name, is not among it. The entry is incomplete, or the row names another framework or device.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""nova-100-16gb""#, r#""core-9""#),
    check: Check::Row(find_wrong_hardware),
};

fn find_wrong_hardware(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let catalog = &context.loaded.catalog;
    let framework = measurement.text(Field::Framework).and_then(|id| catalog.frameworks.get(id));
    let device = measurement.text(Field::Device).and_then(|id| catalog.devices.get(id));
    let (Some(framework), Some(device)) = (framework, device) else { return };
    // If the row has a backend, the backend is what runs.
    if framework.hardware.is_empty() || measurement.text(Field::Backend).is_some() {
        return;
    }
    let runs = framework.hardware.iter().any(|target| match target {
        Target::Cpu => device.class == HardwareClass::Cpu,
        Target::Gpu => device.class == HardwareClass::Gpu,
        Target::Fpga => device.class == HardwareClass::Fpga,
        Target::Asic | Target::Tpu => device.class == HardwareClass::Asic,
        // A phone has all classes.
        Target::Mobile => true,
    });
    if !runs {
        let message = format!("`{}` is a {}, which `{}` does not run on", device.id, device.class, framework.id);
        found
            .in_row(row, "framework", message, "its entry lists no such hardware")
            .help(format!("mend the row, or `hardware` in catalog/frameworks/{}.toml", framework.id))
            .rests_on(EntityKind::Framework, Some(framework.id.as_str()), "hardware")
            .rests_on(EntityKind::Device, Some(device.id.as_str()), "class");
        return;
    }
    let named = || framework.platforms.iter().chain(&framework.platforms_by_plug_in);
    let Some(vendor) = &device.vendor else { return };
    let judged = named().filter_map(|platform| platform.is_of(vendor, device.class)).collect::<Vec<_>>();
    if judged.iter().any(|is_of| *is_of) || judged.is_empty() {
        return;
    }
    let message = format!("`{}` is a {} of {vendor}, which `{}` does not name", device.id, device.class, framework.id);
    found
        .in_row(row, "framework", message, "`platforms` of its entry lists no such hardware")
        .help(format!("mend the row, or `platforms` in catalog/frameworks/{}.toml", framework.id))
        .rests_on(EntityKind::Framework, Some(framework.id.as_str()), "platforms")
        .rests_on(EntityKind::Device, Some(device.id.as_str()), "vendor");
}
