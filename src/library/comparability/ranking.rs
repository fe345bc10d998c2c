//! Rankings: only of what can be compared, and only as far as the known dispersion supports the order.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::compared_row::ComparedRow;
use super::criterion::Criterion;
use super::required::{RowKind, must_be_known};
use super::spread::{Spread, distinguishable};
use crate::model::{Direction, Field, Metric, Tier};

/// One that takes part in a ranking.
#[derive(Debug, Clone, Copy)]
pub struct RankedRow<'m> {
    /// The measurement.
    pub row: ComparedRow<'m>,
    /// Its value.
    pub value: f64,
    /// The dispersion of the value.
    pub spread: Option<Spread>,
}

/// The place of a ranked among those that it can be compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankAmong {
    /// Its rank, the best being 1; a rank may be shared.
    pub rank: usize,
    /// The ranked whose value is the best of all.
    pub best: usize,
    /// How many there are.
    pub of: usize,
    /// Whether they all share one rank.
    pub all_alike: bool,
}

impl RankAmong {
    /// Whether it is among the best, and others are not.
    pub fn is_best(self) -> bool {
        self.rank == 1 && !self.all_alike
    }
}

/// What may be varied in a ranking.
#[derive(Debug, Clone, Copy)]
pub enum AllowedAxes<'f> {
    /// Every axis, because all of them are shown.
    All,
    /// These fields, and what goes with them.
    Only(&'f [Field]),
}

impl AllowedAxes<'_> {
    /// Whether a field may vary. With a framework go its versions and what is below it, with a device its place.
    pub fn allows(self, field: Field) -> bool {
        let Self::Only(asked) = self else { return true };
        asked.contains(&field) || asked.iter().any(|asked| field.varies_with(*asked))
    }
}

