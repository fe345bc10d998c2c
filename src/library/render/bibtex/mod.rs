//! References in BibTeX for every bibliography style, and merging them into an existing bibliography.

use std::collections::BTreeMap;

use super::table::latex_escaped;
use crate::model::{KbReference, Publication, Reference, References, Source, page_owner};
use crate::values::Date;
use crate::values::text::encoded_in_braces;
use crate::values::text::printable;

/// The package that a document needs to cite the entries.
const NEEDS: &str = "% needs \\usepackage{url} or hyperref\n";

/// All entries, one per key.
pub fn bibtex(references: &References) -> String {
    let entries = references.iter().map(|(key, reference)| format!("\n{}", entry(key, reference)));
    NEEDS.to_owned() + &entries.collect::<String>()
}

/// One entry, with one field per line.
fn entry(key: &str, reference: &Reference) -> String {
    let (kind, fields) = match reference {
        Reference::Source(source) => match &source.published {
            Some(published) => publication_entry(source, published),
            None => source_entry(source),
        },
        Reference::Page { url, title, accessed } => ("misc", page_fields(url, title.as_deref(), *accessed)),
        Reference::KnowledgeBase(kb) => ("misc", knowledge_base_fields(kb)),
    };
    let fields: String = fields.into_iter().map(|(name, value)| format!("  {name} = {{{value}}},\n")).collect();
    format!("@{kind}{{{key},\n{fields}}}\n")
}

/// Fields of an entry in order, escaped for use between braces.
type Fields = Vec<(&'static str, String)>;

fn source_entry(source: &Source) -> (&'static str, Fields) {
    let kind = kind(&source.entry_type);
    let mut fields =
        vec![("author", author_or_owner(&source.authors, source.url.as_deref())), ("title", title(&source.name))];
    let venue = source.venue.as_deref().map(escaped);
    let dates = [source.commit_date, source.accessed];
    fields.push(("year", year(source.year, dates)));
    fields.extend(published_where(kind, venue, source.url.as_deref()));
    fields.extend(source.doi.as_deref().map(|doi| ("doi", escaped(doi))));
    fields.extend(note(version_read(source)));
    fields.extend(commit(source));
    (kind, fields)
}

/// The published version of a source, with a note on the version that was read.
fn publication_entry(source: &Source, published: &Publication) -> (&'static str, Fields) {
    let kind = kind_of_publication(&published.entry_type);
    let mut fields =
        vec![("author", author_or_owner(&source.authors, source.url.as_deref())), ("title", title(&published.name))];
    fields.push((venue_field(kind), escaped(&published.venue)));
    fields.push(("year", published.year.to_string()));
    // Page ranges have an en dash.
    fields.push(("pages", escaped(&published.pages).replace('-', "--")));
    fields.push(("publisher", escaped(&published.publisher)));
    fields.extend(published.place.as_deref().map(|place| ("address", escaped(place))));
    fields.push(("doi", escaped(&published.doi)));
    let read = source.venue.iter().cloned().chain(version_read(source));
    let read = format!("text cited from {}", read.collect::<Vec<_>>().join(", "));
    fields.extend(note([read]));
    fields.extend(commit(source));
    (kind, fields)
}

fn page_fields(url: &str, name: Option<&str>, accessed: Option<Date>) -> Fields {
    let mut fields = vec![("author", author_or_owner(&[], Some(url))), ("title", title(name.unwrap_or(url)))];
    fields.push(("year", year(None, [accessed])));
    fields.extend(published_where("misc", None, Some(url)));
    fields.extend(note(accessed.map(read_on)));
    fields
}

fn knowledge_base_fields(kb: &KbReference) -> Fields {
    let mut fields = vec![("author", "{The dlbench contributors}".to_owned()), ("title", title(&kb.name))];
    fields.push(("year", year(None, [kb.accessed])));
    let version = kb.accessed.map(|date| date.to_string());
    fields.extend(version.clone().map(|version| ("version", version)));
    fields.extend(published_where("misc", None, kb.url.as_deref()));
    let parts = [
        format!("content {}", kb.content),
        format!("read by dlbench {}", env!("CARGO_PKG_VERSION")),
        format!("records under {}", kb.license),
    ];
    fields.extend(note(version.map(|version| format!("version of {version}")).into_iter().chain(parts)));
    fields
}

/// The entry types of classic BibTeX whose required fields a source has. An article needs volume and pages, which are only in
/// `[published]`; without them a style would print gaps, so the source becomes a `misc` entry with a name and an address.
fn kind(entry_type: &str) -> &'static str {
    const KNOWN: &[&str] = &["booklet", "manual", "unpublished"];
    let known = KNOWN.iter().find(|known| known.eq_ignore_ascii_case(entry_type));
    known.copied().unwrap_or("misc")
}

fn kind_of_publication(entry_type: &str) -> &'static str {
    match entry_type {
        "article" => "article",
        "incollection" => "incollection",
        _ => "inproceedings",
    }
}

