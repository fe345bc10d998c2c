//! What is said where no measurement meets a question: which of its words nothing has, alone or together, and what is nearest.
//!
//! A denial is true of exactly what was looked for: it never says more than that these words meet in no row.

use std::ops::Bound;

use crate::ask::conclude::basis::not_stated::not_stating;
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::wording::{Names, name_of as measure_name};
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Facet, Field, Measure, Metric};
use crate::rows::entity_kind;
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;
use crate::values::text::{and_list, counted, or_list};

/// So many of what is nearest are named.
const MOST_NAMED: usize = 3;

/// What a word may be taken back of, the rest being looked at: first what was run, then on what.
const GIVES_WAY: &[(&str, Field)] = &[
    ("parameters", Field::Network),
    ("network", Field::Network),
    ("task", Field::Network),
    ("framework", Field::Framework),
    ("device", Field::Device),
    ("vendor", Field::Device),
    ("architecture", Field::Device),
];

/// What no row has, and which rows are nearest to it.
pub(in crate::ask::conclude) struct Denial {
    /// What no row has.
    pub text: String,
    /// What the nearest rows are of; their numbers say more, where there are any.
    nearest: Option<String>,
}

impl Denial {
    /// What no row has, and what the nearest rows are of.
    pub fn parts(&self) -> (&str, Option<&str>) {
        (&self.text, self.nearest.as_deref())
    }

    /// Both, in words.
    pub fn in_words(self) -> String {
        [Some(self.text), self.nearest].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// Says what no row has, and what is nearest to it.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn denial(stores: &Stores, question: &Question) -> Result<Denial, QueryError> {
    let mut clauses: Vec<&Clause> = question.clauses.iter().filter(|clause| !clause.text.is_empty()).collect();
    // A limit asks for the metric as well, in the same words.
    clauses.dedup_by(|later, first| later.text == first.text);
    let mut names = Names::default();
    let mut alone = Vec::new();
    for clause in &clauses {
        alone.push(stores.index.count(DocumentKind::Measurement, &clause.condition)?);
    }
    let unmeasured: Vec<usize> = (0..clauses.len()).filter(|at| alone[*at] == 0).collect();
    let (text, culprits) = if unmeasured.is_empty() {
        match disjoint(stores, &clauses)? {
            Some((a, b)) => {
                let of = |at: usize| format!("`{}` ({})", clauses[at].text, counted(alone[at], "row", "rows"));
                let stated = |at: usize| asked_metrics(clauses[at]);
                let text = match (stated(a), stated(b)) {
                    (None, Some(metric)) => states_none((clauses[a], alone[a]), (&metric, alone[b])),
                    (Some(metric), None) => states_none((clauses[b], alone[b]), (&metric, alone[a])),
                    _ => format!("No row has both {} and {}.", of(a), of(b)),
                };
                (text, vec![a, b])
            }
            None => {
                let all: Vec<String> = clauses.iter().map(|clause| format!("`{}`", clause.text)).collect();
                (format!("No row has all of {}.", and_list(&all)), (0..clauses.len()).collect())
            }
        }
    } else {
        let mut told = Vec::new();
        for at in &unmeasured {
            told.push(name_of(stores, &mut names, clauses[*at])?);
        }
        (format!("No row has {}.", or_list(&told.iter().map(String::as_str).collect::<Vec<_>>())), unmeasured)
    };
    let unstated = unstated_metrics(stores, &clauses)?;
    let nearest = nearest(stores, &mut names, &clauses, &culprits)?;
    // Of devices with a limit on a fact it may be that few state it.
    let unknown = not_stating(stores, question, EntityKind::Device)?;
    let text = [Some(text), unstated].into_iter().flatten().chain(unknown).collect::<Vec<_>>().join(" ");
    Ok(Denial { text, nearest })
}

/// The metrics that a clause asks rows to state, in words; `None` where it asks for something else.
fn asked_metrics(clause: &Clause) -> Option<String> {
    clause.plain_kind().filter(|kind| *kind == Facet::Metric.key())?;
    let values = clause.readings.iter().flat_map(|reading| &reading.read_as.values);
    let metrics = values.filter_map(|value| value.parse::<Metric>().ok());
    let named: Vec<&str> = metrics.map(|metric| measure_name(Measure::Metric(metric))).collect();
    (!named.is_empty()).then(|| or_list(&named))
}

/// `None of the 175 rows of `llama 3.3 70b` states the time to first token, which 601 other rows do.`
fn states_none((clause, rows): (&Clause, usize), (metric, stating): (&str, usize)) -> String {
    let text = &clause.text;
    let others = counted(stating, "other row does", "other rows do");
    match rows {
        1 => format!("The one row of `{text}` does not state the {metric}, which {others}."),
        _ => format!("None of the {rows} rows of `{text}` states the {metric}, which {others}."),
    }
}

/// Where a metric is limited: how many of the rows that meet all else state it.
fn unstated_metrics(stores: &Stores, clauses: &[&Clause]) -> Result<Option<String>, QueryError> {
    for (at, clause) in clauses.iter().enumerate() {
        let Some(Aspect::Metric(metric)) = clause.plain_kind().and_then(Aspect::keyed) else { continue };
        let others = clauses.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, clause)| *clause);
        let rest = Condition::All(others.map(|clause| clause.condition.clone()).collect());
        let stated = Condition::Metric(metric, Bound::Included(f64::MIN), Bound::Unbounded);
        let all = stores.index.count(DocumentKind::Measurement, &rest)?;
        let stating = stores.index.count(DocumentKind::Measurement, &Condition::All(vec![rest, stated]))?;
        if all > stating {
            let name = measure_name(Measure::Metric(metric));
            let of = counted(all, "row", "rows");
            return Ok(Some(format!("Without that limit there are {of}, of which {stating} state the {name}.")));
        }
    }
    Ok(None)
}

