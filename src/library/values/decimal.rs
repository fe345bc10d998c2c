//! A number with the decimals that its source printed; and Student's t.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::ParseError;

/// Significant digits that survive a round trip through any `f64`.
const EXACT_DIGITS: u8 = f64::DIGITS as u8;

/// Maximum number of decimals to display.
const MOST_DECIMALS: i64 = 30;

/// Exact unit factors have few digits; a factor with more is a rounded quotient.
const MOST_OF_FACTOR: u8 = 9;

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

    /// A computed number, displayed with one digit more than the `digits` significant ones of its input, so that
    /// rounding for display adds no error to a later comparison.
    pub fn derived(value: f64, digits: u8) -> Option<Self> {
        let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
        let decimals = (i32::from(digits) - magnitude).clamp(0, 12) as u8;
        let scale = 10f64.powi(i32::from(decimals));
        Self::new((value * scale).round() / scale, decimals)
    }

    /// Rounds to at most `digits` significant digits.
    pub fn cut(self, digits: u8) -> Self {
        match self.significant_digits() <= digits {
            true => self,
            false => Self::derived(self.value, digits.saturating_sub(1)).unwrap_or(self),
        }
    }

    /// For display: a float printed in full by a program is cut to seven digits.
    pub fn readable(self) -> Self {
        const READABLE: u8 = 7;
        self.cut(READABLE)
    }

    /// A printed number times a unit factor, such as 3600 or 1e-6: the exact product, as far as an `f64` can represent
    /// it, without trailing zeros that the printed number did not have. A factor that is itself rounded (1/60) gives a
    /// product rounded to one digit more than the number has.
    ///
    /// # Errors
    ///
    /// When the text is not a number or the product is not finite.
    pub fn product(text: &str, factor: f64) -> Result<Self, ParseError> {
        // A number printed with more digits than an `f64` represents gives a product with as many digits as it does represent.
        let number = Self::nearest_to(text).ok_or_else(|| ParseError::expected("a number such as 92.9"))?;
        let by = factor.to_string().parse::<Self>()?;
        let exact = || {
            if by.significant_digits() > MOST_OF_FACTOR {
                return None;
            }
            // The text may have more digits than an `f64` can represent.
            let (whole, decimals) = digits(text).or_else(|| digits(&number.to_string()))?;
            let (factor, more) = digits(&by.to_string())?;
            let product = whole.checked_mul(factor)?;
            match power_of_ten(by) {
                Some(power) => Self::of_digits(product, decimals + more, decimals - power),
                None => Self::of_digits(product, decimals + more, 0)?.without_excess_digits(),
            }
        };
        let rounded = || Self::derived(number.value * factor, number.significant_digits());
        exact().or_else(rounded).ok_or_else(|| ParseError::expected("a finite product"))
    }

    /// The nearest number to the text, which may have more digits than an `f64` represents; the excess digits are dropped.
    ///
    /// # Errors
    ///
    /// When the text is not a finite number.
    pub fn nearest(text: &str) -> Result<Self, ParseError> {
        const MOST_DIGITS: usize = 17;
        let number = Self::nearest_to(text).ok_or_else(|| ParseError::expected("a number such as 92.9"))?;
        let is_long = significant(text).0.len() > MOST_DIGITS;
        Ok(if is_long { Self::nearest_to(&number.value.to_string()).unwrap_or(number) } else { number })
    }

    /// The number itself.
    pub fn value(self) -> f64 {
        self.value
    }

    /// Digits after the point, as the source printed them.
    pub fn decimals(self) -> u8 {
        self.decimals
    }

    /// Significant digits of the printed number, without leading zeros.
    pub fn significant_digits(self) -> u8 {
        let digits = format!("{:.*}", usize::from(self.decimals), self.value.abs());
        let significant = digits.bytes().filter(u8::is_ascii_digit).skip_while(|&b| b == b'0').count();
        significant.clamp(1, 17) as u8
    }
}

