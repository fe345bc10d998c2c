//! Cloud instances in a question: what ran on one of them, and what ran on as many of its devices.

use std::collections::BTreeSet;

use super::clause::{Clause, either, quoted, text_clause};
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::{MEASUREMENTS, plain, plain_words};
use crate::model::{Aspect, Device, Facet, Field, Lookup as _};
use crate::rows::Note;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::spelling::normalise;
use crate::values::{EntityKind, HardwareClass};

/// Words that say that cloud instances are spoken of.
const OF_CLOUD: &[&str] = &["cloud", "clouds", "instance", "instances", "vm", "vms", "provider", "providers"];

/// Those of them that stand for instances.
const OF_INSTANCES: &[&str] = &["instance", "instances", "vm", "vms", "provider", "providers"];

/// Words that speak of what is asked for an hour.
const OF_PRICES: &[&str] = &[
    "price",
    "prices",
    "priced",
    "pricing",
    "cost",
    "costs",
    "rent",
    "rents",
    "rental",
    "renting",
    "hour",
    "hourly",
    "cheap",
    "cheaper",
    "cheapest",
    "expensive",
];

/// Providers that make accelerators themselves, and what these are made by in the catalog.
const MAKERS: &[(&str, &str)] = &[("google cloud", "Google"), ("aws", "Amazon"), ("azure", "Microsoft")];

/// Names of providers that are those of nothing else.
const ALWAYS: &[&str] = &["aws", "gcp", "gce", "ec2", "azure"];

/// No series of instances has a longer name.
const LONGEST_SERIES: usize = 5;

/// Other names of those who rent out instances, and how the offers call them.
const CALLED: &[(&str, &str)] =
    &[("amazon", "aws"), ("ec2", "aws"), ("gcp", "google cloud"), ("gce", "google cloud"), ("oci", "oracle cloud")];

/// What stands behind the series in the names of Google's machine types:
/// <https://cloud.google.com/compute/docs/machine-resource>.
const SHAPES_OF_GOOGLE: &[&str] =
    &["standard", "highcpu", "highmem", "highgpu", "megagpu", "ultragpu", "edgegpu", "megamem", "ultramem"];

/// The series of Azure's machines with accelerators: <https://learn.microsoft.com/azure/virtual-machines/sizes/overview>.
const SERIES_OF_AZURE: &[&str] = &["NC", "ND", "NV", "NG", "NP"];

/// Whether an instance is called as those of a provider are, also where the catalog has no offer of it: `n1-standard-32-k80x8` is
/// one of Google's.
fn is_named_as_of(provider: &str, instance: &str) -> bool {
    let begins_series = |series: &str| {
        series.starts_with(|c: char| c.is_ascii_alphabetic()) && series.contains(|c: char| c.is_ascii_digit())
    };
    match provider {
        // `p3.16xlarge`
        "aws" => instance.split_once('.').is_some_and(|(series, size)| {
            begins_series(series) && (size.ends_with("large") || size.ends_with("metal"))
        }),
        "google cloud" => {
            let mut parts = instance.split('-');
            parts.next().is_some_and(begins_series)
                && parts.next().is_some_and(|shape| SHAPES_OF_GOOGLE.contains(&shape))
        }
        // `Standard D64s v6`, `nd96amsr_A100_v4`
        "azure" => {
            let name = instance.strip_prefix("Standard").map_or(instance, |rest| rest.trim_start_matches(['_', ' ']));
            let of_series = |series: &&str| {
                let rest = name.get(..2).filter(|head| head.eq_ignore_ascii_case(series)).and_then(|_| name.get(2..));
                rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            };
            name.len() < instance.len() || SERIES_OF_AZURE.iter().any(of_series)
        }
        _ => false,
    }
}

