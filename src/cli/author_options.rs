//! The options by which an author has a table otherwise than it comes; `query`, `compare` and `table` share them.

use clap::Args;

use super::choice::choice;
use super::output_options::FormatOption;
use dlbench::render::Format;
use dlbench::render::table::{AuthorStyle, UnitScale};

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

/// Where cells hold values of one kind, their multiple and their shade.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ValueOptions {
    /// Print values in this multiple of their unit
    #[arg(long, value_name = "MULTIPLE", value_parser = choice::<UnitScale>())]
    scale: Option<UnitScale>,
    /// Shade each value by how near it is to the best comparable one
    #[arg(long)]
    shade: bool,
}

/// The formats that have a ground to be shaded.
pub(super) const SHADED: &[Format] = &[Format::Html, Format::Latex, Format::Typst];

impl AuthorOptions {
    /// The options that were given, with the formats in which they have a meaning.
    pub fn given(&self) -> [FormatOption<'static>; 3] {
        [
            ("--digits", self.digits.is_some(), Format::FOR_PEOPLE),
            ("--order", !self.order.is_empty(), Format::WITH_COLUMNS),
            ("--label-of", !self.label_of.is_empty(), Format::WITH_COLUMNS),
        ]
    }

    /// What is wanted.
    pub fn style(&self) -> AuthorStyle {
        AuthorStyle {
            digits: self.digits,
            order: self.order.clone(),
            names: self.label_of.clone(),
            ..AuthorStyle::default()
        }
    }

    /// The same as words of a command line, to be asked for again.
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
    /// The options that were given, with the formats in which they have a meaning.
    pub fn given(&self) -> [FormatOption<'static>; 2] {
        [("--scale", self.scale.is_some(), Format::FOR_PEOPLE), ("--shade", self.shade, SHADED)]
    }

    /// The style with them.
    pub fn applied_to(&self, style: AuthorStyle) -> AuthorStyle {
        AuthorStyle { scale: self.scale, shaded: self.shade, ..style }
    }

    /// The same as words of a command line.
    pub fn as_asked(&self) -> String {
        let scale = self.scale.map(|scale| format!(" --scale {scale}")).unwrap_or_default();
        scale + if self.shade { " --shade" } else { "" }
    }
}

/// `tesla-v100=V100`.
fn own_name(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((value, name)) if !value.trim().is_empty() => Ok((value.trim().to_owned(), name.trim().to_owned())),
        _ => Err("expected a value and its name, such as tesla-v100=V100".to_owned()),
    }
}
