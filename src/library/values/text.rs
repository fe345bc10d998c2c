//! Small helpers that make messages grammatical: counted nouns, lists, the nearest name.

use std::path::Path;

/// `1 row`, `2 rows`: a count with its noun; `many` is the plural.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Several of what a noun stands for: `images`, `queries`.
pub fn plural(noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None => format!("{noun}s"),
    }
}

/// The same with a capital in front.
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

/// `a, b and 7 more`: at most `most` of them by name.
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

/// The names nearest to `wanted`, best first, at most `limit`, each at least so alike that a person would call it a typo.
///
/// Alike means a Damerau-Levenshtein similarity of 0.7 or more: one slip in four letters, two in seven.
pub fn nearest<'a, I>(wanted: &str, names: I, limit: usize) -> Vec<&'a str>
where
    I: IntoIterator<Item = &'a str>,
{
    /// What is less alike than this is no slip.
    const ALIKE: f64 = 0.7;
    let length = wanted.chars().count();
    let mut scored: Vec<(f64, &str)> = names
        .into_iter()
        // Each letter too many or too few is a slip of its own: most names need no closer look.
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

/// The `limit` names that are least unlike `wanted`, best first, however unlike they are.
pub fn closest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let score = |name: &'a str| (strsim::normalized_damerau_levenshtein(wanted, name), name);
    let mut scored: Vec<(f64, &str)> = names.into_iter().map(score).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(limit).map(|(_, name)| name).collect()
}

/// The text on one line: every run of white space becomes one blank, and those at the ends go.
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

/// The same for a name from data: line feeds are shown, too, so that nothing in it stands at the start of a line, where it
/// would pass for a message of ours or for a command of a workflow's log.
pub fn printable_name(name: &str) -> String {
    printable(name).replace('\n', "\\n")
}

/// A path as [`printable_name`] shows it.
pub fn printable_path(path: &Path) -> String {
    printable_name(&path.to_string_lossy())
}

/// Whether a terminal obeys the character instead of showing it: controls, marks that turn or hide what follows, and the
/// invisible letters of tags and variations, in which a text can be hidden.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}')
}

/// Whether a text is as a pattern with `*` for any run of characters says.
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

#[cfg(test)]
mod tests {
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
}
