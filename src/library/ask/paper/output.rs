//! The output of an item: a table or figure, and the values in it.

use super::lock::UsedValue;
use crate::model::References;
use crate::values::TableLayout;

/// The output of one item of a paper.
#[derive(Debug)]
pub struct PaperOutput {
    /// The table or figure itself.
    pub drawn: DrawnItem,
    /// Every value in it.
    pub used: Vec<UsedValue>,
    /// The references that it cites.
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

/// A figure as files in several formats, with its caption and placement.
#[derive(Debug)]
pub struct FigureFiles {
    /// The extension and content of each file.
    pub files: Vec<(String, Vec<u8>)>,
    /// The caption.
    pub caption: String,
    /// The label.
    pub label: String,
    /// Remarks below the figure.
    pub remarks: Vec<String>,
    /// The keys that it cites.
    pub cite: Vec<String>,
    /// Placement on the page.
    pub layout: TableLayout,
    /// The width in mm set by its author; `None` fills the width of its place.
    pub width_mm: Option<f64>,
}

impl PaperOutput {
    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        matches!(self.drawn, DrawnItem::Table(_))
    }
}

impl DrawnItem {
    /// The files for a paper's folder, by their paths there.
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
