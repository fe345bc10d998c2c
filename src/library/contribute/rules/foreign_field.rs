//! A field that holds something else.

use crate::contribute::rule_interface::{CatalogNames, Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::{EntityKind, HardwareClass};

use std::collections::HashMap;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(316),
    title: "a field that holds something else",
    severity: Severity::Warning,
    page: "`host` is the machine and its processor, not the accelerator that was measured; `os` is a system, not a processor; no run has five thousand threads; an instance of a cloud holds the devices that the catalog knows of it.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"device-raw = "Acme Nova 100 16GB""#,
        "device-raw = \"Acme Nova 100 16GB\"\nhost = \"Acme Nova 100 16 GB\"",
    ),
    check: Check::Rows(find),
};

/// The largest machines of one image have fewer.
const MOST_THREADS: i64 = 4096;

/// Words of a processor that no system is called by.
const PROCESSORS: &[&str] =
    &["xeon", "epyc", "ryzen", "core i3", "core i5", "core i7", "core i9", "cortex-a", "cortex-m"];
/// Words of systems: a text may name both.
const SYSTEMS: &[&str] =
    &["linux", "ubuntu", "windows", "macos", "android", "debian", "centos", "red hat", "rhel", "sles", "rocky"];

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let devices = CatalogNames::of(&context.loaded.catalog, EntityKind::Device);
    let mut hosts: HashMap<&str, Option<String>> = HashMap::new();
    let offers = offers(context);
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let row = IndexedRow { at, row };
        if let Some(host) = measurement.text(Field::Host) {
            let accelerator = hosts.entry(host).or_insert_with(|| accelerator(context, &devices, host));
            if let Some(id) = accelerator {
                let message = format!("the host {host:?} is the accelerator `{id}`");
                found.in_row(&row, Field::Host.key(), message, "not a machine");
            }
        }
        if let Some(os) = measurement.text(Field::Os) {
            let lower = os.to_lowercase();
            let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
            if says(PROCESSORS) && !says(SYSTEMS) {
                found.in_row(&row, Field::Os.key(), format!("{os:?} is a processor"), "not an operating system");
            }
        }
        if let Some(threads) = measurement.count(Field::Threads).filter(|threads| *threads > MOST_THREADS) {
            found.in_row(
                &row,
                Field::Threads.key(),
                format!("{threads} threads of one host"),
                "more than any machine has",
            );
        }
        if let (Some(instance), Some(device)) = (measurement.text(Field::Instance), measurement.text(Field::Device))
            && let Some(holds) = offers.get(instance)
            && is_gpu(context, device)
            && holds.iter().all(|held| is_gpu(context, held) && !context.is_kin(held, device))
        {
            let message = format!("the instance {instance} holds `{}`, not `{device}`", holds[0]);
            found
                .in_row(&row, Field::Instance.key(), message, "another device is in it")
                .beside([Field::Device.key().into()], "the row's")
                .rests_on(EntityKind::Device, Some(device), "variant-of")
                .rests_on(EntityKind::Device, Some(holds[0]), "variant-of");
        }
    }
}

/// An instance may have any of several processors, and names its accelerator.
fn is_gpu(context: &LintContext<'_>, id: &str) -> bool {
    context.loaded.catalog.devices.get(id).is_some_and(|device| device.class == HardwareClass::Gpu)
}

/// The devices of each instance that the catalog knows.
fn offers<'l>(context: &LintContext<'l>) -> HashMap<&'l str, Vec<&'l str>> {
    let mut all: HashMap<&str, Vec<&str>> = HashMap::new();
    for device in context.loaded.catalog.devices.values() {
        for offer in &device.cloud {
            all.entry(offer.instance.as_str()).or_default().push(device.id.as_str());
        }
    }
    all
}

/// The accelerator that a text is the name of, with nothing besides.
fn accelerator(context: &LintContext<'_>, devices: &CatalogNames<'_>, host: &str) -> Option<String> {
    let named = devices.named_in(host);
    let [(name, ids)] = named.as_slice() else { return None };
    let all = crate::values::text::normalise(host).len();
    let id = ids.first().filter(|_| name.len() + 4 >= all)?;
    let device = context.loaded.catalog.devices.get(*id)?;
    (device.class != HardwareClass::Cpu).then(|| (*id).to_owned())
}
