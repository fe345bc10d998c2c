//! Reads a bibliography in BibTeX as far as is needed to add to it: which entries there are, and what they state.

/// A bibliography cannot be understood, so nothing can be added to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct BibliographyError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

/// An entry: its type in lower case, its key, and its fields by their lower-case names, blanks made one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BibEntry {
    pub kind: String,
    pub key: String,
    pub fields: Vec<(String, String)>,
}

/// The entries of a bibliography, in their order. What stands between entries is a remark to BibTeX.
///
/// # Errors
///
/// When an entry has no end, no key, or a field without value.
pub(super) fn entries(text: &str) -> Result<Vec<BibEntry>, BibliographyError> {
    let mut reader = Reader { text, at: 0 };
    let mut entries = Vec::new();
    while let Some(next) = reader.rest().find('@') {
        reader.at += next + 1;
        entries.extend(reader.entry()?);
    }
    Ok(entries)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn error(&self, message: &str) -> BibliographyError {
        let line = self.text[..self.at].matches('\n').count() + 1;
        BibliographyError { line, message: message.to_owned() }
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Takes what stands before the first character that ends it.
    fn until(&mut self, ends: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(ends).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn take(&mut self, sign: char) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len_utf8() } else { 0 };
        found
    }

    /// What follows an at sign; `None` where it is no entry of a bibliography.
    fn entry(&mut self) -> Result<Option<BibEntry>, BibliographyError> {
        self.skip_blanks();
        let kind = self.until(|c| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).to_lowercase();
        let close = match (kind.as_str(), self.take('{'), self.rest().starts_with('(')) {
            // BibTeX goes on behind the word.
            ("comment", false, _) => return Ok(None),
            ("", ..) => return Err(self.error("`@` is not followed by the type of an entry")),
            (_, true, _) => '}',
            (_, false, true) => {
                self.at += 1;
                ')'
            }
            _ => return Err(self.error(&format!("`@{kind}` is not followed by a brace"))),
        };
        if matches!(kind.as_str(), "comment" | "preamble") {
            self.body(close)?;
            return Ok(None);
        }
        if kind == "string" {
            self.fields(close)?;
            return Ok(None);
        }
        self.skip_blanks();
        let key = self.until(|c| c.is_whitespace() || matches!(c, ',' | '}' | '{' | '=')).to_owned();
        if key.is_empty() {
            return Err(self.error(&format!("an entry `@{kind}` has no key")));
        }
        if !self.take(',') && !self.rest().starts_with(close) {
            return Err(self.error(&format!("the key `{key}` is not followed by a comma")));
        }
        Ok(Some(BibEntry { kind, key, fields: self.fields(close)? }))
    }

    /// Fields up to the end of their entry, and that end.
    fn fields(&mut self, close: char) -> Result<Vec<(String, String)>, BibliographyError> {
        let mut fields = Vec::new();
        loop {
            if self.take(close) {
                return Ok(fields);
            }
            let name = self.until(|c| c.is_whitespace() || matches!(c, '=' | ',' | '{' | '}' | '(' | ')' | '"' | '#'));
            if name.is_empty() || !self.take('=') {
                return Err(self.error("an entry has no end, or a field without name or value"));
            }
            fields.push((name.to_lowercase(), self.value()?));
            if !self.take(',') && !self.rest().starts_with(close) {
                return Err(
                    self.error(&format!("the field `{name}` is not followed by a comma or the end of its entry"))
                );
            }
        }
    }

    /// A value: texts in braces or quotes, numbers and names, joined by `#`.
    fn value(&mut self) -> Result<String, BibliographyError> {
        let mut parts: Vec<String> = Vec::new();
        loop {
            self.skip_blanks();
            let part = if self.take('{') {
                self.body('}')?
            } else if self.take('"') {
                self.body('"')?
            } else {
                self.until(|c| c.is_whitespace() || matches!(c, ',' | '{' | '}' | '(' | ')' | '"' | '#' | '='))
            };
            if part.is_empty() && !self.text[..self.at].ends_with(['}', '"']) {
                return Err(self.error("a field has no value"));
            }
            parts.push(part.split_whitespace().collect::<Vec<_>>().join(" "));
            if !self.take('#') {
                return Ok(parts.concat());
            }
        }
    }

    /// Text up to a sign outside all braces, and that sign.
    fn body(&mut self, close: char) -> Result<&'t str, BibliographyError> {
        let start = self.at;
        let mut depth = 0_usize;
        for (at, c) in self.rest().char_indices() {
            match c {
                c if c == close && depth == 0 => {
                    let body = &self.text[start..start + at];
                    self.at = start + at + c.len_utf8();
                    return Ok(body);
                }
                '{' => depth += 1,
                '}' if depth == 0 => {
                    self.at = start + at;
                    return Err(self.error("a brace is closed that was never opened"));
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
        Err(self.error("a brace or a quotation mark is never closed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_bibtex_reads_them() {
        let text = "A remark.\n@string{ieee = \"I{\\'E}EE\"}\n@comment{jabref-meta: x;}\n@preamble{\"\\newcommand\"}\n\
                    @Article ( a:1 , Title = {A {B}\n  c}, year=2019, month = jan # \"~1\", )\n@misc{empty}\n";
        let read = entries(text).unwrap();
        assert_eq!(read.iter().map(|entry| entry.key.as_str()).collect::<Vec<_>>(), ["a:1", "empty"]);
        let fields = [("title", "A {B} c"), ("year", "2019"), ("month", "jan~1")];
        assert_eq!(read[0].fields, fields.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(read[0].kind, "article");
    }

    #[test]
    fn what_is_no_bibliography_is_refused_with_its_line() {
        for (text, line) in [
            ("\n@misc{a, title = {never closed}\n", 3),
            ("@misc{a, title {x}}", 1),
            ("@misc{, title = {x}}", 1),
            ("x\n@misc\n", 3),
            ("mail me@ home", 1),
            ("@misc{a, title = }", 1),
            ("@misc{a, title = \"x } y\"}", 1),
            ("@misc{a, title = {x} year = 1}", 1),
        ] {
            let read = entries(text);
            assert!(read.as_ref().is_err_and(|error| error.line == line), "{text:?}: {read:?}");
        }
    }
}
