//! How the commands that make tables write them: in which format, where to, and what a paper says around them.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::bibliography;
use super::choice::choice;
use super::failure::Failure;
use super::page_options::PageOptions;
use super::screen::Screen;
use dlbench::OpenError;
use dlbench::ask::paper::PaperOutput;
use dlbench::model::References;
use dlbench::render::Format;
use dlbench::render::table::Paper;
use dlbench::values::text::or_list;

/// What an item adds to a paper; nothing where nothing is found.
pub(super) type ForPaper = Result<Option<PaperOutput>, Failure>;

/// The options that `query`, `compare` and `table` share.
#[derive(Debug, Clone, Args)]
pub(super) struct OutputOptions {
    /// Output format
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    pub format: Format,
    /// Write to this file, completely or not at all
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Caption of the table, for Markdown, HTML and LaTeX
    #[arg(long, value_name = "TEXT")]
    pub caption: Option<String>,
    /// Write a whole document, for HTML and LaTeX
    #[arg(long)]
    pub standalone: bool,
    /// Add the cited sources to this BibTeX file; existing entries stay
    #[arg(long, value_name = "FILE")]
    pub bib: Option<PathBuf>,
    #[command(flatten)]
    pub pages: PageOptions,
}

/// The option that asks for the published schema of a command's JSON.
#[derive(Debug, Clone, Args)]
pub(super) struct SchemaOption {
    /// Print the JSON Schema of `-f json` and stop
    #[arg(long, conflicts_with_all = ["question", "format"])]
    schema: bool,
}

impl SchemaOption {
    /// Prints the schema where it was asked for; whether it was.
    pub fn answered(&self, schema: &str, writing: &OutputOptions, screen: &Screen) -> Result<bool, Failure> {
        if self.schema {
            screen.deliver(schema, writing.output.as_deref())?;
        }
        Ok(self.schema)
    }
}

/// An option of a command: its name, whether it was given, and the formats in which it has a meaning.
pub(super) type FormatOption<'o> = (&'o str, bool, &'o [Format]);

impl OutputOptions {
    /// An option that would be passed over in silence is a mistake; `more` are the command's own options.
    pub fn refuse_what_the_format_lacks(&self, more: &[FormatOption<'_>]) -> Result<(), Failure> {
        use Format::{Html, Latex, Markdown, Typst};
        self.pages.check()?;
        let shared: [FormatOption<'_>; 2] = [
            ("--caption", self.caption.is_some(), &[Markdown, Html, Latex, Typst]),
            ("--standalone", self.standalone, &[Html, Latex]),
        ];
        let of_pages = self.pages.given().map(|(option, given)| -> FormatOption<'_> { (option, given, &[Latex]) });
        for (option, given, formats) in more.iter().chain(&shared).chain(&of_pages) {
            if *given && !formats.contains(&self.format) {
                let names: Vec<String> = formats.iter().map(|format| format!("-f {}", format)).collect();
                return Err(Failure::usage(
                    format!("{option} has no meaning with -f {}", self.format),
                    format!("it goes with {}", or_list(&names)),
                ));
            }
        }
        Ok(())
    }

    /// What the table cites, found out only where somebody wants to know.
    pub fn references(&self, cited: impl FnOnce() -> Result<References, OpenError>) -> Result<References, Failure> {
        Ok(if self.bib.is_some() { cited()? } else { References::default() })
    }

    /// What stands around a LaTeX table, and the pages that it is set for.
    pub fn paper(&self, about: Vec<String>, references: &References) -> Paper {
        let stem = self.bib.as_deref().and_then(Path::file_stem);
        self.pages.applied_to(Paper {
            about,
            standalone: self.standalone,
            cite: references.keys(),
            bibliography: stem.map(|stem| stem.to_string_lossy().into_owned()),
            ..Paper::default()
        })
    }

    /// Writes the result where it was wanted, and before it the bibliography, if one was.
    pub fn deliver(&self, text: &str, references: &References, screen: &Screen) -> Result<(), Failure> {
        if let Some(file) = &self.bib {
            bibliography::add_to(file, references, screen)?;
        }
        screen.deliver(text, self.output.as_deref())
    }

    /// The same of a long result, piece by piece as `write` writes it.
    pub fn stream(
        &self,
        references: &References,
        screen: &Screen,
        write: impl FnOnce(&mut dyn io::Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Some(file) = &self.bib {
            bibliography::add_to(file, references, screen)?;
        }
        screen.stream(self.output.as_deref(), write)
    }

    /// In a paper, the paper says how and where everything is written.
    pub fn refuse_in_a_paper(&self) -> Result<(), Failure> {
        let given = [
            ("--format", self.format != Format::Table),
            ("--output", self.output.is_some()),
            ("--standalone", self.standalone),
            ("--bib", self.bib.is_some()),
        ];
        self.pages.check()?;
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Failure::usage(
                format!("{option} has no place in a command of a paper"),
                "`dlbench paper` writes every table in LaTeX, with one bibliography for all",
            )),
            None => Ok(()),
        }
    }
}
