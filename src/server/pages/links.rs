//! Addresses of states: every question, page and filter is one.

use dlbench::values::EntityKind;

/// A text as it stands in an address: all but letters, digits and `-._~` encoded (RFC 3986, 2.3).
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

/// The address of a page about a question.
pub(crate) fn about(path: &str, question: &str) -> String {
    format!("{path}?question={}", encoded(question))
}

/// The same from the row at `offset` on.
pub(crate) fn from_row(question: &str, offset: usize) -> String {
    match offset {
        0 => about("/query", question),
        offset => format!("{}&offset={offset}", about("/query", question)),
    }
}

/// A question with a filter more: `device:tesla-v100`, `framework:"a b"`.
pub(crate) fn narrowed(question: &str, key: &str, value: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    match value.chars().all(plain) {
        true => format!("{question} {key}:{value}"),
        false => format!("{question} {key}:\"{}\"", value.replace('"', "")),
    }
}

/// A section of a page in which the cells that hold nothing but an id lead to what it names. `open` is how such a cell begins, its
/// end is the next tag; `address` knows the ids. Ids need no escaping: they are letters, digits, hyphens and a colon.
pub(crate) fn linked(section: &str, open: &str, address: impl Fn(&str) -> Option<String>) -> String {
    let mut linked = String::with_capacity(section.len() * 2);
    let mut rest = section;
    while let Some(at) = rest.find(open) {
        let (before, cell) = rest.split_at(at + open.len());
        linked.push_str(before);
        let (id, behind) = cell.split_at(cell.find('<').unwrap_or(cell.len()));
        match address(id) {
            Some(address) => linked.push_str(&format!("<a href=\"{address}\">{id}</a>")),
            None => linked.push_str(id),
        }
        rest = behind;
    }
    linked + rest
}

/// The address of an entity's card.
pub(crate) fn card(kind: EntityKind, id: &str) -> String {
    format!("/entities/{}/{}", kind.plural(), encoded(id))
}

/// The address of a measurement.
pub(crate) fn measurement(id: &str) -> String {
    format!("/measurements/{}", encoded(id))
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
    fn a_cell_of_an_id_that_is_known_is_a_link() {
        let known = |id: &str| (id == "a:1").then(|| measurement(id));
        let section = "<td>a:1</td><td>b:2</td><td class=\"number\">a:1</td><td><strong>a:1</strong></td><td>a:1";
        assert_eq!(
            linked(section, "<td>", known),
            "<td><a href=\"/measurements/a%3A1\">a:1</a></td><td>b:2</td><td class=\"number\">a:1</td>\
             <td><strong>a:1</strong></td><td><a href=\"/measurements/a%3A1\">a:1</a>"
        );
    }

    #[test]
    fn a_filter_with_blanks_is_quoted() {
        assert_eq!(narrowed("v100", "stage", "eval"), "v100 stage:eval");
        assert_eq!(narrowed("v100", "instance", "Amazon \"p3\""), "v100 instance:\"Amazon p3\"");
    }
}