impl Decimal {
    /// The number with these digits, `decimals` of them after the point; trailing zeros are dropped down to `kept` decimals.
    fn of_digits(mut digits: i128, mut decimals: i32, kept: i32) -> Option<Self> {
        while decimals > kept.max(0) && digits % 10 == 0 {
            digits /= 10;
            decimals -= 1;
        }
        let sign = if digits < 0 { "-" } else { "" };
        let width = decimals as usize + 1;
        let text = format!("{:0width$}", digits.unsigned_abs());
        let (whole, fraction) = text.split_at(text.len() - decimals as usize);
        Self::nearest_to(format!("{sign}{whole}.{fraction}").trim_end_matches('.'))
    }

    /// The nearest number to a plain text, with the decimals of the text; `None` where the text is not a finite number.
    fn nearest_to(plain: &str) -> Option<Self> {
        let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((plain, "0"));
        let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i64);
        let exponent: i64 = exponent.parse().ok()?;
        let decimals = fraction.saturating_sub(exponent).clamp(0, MOST_DECIMALS) as u8;
        Self::new(plain.parse().ok()?, decimals)
    }

    /// The number without the digits that an `f64` cannot represent.
    fn without_excess_digits(self) -> Option<Self> {
        if self.significant_digits() <= EXACT_DIGITS { Some(self) } else { Self::nearest_to(&self.value.to_string()) }
    }
}

impl FromStr for Decimal {
    type Err = ParseError;

    /// Reads what TOML calls an integer or a float (underscores allowed, no infinities).
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::expected("a number such as 92.9");
        let plain = text.replace('_', "");
        let number = Self::nearest_to(&plain).ok_or_else(error)?;
        // Numbers this short always survive the round trip.
        let is_short = plain.len() <= usize::from(EXACT_DIGITS) && !plain.contains(['e', 'E']);
        let shown = number.to_string();
        // Two spellings can be equally near to the same number; a program may have printed either.
        let is_other =
            || significant(&plain) == significant(&number.value.to_string()) && shown.parse() == Ok(number.value);
        let is_exact = || significant(&plain) == significant(&shown) || is_other();
        if !is_short && !is_exact() {
            return Err(ParseError::expected(
                "a number that a 64-bit float keeps with all its digits; round it to 16 digits",
            ));
        }
        Ok(number)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.*}", usize::from(self.decimals), self.value)
    }
}

impl Serialize for Decimal {
    /// Writes an integer where the source printed one, else a float.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.decimals == 0 && self.value.abs() < 9e15 {
            serializer.serialize_i64(self.value as i64)
        } else {
            serializer.serialize_f64(self.value)
        }
    }
}

impl<'de> Deserialize<'de> for Decimal {
    /// Reads a number with the fewest decimals that represent it exactly.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = f64::deserialize(deserializer)?.to_string();
        Self::nearest_to(&text).ok_or_else(|| de::Error::custom("expected a finite number"))
    }
}

/// The digits of a number from the first to the last non-zero one, and the power of ten of the last one. All spellings
/// of one number share both.
fn significant(plain: &str) -> (String, i64) {
    let (mantissa, exponent) = plain.split_once(['e', 'E']).unwrap_or((plain, "0"));
    let fraction = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len() as i64);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return (String::new(), 0);
    }
    let zeros = (digits.len() - kept.len()) as i64;
    let power = exponent.parse::<i64>().unwrap_or(0).saturating_sub(fraction).saturating_add(zeros);
    (kept.trim_start_matches('0').to_owned(), power)
}

/// The digits of a plain number without the point, and the number of decimals.
fn digits(text: &str) -> Option<(i128, i32)> {
    let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    Some((text.replace('.', "").parse().ok()?, decimals as i32))
}

/// The exponent of a power of ten.
fn power_of_ten(factor: Decimal) -> Option<i32> {
    let power = factor.value.log10();
    (power.fract() == 0.0).then_some(power as i32)
}

/// The 97.5 % point of Student's t distribution with 1 to 30 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical
/// Methods, section 1.3.6.7.2).
const POINTS: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_964;

