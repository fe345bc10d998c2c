//! The Python that environments of workers are made with.

use std::env;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::worker::isolate;

/// Versions for which the locks have files.
const VERSIONS: RangeInclusive<(u32, u32)> = (3, 11)..=(3, 13);

/// The variable that names it.
const VARIABLE: &str = "DLBENCH_PYTHON";

/// Where it is looked for.
const NAMES: [&str; 5] = ["python3", "python3.13", "python3.12", "python3.11", "python"];

/// What it is asked: its version, and whether it can make an environment.
const QUESTION: &str = "import sys, venv, ensurepip; print(*sys.version_info[:2]); print(sys.executable)";

/// There is no Python that could be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no Python 3.11 to 3.13 with the module venv was found: {tried}")]
pub struct InterpreterError {
    /// What was tried, and what came of it.
    pub tried: String,
}

/// The Python that `DLBENCH_PYTHON` names, else the first on the path that can be used.
///
/// # Errors
///
/// When there is none.
pub fn interpreter() -> Result<PathBuf, InterpreterError> {
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    let names: Vec<OsString> = named.map_or_else(|| NAMES.map(OsString::from).to_vec(), |name| vec![name]);
    let mut tried = Vec::new();
    for name in names {
        let shown = name.to_string_lossy().into_owned();
        let mut command = Command::new(name);
        command.args(["-I", "-c", QUESTION]).stdin(Stdio::null());
        isolate(&mut command);
        let Ok(output) = command.output() else {
            tried.push(format!("no {shown}"));
            continue;
        };
        let text = String::from_utf8_lossy(&output.stdout);
        let mut lines = text.lines();
        match (lines.next().and_then(version), lines.next()) {
            (Some(version), Some(path)) if VERSIONS.contains(&version) => return Ok(path.into()),
            (Some((major, minor)), _) => tried.push(format!("{shown} is {major}.{minor}")),
            _ => tried.push(format!("{shown} has no venv or does not start")),
        }
    }
    Err(InterpreterError { tried: tried.join(", ") })
}

fn version(line: &str) -> Option<(u32, u32)> {
    let (major, minor) = line.split_once(' ')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
