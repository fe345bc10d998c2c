//! What a snapshot says of itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::Origin;

/// What a snapshot says of itself: its first entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The layout of the archive.
    pub format: u32,
    /// What it was made from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The files, by their paths from the top of the knowledge base, with `/` between folders.
    pub files: BTreeMap<String, FileDigest>,
}

/// What a file of a snapshot must be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest {
    /// How long it is, in bytes.
    pub bytes: u64,
    /// SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

/// The layout that this program writes, and the only one it reads.
pub(crate) const FORMAT: u32 = 1;

impl FileDigest {
    /// That of a content.
    pub fn of(content: &[u8]) -> Self {
        let sha256 = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        Self { bytes: content.len() as u64, sha256 }
    }
}
