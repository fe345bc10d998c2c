//! Percent-encoding (RFC 3986): one set of characters for paths, one for addresses in BibTeX.

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_encode, utf8_percent_encode};

/// All but the unreserved characters and the slash.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// What would end an argument in braces, begin a command, or be read as another character.
const IN_BRACES: &AsciiSet = &CONTROLS.add(b'{').add(b'}').add(b'\\').add(b'^').add(b'"').add(b' ');

/// A path as a part of a URI. Its bytes need not be UTF-8.
pub fn encoded_path(path: &[u8]) -> String {
    percent_encode(path, PATH).to_string()
}

/// An address that can stand between braces in BibTeX and LaTeX; what is encoded already stays.
pub fn encoded_in_braces(address: &str) -> String {
    utf8_percent_encode(address, IN_BRACES).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_slashes_and_nothing_that_a_uri_reserves() {
        assert_eq!(encoded_path("a-b_c.d~/é ?#%.toml".as_bytes()), "a-b_c.d~/%C3%A9%20%3F%23%25.toml");
    }

    #[test]
    fn an_address_keeps_what_it_encodes_itself() {
        assert_eq!(encoded_in_braces("https://a.org/x%20y?b={c}^d\\#é"), "https://a.org/x%20y?b=%7Bc%7D%5Ed%5C#%C3%A9");
    }
}
