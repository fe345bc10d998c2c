//! References in BibTeX, for every style: addresses stand where classic styles print them, too.

use super::table::latex_escaped;
use crate::model::{KbReference, Reference, References, Source};
use crate::values::Date;
use crate::values::percent::encoded_in_braces;
use crate::values::text::printable;

/// The entries, by key, each once.
pub fn bibtex(references: &References) -> String {
    let mut text = "% needs \\usepackage{url} or hyperref\n".to_owned();
    for (key, reference) in references.iter() {
        let (kind, fields) = match reference {
            Reference::Source(source) => of_source(source),
            Reference::Page { url, title, accessed } => ("misc", of_page(url, title.as_deref(), *accessed)),
            Reference::KnowledgeBase(kb) => ("misc", of_knowledge_base(kb)),
        };
        text.push_str(&format!("\n@{kind}{{{key},\n"));
        for (name, value) in fields {
            text.push_str(&format!("  {name} = {{{value}}},\n"));
        }
        text.push_str("}\n");
    }
    text
}

/// The fields of an entry, in their order, ready to be written between braces.
type Fields = Vec<(&'static str, String)>;

fn of_source(source: &Source) -> (&'static str, Fields) {
    let kind = kind(&source.entry_type);
    let mut fields = Fields::new();
    if !source.authors.is_empty() {
        fields.push(("author", authors(&source.authors)));
    }
    fields.push(("title", title(&source.name)));
    if let Some(venue) = &source.venue {
        fields.push((venue_field(kind), latex_escaped(venue)));
    }
    fields.extend(source.year.map(|year| ("year", year.to_string())));
    fields.extend(source.doi.as_deref().map(|doi| ("doi", latex_escaped(doi))));
    fields.extend(source.url.as_deref().map(|url| address(kind, source.venue.is_some(), url)));
    let commit = source.commit.as_deref().map(|commit| match source.commit_date {
        Some(date) => format!("commit {commit} of {date}"),
        None => format!("commit {commit}"),
    });
    fields.extend(note(commit.into_iter().chain(source.accessed.map(read_on))));
    (kind, fields)
}

fn of_page(url: &str, name: Option<&str>, accessed: Option<Date>) -> Fields {
    let mut fields = vec![("title", title(name.unwrap_or(url))), address("misc", false, url)];
    fields.extend(note(accessed.map(read_on)));
    fields
}

fn of_knowledge_base(kb: &KbReference) -> Fields {
    let mut fields = vec![("author", "{The dlbench contributors}".to_owned()), ("title", title(&kb.name))];
    fields.extend(kb.accessed.map(|date| ("year", date.year().to_string())));
    let parts = [
        format!("content {}", kb.content),
        format!("read by dlbench {}", env!("CARGO_PKG_VERSION")),
        format!("records under {}", kb.license),
    ];
    fields.extend(note(parts));
    fields
}

/// The entry types of classic BibTeX; what only later programs know is set like any other thing.
fn kind(entry_type: &str) -> &'static str {
    const KNOWN: &[&str] = &[
        "article",
        "book",
        "booklet",
        "conference",
        "inbook",
        "incollection",
        "inproceedings",
        "manual",
        "mastersthesis",
        "phdthesis",
        "proceedings",
        "techreport",
        "unpublished",
    ];
    let known = KNOWN.iter().find(|known| known.eq_ignore_ascii_case(entry_type));
    known.copied().unwrap_or(if entry_type == "thesis" { "phdthesis" } else { "misc" })
}

fn venue_field(kind: &str) -> &'static str {
    match kind {
        "article" => "journal",
        "inproceedings" | "conference" | "incollection" => "booktitle",
        "book" | "inbook" | "proceedings" => "publisher",
        "techreport" => "institution",
        "phdthesis" | "mastersthesis" => "school",
        "manual" => "organization",
        _ => "howpublished",
    }
}

/// Classic styles do not print `url`, but they print how something without a publisher was published.
fn address(kind: &str, has_venue: bool, url: &str) -> (&'static str, String) {
    let url = encoded_in_braces(&printable(url));
    match (kind, has_venue) {
        ("misc" | "booklet" | "unpublished", false) => ("howpublished", format!("\\url{{{url}}}")),
        _ => ("url", url),
    }
}

/// Braces keep the capitals that styles would lower.
fn title(text: &str) -> String {
    format!("{{{}}}", latex_escaped(text))
}

/// `Family, Given and {An Organisation}`.
fn authors(authors: &[String]) -> String {
    let author = |name: &String| {
        let text = latex_escaped(name);
        if name.contains(',') && !name.contains(" and ") { text } else { format!("{{{text}}}") }
    };
    authors.iter().map(author).collect::<Vec<_>>().join(" and ")
}

fn note(parts: impl IntoIterator<Item = String>) -> Option<(&'static str, String)> {
    let parts: Vec<String> = parts.into_iter().collect();
    (!parts.is_empty()).then(|| ("note", latex_escaped(&parts.join(", "))))
}

fn read_on(date: Date) -> String {
    format!("accessed {date}")
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut references = References::default();
        references.add(Reference::Source(Box::new(source)));
        references.add(Reference::Source(Box::new(paper)));
        references.add(Reference::Page { url: "https://example.org/x".to_owned(), title: None, accessed: None });
        references.add(Reference::KnowledgeBase(KbReference {
            name: "A KB".to_owned(),
            content: "0a1b".to_owned(),
            license: "CC0-1.0".to_owned(),
            accessed: "2026-11-21".parse().ok(),
        }));
        insta::assert_snapshot!(bibtex(&references).replace(env!("CARGO_PKG_VERSION"), "<version>"));
    }
}
