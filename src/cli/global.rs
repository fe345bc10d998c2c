//! Shared by all commands: the global options, the outcome of a command, and access to the knowledge base.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
#[cfg(any(feature = "mcp", feature = "serve"))]
use std::sync::Arc;
use std::sync::{Mutex, OnceLock, PoisonError};

use clap::Args;
#[cfg(any(feature = "mcp", feature = "serve"))]
use dlbench::values::text::printable;
use dlbench::values::text::printable_name;
use dlbench::{KnowledgeBase, KnowledgeFiles, Opening, default_cache};

use super::built_in::built_in;
use super::failure::Failure;
use super::options::choice;
use super::screen::{ColorWhen, Screen, report_fallback_kb, with_build_progress};

/// The outcome of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Done, and something was found.
    Done,
    /// Understood, but nothing was found; for `check`, there are findings.
    NothingFound,
}

/// The options of every command.
#[derive(Debug, Args)]
pub(super) struct Global {
    /// The knowledge base: a folder with catalog/ and measurements/ [default: DLBENCH_KB, else the nearest one here or above,
    /// else the pulled one, else the built-in one]
    #[arg(long, value_name = "DIR", global = true)]
    kb: Option<PathBuf>,
    /// When to use colour
    #[arg(long, value_name = "WHEN", value_parser = choice::<ColorWhen>(), default_value = "auto", global = true)]
    pub color: ColorWhen,
    /// Print long results without a pager (DLBENCH_PAGER, PAGER, less)
    #[arg(long, global = true)]
    pub no_pager: bool,
}

impl Global {
    /// The files of the knowledge base, which may contain mistakes.
    ///
    /// # Errors
    ///
    /// When the given folder is not a knowledge base, or none is given and there is none here or above.
    pub fn files(&self) -> Result<KnowledgeFiles, Failure> {
        Ok(KnowledgeFiles::at(self.root()?))
    }

    /// The files of the knowledge base to read. If there is none here or above, those of the pulled or built-in one,
    /// which is returned as well because its files may be deleted when it is dropped.
    ///
    /// # Errors
    ///
    /// When no knowledge base can be read.
    pub fn files_to_read(&self, screen: &Screen) -> Result<(KnowledgeFiles, Option<KnowledgeBase>), Failure> {
        match self.root() {
            Ok(root) => Ok((KnowledgeFiles::at(root), None)),
            Err(_) => {
                let kb = self.open(screen)?;
                Ok((KnowledgeFiles::at(kb.root()), Some(kb)))
            }
        }
    }

    fn root(&self) -> Result<PathBuf, Failure> {
        Ok(KnowledgeBase::locate(self.kb.as_deref())?)
    }

    /// Opens the knowledge base, and reports on stderr if its cache could not be used and which files are left out. If
    /// there is none here or above, opens the pulled or built-in one, and reports that.
    ///
    /// # Errors
    ///
    /// When no knowledge base can be read.
    pub fn open(&self, screen: &Screen) -> Result<KnowledgeBase, Failure> {
        Ok(self.find(Opening::Cached, screen)?.0)
    }

    /// Opens the knowledge base as [`open`](Self::open) does and runs `ask` while its files are checked for changes: if
    /// they have changed, `ask` runs again, so it must have no side effects.
    ///
    /// # Errors
    ///
    /// When no knowledge base can be read.
    pub fn open_and_ask<T>(
        &self,
        screen: &Screen,
        ask: impl Fn(&KnowledgeBase) -> T,
    ) -> Result<(KnowledgeBase, T), Failure> {
        let Ok(root) = self.root() else {
            let kb = self.open(screen)?;
            let answer = ask(&kb);
            return Ok((kb, answer));
        };
        let (kb, answer) = with_build_progress(screen, || KnowledgeBase::open_and_ask(&root, &default_cache(), ask))?;
        Ok((warned(kb, screen)?, answer))
    }