impl Interpreter<'_> {
    /// `cloud instances of azure`: what ran on any instance that a provider rents out, and how many words name it.
    pub(super) fn provider(&mut self, words: &[&str]) -> Result<Option<(usize, Clause)>, QueryError> {
        let says = |words: &[&str]| words.iter().any(|word| self.all_words.contains(*word));
        let (speaks_of_cloud, speaks_of_prices) = (says(OF_CLOUD), says(OF_PRICES));
        let first = plain(words.first().copied().unwrap_or_default());
        // Alone a name may be that of something else, and so it may in front of the rest of a longer one: Azure Cobalt.
        let is_provider = ALWAYS.contains(&first.as_str())
            && self.question.split_whitespace().nth(1).is_some()
            && self.longest_name(words)? <= 1
            && !self.begins_own_device(words)?;
        // `price of a K80 on lambda`: what is no maker and no other name is who asks the price.
        let is_priced = speaks_of_prices && self.stores.database.exact(&normalise(&first))?.is_empty();
        if !speaks_of_cloud && !is_provider && !is_priced {
            return Ok(None);
        }
        // `aws g4dn`: the series says which of the provider's.
        if is_provider
            && let Some(series) = words.get(1)
            && let Some(clause) = self.series_of_instances(&plain(series))?
        {
            let text = words[..2].join(" ");
            let alike = self.alike_instances.iter_mut().filter(|alike| alike.text == clause.text);
            alike.for_each(|alike| alike.text.clone_from(&text));
            return Ok(Some((2, Clause { text, ..clause })));
        }
        // `cloud results`: what ran on any instance.
        let of_rows = words.get(1).is_some_and(|next| MEASUREMENTS.contains(&plain(next).as_str()));
        if first == "cloud" && of_rows {
            let (stated, _) = self.with_value(Field::Instance, |_| true)?;
            let (key, values) = (Field::Instance.key(), vec!["stated".to_owned()]);
            return Ok(Some((1, Clause::of(words[0], key, values, format!("{key}:*"), stated))));
        }
        if let Some(clause) = self.series_of_instances(&first)? {
            return Ok(Some((1, clause)));
        }
        if first.len() < 3 || OF_CLOUD.contains(&first.as_str()) {
            return Ok(None);
        }
        let name = CALLED.iter().find(|(called, _)| *called == first).map_or(first.as_str(), |(_, name)| *name);
        let mut offered = BTreeSet::new();
        let mut unmeasured = Vec::new();
        let mut whole = false;
        for device in self.stores.database.entities::<Device>()? {
            for offer in device.cloud {
                let provider = offer.provider.to_lowercase();
                if provider == name || provider.split(' ').any(|word| word == name) {
                    whole |= provider.ends_with(" cloud");
                    offered.insert(normalise(&offer.instance));
                    unmeasured.push(offer.instance);
                }
            }
        }
        let column = self.stores.database.aspect(Aspect::Field(Field::Instance))?;
        let values: Vec<String> = column
            .values()
            .filter(|value| offered.contains(&normalise(value)) || is_named_as_of(name, value))
            .map(str::to_owned)
            .collect();
        if values.is_empty() {
            // No row names one of its instances, and the catalog has what it asks for them.
            let is_asked = speaks_of_prices && !unmeasured.is_empty();
            return Ok(is_asked.then(|| {
                let filter = format!("text:\"{first}\"");
                let clause =
                    Clause::of(words[0], Field::Instance.key(), unmeasured, filter, Condition::Any(Vec::new()));
                (1, clause)
            }));
        }
        let condition = self.on_instances(&values)?;
        // `google cloud`
        let taken = 1 + usize::from(whole && words.get(1).is_some_and(|word| plain(word) == "cloud"));
        let quoted: Vec<String> = values.iter().map(|value| quoted(value)).collect();
        let filter = format!("{}:{}", Field::Instance, quoted.join(","));
        let text = words[..taken].join(" ");
        let clause = Clause::of(&text, Field::Instance.key(), values, filter, condition);
        // Who asks for instances wants no rows that name none.
        if OF_INSTANCES.iter().any(|word| self.all_words.contains(*word)) {
            return Ok(Some((taken, clause)));
        }
        let whole_name = if whole && !name.contains(' ') { format!("{name} cloud") } else { name.to_owned() };
        let others = self.elsewhere_at(&text, &whole_name)?;
        let all = [clause].into_iter().chain(others).collect();
        Ok(either(text, all).map(|clause| (taken, clause)))
    }

    /// Whether words begin with a provider in front of the name of an instance, which says more: `Azure NC24rs v3`.
    pub(super) fn rents_out_what_follows(&self, words: &[&str]) -> Result<bool, QueryError> {
        let first = plain(words.first().copied().unwrap_or_default());
        if !ALWAYS.contains(&first.as_str()) || words.len() < 2 {
            return Ok(false);
        }
        let length = self.longest_name(&words[1..])?;
        let behind = self.stores.database.exact(&normalise(&words[1..=length].concat()))?;
        Ok(length > 0 && behind.iter().any(|name| name.facet == Facet::Instance))
    }

    /// What else ran at a provider than what names one of its instances: rows that say so in their own words, and what ran on the
    /// accelerators that it makes and rents out itself, of which no source needs to say where.
    fn elsewhere_at(&mut self, text: &str, provider: &str) -> Result<Vec<Clause>, QueryError> {
        let mut clauses = Vec::new();
        let said = text_clause(provider);
        if self.stores.index.count(DocumentKind::Measurement, &said.condition)? > 0 {
            clauses.push(Clause { text: text.to_owned(), ..said });
        }
        let Some((_, maker)) = MAKERS.iter().find(|(own, _)| *own == provider) else { return Ok(clauses) };
        let devices: Vec<Device> = self.stores.database.entities()?;
        let made = devices.iter().filter(|device| {
            device.class == HardwareClass::Asic && device.vendor.as_deref().is_some_and(|vendor| vendor == *maker)
        });
        let made: Vec<&Device> = made.collect();
        let series = |device: &Device| device.id.to_string().split('-').next().unwrap_or_default().to_owned();
        let rented: BTreeSet<String> =
            made.iter().filter(|device| !device.cloud.is_empty()).map(|device| series(device)).collect();
        let of_series = made.iter().filter(|device| rented.contains(&series(device)));
        let ids: Vec<String> = of_series.map(|device| device.id.to_string()).collect();
        if !ids.is_empty() {
            clauses.push(self.facet_clause(text, Facet::Device, ids, "alias")?);
        }
        Ok(clauses)
    }

    /// Whether a provider makes the device that is named behind it: `AWS Trainium`.
    fn begins_own_device(&self, words: &[&str]) -> Result<bool, QueryError> {
        let Some(maker) = words.first() else { return Ok(false) };
        let names = self.stores.database.exact(&normalise(maker))?;
        let makers: Vec<String> =
            names.into_iter().filter(|name| name.facet == Facet::Vendor).map(|name| name.value).collect();
        let length = self.longest_name(&words[1..])?;
        let behind = self.stores.database.exact(&normalise(&words[1..=length].concat()))?;
        let made = self.stores.index.entities(EntityKind::Device, &Condition::Facet(Facet::Vendor, makers))?;
        Ok(behind.iter().any(|name| name.facet == Facet::Device && made.contains(&name.value)))
    }

    /// `p3 instances`: what ran on any instance of a series.
    fn series_of_instances(&mut self, word: &str) -> Result<Option<Clause>, QueryError> {
        let begins = word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.contains(|c: char| c.is_ascii_digit());
        if !begins || word.len() > LONGEST_SERIES || !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Ok(None);
        }
        let is_of = |value: &&str| -> bool {
            let rest =
                value.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word)).map(|_| &value[word.len()..]);
            rest.is_some_and(|rest| rest.starts_with(['.', '-']))
        };
        let column = self.stores.database.aspect(Aspect::Field(Field::Instance))?;
        let values: Vec<String> = column.values().filter(is_of).map(str::to_owned).collect();
        if values.is_empty() {
            return self.offered_series(word, &is_of);
        }
        let condition = self.on_instances(&values)?;
        let names: Vec<String> = values.iter().map(|value| quoted(value)).collect();
        let filter = format!("{}:{}", Field::Instance, names.join(","));
        Ok(Some(Clause::of(word, Field::Instance.key(), values, filter, condition)))
    }

    /// `gpus never used in any cloud`: those that the catalog states no offer of and that no row names an instance of, which is no
    /// proof; whether that is asked.
    pub(super) fn says_never_rented(
        &mut self,
        text: &str,
        after: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<bool, QueryError> {
        const BETWEEN: &[&str] = &["in", "on", "by", "at", "any", "a", "the"];
        let words: Vec<String> = after.iter().map(|word| plain(word)).collect();
        let cloud = words.iter().find(|word| !BETWEEN.contains(&word.as_str()));
        let Some(cloud) = cloud.filter(|word| OF_CLOUD.contains(&word.as_str())) else { return Ok(false) };
        if !self.hints.speaks_of(EntityKind::Device) {
            return Ok(false);
        }
        let devices: Vec<Device> = self.stores.database.entities()?;
        let offered = devices.iter().filter(|device| !device.cloud.is_empty());
        let offered = offered.map(|device| device.id.to_string()).collect();
        let clause = self.facet_clause(cloud, Facet::Device, offered, "alias")?;
        sentence.without = Some(text.to_owned());
        sentence.push(Some(Facet::Device), clause);
        let (named, _) = self.with_value(Field::Instance, |_| true)?;
        let (key, values) = (Field::Instance.key(), vec!["stated".to_owned()]);
        sentence.without = Some(text.to_owned());
        sentence.push(None, Clause::of(cloud, key, values, format!("{key}:*"), named));
        self.heard.push(cloud.clone());
        self.notes.push(Note::StatesNone { text: plain_words(&format!("{text} {}", words.join(" "))) });
        Ok(true)
    }

    fn on_instances(&self, values: &[String]) -> Result<Condition, QueryError> {
        Ok(self.with_value(Field::Instance, |value| values.iter().any(|known| known == value))?.0)
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const OFFERS: &str = r#"
[[cloud]]
provider = "Azure"
instance = "ND-1"
source = "paper-2020"
[[cloud]]
provider = "Google Cloud"
instance = "g-highgpu"
source = "paper-2020"
[[cloud]]
provider = "AWS"
instance = "q9.large"
source = "paper-2020"
"#;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "instance", "throughput-per-s"]
rows = [["glade", "ND-1", 200], ["glade", "g-highgpu", 100]]
"#;

    #[test]
    fn the_names_of_instances_tell_whose_they_are() {
        for (provider, instance) in [
            ("google cloud", "n1-standard-32-k80x8"),
            ("google cloud", "a3-ultragpu-8g"),
            ("aws", "p3.16xlarge"),
            ("aws", "m5.metal"),
            ("azure", "ND40s_v2"),
            ("azure", "nd96amsr_a100_v4"),
            ("azure", "Standard D64s v6"),
        ] {
            for other in ["google cloud", "aws", "azure", "lambda"] {
                assert_eq!(super::is_named_as_of(other, instance), other == provider, "{instance} of {other}");
            }
        }
    }

    #[test]
    fn a_provider_stands_for_its_instances_that_rows_name() {
        let sample = Sample::with_devices(&[("Glade", OFFERS)], &[("paper-2020", ROWS)]);
        for (question, instances) in [
            ("cloud instances of azure", Some("instance:ND-1")),
            ("google cloud vms", Some("instance:g-highgpu")),
            ("gcp instances", Some("instance:g-highgpu")),
            // No row names one of these.
            ("aws instances", None),
            // A bare word may be the name of something else.
            ("azure", None),
        ] {
            let clauses = understand(question, &sample.stores).unwrap().clauses;
            let found =
                clauses.iter().map(|clause| clause.equivalent.as_str()).find(|one| one.starts_with("instance:"));
            assert_eq!(found, instances, "{question}");
        }
    }
}
