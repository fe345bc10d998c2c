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
    let digits = (2 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.digits$}")
}
