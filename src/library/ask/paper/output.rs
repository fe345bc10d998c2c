//! What an item adds to a paper: a table or figure, and the values in it.

use super::lock::UsedValue;
use crate::model::References;
use crate::values::TableLayout;

/// A table or figure of a paper.
#[derive(Debug)]
pub struct PaperOutput {
    /// The table or figure itself.
    pub drawn: DrawnItem,
    /// Every value that is in it.
    pub used: Vec<UsedValue>,
    /// What it cites.
    pub references: References,
}

/// A table or figure.
#[derive(Debug)]
pub enum DrawnItem {
    /// A table, in LaTeX.
    Table(String),
    /// A figure in files of several formats.
    Figure(FigureFiles),
}

/// A figure in files of several formats, and what is around it.
#[derive(Debug)]
pub struct FigureFiles {
    /// The ending of each file, and its content.
    pub files: Vec<(String, Vec<u8>)>,
    /// The caption.
    pub caption: String,
    /// The label.
    pub label: String,
    /// What must be said of it.
    pub remarks: Vec<String>,
    /// The keys that it cites.
    pub cite: Vec<String>,
    /// Where on a page it stands.
    pub layout: TableLayout,
    /// The width that its author gave it, mm; else it is as wide as the place where it is.
    pub width_mm: Option<f64>,
}

impl PaperOutput {
    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.drawn, DrawnItem::Table(_))
    }
}

impl DrawnItem {
    /// Its files in a paper's folder, by their paths there.
    pub fn files(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        match self {
            Self::Table(tex) => vec![(format!("tables/{name}.tex"), tex.clone().into_bytes())],
            Self::Figure(figure) => {
                let files = figure.files.iter();
                files.map(|(ending, content)| (format!("figures/{name}.{ending}"), content.clone())).collect()
            }
        }
    }
}
