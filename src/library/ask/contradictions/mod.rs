//! Contradictions: two independent measurers of one configuration whose values lie farther apart than repetitions and known context
//! explain, by the catalog's definition; and ratios on which the evidence disagrees.

mod configurations;
mod disagreements;
mod document;
mod usual;

pub use document::{
    Allowance, ContextDifference, Contradiction, ContradictionSide, Contradictions, Disagreement, DisagreementSide,
    SCHEMA,
};

use std::collections::{HashMap, HashSet};

use configurations::{Configuration, Configurations, Repetitions};
use disagreements::Disagreements;
use usual::Usual;

use crate::ask::evidence::measured::{filtered, stated};
use crate::ask::execute::spread::rounded;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::parse::QueryError;
use crate::comparability::{Spread, distinguishable};
use crate::model::{ContradictionDefinition, Field, Measurement, Metric};
use crate::stores::Stores;
use crate::stores::index::Condition;

/// The contradictions with at least one row that matches a question; all of them if the question is empty.
///
/// # Errors
///
/// When the question cannot be parsed, or a store fails.
pub fn contradictions(stores: &Stores, content: &str, question: &str) -> Result<Contradictions, QueryError> {
    let found =
        Contradictions { query: question.to_owned(), knowledge_base: content.to_owned(), ..Contradictions::default() };
    let asked = asked_rows(stores, question)?;
    let values = SharedValues::read(stores)?;
    let all = Disagreements::read(stores, &values)?;
    let found = Contradictions { pairs: all.compared, disagreements: all.listed(asked.as_ref()), ..found };
    contradictions_among(stores, &values, asked.as_ref(), found)
}

/// Only the contradictions between rows, without those between ratios.
///
/// # Errors
///
/// See [`contradictions`].
pub fn contradictions_of_rows(stores: &Stores, question: &str) -> Result<Vec<Contradiction>, QueryError> {
    let asked = asked_rows(stores, question)?;
    let found = contradictions_among(stores, &SharedValues::read(stores)?, asked.as_ref(), Contradictions::default())?;
    Ok(found.contradictions)
}

/// The rows that a question matches; `None` if the question is empty.
fn asked_rows(stores: &Stores, question: &str) -> Result<Option<HashSet<u64>>, QueryError> {
    Ok(if question.trim().is_empty() { None } else { Some(rows_of(stores, &filtered(stores, question)?)?) })
}

fn contradictions_among(
    stores: &Stores,
    values: &SharedValues,
    asked: Option<&HashSet<u64>>,
    mut found: Contradictions,
) -> Result<Contradictions, QueryError> {
    let Some(definition) = stores.database.contradiction_definition()? else { return Ok(found) };
    let configurations = Configurations::read(stores, values, &definition)?;
    let usual = Usual::of(&configurations.all, &definition);
    let hits = &configurations.hits;
    let mut pairs = Vec::new();
    let mut known: HashSet<(u64, u64)> = HashSet::new();
    for configuration in &configurations.all {
        for pair in pairs_of(configuration, &usual) {
            let [high, low] = [pair.higher, pair.lower].map(|(_, hit)| hits.row(hit));
            let is_asked = asked.is_none_or(|rows| rows.contains(&high) || rows.contains(&low));
            // Do not report two rows again by a later metric.
            if !is_asked || !known.insert((high.min(low), high.max(low))) {
                continue;
            }
            found.compared += 1;
            match () {
                () if pair.apart <= usual.repetitions() => found.within_repetitions += 1,
                () if pair.apart <= pair.usual => found.explained += 1,
                () => pairs.push(pair),
            }
        }
    }
    pairs.sort_by(|a, b| b.apart.total_cmp(&a.apart).then((a.higher.1, a.lower.1).cmp(&(b.higher.1, b.lower.1))));
    let rows = measurements(stores, hits, &pairs)?;
    let describer = PairDescriber { values, hits, definition: &definition, rows: &rows };
    // A value that nobody else has contradicts many others: it is listed once, with the value farthest from it. MLPerf also prints
    // one run in two categories.
    let mut lines: HashMap<(String, u64, String), usize> = HashMap::new();
    for pair in &pairs {
        let Some(contradiction) = describer.contradiction(pair) else {
            found.within_spread += 1;
            continue;
        };
        found.unexplained += 1;
        let configuration = configuration_text(&contradiction);
        let values = [&contradiction.higher, &contradiction.lower];
        let values = values.map(|side| (side.measurer.clone(), side.value.to_bits(), configuration.clone()));
        match values.iter().find_map(|value| lines.get(value).copied()) {
            Some(line) => found.contradictions[line].further += 1,
            None => {
                lines.extend(values.map(|value| (value, found.contradictions.len())));
                found.contradictions.push(contradiction);
            }
        }
    }
    found.allowances = usual.allowances(&definition);
    found.formula = Some(definition.formula);
    found.not_captured = Some(definition.not_captured);
    Ok(found)
}

