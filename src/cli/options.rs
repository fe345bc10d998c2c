//! Options shared by several commands: formats and files of results, pages, authors' options, choices and aspects.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fs, io};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dlbench::OpenError;
use dlbench::ask::paper::PaperOutput;
use dlbench::model::{Aspect, References};
use dlbench::render::Format;
use dlbench::render::bibtex::{bibtex, merged};
use dlbench::render::table::{AuthorStyle, Paper, UnitScale, is_of_latex_label};
use dlbench::values::text::{and_list, or_list, printable_path};
use dlbench::values::{DocumentClass, TableLayout};
use strum::{EnumMessage, VariantArray};

use super::failure::Failure;
use super::screen::Screen;

/// The output of an item for a paper; `None` where nothing is found.
pub(super) type ForPaper = Result<Option<PaperOutput>, Failure>;

/// The options that `query`, `compare` and `table` share.
#[derive(Debug, Clone, Args)]
pub(super) struct OutputOptions {
    /// Output format
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    pub format: Format,
    /// Write to this file, atomically
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Table caption, for Markdown, HTML and LaTeX
    #[arg(long, value_name = "TEXT")]
    pub caption: Option<String>,
    /// Write a complete document, for HTML and LaTeX
    #[arg(long)]
    pub standalone: bool,
    /// Add the cited sources to this BibTeX file; existing entries are preserved
    #[arg(long, value_name = "FILE")]
    pub bib: Option<PathBuf>,
    #[command(flatten)]
    pub pages: PageOptions,
}

/// The option that prints the published schema of a command's JSON.
#[derive(Debug, Clone, Args)]
pub(super) struct SchemaOption {
    /// Print the JSON Schema of `-f json` and exit
    #[arg(long, conflicts_with_all = ["question", "format"])]
    schema: bool,
}

impl SchemaOption {
    /// Prints the schema if it was requested; returns whether it was.
    pub fn answered(&self, schema: &str, writing: &OutputOptions, screen: &Screen) -> Result<bool, Failure> {
        if self.schema {
            screen.deliver(schema, writing.output.as_deref())?;
        }
        Ok(self.schema)
    }
}

/// An option of a command: its name, whether it was given, and the formats to which it applies.
pub(super) type FormatOption<'o> = (&'o str, bool, &'o [Format]);

impl OutputOptions {
    /// Rejects options that the format would silently ignore; `more` are the command's own options.
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

    /// The references of the table, computed only if a bibliography was requested.
    pub fn references(&self, cited: impl FnOnce() -> Result<References, OpenError>) -> Result<References, Failure> {
        Ok(if self.bib.is_some() { cited()? } else { References::default() })
    }

    /// The settings around a LaTeX table, and the pages that it is set for.
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

    /// Writes the bibliography, if requested, then the result to its destination.
    pub fn deliver(&self, text: &str, references: &References, screen: &Screen) -> Result<(), Failure> {
        if let Some(file) = &self.bib {
            add_to(file, references, screen)?;
        }
        screen.deliver(text, self.output.as_deref())
    }

    /// As [`Self::deliver`], for a long result in pieces, as `write` produces it.
    pub fn stream(
        &self,
        references: &References,
        screen: &Screen,
        write: impl FnOnce(&mut dyn io::Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Some(file) = &self.bib {
            add_to(file, references, screen)?;
        }
        screen.stream(self.output.as_deref(), write)
    }

    /// Rejects options about format and files: in a paper, the paper determines them.
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

/// The units of length, in TeX points.
const UNITS: &[(&str, f64)] = &[("pt", 1.0), ("in", 72.27), ("cm", 72.27 / 2.54), ("mm", 7.227 / 2.54), ("pc", 12.0)];

/// The options for the page on which a table is set.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct PageOptions {
    /// Table placement, for LaTeX [default: what fits]
    #[arg(long, value_parser = choice::<TableLayout>(), value_name = "WHERE")]
    pub layout: Option<TableLayout>,
    /// Fit the table to this document class, for LaTeX [default: article]
    #[arg(long, value_parser = choice::<DocumentClass>(), value_name = "CLASS")]
    pub class: Option<DocumentClass>,
    /// Fit the table to this text width, such as 84mm, for LaTeX [default: the width of the class]
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    pub text_width: Option<f64>,
    /// Write only the tabular, for LaTeX; caption and notes become comments
    #[arg(long, conflicts_with = "standalone")]
    pub bare: bool,
    /// Pass the caption to LaTeX unescaped
    #[arg(long)]
    pub raw_caption: bool,
    /// Table label, for LaTeX
    #[arg(long, value_name = "LABEL")]
    pub label: Option<String>,
}

impl PageOptions {
    /// The options by name, with whether each was given.
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

