//! The terminal: its width and colours, the pager, the clock, and what is shown while stores are built.

use std::borrow::Cow;
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use std::{env, io, thread};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use dlbench::reading::{WriteError, create_folder, remove_left_behind_beside, write_whole, write_whole_with};
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

/// Columns assumed where there is no terminal to ask.
const WIDTH_WITHOUT_TERMINAL: usize = 100;

/// The terminal, or what is in its place.
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

    /// Columns to fill.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Writes a result to stdout, through a pager when it is longer than the terminal. Styles in it are dropped where they
    /// would not be seen.
    pub fn print(&self, text: &str) -> io::Result<()> {
        if self.paged && io::stdout().is_terminal() {
            let height = terminal_size::terminal_size().map_or(usize::MAX, |(_, height)| usize::from(height.0));
            // The prompt needs a line, too.
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
        // Whoever asks for colours in a pipe passes them on to a terminal: a pager, the log of a workflow.
        let is_shown = io::stdout().is_terminal() || self.color == ColorChoice::Always;
        stdout.write_all(if is_shown { harmless(text) } else { Cow::Borrowed(text) }.as_bytes())?;
        stdout.flush()
    }

    /// Writes a result to a file, without styles, whole or not at all; without a file, prints it.
    pub fn deliver(&self, text: &str, file: Option<&Path>) -> Result<(), Failure> {
        let Some(path) = file else { return Ok(self.print(text)?) };
        Ok(self.save(path, strip_str(text).to_string())?)
    }

    /// Writes a long result to a file, whole or not at all, or to whoever reads it, piece by piece as `write` writes it: text
    /// without styles, of which no terminal obeys anything.
    pub fn stream(
        &self,
        file: Option<&Path>,
        write: impl FnOnce(&mut dyn io::Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Some(path) = file {
            remove_left_behind_beside(path);
            return write_whole_with(path, write);
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

    /// Writes a file, whole or not at all.
    pub fn save(&self, path: &Path, content: impl AsRef<[u8]>) -> Result<(), WriteError> {
        remove_left_behind_beside(path);
        write_whole(path, content)
    }

    /// The same in a folder, which is made when it is not there.
    pub fn save_in(&self, folder: &Path, name: &str, content: impl AsRef<[u8]>) -> Result<(), WriteError> {
        create_folder(folder)?;
        self.save(&folder.join(name), content)
    }

    /// Writes to stderr; if that fails, there is nobody left to tell.
    pub fn tell(&self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{}", harmless(text));
    }

    /// Writes a question to stderr, with the cursor behind it.
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

/// Text of which a terminal obeys nothing but line ends, tabs, colours and weights. Whatever else came along in a name, a file
/// or an argument (titles, clipboards, the direction of writing) is shown as `\u{1b}` and the like.
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

/// The bytes of the colour or weight that a text begins with (`ESC [ 1 ; 33 m`), 0 where it begins with none.
fn style_length(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix("\u{1b}[") else { return 0 };
    let length = parameters.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    // What is concealed (8) is not there for a reader.
    let conceals = parameters[..length].split(';').any(|parameter| parameter == "8");
    if parameters[length..].starts_with('m') && !conceals { "\u{1b}[".len() + length + "m".len() } else { 0 }
}

/// Shows a text in the pager that the user chose (DLBENCH_PAGER, else PAGER), else in `less`.
///
/// `false` when there is none, or it could not be started: the text has to be printed then.
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
        // Colours pass; a screenful ends at once and stays.
        command.env("LESS", "FRX");
    }
    let Ok(mut pager) = command.stdin(Stdio::piped()).spawn() else {
        return Ok(false);
    };
    if let Some(mut stdin) = pager.stdin.take() {
        match stdin.write_all(text.as_bytes()) {
            // Whoever left the pager has read enough.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
            _ => {}
        }
    }
    /// What a shell says of a command that it cannot find or run.
    const NOT_RUN: [i32; 2] = [126, 127];
    Ok(!pager.wait()?.code().is_some_and(|code| NOT_RUN.contains(&code)))
}

/// A pager is a command line, as git takes it.
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

/// Today in UTC, so that a run or a citation has the same date wherever it is read; `None` with a clock far off.
pub(super) fn today() -> Option<Date> {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string().parse().ok()
}

/// Shorter builds are not reported: on a terminal …
const SOON: Duration = Duration::from_millis(500);

/// … and in a pipe or file, which often belongs to a program.
const LATER: Duration = Duration::from_secs(3);

/// Opens a knowledge base, and reports a slow build of its index on stderr.
pub(super) fn told_while_building<T>(screen: &Screen, open: impl FnOnce() -> T) -> T {
    let (opening, ends) = channel::<()>();
    let screen = screen.clone();
    let teller = thread::spawn(move || tell(&ends, &screen));
    let opened = open();
    drop(opening);
    // It only tells.
    let _ = teller.join();
    opened
}

fn tell(ends: &Receiver<()>, screen: &Screen) {
    let is_terminal = std::io::stderr().is_terminal();
    // What is read before it, as the built-in knowledge base, may take as long.
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
    // What is asked behind it is no building.
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

/// Says at a terminal which knowledge base answers where there is none, once a day. A program asks `dlbench index --status`.
pub(super) fn told_elsewhere(elsewhere: &str, screen: &Screen) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let note = format!("note: no knowledge base here or above; this is {elsewhere}");
    let path = default_cache().join("told");
    let told = format!("{} {note}", today().map(|day| day.to_string()).unwrap_or_default());
    if std::fs::read_to_string(&path).is_ok_and(|before| before == told) {
        return;
    }
    // Where it cannot be noted it is told again.
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
