//! The words of conclusions: names of entities, numbers to three digits, and what all that is compared shares.

use indexmap::IndexMap;

use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::model::physics::is_one_sample;
use crate::model::{Aspect, Derived, Field, Measure, Metric, Value};
use crate::rows::{EntityCache, entity_kind, labelled};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{counted, plural};

/// Names of entities, each read once.
#[derive(Debug, Default)]
pub(in crate::ask::conclude) struct Names {
    entities: EntityCache<'static>,
}

impl Names {
    /// What people call a value of an aspect.
    pub fn of(&mut self, aspect: Aspect, value: &str, stores: &Stores) -> Result<String, QueryError> {
        if aspect.key() == "class" {
            return Ok(value.to_uppercase());
        }
        if aspect == Aspect::Field(Field::Stage) {
            return Ok(stage_name(value).to_owned());
        }
        if let Some(kind) = entity_kind(aspect) {
            self.entities.load(&stores.database, kind, value)?;
        }
        Ok(self.entities.value_name(aspect, value).to_owned())
    }

    /// Whether a device, or a member of a family, computes in TF32.
    pub fn has_tf32(&mut self, device: &str, stores: &Stores) -> Result<bool, QueryError> {
        self.entities.load(&stores.database, EntityKind::Device, device)?;
        for member in stores.database.descendants(EntityKind::Device, device)? {
            self.entities.load(&stores.database, EntityKind::Device, &member)?;
        }
        Ok(self.entities.has_tf32(device))
    }

    /// What all that is compared shares, in words: `ResNet-50 training, fp16, batch 64, 1 device`.
    pub fn frame(&mut self, under: &IndexMap<String, Option<Value>>, stores: &Stores) -> Result<String, QueryError> {
        let text = |field: Field| under.get(field.key()).cloned().flatten().map(|value| value.to_string());
        let mut words: Vec<String> = Vec::new();
        let network = match text(Field::Network) {
            Some(network) => Some(self.of(Aspect::Field(Field::Network), &network, stores)?),
            None => None,
        };
        let stage = text(Field::Stage).map(|stage| stage_name(&stage).to_owned());
        let both: Vec<String> = network.into_iter().chain(stage).collect();
        if !both.is_empty() {
            words.push(both.join(" "));
        }
        let told = [Field::Network, Field::Stage];
        for (key, value) in under {
            let Some(aspect) = Aspect::keyed(key) else { continue };
            match (aspect, value) {
                (Aspect::Field(field), _) if told.contains(&field) => {}
                // That of a network is worth a word only where it is another than usual.
                (Aspect::Field(Field::InputShape), Some(shape)) => words.push(shape.to_string()),
                (aspect, Some(value)) => {
                    let name = self.of(aspect, &value.to_string(), stores)?;
                    words.push(labelled(aspect, &name));
                }
                (Aspect::Field(field), None) => words.push(format!("{} not stated", field.heading())),
                (_, None) => {}
            }
        }
        Ok(words.join(", "))
    }
}

/// What people call a stage.
pub(in crate::ask::conclude) fn stage_name(stage: &str) -> &str {
    match stage {
        "eval" => "inference",
        "train" => "training",
        other => other,
    }
}

/// A number to three significant digits; a whole number is never cut behind its point.
pub(in crate::ask::conclude) fn three(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let magnitude = number.abs().log10().floor() as i32;
    if magnitude >= 2 {
        let unit = 10f64.powi(magnitude - 2);
        return format!("{:.0}", (number / unit).round() * unit);
    }
    let text = format!("{:.*}", (2 - magnitude).clamp(0, 12) as usize, number);
    // 10.0 of 9.999 has a digit too many, which does not matter; 8.00 is a count.
    match number.fract() == 0.0 {
        true => format!("{number:.0}"),
        false => text,
    }
}

/// A fraction in percent: `92 %`.
pub(in crate::ask::conclude) fn percent_of(fraction: f64) -> String {
    format!("{} %", three(fraction * 100.0))
}

/// A number to four significant digits, for entries.
pub(in crate::ask::conclude) fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let scale = 10f64.powi(3 - number.abs().log10().floor() as i32);
    (number * scale).round() / scale
}

