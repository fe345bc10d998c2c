//! What of the two sides of a ratio a reader must know, since it is the same on both as far as anybody states it, and may not be:
//! what is not stated, fp32 that may be TF32, whose energy it is, a mean beside a median, systems that nobody could buy.

use std::collections::BTreeSet;

use strum::VariantArray as _;

use super::inputs::SideComparison;
use super::outcomes::Outcome;
use crate::ask::conclude::basis::matched_pairs::MatchedPair;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::unstated_fields::{TOLD, unstated_fields};
use crate::ask::conclude::basis::wording::{metered_in_words, pairs_in_words};
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Fact, Field};
use crate::values::text::{and_list, or_list, some_of};
use crate::values::{Availability, EntityKind, Precision};

/// So many devices are named, and so many values of a field.
const MOST_NAMED: usize = 2;

impl SideComparison<'_> {
    /// All of it, a sentence each.
    pub(super) fn caveats(&mut self, outcomes: &[&Outcome<'_>], baseline: &Side) -> Result<String, QueryError> {
        let pairs: Vec<MatchedPair> = outcomes.iter().flat_map(|outcome| outcome.pairs.iter().cloned()).collect();
        let mut text = String::new();
        text.extend(self.beside_framework(outcomes, baseline));
        text.extend(self.unstated(&pairs));
        text.extend(self.full_or_tf32(&pairs)?);
        text.extend(self.energy(&pairs));
        text.extend(self.medians(&pairs));
        text.extend(self.previews(outcomes, baseline));
        Ok(text)
    }

    /// ` Beside the framework: JAX with layout channels-last and mode compiled; ONNX Runtime with mode graph.`
    fn beside_framework(&self, outcomes: &[&Outcome<'_>], baseline: &Side) -> Option<String> {
        if !self.varied.contains(&Field::Framework) {
            return None;
        }
        let pairs = || outcomes.iter().flat_map(|outcome| &outcome.pairs);
        let differs = |field: Field| {
            let apart = |pair: &MatchedPair| {
                self.text_of(field, &pair.subject.parts) != self.text_of(field, &pair.baseline.parts)
            };
            pairs().any(apart)
        };
        // Versions are told beside the pairs, and what computes below a framework is one itself.
        let is_choice =
            |field: &Field| field.varies_with(Field::Framework) && !field.is_version() && field.entity_kind().is_none();
        let fields = Field::VARIANTS.iter().copied().filter(is_choice);
        let fields: Vec<Field> = fields.filter(|field| !self.varied.contains(field) && differs(*field)).collect();
        let told = |name: &str, rows: Vec<&PartNumbers>| {
            let of_field = |field: &Field| {
                let values: BTreeSet<&str> = rows.iter().filter_map(|parts| self.text_of(*field, parts)).collect();
                let values: Vec<&str> = values.into_iter().collect();
                let more = values.len().saturating_sub(MOST_NAMED);
                let named = or_list(&values[..values.len() - more]);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                (!values.is_empty()).then(|| format!("{} {named}{more}", field.heading()))
            };
            let of_fields: Vec<String> = fields.iter().filter_map(of_field).collect();
            (!of_fields.is_empty()).then(|| format!("{name} with {}", and_list(&of_fields)))
        };
        let of_subject = |outcome: &&Outcome<'_>| {
            told(&outcome.subject.name, outcome.pairs.iter().map(|pair| &pair.subject.parts).collect())
        };
        let mut sides: Vec<String> = outcomes.iter().filter_map(of_subject).collect();
        sides.extend(told(&baseline.name, pairs().map(|pair| &pair.baseline.parts).collect()));
        (!sides.is_empty()).then(|| format!(" Beside the framework: {}.", sides.join("; ")))
    }

    fn text_of(&self, field: Field, parts: &PartNumbers) -> Option<&str> {
        self.values.text(Aspect::Field(field), parts)
    }

    /// What pairs are alike in only because neither row states it: ` No row of these states its batch, which may differ.`
    fn unstated(&self, pairs: &[MatchedPair]) -> Option<String> {
        let of_pair = |pair: &MatchedPair| -> Vec<Field> {
            let other: Vec<Field> = unstated_fields(self.values, &pair.baseline.parts, pair.metric).collect();
            let own = unstated_fields(self.values, &pair.subject.parts, pair.metric);
            own.filter(|field| other.contains(field) && !self.varied.contains(field)).collect()
        };
        let silent: Vec<Vec<Field>> = pairs.iter().map(of_pair).collect();
        let all = silent.len();
        let (mut of_all, mut of_some) = (Vec::new(), Vec::new());
        for &field in TOLD {
            match silent.iter().filter(|fields| fields.contains(&field)).count() {
                0 => {}
                count if count == all => of_all.push(field.heading()),
                count => of_some.push(format!("{} in {count} of {}", field.heading(), pairs_in_words(all))),
            }
        }
        let mut text = String::new();
        if !of_all.is_empty() {
            text.push_str(&format!(" No row of these states its {}, which may differ.", or_list(&of_all)));
        }
        if !of_some.is_empty() {
            text.push_str(&format!(" Not stated on either side: {}.", and_list(&of_some)));
        }
        (!text.is_empty()).then_some(text)
    }

    /// ` fp32 of A100 SXM4 80 GB may be TF32 (4 of 4 pairs), which its rows do not rule out.`
    fn full_or_tf32(&mut self, pairs: &[MatchedPair]) -> Result<Option<String>, QueryError> {
        let full = Precision::Fp32.to_string();
        let mut devices: BTreeSet<String> = BTreeSet::new();
        let is_open = |parts: &PartNumbers| {
            self.text_of(Field::Precision, parts) == Some(full.as_str())
                && self.text_of(Field::ReducedPrecision, parts).is_none()
        };
        let ends: Vec<&PartNumbers> = pairs
            .iter()
            .flat_map(|pair| [&pair.subject.parts, &pair.baseline.parts])
            .filter(|parts| is_open(parts))
            .collect();
        if ends.is_empty() {
            return Ok(None);
        }
        let named: BTreeSet<String> =
            ends.iter().filter_map(|parts| self.text_of(Field::Device, parts)).map(str::to_owned).collect();
        let with_units =
            self.stores.database.entities_with(EntityKind::Device, Fact::PeakTf32Tensor.key(), |_| true)?;
        for id in named {
            let members = self.stores.database.descendants(EntityKind::Device, &id)?;
            if with_units.contains(&id) || members.iter().any(|member| with_units.contains(member)) {
                devices.insert(id);
            }
        }
        let is_of = |parts: &PartNumbers| {
            is_open(parts) && self.text_of(Field::Device, parts).is_some_and(|id| devices.contains(id))
        };
        let open = pairs.iter().filter(|pair| is_of(&pair.subject.parts) || is_of(&pair.baseline.parts)).count();
        if open == 0 {
            return Ok(None);
        }
        let mut names = Vec::new();
        for id in &devices {
            names.push(self.names.of(Aspect::Field(Field::Device), id, self.stores)?);
        }
        let devices = some_of(&names, MOST_NAMED);
        let all = pairs.len();
        Ok(Some(format!(" fp32 of {devices} may be TF32 ({open} of {all} pairs): its rows do not rule it out.")))
    }

    /// ` The energy is that at the plug, of the whole system.`
    fn energy(&self, pairs: &[MatchedPair]) -> Option<String> {
        let is_metered = self.derived.is_none() && pairs.first()?.metric.is_of_energy();
        let ways: BTreeSet<&str> =
            pairs.iter().map(|pair| metered_in_words(self.text_of(Field::Metered, &pair.subject.parts))).collect();
        let ways: Vec<&str> = ways.into_iter().collect();
        let is_of_systems = |parts: &PartNumbers| matches!(self.text_of(Field::Metered, parts), Some("wall" | "host"));
        let of_systems = pairs.iter().all(|pair| is_of_systems(&pair.subject.parts));
        let of_whole = if of_systems { ", so that of whole systems and not of the devices" } else { "" };
        if pairs.iter().all(|pair| self.text_of(Field::Metered, &pair.subject.parts).is_none()) {
            return is_metered.then(|| " It is not stated what the energy is that of.".to_owned());
        }
        is_metered.then(|| format!(" The energy is that {}{of_whole}.", and_list(&ways)))
    }

    /// A mean and a median are both of the middle, and not the same.
    fn medians(&self, pairs: &[MatchedPair]) -> Option<String> {
        let statistic = |parts: &PartNumbers| self.values.number(Aspect::Field(Field::Statistic), parts);
        let unlike = |pair: &&MatchedPair| {
            let (own, other) = (statistic(&pair.subject.parts), statistic(&pair.baseline.parts));
            own != other && own > 0 && other > 0
        };
        let unlike = pairs.iter().filter(unlike).count();
        (unlike > 0).then(|| format!(" In {unlike} of {} the statistics differ.", pairs_in_words(pairs.len())))
    }

    /// ` Not for sale when measured: the system of L4.`
    fn previews(&self, outcomes: &[&Outcome<'_>], baseline: &Side) -> Option<String> {
        let available: &str = Availability::Available.into();
        let is_preview = |parts: &PartNumbers| {
            self.text_of(Field::Availability, parts).is_some_and(|availability| availability != available)
        };
        let told = |name: &str, rows: Vec<&PartNumbers>| {
            let (all, count) = (rows.len(), rows.into_iter().filter(|parts| is_preview(parts)).count());
            let share = if count == all { String::new() } else { format!(" ({count} of {all} pairs)") };
            (count > 0).then(|| format!("{name}{share}"))
        };
        let of_subject = |outcome: &&Outcome<'_>| {
            told(&outcome.subject.name, outcome.pairs.iter().map(|pair| &pair.subject.parts).collect())
        };
        let mut named: Vec<String> = outcomes.iter().filter_map(of_subject).collect();
        let of_baseline = outcomes.iter().flat_map(|outcome| &outcome.pairs).map(|pair| &pair.baseline.parts);
        named.extend(told(&baseline.name, of_baseline.collect()));
        let systems = if named.len() == 1 { "system" } else { "systems" };
        (!named.is_empty()).then(|| format!(" Not for sale when measured: the {systems} of {}.", and_list(&named)))
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;

    #[test]
    fn what_neither_side_states_is_said_of_a_ratio() {
        let rows = r#"
[[table]]
columns = ["device", "statistic", "availability", "throughput-per-s"]
rows = [["nova", "mean", "preview", 200], ["core", "median", "available", 100]]
"#;
        let sample = Sample::without("precision = \"fp32\"\n", &[("paper-2020", rows)]);
        let text = sample.conclude(&sample.versus("", &["device:nova", "device:core"])).text;
        for told in [
            "No row of these states its precision, which may differ.",
            "In 1 of 1 matched pair the statistics differ.",
            "Not for sale when measured: the system of Nova.",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        let stated = Sample::of(&[("paper-2020", &rows.replace("preview", "available").replace("median", "mean"))]);
        let text = stated.conclude(&stated.versus("", &["device:nova", "device:core"])).text;
        assert!(!text.contains("may differ") && !text.contains("statistics") && !text.contains("sale"), "{text}");
    }
}
