//! Text helpers: counted nouns, lists, nearest names, spellings, grids, percent-encoding.

use std::path::Path;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_encode, utf8_percent_encode};

/// Implements serde for a type by its `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use serde_as_text;

/// `1 row`, `2 rows`: a count with its noun; `many` is the plural.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The plural of a noun: `images`, `queries`.
pub fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if noun.ends_with("ch") => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

/// The text with its first letter in upper case.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `a`, `a or b`, `a, b or c`.
pub fn or_list<S: AsRef<str>>(items: &[S]) -> String {
    joined(items, "or")
}

/// `a`, `a and b`, `a, b and c`.
pub fn and_list<S: AsRef<str>>(items: &[S]) -> String {
    joined(items, "and")
}

/// `a, b and 7 more`: lists at most `most` items.
pub fn some_of<S: AsRef<str>>(items: &[S], most: usize) -> String {
    let (named, others) = items.split_at(items.len().min(most));
    let mut told: Vec<String> = named.iter().map(|item| item.as_ref().to_owned()).collect();
    told.extend((!others.is_empty()).then(|| format!("{} more", others.len())));
    and_list(&told)
}

/// A number to three significant digits; a whole number keeps all of its digits before the point.
pub fn three(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let magnitude = number.abs().log10().floor() as i32;
    if magnitude >= 2 {
        let unit = 10f64.powi(magnitude - 2);
        return format!("{:.0}", (number / unit).round() * unit);
    }
    match number.fract() == 0.0 {
        true => format!("{number:.0}"),
        false => format!("{:.*}", (2 - magnitude).clamp(0, 12) as usize, number),
    }
}

fn joined<S: AsRef<str>>(items: &[S], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [init @ .., end] => {
            let init: Vec<&str> = init.iter().map(AsRef::as_ref).collect();
            format!("{} {last} {}", init.join(", "), end.as_ref())
        }
    }
}

/// Whether a text such as `n/a` says that a value is unknown, where the field should be left out.
pub fn is_placeholder(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "n/a",
        "na",
        "n.a.",
        "none",
        "null",
        "nil",
        "nan",
        "unknown",
        "not known",
        "tbd",
        "todo",
        "-",
        "--",
        "?",
        "???",
    ];
    WORDS.contains(&text.trim().to_lowercase().as_str())
}

/// Whether one word is the negation of the other: `active` and `inactive`.
fn is_opposite(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.strip_suffix(short).is_some_and(|front| ["in", "un", "im", "non", "non-", "not-", "no-"].contains(&front))
}

/// The names nearest to `wanted`, best first, at most `limit`, each similar enough to be a typo. Opposites are left
/// out.
///
/// Similar means a Damerau-Levenshtein similarity of 0.7 or more: one edit in four letters, two in seven.
pub fn nearest<'a, I>(wanted: &str, names: I, limit: usize) -> Vec<&'a str>
where
    I: IntoIterator<Item = &'a str>,
{
    /// The lowest similarity of a typo.
    const ALIKE: f64 = 0.7;
    let length = wanted.chars().count();
    let mut scored: Vec<(f64, &str)> = names
        .into_iter()
        .filter(|name| !is_opposite(wanted, name))
        // Each letter of difference in length costs an edit, so most names are ruled out by length alone.
        .filter(|name| {
            let other = name.chars().count();
            length.abs_diff(other) as f64 <= (1.0 - ALIKE) * length.max(other) as f64 + f64::EPSILON
        })
        .map(|name| (strsim::normalized_damerau_levenshtein(wanted, name), name))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(limit).map(|(_, name)| name).collect()
}

/// The names that [`nearest`] finds; if there are none, the names that begin with `wanted`, the shortest first.
pub fn nearest_or_begun<'a>(wanted: &str, names: &[&'a str], limit: usize) -> Vec<&'a str> {
    /// Shorter prefixes match too many names.
    const BEGINNING: usize = 4;
    let near = nearest(wanted, names.iter().copied(), limit);
    if !near.is_empty() || wanted.chars().count() < BEGINNING {
        return near;
    }
    let mut begun: Vec<&str> = names.iter().copied().filter(|name| name.starts_with(wanted)).collect();
    begun.sort_unstable_by_key(|name| (name.len(), *name));
    begun.dedup();
    begun.truncate(limit);
    begun
}

