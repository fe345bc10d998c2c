//! The Python extension module: the compiled part of `src/python/package/dlbench`, and the command-line program as a function.
//!
//! All computation runs with Python's lock released, so that other threads of the interpreter continue.

#![warn(missing_docs)]

mod arrow_table;
mod knowledge_base;
mod results;
mod shared;

// The program, for the command `dlbench` of the wheel. It is not a library crate, because all tests would then wait for it to
// compile.
#[path = "../cli/mod.rs"]
mod cli;

use pyo3::prelude::pymodule;

/// The compiled part of the package `dlbench`.
#[pymodule]
mod _dlbench {
    #[pymodule_export]
    use crate::arrow_table::Table;
    #[pymodule_export]
    use crate::knowledge_base::KnowledgeBase;
    #[pymodule_export]
    use crate::results::QueryResult;

    use std::ffi::OsString;
    use std::path::PathBuf;
    use std::process::exit;

    use pyo3::prelude::pyfunction;
    use pyo3::{PyResult, Python};

    use crate::cli::built_in::built_in;

    /// Version of the module and of the program.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "it is Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Opens the knowledge base in `folder`; without it, the nearest one in this or an ancestor folder, else the pulled copy, else
    /// the one built into the module.
    #[pyfunction]
    #[pyo3(signature = (folder = None))]
    fn open(py: Python<'_>, folder: Option<PathBuf>) -> PyResult<KnowledgeBase> {
        KnowledgeBase::opened(py, folder, built_in())
    }

    /// Runs the program with a command line that begins with the program's name, then exits the process with its status.
    /// `own_command` is the command that starts the program again.
    #[pyfunction]
    fn run_program(py: Python<'_>, arguments: Vec<OsString>, own_command: Vec<OsString>) {
        py.detach(|| exit(i32::from(crate::cli::run(arguments, Some(own_command)))))
    }
}
