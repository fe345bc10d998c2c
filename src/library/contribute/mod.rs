//! The contributor's tools: what is wrong with the data, other people's results, new entries.

pub mod check;
pub mod import;
pub mod new;
pub mod online;
pub mod quality;
pub mod recipe;
pub mod rule_interface;
pub mod rules;
