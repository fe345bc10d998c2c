//! What a command adds to a paper.

use dlbench::ask::paper::UsedValue;
use dlbench::model::References;
use dlbench::render::table::Paper;

/// How a paper wants a table or figure.
#[derive(Debug, Clone)]
pub(super) struct ItemCaption {
    /// The label by which the text refers to it.
    pub label: String,
    /// The caption that the specification gives.
    pub caption: Option<String>,
}

/// A table or figure of a paper.
#[derive(Debug)]
pub(super) struct PaperOutput {
    /// The table or figure itself.
    pub drawn: DrawnItem,
    /// Every value that stands in it.
    pub used: Vec<UsedValue>,
    /// What it cites.
    pub references: References,
}

/// A table or figure.
#[derive(Debug)]
pub(super) enum DrawnItem {
    /// A table, in LaTeX.
    Table(String),
    /// A figure in files of several formats.
    Figure(FigureFiles),
}

/// A figure in files of several formats, and what stands around it.
#[derive(Debug)]
pub(super) struct FigureFiles {
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
}

impl ItemCaption {
    /// What stands around a table; a label of the command's own comes first.
    pub fn paper(&self, about: Vec<String>, label: Option<String>, references: &References) -> Paper {
        Paper {
            about,
            label: Some(label.unwrap_or_else(|| self.label.clone())),
            cite: references.keys(),
            ..Paper::default()
        }
    }
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
            Self::Figure(pictured) => {
                let files = pictured.files.iter();
                files.map(|(ending, content)| (format!("figures/{name}.{ending}"), content.clone())).collect()
            }
        }
    }
}
