//! What all commands share: the options that stand before or behind any of them, and what a command says at its end.

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
use super::screen::{ColorWhen, Screen, told_elsewhere, told_while_building};

/// What a command has to say at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It was done, and something was found.
    Done,
    /// It was understood, but nothing was found; of a check: there are findings.
    NothingFound,
}

/// The options of every command.
#[derive(Debug, Args)]
pub(super) struct Global {
    /// The knowledge base: a folder with catalog/ and measurements/ [default: DLBENCH_KB, the nearest one above, the pulled one,
    /// the built-in one]
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
    /// The files of the knowledge base, which may have mistakes.
    ///
    /// # Errors
    ///
    /// When the folder that is named is none, or none is named and there is none here or above.
    pub fn files(&self) -> Result<KnowledgeFiles, Failure> {
        Ok(KnowledgeFiles::at(self.root()?))
    }

    /// The files of the knowledge base to read: where there is none here or above, those of the pulled or built-in one, which is
    /// given as well, since they may go with it.
    ///
    /// # Errors
    ///
    /// When nothing of it can be read.
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

    /// Opens the knowledge base, and says on stderr when its cache could not be used and which files are left out. Where there
    /// is none, the one that was pulled answers, or the one that the program carries, which is said, too.
    ///
    /// # Errors
    ///
    /// When nothing of it can be read.
    pub fn open(&self, screen: &Screen) -> Result<KnowledgeBase, Failure> {
        Ok(self.find(Opening::Cached, screen)?.0)
    }

    /// Opens the knowledge base as [`open`](Self::open) does and asks it, while it is still being looked whether its files have
    /// changed: where they have, `ask` is called once more, so that it must do nothing but return.
    ///
    /// # Errors
    ///
    /// When nothing of it can be read.
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
        let (kb, answer) = told_while_building(screen, || KnowledgeBase::open_and_ask(&root, &default_cache(), ask))?;
        Ok((warned(kb, screen)?, answer))
    }

    /// Opens the knowledge base as [`open`](Self::open) does, to write into it: the one that the program carries is none to
    /// write into.
    ///
    /// # Errors
    ///
    /// When there is none, or nothing of it can be read.
    pub fn open_files(&self, screen: &Screen) -> Result<KnowledgeBase, Failure> {
        warned(KnowledgeBase::open_with_cache(self.root()?, default_cache())?, screen)
    }

    /// The knowledge base for a command that stays open: it is taken up anew whenever its files have changed, which is told, and
    /// answers `most` requests at a time.
    ///
    /// # Errors
    ///
    /// When nothing of it can be read.
    #[cfg(any(feature = "mcp", feature = "serve"))]
    pub fn hold(&self, most: usize, screen: &Screen) -> Result<Arc<dlbench_server::HeldKnowledgeBase>, Failure> {
        let kb = self.open(screen)?;
        let named = self.kb.clone();
        let again = move || {
            let found = KnowledgeBase::find(named.as_deref(), built_in(), Opening::Cached, &default_cache());
            found.map(|found| found.kb).map_err(|error| error.to_string())
        };
        let screen = screen.clone();
        let tell = move |text: &str| screen.tell(&printable(text));
        Ok(dlbench_server::HeldKnowledgeBase::of(kb, Box::new(again), Box::new(tell), most))
    }

    /// The knowledge base, and where there is none here or above which one answers.
    ///
    /// # Errors
    ///
    /// When nothing of it can be read.
    pub fn find(&self, opening: Opening, screen: &Screen) -> Result<(KnowledgeBase, Option<String>), Failure> {
        let find = || KnowledgeBase::find(self.kb.as_deref(), built_in(), opening, &default_cache());
        let found = told_while_building(screen, find)?;
        if let Some(warning) = &found.warning {
            screen.warn(warning);
        }
        if let Some(elsewhere) = &found.elsewhere {
            told_elsewhere(elsewhere, screen);
        }
        Ok((warned(found.kb, screen)?, found.elsewhere))
    }
}

/// So many files with mistakes are named.
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

/// Remembers the words behind the program's name, and the command, where it is more than the file of this process: a Python that runs
/// the module.
pub(super) fn set(command: Option<Vec<OsString>>, arguments: &[OsString]) {
    let arguments = arguments.iter().skip(1).cloned().collect();
    *ARGUMENTS.lock().unwrap_or_else(PoisonError::into_inner) = arguments;
    if let Some(command) = command {
        // Whoever runs it again in the same process was started by the same command.
        let _ = OWN_COMMAND.set(command);
    }
}

/// The command: a program, and what is in front of its arguments.
pub(super) fn own_command() -> io::Result<Vec<OsString>> {
    match OWN_COMMAND.get() {
        Some(command) => Ok(command.clone()),
        None => Ok(vec![std::env::current_exe()?.into_os_string()]),
    }
}

/// The words that it was started with, for another process that is to do the same.
pub(super) fn arguments() -> Vec<OsString> {
    ARGUMENTS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
