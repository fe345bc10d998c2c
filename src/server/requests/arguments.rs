//! Arguments common to several requests: questions, names, and lists of names.

use serde::de::{DeserializeOwned, Error as _, Visitor, value};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use crate::limits::{LONGEST_NAME, LONGEST_QUESTION, MOST_NAMES};
use crate::refusal::{Refusal, RefusalKind};
use dlbench::values::text::{and_list, counted, nearest};

/// A trimmed question.
///
/// # Errors
///
/// When it is empty or too long.
pub(crate) fn asked(question: &str) -> Result<&str, Refusal> {
    if question.trim().is_empty() {
        return Err(Refusal::mistake("the question is empty")
            .help("ask with words in any order, such as `fp16 V100 resnet152`, or with filters, such as `device:v100 batch>=32`"));
    }
    not_longer("question", question, LONGEST_QUESTION)
}

/// A trimmed name or id.
///
/// # Errors
///
/// When it is empty or too long.
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

/// Several trimmed names.
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

/// The error for arguments that cannot be read: the first unknown argument with near names, otherwise the message of the parser.
pub(crate) fn misread<'n, A: DeserializeOwned>(
    given: impl IntoIterator<Item = &'n str>,
    error: impl std::fmt::Display,
) -> Refusal {
    let known = argument_names::<A>();
    let unknown = given.into_iter().find(|name| !known.is_empty() && !known.contains(name));
    let Some(unknown) = unknown else { return Refusal::mistake(error.to_string()) };
    let near = nearest(unknown, known.iter().copied(), 3);
    let near: Vec<String> = if near.is_empty() { known } else { &near }.iter().map(|&name| name.to_owned()).collect();
    let refusal = Refusal::mistake(format!("there is no argument `{unknown}`"));
    Refusal { near, ..refusal.help(format!("the arguments are {}", and_list(known))) }
}

/// The argument names of a request.
fn argument_names<A: DeserializeOwned>() -> &'static [&'static str] {
    /// Derived implementations pass the names of their fields before they read anything.
    struct Asked<'f>(&'f mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Asked<'_> {
        type Error = value::Error;

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> Result<V::Value, value::Error> {
            *self.0 = fields;
            Err(value::Error::custom("nothing to read"))
        }

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
            Err(value::Error::custom("nothing to read"))
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct seq tuple
            tuple_struct map enum identifier ignored_any
        }
    }

    let mut names: &[&str] = &[];
    // Always fails; only the field names are used.
    let _ = A::deserialize(Asked(&mut names));
    names
}

/// A list of names: a list in JSON, or comma-separated in an address.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requests::QueryRequest;

    #[test]
    fn an_argument_that_nobody_takes_comes_with_those_near_it() {
        let near = misread::<QueryRequest>(["question", "limt"], "as the reader says");
        assert_eq!(
            (near.message.as_str(), near.near.as_slice()),
            ("there is no argument `limt`", &["limit".to_owned()][..])
        );
        let far = misread::<QueryRequest>(["q"], "as the reader says");
        assert!(far.near.contains(&"question".to_owned()) && far.near.contains(&"limit".to_owned()), "{far:?}");
        assert_eq!(misread::<QueryRequest>(["limit"], "as the reader says").message, "as the reader says");
        // Types other than structs have no argument names.
        assert_eq!(misread::<Vec<(String, String)>>(["q"], "as the reader says").message, "as the reader says");
    }
}
