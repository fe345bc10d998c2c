//! The Pareto front: the points that no other point beats in both values.

use super::request::{PlotError, direction_of};
use crate::model::{Aspect, Direction, Fact, Field};

/// The better direction of an aspect: that of a measure; for facts the common meaning (less power and money, more of what a device
/// has).
pub(super) fn better(aspect: Aspect) -> Result<Direction, PlotError> {
    use Fact::{Bandwidth, LaunchPrice, Memory, Parameters, Price, Tdp};
    let meant = match aspect {
        Aspect::Fact(Tdp | LaunchPrice | Price | Parameters) | Aspect::Field(Field::PriceUsdPerHour) => {
            Direction::Lower
        }
        Aspect::Fact(Memory | Bandwidth) => Direction::Higher,
        measured => direction_of(measured),
    };
    match meant {
        direction @ (Direction::Lower | Direction::Higher) => Ok(direction),
        Direction::Neutral => Err(PlotError::refused(
            format!("a Pareto front needs to know which way is better, and {} has no better way", aspect.key()),
            "take numbers of which less or more is better, such as --x tdp --y throughput",
        )),
    }
}

/// Indices of the points on the front, in order of x. Of equal points the first is used.
pub(super) fn front(points: &[(f64, f64)], x: Direction, y: Direction) -> Vec<usize> {
    let sign = |direction: Direction| if direction == Direction::Lower { 1.0 } else { -1.0 };
    // Signs are changed so that lower is better in both values.
    let turned: Vec<(f64, f64)> = points.iter().map(|(a, b)| (a * sign(x), b * sign(y))).collect();
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| turned[*a].0.total_cmp(&turned[*b].0).then(turned[*a].1.total_cmp(&turned[*b].1)));
    let mut best = f64::INFINITY;
    order.retain(|at| {
        let better = turned[*at].1 < best;
        if better {
            best = turned[*at].1;
        }
        better
    });
    if x == Direction::Higher {
        order.reverse();
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_power_and_more_memory_are_better() {
        let way = |fact| better(Aspect::Fact(fact)).ok();
        assert_eq!(way(Fact::Tdp), Some(Direction::Lower));
        assert_eq!(way(Fact::Memory), Some(Direction::Higher));
        assert!(better(Aspect::Field(Field::BatchSize)).is_err());
    }

    #[test]
    fn nobody_on_the_front_is_beaten() {
        let points = [(1.0, 10.0), (2.0, 30.0), (3.0, 20.0), (4.0, 40.0), (2.0, 30.0)];
        assert_eq!(front(&points, Direction::Lower, Direction::Higher), [0, 1, 3]);
        assert_eq!(front(&points, Direction::Higher, Direction::Higher), [3]);
        assert_eq!(front(&points, Direction::Higher, Direction::Lower), [0, 2, 3]);
        assert_eq!(front(&[], Direction::Lower, Direction::Lower), [0; 0]);
    }
}
