//! The figures of a measurement in few bytes: metrics and the numbers around them, digit for digit.
//!
//! Each figure is a key (a metric, or a field above [`FIRST_FIELD`]), its decimals, and its digits as a zigzag varint:
//! 887.34 takes five bytes. A number with more digits than that keeps (it never came from a measurement) is kept whole,
//! marked by [`WHOLE`] in its decimals.

use strum::VariantArray;

use crate::model::{Field, MeasurementKey, Metric};
use crate::values::{Decimal, ParseError};

/// Keys from here on are fields.
const FIRST_FIELD: u8 = 128;

/// Set in the decimals of a number that is kept as the eight bytes of its float.
const WHOLE: u8 = 0x80;

fn packed(key: MeasurementKey) -> u8 {
    match key {
        MeasurementKey::Metric(metric) => metric as u8,
        MeasurementKey::Field(field) => FIRST_FIELD + field as u8,
    }
}

fn unpacked(key: u8) -> Option<MeasurementKey> {
    match key.checked_sub(FIRST_FIELD) {
        None => Metric::VARIANTS.get(usize::from(key)).copied().map(MeasurementKey::Metric),
        Some(field) => Field::VARIANTS.get(usize::from(field)).copied().map(MeasurementKey::Field),
    }
}

/// Appends a figure.
pub(super) fn encode(figure: MeasurementKey, value: Decimal, bytes: &mut Vec<u8>) {
    bytes.push(packed(figure));
    match digits(value) {
        Some(digits) => {
            bytes.push(value.decimals());
            let mut rest = ((digits << 1) ^ (digits >> 63)) as u64;
            while rest >= 0x80 {
                bytes.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            bytes.push(rest as u8);
        }
        None => {
            bytes.push(value.decimals() | WHOLE);
            bytes.extend(value.value().to_le_bytes());
        }
    }
}

/// Reads figures back in the order in which they were appended.
pub(super) fn decode(mut bytes: &[u8]) -> Result<Vec<(MeasurementKey, Decimal)>, ParseError> {
    let mut figures = Vec::new();
    while !bytes.is_empty() {
        figures.push(next(&mut bytes).ok_or_else(|| ParseError::expected("figures, not a damaged row"))?);
    }
    Ok(figures)
}

fn next(bytes: &mut &[u8]) -> Option<(MeasurementKey, Decimal)> {
    let figure = unpacked(take(bytes)?)?;
    let decimals = take(bytes)?;
    let value = if decimals & WHOLE != 0 {
        let (float, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        f64::from_le_bytes(*float)
    } else {
        let mut digits: u64 = 0;
        let mut shift = 0;
        loop {
            let byte = take(bytes)?;
            digits |= u64::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let digits = (digits >> 1) as i64 ^ -((digits & 1) as i64);
        digits as f64 / 10f64.powi(i32::from(decimals))
    };
    Some((figure, Decimal::new(value, decimals & !WHOLE)?))
}

fn take(bytes: &mut &[u8]) -> Option<u8> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    Some(*first)
}

/// The number without its point, when that gives the number back to the last bit.
fn digits(value: Decimal) -> Option<i64> {
    /// Powers of ten above this are not exact as floats.
    const MOST_DECIMALS: u8 = 22;
    /// Whole numbers up to this are exact as floats.
    const MOST: f64 = 9_007_199_254_740_992.0;
    if value.decimals() > MOST_DECIMALS {
        return None;
    }
    let scale = 10f64.powi(i32::from(value.decimals()));
    let digits = (value.value() * scale).round();
    // As it will be read back: a whole number has no negative zero.
    let back = |digits: i64| digits as f64 / scale;
    (digits.abs() <= MOST && back(digits as i64).to_bits() == value.value().to_bits()).then_some(digits as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back(value: Decimal) -> (Decimal, usize) {
        let mut bytes = Vec::new();
        encode(MeasurementKey::Metric(Metric::LatencyMs), value, &mut bytes);
        let read = decode(&bytes).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].0, MeasurementKey::Metric(Metric::LatencyMs));
        (read[0].1, bytes.len())
    }

    #[test]
    fn a_usual_figure_takes_five_bytes() {
        let value: Decimal = "887.34".parse().unwrap();
        assert_eq!(there_and_back(value), (value, 5));
    }

    #[test]
    fn what_is_damaged_is_an_error() {
        for bytes in [&[255, 0, 1][..], &[0], &[0, 2], &[0, 2, 0x80], &[0, 0x82, 1]] {
            assert!(decode(bytes).is_err(), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn every_number_comes_back_to_the_last_bit(value in proptest::num::f64::NORMAL, decimals in 0u8..31) {
            let value = Decimal::new(value, decimals).unwrap();
            let back = there_and_back(value).0;
            prop_assert_eq!(back.value().to_bits(), value.value().to_bits());
            prop_assert_eq!(back.decimals(), decimals);
        }

        #[test]
        fn every_printed_number_comes_back(text in "-?[0-9]{1,8}\\.[0-9]{0,6}[0-9]") {
            let value: Decimal = text.parse().unwrap();
            prop_assert_eq!(there_and_back(value).0.to_string(), value.to_string());
        }
    }
}
