//! A value with the file and span it was read from.

use std::ops::Range;
use std::sync::Arc;

use crate::model::{Annotation, SourceFile};

/// A value with its file and span.
#[derive(Debug, Clone)]
pub struct Located<T> {
    value: T,
    file: Arc<SourceFile>,
    span: Range<usize>,
}

impl<T> Located<T> {
    /// A value that stands at `span` of `file`.
    pub fn new(value: T, file: &Arc<SourceFile>, span: Range<usize>) -> Self {
        Self { value, file: Arc::clone(file), span }
    }

    /// Another value at the same place.
    pub fn with<U>(self, value: U) -> Located<U> {
        Located { value, file: self.file, span: self.span }
    }

    /// The place alone.
    pub fn place(&self) -> Located<()> {
        Located { value: (), file: Arc::clone(&self.file), span: self.span.clone() }
    }

    /// The value.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// The value without its place.
    pub fn into_inner(self) -> T {
        self.value
    }

    /// The file.
    pub fn file(&self) -> &Arc<SourceFile> {
        &self.file
    }

    /// The bytes of the file's text; `0..0` is the file as a whole.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The place, with a few words on it.
    pub fn annotation(&self, label: &str) -> Annotation {
        Annotation { file: Arc::clone(&self.file), span: Some(self.span()), label: label.to_owned() }
    }
}
