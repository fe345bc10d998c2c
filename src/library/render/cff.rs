//! How to cite the knowledge base, in the Citation File Format 1.2.0 (https://citation-file-format.github.io).

use crate::model::{KbReference, Source};
use crate::values::text::printable;

/// A `CITATION.cff` whose references are the sources.
pub fn citation<'s>(kb: &KbReference, sources: impl Iterator<Item = &'s Source>) -> String {
    let mut text = format!(
        "cff-version: 1.2.0\nmessage: Please cite the sources of the numbers that you use, and this knowledge base.\n\
         type: dataset\ntitle: {}\nauthors:\n  - name: The dlbench contributors\nversion: {}\nlicense: {}\n",
        quoted(&kb.name),
        quoted(&kb.content),
        quoted(&kb.license),
    );
    if let Some(date) = kb.accessed.filter(|date| date.is_full()) {
        text.push_str(&format!("date-released: {date}\n"));
    }
    text.push_str("references:\n");
    for source in sources {
        text.push_str(&format!("  - type: {}\n    title: {}\n", kind(&source.entry_type), quoted(&source.name)));
        text.push_str("    authors:\n");
        if source.authors.is_empty() {
            text.push_str("      - name: unknown\n");
        }
        for author in &source.authors {
            text.push_str(&match author.split_once(',') {
                Some((family, given)) => format!(
                    "      - family-names: {}\n        given-names: {}\n",
                    quoted(family.trim()),
                    quoted(given.trim())
                ),
                None => format!("      - name: {}\n", quoted(author)),
            });
        }
        let mut add = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                text.push_str(&format!("    {key}: {value}\n"));
            }
        };
        add("year", source.year.map(|year| year.to_string()));
        add("doi", source.doi.as_deref().map(quoted));
        add("url", source.url.as_deref().map(quoted));
        add("commit", source.commit.as_deref().map(quoted));
        add("date-accessed", source.accessed.filter(|date| date.is_full()).map(|date| date.to_string()));
        add("journal", source.venue.as_deref().filter(|_| source.entry_type == "article").map(quoted));
    }
    text
}

/// The types of the format.
fn kind(entry_type: &str) -> &'static str {
    match entry_type {
        "article" => "article",
        "inproceedings" | "conference" => "conference-paper",
        "book" => "book",
        "techreport" => "report",
        "phdthesis" | "mastersthesis" | "thesis" => "thesis",
        "manual" => "manual",
        "online" => "website",
        _ => "generic",
    }
}

/// A text in double quotes of YAML, which are those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(printable(text)).to_string()
}
