//! Ranks: the place of each value among those that its row may be ranked with (`ranked_together`), only as far as the known
//! dispersion supports the order.

use super::compared_row::ComparedRow;
use super::criterion::Criterion;
use super::ranked_together::{AllowedAxes, RankingKeys};
use super::spread::{Spread, distinguishable};
use crate::model::{Direction, Metric};

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

/// The place of each ranked among those that it can be compared with; `None` where it can be compared
/// with no other, or no direction is better.
///
/// Ranked together are rows of the same identity and class of hardware that differ in no axis but those asked
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
    let rows: Vec<ComparedRow<'_>> = ranked_rows.iter().map(|ranked| ranked.row).collect();
    for mut group in RankingKeys::of(rows, metric, asked, relaxed).groups() {
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

#[cfg(test)]
mod tests {
    use super::super::entity_facts::ComparisonFacts;
    use super::*;
    use crate::model::{Field, Measurement, Value};
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
                let value = |text: &str| text.parse().map_or_else(|_| Value::Text(text.into()), Value::Count);
                let fields = kept.chain(*but).map(|(field, text)| (*field, value(text)));
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
    fn what_is_announced_is_not_ranked_with_what_can_be_had() {
        let device = |name, availability| [(Field::Device, name), (Field::Availability, availability)];
        let (here, coming, later) = (device("d", "available"), device("e", "preview"), device("f", "preview"));
        let rows: [ExampleRow<'_>; 4] = [("a", 2.0, &here), ("a", 4.0, &coming), ("a", 3.0, &later), ("a", 1.0, &[])];
        let asked = [Field::Device];
        let placed = ranked(&rows, &[], AllowedAxes::Only(&asked), &[]);
        assert_eq!(placed, [Some(1), Some(1), Some(2), Some(2)], "a source that says nothing means what can be had");
        let relaxed = [Criterion::Field(Field::Availability)];
        assert_eq!(ranked(&rows, &[], AllowedAxes::All, &relaxed), [Some(3), Some(1), Some(2), Some(4)]);
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
        let asked = [Field::Device];
        let one: [ExampleRow<'_>; 2] = [("a", 2.0, &[(Field::Layout, "nchw")]), ("a", 3.0, &[])];
        assert_eq!(ranked(&one, &[], AllowedAxes::Only(&asked), &[]), [Some(2), Some(1)]);
        let two: [ExampleRow<'_>; 3] =
            [("a", 2.0, &[(Field::Layout, "nchw")]), ("a", 3.0, &[(Field::Layout, "nhwc")]), ("a", 4.0, &[])];
        assert_eq!(ranked(&two, &[], AllowedAxes::Only(&asked), &[]), [None, None, None]);
        // Of a framework it is a part; how the work is divided is not.
        assert_eq!(ranked(&two, &[], AllowedAxes::Only(&[Field::Framework]), &[]), [Some(3), Some(2), Some(1)]);
        let divided: [ExampleRow<'_>; 2] =
            [("a", 2.0, &[(Field::Partition, "4 instances")]), ("a", 3.0, &[(Field::Partition, "8 instances")])];
        assert_eq!(ranked(&divided, &[], AllowedAxes::Only(&[Field::Framework]), &[]), [None, None]);
    }

    #[test]
    fn unknown_is_like_unknown_only_where_a_source_leaves_it_out_of_all_its_rows() {
        let batch = [(Field::Device, "d"), (Field::BatchSize, "8")];
        let (without, other) = ([(Field::Device, "d")], [(Field::Device, "e")]);
        let asked = AllowedAxes::Only(&[Field::Device]);
        let alike: [ExampleRow<'_>; 2] = [("a", 2.0, &without), ("a", 3.0, &other)];
        assert_eq!(ranked(&alike, &[], asked, &[]), [Some(2), Some(1)]);
        let of_two: [ExampleRow<'_>; 2] = [("a", 2.0, &without), ("b", 3.0, &other)];
        assert_eq!(ranked(&of_two, &[], asked, &[]), [None, None]);
        let partly: [ExampleRow<'_>; 3] = [("a", 2.0, &without), ("a", 3.0, &other), ("a", 4.0, &batch)];
        assert_eq!(ranked(&partly, &[], asked, &[]), [None, None, None], "their batches may be any two");
        let data: [ExampleRow<'_>; 4] = [
            ("a", 1.0, &[(Field::Dataset, "x")]),
            ("a", 2.0, &[(Field::Dataset, "y")]),
            ("a", 3.0, &[]),
            ("a", 4.0, &[]),
        ];
        let placed = ranked(&data, &[], AllowedAxes::Only(&[Field::Framework]), &[]);
        assert_eq!(placed, [None; 4], "what may be either set of data is like no other");
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
