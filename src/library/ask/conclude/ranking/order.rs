//! Candidates in their order, under one frame in which they can be compared.

use std::collections::HashSet;

use super::beyond_reference;
use super::candidate_kind::{CandidateKind, reaches_target};
use super::chosen_frame::{chosen, frames_of, task_frames};
use super::frames::Scope;
use super::heeded_limits::HeededLimits;
use super::inputs::Ranking;
use super::largest_batch;
use super::largest_system;
use super::named_alternatives;
use super::network_frames::FramesOfNetwork;
use super::of_facts;
use super::quality_of_networks::QualityOfNetworks;
use super::ranked_rows::RankedRows;
use crate::ask::conclude::basis::axis_condition::without_metric;
use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::conclude::basis::measures::{
    fact_named, fact_of_superlative, ranking_measures, with_or_without_metric,
};
use crate::ask::conclude::basis::named_alternatives::NamedAlternatives;
use crate::ask::conclude::basis::named_behind_first::next_named;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::hits::{HitColumns, LayerSizes, SharedValues};
use crate::ask::question::{QueryError, Question, Superlative, is_like_a_name};
use crate::model::{Aspect, Facet, Fact, Field, Measure, Metric};
use crate::stores::Stores;

/// Ranks the candidates.
pub fn conclude(stores: &Stores, question: &Question, _found: &SearchResult<'_>) -> Result<Conclusion, QueryError> {
    if let Some(conclusion) = largest_batch::conclude(stores, question)? {
        return Ok(conclusion);
    }
    if let Some(conclusion) = largest_system::conclude(stores, question)? {
        return Ok(conclusion);
    }
    if let Some(conclusion) = beyond_reference::conclude(stores, question)? {
        return Ok(conclusion);
    }
    // What is good for other work says nothing of this.
    if let Some(work) = &question.wanted.unknown_work {
        let text = format!(
            "Nothing here was measured of `{work}`, so nothing is ranked for it: what was are neural networks and their layers; a network or a task that is named is ranked by."
        );
        return Ok(Conclusion { text, entries: Vec::new() });
    }
    // The cost of what nobody here knows is none of everything else.
    if let Some(unknown) = question.ignored.iter().find(|words| is_product(words)).filter(|_| names_nothing(question)) {
        let text = format!("Nothing but `{unknown}` says what is asked about, so nothing is ranked.");
        return Ok(Conclusion { text, entries: Vec::new() });
    }
    conclude_by(stores, question, question.wanted.candidates)
}

/// Whether words that were left out are the name of a product: letters and a number.
fn is_product(words: &str) -> bool {
    is_like_a_name(words) && words.contains(|c: char| c.is_ascii_digit())
}

/// Whether a question names neither what ran nor what it ran on.
fn names_nothing(question: &Question) -> bool {
    const NAMES: &[&str] = &[
        "network",
        "dataset",
        "task",
        "device",
        "framework",
        "source",
        "vendor",
        "architecture",
        "class",
        "instance",
        "parameters",
        "text",
    ];
    !question.read_as().any(|read| NAMES.contains(&read.facet.as_str()))
}

