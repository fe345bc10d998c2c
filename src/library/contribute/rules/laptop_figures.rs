//! The entry of a laptop's device with the figures of the desktop board of the same name.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Device, NumberFormat, Severity};
use crate::reading::{Located, Step};
use crate::values::text::normalise;
use crate::values::{Decimal, EntityKind, HardwareClass};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(222),
    title: "a laptop's device with the figures of the desktop board",
    severity: Severity::Warning,
    page: "A laptop's GPU shares the name of a desktop board and little else: it draws half the power or less, and has another chip, fewer cores or slower memory. An entry with the desktop's power, or with its bandwidth, peak or cores where nothing else says that both have one chip, was copied from the desktop board. The vendor's page of the laptop part, or TechPowerUp's, has its own figures.",
    sample: Sample::edited("catalog/devices/nova-90-laptop.toml", "tdp-w = 90", "tdp-w = 200"),
    check: Check::Catalog(find),
};

/// Words of a laptop's form, as people write them.
const FORMS: &[&str] =
    &["laptop gpu", "laptop", "notebook", "mobile", "max-q design", "max-q", "maxq", "max q", "with"];

/// The name without the words of a laptop's form, normalised; `None` where it has none.
fn desktop_name(name: &str) -> Option<String> {
    let mut plain = name.to_lowercase();
    for form in FORMS {
        plain = plain.replace(form, " ");
    }
    let has_form = FORMS.iter().any(|form| *form != "with" && name.to_lowercase().contains(form));
    // `RTX 5070m`, `RX 7900M`, `A770M`: a number of three or four figures and an `m`.
    let mut words: Vec<String> = plain.split_whitespace().map(str::to_owned).collect();
    let mut has_m = false;
    for word in &mut words {
        let of_m = |stem: &str| {
            let figures = stem.bytes().rev().take_while(u8::is_ascii_digit).count();
            (3..=4).contains(&figures)
        };
        if !has_form && let Some(stem) = word.strip_suffix('m').filter(|stem| of_m(stem)) {
            *word = stem.to_owned();
            has_m = true;
        }
    }
    (has_form || has_m).then(|| board_name(&words.join(" ")))
}

/// A name, normalised, without maker, product line, and the size or power that tells its members apart.
fn board_name(name: &str) -> String {
    static SIZE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)[(,]?\s*\b\d+\s*(?:gb|gib|g|w|watt)\b\s*\)?").expect("the pattern is tested")
    });
    let normal = normalise(&SIZE.replace_all(name, " "));
    let mut name = normal.as_str();
    for word in ["nvidia", "amd", "intel", "geforce", "radeon", "quadro"] {
        name = name.strip_prefix(word).unwrap_or(name);
    }
    name.to_owned()
}

/// A fact and what it is in an entry.
type Figure = (&'static str, fn(&Device) -> Option<f64>);

fn number(value: Option<Decimal>) -> Option<f64> {
    value.map(|value| value.value())
}

const FIGURES: &[Figure] = &[
    ("bandwidth-gb-per-s", |d| number(d.bandwidth_gb_per_s)),
    ("cores", |d| d.cores.map(|cores| cores as f64)),
    ("peak-tflops.fp32", |d| number(d.peak_tflops.get(&NumberFormat::Fp32).copied())),
    ("peak-tflops.fp16-tensor", |d| number(d.peak_tflops.get(&NumberFormat::Fp16Tensor).copied())),
    ("boost-clock-mhz", |d| number(d.boost_clock_mhz)),
];

/// A laptop part draws less than this share of the desktop board's power.
const MOST_POWER: f64 = 0.95;

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let devices = &context.loaded.catalog.devices;
    let mut boards: BTreeMap<String, Vec<&Device>> = BTreeMap::new();
    for device in devices.values() {
        let spellings = device.aliases.iter().chain([&device.name]);
        for spelling in spellings.filter(|spelling| desktop_name(spelling).is_none()) {
            let members = boards.entry(board_name(spelling)).or_default();
            if !members.iter().any(|known| known.id == device.id) {
                members.push(device);
            }
        }
    }
    for (id, device) in devices.iter().filter(|(_, device)| device.class == HardwareClass::Gpu) {
        let spellings = device.aliases.iter().chain([&device.name]);
        let mut names = spellings.filter_map(|spelling| desktop_name(spelling));
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        let Some(boards) = names.find_map(|name| boards.get(&name)) else { continue };
        for board in boards.iter().filter(|board| board.id != *id) {
            if compare(device, board, place, found) {
                break;
            }
        }
    }
}

/// Tells of the figures that a laptop's device shares with a board; whether it shares any.
fn compare(device: &Device, board: &Device, place: &Located<()>, found: &mut Findings) -> bool {
    let id = &device.id;
    let mut is_copied = false;
    let power = number(device.tdp_w).zip(number(board.tdp_w)).filter(|(own, other)| *own >= other * MOST_POWER);
    if let Some((own, other)) = power {
        let message = format!("`{id}` draws {own} W, and the desktop's `{}` {other} W", board.id);
        found.at(place, ["tdp-w".into()], message, "the power of the desktop board?").of(id);
        is_copied = true;
    }
    let is_of_chip = device.chip.is_some() && device.chip == board.chip;
    if is_of_chip && device.cores.is_some() && device.cores == board.cores {
        return is_copied;
    }
    for (key, figure) in FIGURES {
        let same = figure(device).zip(figure(board)).filter(|(own, other)| own == other);
        // One chip with fewer cores may have the same memory and clock.
        if is_of_chip && matches!(*key, "bandwidth-gb-per-s" | "boost-clock-mhz") {
            continue;
        }
        if let Some((own, _)) = same {
            let message = format!("`{id}` has `{key}` = {own}, as the desktop's `{}`", board.id);
            let steps = key.split('.').map(Step::from);
            found.at(place, steps, message, "the figure of the desktop board?").of(id);
            is_copied = true;
        }
    }
    is_copied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_desktop_board_of_a_laptop_name_is_known() {
        for (name, board) in [
            ("GeForce RTX 5090 Laptop GPU", Some("rtx5090")),
            ("RTX 2070 with Max-Q Design", Some("rtx2070")),
            ("RTX 5070 Mobile", Some("rtx5070")),
            ("RTX5070m", Some("rtx5070")),
            ("NVIDIA RTX 4080 Mobile (150W)", Some("rtx4080")),
            ("GeForce RTX 3080 Max-Q 8GB", Some("rtx3080")),
            ("Radeon RX 7900M", Some("rx7900")),
            ("Arc A770M", Some("arca770")),
            ("RTX 5090", None),
            ("Snapdragon 8", None),
        ] {
            assert_eq!(desktop_name(name).as_deref(), board, "{name}");
        }
    }
}