/// The configuration as text, without accuracy targets.
fn configuration_text(contradiction: &Contradiction) -> String {
    let targets = [Field::AccuracyTarget, Field::RelativeAccuracyTarget].map(Field::key);
    let stated = contradiction.under.iter().filter(|(key, _)| !targets.contains(&key.as_str()));
    let stated = stated.filter_map(|(key, value)| Some(format!("{key} {}", value.as_ref()?)));
    stated.chain([contradiction.metric.clone()]).collect::<Vec<_>>().join(" ")
}

/// The rows that match a condition.
fn rows_of(stores: &Stores, condition: &Condition) -> Result<HashSet<u64>, QueryError> {
    let hits = HitColumns::of(stores, condition, &[])?;
    Ok((0..hits.len()).map(|hit| hits.row(hit)).collect())
}

/// Two measurers of one configuration.
struct Pair<'c> {
    metric: Metric,
    /// For the measurers with the higher and the lower values: the name, and the hit that is nearest to the other side.
    higher: (&'c str, usize),
    lower: (&'c str, usize),
    of_higher: &'c Repetitions,
    of_lower: &'c Repetitions,
    /// The logarithm of the factor between the nearest ends; 0 if the ranges overlap.
    apart: f64,
    /// The usual difference, as a logarithm, given the circumstances that differ.
    usual: f64,
}

/// For each two measurers, pairs each setting of one with the most similar setting of the other; in a tie, with the one whose
/// values are nearest.
fn pairs_of<'c>(configuration: &'c Configuration, usual: &Usual) -> Vec<Pair<'c>> {
    let measurers: Vec<(&String, &Vec<Repetitions>)> = configuration.measurers.iter().collect();
    let held = |own: (&'c str, &'c Repetitions), other: (&'c str, &'c Repetitions)| {
        let (a, b) = (&own.1.circumstances, &other.1.circumstances);
        let explained = usual.repetitions() + a.unlike(b).map(|kind| usual.context(kind)).sum::<f64>();
        a.may_be_alike(b).then(|| pair(configuration.metric, own, other, explained)).flatten()
    };
    let order = |a: &Pair<'_>, b: &Pair<'_>| a.usual.total_cmp(&b.usual).then(a.apart.total_cmp(&b.apart));
    let mut pairs = Vec::new();
    for (at, (own, settings)) in measurers.iter().enumerate() {
        for (other, others) in measurers.iter().skip(at + 1) {
            let nearest_of = |a| others.iter().filter_map(|b| held((own, a), (other, b))).min_by(order);
            pairs.extend(settings.iter().filter_map(nearest_of));
            let nearest_of = |b| settings.iter().filter_map(|a| held((own, a), (other, b))).min_by(order);
            pairs.extend(others.iter().filter_map(nearest_of));
        }
    }
    pairs
}

fn pair<'c>(
    metric: Metric,
    (own, a): (&'c str, &'c Repetitions),
    (other, b): (&'c str, &'c Repetitions),
    usual: f64,
) -> Option<Pair<'c>> {
    let swap = b.middle()? > a.middle()?;
    let ((higher, of_higher), (lower, of_lower)) = if swap { ((other, b), (own, a)) } else { ((own, a), (other, b)) };
    let (low, high) = (of_higher.runs.first()?, of_lower.runs.last()?);
    let apart = (low.0 / high.0).ln().max(0.0);
    Some(Pair { metric, higher: (higher, low.1), lower: (lower, high.1), of_higher, of_lower, apart, usual })
}

