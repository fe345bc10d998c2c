//! A word that most other entries spell otherwise.

use std::collections::{BTreeMap, HashMap};

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::reading::Located;
use crate::values::EntityKind;
use crate::values::text::normalise;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(225),
    title: "a word that other entries spell otherwise",
    severity: Severity::Warning,
    page: "Vendors, architectures, dies, kinds of memory and tasks are words that many entries share, and filters find them as they are written: `image classification` is another task than `image-classification`, `nvidia` another vendor than `NVIDIA`. The rule takes spellings that differ in case, blanks and hyphens only, and tells of those that are fewer.",
    sample: Sample::edited(
        "catalog/datasets/tiny-pictures.toml",
        r#""image-classification""#,
        r#""image classification""#,
    ),
    check: Check::Catalog(find),
};

/// A word of an entry: its place, the kind of the entry, its id and the key.
type Word<'l> = (&'l Located<()>, EntityKind, &'l str, &'static str, &'l str);

fn words<'l>(context: &LintContext<'l>) -> Vec<Word<'l>> {
    let catalog = &context.loaded.catalog;
    let mut all: Vec<Word<'l>> = Vec::new();
    let mut add = |kind, id: &'l str, facts: &[(&'static str, &'l Option<String>)]| {
        let Some(place) = context.place(kind, id) else { return };
        all.extend(facts.iter().filter_map(|(key, word)| Some((place, kind, id, *key, word.as_deref()?))));
    };
    for (id, device) in &catalog.devices {
        let facts = [
            ("vendor", &device.vendor),
            ("architecture", &device.architecture),
            ("chip", &device.chip),
            ("form-factor", &device.form_factor),
            ("memory-type", &device.memory_type),
        ];
        add(EntityKind::Device, id.as_str(), &facts);
    }
    for (id, network) in &catalog.networks {
        add(EntityKind::Network, id.as_str(), &[("task", &network.task)]);
    }
    for (id, dataset) in &catalog.datasets {
        add(EntityKind::Dataset, id.as_str(), &[("task", &dataset.task)]);
    }
    all
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let words = words(context);
    let mut spellings: HashMap<(&str, String), BTreeMap<&str, usize>> = HashMap::new();
    for (.., key, word) in &words {
        *spellings.entry((key, normalise(word))).or_default().entry(word).or_default() += 1;
    }
    spellings.retain(|_, alike| alike.len() > 1);
    if spellings.is_empty() {
        return;
    }
    for (place, _, id, key, word) in words {
        let Some(alike) = spellings.get(&(key, normalise(word))) else { continue };
        let own = alike.get(word).copied().unwrap_or_default();
        let Some((usual, count)) = alike.iter().filter(|(other, _)| **other != word).max_by_key(|(_, count)| **count)
        else {
            continue;
        };
        if own <= *count {
            let message = format!("`{key}` is {word:?} here, and {usual:?} in {count} other entries");
            found.at(place, [key.into()], message, "another spelling of one word").of(id);
        }
    }
}