/// Ranks the values of an aspect; without one the settings in which what is named was run.
pub(in crate::ask::conclude) fn conclude_by(
    stores: &Stores,
    question: &Question,
    ranked: Option<Aspect>,
) -> Result<Conclusion, QueryError> {
    let aspect = ranked.unwrap_or(Aspect::Field(Field::Device));
    let is_of_candidates = |fact: &Fact| fact.naming_fields().any(|of| Aspect::Field(of) == aspect);
    let fact = fact_named(question).filter(is_of_candidates).or_else(|| fact_of_superlative(question, aspect));
    if let Some(fact) = fact.filter(|_| ranked.is_some()) {
        return of_facts::conclude(stores, question, fact);
    }
    let measures = ranking_measures(question);
    if measures.is_empty() {
        let text = "It is not understood by what to rank: a quantity such as latency, power, cost or memory says it.";
        return Ok(Conclusion { text: text.to_owned(), entries: Vec::new() });
    }
    let told_apart = match aspect {
        Aspect::Fact(fact) => Some(fact),
        _ => None,
    };
    let values = SharedValues::read_with(stores, told_apart)?;
    let mut metrics: Vec<Metric> = Vec::new();
    for measure in &measures {
        match measure {
            Measure::Metric(metric) => metrics.push(*metric),
            Measure::Derived(derived) => metrics.extend(derived.needs()),
        }
    }
    let limits = HeededLimits::of(question);
    metrics.extend(limits.needs());
    let mut seen = HashSet::new();
    metrics.retain(|metric| seen.insert(*metric));
    let quality = QualityOfNetworks::of(stores, question, ranked)?;
    let question = quality.as_ref().map_or(question, |quality| &quality.question);
    let hits = HitColumns::of(stores, &with_or_without_metric(question), &metrics)?;
    let hits = limits.applied(stores, &values, hits)?;
    // Who draws least is not measured everywhere; what a board may draw is.
    let draws = [Measure::Metric(Metric::PowerW)];
    if measures == draws && aspect == Aspect::Field(Field::Device) && !states_any(&hits, Metric::PowerW) {
        let by_tdp = of_facts::conclude(stores, &without_metric(question), Fact::Tdp)?;
        let lead = "No row that meets this states the power that was drawn; by TDP, what a board may draw:";
        return Ok(Conclusion { text: format!("{lead} {}", by_tdp.text), ..by_tdp });
    }
    let layers = LayerSizes::read(stores, &values, &[&hits])?;
    let rows = RankedRows::new(&values, &layers, &hits);
    let of_systems = ranked.is_none() && measures.first().is_some_and(|measure| reaches_target(measure.basis()));
    let of_counts = ranked == Some(Aspect::Field(Field::DeviceCount));
    let one_device = !is_about(question, Field::DeviceCount) && !of_counts && !of_systems;
    let mut kind = match ranked {
        Some(aspect) => CandidateKind::of(aspect),
        None => CandidateKind::of_settings(&values, &hits, one_device),
    };
    let mut all = Vec::new();
    // The devices of a group are alike in nothing: each group is told by the best that any of its own did.
    if !kind.are_settings && !kind.is_of_groups() {
        all = frames_of(stores, &rows, &measures, &kind, (Scope::Alike, one_device))?;
        // Where nobody measured one device, several are better than nothing; the frame says how many.
        if all.is_empty() && one_device {
            all = frames_of(stores, &rows, &measures, &kind, (Scope::Alike, false))?;
        }
    }
    let mut task = task_frames(stores, question, &rows, &measures, (aspect, &kind, one_device))?;
    if task.is_empty() && kind.are_settings && one_device {
        kind = CandidateKind::of_settings(&values, &hits, false);
        task = task_frames(stores, question, &rows, &measures, (aspect, &kind, false))?;
    }
    if aspect != Aspect::Field(Field::Network) {
        let of_network = FramesOfNetwork::named(question, &values);
        of_network.keep(&mut all);
        of_network.keep(&mut task.frames);
    }
    let alternatives = NamedAlternatives::of(stores, question)?;
    for named in &alternatives {
        named_alternatives::keep(named, &hits, &mut all);
        named_alternatives::keep(named, &hits, &mut task.frames);
    }
    let is_cheapest = question.wanted.superlative == Some(Superlative::Cheapest);
    let has_work = [Field::Network, Field::Dataset, Field::Stage].iter().any(|field| is_about(question, *field));
    if all.is_empty() && task.is_empty() && is_cheapest && aspect == Aspect::Field(Field::Device) && !has_work {
        return of_facts::conclude(stores, question, Fact::LaunchPrice);
    }
    let next = next_named(question);
    let mut conditions: Vec<String> = quality.iter().map(QualityOfNetworks::in_words).collect();
    conditions.extend(limits.in_words());
    let (names, values) = (Names::default(), &values);
    // A class, a maker or a device that is named is the only one wanted.
    let of_hardware = [Facet::Class, Facet::Vendor, Facet::Architecture, Facet::Device];
    let names_hardware = question.read_as().any(|read| of_hardware.iter().any(|facet| facet.key() == read.facet));
    let tells_classes = ranked == Some(Aspect::Field(Field::Device)) && !names_hardware;
    let mut ranking = Ranking {
        stores,
        values,
        hits: &hits,
        names,
        aspect,
        kind: &kind,
        next,
        conditions,
        tells_classes,
        names_work: [Field::Network, Field::Dataset].iter().any(|field| is_about(question, *field)),
        time_unit: question.wanted.time_unit,
        who: question.wanted.who,
        own: HashSet::new(),
        one_of: String::new(),
    };
    let asked = question.limit.unwrap_or(1);
    let Some(chosen) = chosen((values, &kind, &hits), all, task, &measures, asked) else {
        let superlative = question.wanted.superlative.unwrap_or(Superlative::Best);
        let alone = ranking.extreme_alone(&measures, superlative)?;
        let nothing = || Conclusion { text: ranking.nothing(&measures), entries: Vec::new() };
        return Ok(alone.unwrap_or_else(nothing));
    };
    let missing =
        alternatives.iter().filter_map(|named| named_alternatives::missing_in_words(named, &hits, &chosen.frame));
    ranking.one_of = missing.collect();
    let systems = chosen.systems.clone();
    ranking.kind = systems.as_ref().unwrap_or(&kind);
    ranking.conclusion(question, chosen, &alternatives)
}

