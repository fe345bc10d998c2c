//! Words of a text with their places: how punctuation, signs, slashes and counts are split, and the normal form of each.

use std::ops::Range;

use crate::values::spelling::normalise;

/// A word, or a mark that divides words (`,` `?` `/` `>=` `-` …), which is a word of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'q> {
    /// As it was typed, without the hyphen of a negation.
    pub text: &'q str,
    /// The first byte of the question that is its own; the hyphen of a negation is.
    pub from: usize,
    /// The byte behind its last.
    pub to: usize,
    /// Small letters, digits, `+` and `#` alone, as names are looked up; of a possessive without its `s`. Of a mark the mark.
    pub normal: String,
    /// Whether a hyphen stood in front of it: `-tensorflow`.
    pub negated: bool,
}

impl Word<'_> {
    /// The bytes that are its own.
    pub fn place(&self) -> Range<usize> {
        self.from..self.to
    }

    /// Whether it is a mark: it has neither letters nor digits.
    pub fn is_mark(&self) -> bool {
        !self.text.contains(char::is_alphanumeric)
    }

    /// Whether nothing, not even a blank, lies between it and the next.
    pub fn touches(&self, next: &Self) -> bool {
        self.to == next.from
    }
}

/// Signs of comparison that are words of their own wherever they stand, the longest first.
const SIGNS: &[&str] = &["<=", ">=", "=<", "=>", "==", "!=", "->", "<", ">", "=", "≤", "≥", "≠", "→"];

/// Marks that end a word and are words of their own, also in front of one.
const MARKS: &[char] =
    &[',', ';', '?', '!', ':', '&', '|', '–', '—', '…', '、', '，', '？', '‘', '’', '“', '”', '\'', '`', '*'];

/// What may stand behind the slash of a rate, so that `images/s` is one word and `3090/4090` are three.
const PER: &[&str] = &[
    "s", "sec", "second", "ms", "min", "minute", "h", "hr", "hour", "d", "day", "month", "j", "joule", "w", "watt",
    "kwh", "usd", "$", "dollar", "gpu", "device", "chip", "token", "image", "img", "item", "step", "epoch", "o",
];

/// The words of a text without brackets and quotes; `offset` is where the text begins in the question.
pub fn words(text: &str, offset: usize) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    for chunk in text.split_whitespace() {
        let from = offset + (chunk.as_ptr() as usize - text.as_ptr() as usize);
        split(chunk, from, &mut found);
    }
    found
}

/// Adds the words of a text without blanks.
pub(super) fn split<'q>(chunk: &'q str, from: usize, found: &mut Vec<Word<'q>>) {
    let negated = chunk.strip_prefix('-').filter(|rest| rest.starts_with(char::is_alphanumeric));
    let first = found.len();
    match negated {
        Some(rest) => pieces(rest, from + 1, found),
        None => pieces(chunk, from, found),
    }
    if let (Some(_), Some(word)) = (negated, found.get_mut(first)) {
        word.from = from;
        word.negated = true;
    }
}

fn pieces<'q>(chunk: &'q str, from: usize, found: &mut Vec<Word<'q>>) {
    // An address is one word.
    if chunk.contains("://") {
        found.push(word(chunk, from));
        return;
    }
    let mut start = 0;
    let mut at = 0;
    while at < chunk.len() {
        let length = mark_at(chunk, start, at);
        if length == 0 {
            at += chunk[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        if start < at {
            counted(&chunk[start..at], from + start, found);
        }
        found.push(word(&chunk[at..at + length], from + at));
        at += length;
        start = at;
    }
    if start < at {
        counted(&chunk[start..at], from + start, found);
    }
}

/// The length of the mark at a place of a chunk whose current word began at `start`; 0 where there is none.
fn mark_at(chunk: &str, start: usize, at: usize) -> usize {
    let rest = &chunk[at..];
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return sign.len();
    }
    let Some(mark) = rest.chars().next() else { return 0 };
    let behind = rest[mark.len_utf8()..].chars().next();
    let before = &chunk[start..at];
    let is_inner = !before.is_empty() && behind.is_some_and(char::is_alphanumeric);
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let is_mark = match mark {
        // Between the thousands of a number.
        ',' => !(is_digit(before.chars().next_back()) && is_thousand(&rest[1..]) && is_whole(before)),
        // Of `nvidia's`, `1:3`.
        '\'' | '’' => !is_inner,
        ':' => !(is_digit(before.chars().next_back()) && is_digit(behind)),
        '.' => behind.is_none_or(|c| c == '.') || behind.is_some_and(|c| MARKS.contains(&c)),
        '/' => before.is_empty() || !is_rate(&rest[1..]),
        '-' | '+' => before.is_empty() && behind.is_none(),
        '*' => behind.is_none() && before.is_empty(),
        mark => MARKS.contains(&mark),
    };
    if is_mark { mark.len_utf8() } else { 0 }
}

