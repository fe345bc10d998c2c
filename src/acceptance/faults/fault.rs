//! A kind of fault as data: where it applies, and how it changes a file.

use super::edit::Slip;
use super::record::Record;

/// A kind of fault.
pub struct Fault {
    /// Description of the contributor's mistake.
    pub name: &'static str,
    /// Path prefixes of the files it applies to, separated by `|`.
    pub files: &'static str,
    /// The change it makes.
    pub damage: Damage,
    /// Selects the records it applies to.
    pub when: fn(&Record) -> bool,
}

/// How a fault changes a file.
pub enum Damage {
    /// One line of text is changed; the finding must have this code and be `offset` lines below.
    Line { mutate: fn(&str) -> Option<String>, code: &'static str, offset: usize },
    /// One record is changed.
    Record(Slip),
    /// Every record of the file that can be changed is changed.
    File(Slip),
}

/// An `offset` that accepts the finding in any line.
pub const ANYWHERE: usize = usize::MAX;

/// A fault in one record of such a file.
pub const fn one(name: &'static str, files: &'static str, slip: Slip) -> Fault {
    Fault { name, files, damage: Damage::Record(slip), when: |_| true }
}

/// A fault in all records of such a file.
pub const fn all(name: &'static str, files: &'static str, slip: Slip) -> Fault {
    Fault { name, files, damage: Damage::File(slip), when: |_| true }
}

/// A fault in one line of such a file.
pub const fn line(
    name: &'static str,
    code: &'static str,
    files: &'static str,
    mutate: fn(&str) -> Option<String>,
) -> Fault {
    Fault { name, files, damage: Damage::Line { mutate, code, offset: 0 }, when: |_| true }
}

impl Fault {
    /// Restricts the fault to records that meet a condition.
    pub const fn when(self, when: fn(&Record) -> bool) -> Self {
        let Self { name, files, damage, .. } = self;
        Self { name, files, damage, when }
    }

    /// Expects the finding this many lines below the changed line.
    pub const fn below(self, below: usize) -> Self {
        match self {
            Self { name, files, damage: Damage::Line { mutate, code, .. }, when } => {
                Self { name, files, damage: Damage::Line { mutate, code, offset: below }, when }
            }
            other => other,
        }
    }

    /// Accepts the finding anywhere in the file.
    pub const fn anywhere(self) -> Self {
        self.below(ANYWHERE)
    }

    /// Whether the fault applies to this file.
    pub fn is_for(&self, path: &str) -> bool {
        self.files.split('|').any(|start| path.starts_with(start))
    }
}
