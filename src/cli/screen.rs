//! Where output goes: its width, its colours, and what to do when nobody listens any more.

use std::io::{self, IsTerminal as _, Write as _};

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Columns assumed where there is no terminal to ask.
const WIDTH_WITHOUT_TERMINAL: usize = 100;

/// The terminal, or what stands in its place.
#[derive(Debug)]
pub(super) struct Screen {
    color: ColorChoice,
    width: usize,
}

impl Screen {
    pub fn new(when: ColorWhen) -> Self {
        let color = match when {
            ColorWhen::Auto => ColorChoice::Auto,
            ColorWhen::Always => ColorChoice::Always,
            ColorWhen::Never => ColorChoice::Never,
        };
        let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal = || {
            let width = terminal_size::terminal_size()?.0.0;
            io::stdout().is_terminal().then_some(usize::from(width))
        };
        Self { color, width: asked.or_else(terminal).unwrap_or(WIDTH_WITHOUT_TERMINAL).max(40) }
    }

    /// Columns to fill.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Writes a result to stdout. Styles in it are dropped where they would not be seen.
    pub fn print(&self, text: &str) -> io::Result<()> {
        let mut stdout = AutoStream::new(io::stdout().lock(), self.color);
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Writes to stderr; if that fails, there is nobody left to tell.
    pub fn tell(&self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{text}");
    }

    /// Writes a warning to stderr.
    pub fn warn(&self, text: &str) {
        let style = anstyle::AnsiColor::Yellow.on_default().bold();
        self.tell(&format!("{style}warning{style:#}: {text}"));
    }
}
