//! A measurement joined with its entities, and what must be said of it.

mod entities;

pub use entities::Surroundings;
