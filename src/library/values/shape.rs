//! The shape of one sample.

use std::fmt;
use std::str::FromStr;

use super::ParseError;

/// The extents of one sample, channels first, without the batch: `3x224x224`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(Vec<u32>);

impl Shape {
    /// The extents, channels first.
    pub fn extents(&self) -> &[u32] {
        &self.0
    }
}

impl FromStr for Shape {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        text.split('x')
            .map(|extent| extent.parse().ok().filter(|&n: &u32| n > 0))
            .collect::<Option<Vec<u32>>>()
            .map(Self)
            .ok_or_else(|| ParseError::expected("a shape such as 3x224x224 (channels first, without the batch)"))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extents: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&extents.join("x"))
    }
}

super::serde_as_text::serde_as_text!(Shape);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_positive_extents() {
        assert_eq!("3x224x224".parse::<Shape>().unwrap().to_string(), "3x224x224");
        for bad in ["", "3x", "0x4", "3X4", "3 x 4", "-1x2"] {
            assert!(bad.parse::<Shape>().is_err(), "{bad}");
        }
    }
}