    /// Rejects a label that LaTeX would not accept: it is written unchanged.
    pub fn check(&self) -> Result<(), Failure> {
        match self.label.iter().flat_map(|label| label.chars()).find(|c| !is_of_latex_label(*c)) {
            Some(c) => Err(Failure::usage(
                format!("a label cannot have {c:?} in it"),
                "letters, digits and signs such as : - _ . / + go into \\label",
            )),
            None => Ok(()),
        }
    }

    /// Applies the given options to the page settings of a table; other settings are unchanged.
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

/// Parses a length into TeX points.
fn length(text: &str) -> Result<f64, String> {
    /// The accepted range of text widths.
    const POSSIBLE: std::ops::RangeInclusive<f64> = 50.0..=5000.0;
    let read = UNITS.iter().find_map(|(unit, points)| {
        let number: f64 = text.trim().strip_suffix(unit)?.trim().parse().ok()?;
        Some(number * points).filter(|points| POSSIBLE.contains(points))
    });
    read.ok_or_else(|| "expected a length such as 84mm, 3.5in, 252pt, 8.4cm or 21pc".to_owned())
}

/// Digits, order and names.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct AuthorOptions {
    /// Round values to this many significant digits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=15))]
    digits: Option<u8>,
    /// Put these rows and columns first, in this order
    #[arg(long, value_name = "VALUE,…", value_delimiter = ',')]
    order: Vec<String>,
    /// Rename a row or column
    #[arg(long, value_name = "VALUE=NAME", value_parser = own_name)]
    label_of: Vec<(String, String)>,
}

/// Multiple and shade of values, for tables with one kind of value.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ValueOptions {
    /// Print values in this multiple of their unit
    #[arg(long, value_name = "MULTIPLE", value_parser = choice::<UnitScale>())]
    scale: Option<UnitScale>,
    /// Shade each value by how close it is to the best comparable one
    #[arg(long)]
    shade: bool,
}

/// The formats with cell backgrounds.
pub(super) const SHADED: &[Format] = &[Format::Html, Format::Latex, Format::Typst];

impl AuthorOptions {
    /// The options by name, with whether each was given and the formats to which it applies.
    pub fn given(&self) -> [FormatOption<'static>; 3] {
        [
            ("--digits", self.digits.is_some(), Format::FOR_PEOPLE),
            ("--order", !self.order.is_empty(), Format::WITH_COLUMNS),
            ("--label-of", !self.label_of.is_empty(), Format::WITH_COLUMNS),
        ]
    }

    /// The style from the options.
    pub fn style(&self) -> AuthorStyle {
        AuthorStyle {
            digits: self.digits,
            order: self.order.clone(),
            names: self.label_of.clone(),
            ..AuthorStyle::default()
        }
    }

    /// The options as command-line text, to repeat the request.
    pub fn as_asked(&self) -> String {
        let mut text = String::new();
        if let Some(digits) = self.digits {
            text.push_str(&format!(" --digits {digits}"));
        }
        if !self.order.is_empty() {
            text.push_str(&format!(" --order {}", self.order.join(",")));
        }
        text.extend(self.label_of.iter().map(|(value, name)| format!(" --label-of \"{value}={name}\"")));
        text
    }
}

impl ValueOptions {
    /// The options by name, with whether each was given and the formats to which it applies.
    pub fn given(&self) -> [FormatOption<'static>; 2] {
        [("--scale", self.scale.is_some(), Format::FOR_PEOPLE), ("--shade", self.shade, SHADED)]
    }

    /// Applies the options to a style.
    pub fn applied_to(&self, style: AuthorStyle) -> AuthorStyle {
        AuthorStyle { scale: self.scale, shaded: self.shade, ..style }
    }

