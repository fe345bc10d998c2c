//! The keys of a device's file, and of a collection's device.

use std::collections::BTreeMap;

use strum::VariantArray as _;
use toml::de::DeValue;

use super::citations::entity_citations;
use crate::model::{CloudOffer, Device, Diagnostic, NumberFormat, Value};
use crate::reading::scalars::{decimal, integer};
use crate::reading::strict::StrictTable;
use crate::reading::table_keys::ValueKind;
use crate::reading::unknown_key::unknown_key;
use crate::values::{Decimal, EntityId, EntityKind, HardwareClass};

/// Reads a device; `None` where it does not say of which class it is.
pub(in crate::reading) fn device(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Device> {
    let name = t.required_text("name");
    let aliases = t.texts("aliases");
    let variant_of = t.id("variant-of", EntityKind::Device);
    t.require("class");
    let class: Option<HardwareClass> = t.word("class");
    let entry = Device {
        id: id.clone(),
        name: name.unwrap_or_default(),
        aliases,
        variant_of,
        // Without a class there is no entry, but its other keys are read all the same.
        class: class.unwrap_or(HardwareClass::Gpu),
        vendor: t.text("vendor"),
        architecture: t.text("architecture"),
        chip: t.text("chip"),
        form_factor: t.text("form-factor"),
        memory_gib: t.decimal("memory-gib"),
        memory_type: t.text("memory-type"),
        bandwidth_gb_per_s: t.decimal("bandwidth-gb-per-s"),
        cores: t.count("cores"),
        tensor_cores: t.count("tensor-cores"),
        tdp_w: t.decimal("tdp-w"),
        base_clock_mhz: t.decimal("base-clock-mhz"),
        boost_clock_mhz: t.decimal("boost-clock-mhz"),
        process_nm: t.decimal("process-nm"),
        release_date: t.date("release-date"),
        launch_price_usd: t.decimal("launch-price-usd"),
        compute_capability: t.text("compute-capability"),
        pci_ids: t.texts("pci-ids"),
        notes: t.text("notes"),
        peak_tflops: peaks(&mut t),
        cloud: t.each("cloud", cloud_offer),
        sources: entity_citations(&mut t),
        reported: claims(&mut t),
    };
    t.finish();
    class.map(|_| entry)
}

fn peaks(t: &mut StrictTable<'_, '_>) -> BTreeMap<NumberFormat, Decimal> {
    let mut peaks = BTreeMap::new();
    t.note("peak-tflops", ValueKind::Numbers(NumberFormat::VARIANTS.iter().map(|&format| format.into()).collect()));
    for (name, span, value) in t.entries("peak-tflops") {
        match (name.parse::<NumberFormat>(), decimal(value.get_ref())) {
            (Ok(format), Some(peak)) if peak.value() > 0.0 => drop(peaks.insert(format, peak)),
            (Ok(_), _) => drop(t.expected::<()>(name, value, "a number above 0, in TFLOP/s")),
            (Err(_), _) => {
                let formats = NumberFormat::VARIANTS.iter().map(|&format| format.into());
                let finding: Diagnostic = unknown_key(t.file(), span, name, formats);
                t.findings().report(finding);
            }
        }
    }
    peaks
}

/// Reads a cloud instance that holds the device.
pub(in crate::reading) fn cloud_offer(mut t: StrictTable<'_, '_>) -> Option<CloudOffer> {
    let provider = t.required_text("provider");
    let instance = t.required_text("instance");
    t.require("source");
    let (devices, usd_per_hour) = (t.count("devices"), t.decimal("usd-per-hour"));
    let (as_of, source) = (t.date("as-of"), t.id("source", EntityKind::Source));
    t.finish();
    Some(CloudOffer { devices, usd_per_hour, as_of, source: source?, provider: provider?, instance: instance? })
}

/// `[reported.<source>]` of a device: keys are free, values texts or numbers.
fn claims(t: &mut StrictTable<'_, '_>) -> BTreeMap<EntityId, BTreeMap<String, Value>> {
    let mut reported = BTreeMap::new();
    for (source, span, value) in t.entries("reported") {
        let Some(source) = t.id_of("reported", source, span, EntityKind::Source) else {
            continue;
        };
        let DeValue::Table(table) = value.get_ref() else {
            t.expected::<()>("reported", value, "a table [reported.<source>]");
            continue;
        };
        let mut claims = BTreeMap::new();
        for (key, value) in table.iter() {
            let claim = match value.get_ref() {
                DeValue::String(text) => Some(Value::Text(text.as_ref().into())),
                other => integer(other).map(Value::Count).or_else(|| decimal(other).map(Value::Number)),
            };
            match claim {
                Some(claim) => drop(claims.insert(key.get_ref().to_string(), claim)),
                None => drop(t.expected::<()>(key.get_ref(), value, "a text or a number")),
            }
        }
        reported.insert(source, claims);
    }
    reported
}
