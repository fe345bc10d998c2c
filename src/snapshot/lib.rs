//! A snapshot: a knowledge base packed into one file, with its origin and a digest of each packed file.
//!
//! A snapshot is a tar archive compressed with gzip, which any tool opens. Its first entry is the [`Manifest`], `snapshot.json`;
//! the files follow, sorted by path, without times, owners or permissions. Packing is reproducible: the same files and the same
//! [`Origin`] give the same bytes, no matter who packs them and when.
//!
//! The archive that a Git host makes of a repository can also be unpacked ([`unpack_repository`]): it has the same files one
//! folder deeper, and no digests.
//!
//! This is a separate crate because the program's build script packs the knowledge base that is built into the program.

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

/// The folders of a knowledge base.
pub const FOLDERS: [&str; 2] = ["catalog", "measurements"];

/// File name of the manifest in the archive.
const MANIFEST: &str = "snapshot.json";
