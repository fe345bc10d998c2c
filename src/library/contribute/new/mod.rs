//! A new entry of the catalog, measurement or suite: from a kind, a name and facts to the text of its file.

mod draft;
mod entity;
mod make;
mod measurement;
mod request;

pub use draft::NewError;
pub use draft::NoSuchKey;
pub use make::new_file;
pub use request::NewKind;
pub use request::{Interview, NoInterview};
pub use request::{NewFile, NewRequest};
