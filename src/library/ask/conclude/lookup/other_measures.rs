//! Questions for another measure: what follows from others, and what stands for what too little is known of.

use std::ops::Bound;

use super::cost_on_instance::cost_on_instance;
use super::less::{Relaxed, metric, metric_clauses, place_of, replaced, unmeasured};
use crate::ask::conclude::basis::measures::{derivable, derived_instead, stated_instead};
use crate::ask::conclude::basis::statement::statement;
use crate::ask::conclude::basis::wording::{name_of, three};
use crate::ask::question::{Clause, Intent, Quantity, QueryError, Question, ReadAs};
use crate::model::{Derived, Fact, Field, Measure, Metric};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::text::{and_list, or_list};
use crate::values::{EntityKind, Stage};

/// Prices of so many devices are told.
const MOST_PRICES: usize = 3;

/// Metrics of which each says what another one does.
const OF_SPEED: &[Metric] =
    &[Metric::LatencyMs, Metric::MeanLatencyMs, Metric::ThroughputPerS, Metric::EpochS, Metric::TotalS];

/// The questions with another derived measure in the place of one for which too little is known.
pub(super) fn with_other_measure(question: &Question) -> Vec<Relaxed> {
    let named = question.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Derived(derived) => Some(*derived),
        _ => None,
    });
    let others = named.flat_map(|named| derived_instead(named).iter().map(move |other| (named, *other)));
    let relaxed = others.map(|(named, other)| {
        let mut question = question.clone();
        question.wanted.quantities = vec![match other {
            Measure::Derived(derived) => Quantity::Derived(derived),
            Measure::Metric(metric) => Quantity::Metric(metric),
        }];
        let [named, other] = [Measure::Derived(named), other].map(name_of);
        // Of two sides one may tell it, and which does is said.
        let compares = question.wanted.intent == Intent::Comparison;
        let lead = match compares {
            true => format!("Instead the {other}:"),
            false => format!("No row tells the {named}; instead the {other}:"),
        };
        Relaxed { question, lead, says_why: !compares, follows: true, of_another: false }
    });
    // A ranking names its own.
    relaxed.filter(|_| question.wanted.intent != Intent::Ranking).collect()
}

/// The question with a measure that follows from others in the place of the metric that no row states, and without any.
pub(super) fn without_metric(stores: &Stores, question: &Question) -> Result<Vec<Relaxed>, QueryError> {
    let (places, names) = metric_clauses(question);
    let metrics: Vec<Metric> = question.wanted.quantities.iter().filter_map(metric).collect();
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let left = replaced(question, &places, Condition::All(Vec::new()));
    let mut all = Vec::new();
    if metrics == [Metric::MemoryMib]
        && question.wanted.intent == Intent::Lookup
        && place_of(question, Field::Network).is_some()
    {
        let mut question = left.clone();
        question.wanted.quantities = vec![Quantity::MemoryFit];
        question.wanted.intent = Intent::Relation;
        let lead =
            "No row states the memory that was used; what the weights take follows from their number.".to_owned();
        all.push(Relaxed { question, lead, says_why: true, follows: true, of_another: false });
    }
    if metrics.contains(&Metric::CostUsd) && metrics.contains(&Metric::EpochS) {
        let mut question = left.clone();
        question.wanted.quantities = vec![Quantity::Derived(Derived::CostPerEpochUsd)];
        let lead = "No row states the cost of an epoch, so it is derived: price x time / epochs.".to_owned();
        all.push(Relaxed { question, lead, says_why: true, follows: true, of_another: false });
    }
    if metrics.contains(&Metric::CostUsd) {
        all.extend(cost_of_training(stores, question, &left)?);
    }
    for &metric in &metrics {
        let stated = Condition::Metric(metric, Bound::Included(f64::MIN), Bound::Unbounded);
        let stating = Condition::All(vec![left.condition_without(None), stated]);
        if stores.index.count(DocumentKind::Measurement, &stating)? > 0 {
            continue;
        }
        for &other in stated_instead(metric) {
            let mut question = left.clone();
            question.wanted.quantities = vec![Quantity::Metric(other)];
            let (named, other) = (name_of(Measure::Metric(metric)), name_of(Measure::Metric(other)));
            let lead = format!("No such row states the {named} itself, but the {other}:");
            all.push(Relaxed { question, lead, says_why: true, follows: true, of_another: false });
        }
        for &derived in derivable(metric) {
            let mut question = left.clone();
            question.wanted.quantities = vec![Quantity::Derived(derived)];
            let quantity_per_dollar = derived == Derived::ItemsPerDollar;
            let (named, derived) = (name_of(Measure::Metric(metric)), name_of(Measure::Derived(derived)));
            let lead = match quantity_per_dollar {
                true => format!("No such row states the {named}; what a dollar buys follows from prices."),
                false => format!("No such row states the {named}, so it is derived: {derived}."),
            };
            all.push(Relaxed { question, lead, says_why: true, follows: true, of_another: false });
        }
    }
    // Who compares the power of two devices does not ask for their speed.
    let of_speed = metrics.iter().all(|metric| OF_SPEED.contains(metric));
    let may_do_without = of_speed || question.wanted.intent != Intent::Comparison;
    if question.wanted.intent != Intent::Ranking && may_do_without {
        let measures: Vec<&str> = metrics.iter().map(|metric| name_of(Measure::Metric(*metric))).collect();
        // Speeds that no row states are no condition.
        let lead = match places.is_empty() {
            true => format!("No row that meets the rest states the {}; what is stated:", or_list(&measures)),
            false => format!("Without {names}:"),
        };
        all.push(Relaxed {
            question: unmeasured(left),
            lead,
            says_why: places.is_empty(),
            follows: false,
            of_another: false,
        });
    }
    Ok(all)
}