/// What a ranked states by a criterion, or why it is like no other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum StatedValue<'m> {
    As(Cow<'m, str>),
    NotBy(&'m str),
    Alone(usize),
}

/// The place of each ranked among those that it can be compared with; `None` where it can be compared
/// with no other, or no direction is better.
///
/// Ranked together are ranked_rows of the same identity and class of hardware that differ in no axis but those asked
/// for. A rank is shared by all whose distance from its first the known dispersion does not support.
pub fn ranks(
    ranked_rows: &[RankedRow<'_>],
    direction: Direction,
    metric: Metric,
    asked: AllowedAxes<'_>,
    relaxed: &[Criterion],
) -> Vec<Option<RankAmong>> {
    let mut ranks: Vec<Option<RankAmong>> = vec![None; ranked_rows.len()];
    let better = match direction {
        Direction::Lower => |a: f64, b: f64| a.total_cmp(&b),
        Direction::Higher => |a: f64, b: f64| b.total_cmp(&a),
        Direction::Neutral => return ranks,
    };
    for mut group in groups(ranked_rows, metric, asked, relaxed) {
        if group.len() < 2 {
            continue;
        }
        group.sort_by(|a, b| better(ranked_rows[*a].value, ranked_rows[*b].value).then(a.cmp(b)));
        let (best, of) = (group[0], group.len());
        let mut first = best;
        let mut rank = 1;
        for (place, at) in group.iter().copied().enumerate() {
            let value = |at: usize| (ranked_rows[at].value, ranked_rows[at].spread);
            if distinguishable(value(first), value(at)) {
                first = at;
                rank = place + 1;
            }
            ranks[at] = Some(RankAmong { rank, best, of, all_alike: false });
        }
        if rank == 1 {
            for at in group {
                ranks[at] = ranks[at].map(|placed| RankAmong { all_alike: true, ..placed });
            }
        }
    }
    ranks
}

/// The ranked_rows in groups that can be ranked.
fn groups(
    ranked_rows: &[RankedRow<'_>],
    metric: Metric,
    asked: AllowedAxes<'_>,
    relaxed: &[Criterion],
) -> Vec<Vec<usize>> {
    let of_layers = ranked_rows.iter().any(|ranked| ranked.row.facts.is_of_layers());
    let weighs = |criterion: &Criterion| !relaxed.contains(criterion);
    let tiers: Vec<(Criterion, Tier)> = Criterion::all()
        .filter(weighs)
        .filter_map(|criterion| Some((criterion, criterion.tier(metric, of_layers)?)))
        .collect();
    let rows: Vec<ComparedRow<'_>> = ranked_rows.iter().map(|ranked| ranked.row).collect();
    let timed_differently = timed_differently(&rows);
    let dividing: Vec<(Criterion, Tier)> =
        tiers.iter().copied().filter(|(c, tier)| may_divide(*c, *tier, asked)).collect();
    let mut by_identity: HashMap<Vec<StatedValue<'_>>, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let kind = RowKind::of(std::slice::from_ref(row));
        let mut key: Vec<StatedValue<'_>> = Vec::with_capacity(dividing.len() + 2);
        for (criterion, tier) in &dividing {
            let is_required = must_be_known(*criterion, metric, kind);
            if *tier == Tier::Axis && !is_required {
                continue;
            }
            key.push(match row.compared(*criterion) {
                Some(value) => StatedValue::As(value),
                // What a number is about must be known.
                None if *criterion == Criterion::Field(Field::Network) => StatedValue::Alone(at),
                None if !is_required => StatedValue::As(Cow::Borrowed("")),
                None => StatedValue::NotBy(row.measurement.source().as_str()),
            });
        }
        if weighs(&Criterion::Class) {
            key.push(StatedValue::As(Cow::Borrowed(row.facts.class.map_or("", Into::into))));
        }
        // Within one source other words are another thing.
        if weighs(&Criterion::Field(Field::Timed)) {
            let divides = timed_differently.contains(&source_and_stage(row));
            let timed = row.text(Field::Timed).filter(|_| divides);
            key.push(StatedValue::As(
                timed.map_or(Cow::Borrowed(""), |text| Cow::Owned(format!("{}: {text}", row.measurement.source()))),
            ));
        }
        by_identity.entry(key).or_default().push(at);
    }
    let mut groups: Vec<Vec<usize>> = by_identity.into_values().collect();
    // Where an axis that was not asked for is known to vary, what does not state it is apart, too.
    for (criterion, _) in tiers.iter().filter(|(_, tier)| *tier == Tier::Axis) {
        let Criterion::Field(field) = criterion else { continue };
        if asked.allows(*field) {
            continue;
        }
        groups = groups.into_iter().flat_map(|group| divided(group, &rows, *criterion)).collect();
    }
    groups.sort();
    groups
}

/// Whether what differs in a criterion may be apart by that alone; by an axis only where it must be known.
fn may_divide(criterion: Criterion, tier: Tier, asked: AllowedAxes<'_>) -> bool {
    match (criterion, tier) {
        // Sources have words of their own for what may be the same.
        (Criterion::Field(Field::Timed), _) => false,
        (_, Tier::Identity) => true,
        (Criterion::Field(field), Tier::Axis) => !asked.allows(field),
        _ => false,
    }
}

/// A source, and the stage of one of its rows: what is timed differs with the stage.
type SourceAndStage<'m> = (&'m str, Option<&'m str>);

fn source_and_stage<'m>(row: &ComparedRow<'m>) -> SourceAndStage<'m> {
    (row.measurement.source().as_str(), row.text(Field::Stage))
}

/// Sources that say different things of what was timed in one stage.
fn timed_differently<'m>(rows: &[ComparedRow<'m>]) -> HashSet<SourceAndStage<'m>> {
    let mut first: HashMap<SourceAndStage<'m>, Option<&'m str>> = HashMap::new();
    let differs = |row: &&ComparedRow<'m>| {
        let timed = row.text(Field::Timed);
        *first.entry(source_and_stage(row)).or_insert(timed) != timed
    };
    rows.iter().filter(differs).map(source_and_stage).collect()
}

