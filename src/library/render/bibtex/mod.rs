//! References in BibTeX, for every style: addresses stand where classic styles print them, too, and no entry lacks what the
//! styles `plainnat`, `IEEEtran` and `ACM-Reference-Format` warn of.

mod merge;
mod parse;

pub use merge::{MergedBibliography, merged};
pub use parse::BibliographyError;

use super::table::latex_escaped;
use crate::model::{KbReference, Publication, Reference, References, Source, page_owner};
use crate::values::Date;
use crate::values::percent::encoded_in_braces;
use crate::values::text::printable;

/// What a document needs that cites the entries.
const NEEDS: &str = "% needs \\usepackage{url} or hyperref\n";

/// The entries, by key, each once.
pub fn bibtex(references: &References) -> String {
    let entries = references.iter().map(|(key, reference)| format!("\n{}", entry(key, reference)));
    NEEDS.to_owned() + &entries.collect::<String>()
}

/// An entry: one field a line.
fn entry(key: &str, reference: &Reference) -> String {
    let (kind, fields) = match reference {
        Reference::Source(source) => match &source.published {
            Some(published) => of_publication(source, published),
            None => of_source(source),
        },
        Reference::Page { url, title, accessed } => ("misc", of_page(url, title.as_deref(), *accessed)),
        Reference::KnowledgeBase(kb) => ("misc", of_knowledge_base(kb)),
    };
    let fields: String = fields.into_iter().map(|(name, value)| format!("  {name} = {{{value}}},\n")).collect();
    format!("@{kind}{{{key},\n{fields}}}\n")
}

/// The fields of an entry, in their order, ready to be written between braces.
type Fields = Vec<(&'static str, String)>;

fn of_source(source: &Source) -> (&'static str, Fields) {
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

/// The published version of a source, with what was read of it.
fn of_publication(source: &Source, published: &Publication) -> (&'static str, Fields) {
    let kind = kind_of_publication(&published.entry_type);
    let mut fields =
        vec![("author", author_or_owner(&source.authors, source.url.as_deref())), ("title", title(&published.name))];
    fields.push((venue_field(kind), escaped(&published.venue)));
    fields.push(("year", published.year.to_string()));
    // A range of pages has an en dash.
    fields.push(("pages", escaped(&published.pages).replace('-', "--")));
    fields.push(("publisher", escaped(&published.publisher)));
    fields.extend(published.place.as_deref().map(|place| ("address", escaped(place))));
    fields.push(("doi", escaped(&published.doi)));
    let read = source.venue.iter().cloned().chain(version_read(source));
    let read = format!("what is cited stands in {}", read.collect::<Vec<_>>().join(", "));
    fields.extend(note([read]));
    fields.extend(commit(source));
    (kind, fields)
}

fn of_page(url: &str, name: Option<&str>, accessed: Option<Date>) -> Fields {
    let mut fields = vec![("author", author_or_owner(&[], Some(url))), ("title", title(name.unwrap_or(url)))];
    fields.push(("year", year(None, [accessed])));
    fields.extend(published_where("misc", None, Some(url)));
    fields.extend(note(accessed.map(read_on)));
    fields
}

fn of_knowledge_base(kb: &KbReference) -> Fields {
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

/// The entry types of classic BibTeX whose needs a source can meet. An article needs volume and pages, which stand in
/// `[published]`; without them a style would print holes, so it is set like any other thing that has a name and an address.
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

/// Where it stands and its address: classic styles do not print `url`, but they print how a thing without a publisher was
/// published.
fn published_where(kind: &str, venue: Option<String>, url: Option<&str>) -> Fields {
    let url = url.map(|url| encoded_in_braces(&printable(url)));
    let field = venue_field(kind);
    if field != "howpublished" {
        return venue.map(|venue| (field, venue)).into_iter().chain(url.map(|url| ("url", url))).collect();
    }
    let parts: Vec<String> = venue.into_iter().chain(url.map(|url| format!("\\url{{{url}}}"))).collect();
    if parts.is_empty() { Vec::new() } else { vec![(field, parts.join(", "))] }
}

/// The year of a work; of one that states none that of the version that was read.
fn year<const N: usize>(stated: Option<i64>, read: [Option<Date>; N]) -> String {
    let year = stated.or_else(|| read.into_iter().flatten().next().map(|date| i64::from(date.year())));
    year.map_or_else(|| "n.d.".to_owned(), |year| year.to_string())
}

/// What tells the version that was read from others.
fn version_read(source: &Source) -> impl Iterator<Item = String> {
    /// So many digits tell one commit of a repository from the others, and a line still holds them.
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

/// All digits of the commit, in a field that no style prints.
fn commit(source: &Source) -> Option<(&'static str, String)> {
    source.commit.as_deref().map(|commit| ("commit", escaped(commit)))
}

/// The authors, else whose page it is: styles sort and name an entry by its author.
fn author_or_owner(names: &[String], url: Option<&str>) -> String {
    match (names, url) {
        ([], Some(url)) => authors(&[page_owner(url)]),
        ([], None) => "{Anonymous}".to_owned(),
        (names, _) => authors(names),
    }
}

/// Braces keep the capitals that styles would lower.
fn title(text: &str) -> String {
    format!("{{{}}}", escaped(text))
}

/// `Family, Given and {An Organisation}`; a name with more commas than BibTeX takes is whole, too.
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

/// Text as LaTeX prints it, in which BibTeX counts no brace that is the text's: to it, `\}` ends a field as `}` does.
fn escaped(text: &str) -> String {
    latex_escaped(text).replace("\\{", "\\textbraceleft{}").replace("\\}", "\\textbraceright{}")
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
