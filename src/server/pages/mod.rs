//! The pages, each a file of its own; what they share is in `layout`. A page is made of a knowledge base and of what was asked, and
//! names others by the addresses that `serve` answers at; `site` turns these into the names of its files.

pub(crate) mod api;
pub(crate) mod board;
pub(crate) mod cards;
mod chart;
mod chips;
mod counted;
pub(crate) mod evidence;
pub(crate) mod facets;
pub(crate) mod figures;
pub(crate) mod forms;
mod grid;
pub(crate) mod layout;
pub(crate) mod links;
pub(crate) mod lists;
pub(crate) mod names;
mod numbers;
pub(crate) mod question;
pub(crate) mod ranking;
pub(crate) mod start;
mod subject;
pub(crate) mod tables;
pub(crate) mod wanted;

/// The style of every page.
pub(crate) const STYLE: &str = include_str!("style.css");
/// The picture that a browser shows beside the title.
pub(crate) const ICON: &str = include_str!("icon.svg");
/// Completes the names in the box, applies what is chosen and switches the board in place; pages do without it.
pub(crate) const SCRIPT: &str = include_str!("page.js");
