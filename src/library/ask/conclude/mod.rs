//! Conclusions: what an answer comes to, in one or two sentences and in entries that name what they rest on.
//!
//! Each kind of answer has a room of its own; none of them draws, and none reads the question again. `dispatch` knows which
//! question is answered where.

mod basis;
mod carried;
mod catalog;
mod comparison;
mod dispatch;
mod lookup;
mod ranking;
mod relation;

pub use basis::conclusion::{Conclusion, Entry, EntryValue, UnstatedField};
pub use basis::fact_wording::{fact_name, number_text, value_text};
pub use basis::search_result::SearchResult;
pub use carried::with_relative;
pub use catalog::list::NAMES_IN_LIST;
pub use dispatch::{Concluded, conclude};
pub use lookup::unknown_subject::unknown_names;
pub use lookup::unstated::{dated_by_source, may_be_excluded, unstated};
