//! Why nothing new was made.

use std::io;

use super::draft::NoSuchKey;
use crate::reading::ReadError;
use crate::stores::database::DatabaseError;

/// Why nothing new was made.
#[derive(Debug, thiserror::Error)]
pub enum NewError {
    /// What was asked for makes no sense.
    #[error("{message}")]
    Request {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
    /// The kind has no such key.
    #[error(transparent)]
    NoSuchKey(#[from] NoSuchKey),
    /// Whoever is asked answers no more.
    #[error("the answers end here; nothing was written")]
    AnswersEnd,
    /// An answer cannot be read.
    #[error("cannot read the answer: {0}")]
    Answer(#[from] io::Error),
    /// The folders of the catalog cannot be listed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The names of the catalog cannot be looked up.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl NewError {
    pub(super) fn request(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Request { message: message.into(), help: help.into() }
    }

    /// What to do, where that can be said.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Request { help, .. } => Some(help),
            Self::AnswersEnd => Some("an empty line leaves a fact out"),
            _ => None,
        }
    }
}
