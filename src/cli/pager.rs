//! The pager: where a long result is read at a terminal.

use std::env;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

/// Shows a text in the pager that the user chose (DLBENCH_PAGER, else PAGER), else in `less`.
///
/// `false` when there is none, or it could not be started: the text has to be printed then.
pub(super) fn shown(text: &str) -> io::Result<bool> {
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

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
