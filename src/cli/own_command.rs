//! How this program is started once more, for what it does in a process of its own.

use std::ffi::OsString;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};

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

/// The command: a program, and what stands in front of its arguments.
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
