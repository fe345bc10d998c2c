//! Tools for contributors: check the data, import published results, add new entries.

pub mod check;
pub mod import;
pub mod new;
pub mod online;
pub mod quality;
pub mod recipe;
pub mod rule_interface;
pub mod rules;
