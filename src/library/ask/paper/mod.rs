//! A paper as data: its specification, the values it used, and their changes since.

mod changes;
mod folder;
mod lock;
mod output;
mod spec;
mod verify;

pub use changes::{PaperChange, changes};
pub use folder::{PaperError, PaperFolder, Replaced, edited_files, lock_in, unlisted_files};
pub use lock::{Lock, LockError, LockedItem, UsedValue};
pub use output::{DrawnItem, FigureFiles, PaperOutput};
pub use spec::{PaperItem, Spec, SpecError};
pub use verify::{ChangedItem, verify};
