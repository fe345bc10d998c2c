//! Where marks stand along an axis, and how a value becomes a place.

use super::font::width;
use crate::ask::plot::{FigureAxis, Scale};

/// Numbers along an edge.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Extent {
    pub low: f64,
    pub high: f64,
    pub log: bool,
    /// From how large a number on thousands stand apart.
    pub thousands: f64,
}

/// A number of four digits is read without a comma; where longer ones stand beside it, it has one, too.
const ALONE: f64 = 10_000.0;
const BESIDE_LONGER: f64 = 1_000.0;

/// A mark with its text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    pub at: f64,
    pub text: String,
}

impl Extent {
    /// The limits of an axis, else what holds all values with some room; from zero where a length stands for a value.
    pub fn along(axis: &FigureAxis, values: impl Iterator<Item = f64>, from_zero: bool) -> Self {
        match axis.limits {
            Some((low, high)) => Self { low, high, log: axis.scale == Scale::Log, thousands: ALONE },
            None => Self::of(values, &axis.scale, from_zero),
        }
    }

    /// What holds all values with some room; from zero where a length stands for a value.
    pub fn of(values: impl Iterator<Item = f64>, scale: &Scale, from_zero: bool) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if *scale == Scale::Log && low > 0.0 {
            let room = (high / low).max(1.5).powf(0.06);
            return Self { low: low / room, high: high * room, log: true, thousands: ALONE };
        }
        if from_zero {
            let high = if high > 0.0 { high * 1.06 } else { high.max(0.0) };
            return Self { low: low.min(0.0), high, log: false, thousands: ALONE };
        }
        let room = if high > low { (high - low) * 0.06 } else { high.abs().max(1.0) * 0.1 };
        Self { low: low - room, high: high + room, log: false, thousands: ALONE }
    }

    /// The same, its numbers written as those of all axes of a figure that hold these values.
    pub fn written_like(self, values: impl Iterator<Item = f64>) -> Self {
        let largest = values.map(f64::abs).fold(self.high.abs(), f64::max);
        Self { thousands: if largest >= ALONE { BESIDE_LONGER } else { ALONE }, ..self }
    }

    /// How far along the edge a value stands, 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        match self.log {
            true => (value.max(f64::MIN_POSITIVE).ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
            false => (value - self.low) / (self.high - self.low),
        }
    }

    /// About as many marks as wanted, at round numbers; three at least where there is room for them.
    pub fn ticks(&self, wanted: usize) -> Vec<Tick> {
        let values = if self.log { self.ratios(wanted) } else { self.steps(wanted) };
        let decimals = if self.log { None } else { values.windows(2).next().map(|pair| decimals(pair[1] - pair[0])) };
        values.into_iter().map(|at| Tick { at, text: number(at, decimals, self.thousands) }).collect()
    }

    fn steps(&self, wanted: usize) -> Vec<f64> {
        let rough = (self.high - self.low) / wanted.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= rough * 0.999);
        let mut step = step.unwrap_or(10.0 * power);
        let held = |step: f64| (self.high / step + 1e-9).floor() - (self.low / step - 1e-9).ceil() + 1.0;
        // Two marks alone are read with difficulty.
        let finer = [0.5, 0.2].into_iter().map(|share| share * step).find(|finer| held(*finer) >= LEAST as f64);
        if held(step) < LEAST as f64 && wanted >= LEAST {
            step = finer.unwrap_or(step);
        }
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|n| n as f64 * step).collect()
    }

    fn ratios(&self, wanted: usize) -> Vec<f64> {
        let inside = |value: &f64| *value >= self.low * 0.999 && *value <= self.high * 1.001;
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let of = |digits: &[f64]| -> Vec<f64> {
            let values = (first..=last).flat_map(|power| digits.iter().map(move |digit| digit * 10_f64.powi(power)));
            values.filter(inside).collect()
        };
        let choices = [&[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0][..], &[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]];
        for digits in choices {
            let values = of(digits);
            if values.len() <= wanted + 2 {
                return values;
            }
        }
        let decades = of(&[1.0]);
        let every = decades.len().div_ceil(wanted.max(1));
        decades.into_iter().step_by(every).collect()
    }
}

fn decimals(step: f64) -> usize {
    (0..16)
        .find(|n| {
            let scaled = step * 10_f64.powi(*n);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0)
        })
        .unwrap_or(0) as usize
}

/// Fewer marks than this tell little of a scale.
const LEAST: usize = 3;