fn divided(group: Vec<usize>, rows: &[ComparedRow<'_>], criterion: Criterion) -> Vec<Vec<usize>> {
    let mut stated = group.iter().filter_map(|at| rows[*at].compared(criterion));
    let first = stated.next();
    if stated.all(|value| Some(value) == first) {
        return vec![group];
    }
    let mut parts: HashMap<Option<Cow<'_, str>>, Vec<usize>> = HashMap::new();
    for at in group {
        parts.entry(rows[at].compared(criterion)).or_default().push(at);
    }
    parts.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::super::entity_facts::ComparisonFacts;
    use super::*;
    use crate::model::{Measurement, Value};
    use crate::values::HardwareClass;

    /// A measurement: source, value, and its fields.
    type ExampleRow<'r> = (&'r str, f64, &'r [(Field, &'r str)]);

    fn ranked(
        rows: &[ExampleRow<'_>],
        classes: &[HardwareClass],
        asked: AllowedAxes<'_>,
        relaxed: &[Criterion],
    ) -> Vec<Option<usize>> {
        let always =
            [(Field::Network, "x"), (Field::Stage, "eval"), (Field::DeviceCount, "1"), (Field::Counts, "image")];
        let measurements: Vec<Measurement> = rows
            .iter()
            .map(|(source, _, but)| {
                let kept = always.iter().filter(|(field, _)| but.iter().all(|(other, _)| other != field));
                let fields = kept.chain(*but).map(|(field, value)| (*field, Value::Text((*value).into())));
                Measurement::new(source.parse().unwrap(), fields.collect(), Vec::new())
            })
            .collect();
        let facts: Vec<ComparisonFacts> = (0..rows.len())
            .map(|at| ComparisonFacts { class: classes.get(at).copied(), ..ComparisonFacts::default() })
            .collect();
        let ranked_rows: Vec<RankedRow<'_>> = measurements
            .iter()
            .zip(&facts)
            .zip(rows)
            .map(|((measurement, facts), (_, value, _))| RankedRow {
                row: ComparedRow { measurement, facts },
                value: *value,
                spread: None,
            })
            .collect();
        let placed = ranks(&ranked_rows, Direction::Higher, Metric::ThroughputPerS, asked, relaxed);
        placed.into_iter().map(|placed| placed.map(|placed| placed.rank)).collect()
    }

    #[test]
    fn only_what_was_asked_for_may_vary() {
        let rows: [ExampleRow<'_>; 2] = [
            ("a", 2.0, &[(Field::Framework, "f"), (Field::Precision, "fp32")]),
            ("a", 3.0, &[(Field::Framework, "g"), (Field::Precision, "fp16")]),
        ];
        let framework = [Field::Framework];
        let both = [Field::Framework, Field::Precision];
        assert_eq!(ranked(&rows, &[], AllowedAxes::All, &[]), [Some(2), Some(1)]);
        assert_eq!(ranked(&rows, &[], AllowedAxes::Only(&both), &[]), [Some(2), Some(1)]);
        assert_eq!(ranked(&rows, &[], AllowedAxes::Only(&framework), &[]), [None, None]);
        let relaxed = [Criterion::Field(Field::Precision)];
        assert_eq!(ranked(&rows, &[], AllowedAxes::Only(&framework), &relaxed), [Some(2), Some(1)]);
    }

    #[test]
    fn classes_are_apart_unless_they_are_relaxed() {
        let rows: [ExampleRow<'_>; 2] = [("a", 2.0, &[(Field::Device, "d")]), ("a", 3.0, &[(Field::Device, "e")])];
        let classes = [HardwareClass::Gpu, HardwareClass::Fpga];
        assert_eq!(ranked(&rows, &classes, AllowedAxes::All, &[]), [None, None]);
        assert_eq!(ranked(&rows, &classes, AllowedAxes::All, &[Criterion::Class]), [Some(2), Some(1)]);
    }

    #[test]
    fn an_axis_that_few_rows_state_divides_only_where_it_varies() {
        let asked = [Field::Framework];
        let one: [ExampleRow<'_>; 2] = [("a", 2.0, &[(Field::Layout, "nchw")]), ("a", 3.0, &[])];
        assert_eq!(ranked(&one, &[], AllowedAxes::Only(&asked), &[]), [Some(2), Some(1)]);
        let two: [ExampleRow<'_>; 3] =
            [("a", 2.0, &[(Field::Layout, "nchw")]), ("a", 3.0, &[(Field::Layout, "nhwc")]), ("a", 4.0, &[])];
        assert_eq!(ranked(&two, &[], AllowedAxes::Only(&asked), &[]), [None, None, None]);
    }

    #[test]
    fn a_set_of_one_source_that_times_two_things_is_no_ranking() {
        let rows: [ExampleRow<'_>; 2] =
            [("a", 2.0, &[(Field::Timed, "inputs")]), ("a", 3.0, &[(Field::Timed, "weights")])];
        assert_eq!(ranked(&rows, &[], AllowedAxes::All, &[]), [None, None]);
        let rows: [ExampleRow<'_>; 2] =
            [("a", 2.0, &[(Field::Timed, "a step")]), ("b", 3.0, &[(Field::Timed, "one step")])];
        assert_eq!(
            ranked(&rows, &[], AllowedAxes::All, &[]),
            [Some(2), Some(1)],
            "two sources have words of their own"
        );
    }
}
