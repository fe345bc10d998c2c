//! What a question asks for besides what its conclusion tells. Each of several wishes is answered by what else rows or the catalog
//! state, or it is said first that nothing here does: a price behind a throughput must not get lost.

use super::by_intent::of_intent;
use super::concluded::Concluded;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry};
use crate::ask::conclude::basis::fact_wording::fact_name;
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::wording::name_of;
use crate::ask::conclude::catalog::fact;
use crate::ask::conclude::lookup;
use crate::ask::question::{Clause, Intent, Quantity, QueryError, Question};
use crate::model::{Derived, Facet, Fact, Measure, Metric};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::text::{capital, counted, first_sentences, or_list};

/// Of more than so many wishes nobody reads each.
const MOST_WISHES: usize = 4;

/// Measures of how fast something is: a ratio of two of one of them tells the others, too.
const OF_SPEED: &[Metric] = &[
    Metric::ThroughputPerS,
    Metric::DeviceThroughputPerS,
    Metric::LatencyMs,
    Metric::MeanLatencyMs,
    Metric::EpochS,
    Metric::TotalS,
    Metric::TimeToAccuracyS,
];

/// A wish that a conclusion leaves open comes to this.
enum Answered {
    /// A sentence with its entries.
    By(Conclusion),
    /// What nothing here tells, and where it was looked for.
    Nowhere(String),
}

/// A conclusion with what of the question it leaves open: what is known of that behind it, and in front of it what is not.
///
/// # Errors
///
/// When a store fails.
pub(super) fn with_open_wishes(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
    concluded: Concluded,
) -> Result<Concluded, QueryError> {
    let wishes = wishes(question);
    let of_rows = [Intent::Lookup, Intent::Comparison, Intent::Ranking, Intent::Relation];
    let fits = question.wanted.quantities.contains(&Quantity::MemoryFit);
    let is_simple = question.wanted.carried.is_none() && question.wanted.relative.is_none() && !fits;
    if !is_simple || !of_rows.contains(&question.wanted.intent) || wishes.len() > MOST_WISHES {
        return Ok(concluded);
    }
    let several = wishes.len() + usize::from(question.wanted.speed) > 1;
    let Concluded { mut conclusion, intent, follows } = concluded;
    let (mut open, mut told) = (Vec::new(), Vec::new());
    for wish in wishes.into_iter().filter(|wish| !is_told(wish, question.wanted.intent, &conclusion)) {
        let about = about_winner(question, &conclusion);
        // Where it is the only wish, its own conclusion says what it lacks; what the catalog states helps all the same.
        let answered = match several {
            true => answer(stores, &about, &wish, found)?,
            false if has_other_sense(&wish) => by_catalog(stores, &about, &wish, found)?.map(Answered::By),
            false => None,
        };
        match answered {
            Some(Answered::By(own)) => told.push(own),
            Some(Answered::Nowhere(sentence)) => open.push(sentence),
            None => {}
        }
    }
    let texts = told.iter().map(|own| own.text.clone());
    conclusion.text = match several {
        true => open.into_iter().chain([conclusion.text]).chain(texts).collect::<Vec<_>>().join(" "),
        false => texts.chain([conclusion.text]).collect::<Vec<_>>().join(" "),
    };
    conclusion.entries.extend(told.into_iter().flat_map(|own| own.entries));
    Ok(Concluded { conclusion, intent, follows })
}

/// What the question asks for: for each name what it may stand for, each once.
fn wishes(question: &Question) -> Vec<Vec<Quantity>> {
    let wanted = &question.wanted;
    let mut all: Vec<Vec<Quantity>> = Vec::new();
    for mentioned in &wanted.mentioned {
        let is_wanted =
            |quantity: &&Quantity| wanted.quantities.contains(quantity) || wanted.besides.contains(quantity);
        let own: Vec<Quantity> = mentioned.iter().filter(is_wanted).cloned().collect();
        let is_known = matches!(own.first(), Some(Quantity::Metric(_) | Quantity::Derived(_) | Quantity::Fact(_)));
        if is_known && !all.contains(&own) {
            all.push(own);
        }
    }
    all
}

