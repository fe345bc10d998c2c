//! The knowledge base built into the program (packed by `src/build.rs`), for use outside of a knowledge base's folder.

use dlbench::BuiltInSnapshot;

/// The built-in knowledge base; `None` without the feature `built-in`.
#[cfg(feature = "built-in")]
pub fn built_in() -> Option<BuiltInSnapshot> {
    Some(BuiltInSnapshot {
        snapshot: include_bytes!(concat!(env!("OUT_DIR"), "/built-in.tar.gz")),
        origin: env!("DLBENCH_BUILT_IN_ORIGIN"),
        date: Some(env!("DLBENCH_BUILT_IN_DATE")).filter(|date| !date.is_empty()),
    })
}

/// The built-in knowledge base; `None` without the feature `built-in`.
#[cfg(not(feature = "built-in"))]
pub fn built_in() -> Option<BuiltInSnapshot> {
    None
}
