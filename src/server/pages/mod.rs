//! The pages, each a file of its own; what they share is in `layout`. A page is made of a knowledge base and of what was asked, and
//! names others by the addresses that `serve` answers at; `site` turns these into the names of its files.

pub(crate) mod cards;
pub(crate) mod evidence;
pub(crate) mod figures;
pub(crate) mod forms;
mod frame;
pub(crate) mod layout;
pub(crate) mod links;
pub(crate) mod lists;
pub(crate) mod question;
pub(crate) mod start;
pub(crate) mod tables;
pub(crate) mod tokens;
pub(crate) mod wanted;

/// The style of every page.
pub(crate) const STYLE: &str = include_str!("style.css");
/// The picture that a browser shows beside the title.
pub(crate) const ICON: &str = include_str!("icon.svg");
/// Completes the names in the box while somebody types; pages do without it.
pub(crate) const COMPLETION: &str = include_str!("complete.js");