/// Whether a conclusion says something of a wish, be it that nobody states it.
fn is_told(wish: &[Quantity], intent: Intent, conclusion: &Conclusion) -> bool {
    let is_speed = |quantity: &Quantity| matches!(quantity, Quantity::Metric(metric) if OF_SPEED.contains(metric));
    let tells = |entry: &Entry, quantity: &Quantity| {
        let same = |key: &str| entry.quantity == key;
        let is_ratio = entry.baseline.is_some() || intent == Intent::Relation;
        is_ratio && is_speed(quantity)
            || same(&quantity.key())
            || stands_for(quantity).iter().any(|other| same(&other.key()))
            || matches!(quantity, Quantity::Fact(fact) if same(fact.file_key()))
    };
    let low = conclusion.text.to_lowercase();
    let names = |quantity: &Quantity| match quantity {
        Quantity::Fact(_) => false,
        // That no row states it does not say what the catalog does.
        Quantity::Metric(metric) if !facts_instead(*metric).is_empty() => false,
        quantity => {
            low.split(|c: char| !c.is_alphanumeric() && c != ' ').any(|part| has_words(part, &called(quantity)))
        }
    };
    wish.iter().any(|quantity| names(quantity) || conclusion.entries.iter().any(|entry| tells(entry, quantity)))
}

/// Whether words stand whole in a text.
fn has_words(text: &str, words: &str) -> bool {
    format!(" {text} ").contains(&format!(" {words} "))
}

/// Other measures that tell the same.
fn stands_for(quantity: &Quantity) -> Vec<Quantity> {
    let Quantity::Metric(metric) = quantity else { return Vec::new() };
    let metrics: &[Metric] = match metric {
        Metric::LatencyMs | Metric::MeanLatencyMs => &[Metric::LatencyMs, Metric::MeanLatencyMs],
        Metric::ThroughputPerS => &[Metric::DeviceThroughputPerS],
        Metric::EnergyJ | Metric::EnergyPerItemJ | Metric::ItemsPerJoule => {
            &[Metric::EnergyJ, Metric::EnergyPerItemJ, Metric::EnergyPerRequestJ, Metric::ItemsPerJoule]
        }
        Metric::Accuracy | Metric::ErrorRate => &[Metric::Accuracy, Metric::ErrorRate],
        _ => &[],
    };
    let derived: &[Derived] = match metric {
        Metric::LatencyMs | Metric::MeanLatencyMs => &[Derived::TimePerItemMs],
        Metric::ThroughputPerS => &[Derived::ThroughputPerDevice],
        Metric::CostUsd => &[Derived::ItemsPerDollar, Derived::RatePerLaunchUsd, Derived::CostToAccuracyUsd],
        Metric::ItemsPerJoule => &[Derived::ItemsPerTdpJoule],
        _ => &[],
    };
    let facts = facts_instead(*metric);
    let metrics = metrics.iter().map(|metric| Quantity::Metric(*metric));
    let derived = derived.iter().map(|derived| Quantity::Derived(*derived));
    metrics.chain(derived).chain(facts.iter().map(|fact| Quantity::Fact(*fact))).collect()
}

/// What the catalog states of a device that says something of a metric.
fn facts_instead(metric: Metric) -> &'static [Fact] {
    match metric {
        Metric::MemoryMib => &[Fact::Memory],
        Metric::PowerW => &[Fact::Tdp],
        Metric::CostUsd => &[Fact::LaunchPrice, Fact::Price],
        Metric::BandwidthGbPerS => &[Fact::Bandwidth],
        _ => &[],
    }
}

/// Whether a name asks for what a device has as often as for what a run took of it: its memory, its power.
fn has_other_sense(wish: &[Quantity]) -> bool {
    let is_both = |quantity: &Quantity| {
        matches!(quantity, Quantity::Metric(Metric::MemoryMib | Metric::PowerW | Metric::BandwidthGbPerS))
    };
    wish.iter().any(is_both)
}

