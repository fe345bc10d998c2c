//! Page layouts for tables and figures: the document classes of journals and conferences, and placement on a page.

use strum::{Display, EnumMessage, EnumString, IntoStaticStr, VariantArray};

/// A document class. The kebab-case name is the value on the command line.
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
    /// The LaTeX class article: one column of 345 pt
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

/// The text dimensions of a document class, in TeX points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageRoom {
    /// Width of a column.
    pub column: f64,
    /// Width of all columns and the space between them.
    pub page: f64,
    /// The height of the text.
    pub height: f64,
    /// The sizes of `\normalsize`, `\small`, `\footnotesize` and `\scriptsize`.
    pub sizes: [f64; 4],
}

/// Placement of a table or figure.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Display, EnumMessage, EnumString, IntoStaticStr, VariantArray, serde::Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum TableLayout {
    /// In a column
    Column,
    /// Across the whole page width
    Page,
    /// Rotated by 90 degrees, on its own page
    Turned,
}

impl DocumentClass {
    /// The dimensions from the class's documentation and files.
    pub fn room(self) -> PageRoom {
        /// Font sizes of a 10 pt document.
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

    /// The first lines of a document of the class.
    pub fn preamble(self) -> &'static str {
        match self {
            Self::Article => "\\documentclass{article}\n",
            Self::Ieee => "\\documentclass[conference]{IEEEtran}\n",
            Self::Acm => "\\documentclass[sigconf,nonacm]{acmart}\n",
            Self::Llncs => "\\documentclass{llncs}\n",
            // neurips.sty loads natbib; plainnat prints numbers only with natbib's `numbers` option.
            Self::Neurips => {
                "\\documentclass{article}\n\\usepackage[textwidth=5.5in,textheight=9in]{geometry}\n\\usepackage[numbers]{natbib}\n"
            }
        }
    }

    /// Required content after `\begin{document}`.
    pub fn opening(self) -> &'static str {
        match self {
            Self::Acm => {
                "\\title{Tables}\n\\author{An Author}\n\\affiliation{\\institution{An Institution}\\city{A City}\\country{A \
                 Country}}\n\\maketitle\n"
            }
            Self::Article | Self::Ieee | Self::Llncs | Self::Neurips => "",
        }
    }

    /// The bibliography style.
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
    /// The same dimensions with another width of column and page.
    pub fn of_width(self, width: f64) -> Self {
        Self { column: width, page: width, ..self }
    }

    /// The maximum width of a table or figure in this placement, in TeX points; for a turned one, the height of the page.
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
