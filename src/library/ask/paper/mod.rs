//! A paper as data: what it is made of, what it used, and what became of that since.

mod changes;
mod lock;
mod spec;

pub use changes::{PaperChange, changes};
pub use lock::{Lock, LockError, LockedItem, UsedValue};
pub use spec::{PaperItem, Spec, SpecError};