/// The unit of a measure; of a number of items what they are, where that is known.
pub(in crate::ask::conclude) fn unit(measure: Measure, counts: Option<&str>) -> Option<String> {
    let per = match measure {
        Measure::Metric(metric) => metric.items_per(),
        Measure::Derived(derived) => derived.items_per(),
    };
    if let (Some(per), Some(counts)) = (per, counts) {
        return Some(format!("{}/{per}", plural(counts)));
    }
    let heading = measure.heading();
    let (_, unit) = heading.split_once(" [")?;
    let unit = unit.trim_end_matches(']');
    Some(match per {
        Some(per) => format!("items/{per}"),
        None => unit.to_owned(),
    })
}

/// The number of what a row counts; an image, a sample and what is not stated of one network are the same work.
pub(in crate::ask::conclude) fn item_counted(values: &SharedValues, parts: &PartNumbers) -> u32 {
    let counts = Aspect::Field(Field::Counts);
    let is_one = |text: &str| text.parse().ok().is_some_and(is_one_sample);
    match values.text(counts, parts) {
        Some(text) if !is_one(text) => values.number(counts, parts),
        _ => 0,
    }
}

/// What figures of power or energy are of, by the word that a row states.
pub(in crate::ask::conclude) fn metered_in_words(metered: Option<&str>) -> &'static str {
    match metered {
        Some("chip") => "of the chips alone",
        Some("device") => "of the devices alone",
        Some("host") => "of the whole machine",
        Some(_) => "at the plug",
        None => "of what is not said",
    }
}

/// What is better of two values of a metric, as a ratio that is asked for in words: `times as fast as`.
pub(in crate::ask::conclude) fn times_as(metric: Metric) -> &'static str {
    match metric {
        Metric::EfficiencyRatio => "times as energy-efficient as",
        metric if metric.is_of_energy() => "times as energy-efficient as",
        Metric::MemoryMib => "times as sparing of memory as",
        Metric::CostUsd => "times as cheap as",
        Metric::Accuracy | Metric::ErrorRate | Metric::Loss => "times as good as",
        _ => "times as fast as",
    }
}

/// The same for a derived measure.
pub(in crate::ask::conclude) fn times_as_derived(measure: Derived) -> &'static str {
    match measure {
        Derived::ItemsPerDollar => "times as much for the dollar as",
        Derived::RatePerLaunchUsd => "times as fast for each dollar of launch price as",
        Derived::ItemsPerTdpJoule => "times as fast for each watt of TDP as",
        Derived::ThroughputPerDevice => "times as fast for each device as",
        Derived::PeakFraction => "times as close to its peak as",
        Derived::EpochEnergyJ
        | Derived::EpochTdpEnergyJ
        | Derived::ItemTdpEnergyJ
        | Derived::OutputTokenEnergyJ
        | Derived::TargetTdpEnergyJ => "times as energy-efficient as",
        Derived::CostToAccuracyUsd | Derived::CostPerEpochUsd => "times as cheap as",
        Derived::ScalingEfficiency => "times as close to linear scaling as",
        Derived::EpochTimeS | Derived::TimePerItemMs => "times as fast as",
    }
}

/// What a metric or measure is called, without its unit: `latency`.
pub(in crate::ask::conclude) fn name_of(measure: Measure) -> &'static str {
    match measure {
        // What items are counted per stands in the unit of the heading.
        Measure::Metric(Metric::ItemsPerJoule) => "items per joule",
        Measure::Metric(Metric::DeviceThroughputPerS) => "throughput of a device",
        Measure::Derived(Derived::ItemsPerTdpJoule) => "items per joule at TDP",
        Measure::Derived(Derived::ItemsPerDollar) => "items per dollar",
        Measure::Derived(Derived::EpochEnergyJ) => "energy of an epoch",
        Measure::Derived(Derived::EpochTdpEnergyJ) => "energy of an epoch at TDP",
        Measure::Derived(Derived::TargetTdpEnergyJ) => "energy of training to the target at TDP",
        _ => measure.heading().split(" [").next().unwrap_or_default(),
    }
}

/// `1 matched pair`, `23 matched pairs`.
pub(in crate::ask::conclude) fn pairs_in_words(count: usize) -> String {
    counted(count, "matched pair", "matched pairs")
}
