//! A fault in the head of a column, or in what all rows of a file have by default, is told there, and not at each of its rows.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::model::{Diagnostic, Severity};
use crate::reading::{ColumnPlaces, column_places};

/// So many values of a column are wrong by themselves more seldom than its head is.
const FEWEST: usize = 12;
/// And they are at least this share of its values, in percent.
const SHARE: usize = 30;

/// The findings with one at the head of a column in the place of those at many of its values, and one at a place in the place of
/// many with one code.
pub(super) fn at_the_heads(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut of_files: BTreeMap<&Path, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.severity != Severity::Info) {
        *of_files.entry(&finding.primary.file.path).or_default() += 1;
    }
    let crowded: BTreeSet<PathBuf> =
        of_files.into_iter().filter(|(_, count)| *count >= FEWEST).map(|(path, _)| path.to_owned()).collect();
    if crowded.is_empty() {
        return findings;
    }
    let (many, mut kept): (Vec<Diagnostic>, Vec<Diagnostic>) = findings
        .into_iter()
        .partition(|finding| finding.severity != Severity::Info && crowded.contains(&finding.primary.file.path));
    let mut by_file: BTreeMap<PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for finding in many {
        by_file.entry(finding.primary.file.path.clone()).or_default().push(finding);
    }
    for findings in by_file.into_values() {
        kept.extend(at_one_place(of_one_file(findings)));
    }
    kept
}

/// The columns of a file with many wrong values, each told once.
fn of_one_file(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let columns = column_places(&findings[0].primary.file);
    let column_of = |finding: &Diagnostic| {
        let span = finding.primary.span.as_ref()?;
        columns.iter().position(|column| column.has(span))
    };
    let mut of_columns: BTreeMap<usize, Vec<Diagnostic>> = BTreeMap::new();
    let mut kept = Vec::new();
    for finding in findings {
        match column_of(&finding) {
            Some(column) => of_columns.entry(column).or_default().push(finding),
            None => kept.push(finding),
        }
    }
    for (column, findings) in of_columns {
        let column = &columns[column];
        let wrong = findings.iter().filter_map(|finding| finding.primary.span.as_ref().map(|span| span.start));
        let wrong = wrong.collect::<BTreeSet<usize>>().len();
        match wrong >= FEWEST && wrong * 100 >= SHARE * column.cells.len() {
            true => kept.extend(told_at_the_head(findings, column, wrong)),
            false => kept.extend(findings),
        }
    }
    kept
}

/// The first of the worst findings, at the head.
fn told_at_the_head(findings: Vec<Diagnostic>, column: &ColumnPlaces, wrong: usize) -> Option<Diagnostic> {
    let mut first = findings.into_iter().min_by_key(|finding| finding.severity)?;
    first.message =
        format!("{wrong} of {} values of `{}` are told of, as {}", column.cells.len(), column.key, first.message);
    first.related.insert(0, crate::model::Annotation { label: "such a value".to_owned(), ..first.primary.clone() });
    first.primary.span = Some(column.head.clone());
    first.primary.label = "is this what the column holds?".to_owned();
    first.fix = None;
    Some(first)
}

/// Many findings of one code at one place (a default that all rows share) as one.
fn at_one_place(findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let place = |finding: &Diagnostic| -> (Option<(usize, usize)>, crate::model::Code) {
        let span = |span: &Range<usize>| (span.start, span.end);
        (finding.primary.span.as_ref().map(span), finding.code)
    };
    let mut counts = BTreeMap::new();
    for finding in &findings {
        *counts.entry(place(finding)).or_insert(0usize) += 1;
    }
    let mut told = BTreeSet::new();
    let mut kept = Vec::new();
    for mut finding in findings {
        let at = place(&finding);
        let count = counts[&at];
        if count < FEWEST {
            kept.push(finding);
        } else if told.insert(at) {
            finding.message = format!("{}; and so for {} other rows", finding.message, count - 1);
            kept.push(finding);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Code, SourceFile};

    #[test]
    fn a_wrong_head_is_told_once_and_wrong_values_each() {
        let rows: String = (0..40).map(|at| format!("  [{at}, 1.5],\n")).collect();
        let text = format!("[[table]]\ncolumns = [\"batch-size\", \"latency-ms\"]\nrows = [\n{rows}]\n");
        let file = Arc::new(SourceFile::new("a.toml", &text));
        let finding = |at: usize| {
            let cell = format!("[{at}, ");
            let start = text.find(&cell).unwrap() + 1;
            let span = start..start + at.to_string().len();
            Diagnostic::error(Code::new(401), &file, Some(span), format!("{at} is wrong"), "here")
        };
        let of = |count: usize| at_the_heads((0..count).map(finding).collect());
        assert_eq!(of(5).len(), 5);
        let told = of(30);
        assert_eq!(told.len(), 1);
        assert_eq!(&text[told[0].primary.span.clone().unwrap()], "\"batch-size\"");
        assert!(told[0].message.starts_with("30 of 40 values of `batch-size`"), "{}", told[0].message);
        let alike = at_the_heads((0..20).map(|_| finding(3)).collect());
        assert_eq!(alike.len(), 1, "one value cannot be wrong twenty times");
    }
}