    /// Opens the knowledge base as [`open`](Self::open) does, to write into it, which the pulled or built-in one does
    /// not allow.
    ///
    /// # Errors
    ///
    /// When there is none here or above, or it cannot be read.
    pub fn open_files(&self, screen: &Screen) -> Result<KnowledgeBase, Failure> {
        warned(KnowledgeBase::open_with_cache(self.root()?, default_cache())?, screen)
    }

    /// The knowledge base for a long-running command: it is reopened whenever its files have changed, which is
    /// reported, and answers at most `most` requests at a time.
    ///
    /// # Errors
    ///
    /// When no knowledge base can be read.
    #[cfg(any(feature = "mcp", feature = "serve"))]
    pub fn open_live(&self, most: usize, screen: &Screen) -> Result<Arc<dlbench_server::LiveKnowledgeBase>, Failure> {
        let kb = self.open(screen)?;
        let named = self.kb.clone();
        let again = move || {
            let found = KnowledgeBase::find(named.as_deref(), built_in(), Opening::Cached, &default_cache());
            found.map(|found| found.kb).map_err(|error| error.to_string())
        };
        let screen = screen.clone();
        let tell = move |text: &str| screen.tell(&printable(text));
        Ok(dlbench_server::LiveKnowledgeBase::of(kb, Box::new(again), Box::new(tell), most))
    }

    /// The knowledge base, and which one is used if there is none here or above.
    ///
    /// # Errors
    ///
    /// When no knowledge base can be read.
    pub fn find(&self, opening: Opening, screen: &Screen) -> Result<(KnowledgeBase, Option<String>), Failure> {
        let find = || KnowledgeBase::find(self.kb.as_deref(), built_in(), opening, &default_cache());
        let found = with_build_progress(screen, find)?;
        if let Some(warning) = &found.warning {
            screen.warn(warning);
        }
        if let Some(elsewhere) = &found.elsewhere {
            report_fallback_kb(elsewhere, screen);
        }
        Ok((warned(found.kb, screen)?, found.elsewhere))
    }
}

/// Maximum number of files with mistakes to list.
const MOST_NAMED: usize = 10;

fn warned(kb: KnowledgeBase, screen: &Screen) -> Result<KnowledgeBase, Failure> {
    if let Some(why) = kb.cache_failure() {
        screen.warn(&format!(
            "the cache cannot be used, so everything was built in memory: {why}\n\
             help: point DLBENCH_CACHE at a folder that can be written to, with room in it"
        ));
    }
    let skipped = kb.skipped()?;
    for file in skipped.iter().take(MOST_NAMED) {
        screen.warn(&printable_name(&file.to_string()));
    }
    if !skipped.is_empty() {
        let more = skipped.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!("{more} more files have mistakes and are left out; ") } else { String::new() };
        screen.tell(&format!("help: {more}`dlbench check` shows every mistake"));
    }
    Ok(kb)
}

static OWN_COMMAND: OnceLock<Vec<OsString>> = OnceLock::new();

static ARGUMENTS: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

/// Stores the arguments, and the command that starts the program where it is more than this process's executable, such
/// as a Python that runs the module.
pub(super) fn set(command: Option<Vec<OsString>>, arguments: &[OsString]) {
    let arguments = arguments.iter().skip(1).cloned().collect();
    *ARGUMENTS.lock().unwrap_or_else(PoisonError::into_inner) = arguments;
    if let Some(command) = command {
        // Later runs in the same process have the same command.
        let _ = OWN_COMMAND.set(command);
    }
}

/// The command that starts this program: an executable and leading arguments.
pub(super) fn own_command() -> io::Result<Vec<OsString>> {
    match OWN_COMMAND.get() {
        Some(command) => Ok(command.clone()),
        None => Ok(vec![std::env::current_exe()?.into_os_string()]),
    }
}

/// The arguments of this program, to start another process with the same ones.
pub(super) fn arguments() -> Vec<OsString> {
    ARGUMENTS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
