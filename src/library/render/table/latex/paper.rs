//! What a paper says around a table, and the pages that the table stands on.

use super::escaping::label_name;
use crate::values::{DocumentClass, PageRoom, TableLayout};

/// What a paper says around a table, and on which pages it stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Paper {
    /// What stands in comments at the top: where the table is from.
    pub about: Vec<String>,
    /// What the table comes to, a sentence each: paragraphs before it in a document of its own, else comments.
    pub lead: Vec<String>,
    /// The label, after the caption.
    pub label: Option<String>,
    /// Whether the table comes as a whole document.
    pub standalone: bool,
    /// Whether the tabular comes alone: what stands around it is in comments.
    pub bare: bool,
    /// The sources in words, by the keys that the table cites.
    pub sources: Vec<(String, String)>,
    /// Whether the caption is LaTeX already.
    pub raw_caption: bool,
    /// The keys of all that the table cites.
    pub cite: Vec<String>,
    /// The name of the file that holds their entries, without its ending; a document of its own reads it.
    pub bibliography: Option<String>,
    /// The class of the document.
    pub class: DocumentClass,
    /// The width of its text in points, where it is not that of the class.
    pub width: Option<f64>,
    /// Where on a page the table stands; nothing is where it fits.
    pub layout: Option<TableLayout>,
}

impl Paper {
    /// The room on its pages.
    pub(super) fn room(&self) -> PageRoom {
        let room = self.class.room();
        self.width.map_or(room, |width| room.of_width(width))
    }

    /// The keys that are cited: those of a bibliography, else those of the sources.
    pub(super) fn keys(&self) -> Vec<String> {
        let of_sources = self.sources.iter().map(|(key, _)| key).filter(|_| self.cite.is_empty());
        self.cite.iter().chain(of_sources).map(|key| label_name(key)).collect()
    }
}
