//! Finds combinations of software versions that are impossible.

use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::{EntityKind, HardwareClass};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(313),
    title: "versions of software that cannot be together",
    severity: Severity::Warning,
    page: "CUDA has versions from 1 to 13 and runs on NVIDIA's devices; each generation of them has a first version (Pascal 8.0, Volta 9.0, Turing 10.0, Ampere 11.0, Ada and Hopper 11.8, Blackwell 12.8: NVIDIA's matrix of toolkits and architectures) and a last one (Kepler 11, Volta 12). cuDNN has versions up to 9 and is no older than 5.0 with CUDA 9, a driver has three digits before its point. Versions that stand in each other's place break this, and so does a framework's version that no other row comes near, or that is written like a driver's.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"precision = "fp32""#,
        "precision = \"fp32\"\ncuda = \"31.2\"",
    ),
    check: Check::Rows(find),
};

/// A compute capability, the first CUDA version for it and those above, the first without it: NVIDIA's "CUDA Toolkit, Driver,
/// and Architecture Matrix" (docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html).
const SUPPORT: &[((u32, u32), f64, f64)] = &[
    ((10, 0), 12.8, LATEST_CUDA),
    ((8, 9), 11.8, LATEST_CUDA),
    ((8, 0), 11.0, LATEST_CUDA),
    ((7, 5), 10.0, LATEST_CUDA),
    ((7, 0), 9.0, 13.0),
    ((6, 0), 8.0, 13.0),
    ((5, 0), 6.5, 13.0),
    ((3, 5), 6.0, 12.0),
    ((3, 0), 6.0, 11.0),
];

/// Code can be compiled at load time for the next generation, so the previous major version also works. A chip with an
/// integrated processor (6.2, 7.2, 8.7 …) has the version in its board's system, which is made for it.
const COMPILED_AHEAD: f64 = 1.0;

fn compiled_ahead((_, minor): (u32, u32)) -> f64 {
    if matches!(minor, 2 | 3 | 7) { 0.0 } else { COMPILED_AHEAD }
}

/// The latest versions of CUDA and cuDNN, with a margin for the next one.
const LATEST_CUDA: f64 = 14.0;
const LATEST_CUDNN: f64 = 10.0;
/// Driver versions have had three digits since 2006.
const FIRST_DRIVER: f64 = 90.0;

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let majors = majors(context);
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let row = IndexedRow { at, row };
        cuda(context, &row, found);
        framework(context, &majors, &row, found);
    }
}

/// The version as a number: `12.1.1` is 12.1. Ignores a letter in front (`R4`).
fn number(text: &str) -> Option<f64> {
    let text = text.trim_start_matches(['v', 'V', 'R', 'r']);
    let mut parts = text.split('.');
    let (major, minor) = (parts.next()?, parts.next().unwrap_or("0"));
    let digits: String = minor.chars().take_while(char::is_ascii_digit).collect();
    let version: f64 = format!("{major}.{digits}").parse().ok()?;
    // PyTorch prints cuDNN 7.6.5 as 7605.
    Some(if version >= 1000.0 { (version / 100.0).trunc() / 10.0 } else { version })
}

fn cuda(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let version = |field| measurement.text(field).and_then(number);
    let device = measurement.text(Field::Device);
    let entry = device.and_then(|id| context.loaded.catalog.devices.get(id));
    let (cuda, cudnn) = (version(Field::Cuda), version(Field::Cudnn));
    if let Some(text) = measurement.text(Field::Cuda).filter(|text| !text.starts_with(|c: char| c.is_ascii_digit())) {
        found
            .in_row(
                row,
                Field::Cuda.key(),
                format!("{text:?} is not a version of CUDA"),
                "the version of something else?",
            )
            .beside([Field::FrameworkVersion.key().into()], "exchanged with this?");
    }
    if let Some(cuda) = cuda {
        let key = Field::Cuda.key();
        if !(1.0..LATEST_CUDA).contains(&cuda) {
            found.in_row(row, key, format!("there is no CUDA {cuda}"), "the version of something else?");
        } else if let Some((own, first, without)) = device.and_then(|id| supported(context.capability(id)?)) {
            let told = match () {
                () if cuda + compiled_ahead(own) < first => Some((format!("{first:.1} is the first"), "too old")),
                () if cuda >= without => Some((format!("the last one is before {without:.1}"), "too new")),
                () => None,
            };
            if let Some((bound, label)) = told {
                let message =
                    format!("CUDA {cuda:.1} does not support compute capability {}.{}: {bound}", own.0, own.1);
                found.in_row(row, key, message, format!("{label} for the device")).rests_on(
                    EntityKind::Device,
                    device,
                    "compute-capability",
                );
            }
        }
    }
    if let Some(cudnn) = cudnn.filter(|cudnn| *cudnn >= LATEST_CUDNN) {
        found.in_row(row, Field::Cudnn.key(), format!("there is no cuDNN {cudnn}"), "the version of something else?");
    } else if let (Some(cuda), Some(cudnn)) = (cuda, cudnn)
        && (cuda >= 9.0 && cudnn < 5.0 || cuda < 7.0 && cudnn >= 7.0)
    {
        let message = format!("there is no cuDNN {cudnn} for CUDA {cuda}");
        found
            .in_row(row, Field::Cudnn.key(), message, "not of one time")
            .beside([Field::Cuda.key().into()], "with this");
    }
    if let Some(driver) = version(Field::Driver).filter(|driver| *driver < FIRST_DRIVER && cuda.is_some()) {
        found.in_row(
            row,
            Field::Driver.key(),
            format!("there is no driver {driver}"),
            "the version of something else?",
        );
    }
    let foreign = entry.filter(|entry| {
        entry.class != HardwareClass::Gpu || entry.vendor.as_deref().is_some_and(|vendor| vendor != "NVIDIA")
    });
    if let (Some(entry), true) = (foreign, measurement.text(Field::Cuda).is_some()) {
        let message = format!("CUDA does not run on `{}`", entry.id);
        found
            .in_row(row, Field::Device.key(), message, "no device of CUDA")
            .beside([Field::Cuda.key().into()], "its version")
            .rests_on(EntityKind::Device, device, "vendor")
            .rests_on(EntityKind::Device, device, "class");
    }
}