/// Two clauses of which rows have one or the other, and none has both.
fn disjoint(stores: &Stores, clauses: &[&Clause]) -> Result<Option<(usize, usize)>, QueryError> {
    for b in 1..clauses.len() {
        for a in 0..b {
            let both = Condition::All(vec![clauses[a].condition.clone(), clauses[b].condition.clone()]);
            if stores.index.count(DocumentKind::Measurement, &both)? == 0 {
                return Ok(Some((a, b)));
            }
        }
    }
    Ok(None)
}

/// What rows have that meet all but one of the clauses that keep them out: `Nearest, with `bert`: …`.
fn nearest(
    stores: &Stores,
    names: &mut Names,
    clauses: &[&Clause],
    culprits: &[usize],
) -> Result<Option<String>, QueryError> {
    for (key, field) in GIVES_WAY {
        for &at in culprits.iter().filter(|at| clauses[**at].plain_kind() == Some(*key)) {
            let others = clauses.iter().enumerate().filter(|(other, _)| *other != at);
            let rest: Vec<&Clause> = others.map(|(_, clause)| *clause).collect();
            let condition = Condition::All(rest.iter().map(|clause| clause.condition.clone()).collect());
            let hits = stores.index.measurements(&condition, None, &[], 0, 0)?;
            if hits.total == 0 || rest.is_empty() {
                continue;
            }
            let aspect = Aspect::Field(*field);
            let mut counts = RowCounts::of(stores, &hits, aspect)?;
            if counts.values.is_empty() {
                continue;
            }
            let asked = clauses[at].readings.first().and_then(|reading| reading.read_as.values.first());
            let asked = asked.map(String::as_str).unwrap_or_default();
            counts.values.sort_by_key(|(id, rows)| std::cmp::Reverse((shared_parts(asked, id), *rows)));
            let near = counts.values.first().is_some_and(|(id, _)| shared_parts(asked, id) > 0);
            let mut with: Vec<String> = rest.iter().map(|clause| format!("`{}`", clause.text)).collect();
            with.dedup();
            let told = counts.in_words(stores, names, aspect, MOST_NAMED)?;
            let with = and_list(&with);
            let nearest = if near {
                format!("Nearest, with {with}: {told}.")
            } else {
                format!("Rows with {with} are of {told}.")
            };
            return Ok(Some(nearest));
        }
    }
    Ok(None)
}

/// With how many parts of their ids two entities begin alike: `geforce-rtx-3090` and `geforce-rtx-3090-ti` with three.
fn shared_parts(one: &str, other: &str) -> usize {
    let shared = one.split(['-', '_', '.']).zip(other.split(['-', '_', '.'])).take_while(|(a, b)| a == b).count();
    // `geforce` alone is a brand.
    if shared > 1 { shared } else { 0 }
}

/// An entity by its name, anything else by the words for it.
fn name_of(stores: &Stores, names: &mut Names, clause: &Clause) -> Result<String, QueryError> {
    let quoted = || format!("`{}`", clause.text);
    let [reading] = clause.readings.as_slice() else { return Ok(quoted()) };
    let entity = Aspect::keyed(&reading.read_as.facet).filter(|aspect| entity_kind(*aspect).is_some());
    match (entity, reading.read_as.values.as_slice()) {
        (Some(aspect), [only]) if !clause.text.starts_with('-') => names.of(aspect, only, stores),
        _ => Ok(quoted()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::Intent;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "network", "throughput-per-s"]
rows = [["nova", "deepnet-50", 200], ["core", "deepnet-18", 100], ["core", "deepnet-50", 100]]
"#;

    #[test]
    fn what_no_row_has_is_told_alone_or_together() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let text = |filters| denial(&sample.stores, &sample.question(filters, Intent::Lookup)).unwrap().in_words();
        let both = text("device:nova network:deepnet-18");
        assert!(both.starts_with("No row has both `device:nova` (1 row) and `network:deepnet-18` (1 row)."), "{both}");
        assert!(
            both.contains("ows with `device:nova` are of DeepNet-50 (1)") || both.contains(": DeepNet-50 (1)"),
            "{both}"
        );
        let alone = text("device:ember network:deepnet-50");
        assert!(alone.starts_with("No row has Ember. Rows with `network:deepnet-50` are of "), "{alone}");
    }

    #[test]
    fn what_begins_alike_is_nearer() {
        assert_eq!(shared_parts("geforce-rtx-3090-ti", "geforce-rtx-3090"), 3);
        assert_eq!(shared_parts("geforce-rtx-3090-ti", "geforce-gtx-1080"), 0);
    }
}
