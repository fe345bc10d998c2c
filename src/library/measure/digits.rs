//! The digits of what is measured: what a file keeps, and nothing that it does not.

/// Significant digits of a figure that was measured: more are noise.
pub(super) const DIGITS: usize = 5;

/// A time as the file keeps it. Everything is computed from these, so that whoever has the file computes the same.
pub(super) fn kept(value: f64) -> f64 {
    significant(value, DIGITS).parse().unwrap_or(value)
}

/// A list of figures as TOML.
pub(super) fn list(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|&value| significant(value, DIGITS)).collect();
    format!("[{}]", texts.join(", "))
}

/// A number with so many significant digits.
pub(super) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0.0".to_owned();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (digits as i32 - 1 - magnitude).max(0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_as_many_digits_as_were_measured() {
        assert_eq!(significant(812.345_678, 5), "812.35");
        assert_eq!(significant(0.001_234_567, 5), "0.0012346");
        assert_eq!(significant(123_456.7, 5), "123457");
        assert_eq!(significant(0.0, 3), "0.0");
        assert_eq!(kept(812.345_678), 812.35);
    }
}