/// Whether a text begins with three digits and no more: `024` behind `1,`.
fn is_thousand(text: &str) -> bool {
    text.bytes().take_while(u8::is_ascii_digit).count() == 3
}

/// Whether a text is the beginning of a number with commas between its thousands: `$1`, `12`, `1,024`.
fn is_whole(text: &str) -> bool {
    let text = text.trim_start_matches(['$', '~', '€']);
    let mut groups = text.split(',');
    let is_head =
        groups.next().is_some_and(|head| matches!(head.len(), 1..=3) && head.bytes().all(|b| b.is_ascii_digit()));
    is_head && groups.all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether what stands behind a slash is a unit of time or the like.
fn is_rate(behind: &str) -> bool {
    let end = behind.find(|c: char| !c.is_ascii_alphabetic() && c != '$').unwrap_or(behind.len());
    let unit = behind[..end].to_ascii_lowercase();
    PER.contains(&unit.as_str()) || unit.strip_suffix('s').is_some_and(|one| PER.contains(&one))
}

/// Adds a word; `4xV100` is two.
fn counted<'q>(text: &'q str, from: usize, found: &mut Vec<Word<'q>>) {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    let name = rest.strip_prefix(['x', 'X']).or_else(|| rest.strip_prefix('×'));
    match name {
        Some(name)
            if digits > 0
                && name.starts_with(|c: char| c.is_ascii_alphabetic())
                && name.len() > 1
                && !name.ends_with("large") =>
        {
            let count = text.len() - name.len();
            found.push(word(&text[..count], from));
            found.push(word(name, from + count));
        }
        _ => found.push(word(text, from)),
    }
}

fn word(text: &str, from: usize) -> Word<'_> {
    let stem = ["'s", "’s", "'S"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let normal = match normalise(stem) {
        normal if normal.is_empty() => text.to_owned(),
        normal => normal,
    };
    Word { text, from, to: from + text.len(), normal, negated: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> String {
        words(text, 0).iter().map(|word| word.text).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn words_are_split_where_people_see_two() {
        for (text, split) in [
            ("ResNet-50 on 4xV100?", "ResNet-50 | on | 4x | V100 | ?"),
            ("3090/4090 images/s, tokens/s/gpu", "3090 | / | 4090 | images/s | , | tokens/s/gpu"),
            ("c++ v3-8 v1.5. 1,024 8,64", "c++ | v3-8 | v1.5 | . | 1,024 | 8 | , | 64"),
            ("batch >=32 <5ms p3.8xlarge", "batch | >= | 32 | < | 5ms | p3.8xlarge"),
            ("http://x.y/z?q MXNet: 3x224x224", "http://x.y/z?q | MXNet | : | 3x224x224"),
            ("NVIDIA's $0.50/h - 90% T4&V100", "NVIDIA's | $0.50/h | - | 90% | T4 | & | V100"),
            ("train->eval", "train | -> | eval"),
        ] {
            assert_eq!(texts(text), split, "{text}");
        }
    }

    #[test]
    fn the_normal_form_is_that_of_names() {
        let normal = |text| words(text, 0).into_iter().map(|word| word.normal).collect::<Vec<_>>();
        assert_eq!(normal("ResNet-50 NVIDIA's C++ ?"), ["resnet50", "nvidia", "c++", "?"]);
        let negated = words("  -TensorFlow", 7);
        assert_eq!((negated[0].from, negated[0].to, negated[0].negated, negated[0].text), (9, 20, true, "TensorFlow"));
    }

    proptest! {
        #[test]
        fn words_lie_in_order_and_leave_only_blanks(text in "[aB1é ,?/.<>=:x'\\-$%]{0,40}") {
            let mut at = 0;
            for word in words(&text, 0) {
                prop_assert!(word.from >= at && word.to > word.from);
                prop_assert!(text[at..word.from].trim().is_empty());
                at = word.to;
            }
            prop_assert!(text[at..].trim().is_empty());
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,60}") {
            words(&text, 0);
        }
    }
}