/// A compute capability, the first CUDA version that supports it, and the first that no longer does.
fn supported(capability: (u32, u32)) -> Option<((u32, u32), f64, f64)> {
    SUPPORT.iter().find(|(from, ..)| capability >= *from).map(|(_, first, without)| (capability, *first, *without))
}

/// The major versions of each framework, with the sources that have them.
type Majors<'l> = std::collections::BTreeMap<&'l str, Vec<(u64, Vec<&'l str>)>>;

fn majors<'l>(context: &LintContext<'l>) -> Majors<'l> {
    let mut all: Majors<'l> = Majors::new();
    for row in &context.loaded.rows {
        let measurement = row.get();
        let (Some(framework), Some(major)) =
            (measurement.text(Field::Framework), major(measurement.text(Field::FrameworkVersion)))
        else {
            continue;
        };
        let known = all.entry(framework).or_default();
        let file = row.file().path.to_str().unwrap_or_default();
        match known.iter_mut().find(|(own, _)| *own == major) {
            Some((_, files)) if files.len() < 2 && !files.contains(&file) => files.push(file),
            Some(_) => {}
            None => known.push((major, vec![file])),
        }
    }
    all
}

fn major(version: Option<&str>) -> Option<u64> {
    version?.trim_start_matches(['v', 'V']).split('.').next()?.parse().ok()
}

fn framework(context: &LintContext<'_>, majors: &Majors<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let (Some(framework), Some(own)) =
        (measurement.text(Field::Framework), major(measurement.text(Field::FrameworkVersion)))
    else {
        return;
    };
    let known = majors.get(framework).map(Vec::as_slice).unwrap_or_default();
    let file = row.row.file().path.to_str().unwrap_or_default();
    let others: Vec<u64> =
        known.iter().filter(|(_, files)| files.iter().any(|other| *other != file)).map(|(major, _)| *major).collect();
    let latest =
        context.loaded.catalog.frameworks.get(framework).and_then(|entry| major(entry.latest_release.as_deref()));
    let highest = others.iter().copied().max().max(latest);
    if let Some(text) = measurement.text(Field::FrameworkVersion).filter(|text| DRIVER.is_match(text)) {
        let message = format!("{text} is written like the version of a driver, not of `{framework}`");
        found.in_row(row, Field::FrameworkVersion.key(), message, "is this `driver`?");
        return;
    }
    // Container versions are year and month: 21.03.
    if let Some(highest) =
        highest.filter(|highest| own > highest + if *highest < 12 { MOST_MAJORS_APART } else { MOST_YEARS_APART })
    {
        let message =
            format!("`{framework}` {own} is far above {highest}, the highest that any other row or its entry has");
        found.in_row(row, Field::FrameworkVersion.key(), message, "the version of something else?");
    }
}

/// Matches an NVIDIA driver version such as `535.104.05`.
static DRIVER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[3-9]\d\d\.\d{2,3}(?:\.\d{2})?$").expect("the pattern is tested"));

/// Maximum distance in years between two sources' container versions.
const MOST_YEARS_APART: u64 = 12;

/// Maximum number of major versions that a framework advances between two sources.
const MOST_MAJORS_APART: u64 = 4;