/// The `limit` names most similar to `wanted`, best first, however low their similarity.
pub fn closest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let score = |name: &'a str| (strsim::normalized_damerau_levenshtein(wanted, name), name);
    let mut scored: Vec<(f64, &str)> = names.into_iter().map(score).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(limit).map(|(_, name)| name).collect()
}

/// The text on one line: each run of white space becomes one space, and the ends are trimmed.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text from data or the command line made safe for a terminal: control characters become `\u{1b}` and the like.
pub fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && is_invisible(c) {
            safe.extend(c.escape_unicode());
        } else {
            safe.push(c);
        }
    }
    safe
}

/// As [`printable`], for a name from data: line feeds are escaped as well, so that no part of the name begins a line,
/// where it could pass for one of our messages or for a command in a workflow's log.
pub fn printable_name(name: &str) -> String {
    printable(name).replace('\n', "\\n")
}

/// A path, escaped as by [`printable_name`].
pub fn printable_path(path: &Path) -> String {
    printable_name(&path.to_string_lossy())
}

/// Whether the character is invisible or controls a terminal: control characters, marks that reverse or hide the text
/// after them, and the invisible tag and variation characters, in which text can be hidden.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}')
}

/// Whether a text matches a pattern in which `*` is any run of characters, ignoring case.
pub fn is_like(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_lowercase(), text.to_lowercase());
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (place, part) in parts.iter().enumerate() {
        let is_last = place + 1 == parts.len();
        match rest.find(part) {
            _ if is_last => return rest.ends_with(part),
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

/// Marks the start of a citation key.
pub const CITATION_BEGINS: char = '\u{fdd0}';

/// Marks the end of a citation key.
pub const CITATION_ENDS: char = '\u{fdd1}';

/// The mark of a citation, which formats with citation keys replace by a citation. Other formats must not receive it.
pub fn citation_mark(key: &str) -> String {
    format!("{CITATION_BEGINS}{key}{CITATION_ENDS}")
}

/// A table: columns with heading and alignment, and rows with one cell per column.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Grid {
    /// The columns.
    pub columns: Vec<GridColumn>,
    /// The cells, row by row. An empty cell is an unknown value.
    pub rows: Vec<Vec<String>>,
}

/// A column of a [`Grid`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridColumn {
    /// The heading.
    pub heading: String,
    /// Whether its cells are numbers, which are right-aligned.
    pub numeric: bool,
}

impl Grid {
    /// An empty grid of text columns with these headings.
    pub fn of_texts(headings: &[&str]) -> Self {
        Self { columns: headings.iter().map(|heading| GridColumn::text(*heading)).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// When the number of cells differs from the number of columns: a bug of the caller.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.columns.len(), "a row has one cell a column");
        self.rows.push(row);
    }

    /// Removes a column.
    ///
    /// # Panics
    ///
    /// When there is no such column: a bug of the caller.
    pub fn remove_column(&mut self, at: usize) {
        self.columns.remove(at);
        for row in &mut self.rows {
            row.remove(at);
        }
    }

    /// The grid without the columns whose cells are all empty.
    pub fn without_empty_columns(self) -> Self {
        let kept: Vec<bool> =
            (0..self.columns.len()).map(|at| self.rows.iter().any(|row| !row[at].is_empty())).collect();
        let keep = |cells: Vec<String>| -> Vec<String> {
            cells.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(cell, _)| cell).collect()
        };
        Self {
            columns: self.columns.into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(column, _)| column).collect(),
            rows: self.rows.into_iter().map(keep).collect(),
        }
    }
}

impl GridColumn {
    /// A text column.
    pub fn text(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), numeric: false }
    }

    /// A numeric column.
    pub fn number(heading: impl Into<String>) -> Self {
        Self { heading: heading.into(), numeric: true }
    }
}

/// Everything but the unreserved characters and the slash.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Characters that would end an argument in braces, begin a command, or be read as another character.
const IN_BRACES: &AsciiSet = &CONTROLS.add(b'{').add(b'}').add(b'\\').add(b'^').add(b'"').add(b' ');

/// Percent-encodes a path for a URI. Its bytes need not be UTF-8.
pub fn encoded_path(path: &[u8]) -> String {
    percent_encode(path, PATH).to_string()
}

