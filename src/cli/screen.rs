//! The terminal: width, colours, pager, today's date, and progress while stores are built.

use std::borrow::Cow;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{env, io, thread};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use dlbench::reading::{WriteError, create_folder, remove_left_behind_beside, write_atomically, write_atomically_with};
use dlbench::values::Date;
use dlbench::values::text::is_invisible;
use dlbench::{build_progress, default_cache};
use indicatif::{ProgressBar, ProgressStyle};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

use super::failure::Failure;

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumMessage, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Width assumed without a terminal.
const WIDTH_WITHOUT_TERMINAL: usize = 100;

/// The terminal, or the pipe or file in its place.
#[derive(Debug, Clone)]
pub(super) struct Screen {
    color: ColorChoice,
    width: usize,
    paged: bool,
}

impl Screen {
    pub fn new(when: ColorWhen, paged: bool) -> Self {
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
        Self { color, width: asked.or_else(terminal).unwrap_or(WIDTH_WITHOUT_TERMINAL).max(40), paged }
    }

    /// The width in columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Writes a result to stdout, through a pager when it is longer than the terminal. Styles are removed where they
    /// would not be displayed.
    pub fn print(&self, text: &str) -> io::Result<()> {
        if self.paged && io::stdout().is_terminal() {
            let height = terminal_size::terminal_size().map_or(usize::MAX, |(_, height)| usize::from(height.0));
            // The prompt needs a line.
            if text.lines().count() >= height {
                let plain = AutoStream::choice(&io::stdout()) == ColorChoice::Never && self.color == ColorChoice::Auto;
                let dull = plain || self.color == ColorChoice::Never;
                let text = harmless(text);
                let shown = if dull { strip_str(&text).to_string() } else { text.into_owned() };
                if show_in_pager(&shown)? {
                    return Ok(());
                }
            }
        }
        let mut stdout = AutoStream::new(io::stdout().lock(), self.color);
        // Colours forced in a pipe end up on a terminal: in a pager, or in the log of a workflow.
        let is_shown = io::stdout().is_terminal() || self.color == ColorChoice::Always;
        stdout.write_all(if is_shown { harmless(text) } else { Cow::Borrowed(text) }.as_bytes())?;
        stdout.flush()
    }

    /// Writes a result to a file without styles, completely or not at all; without a file, prints it.
    pub fn deliver(&self, text: &str, file: Option<&Path>) -> Result<(), Failure> {
        let Some(path) = file else { return Ok(self.print(text)?) };
        Ok(self.save(path, strip_str(text).to_string())?)
    }

    /// Writes a long result in pieces, as `write` produces it: to a file, completely or not at all, or to stdout. The
    /// text has no styles and, on a terminal, no control characters.
    pub fn stream(
        &self,
        file: Option<&Path>,
        write: impl FnOnce(&mut dyn io::Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Some(path) = file {
            remove_left_behind_beside(path);
            return write_atomically_with(path, write);
        }
        if io::stdout().is_terminal() {
            let mut text = Vec::new();
            write(&mut text)?;
            return Ok(self.print(&String::from_utf8_lossy(&text))?);
        }
        let mut stdout = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(&mut stdout)?;
        Ok(stdout.flush()?)
    }

    /// Writes a file, completely or not at all.
    pub fn save(&self, path: &Path, content: impl AsRef<[u8]>) -> Result<(), WriteError> {
        remove_left_behind_beside(path);
        write_atomically(path, content)
    }

    /// As [`Self::save`], into a folder that is created if necessary.
    pub fn save_in(&self, folder: &Path, name: &str, content: impl AsRef<[u8]>) -> Result<(), WriteError> {
        create_folder(folder)?;
        self.save(&folder.join(name), content)
    }

    /// Writes to stderr; if that fails, there is nowhere left to report it.
    pub fn tell(&self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{}", harmless(text));
    }

    /// Writes a question to stderr, without a line end.
    pub fn ask(&self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = write!(stderr, "{}", harmless(text)).and_then(|()| stderr.flush());
    }

    /// Writes a warning to stderr.
    pub fn warn(&self, text: &str) {
        let style = anstyle::AnsiColor::Yellow.on_default().bold();
        self.tell(&format!("{style}warning{style:#}: {text}"));
    }
}

/// Escapes whatever a terminal would obey except line ends, tabs, colours and weights: control characters in a name, a
/// file or an argument (for titles, the clipboard, the writing direction) become `\u{1b}` and the like.
fn harmless(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| is_invisible(c) && c != '\n') {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let style = style_length(rest);
        if style > 0 {
            safe.push_str(&rest[..style]);
            rest = &rest[style..];
            continue;
        }
        match c {
            '\n' | '\t' => safe.push(c),
            c if is_invisible(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(safe)
}

/// Length in bytes of a leading colour or weight (`ESC [ 1 ; 33 m`), 0 if there is none.
fn style_length(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix("\u{1b}[") else { return 0 };
    let length = parameters.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    // Concealed text (8) is invisible to a reader.
    let conceals = parameters[..length].split(';').any(|parameter| parameter == "8");
    if parameters[length..].starts_with('m') && !conceals { "\u{1b}[".len() + length + "m".len() } else { 0 }
}

/// Shows a text in the user's pager (DLBENCH_PAGER, else PAGER), else in `less`.
///
/// `false` when there is no pager or it did not start: the caller must print the text.
pub(super) fn show_in_pager(text: &str) -> io::Result<bool> {
    let chosen = ["DLBENCH_PAGER", "PAGER"].into_iter().find_map(env::var_os);
    shown_by(&chosen.map_or_else(|| "less".to_owned(), |line| line.to_string_lossy().trim().to_owned()), text)
}

fn shown_by(line: &str, text: &str) -> io::Result<bool> {
    if line.is_empty() || line == "cat" {
        return Ok(false);
    }
    let mut command = command(line);
    if env::var_os("LESS").is_none() {
        // Pass colours through; exit at once if the text fits on the screen, and leave it there.
        command.env("LESS", "FRX");
    }
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else {
        return Ok(false);
    };
    if let Some(mut stdin) = pager.stdin.take() {
        match stdin.write_all(text.as_bytes()) {
            // The user has closed the pager.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
            _ => {}
        }
    }
    /// Exit statuses of a shell for a command that it cannot find or run.
    const NOT_RUN: [i32; 2] = [126, 127];
    Ok(!pager.wait()?.code().is_some_and(|code| NOT_RUN.contains(&code)))
}

/// The pager is a shell command line, as for git.
#[cfg(unix)]
fn command(line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line);
    shell
}

#[cfg(not(unix))]
fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("more"));
    command.args(words);
    command
}

