//! The results of attacks, and the page that reports the last long run.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::REPOSITORY;

/// The result of an attack on one target.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Name of the target.
    pub name: String,
    /// Number of attempts: inputs, kills, damaged caches, workers, outputs.
    pub inputs: usize,
    /// Number of attempts accepted or completed; the others were refused with a message.
    pub accepted: usize,
    /// Time of the slowest attempt, in ms.
    pub slowest_ms: u64,
    /// Peak memory of the process, in MiB; 0 if it had no process of its own.
    pub memory_mib: u64,
    /// Descriptions of wrong results, losses and panics, one per line.
    pub failures: Vec<String>,
}

impl Figures {
    pub fn of(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Counts an attempt and its duration.
    pub fn count(&mut self, accepted: bool, took: Duration) {
        self.inputs += 1;
        self.accepted += usize::from(accepted);
        self.slowest_ms = self.slowest_ms.max(took.as_millis() as u64);
    }
}

/// Writes the page that is committed beside this file.
pub fn write_page(all: &[Figures]) {
    let profile =
        if super::RELEASE { "compiled for release" } else { "compiled for tests, which is several times as slow" };
    let mut page = format!(
        "# The last long attack\n\n`make attack` writes this page. The program was {profile}; {} processors, other work beside it.\n\n\
         | what | tried | accepted | failures | slowest ms | memory MiB |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    for figures in all {
        let memory = if figures.memory_mib == 0 { String::new() } else { figures.memory_mib.to_string() };
        page.push_str(&format!(
            "| {} | {} | {} | {} | {} | {memory} |\n",
            figures.name,
            figures.inputs,
            figures.accepted,
            figures.failures.len(),
            figures.slowest_ms
        ));
    }
    page.push_str(
        "\nWhat is not accepted is refused in words. A failure is a panic, a wrong or a lost value, a process that does not end, or \
         one beyond its budget: 2 s for an input (20 s where compiled for tests), 500 MiB.\n",
    );
    fs::write(Path::new(REPOSITORY).join("src/acceptance/attack/FIGURES.md"), page).expect("the page");
}
