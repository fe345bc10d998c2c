//! Keys and words that do not exist, and what was meant by them.

use std::ops::Range;
use std::sync::Arc;

use strum::VariantArray;

use super::codes;
use crate::model::{Diagnostic, SourceFile};
use crate::values::spelling::normalise;
use crate::values::text::{nearest, or_list};
use crate::values::{Precision, Stage};

/// A key that does not exist, with the near ones that do.
pub(super) fn unknown_key<'k>(
    file: &Arc<SourceFile>,
    span: Range<usize>,
    name: &str,
    known: impl Iterator<Item = &'k str>,
) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let near = nearest(name, known.iter().copied(), 3);
    let help = if near.is_empty() {
        format!("the keys here are {}", known.join(", "))
    } else {
        let near: Vec<String> = near.iter().map(|key| format!("`{key}`")).collect();
        format!("did you mean {}?", or_list(&near))
    };
    Diagnostic::error(codes::UNKNOWN_KEY, file, Some(span), format!("unknown key `{name}`"), "no such key").help(help)
}

/// A word outside its vocabulary, with the words there are.
pub(super) fn unknown_word(
    file: &Arc<SourceFile>,
    span: Range<usize>,
    key: &str,
    text: &str,
    words: &[&str],
) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        codes::UNKNOWN_WORD,
        file,
        Some(span),
        format!("`{key}` cannot be {text:?}"),
        format!("expected {}", or_list(words)),
    );
    let meant = meant(key, text).filter(|word| words.contains(word));
    let spelled = words.iter().copied().find(|word| normalise(word) == normalise(text));
    match meant.or(spelled).or_else(|| nearest(text, words.iter().copied(), 1).first().copied()) {
        Some(near) => diagnostic.help(format!("did you mean \"{near}\"?")),
        None => diagnostic,
    }
}

/// The word that people mean by another one of theirs: `inference` is `eval`.
fn meant(key: &str, text: &str) -> Option<&'static str> {
    let is = |spellings: &[&str]| spellings.iter().any(|spelling| normalise(spelling) == normalise(text));
    match key {
        "stage" => Stage::VARIANTS.iter().find(|stage| is(stage.spellings())).map(|stage| (*stage).into()),
        "precision" => {
            Precision::VARIANTS.iter().find(|precision| is(precision.spellings())).map(|precision| (*precision).into())
        }
        _ => None,
    }
}
