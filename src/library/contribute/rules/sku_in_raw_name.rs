//! A family where the source names the SKU.

use std::collections::HashMap;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::EntityId;
use crate::values::text::normalise;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(106),
    title: "a family where the source names the SKU",
    severity: Severity::Warning,
    page: "`device-raw` keeps the source's spelling. Where that is a name of exactly one SKU of the family, the number belongs to the SKU.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", r#""nova-100-16gb""#, r#""nova-100""#),
    check: Check::Rows(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let devices = &context.loaded.catalog.devices;
    let mut names: HashMap<String, Vec<&EntityId>> = HashMap::new();
    for (id, device) in devices {
        for name in device.aliases.iter().chain([&device.name]) {
            let named = names.entry(normalise(name)).or_default();
            if named.last() != Some(&id) {
                named.push(id);
            }
        }
    }
    // A batch repeats its spellings in every row.
    let mut seen: HashMap<(&str, &str), Option<&EntityId>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let (Some(device), Some(raw)) = (measurement.text(Field::Device), measurement.text(Field::DeviceRaw)) else {
            continue;
        };
        let sku = *seen.entry((device, raw)).or_insert_with(|| {
            let [sku] = names.get(&normalise(raw))?.as_slice() else { return None };
            let members = context.members.iter().find(|(family, _)| family.as_str() == device)?.1;
            members.contains(sku).then_some(*sku)
        });
        if let Some(sku) = sku {
            let message = format!("the source names the SKU, {raw:?}, the row only its family `{device}`");
            found
                .in_row(&IndexedRow { at, row }, "device", message, format!("`{sku}` says more"))
                .help(format!("device = \"{sku}\""));
        }
    }
}
