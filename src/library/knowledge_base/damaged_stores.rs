//! Stores that turn out to be damaged while they are open: they are built again, and asked once more.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::KnowledgeBase;
use crate::ask::FigureError;
use crate::ask::compare::CompareError;
use crate::ask::parse::QueryError;
use crate::ask::tables::TableError;
use crate::stores::database::DatabaseError;
use crate::stores::{OpenError, Stores};

/// An error of which it can be told whether a store failed rather than the question.
pub trait StoreFailure {
    /// Whether a store failed.
    fn is_of_store(&self) -> bool;
}

impl StoreFailure for DatabaseError {
    fn is_of_store(&self) -> bool {
        true
    }
}

impl StoreFailure for OpenError {
    fn is_of_store(&self) -> bool {
        matches!(self, Self::Database(_) | Self::Index(_))
    }
}

impl StoreFailure for QueryError {
    fn is_of_store(&self) -> bool {
        matches!(self, Self::Database(_) | Self::Index(_))
    }
}

impl StoreFailure for CompareError {
    fn is_of_store(&self) -> bool {
        match self {
            Self::Query(error) => error.is_of_store(),
            Self::Database(_) | Self::Index(_) => true,
            Self::Request { .. } => false,
        }
    }
}

impl StoreFailure for FigureError {
    fn is_of_store(&self) -> bool {
        matches!(self, Self::Query(error) if error.is_of_store())
    }
}

impl StoreFailure for TableError {
    fn is_of_store(&self) -> bool {
        match self {
            Self::Database(_) => true,
            Self::Evidence(error) => error.is_of_store(),
            Self::Request { .. } => false,
        }
    }
}

impl KnowledgeBase {
    /// The stores that answer.
    pub(super) fn stores(&self) -> &Stores {
        self.renewed.get().unwrap_or(&self.stores)
    }

    /// Asks the stores. Where one fails, or their files were written to since they were opened, they are opened or built again,
    /// once for as long as the knowledge base is open, and asked again: what is damaged may fail, panic or tell anything.
    pub(super) fn asked<T, E: StoreFailure>(&self, mut ask: impl FnMut(&Stores) -> Result<T, E>) -> Result<T, E> {
        let answer = catch_unwind(AssertUnwindSafe(|| ask(self.stores())));
        let failed = matches!(&answer, Ok(Err(error)) if error.is_of_store());
        if self.renewed.get().is_none()
            && (failed || answer.is_err() || self.stores.are_touched())
            && let Some(stores) = self.mended(failed)
        {
            return ask(self.renewed.get_or_init(|| stores));
        }
        answer.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// Stores in the place of those that failed, panicked or were touched; `None` where these are as they were written, so that
    /// others would do no better.
    fn mended(&self, failed: bool) -> Option<Stores> {
        if !self.stores.are_kept() {
            return None;
        }
        if failed || !self.stores.are_whole() {
            return Stores::rebuild(&self.root, &self.cache).ok();
        }
        if self.stores.are_touched() { self.stores.another() } else { None }
    }
}
