//! The Pareto front: the points that no other point beats in both numbers.

use super::request::{PlotError, direction_of};
use crate::model::{Aspect, Direction};

/// Which way is better along an axis.
pub(super) fn better(aspect: Aspect) -> Result<Direction, PlotError> {
    match direction_of(aspect) {
        direction @ (Direction::Lower | Direction::Higher) => Ok(direction),
        Direction::Neutral => Err(PlotError::refused(
            format!("a Pareto front needs to know which way is better, and {} has no better way", aspect.key()),
            "take metrics for both axes, such as --x latency --y throughput",
        )),
    }
}

/// The places of the points of the front, in the order of x. Of equal points the first one is taken.
pub(super) fn front(points: &[(f64, f64)], x: Direction, y: Direction) -> Vec<usize> {
    let sign = |direction: Direction| if direction == Direction::Lower { 1.0 } else { -1.0 };
    // Turned so that less is better in both.
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
    fn nobody_on_the_front_is_beaten() {
        let points = [(1.0, 10.0), (2.0, 30.0), (3.0, 20.0), (4.0, 40.0), (2.0, 30.0)];
        assert_eq!(front(&points, Direction::Lower, Direction::Higher), [0, 1, 3]);
        assert_eq!(front(&points, Direction::Higher, Direction::Higher), [3]);
        assert_eq!(front(&points, Direction::Higher, Direction::Lower), [0, 2, 3]);
        assert_eq!(front(&[], Direction::Lower, Direction::Lower), [0; 0]);
    }
}
