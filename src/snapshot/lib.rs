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

mod accepted_path;
mod git;
mod limits;
mod manifest;
mod origin;
mod pack;
mod pack_error;
mod packed_files;
mod repository;
mod unpack;

pub use git::{git, listed_files};
pub use limits::{MOST_BYTES, MOST_FILES};
pub use manifest::{FileDigest, Manifest};
pub use origin::Origin;
pub use pack::pack;
pub use pack_error::PackError;
pub use repository::{RepositoryArchive, unpack_repository};
pub use unpack::{UnpackError, is_snapshot, manifest, unpack};

/// The folders that make a knowledge base.
pub const FOLDERS: [&str; 2] = ["catalog", "measurements"];

/// The name of the manifest in the archive.
const MANIFEST: &str = "snapshot.json";