/// What a quantity is called in a sentence.
fn called(quantity: &Quantity) -> String {
    match quantity {
        Quantity::Metric(metric) => name_of(Measure::Metric(*metric)).to_owned(),
        Quantity::Derived(derived) => name_of(Measure::Derived(*derived)).to_owned(),
        Quantity::Fact(fact) => fact_name(*fact),
        other => other.key().replace('-', " "),
    }
}

/// What more is asked of what stands first in an order is asked of that one alone.
fn about_winner(question: &Question, conclusion: &Conclusion) -> Question {
    let mut about = question.clone();
    about.wanted.limits.clear();
    if question.wanted.intent != Intent::Ranking {
        return about;
    }
    let Some(winner) = conclusion.entries.first() else { return about };
    for facet in [Facet::Device, Facet::Network, Facet::Framework] {
        if let Some(id) = winner.subjects.get(facet.key()) {
            let id = id.to_string();
            about.clauses.retain(|clause| clause.plain_kind() != Some(facet.key()));
            about.clauses.push(Clause::of_entity(&id, facet, &id));
        }
    }
    about
}

/// What is known of a wish; `None` where no row meets the rest of the question.
fn answer(
    stores: &Stores,
    question: &Question,
    wish: &[Quantity],
    found: &SearchResult<'_>,
) -> Result<Option<Answered>, QueryError> {
    for quantity in wish {
        let own = match quantity {
            Quantity::Metric(_) | Quantity::Derived(_) => measured(stores, question, quantity, found)?,
            _ => None,
        };
        if let Some(own) = own {
            return Ok(Some(Answered::By(own)));
        }
    }
    if let Some(own) = by_catalog(stores, question, wish, found)? {
        return Ok(Some(Answered::By(own)));
    }
    let mut names: Vec<String> = wish.iter().map(called).collect();
    names.dedup();
    let of_rows = wish.iter().any(|quantity| matches!(quantity, Quantity::Metric(_)));
    let names = or_list(&names);
    if !of_rows {
        return Ok(Some(Answered::Nowhere(format!("Not told: the {names}."))));
    }
    let rest = without_measures(question, None);
    let rows = stores.index.count(DocumentKind::Measurement, &rest.condition_without(None))?;
    Ok(match rows {
        // Where there is no row, the conclusion says so.
        0 => None,
        1 => Some(format!("The 1 row that meets the rest does not state the {names}.")),
        rows => Some(format!("None of the {} that meet the rest states the {names}.", counted(rows, "row", "rows"))),
    }
    .map(Answered::Nowhere))
}

/// What rows state of a measure: the sides by it where there are any, else its values.
fn measured(
    stores: &Stores,
    question: &Question,
    quantity: &Quantity,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let metric = match quantity {
        Quantity::Metric(metric) => Some(*metric),
        _ => None,
    };
    let mut own = without_measures(question, metric);
    own.wanted.quantities = vec![quantity.clone()];
    own.wanted.mentioned = vec![vec![quantity.clone()]];
    if question.wanted.intent == Intent::Comparison {
        own.wanted.yes_or_no = false;
        own.wanted.claimed_factor = None;
        let compared = of_intent(stores, &own, found)?;
        if compared.entries.iter().any(|entry| entry.baseline.is_some()) {
            let text = format!("By the {}: {}", called(quantity), first_sentences(&compared.text, 1));
            return Ok(Some(Conclusion { text, ..compared }));
        }
    }
    own.wanted.intent = Intent::Lookup;
    own.wanted.superlative = None;
    let told = lookup::conclude(stores, &own, found)?;
    let text = format!("{}: {}", capital(&called(quantity)), told.text);
    Ok((!told.entries.is_empty()).then_some(Conclusion { text, ..told }))
}

