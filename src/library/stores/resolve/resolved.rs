//! The words of a spelling, and the result of resolving it.

use serde::Serialize;
use strum::{Display, IntoStaticStr};

/// How certain a reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Display, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Certainty {
    /// Exactly one entity.
    Sku,
    /// A family; the member is not stated.
    Family,
    /// A part of a device, such as a MIG slice, whose results are not those of the whole device.
    Slice,
    /// Several different devices, such as a processor and the GPU beside it.
    List,
    /// Several entities match, and no family contains them all.
    Ambiguous,
    /// No entity of the catalog matches.
    Unknown,
}

/// The result of resolving a spelling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resolved {
    /// The spelling.
    pub input: String,
    /// The certainty of the reading.
    pub reading: Certainty,
    /// The entity, the family, the device of a slice, the devices of a list, or the candidates.
    pub ids: Vec<String>,
    /// The number of devices, if stated.
    pub count: Option<u32>,
    /// The cloud instance, if stated.
    pub instance: Option<String>,
    /// The description of the machine around the device, if stated.
    pub host: Option<String>,
    /// The slice of the device, if stated.
    pub slice: Option<String>,
    /// For a framework: the version, if stated.
    pub version: Option<String>,
    /// For a network: the format of the weights, if stated: `int4`, or a GGUF type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_format: Option<String>,
    /// For a network: the format of the activations, if stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activation_format: Option<String>,
    /// For a network: the quantisation method of the weights as spelled, if stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantization: Option<String>,
    /// What decided the reading, or what would decide it.
    pub why: String,
}

impl Resolved {
    /// The id of the entity or family; `None` if it is not unique, and for a slice.
    pub fn entity(&self) -> Option<&str> {
        match (self.reading, self.ids.as_slice()) {
            (Certainty::Sku | Certainty::Family, [id]) => Some(id),
            _ => None,
        }
    }

    /// Whether no entity of the catalog matches.
    pub fn is_unknown(&self) -> bool {
        self.reading == Certainty::Unknown
    }

    pub(super) fn new(input: &str, reading: Certainty, ids: Vec<String>, why: impl Into<String>) -> Self {
        Self {
            input: input.to_owned(),
            reading,
            ids,
            count: None,
            instance: None,
            host: None,
            slice: None,
            version: None,
            weight_format: None,
            activation_format: None,
            quantization: None,
            why: why.into(),
        }
    }

    pub(super) fn unknown(input: &str, why: impl Into<String>) -> Self {
        Self::new(input, Certainty::Unknown, Vec::new(), why)
    }
}

/// A word of a spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub text: &'t str,
    pub before: Gap,
}

impl Token<'_> {
    pub fn lower(&self) -> String {
        self.text.to_lowercase()
    }

    pub fn is_number(&self) -> bool {
        self.text.bytes().all(|b| b.is_ascii_digit())
    }
}

/// The separator between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// The beginning of the spelling.
    Start,
    /// One hyphen or underscore.
    Joined,
    /// Blanks, dots and the like: the words belong together.
    Soft,
    /// An opening bracket: an explanation of the text before it follows.
    Opens,
    /// A closing bracket.
    Closes,
    /// A comma, a slash, a dash between blanks …: something else begins.
    Hard,
}

/// The words of a spelling. A trailing `+` is part of its word: the Snapdragon 855+ is another product than the 855.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut end = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        if word == 0 && rest.starts_with('+') && text[..at].ends_with(')') {
            tokens.push(Token { text: &rest[..1], before: Gap::Closes });
            at += 1;
            end = at;
            continue;
        }
        if word == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let plus = rest[word..].len() - rest[word..].trim_start_matches('+').len();
        let goes_on = rest[word + plus..].starts_with(|c: char| c.is_alphanumeric());
        let length = if goes_on { word } else { word + plus };
        let before = if tokens.is_empty() { Gap::Start } else { gap(&text[end..at]) };
        tokens.push(Token { text: &rest[..length], before });
        at += length;
        end = at;
    }
    tokens
}

fn gap(between: &str) -> Gap {
    let dash = |c: char| matches!(c, '-' | '_' | '\u{2010}' | '\u{2011}');
    let soft = |c: char| c.is_whitespace() || dash(c) || matches!(c, '.' | '\'' | '®' | '™' | '©');
    let plain = between.trim();
    if between.chars().count() == 1 && between.chars().all(dash) {
        Gap::Joined
    } else if matches!(plain, "(" | "[" | "{" | ") (" | ")(") {
        Gap::Opens
    } else if matches!(plain, ")" | "]" | "}") {
        Gap::Closes
    } else if !between.chars().all(soft) || plain.len() < between.len() && !plain.is_empty() && plain.chars().all(dash)
    {
        Gap::Hard
    } else {
        Gap::Soft
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_how_they_stand_to_those_before_them() {
        let read = |text| tokens(text).into_iter().map(|token| (token.text, token.before)).collect::<Vec<_>>();
        assert_eq!(read("T4-8"), [("T4", Gap::Start), ("8", Gap::Joined)]);
        assert_eq!(read("UNO Q - QRB2210"), [("UNO", Gap::Start), ("Q", Gap::Soft), ("QRB2210", Gap::Hard)]);
        assert_eq!(read("855+ (Kyro"), [("855+", Gap::Start), ("Kyro", Gap::Opens)]);
        assert_eq!(read("Maxwell) (3GB"), [("Maxwell", Gap::Start), ("3GB", Gap::Opens)]);
        assert_eq!(read("Core™ i7"), [("Core", Gap::Start), ("i7", Gap::Soft)]);
        assert_eq!(read("FT-2000+/64").last(), Some(&("64", Gap::Hard)));
        assert_eq!(read("V100, T4").last(), Some(&("T4", Gap::Hard)));
        assert_eq!(read("M1 (7-core GPU) Max").last(), Some(&("Max", Gap::Closes)));
        assert_eq!(read("M1 (7-core GPU)+").last(), Some(&("+", Gap::Closes)));
    }
}