/// Percent-encodes an address for use between braces in BibTeX and LaTeX; existing escapes stay.
pub fn encoded_in_braces(address: &str) -> String {
    utf8_percent_encode(address, IN_BRACES).to_string()
}

/// The form in which names are compared: lower case, with only letters, digits and the signs that distinguish names (`+`, `#`).
///
/// Spaces, hyphens, underscores, dots, brackets, quotes and invisible characters are dropped.
pub fn normalise(name: &str) -> String {
    // Fast path for nearly all names; other scripts need Unicode tables.
    if name.is_ascii() {
        let mut normal = String::with_capacity(name.len());
        normal.extend(normal_bytes(name).map(char::from));
        return normal;
    }
    name.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric() || matches!(c, '+' | '#')).collect()
}

/// [`normalise`] for an ASCII name, byte by byte, to compare names without allocating their normal forms.
pub fn normal_bytes(name: &str) -> impl Iterator<Item = u8> + Clone {
    let kept = name.bytes().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#'));
    kept.map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lists_and_counts_read_like_sentences() {
        assert_eq!(counted(1, "row", "rows"), "1 row");
        assert_eq!(counted(0, "row", "rows"), "0 rows");
        assert_eq!(or_list(&["a", "b", "c"]), "a, b or c");
        assert_eq!(and_list(&["a", "b"]), "a and b");
        assert_eq!(or_list::<&str>(&[]), "");
    }

    #[test]
    fn the_nearest_name_is_a_plausible_slip() {
        let names = ["resnet152", "resnet50", "densenet161"];
        assert_eq!(nearest("resnt152", names, 1), ["resnet152"]);
        assert!(nearest("zebra", names, 3).is_empty());
    }

    #[test]
    fn terminal_escapes_are_shown_not_sent() {
        assert_eq!(printable("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(printable("a\u{202e}b\n"), "a\\u{202e}b\n");
        assert_eq!(printable("a\u{e0041}b"), "a\\u{e0041}b");
        assert_eq!(printable_path(Path::new("a\n::b\u{1b}]0;c.toml")), "a\\n::b\\u{1b}]0;c.toml");
    }

    #[test]
    fn a_pattern_takes_any_run_of_characters() {
        for (pattern, text, expected) in [
            ("jetson*", "jetson-nano", true),
            ("jetson*", "my-jetson", false),
            ("*laptop*", "rtx-3080-laptop", true),
            ("llama-*70b", "llama-2-70b", true),
            ("llama-*70b", "llama-2-70b-lora", false),
            ("HBM*", "hbm2", true),
            ("v100", "v100", true),
            ("v100", "v1000", false),
        ] {
            assert_eq!(is_like(pattern, text), expected, "{pattern} {text}");
        }
    }

    proptest! {
        #[test]
        fn a_pattern_of_stars_matches_everything(text in "\\PC{0,12}") {
            prop_assert!(is_like("*", &text));
            prop_assert!(is_like(&text.replace('*', ""), &text.replace('*', "")));
        }

        #[test]
        fn no_pattern_panics(pattern in "[*aé]{0,6}", text in "[aé]{0,6}") {
            let _ = is_like(&pattern, &text);
        }
    }

    #[test]
    fn a_path_keeps_its_slashes_and_nothing_that_a_uri_reserves() {
        assert_eq!(encoded_path("a-b_c.d~/é ?#%.toml".as_bytes()), "a-b_c.d~/%C3%A9%20%3F%23%25.toml");
    }

    #[test]
    fn an_address_keeps_what_it_encodes_itself() {
        assert_eq!(encoded_in_braces("https://a.org/x%20y?b={c}^d\\#é"), "https://a.org/x%20y?b=%7Bc%7D%5Ed%5C#%C3%A9");
    }

    #[test]
    fn spellings_of_one_name_meet() {
        for spelling in ["ResNet-152", "resnet 152", "RESNET_152", "res-net152"] {
            assert_eq!(normalise(spelling), "resnet152");
        }
        assert_eq!(normalise("C++"), "c++");
        assert_ne!(normalise("C#"), normalise("C++"));
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(name in "\\PC*") {
            let once = normalise(&name);
            prop_assert_eq!(normalise(&once), once);
        }
    }
}