/// What the catalog states of a wish, or of what says something of it: what a board may draw for the power that it drew.
fn by_catalog(
    stores: &Stores,
    question: &Question,
    wish: &[Quantity],
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let mut facts: Vec<Fact> = Vec::new();
    for quantity in wish {
        match quantity {
            Quantity::Fact(fact) => facts.push(*fact),
            Quantity::Metric(metric) => facts.extend(facts_instead(*metric)),
            _ => {}
        }
    }
    let names_any = |fact: &Fact| {
        let is_of = |clause: &Clause| {
            let kind = clause.plain_kind().and_then(|kind| kind.parse::<Facet>().ok()).and_then(Facet::entity_kind);
            kind == Some(fact.kind()) && !clause.is_excluded()
        };
        question.clauses.iter().chain(&question.wanted.sides).any(is_of)
    };
    facts.retain(names_any);
    let Some(first) = facts.first() else { return Ok(None) };
    let key = Facet::of_entities(first.kind()).key();
    let mut about = question.clone();
    let is_of_kind = |clause: &Clause| {
        let named = |one: &Clause| one.plain_kind() == Some(key);
        named(clause) || !clause.sides.is_empty() && clause.sides.iter().all(named)
    };
    about.clauses.retain(is_of_kind);
    about.wanted.joined_at = about.clauses.iter().position(|clause| clause.sides.len() > 1);
    about.wanted.quantities = facts.iter().map(|fact| Quantity::Fact(*fact)).collect();
    about.wanted.mentioned = vec![about.wanted.quantities.clone()];
    about.wanted.intent = Intent::Fact;
    let told = fact::conclude(stores, &about, found)?;
    let is_measured = wish.iter().any(|quantity| matches!(quantity, Quantity::Metric(_)));
    let is_known = !told.entries.is_empty() || !is_measured && !told.text.is_empty();
    let text = format!("By the catalog: {}", told.text);
    Ok(is_known.then_some(Conclusion { text, ..told }))
}

/// The question with no condition on what rows measure but that they state one metric.
fn without_measures(question: &Question, metric: Option<Metric>) -> Question {
    let mut question = question.clone();
    let is_of_metric = |clause: &&mut Clause| clause.plain_kind() == Some(Facet::Metric.key());
    for clause in question.clauses.iter_mut().filter(is_of_metric) {
        // The places of the others stay.
        *clause = Clause { condition: Condition::All(Vec::new()), readings: Vec::new(), ..clause.clone() };
    }
    question.clauses.extend(metric.map(|metric| {
        let values = vec![metric.key().to_owned()];
        let filter = format!("{}:{}", Facet::Metric.key(), metric.key());
        let condition = Condition::Facet(Facet::Metric, values.clone());
        Clause::of(metric.key(), Facet::Metric.key(), values, filter, condition)
    }));
    question
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::understand;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "throughput-per-s", "power-w"]
rows = [["nova", 300, 100], ["core", 100, ""], ["coin", 50, ""]]
"#;

    #[test]
    fn each_of_several_wishes_is_told_or_said_not_to_be_held() {
        let sample = Sample::with_devices(&[("Coin", "launch-price-usd = 100\n")], &[("paper-2020", ROWS)]);
        for (question, says) in [
            ("throughput and accuracy of deepnet-50 on nova", "does not state the accuracy"),
            ("throughput and power of deepnet-50 on nova", "Power: 1 row"),
            ("throughput and price of deepnet-50 on coin", "Launch price of Coin: 100 USD"),
            ("throughput and price of deepnet-50 on nova", "does not state the cost"),
            ("nova vs core, throughput and accuracy", "states the accuracy"),
        ] {
            let text = sample.conclude(&understand(question, &sample.stores).unwrap()).text;
            assert!(text.contains(says), "{question}: {text}");
        }
    }

    #[test]
    fn what_is_told_already_is_not_told_again() {
        let sample = Sample::with_devices(&[("Coin", "launch-price-usd = 100\n")], &[("paper-2020", ROWS)]);
        for question in ["throughput of deepnet-50 on nova", "nova vs core, throughput and latency"] {
            let text = sample.conclude(&understand(question, &sample.stores).unwrap()).text;
            assert!(
                !text.contains("states the") && !text.contains("By the latency") && !text.contains("Latency:"),
                "{question}: {text}"
            );
        }
    }
}