/// Whether any row states a metric.
fn states_any(hits: &HitColumns, metric: Metric) -> bool {
    hits.values(metric).iter().any(|value| value.is_finite())
}

/// Whether the question says something of a field.
pub(in crate::ask::conclude) fn is_about(question: &Question, field: Field) -> bool {
    question.read_as().any(|read_as| read_as.facet == field.key())
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::Intent;
    use crate::model::{Aspect, Fact};

    #[test]
    fn what_no_hardware_can_give_is_not_ranked() {
        // 2 x 4.1 GFLOP an image: the peak of 10 TFLOP/s is reached at 1220 images/s.
        let rows = r#"
[[table]]
columns = ["device", "throughput-per-s"]
rows = [["core", 1300], ["nova", 1200]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.question("", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 1200"]);
        assert!(
            conclusion.text.ends_with("1 result above the peak of the device is not ranked."),
            "{}",
            conclusion.text
        );
    }

    const ROWS: &str = r#"
[[table]]
columns = ["device", "device-count", "precision", "label", "throughput-per-s"]
rows = [
  ["core", 1, "fp32", "first", 100],
  ["nova", 1, "fp32", "first", 380],
  ["nova", 1, "fp32", "second", 420],
  ["nova", 1, "fp32", "third", 400],
  ["ember", 8, "fp32", "first", 9000],
  ["ember", 1, "fp16", "first", 8000],
]
"#;

    #[test]
    fn candidates_are_ranked_under_one_frame_with_one_line_each() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let conclusion = sample.conclude(&sample.question("", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 400", "device core 100"], "{}", conclusion.text);
        let nova = &conclusion.entries[0];
        assert_eq!(
            (nova.low, nova.high, nova.n, nova.unit.as_deref()),
            (Some(380.0), Some(420.0), 3, Some("images/s"))
        );
        assert_eq!(nova.under["precision"].as_ref().map(ToString::to_string).as_deref(), Some("fp32"));
        let first = "Fastest in any setting: Ember with 8000 images/s (fp16; paper-2020). Ranked together: Nova with 400 images/s \
                     (median of 3 runs, 380 to 420), then Core (100)";
        assert!(conclusion.text.starts_with(first), "{}", conclusion.text);
    }

    #[test]
    fn runs_under_several_conditions_are_no_repetitions_and_the_best_is_said_to_be_that() {
        let rows = r#"
[[table]]
columns = ["device", "label", "throughput-per-s"]
rows = [["core", "mode a", 310], ["core", "mode b", 150], ["nova", "mode a", 320], ["nova", "mode b", 160], ["nova", "mode c", 150]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.question("", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 320", "device core 310"], "{}", conclusion.text);
        let first =
            "Fastest: Nova with 320 images/s (the best of its conditions; 3 runs, 150 to 320), then Core (310 at best)";
        assert!(conclusion.text.starts_with(first), "{}", conclusion.text);
    }

    #[test]
    fn a_number_of_devices_that_was_asked_for_is_taken() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let conclusion = sample.conclude(&sample.question("device-count:8", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device ember 9000"]);
    }

    #[test]
    fn one_candidate_is_no_ranking_where_another_measure_has_several() {
        let rows = r#"
[[table]]
columns = ["device", "throughput-per-s"]
rows = [["nova", 300]]

[[table]]
columns = ["device", "stage", "epoch-s"]
rows = [["core", "train", 20], ["ember", "train", 30], ["nova", "train", 10]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let conclusion = sample.conclude(&sample.question("", Intent::Ranking));
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 10", "device core 20", "device ember 30"], "{}", conclusion.text);
    }

    #[test]
    fn groups_of_devices_are_ranked_by_the_best_of_each() {
        let rows = r#"
[[table]]
columns = ["device", "precision", "throughput-per-s"]
rows = [["alpha", "fp32", 100], ["beta", "fp16", 300], ["gamma", "fp32", 200]]
"#;
        let (old, new) = ("architecture = \"Old\"\n", "architecture = \"New\"\n");
        let devices = [("Alpha", old), ("Beta", new), ("Gamma", old)];
        let sample = Sample::with_devices(&devices, &[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Ranking);
        question.wanted.candidates = Some(Aspect::Fact(Fact::Architecture));
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["architecture New 300", "architecture Old 200"], "{}", conclusion.text);
        let first = "Fastest: New with 300 images/s per device (Beta, fp16), then Old (200, Gamma, fp32)";
        assert!(conclusion.text.starts_with(first), "{}", conclusion.text);
    }
}
