//! The pages that a LaTeX table is set for.

use clap::Args;

use super::choice::choice;
use super::failure::Failure;
use dlbench::render::table::{Paper, is_of_latex_label};
use dlbench::values::{DocumentClass, TableLayout};

/// Points of TeX in the units of a length.
const UNITS: &[(&str, f64)] = &[("pt", 1.0), ("in", 72.27), ("cm", 72.27 / 2.54), ("mm", 7.227 / 2.54), ("pc", 12.0)];

/// The options that say for which pages a table is set.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct PageOptions {
    /// Place of the table on the page, for LaTeX [default: where it fits]
    #[arg(long, value_parser = choice::<TableLayout>(), value_name = "WHERE")]
    pub layout: Option<TableLayout>,
    /// Fit the table to this document class, for LaTeX [default: article]
    #[arg(long, value_parser = choice::<DocumentClass>(), value_name = "CLASS")]
    pub class: Option<DocumentClass>,
    /// Fit the table to this text width, such as 84mm, for LaTeX [default: that of the class]
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    pub text_width: Option<f64>,
    /// Write the tabular only, for LaTeX; caption and notes become comments
    #[arg(long, conflicts_with = "standalone")]
    pub bare: bool,
    /// Pass the caption to LaTeX unescaped
    #[arg(long)]
    pub raw_caption: bool,
    /// Label of the table, for LaTeX
    #[arg(long, value_name = "LABEL")]
    pub label: Option<String>,
}

impl PageOptions {
    /// The options that were given, by their names.
    pub fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--layout", self.layout.is_some()),
            ("--class", self.class.is_some()),
            ("--text-width", self.text_width.is_some()),
            ("--bare", self.bare),
            ("--raw-caption", self.raw_caption),
            ("--label", self.label.is_some()),
        ]
    }

    /// A label that LaTeX would not take is a mistake: it is kept as it is given.
    pub fn check(&self) -> Result<(), Failure> {
        match self.label.iter().flat_map(|label| label.chars()).find(|c| !is_of_latex_label(*c)) {
            Some(c) => Err(Failure::usage(
                format!("a label cannot have {c:?} in it"),
                "letters, digits and signs such as : - _ . / + go into \\label",
            )),
            None => Ok(()),
        }
    }

    /// The same pages for a table; what is not said here stays as it is.
    pub fn applied_to(&self, paper: Paper) -> Paper {
        Paper {
            layout: self.layout.or(paper.layout),
            class: self.class.unwrap_or(paper.class),
            width: self.text_width.or(paper.width),
            bare: self.bare,
            raw_caption: self.raw_caption,
            label: self.label.clone().or(paper.label),
            ..paper
        }
    }
}

/// A length in points of TeX.
fn length(text: &str) -> Result<f64, String> {
    /// No text is narrower or wider.
    const POSSIBLE: std::ops::RangeInclusive<f64> = 50.0..=5000.0;
    let read = UNITS.iter().find_map(|(unit, points)| {
        let number: f64 = text.trim().strip_suffix(unit)?.trim().parse().ok()?;
        Some(number * points).filter(|points| POSSIBLE.contains(points))
    });
    read.ok_or_else(|| "expected a length such as 84mm, 3.5in, 252pt, 8.4cm or 21pc".to_owned())
}
