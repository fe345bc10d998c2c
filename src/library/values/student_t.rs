//! Student's t distribution, as far as intervals of 95 % need it.

/// The 97.5 % point of Student's t distribution with 1 to 30 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical
/// Methods, section 1.3.6.7.2).
const POINTS: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_964;

/// Half the width of a 95 % confidence interval, in standard errors that were estimated with so many degrees of freedom; a
/// fraction of one counts as none, and infinitely many make it the normal distribution's.
pub fn t95(degrees_of_freedom: f64) -> f64 {
    let whole = degrees_of_freedom.floor().max(1.0);
    match POINTS.get(whole as usize - 1) {
        Some(point) => *point,
        // The first terms of the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), right to four digits from here on.
        None => {
            let cube = NORMAL.powi(3);
            NORMAL
                + (cube + NORMAL) / (4.0 * whole)
                + (5.0 * NORMAL.powi(5) + 16.0 * cube + 3.0 * NORMAL) / (96.0 * whole * whole)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_points_are_those_of_the_tables() {
        assert_eq!((t95(1.0), t95(4.0), t95(4.9), t95(0.3)), (12.706, 2.776, 2.776, 12.706));
        // The same handbook has 2.021, 2.000 and 1.984 for these.
        for (degrees, point) in [(40.0, 2.021), (60.0, 2.000), (100.0, 1.984), (f64::INFINITY, 1.960)] {
            assert!((t95(degrees) - point).abs() < 6e-4, "{degrees}: {}", t95(degrees));
        }
    }
}