/// Half the width of a 95 % confidence interval, in standard errors, for these degrees of freedom. Fractions are
/// rounded down, to at least one; infinity gives the normal distribution.
pub fn t95(degrees_of_freedom: f64) -> f64 {
    let whole = degrees_of_freedom.floor().max(1.0);
    match POINTS.get(whole as usize - 1) {
        Some(point) => *point,
        // The first terms of the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5), accurate to four digits from here on.
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
    fn a_float_written_to_its_last_bit_is_cut() {
        let shown = |text: &str| text.parse::<Decimal>().unwrap().readable().to_string();
        assert_eq!(shown("644.9605882633477"), "644.9606");
        assert_eq!(shown("0.10"), "0.10");
        assert_eq!(shown("1234567"), "1234567");
    }

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
    fn digits_that_cannot_be_held_are_refused_and_never_invented() {
        for kept in
            ["0.0026191027585688881", "0.30000000000000004", "123456789012345680", "0.1250000000000000000000", "0e999"]
        {
            let number: Decimal = kept.parse().unwrap();
            assert_eq!(significant(&number.to_string()), significant(kept), "{kept}");
        }
        let [even, other] = ["110.50796508789062", "110.50796508789063"].map(|text| text.parse::<Decimal>().unwrap());
        assert_eq!(even, other, "they are one number");
        let nearest = |text: &str| Decimal::nearest(text).unwrap().to_string();
        assert_eq!(nearest("33.3123456789012345678901234"), "33.31234567890124");
        assert_eq!(nearest("92.90"), "92.90");
        for lost in [
            "33.3123456789012345678901234",
            "12345678901234567890123",
            "1e-40",
            "1e-400",
            "9007199254740993",
            "1e-9223372036854775808",
        ] {
            let refused = lost.parse::<Decimal>().map(|number| number.to_string());
            assert!(refused.is_err(), "{lost}: {refused:?}");
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

    #[test]
    fn a_product_is_exact() {
        let times = |text: &str, factor: f64| Decimal::product(text, factor).unwrap().to_string();
        // Hours to seconds: a case that once lost its half second.
        assert_eq!((times("0.009", 3600.0), times("2.50", 3600.0)), ("32.4".to_owned(), "9000".to_owned()));
        assert_eq!((times("171874", 1e-6), times("0.0921", 1000.0)), ("0.171874".to_owned(), "92.1".to_owned()));
        assert_eq!((times("0.920", 100.0), times("-0.9", 0.01)), ("92.0".to_owned(), "-0.009".to_owned()));
        assert_eq!((times("0", 3600.0), times("1.29e3", 60.0)), ("0".to_owned(), "77400".to_owned()));
        // 17 digits of hours exceed the precision of a number in seconds; moving the point keeps them.
        assert_eq!(times("0.11884934445222219", 3600.0), "427.8576400279999");
        assert_eq!(times("2.9997222222222235", 1000.0), "2999.7222222222235");
        assert_eq!(times("3.3136111111111113", 3600.0), "11929");
        assert_eq!(times("90", 1.0 / 60.0), "1.50");
        assert!(Decimal::product("1", f64::INFINITY).is_err() && Decimal::product("1e300", 1e300).is_err());
        assert_eq!(Decimal::product("0.0026191027585688881", 3600.0).unwrap().to_string(), "9.428769930847997");
    }

    #[test]
    fn the_points_are_those_of_the_tables() {
        assert_eq!((t95(1.0), t95(4.0), t95(4.9), t95(0.3)), (12.706, 2.776, 2.776, 12.706));
        // The same handbook lists 2.021, 2.000 and 1.984 for these.
        for (degrees, point) in [(40.0, 2.021), (60.0, 2.000), (100.0, 1.984), (f64::INFINITY, 1.960)] {
            assert!((t95(degrees) - point).abs() < 6e-4, "{degrees}: {}", t95(degrees));
        }
    }
}
