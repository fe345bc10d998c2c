//! A snapshot: the files of a knowledge base in one file, with what they are of and a digest of each.
//!
//! It is a tar archive compressed by gzip, which any tool opens. Its first entry is the [`Manifest`], `snapshot.json`; the
//! files follow in the order of their paths, without times, owners or permissions: the same files and the same
//! [`Origin`] make the same bytes, whoever packs them and when.
//!
//! The archive that a Git host makes of a repository is read, too ([`unpack_repository`]): it holds the same files in one
//! folder more, and no digests.
//!
//! A crate of its own, since the build script of the program packs the knowledge base that the program carries.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod origin;
mod pack;
mod repository;
mod unpack;

pub use origin::Origin;
pub use origin::PackError;
pub use origin::{git, listed_files};
pub use pack::pack;
pub use repository::{RepositoryArchive, unpack_repository};
pub use unpack::{FileDigest, Manifest};
pub use unpack::{MOST_BYTES, MOST_FILES};
pub use unpack::{UnpackError, is_snapshot, manifest, unpack};

/// The folders that make a knowledge base.
pub const FOLDERS: [&str; 2] = ["catalog", "measurements"];

/// The name of the manifest in the archive.
const MANIFEST: &str = "snapshot.json";
