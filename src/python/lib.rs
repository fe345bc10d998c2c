//! The face for Python: what `src/python/package/dlbench` is made of, and the program as a function.
//!
//! Everything here computes without Python's lock, so that other threads of an interpreter go on.

#![warn(missing_docs)]

mod arrow_table;
mod knowledge_base;
mod results;
mod shared;

// The program, for the command `dlbench` of the wheel. As a library of its own it would be between the library and everything that
// is compiled for the tests, each time.
#[path = "../cli/mod.rs"]
mod cli;

use pyo3::prelude::pymodule;

/// What is compiled of the package `dlbench`.
#[pymodule]
mod _dlbench {
    #[pymodule_export]
    use crate::arrow_table::Table;
    #[pymodule_export]
    use crate::knowledge_base::KnowledgeBase;
    #[pymodule_export]
    use crate::results::FoundResult;

    use std::ffi::OsString;
    use std::path::PathBuf;
    use std::process::exit;

    use pyo3::prelude::pyfunction;
    use pyo3::{PyResult, Python};

    use crate::cli::built_in::built_in;

    /// The version of the module, which is that of the program.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "it is Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Opens the knowledge base in `folder`, else the nearest one here or above, else the one that was pulled, else the one that came
    /// with the module.
    #[pyfunction]
    #[pyo3(signature = (folder = None))]
    fn open(py: Python<'_>, folder: Option<PathBuf>) -> PyResult<KnowledgeBase> {
        KnowledgeBase::opened(py, folder, built_in())
    }

    /// Runs the program with the words of a command line, its own name first, and ends the process with its exit status. `own_command`
    /// starts it again.
    #[pyfunction]
    fn run_program(py: Python<'_>, arguments: Vec<OsString>, own_command: Vec<OsString>) {
        py.detach(|| exit(i32::from(crate::cli::run(arguments, Some(own_command)))))
    }
}
