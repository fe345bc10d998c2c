//! A number with as many decimals as its source printed.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::ParseError;

/// A finite number that remembers how many decimals its source gave, so that `20.0` is not shown as `20`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decimal {
    value: f64,
    decimals: u8,
}

impl Decimal {
    /// A number shown with `decimals` digits after the point. `None` when `value` is not finite.
    pub fn new(value: f64, decimals: u8) -> Option<Self> {
        value.is_finite().then_some(Self { value, decimals })
    }

    /// A computed number, shown with one digit more than the `digits` significant ones it came from,
    /// so that rounding for display adds no error to a later comparison.
    pub fn derived(value: f64, digits: u8) -> Option<Self> {
        let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
        let decimals = (i32::from(digits) - magnitude).clamp(0, 12) as u8;
        let scale = 10f64.powi(i32::from(decimals));
        Self::new((value * scale).round() / scale, decimals)
    }

    /// The number itself.
    pub fn value(self) -> f64 {
        self.value
    }

    /// Digits after the point, as the source printed them.
    pub fn decimals(self) -> u8 {
        self.decimals
    }

    /// Significant digits: those of the printed number without leading zeros.
    pub fn significant_digits(self) -> u8 {
        let digits = format!("{:.*}", usize::from(self.decimals), self.value.abs());
        let significant = digits.bytes().filter(u8::is_ascii_digit).skip_while(|&b| b == b'0').count();
        significant.clamp(1, 17) as u8
    }
}

impl FromStr for Decimal {
    type Err = ParseError;

    /// Reads what TOML calls an integer or a float (underscores allowed, no infinities).
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::expected("a number such as 92.9");
        let plain = text.replace('_', "");
        let value: f64 = plain.parse().map_err(|_| error())?;
        let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((plain.as_str(), "0"));
        let fraction = mantissa.split_once('.').map_or(0, |(_, f)| f.len() as i64);
        let exponent: i64 = exponent.parse().map_err(|_| error())?;
        let decimals = (fraction - exponent).clamp(0, 30) as u8;
        Self::new(value, decimals).ok_or_else(error)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*}", usize::from(self.decimals), self.value)
    }
}

impl Serialize for Decimal {
    /// An integer where the source printed one, else a float.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.decimals == 0 && self.value.abs() < 9e15 {
            serializer.serialize_i64(self.value as i64)
        } else {
            serializer.serialize_f64(self.value)
        }
    }
}

impl<'de> Deserialize<'de> for Decimal {
    /// Reads a number with the fewest decimals that give it back.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer)?.to_string().parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_shown_as_they_were_given() {
        for text in ["92.9", "20.0", "0.9920", "125", "1000000", "0.009"] {
            assert_eq!(text.parse::<Decimal>().unwrap().to_string(), text);
        }
        assert_eq!("1.29e3".parse::<Decimal>().unwrap().to_string(), "1290");
        assert_eq!("5e-05".parse::<Decimal>().unwrap().to_string(), "0.00005");
        assert_eq!("1_000.5".parse::<Decimal>().unwrap().to_string(), "1000.5");
    }

    #[test]
    fn infinities_and_words_are_no_numbers() {
        for text in ["inf", "nan", "", "92.9ms", "1e999"] {
            assert!(text.parse::<Decimal>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_derived_number_has_one_digit_more_than_its_origin() {
        // 16 images in 92.9 ms (three significant digits).
        let throughput = Decimal::derived(16.0 / 0.0929, 3).unwrap();
        assert_eq!(throughput.to_string(), "172.2");
        assert_eq!("92.9".parse::<Decimal>().unwrap().significant_digits(), 3);
        assert_eq!("0.0090".parse::<Decimal>().unwrap().significant_digits(), 2);
    }
}
