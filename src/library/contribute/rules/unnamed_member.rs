//! A member of a family where the source names the family alone.

use std::collections::HashMap;

use crate::contribute::rule_interface::{CatalogNames, Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Severity};
use crate::values::text::normalise;
use crate::values::{EntityKind, Provenance};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(321),
    title: "a member that the source does not name",
    severity: Severity::Warning,
    page: "A source that writes \"A100\" does not say whether it was the PCIe board or the module, of 40 GB or of 80 GB. Where the spelling names a family, and neither it nor host, label or setting says what tells the row's member from the others, the member is a guess: name the family, or state the instance or host that tells. Where the source says it elsewhere, except its rows with the place as the reason.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "Acme Nova 100 16GB", "Acme Nova 100"),
    check: Check::Rows(find),
};

/// Fields beside the spelling that may say which member it was.
const TELLING: &[Field] = &[Field::DeviceRaw, Field::Host, Field::Label, Field::Setting];

/// Names of computers whose accelerators are modules, with what the id of such a member begins with.
const MODULES: &[(&str, &str)] = &[("dgx", "sxm"), ("hgx", "sxm"), ("nvlink", "sxm")];

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let names = CatalogNames::of(&context.loaded.catalog, EntityKind::Device);
    // A batch repeats its spellings in every row.
    let mut seen: HashMap<(&str, String), Option<String>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let (Some(device), Some(raw)) = (measurement.text(Field::Device), measurement.text(Field::DeviceRaw)) else {
            continue;
        };
        // Whoever measures has the device at hand, and an instance has one kind of device.
        if measurement.provenance() == Provenance::Measured || measurement.text(Field::Instance).is_some() {
            continue;
        }
        let key = (device, told_of(measurement));
        let family = match seen.get(&key) {
            Some(known) => known.clone(),
            None => {
                let family = family_alone(context, &names, device, raw, &key.1);
                seen.insert(key, family.clone());
                family
            }
        };
        if let Some(family) = family {
            let message = format!("the source's {raw:?} is any `{family}`, the row says `{device}`");
            found
                .in_row(&IndexedRow { at, row }, Field::Device.key(), message, "does the source say which?")
                .beside([Field::DeviceRaw.key().into()], "all that it says")
                .help(format!("device = \"{family}\""));
        }
    }
}

/// All that the row says of its device, normalised.
fn told_of(measurement: &Measurement) -> String {
    TELLING.iter().filter_map(|field| measurement.text(*field)).map(normalise).collect::<Vec<_>>().join(" ")
}

/// The family that the spelling names, where nothing says which of its members the device is.
fn family_alone(
    context: &LintContext<'_>,
    names: &CatalogNames<'_>,
    device: &str,
    raw: &str,
    told: &str,
) -> Option<String> {
    let lineage = context.loaded.catalog.device_lineage(&device.parse().ok()?);
    let (own, families) = lineage.split_first()?;
    let named: Vec<&str> = names.named_in(raw).into_iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
    let family = families.iter().find(|family| named.contains(&family.as_str()))?;
    if named.contains(&own.as_str()) {
        return None;
    }
    let of_families: Vec<&str> = families.iter().flat_map(|family| family.as_str().split('-')).collect();
    // A GPU of a board of two is a part of it, and no choice among several.
    let mut words = own.as_str().split('-').filter(|word| *word != "gpu" && !of_families.contains(word)).peekable();
    words.peek()?;
    words.all(|word| !is_told(word, told)).then(|| family.to_string())
}

/// Whether a word of an id stands in what the row says: `sxm4` is told by "SXM", `40gb` by "40G".
fn is_told(word: &str, told: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let stem = match () {
        () if word.starts_with(|c: char| c.is_ascii_digit()) => word.strip_suffix('b').unwrap_or(word),
        () if letters.len() > 1 => letters,
        () => word,
    };
    told.contains(stem) || MODULES.iter().any(|(computer, module)| *module == stem && told.contains(computer))
}

#[cfg(test)]
mod tests {
    use super::is_told;

    #[test]
    fn a_word_of_an_id_is_told_as_people_write_it() {
        for (word, told) in [("sxm4", "nvidiaa100sxm"), ("40gb", "a10040g"), ("sxm5", "dgxh100"), ("v4", "tpuv4")] {
            assert!(is_told(word, told), "{word} by {told}");
        }
        for (word, told) in [("40gb", "a100"), ("pcie", "a100"), ("v4", "tpuv3"), ("80gb", "dgxa100")] {
            assert!(!is_told(word, told), "{word} by {told}");
        }
    }
}
