//! Which network, device or framework scales best or worst: each on the same number of devices, against one, all else being equal.

use super::scaling_steps::{Scaling, Step, grouped};
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{shared, stated_alone};
use crate::ask::conclude::basis::wording::percent_of;
use crate::ask::conclude::ranking;
use crate::ask::hits::PartNumbers;
use crate::ask::question::{DerivedLimit, QueryError, Question, Superlative};
use crate::model::{Aspect, Derived, Field};
use crate::rows::entity_kind;
use crate::values::text::{and_list, counted};

/// So many are named behind the first.
const NEXT: usize = 3;

/// So many have an entry.
const MOST: usize = 20;

/// What candidates that are ranked have in common, but for what is ranked.
const FRAME: &[Field] = &[Field::Network, Field::Stage, Field::Scenario, Field::Precision, Field::Device];

/// The order by efficiency; `None` where a question asks for no first or last.
pub(super) fn conclude(
    (scaling, question): (&mut Scaling<'_>, &Question),
    all: &[Step],
) -> Result<Option<Conclusion>, QueryError> {
    let superlative = match (question.wanted.superlative, question.wanted.candidates) {
        (Some(superlative), _) => superlative,
        // `which framework`
        (None, Some(_)) => Superlative::Best,
        (None, None) => return Ok(None),
    };
    let is_named = |field: Field| ranking::is_about(question, field);
    let usual = || {
        let free = [Field::Network, Field::Device, Field::Framework].into_iter().find(|field| !is_named(*field));
        free.map(Aspect::Field)
    };
    let field = match question.wanted.candidates.or_else(usual) {
        Some(Aspect::Field(field)) if field.entity_kind().is_some() => field,
        _ => return Ok(None),
    };
    let candidate = Aspect::Field(field);
    let values = scaling.values;
    let number = |step: &Step| values.number(candidate, &step.many.parts);
    let candidates = |steps: &[&Step]| {
        let mut numbers: Vec<u32> = steps.iter().map(|step| number(step)).filter(|number| *number > 0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    };
    // The frame in which the most candidates were measured: how one work scales says nothing of how another does.
    let told: Vec<Field> = FRAME.iter().copied().filter(|of| *of != field).collect();
    let frame_of = |step: &Step| {
        let numbers = told.iter().map(|field| values.number(Aspect::Field(*field), &step.many.parts));
        (step.devices, numbers.collect::<Vec<u32>>())
    };
    let frames = grouped(all, frame_of);
    let most = frames.iter().max_by_key(|(_, steps)| (candidates(steps), steps.len()));
    let Some(((devices, _), steps)) = most else { return Ok(None) };
    let devices = *devices;
    if candidates(steps) < 2 {
        let apart: Vec<&Step> = all.iter().collect();
        return nothing_shared(scaling, (candidate, candidates(&apart)), &told).map(Some);
    }
    let of_count: Vec<Step> = steps.iter().copied().filter(|step| number(step) > 0).cloned().collect();
    let mut ranked: Vec<(String, Entry)> = Vec::new();
    for steps in grouped(&of_count, number).into_values() {
        let mut entry = scaling.efficiency(devices, &steps)?;
        let Some(id) = steps.first().and_then(|step| values.value(field, &step.many.parts)) else { continue };
        let name = scaling.names.of(candidate, &id.to_string(), scaling.stores)?;
        entry.subjects.insert(field.key().to_owned(), id);
        entry.under.shift_remove(field.key());
        let is_met = |limit: &DerivedLimit| match entry.value {
            Some(EntryValue::Number(value)) => limit.measure != Derived::ScalingEfficiency || limit.is_met_by(value),
            _ => false,
        };
        if question.wanted.limits.iter().all(is_met) {
            ranked.push((name, entry));
        }
    }
    let worst_first = matches!(superlative, Superlative::Worst | Superlative::Least);
    let value = |entry: &Entry| match entry.value {
        Some(EntryValue::Number(number)) => number,
        _ => f64::NAN,
    };
    ranked.sort_by(|(a_name, a), (b_name, b)| {
        let by_value = value(a).total_cmp(&value(b));
        (if worst_first { by_value } else { by_value.reverse() }).then_with(|| a_name.cmp(b_name))
    });
    let told = |(name, entry): &(String, Entry)| format!("{name} with {} (n = {})", percent_of(value(entry)), entry.n);
    let Some(first) = ranked.first() else { return Ok(None) };
    let next: Vec<String> = ranked.iter().skip(1).take(NEXT).map(told).collect();
    let next = if next.is_empty() { String::new() } else { format!(", then {}", and_list(&next)) };
    let met: Vec<String> = question.wanted.limits.iter().map(|limit| format!("`{}`", limit.text)).collect();
    let met = if met.is_empty() { String::new() } else { format!(" with {}", and_list(&met)) };
    let of = match entity_kind(candidate) {
        Some(kind) => counted(ranked.len(), kind.noun(), kind.plural()),
        None => ranked.len().to_string(),
    };
    let parts: Vec<PartNumbers> = of_count.iter().map(|step| step.many.parts).collect();
    let under = stated_alone(&shared(values, &parts, &[Field::DeviceCount, field]));
    let of_frame = |key: &String| FRAME.iter().any(|field| field.key() == key);
    let under = under.into_iter().filter(|(key, _)| of_frame(key)).collect();
    let frame = scaling.names.frame(&under, scaling.stores)?;
    let text = format!(
        "{} scaling: {}{next}, of linear scaling on {devices} devices over one; {of}{met} that were measured alike ({frame}), by \
         the geometric mean of their matched pairs.",
        if worst_first { "Worst" } else { "Best" },
        told(first),
    );
    let entries = ranked.into_iter().take(question.limit.unwrap_or(MOST)).map(|(_, entry)| entry).collect();
    Ok(Some(Conclusion { text, entries }))
}

/// Where no two candidates were measured alike: that is said, and none is called first or last.
fn nothing_shared(
    scaling: &Scaling<'_>,
    (candidate, several): (Aspect, usize),
    told: &[Field],
) -> Result<Conclusion, QueryError> {
    let of = match entity_kind(candidate) {
        Some(kind) => counted(several, kind.noun(), kind.plural()),
        None => several.to_string(),
    };
    let fields: Vec<String> = told.iter().map(|field| field.heading().to_owned()).collect();
    let left_out = match scaling.left_out {
        0 => String::new(),
        far => format!(" Left out: {} far from all others.", counted(far, "pair", "pairs")),
    };
    let text = format!(
        "The scaling of {of} is known, but no two of them were measured on the same {}, so none is first or last: how one work \
         scales says nothing of how another does.{left_out}",
        and_list(&fields)
    );
    Ok(Conclusion { text, entries: Vec::new() })
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Superlative};
    use crate::model::{Aspect, Field};

    #[test]
    fn what_was_measured_in_other_work_is_not_ranked() {
        let rows = r#"
[[table]]
columns = ["framework", "network", "device-count", "throughput-per-s"]
rows = [
  ["firelight", "deepnet-50", 1, 100], ["firelight", "deepnet-50", 4, 380],
  ["gridflow", "deepnet-18", 1, 300], ["gridflow", "deepnet-18", 4, 600],
]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.along = Some(Aspect::Field(Field::DeviceCount));
        question.wanted.superlative = Some(Superlative::Worst);
        question.wanted.candidates = Some(Aspect::Field(Field::Framework));
        let conclusion = sample.conclude(&question);
        assert!(conclusion.entries.is_empty(), "{}", conclusion.text);
        assert!(conclusion.text.starts_with("The scaling of 2 frameworks is known, but no two"), "{}", conclusion.text);
    }

    #[test]
    fn networks_are_ranked_by_how_they_scale_on_the_same_number_of_devices() {
        let rows = r#"
[[table]]
columns = ["network", "device-count", "throughput-per-s"]
rows = [
  ["deepnet-50", 1, 100], ["deepnet-50", 4, 380], ["deepnet-50", 8, 700],
  ["deepnet-18", 1, 300], ["deepnet-18", 4, 600],
]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.along = Some(Aspect::Field(Field::DeviceCount));
        question.wanted.superlative = Some(Superlative::Worst);
        question.wanted.candidates = Some(Aspect::Field(Field::Network));
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        let expected = ["device-count 4 network deepnet-18 0.5", "device-count 4 network deepnet-50 0.95"];
        assert_eq!(lines, expected, "{}", conclusion.text);
        assert!(conclusion.text.starts_with("Worst scaling: DeepNet-18 with 50 %"), "{}", conclusion.text);
    }
}
