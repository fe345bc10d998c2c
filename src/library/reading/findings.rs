//! What reading collects: diagnostics, ids to look up, exceptions; or, on a dry run, the keys that a reader asks for.

use std::ops::Range;
use std::sync::Arc;

use super::located::Located;
use super::table_keys::{TableKeys, ValueKind};
use crate::model::{Diagnostic, Exception, SourceFile};
use crate::values::{EntityId, EntityKind};

/// An id that a file mentions, to be looked up once all files are read.
#[derive(Debug, Clone)]
pub(super) struct IdReference {
    pub file: Arc<SourceFile>,
    pub span: Option<Range<usize>>,
    pub kind: EntityKind,
    pub id: EntityId,
}

/// What reading has collected so far.
#[derive(Debug, Clone, Default)]
pub(super) struct ReadFindings {
    diagnostics: Vec<Diagnostic>,
    references: Vec<IdReference>,
    exceptions: Vec<Located<Exception>>,
    /// On a dry run: the open tables, and the one that was finished last.
    recorder: Option<(Vec<TableKeys>, TableKeys)>,
}

impl ReadFindings {
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub fn refer(&mut self, reference: IdReference) {
        self.references.push(reference);
    }

    pub fn append(&mut self, mut other: Self) {
        self.diagnostics.append(&mut other.diagnostics);
        self.references.append(&mut other.references);
        self.exceptions.append(&mut other.exceptions);
    }

    pub fn take_references(&mut self) -> Vec<IdReference> {
        std::mem::take(&mut self.references)
    }

    pub fn except(&mut self, exceptions: Vec<Located<Exception>>) {
        self.exceptions.extend(exceptions);
    }

    pub fn take_exceptions(&mut self) -> Vec<Located<Exception>> {
        std::mem::take(&mut self.exceptions)
    }

    /// Findings that record which keys a reader asks for.
    pub fn recording() -> Self {
        Self { recorder: Some(Default::default()), ..Self::default() }
    }

    /// What the table that was finished last asked for.
    pub fn record(&mut self) -> TableKeys {
        self.recorder.as_mut().map_or_else(TableKeys::default, |(_, last)| std::mem::take(last))
    }

    /// Whether this is a dry run, which records the keys that a reader asks for.
    pub fn is_asked(&self) -> bool {
        self.recorder.is_some()
    }

    /// A table begins.
    pub fn open_table(&mut self) {
        if let Some((open, _)) = &mut self.recorder {
            open.push(TableKeys::default());
        }
    }

    /// The table that began last ends.
    pub fn close_table(&mut self) {
        if let Some((open, last)) = &mut self.recorder {
            *last = open.pop().unwrap_or_default();
        }
    }

    /// The open table reads a key.
    pub fn note(&mut self, key: &'static str, kind: impl FnOnce() -> ValueKind) {
        if let Some(open) = self.table() {
            open.note(key, kind());
        }
    }

    /// The open table needs a key.
    pub fn require(&mut self, key: &'static str) {
        if let Some(open) = self.table() {
            open.require(key);
        }
    }

    fn table(&mut self) -> Option<&mut TableKeys> {
        self.recorder.as_mut().and_then(|(open, _)| open.last_mut())
    }

    /// The diagnostics by path and place.
    pub fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| {
            let place = |d: &Diagnostic| (d.primary.file.path.clone(), d.primary.span.clone().map(|s| s.start));
            place(a).cmp(&place(b))
        });
        self.diagnostics
    }
}