    /// The options as command-line text.
    pub fn as_asked(&self) -> String {
        let scale = self.scale.map(|scale| format!(" --scale {scale}")).unwrap_or_default();
        scale + if self.shade { " --shade" } else { "" }
    }
}

/// Parses `tesla-v100=V100`.
fn own_name(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((value, name)) if !value.trim().is_empty() => Ok((value.trim().to_owned(), name.trim().to_owned())),
        _ => Err("expected a value and its name, such as tesla-v100=V100".to_owned()),
    }
}

/// The parser of an option that accepts any value of an enum. The first paragraph of a value's documentation is its help.
pub(super) fn choice<E>() -> impl TypedValueParser<Value = E>
where
    E: VariantArray + EnumMessage + Into<&'static str> + Copy + Send + Sync + 'static,
{
    let values = E::VARIANTS.iter().map(|&value| {
        let possible = PossibleValue::new(value.into());
        let help = value.get_documentation().and_then(|help| help.split("\n\n").next());
        let possible = match help {
            Some(help) => possible.help(help.trim_end_matches('.').to_owned()),
            None => possible,
        };
        (possible, value)
    });
    one_of(values.collect())
}

/// The parser of an option that accepts some values of an enum.
pub(super) fn choice_among<E>(values: &[E]) -> impl TypedValueParser<Value = E> + use<E>
where
    E: Into<&'static str> + Copy + Send + Sync + 'static,
{
    one_of(values.iter().map(|&value| (PossibleValue::new(value.into()), value)).collect())
}

/// The parser of an option that accepts these values, each by its own word.
pub(super) fn one_of<V: Clone + Send + Sync + 'static>(
    values: Vec<(PossibleValue, V)>,
) -> impl TypedValueParser<Value = V> + use<V> {
    let words: Vec<PossibleValue> = values.iter().map(|(word, _)| word.clone()).collect();
    PossibleValuesParser::new(words).try_map(move |given| {
        let value = values.iter().find(|(word, _)| word.matches(&given, false)).map(|(_, value)| value.clone());
        value.ok_or("not one of the possible values")
    })
}

/// The parser of a word from a closed vocabulary; its error lists all words.
pub(super) fn word<T>() -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync> + VariantArray + Copy + Into<&'static str> + Send + Sync + 'static,
{
    PossibleValuesParser::new(T::VARIANTS.iter().map(|word| -> &'static str { (*word).into() }))
        .try_map(|word| word.parse::<T>())
}

/// The aspect with this name.
pub(super) fn aspect(name: &str) -> Result<Aspect, Failure> {
    Aspect::called(name).map_err(|unknown| Failure::usage(unknown.to_string(), unknown.help))
}

/// Several aspects, without repetitions.
pub(super) fn aspects(names: &[String]) -> Result<Vec<Aspect>, Failure> {
    let mut seen = Vec::new();
    for name in names {
        let aspect = aspect(name)?;
        if !seen.contains(&aspect) {
            seen.push(aspect);
        }
    }
    Ok(seen)
}

/// Adds missing entries to a file and leaves existing ones unchanged. Creates the file if it does not exist.
///
/// # Errors
///
/// When the file is not a bibliography, which is then left unchanged, or cannot be read or written.
pub(super) fn add_to(file: &Path, references: &References, screen: &Screen) -> Result<(), Failure> {
    let existing = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return screen.deliver(&bibtex(references), Some(file));
        }
        Err(error) => {
            return Err(Failure::usage(
                format!("cannot add to {}: {error}", printable_path(file)),
                "nothing was written; name another file",
            ));
        }
    };
    let merged = merged(&existing, references).map_err(|error| {
        Failure::usage(
            format!("cannot add to {}, which is not a bibliography of BibTeX: {error}", printable_path(file)),
            "nothing was written; mend it or name another file",
        )
    })?;
    if !merged.differing.is_empty() {
        screen.tell(&format!(
            "note: left unchanged in {}, although it would be written differently now: {}",
            printable_path(file),
            and_list(&merged.differing)
        ));
    }
    if merged.text == existing { Ok(()) } else { Ok(screen.save(file, merged.text)?) }
}