/// What a training to its target costs where no row states it: derived from the time and the price of an hour; else the time alone,
/// since no price is known. A cloud on which nobody ran it is taken back, and said.
fn cost_of_training(stores: &Stores, question: &Question, left: &Question) -> Result<Vec<Relaxed>, QueryError> {
    let train: &str = Stage::Train.into();
    let is_training =
        |read: &ReadAs| read.facet == Field::Stage.key() && read.values.iter().any(|stage| stage == train);
    let trains = question.read_as().any(is_training);
    if !trains || question.wanted.intent != Intent::Lookup {
        return Ok(Vec::new());
    }
    let of_instance = |clause: &Clause| {
        clause.readings.iter().any(|reading| reading.read_as.facet == Field::Instance.key()) && !clause.is_excluded()
    };
    let instances: Vec<usize> = (0..left.clauses.len()).filter(|at| of_instance(&left.clauses[*at])).collect();
    // Another machine's price is none of this one.
    if let [only] = instances.as_slice()
        && let Some(estimate) = cost_on_instance(stores, left, *only)?
    {
        return Ok(vec![estimate]);
    }
    let words: Vec<String> = instances.iter().map(|at| format!("`{}`", left.clauses[*at].text)).collect();
    let anywhere = replaced(left, &instances, Condition::All(Vec::new()));
    let elsewhere = format!("No row of it names {}.", or_list(&words));
    let wheres = [(left.clone(), None), (anywhere, Some(elsewhere))];
    let mut all = Vec::new();
    let derived = "No such row states the cost, so it is derived: time to the target x price of an hour.".to_owned();
    let timed = format!(
        "No such row states the cost or what its machine was rented for, so it is not known; {}. The time that it took:",
        prices_of_an_hour(stores, question)?
    );
    for (measure, lead, follows) in [
        (Quantity::Derived(Derived::CostToAccuracyUsd), derived, true),
        (Quantity::Metric(Metric::TimeToAccuracyS), timed, false),
    ] {
        for (question, elsewhere) in wheres.iter().take(1 + usize::from(!instances.is_empty())) {
            let mut question = question.clone();
            question.wanted.quantities = vec![measure.clone()];
            let lead = elsewhere.iter().map(String::as_str).chain([lead.as_str()]).collect::<Vec<_>>().join(" ");
            all.push(Relaxed { question, lead, says_why: true, follows, of_another: false });
        }
    }
    Ok(all)
}

/// What an hour of the devices that are named is offered for: `the cheapest offer of an hour of one H100 is 0.69 USD`.
fn prices_of_an_hour(stores: &Stores, question: &Question) -> Result<String, QueryError> {
    let of_device = |read: &&ReadAs| read.facet == Field::Device.key() && !read.text.starts_with('-');
    let ids = question.read_as().filter(of_device).flat_map(|read| &read.values);
    let mut told: Vec<String> = Vec::new();
    for id in ids {
        let Some(rent) = statement(stores, EntityKind::Device, id, Fact::Price)? else { continue };
        let price =
            rent.number().map(|price| format!("{} {} USD ({})", rent.name, three(price), rent.sources().join(", ")));
        told.extend(price.filter(|price| !told.contains(price)));
    }
    told.truncate(MOST_PRICES);
    Ok(match told.is_empty() {
        true => "no price of an hour of such a device is known either".to_owned(),
        false => format!("the cheapest offer of an hour of one device: {}", and_list(&told)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::conclude::basis::sample::{Sample, told};

    const ROWS: &str = r#"
[[table]]
columns = ["device", "throughput-per-s"]
rows = [["nova", 200], ["core", 100]]
"#;

    #[test]
    fn a_latency_that_no_row_states_follows_from_the_throughput() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let mut question = sample.question("device:nova", Intent::Lookup);
        question.wanted.quantities = vec![Quantity::Metric(Metric::MeanLatencyMs)];
        let conclusion = sample.conclude(&question);
        assert!(
            conclusion.text.contains("No such row states the mean latency, so it is derived: time per item."),
            "{}",
            conclusion.text
        );
        assert_eq!(conclusion.entries[0].quantity, "time-per-item-ms");
        assert!(told(&conclusion.entries[0]).ends_with(" 5"), "{}", told(&conclusion.entries[0]));
    }

    #[test]
    fn a_measure_of_which_too_little_is_known_gives_way_to_the_next() {
        let rows = "\n[[run]]\ndevice = \"coin\"\nthroughput-per-s = 200\n";
        let sample = Sample::with_devices(&[("Coin", "launch-price-usd = 100\n")], &[("paper-2020", rows)]);
        let mut question = sample.question("device:coin", Intent::Lookup);
        question.wanted.quantities = vec![Quantity::Derived(Derived::ItemsPerDollar)];
        let conclusion = sample.conclude(&question);
        let lead = "No row tells the items per dollar; instead the throughput per launch price:";
        assert!(conclusion.text.contains(lead), "{}", conclusion.text);
        assert!(told(&conclusion.entries[0]).ends_with(" 2"), "{}", told(&conclusion.entries[0]));
    }
}
