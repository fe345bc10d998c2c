//! Conclusions: what an answer comes to, in one or two sentences and in entries that name what they rest on.
//!
//! Each kind of answer has a file of its own; none of them draws, and none reads the question again.

mod comparison;
mod conclusion;
mod dispatch;
mod fact;
mod found;
mod grade;
mod list;
mod lookup;
mod overview;
mod ranking;
mod relation;
mod unstated;

pub use conclusion::{Conclusion, Entry, EntryValue, UnstatedField};
pub use dispatch::conclude;
pub use found::Found;
pub use unstated::unstated;
