//! Which rules run, and with what is known beside the files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::link_status::LinkStatuses;
use super::row_contradiction::RowContradiction;
use crate::model::Code;
use crate::values::Date;

/// Which rules run, and with what is known beside the files.
#[derive(Debug, Clone, Default)]
pub struct LintOptions {
    /// Only these rules; empty means all.
    pub only: Vec<Code>,
    /// Not these rules.
    pub skip: Vec<Code>,
    /// Rules that look at the text of one file alone look at these files only; `None` means at all.
    pub texts: Option<BTreeSet<PathBuf>>,
    /// Whether the whole knowledge base is loaded: only then is it known that nothing mentions an entity.
    pub whole: bool,
    /// Today, for rules that depend on it; `None` leaves them out.
    pub today: Option<Date>,
    /// What the servers of cited URLs answered; `None` when they were not asked.
    pub link_statuses: Option<LinkStatuses>,
    /// Which rows other sources contradict; `None` when that was not asked.
    pub contradictions: Option<Vec<RowContradiction>>,
}

impl LintOptions {
    /// Whether rules that look at the text of one file alone look at this one.
    pub(in crate::contribute) fn looks_at(&self, path: &Path) -> bool {
        self.texts.as_ref().is_none_or(|texts| texts.contains(path))
    }

    /// Whether findings of a rule are wanted.
    pub fn includes(&self, code: Code) -> bool {
        (self.only.is_empty() || self.only.contains(&code)) && !self.skip.contains(&code)
    }
}
