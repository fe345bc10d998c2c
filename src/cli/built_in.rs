//! The knowledge base that the program carries (`src/build.rs` packs it), for folders where there is none.

/// A knowledge base in one file, and what it is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct BuiltIn {
    /// The file.
    pub snapshot: &'static [u8],
    /// The day and the commit, in words: `of 2026-11-22 (commit c0f74a5bb1)`.
    pub origin: &'static str,
    /// The day, `YYYY-MM-DD`, if it is known.
    date: Option<&'static str>,
}

impl BuiltIn {
    /// Whether it is of a later day than what is of this one; days that are not known are not.
    pub fn is_newer_than(self, day: Option<&str>) -> bool {
        matches!((self.date, day), (Some(own), Some(day)) if own > day)
    }
}

/// What was built in; nothing where the feature `built-in` was left out.
#[cfg(feature = "built-in")]
pub(super) fn built_in() -> Option<BuiltIn> {
    Some(BuiltIn {
        snapshot: include_bytes!(concat!(env!("OUT_DIR"), "/built-in.tar.gz")),
        origin: env!("DLBENCH_BUILT_IN_ORIGIN"),
        date: Some(env!("DLBENCH_BUILT_IN_DATE")).filter(|date| !date.is_empty()),
    })
}

/// What was built in; nothing where the feature `built-in` was left out.
#[cfg(not(feature = "built-in"))]
pub(super) fn built_in() -> Option<BuiltIn> {
    None
}
