//! The id of a catalog entity: a file's stem.

use std::fmt;
use std::str::FromStr;

use super::ParseError;

/// A lower-case kebab id such as `tesla-v100-sxm2-16gb` or `pytorch`; dots are allowed inside (`resnet-50-v1.5`).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(Box<str>);

impl EntityId {
    /// The id that a name suggests: `Nova 100 (PCIe)` is `nova-100-pcie`; `None` where the name has nothing for one.
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

    /// The id as it stands in files and answers.
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

super::serde_as_text::serde_as_text!(EntityId);

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
}