fn venue_field(kind: &str) -> &'static str {
    match kind {
        "article" => "journal",
        "manual" => "organization",
        "inproceedings" | "incollection" => "booktitle",
        _ => "howpublished",
    }
}

/// Where a work was published, and its address: classic styles do not print `url`, but they print `howpublished` for works
/// without a publisher.
fn published_where(kind: &str, venue: Option<String>, url: Option<&str>) -> Fields {
    let url = url.map(|url| encoded_in_braces(&printable(url)));
    let field = venue_field(kind);
    if field != "howpublished" {
        return venue.map(|venue| (field, venue)).into_iter().chain(url.map(|url| ("url", url))).collect();
    }
    let parts: Vec<String> = venue.into_iter().chain(url.map(|url| format!("\\url{{{url}}}"))).collect();
    if parts.is_empty() { Vec::new() } else { vec![(field, parts.join(", "))] }
}

/// The year of a work, else the year of the version that was read.
fn year<const N: usize>(stated: Option<i64>, read: [Option<Date>; N]) -> String {
    let year = stated.or_else(|| read.into_iter().flatten().next().map(|date| i64::from(date.year())));
    year.map_or_else(|| "n.d.".to_owned(), |year| year.to_string())
}

/// What identifies the version that was read.
fn version_read(source: &Source) -> impl Iterator<Item = String> {
    /// This many digits identify a commit within a repository and still fit on a line.
    const DIGITS: usize = 12;
    let commit = source.commit.as_deref().map(|commit| {
        let short = commit.get(..DIGITS).unwrap_or(commit);
        match source.commit_date {
            Some(date) => format!("commit {short} of {date}"),
            None => format!("commit {short}"),
        }
    });
    commit.into_iter().chain(source.accessed.map(read_on))
}

/// The full commit hash, in a field that no style prints.
fn commit(source: &Source) -> Option<(&'static str, String)> {
    source.commit.as_deref().map(|commit| ("commit", escaped(commit)))
}

/// The authors, else the owner of the page: styles sort and label an entry by its author.
fn author_or_owner(names: &[String], url: Option<&str>) -> String {
    match (names, url) {
        ([], Some(url)) => authors(&[page_owner(url)]),
        ([], None) => "{Anonymous}".to_owned(),
        (names, _) => authors(names),
    }
}

/// Braces preserve capitals that styles would lower-case.
fn title(text: &str) -> String {
    format!("{{{}}}", escaped(text))
}

/// `Family, Given and {An Organisation}`; a name with more commas than BibTeX accepts is put in braces as well.
fn authors(authors: &[String]) -> String {
    let author = |name: &String| {
        let text = escaped(name);
        let is_person = matches!(name.matches(',').count(), 1 | 2) && !name.contains(" and ");
        if is_person { text } else { format!("{{{text}}}") }
    };
    authors.iter().map(author).collect::<Vec<_>>().join(" and ")
}

fn note(parts: impl IntoIterator<Item = String>) -> Option<(&'static str, String)> {
    let parts: Vec<String> = parts.into_iter().collect();
    (!parts.is_empty()).then(|| ("note", escaped(&parts.join(", "))))
}

fn read_on(date: Date) -> String {
    format!("accessed {date}")
}

/// Escapes text for LaTeX such that BibTeX sees no unbalanced brace: BibTeX takes `\}` for the end of a field, like `}`.
fn escaped(text: &str) -> String {
    latex_escaped(text).replace("\\{", "\\textbraceleft{}").replace("\\}", "\\textbraceright{}")
}

/// An existing bibliography with the missing entries added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergedBibliography {
    /// The whole text: the existing part is unchanged, the missing entries follow.
    pub text: String,
    /// Keys of existing entries that differ from the current ones. These entries are not changed.
    pub differing: Vec<String>,
}

/// Adds missing entries to an existing bibliography. Keys are compared without regard to case, as in BibTeX.
///
/// # Errors
///
/// Fails if BibTeX could not read the existing text.
pub fn merged(existing: &str, references: &References) -> Result<MergedBibliography, BibliographyError> {
    let there: BTreeMap<String, BibEntry> =
        entries(existing)?.into_iter().map(|entry| (entry.key.to_lowercase(), entry)).collect();
    if existing.trim().is_empty() {
        return Ok(MergedBibliography { text: bibtex(references), differing: Vec::new() });
    }
    let mut text = existing.to_owned();
    let mut differing = Vec::new();
    for (key, reference) in references.iter() {
        let own = entry(key, reference);
        match there.get(&key.to_lowercase()) {
            Some(kept) if entries(&own)?.iter().any(|own| own.kind == kept.kind && own.fields == kept.fields) => {}
            Some(_) => differing.push(key.to_owned()),
            None => {
                if !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(&format!("\n{own}"));
            }
        }
    }
    Ok(MergedBibliography { text, differing })
}

