//! The caption of a table in LaTeX, its label, and the blank below it.

use super::Latex;
use super::escaping::{label_name, running};
use crate::render::table::content::Table;
use crate::values::DocumentClass;

impl Latex<'_> {
    /// The caption with its label; a later part names the first.
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

    /// The blank that belongs between a caption and its table, where a class has it above captions alone: of captions that
    /// stand below figures, or in the one float of the class and not in that of a table that is turned.
    pub(super) fn blank_below_caption(&self) -> &'static str {
        match self.paper.class {
            DocumentClass::Article | DocumentClass::Llncs | DocumentClass::Neurips if self.place.first => {
                "\\setlength{\\abovecaptionskip}{0pt}\\setlength{\\belowcaptionskip}{6pt}\n"
            }
            _ => "",
        }
    }
}
