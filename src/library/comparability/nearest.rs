//! How far a value lies from the nearest of its like.

/// For each value above 0 the factor, at least 1, to the nearest other value; infinite where there is no other.
pub fn nearest_factors(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut factors = vec![f64::INFINITY; values.len()];
    for pair in order.windows(2) {
        let factor = values[pair[1]] / values[pair[0]];
        for at in pair {
            factors[*at] = factors[*at].min(factor);
        }
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_its_nearest_neighbour() {
        assert_eq!(nearest_factors(&[8.0, 1.0, 2.0]), [4.0, 2.0, 2.0]);
        assert_eq!(nearest_factors(&[3.0]), [f64::INFINITY]);
        assert_eq!(nearest_factors(&[]), [0.0; 0]);
    }
}
