//! A new entry of the catalog, measurement or suite: from a kind, a name and facts to the text of its file.

mod complaint;
mod draft;
mod entity;
mod error;
mod house_style;
mod identity;
mod interview;
mod kind;
mod make;
mod measurement;
mod names;
mod questions;
mod request;
mod suite;

pub use draft::NoSuchKey;
pub use error::NewError;
pub use interview::{Interview, NoInterview};
pub use kind::NewKind;
pub use make::new_file;
pub use request::{NewFile, NewRequest};
