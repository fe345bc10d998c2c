//! Finds hosts and labels that name another device than the row, or state other device or core counts.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{CatalogNames, Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::{EntityKind, HardwareClass};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(325),
    title: "a host that says otherwise",
    severity: Severity::Warning,
    page: "`host` keeps the source's words for the machine. Where they name accelerators, the row's device is one of them or of their family, or the row has the device of a neighbour. Where `host` or `device-raw` says how many cores a processor has (\"AMD EPYC 7413 24-Core Processor\"), its entry says the same: threads are not cores. A label such as `2xDSS8440x8A100` says how many machines of how many devices ran.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "device-raw = \"Acme Nova 100 16GB\"\n",
        "device-raw = \"Acme Nova 100 16GB\"\nhost = \"A workstation (Acme Nova 90)\"\n",
    ),
    check: Check::Rows(find),
};

/// Matches `24-Core Processor`.
static CORES: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?i)\b(\d{1,3})-core\b").expect("the pattern is tested"));

/// Matches counts of machines, boards and devices: `2xDSS8440x8A100`, `8xKinabalux18x4GB200`.
static SYSTEM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|[\s;])(\d{1,4})x[A-Za-z][\w.\-]*?(?:x(\d{1,3}))?x(\d{1,3})[A-Z]").expect("the pattern is tested")
});

/// The device count in a label.
fn devices_of(label: &str) -> Option<i64> {
    let system = SYSTEM.captures(label)?;
    let counts = [1, 2, 3].map(|at| system.get(at).map_or(Some(1), |count| count.as_str().parse::<i64>().ok()));
    counts.into_iter().product()
}

/// The devices named in a text: the accelerators, and a single processor with its core count.
struct Named<'l> {
    accelerators: Vec<&'l str>,
    cores: Option<(&'l str, i64)>,
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let names = CatalogNames::of(&context.loaded.catalog, EntityKind::Device);
    let class = |id: &str| context.loaded.catalog.devices.get(id).map(|device| device.class);
    let read = |text: &str| {
        let named = names.named_in(text);
        let of = |is_cpu: bool| {
            let ids = named.iter().flat_map(|(_, ids)| ids.iter().copied());
            ids.filter(move |id| class(id).is_some_and(|class| (class == HardwareClass::Cpu) == is_cpu))
        };
        let cores = CORES.captures(text).and_then(|cores| cores[1].parse().ok());
        let processors: Vec<&str> = of(true).collect();
        let processor = if let [only] = processors[..] { Some(only) } else { None };
        Named { accelerators: of(false).collect(), cores: processor.zip(cores) }
    };
    let mut texts: HashMap<&str, Named<'_>> = HashMap::new();
    // The core counts that texts state for each processor, each with the index of such a row.
    let mut cores: BTreeMap<(&str, i64), usize> = BTreeMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let counted = measurement.text(Field::Label).and_then(devices_of);
        if let Some((counted, own)) = counted.zip(measurement.count(Field::DeviceCount)).filter(|(a, b)| a != b) {
            let row = IndexedRow { at, row };
            let message = format!("the row has {own} devices, its label {counted}");
            let finding = found.in_row(&row, Field::DeviceCount.key(), message, "of one machine, or of another row?");
            finding.beside([Field::Label.key().into()], "the label");
        }
        for field in [Field::Host, Field::DeviceRaw] {
            let Some(text) = measurement.text(field) else { continue };
            let named = texts.entry(text).or_insert_with(|| read(text));
            if let Some(stated) = named.cores {
                cores.entry(stated).or_insert(at);
            }
            let Some(device) = measurement.text(Field::Device).filter(|_| field == Field::Host) else { continue };
            let is_accelerator = class(device).is_some_and(|class| class != HardwareClass::Cpu);
            let is_other = |other: &&str| !context.is_kin(other, device);
            if is_accelerator && !named.accelerators.is_empty() && named.accelerators.iter().all(is_other) {
                let row = IndexedRow { at, row };
                let message = format!("the host {text:?} has `{}`, the row `{device}`", named.accelerators[0]);
                let finding = found.in_row(&row, Field::Device.key(), message, "the device of another row?");
                finding.beside([Field::Host.key().into()], "the host");
            }
        }
    }
    for (&(id, stated), &at) in &cores {
        let entry = context.loaded.catalog.devices.get(id).and_then(|device| device.cores);
        let (Some(own), Some(place)) = (entry, context.place(EntityKind::Device, id)) else { continue };
        // Sources also err: report only if no other text confirms the entry.
        if own != stated && !cores.contains_key(&(id, own)) {
            let message = format!("`{id}` has {own} cores, by the words of a source {stated}");
            let finding = found.at(place, ["cores".into()], message, "threads, or of two processors?").of(id);
            finding.related(&context.loaded.rows[at], "the source's words");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_count_machines_boards_and_devices() {
        for (label, devices) in [
            ("closed; Dell; 2xDSS8440x8A100; bert", Some(16)),
            ("closed; Wiwynn; 8xKinabalux18x4GB200; llama", Some(576)),
            ("closed; Oracle; 8xBM.GPU.H200.8; bert", None),
        ] {
            assert_eq!(devices_of(label), devices, "{label}");
        }
    }
}
