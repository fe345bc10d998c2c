//! One file as it was read by itself, before it is compared with others.

use std::sync::Arc;

use super::content::{FileContent, content_of};
use super::files::{FileFault, FileKind, KbFile};
use super::findings::ReadFindings;
use super::{codes, strict};
use crate::model::{Diagnostic, SourceFile};

/// One file as it was read by itself. [`Loaded::of`](super::Loaded::of) puts files together; one that has not changed need
/// not be read again for that.
#[derive(Debug, Clone)]
pub struct ReadFile {
    pub(super) listed: KbFile,
    pub(super) file: Arc<SourceFile>,
    pub(super) content: Option<FileContent>,
    pub(super) findings: ReadFindings,
}

impl ReadFile {
    /// Reads a text as the file that is listed; or tells what is wrong with the file as a file.
    pub fn of(listed: &KbFile, text: Result<String, FileFault>) -> Self {
        let mut findings = ReadFindings::default();
        let source = |text: String| Arc::new(SourceFile::new(&listed.path, text));
        let (file, content) = match text {
            Ok(text) => {
                let file = source(text);
                let content = strict::parse(&file, &mut findings, |table| content_of(&listed.kind, table)).flatten();
                (file, content)
            }
            Err(fault) => {
                let file = source(String::new());
                let code = match listed.kind {
                    FileKind::Misplaced(_) => codes::MISPLACED,
                    _ => codes::UNREADABLE,
                };
                findings.report(Diagnostic::error(code, &file, None, fault.message, "here").help(fault.help));
                (file, None)
            }
        };
        Self { listed: listed.clone(), file, content, findings }
    }
}
