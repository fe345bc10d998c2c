//! Caption and label of a LaTeX table, and the notes below it.

use super::cells::GREY;
use super::escaping::{label_name, mark as mark_in_print, running, superscript};
use super::layout::{FOOTNOTE, shown};
use super::{Latex, SIZES};
use crate::render::table::content::{MUTED, Role, Table, TableNote};
use crate::values::DocumentClass;
use crate::values::text::capital;

impl Latex<'_> {
    /// The caption with its label; later parts of a split table refer to the first.
    pub(super) fn caption(&self, table: &Table) -> String {
        let label = self.label.map(label_name).filter(|label| !label.is_empty());
        match (self.place.first, label) {
            (true, label) => {
                let label = label.map(|label| format!("\\label{{{label}}}")).unwrap_or_default();
                let caption = match self.paper.raw_caption {
                    true => table.caption.clone(),
                    false => running(&table.caption),
                };
                format!("\\caption{{{caption}}}{label}\n")
            }
            (false, Some(label)) => format!("Table~\\ref{{{label}}} (continued)\\par\\smallskip\n"),
            (false, None) => String::new(),
        }
    }

    /// Space between a caption and its table, for classes that have it only above captions (as suits captions below figures),
    /// or that set it for their own float but not for a rotated table.
    pub(super) fn blank_below_caption(&self) -> &'static str {
        match self.paper.class {
            DocumentClass::Article | DocumentClass::Llncs | DocumentClass::Neurips if self.place.first => {
                "\\setlength{\\abovecaptionskip}{0pt}\\setlength{\\belowcaptionskip}{6pt}\n"
            }
            _ => "",
        }
    }
}

impl Latex<'_> {
    /// One sentence each: below every part the remarks it needs, below the last one also those on the whole table.
    pub(super) fn remarks(&self, part: &Table) -> Vec<String> {
        let mut remarks: Vec<String> = Vec::new();
        if part.marks_best() {
            remarks.push(format!("\\textbf{{Bold}}: {}", sentence(&part.best_of)));
        }
        if part.mutes_some() {
            remarks.push(format!("{{{GREY} Grey}}: {}.", running(MUTED)));
        }
        if part.shades_some() {
            remarks.push(format!("Shaded: {}", sentence(part.shaded_by)));
        }
        if lacks_values(part) {
            remarks.push("--: no value.".to_owned());
        }
        if leaves_blanks(part) {
            remarks.push("Blank: not stated.".to_owned());
        }
        let used = part.referenced_notes();
        let marked = part.notes.iter().enumerate().filter(|(at, note)| !note.mark.is_empty() && used.contains(at));
        remarks.extend(marked.map(|(_, note)| self.explained(note)));
        if self.place.last {
            remarks.extend(part.notes.iter().filter(|note| note.mark.is_empty()).map(|note| opened(&note.text)));
            let keys = self.paper.keys();
            if !keys.is_empty() {
                remarks.push(format!("Data: \\cite{{{}}}.", keys.join(",")));
            }
        }
        remarks
    }

    /// A mark with its explanation.
    fn explained(&self, note: &TableNote) -> String {
        let points = self.paper.room().sizes[self.setting.size.max(FOOTNOTE)];
        format!("{}~{}", superscript(&mark_in_print(&note.mark), points), sentence(&note.text))
    }

    /// Notes are never larger than `\footnotesize`.
    pub(super) fn size_of_notes(&self) -> &'static str {
        if self.setting.size < FOOTNOTE { SIZES[FOOTNOTE] } else { "" }
    }
}

/// A sentence with a capital letter, unless it explains a word of the table: `oom: the attempt ran out of memory`.
fn opened(text: &str) -> String {
    let explains = text.split(' ').next().is_some_and(|first| first.ends_with(':'));
    if explains { sentence(text) } else { sentence(&capital(text)) }
}

fn sentence(text: &str) -> String {
    let text = running(text);
    if text.ends_with(['.', '!', '?', ':']) { text } else { text + "." }
}

/// Whether a value is missing.
fn lacks_values(table: &Table) -> bool {
    let values: Vec<usize> = shown(&table.columns)
        .filter(|(_, column)| column.numeric && column.role == Role::Value)
        .map(|(at, _)| at)
        .collect();
    table.rows().any(|row| values.iter().any(|at| row[*at].text.is_empty()))
}

/// Whether a measurement's row leaves a setting unstated.
fn leaves_blanks(table: &Table) -> bool {
    let is_traced = table.columns.iter().any(|column| column.role == Role::Trace);
    let settings: Vec<usize> = shown(&table.columns)
        .filter(|(_, column)| !(column.numeric && column.role == Role::Value))
        .map(|(at, _)| at)
        .collect();
    is_traced && table.rows().any(|row| settings.iter().any(|at| row[*at].text.is_empty()))
}
