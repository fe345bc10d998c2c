//! The id of a catalog entity, the size in the name of a network, and the shape of a sample.

use std::fmt;
use std::str::FromStr;

use super::ParseError;

/// A lower-case kebab id such as `tesla-v100-sxm2-16gb` or `pytorch`; dots are allowed inside (`resnet-50-v1.5`).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(Box<str>);

impl EntityId {
    /// The id derived from a name: `Nova 100 (PCIe)` becomes `nova-100-pcie`; `None` where the name has no usable characters.
    pub fn of_name(name: &str) -> Option<Self> {
        let mut id = String::new();
        for c in name.to_lowercase().chars() {
            match c {
                c if c.is_ascii_alphanumeric() || c == '.' => id.push(c),
                '+' => id.push_str("-plus"),
                _ if !id.ends_with(['-', '.']) => id.push('-'),
                _ => {}
            }
        }
        id.trim_matches(['-', '.']).parse().ok()
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for EntityId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let well_formed = !text.is_empty()
            && text.len() <= 100
            && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.'))
            && !text.starts_with(['-', '.'])
            && !text.ends_with(['-', '.'])
            && !text.contains("--")
            && !text.contains("..");
        if well_formed {
            Ok(Self(text.into()))
        } else {
            Err(ParseError::expected(
                "an id in lower-case kebab form, such as tesla-v100 (letters a-z, digits, single '-' or '.')",
            ))
        }
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &self.0)
    }
}

impl std::borrow::Borrow<str> for EntityId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

super::text::serde_as_text!(EntityId);

/// The number of billions of parameters in a part of a name (`7b`); `None` where the part states none.
pub fn billions_said(part: &str) -> Option<&str> {
    let number = part.strip_suffix(['b', 'B'])?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && number.parse::<f64>().is_ok();
    is_number.then_some(number)
}

/// The part of a name or an id that states its size.
pub fn size_in_name(name: &str) -> Option<&str> {
    name.split('-').find(|part| billions_said(part).is_some())
}

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

super::text::serde_as_text!(Shape);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_lower_case_kebab() {
        for good in ["pytorch", "tesla-v100-sxm2-16gb", "resnet-50-v1.5"] {
            assert!(good.parse::<EntityId>().is_ok(), "{good}");
        }
        for bad in ["", "PyTorch", "a b", "-a", "a--b", "a/b", "..", "é"] {
            assert!(bad.parse::<EntityId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_size_is_a_number_of_billions() {
        for (part, billions) in [
            ("7b", Some("7")),
            ("70B", Some("70")),
            ("0.5b", Some("0.5")),
            ("b", None),
            ("7", None),
            ("8x7b", None),
            ("infb", None),
            ("-7b", None),
        ] {
            assert_eq!(billions_said(part), billions, "{part}");
        }
        assert_eq!(size_in_name("mistral-7b-instruct"), Some("7b"));
        assert_eq!(size_in_name("mixtral-8x7b"), None);
    }

    #[test]
    fn shapes_are_positive_extents() {
        assert_eq!("3x224x224".parse::<Shape>().unwrap().to_string(), "3x224x224");
        for bad in ["", "3x", "0x4", "3X4", "3 x 4", "-1x2"] {
            assert!(bad.parse::<Shape>().is_err(), "{bad}");
        }
    }
}
