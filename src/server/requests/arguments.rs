//! What several requests take: questions, names, and lists of names.

use serde::{Deserialize, Deserializer};

use crate::limits::{LONGEST_NAME, LONGEST_QUESTION, MOST_NAMES};
use crate::refusal::{Refusal, RefusalKind};
use dlbench::values::text::counted;

/// A question without the blanks around it.
///
/// # Errors
///
/// When there is none, or it is too long.
pub(crate) fn asked(question: &str) -> Result<&str, Refusal> {
    if question.trim().is_empty() {
        return Err(Refusal::mistake("the question is empty")
            .help("ask with words in any order, such as `fp16 V100 resnet152`, or with filters, such as `device:v100 batch>=32`"));
    }
    not_longer("question", question, LONGEST_QUESTION)
}

/// A name or an id without the blanks around it.
///
/// # Errors
///
/// When there is none, or it is too long.
pub(crate) fn named<'n>(what: &str, name: &'n str) -> Result<&'n str, Refusal> {
    if name.trim().is_empty() {
        return Err(Refusal::mistake(format!("the {what} is empty")));
    }
    not_longer(what, name, LONGEST_NAME)
}

fn not_longer<'t>(what: &str, text: &'t str, most: usize) -> Result<&'t str, Refusal> {
    match text.len() {
        length if length > most => Err(Refusal::new(
            RefusalKind::TooMuch,
            format!("the {what} has {}; {most} are the most", counted(length, "byte", "bytes")),
        )
        .help("shorten it")),
        _ => Ok(text.trim()),
    }
}

/// Several names, none too long and not too many.
///
/// # Errors
///
/// When one is empty or too long, or there are too many.
pub(super) fn all_named<'n>(what: &str, names: &'n [String]) -> Result<Vec<&'n str>, Refusal> {
    if names.len() > MOST_NAMES {
        let message = format!("{} are {what}; {MOST_NAMES} are the most", names.len());
        return Err(Refusal::new(RefusalKind::TooMuch, message).help("ask in parts"));
    }
    names.iter().map(|name| named(what, name)).collect()
}

/// Names as a list, as JSON has them, or parted by commas, as an address has them.
pub(super) fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Names::deserialize(deserializer)? {
        Names::Several(names) => names,
        Names::One(text) => text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
    })
}
