//! Addresses of pages: every question, page and filter has one.

use dlbench::values::EntityKind;

/// Percent-encodes a text for an address: everything but letters, digits and `-._~` (RFC 3986, 2.3).
pub(crate) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            byte => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The address of a page with a question.
pub(crate) fn about(path: &str, question: &str) -> String {
    format!("{path}?question={}", encoded(question))
}

/// The address of an answer with its rows from `offset` on.
pub(crate) fn from_row(question: &str, offset: usize) -> String {
    match offset {
        0 => about("/query", question),
        offset => format!("{}&offset={offset}", about("/query", question)),
    }
}

/// A question with another filter: `device:tesla-v100`, `framework:"a b",c`.
pub(crate) fn narrowed<V: AsRef<str>>(question: &str, key: &str, values: &[V]) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let written = values.iter().map(|value| match value.as_ref() {
        value if value.chars().all(plain) => value.to_owned(),
        value => format!("\"{}\"", value.replace('"', "")),
    });
    format!("{question} {key}:{}", written.collect::<Vec<_>>().join(","))
}

/// The address of an entity's card.
pub(crate) fn card(kind: EntityKind, id: &str) -> String {
    format!("/entities/{}/{}", kind.plural(), encoded(id))
}

/// The address of a measurement.
pub(crate) fn measurement(id: &str) -> String {
    format!("/measurements/{}", encoded(id))
}

/// A web address; `None` for anything else, which must not become a link.
pub(super) fn web(url: Option<&str>) -> Option<&str> {
    url.filter(|url| url.starts_with("https://") || url.starts_with("http://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_means_something_in_an_address_is_encoded() {
        assert_eq!(
            about("/query", "c++ & \"x\" <b>?#é"),
            "/query?question=c%2B%2B%20%26%20%22x%22%20%3Cb%3E%3F%23%C3%A9"
        );
        assert_eq!(from_row("v100", 20), "/query?question=v100&offset=20");
    }

    #[test]
    fn a_filter_with_blanks_is_quoted() {
        assert_eq!(narrowed("v100", "stage", &["eval"]), "v100 stage:eval");
        assert_eq!(narrowed("v100", "instance", &["Amazon \"p3\""]), "v100 instance:\"Amazon p3\"");
    }
}