/// The rows of the pairs, and those at the ends of their repetitions, by hit.
fn measurements(
    stores: &Stores,
    hits: &HitColumns,
    pairs: &[Pair<'_>],
) -> Result<HashMap<usize, Measurement>, QueryError> {
    let hits_of = |repetitions: &Repetitions| {
        let ends = [repetitions.runs.first(), repetitions.runs.last()];
        ends.into_iter().flatten().map(|(_, hit)| *hit).collect::<Vec<_>>()
    };
    let mut wanted: Vec<usize> = pairs.iter().flat_map(|pair| [pair.higher.1, pair.lower.1]).collect();
    wanted.extend(pairs.iter().flat_map(|pair| [pair.of_higher, pair.of_lower]).flat_map(hits_of));
    wanted.sort_unstable();
    wanted.dedup();
    let rows: Vec<u64> = wanted.iter().map(|hit| hits.row(*hit)).collect();
    Ok(wanted.into_iter().zip(stores.database.measurements(&rows)?).collect())
}

/// What is needed to describe pairs.
struct PairDescriber<'t> {
    values: &'t SharedValues,
    hits: &'t HitColumns,
    definition: &'t ContradictionDefinition,
    rows: &'t HashMap<usize, Measurement>,
}

impl PairDescriber<'_> {
    /// The contradiction for a pair; `None` if the stated dispersions overlap.
    fn contradiction(&self, pair: &Pair<'_>) -> Option<Contradiction> {
        let (higher, lower) = (self.rows.get(&pair.higher.1)?, self.rows.get(&pair.lower.1)?);
        let side = |(measurer, hit): (&str, usize), row: &Measurement, repetitions: &Repetitions| {
            let (first, last) = (repetitions.runs.first()?, repetitions.runs.last()?);
            Some(ContradictionSide {
                measurer: measurer.to_owned(),
                source: row.source().to_string(),
                measurement: row.id().to_owned(),
                value: self.recorded_value(pair.metric, hit)?,
                rows: repetitions.runs.len(),
                low: self.recorded_value(pair.metric, first.1)?,
                high: self.recorded_value(pair.metric, last.1)?,
            })
        };
        let above = side(pair.higher, higher, pair.of_higher)?;
        let below = side(pair.lower, lower, pair.of_lower)?;
        let spread = |row: &Measurement| Spread::of(row, pair.metric);
        if !distinguishable((above.value, spread(higher)), (below.value, spread(lower))) {
            return None;
        }
        let parts = [self.hits.parts(pair.higher.1), self.hits.parts(pair.lower.1)];
        let varied: Vec<Field> = self.definition.varied_fields().collect();
        Some(Contradiction {
            metric: pair.metric.key().to_owned(),
            factor: rounded(pair.apart.exp()),
            usual: rounded(pair.usual.exp()),
            higher: above,
            lower: below,
            further: 0,
            under: stated(self.values, &parts, &varied),
            differences: self.differences(higher, lower),
        })
    }

    /// The value as recorded in the row; the column only has eight digits of it.
    fn recorded_value(&self, metric: Metric, hit: usize) -> Option<f64> {
        let recorded = self.rows.get(&hit).and_then(|row| row.metric(metric));
        recorded.map(|number| number.value()).or_else(|| self.hits.values(metric).get(hit).copied())
    }

    /// The context fields in which two rows differ, in the order of the definition.
    fn differences(&self, higher: &Measurement, lower: &Measurement) -> Vec<ContextDifference> {
        let mut differences = Vec::new();
        for context in &self.definition.contexts {
            for field in context.fields() {
                let [own, other] = [higher, lower].map(|row| row.get(field).map(ToString::to_string));
                if own != other {
                    differences.push(ContextDifference {
                        context: context.name.clone(),
                        field: field.key().to_owned(),
                        higher: own,
                        lower: other,
                    });
                }
            }
        }
        differences
    }
}
