//! Findings for programs: JSON, annotations of GitHub, and SARIF.

mod github;
mod json;
mod sarif;

pub use github::draw as github;
pub use json::draw as json;
pub use sarif::draw as sarif;

use crate::model::Annotation;

/// Where something stands: path with `/`, first line and column, last line and column, all from 1.
struct FileRange {
    file: String,
    start: (usize, usize),
    end: (usize, usize),
}

fn place(annotation: &Annotation) -> FileRange {
    let file = &annotation.file;
    let parts: Vec<String> = file.path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let span = annotation.span.clone().unwrap_or(0..0);
    FileRange { file: parts.join("/"), start: file.position(span.start), end: file.position(span.end.max(span.start)) }
}
