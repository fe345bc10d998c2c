//! The pages that tables and figures are set on: the classes of journals and conferences, and where on a page they stand.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

/// A class of documents. The kebab-case name is the word on the command line.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    Display,
    EnumMessage,
    EnumString,
    IntoStaticStr,
    VariantArray,
    serde::Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum DocumentClass {
    /// LaTeX's own article: one column of 345 pt
    #[default]
    Article,
    /// IEEEtran, journals and conferences: two columns of 252 pt
    Ieee,
    /// acmart, sigconf: two columns of 241 pt
    Acm,
    /// Springer's LNCS: one column of 122 mm
    Llncs,
    /// NeurIPS: one column of 5.5 in
    Neurips,
}

/// The room on the pages of a class, in points of TeX.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageRoom {
    /// A column.
    pub column: f64,
    /// All columns and what is between them.
    pub page: f64,
    /// The height of the text.
    pub height: f64,
    /// The sizes of `\normalsize`, `\small`, `\footnotesize` and `\scriptsize`.
    pub sizes: [f64; 4],
}

/// Where a table or figure stands.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray, serde::Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum TableLayout {
    /// In a column
    Column,
    /// Over the whole width of the page
    Page,
    /// Turned by a quarter, on a page of its own
    Turned,
}

impl DocumentClass {
    /// The room that its documentation and its own files give.
    pub fn room(self) -> PageRoom {
        /// Sizes of a document in 10 points.
        const TEN: [f64; 4] = [10.0, 9.0, 8.0, 7.0];
        let (column, page, height, sizes) = match self {
            // size10.clo on letter paper.
            Self::Article => (345.0, 345.0, 550.0, TEN),
            // IEEEtran.cls, 10pt: columns of 21 pc, 1 pc apart.
            Self::Ieee => (252.0, 516.0, 672.0, TEN),
            // acmart.cls, sigconf: 9 pt.
            Self::Acm => (241.0, 506.0, 626.0, [9.0, 8.0, 7.0, 6.0]),
            // llncs.cls: 12.2 cm by 19.3 cm; footnotes are set as \small.
            Self::Llncs => (347.0, 347.0, 549.0, [10.0, 9.0, 9.0, 7.0]),
            // neurips.sty: 5.5 in by 9 in.
            Self::Neurips => (397.0, 397.0, 650.0, TEN),
        };
        PageRoom { column, page, height, sizes }
    }

    /// The lines with which a document of the class begins.
    pub fn preamble(self) -> &'static str {
        match self {
            Self::Article => "\\documentclass{article}\n",
            Self::Ieee => "\\documentclass[conference]{IEEEtran}\n",
            Self::Acm => "\\documentclass[sigconf,nonacm]{acmart}\n",
            Self::Llncs => "\\documentclass{llncs}\n",
            // neurips.sty loads natbib, without which plainnat prints no numbers.
            Self::Neurips => {
                "\\documentclass{article}\n\\usepackage[textwidth=5.5in,textheight=9in]{geometry}\n\\usepackage[numbers]{natbib}\n"
            }
        }
    }

    /// What its documents cannot do without behind `\begin{document}`.
    pub fn opening(self) -> &'static str {
        match self {
            Self::Acm => {
                "\\title{Tables}\n\\author{An Author}\n\\affiliation{\\institution{An Institution}\\city{A City}\\country{A \
                 Country}}\n\\maketitle\n"
            }
            Self::Article | Self::Ieee | Self::Llncs | Self::Neurips => "",
        }
    }

    /// The style of its bibliography.
    pub fn bibliography_style(self) -> &'static str {
        match self {
            Self::Article => "plain",
            Self::Ieee => "IEEEtran",
            Self::Acm => "ACM-Reference-Format",
            Self::Llncs => "splncs04",
            Self::Neurips => "plainnat",
        }
    }
}

impl PageRoom {
    /// The same where a column and the page have another width.
    pub fn of_width(self, width: f64) -> Self {
        Self { column: width, page: width, ..self }
    }

    /// How wide a table or figure may be that stands there, in points of TeX; what is turned is as wide as the page is high.
    pub fn breadth(&self, layout: TableLayout) -> f64 {
        match layout {
            TableLayout::Column => self.column,
            TableLayout::Page => self.page,
            TableLayout::Turned => self.height,
        }
    }

    /// Whether a page has several columns.
    pub fn has_columns(&self) -> bool {
        self.column < self.page
    }
}