/// Every mark, or every second, third …, so that no two texts of a size touch along an edge of a length.
pub(super) fn apart(ticks: Vec<Tick>, extent: &Extent, length: f64, size: f64) -> Vec<Tick> {
    const BLANK: f64 = 3.0;
    let place = |tick: &Tick| (extent.share(tick.at) * length, width(&tick.text, size, false) / 2.0);
    let fits = |step: &usize| {
        let places: Vec<(f64, f64)> = ticks.iter().step_by(*step).map(place).collect();
        places.windows(2).all(|pair| pair[1].0 - pair[1].1 - (pair[0].0 + pair[0].1) >= BLANK)
    };
    let step = (1..=ticks.len()).find(fits).unwrap_or(1);
    ticks.into_iter().step_by(step).collect()
}

/// `12,500`, `0.05`, `1M`; from `thousands` on with thousands apart.
pub(super) fn number(value: f64, decimals: Option<usize>, thousands: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e6 {
        return format!("{}M", trimmed(value / 1e6, 4));
    }
    let text = match decimals {
        Some(decimals) => format!("{value:.decimals$}"),
        None => trimmed(value, decimals_of(value)),
    };
    if value.abs() < thousands { text } else { grouped(&text) }
}

/// Decimals that show four digits of a value, at least four: `0.000025` says what it is, `3e-5` does not.
pub(super) fn decimals_of(value: f64) -> usize {
    const DIGITS: i32 = 4;
    if value == 0.0 {
        return 0;
    }
    (DIGITS - 1 - value.abs().log10().floor() as i32).max(DIGITS) as usize
}

/// A number with the fewest digits that say it, `decimals` after the point at most; never with an exponent.
pub(super) fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Thousands apart.
fn grouped(text: &str) -> String {
    let (whole, fraction) = text.split_once('.').map_or((text, ""), |(whole, fraction)| (whole, fraction));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if fraction.is_empty() { format!("{sign}{out}") } else { format!("{sign}{out}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64, log: bool) -> Vec<String> {
        Extent { low, high, log, thousands: ALONE }
            .written_like(std::iter::empty())
            .ticks(5)
            .into_iter()
            .map(|tick| tick.text)
            .collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(texts(0.0, 1046.0, false), ["0", "250", "500", "750", "1000"]);
        assert_eq!(texts(0.0, 0.9, false), ["0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(texts(0.0, 25000.0, false), ["0", "5,000", "10,000", "15,000", "20,000", "25,000"]);
        assert_eq!(texts(0.8, 150.0, true), ["1", "2", "5", "10", "20", "50", "100"]);
        assert_eq!(texts(1.0, 1e8, true), ["1", "100", "10,000", "1M", "100M"]);
        assert_eq!(texts(0.0, 0.0001, false), ["0", "0.00002", "0.00004", "0.00006", "0.00008", "0.00010"]);
        assert_eq!(texts(0.00001, 0.0002, true), ["0.00001", "0.00002", "0.00005", "0.0001", "0.0002"]);
        assert_eq!(number(0.000_025, None, ALONE), "0.000025");
        let low = Extent::of([40.0].into_iter(), &Scale::Linear, true);
        assert_eq!(low.ticks(3).len(), 3, "{low:?}");
    }

    #[test]
    fn marks_that_would_touch_are_left_out_at_even_steps() {
        let extent = Extent::of([1.0, 256.0].into_iter(), &Scale::Log, false);
        let batches = || (0..9).map(|power| 2_f64.powi(power)).map(|at| Tick { at, text: number(at, None, ALONE) });
        let texts = |length: f64| -> Vec<String> {
            apart(batches().collect(), &extent, length, 8.0).into_iter().map(|tick| tick.text).collect()
        };
        assert_eq!(texts(300.0).len(), 9);
        assert_eq!(texts(79.0), ["1", "4", "16", "64", "256"]);
    }

    #[test]
    fn values_stand_where_they_belong() {
        let extent = Extent::of([10.0, 1000.0].into_iter(), &Scale::Log, false);
        assert!((extent.share(100.0) - 0.5).abs() < 1e-9);
        let extent = Extent::of([5.0, 10.0].into_iter(), &Scale::Linear, true);
        assert_eq!((extent.low, extent.share(0.0)), (0.0, 0.0));
        let one = Extent::of([7.0].into_iter(), &Scale::Linear, false);
        assert!(one.share(7.0) > 0.4 && one.share(7.0) < 0.6);
    }
}
