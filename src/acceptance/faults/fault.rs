//! A kind of fault as data: where it can be, and what it does there.

use super::edit::Slip;
use super::record::Record;

/// A kind of fault.
pub struct Fault {
    /// What the contributor did.
    pub name: &'static str,
    /// Beginnings of the paths of files that it can be put into, with `|` between them.
    pub files: &'static str,
    /// What it does.
    pub damage: Damage,
    /// Records that can have it.
    pub when: fn(&Record) -> bool,
}

/// What a fault does to a file.
pub enum Damage {
    /// One line of the text becomes another; the finding has this code and stands so many lines below.
    Line { mutate: fn(&str) -> Option<String>, code: &'static str, offset: usize },
    /// One record is damaged.
    Record(Slip),
    /// Every record of the file is damaged that can be.
    File(Slip),
}

/// The finding may be in any line.
pub const ANYWHERE: usize = usize::MAX;

/// One record of such a file.
pub const fn one(name: &'static str, files: &'static str, slip: Slip) -> Fault {
    Fault { name, files, damage: Damage::Record(slip), when: |_| true }
}

/// All records of such a file.
pub const fn all(name: &'static str, files: &'static str, slip: Slip) -> Fault {
    Fault { name, files, damage: Damage::File(slip), when: |_| true }
}

/// A line of such a file.
pub const fn line(
    name: &'static str,
    code: &'static str,
    files: &'static str,
    mutate: fn(&str) -> Option<String>,
) -> Fault {
    Fault { name, files, damage: Damage::Line { mutate, code, offset: 0 }, when: |_| true }
}

impl Fault {
    /// Only records that meet the condition.
    pub const fn when(self, when: fn(&Record) -> bool) -> Self {
        let Self { name, files, damage, .. } = self;
        Self { name, files, damage, when }
    }

    /// The finding is below the line that is changed.
    pub const fn below(self, below: usize) -> Self {
        match self {
            Self { name, files, damage: Damage::Line { mutate, code, .. }, when } => {
                Self { name, files, damage: Damage::Line { mutate, code, offset: below }, when }
            }
            other => other,
        }
    }

    /// The finding stands anywhere in the file.
    pub const fn anywhere(self) -> Self {
        self.below(ANYWHERE)
    }

    /// Whether the fault can be put into this file.
    pub fn is_for(&self, path: &str) -> bool {
        self.files.split('|').any(|start| path.starts_with(start))
    }
}