/// The existing bibliography cannot be parsed, so nothing can be added to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct BibliographyError {
    /// The line, counted from 1.
    pub line: usize,
    /// The syntax error.
    pub message: String,
}

/// A parsed entry: its lower-case type, its key, and its fields with lower-case names and normalized whitespace.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BibEntry {
    pub kind: String,
    pub key: String,
    pub fields: Vec<(String, String)>,
}

/// The entries of a bibliography in order. BibTeX ignores text between entries.
///
/// # Errors
///
/// Fails if an entry is not closed, has no key, or has a field without a value.
fn entries(text: &str) -> Result<Vec<BibEntry>, BibliographyError> {
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

    /// Takes the text up to the first character for which `ends` is true.
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

    /// Parses what follows an `@`; `None` for comments, preambles and string definitions.
    fn entry(&mut self) -> Result<Option<BibEntry>, BibliographyError> {
        self.skip_blanks();
        let kind = self.until(|c| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).to_lowercase();
        let close = match (kind.as_str(), self.take('{'), self.rest().starts_with('(')) {
            // BibTeX continues after the word.
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

    /// Parses the fields of an entry up to and including its closing delimiter.
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

    /// Parses a value: texts in braces or quotes, numbers and names, joined by `#`.
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

    /// Takes the text up to and including a delimiter outside all braces.
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
    use crate::model::Reference;

    #[test]
    fn a_brace_of_a_text_neither_ends_a_field_nor_opens_one() {
        for hostile in ["Doe}, year = 1999, note = {x, Jane", "}}}", "{", "\\}", "\\{a"] {
            let mut depth = 0_i32;
            for c in authors(&[hostile.to_owned()]).chars().chain(title(hostile).chars()) {
                depth += i32::from(c == '{') - i32::from(c == '}');
                assert!(depth >= 0, "{hostile}");
            }
            assert_eq!(depth, 0, "{hostile}");
        }
        assert_eq!(authors(&["D}, J".to_owned()]), "D\\textbraceright{}, J");
    }

    #[test]
    fn an_entry_for_each_reference() {
        let source: Source = serde_json::from_value(serde_json::json!({
            "id": "imagined-2021", "name": "50% of {everything} & \\more", "aliases": [], "type": "online",
            "authors": ["Author, Ada", "Rand and Sons"], "year": 2021, "url": "https://example.org/a_b%20{c}#d",
            "commit": "0123456789", "commit_date": "2021-05-06", "accessed": "2026-11-21",
        }))
        .unwrap();
        let paper = Source { entry_type: "article".to_owned(), venue: Some("A Journal".to_owned()), ..source.clone() };
        let paper = Source { id: "printed-2021".parse().unwrap(), commit: None, ..paper };
        let published = serde_json::json!({
            "type": "inproceedings", "name": "As it was printed", "year": 2022, "venue": "Proc. of It", "pages": "1-9",
            "publisher": "A & B", "place": "Nowhere", "doi": "10.1000/x_1",
        });
        let published = Source {
            id: "published-2022".parse().unwrap(),
            published: serde_json::from_value(published).unwrap(),
            ..paper.clone()
        };
        let mut references = References::default();
        references.add(Reference::Source(Box::new(source)));
        references.add(Reference::Source(Box::new(paper)));
        references.add(Reference::Source(Box::new(published)));
        references.add(Reference::Page { url: "https://example.org/x".to_owned(), title: None, accessed: None });
        references.add(Reference::KnowledgeBase(KbReference {
            name: "A KB".to_owned(),
            content: "0a1b".to_owned(),
            url: Some("https://example.org/kb".to_owned()),
            license: "CC0-1.0".to_owned(),
            accessed: "2026-11-21".parse().ok(),
        }));
        insta::assert_snapshot!(bibtex(&references).replace(env!("CARGO_PKG_VERSION"), "<version>"));
    }

    fn page(url: &str) -> References {
        let mut references = References::default();
        references.add(Reference::Page { url: url.to_owned(), title: Some("A {title}".to_owned()), accessed: None });
        references
    }

    #[test]
    fn nothing_is_repeated_and_nothing_of_an_author_is_lost() {
        let (one, two) = (page("https://example.org/1"), page("https://example.org/2"));
        let first = merged("", &one).unwrap().text;
        assert_eq!(first, bibtex(&one));
        let both = merged(&first, &two).unwrap().text;
        assert!(both.starts_with(&first) && entries(&both).unwrap().len() == 2, "{both}");
        assert_eq!(merged(&both, &one).unwrap(), MergedBibliography { text: both.clone(), differing: Vec::new() });
        // An entry that an author has edited is kept and reported.
        let mended = both
            .replacen("A \\textbraceleft{}title\\textbraceright{}", "Mine", 1)
            .replace("@misc{page-", "@Misc{PAGE-");
        let again = merged(&mended, &one).unwrap();
        assert_eq!((again.text.as_str(), again.differing.len()), (mended.as_str(), 1));
        assert!(merged("@misc{x", &one).is_err());
    }

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
