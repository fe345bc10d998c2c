//! How much a snapshot may hold, and so how much an archive can make this program read and write.

/// How much the files of a snapshot may come to, in bytes.
pub const MOST_BYTES: u64 = 1 << 30;

/// How long a manifest may be, in bytes: twice what [`MOST_FILES`] with long names come to.
pub(crate) const MOST_MANIFEST_BYTES: u64 = 64 << 20;

/// How many files a snapshot may hold.
pub const MOST_FILES: usize = 200_000;

/// How many names a path may have below its first folder. A knowledge base needs two; each folder more takes time to make.
pub(crate) const MOST_BELOW: usize = 16;

/// `git archive` states the commit in a comment of this many bytes and little more.
pub(crate) const MOST_COMMENT_BYTES: u64 = 1 << 16;
