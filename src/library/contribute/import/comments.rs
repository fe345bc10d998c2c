//! The comments of a TOML file, which no reader of its values sees.

/// What a place of a text is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// Between values.
    Plain,
    /// A text between such quotes.
    Quoted(&'static str),
}

const QUOTES: &[&str] = &["\"\"\"", "'''", "\"", "'"];

/// Each comment from its `#` to the end of its line, with the number of the line.
pub(super) fn comments(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut inside = Inside::Plain;
    for (at, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let mut step = c.len_utf8();
            match inside {
                Inside::Plain if c == '#' => {
                    found.push((at + 1, rest));
                    break;
                }
                Inside::Plain => {
                    if let Some(quotes) = QUOTES.iter().find(|quotes| rest.starts_with(**quotes)) {
                        inside = Inside::Quoted(quotes);
                        step = quotes.len();
                    }
                }
                Inside::Quoted(quotes) if rest.starts_with(quotes) => {
                    inside = Inside::Plain;
                    step = quotes.len();
                }
                Inside::Quoted(quotes) if c == '\\' && quotes.starts_with('"') => {
                    step += rest[step..].chars().next().map_or(0, char::len_utf8);
                }
                Inside::Quoted(_) => {}
            }
            rest = &rest[step..];
        }
        if matches!(inside, Inside::Quoted(quotes) if quotes.len() == 1) {
            // A text of one line that does not end is a mistake of the file.
            inside = Inside::Plain;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::comments;

    #[test]
    fn a_sign_in_a_text_is_no_comment() {
        let text = "# one\na = \"# no\\\" # no\"  # two\nb = '''\n# no\n'''\nc = '\\' # three\nd = \"\"\"\\\"\"\" # no\n\"\"\"#four\n";
        assert_eq!(comments(text), [(1, "# one"), (2, "# two"), (6, "# three"), (8, "#four")]);
    }
}
