//! What was compared of a device's facts, and whether it fits.

/// One comparison.
pub(super) struct Tested {
    /// The facts that take part, the most suspicious first.
    pub keys: Vec<&'static str>,
    /// Whether they fit.
    pub fits: bool,
    /// What does not, in words.
    pub told: String,
}

/// A number to three digits.
pub(super) fn short(value: f64) -> String {
    // The logarithm of nothing is the smallest number.
    let digits = 2_i32.saturating_sub(value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_is_shortened() {
        let told = [0.0, -0.0, 1234.5, 0.001_234, f64::MAX, f64::NAN].map(short);
        assert_eq!([told[0].as_str(), told[2].as_str(), told[3].as_str()], ["0.000000", "1234", "0.00123"]);
    }
}
