//! The pages, one file each; `layout` has their common parts. A page is generated from a knowledge base and a request,
//! and links to others by the addresses of `serve`, which `site` converts to file names.

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

/// The style sheet of all pages.
pub(crate) const STYLE: &str = include_str!("style.css");
/// The icon of all pages.
pub(crate) const ICON: &str = include_str!("icon.svg");
/// Completes names in the search box, applies choices and switches the board in place; pages also work without it.
pub(crate) const SCRIPT: &str = include_str!("page.js");
