//! How wide a text is in LaTeX: the widths of Computer Modern Roman, than which Times and Libertine are narrower.

use crate::values::{CITATION_BEGINS, CITATION_ENDS};

/// Widths of the ASCII characters from the blank to the tilde in thousandths of an em (cmr10.tfm); characters that
/// LaTeX takes from another font have that font's.
const WIDTHS: [u16; 95] = [
    333, 278, 500, 833, 500, 833, 778, 278, 389, 389, 500, 778, 278, 333, 278, 500, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 500, 278, 278, 778, 778, 778, 472, 778, 750, 708, 722, 764, 681, 653, 785, 750, 361, 514, 778, 625, 917,
    750, 778, 681, 778, 736, 556, 722, 750, 750, 1028, 750, 750, 611, 278, 500, 278, 500, 500, 278, 500, 556, 444, 556,
    444, 306, 500, 556, 278, 306, 528, 278, 833, 556, 500, 556, 528, 392, 394, 389, 556, 528, 722, 528, 528, 444, 500,
    278, 500, 500,
];

/// Of a character of no known width, such as `[U+4E2D]` or a sign of mathematics.
const OTHER: u16 = 800;
/// A citation is set as a number in brackets.
const CITATION: f64 = 1.6;
/// Fonts of smaller sizes are wider for their size: the digits of cmr9, cmr8, cmr7 and cmr6 are 0.514, 0.531, 0.569 and 0.611
/// em wide.
const SMALL_IS_WIDER: [(f64, f64); 4] = [(6.5, 1.222), (7.5, 1.14), (8.5, 1.063), (9.5, 1.028)];
/// Bold digits are wider.
pub(super) const BOLD: f64 = 1.15;

/// The width of a text of a size, both in points.
pub fn width(text: &str, size: f64) -> f64 {
    let mut ems = 0.0;
    let mut cited = false;
    for c in text.chars() {
        match c {
            CITATION_BEGINS => {
                cited = true;
                ems += CITATION;
            }
            CITATION_ENDS => cited = false,
            _ if cited => {}
            c => ems += f64::from(of_char(c)) / 1000.0,
        }
    }
    let wider = SMALL_IS_WIDER.iter().find(|(below, _)| size < *below).map_or(1.0, |(_, wider)| *wider);
    ems * size * wider
}

/// In thousandths of an em.
fn of_char(c: char) -> u16 {
    let at = u32::from(c).checked_sub(u32::from(' ')).and_then(|at| usize::try_from(at).ok());
    match at.and_then(|at| WIDTHS.get(at)) {
        Some(width) => *width,
        None if c.is_alphabetic() => 556,
        None if c == '·' || c == '’' || c == '‘' => 278,
        None => OTHER,
    }
}

/// The width of the widest piece of a text that LaTeX does not break.
pub(super) fn widest_piece(text: &str, size: f64) -> f64 {
    pieces(text).into_iter().map(|piece| width(piece, size)).fold(0.0, f64::max)
}

/// Signs behind which a long word may be broken.
pub(super) const BREAKS: &[char] = &['-', '/', ',', ':', '=', '_', '.', ';'];

/// Words longer than this are broken behind such signs.
pub(super) const LONG_WORD: usize = 14;

/// The words of a text, long ones in the parts that they are broken into.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let words = text.split_whitespace();
    words.flat_map(|word| if is_broken(word) { word.split_inclusive(BREAKS).collect() } else { vec![word] }).collect()
}

/// Whether a word is broken behind its signs.
pub(super) fn is_broken(word: &str) -> bool {
    word.chars().count() > LONG_WORD && !word.contains(CITATION_BEGINS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_half_as_wide_as_the_size() {
        assert!((width("12.5", 10.0) - 17.78).abs() < 0.01);
        assert!((width("M", 10.0) - 9.17).abs() < 0.01);
        assert!((width(&crate::values::citation_mark("a-very-long-key-2019"), 10.0) - 16.0).abs() < 0.01);
        assert_eq!(pieces("a nova/p3.16xlarge,container"), ["a", "nova/", "p3.", "16xlarge,", "container"]);
    }
}
