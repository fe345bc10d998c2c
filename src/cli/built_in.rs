//! The knowledge base that the program carries (`src/build.rs` packs it), for folders where there is none.

/// A knowledge base in one file, and what it is of.
#[derive(Debug, Clone, Copy)]
pub(super) struct BuiltIn {
    /// The file.
    pub snapshot: &'static [u8],
    /// The day and the commit, in words: `of 2026-11-22 (commit c0f74a5bb1)`.
    pub origin: &'static str,
}

/// What was built in; nothing where the feature `built-in` was left out.
#[cfg(feature = "built-in")]
pub(super) fn built_in() -> Option<BuiltIn> {
    Some(BuiltIn {
        snapshot: include_bytes!(concat!(env!("OUT_DIR"), "/built-in.tar.gz")),
        origin: env!("DLBENCH_BUILT_IN_ORIGIN"),
    })
}

/// What was built in; nothing where the feature `built-in` was left out.
#[cfg(not(feature = "built-in"))]
pub(super) fn built_in() -> Option<BuiltIn> {
    None
}