/// Today's date in UTC, so that a run or a citation has the same date everywhere; `None` if the clock is far off.
pub(super) fn today() -> Option<Date> {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string().parse().ok()
}

/// Builds shorter than this are not reported on a terminal.
const SOON: Duration = Duration::from_millis(500);

/// The same limit for a pipe or file, which often belongs to a program.
const LATER: Duration = Duration::from_secs(3);

/// Opens a knowledge base, and reports a slow build of its index on stderr.
pub(super) fn with_build_progress<T>(screen: &Screen, open: impl FnOnce() -> T) -> T {
    let (opening, ends) = channel::<()>();
    let screen = screen.clone();
    let teller = thread::spawn(move || report_build(&ends, &screen));
    let opened = open();
    drop(opening);
    // The thread only reports progress.
    let _ = teller.join();
    opened
}

fn report_build(ends: &Receiver<()>, screen: &Screen) {
    let is_terminal = std::io::stderr().is_terminal();
    // Reading before the build, as of the built-in knowledge base, may take as long: waits until the build starts.
    loop {
        match ends.recv_timeout(if is_terminal { SOON } else { LATER }) {
            Err(RecvTimeoutError::Timeout) if build_progress().is_some() => break,
            Err(RecvTimeoutError::Timeout) => {}
            _ => return,
        }
    }
    screen.tell("building the index, once after each change of the files");
    if !is_terminal {
        return;
    }
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    // Ends with the build, even if `open` goes on with a query.
    while ends.recv_timeout(Duration::from_millis(50)) == Err(RecvTimeoutError::Timeout)
        && let Some(progress) = build_progress()
    {
        let template = match progress.rows {
            0 => "{spinner} [{elapsed}] reading the files",
            _ => "{spinner} [{elapsed}] {bar:24} {human_pos} of {human_len} rows",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_length(progress.rows as u64);
        bar.set_position(progress.indexed as u64);
    }
    bar.finish_and_clear();
}

/// Reports once a day, on a terminal, which knowledge base is used if there is none here. Programs use `dlbench index --status`.
pub(super) fn report_fallback_kb(elsewhere: &str, screen: &Screen) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let note = format!("note: no knowledge base here or above; this is {elsewhere}");
    let path = default_cache().join("told");
    let told = format!("{} {note}", today().map(|day| day.to_string()).unwrap_or_default());
    if std::fs::read_to_string(&path).is_ok_and(|before| before == told) {
        return;
    }
    // If that cannot be recorded, the note is repeated next time.
    let _ = screen.save(&path, told);
    screen.tell(&note);
}

#[cfg(test)]
mod tests {
    use super::{harmless, *};

    #[test]
    fn a_terminal_obeys_colours_and_nothing_else() {
        assert_eq!(harmless("plain: 3x224x224 µs\n"), "plain: 3x224x224 µs\n");
        let styled = "\u{1b}[1;33mwarning\u{1b}[0m: a\n";
        assert_eq!(harmless(styled), styled);
        for (hostile, told) in [
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{1b}[8mhidden", "\\u{1b}[8mhidden"),
            ("a\rb", "a\\u{d}b"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{202e}desrever", "\\u{202e}desrever"),
        ] {
            assert_eq!(harmless(hostile), told);
        }
    }

    #[test]
    fn a_pager_is_a_command_line_that_reads_the_text() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("seen");
        let line = format!("sed s/^/seen:/ > '{}'", file.display());
        assert!(shown_by(&line, "a\nb\n").unwrap());
        assert_eq!(std::fs::read_to_string(file).unwrap(), "seen:a\nseen:b\n");
    }

    #[test]
    fn without_a_pager_that_works_the_text_has_to_be_printed() {
        for line in ["", "cat", "no-such-pager-anywhere --x"] {
            assert!(!shown_by(line, "a\n").unwrap(), "{line:?}");
        }
    }

    #[test]
    fn whoever_leaves_the_pager_early_has_read_enough() {
        assert!(shown_by("true", &"line\n".repeat(100_000)).unwrap());
    }
}
