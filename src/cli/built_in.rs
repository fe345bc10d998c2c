//! The knowledge base that the program carries (`src/build.rs` packs it), for folders where there is none.

use dlbench::Carried;

/// What was built in; nothing where the feature `built-in` was left out.
#[cfg(feature = "built-in")]
pub fn built_in() -> Option<Carried> {
    Some(Carried {
        snapshot: include_bytes!(concat!(env!("OUT_DIR"), "/built-in.tar.gz")),
        origin: env!("DLBENCH_BUILT_IN_ORIGIN"),
        date: Some(env!("DLBENCH_BUILT_IN_DATE")).filter(|date| !date.is_empty()),
    })
}

/// What was built in; nothing where the feature `built-in` was left out.
#[cfg(not(feature = "built-in"))]
pub fn built_in() -> Option<Carried> {
    None
}
