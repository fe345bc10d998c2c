//! Arbitrary bytes as a snapshot of a knowledge base: it is unpacked into its folder and nowhere else, or refused with an error.

use std::fs;
use std::io::{Read as _, Write as _};

use dlbench_snapshot::{Origin, pack, unpack};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use super::{Target, Verdict, refused};
use crate::miniature_kb;

pub fn target() -> Target {
    let root = miniature_kb();
    let packed = |level| pack(&root, Origin::of(&root), level).expect("the miniature can be packed");
    let mut tar = Vec::new();
    GzDecoder::new(packed(6).as_slice()).read_to_end(&mut tar).expect("what was packed can be unpacked");
    Target::new("snapshot", vec![packed(6), tar], || {
        |input| {
            if input.starts_with(GZIP) {
                return read(input);
            }
            // Changes made before compression pass the checksum of gzip.
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(input).map_err(|error| error.to_string())?;
            read(&packed.finish().map_err(|error| error.to_string())?)
        }
    })
}

/// Magic number of a gzip stream (RFC 1952, 2.3.1).
const GZIP: &[u8] = b"\x1f\x8b";

fn read(input: &[u8]) -> Verdict {
    let place = TempDir::new().expect("a temporary folder");
    let folder = place.path().join("kb");
    let verdict = match unpack(input, &folder) {
        Ok(manifest) => match manifest.files.keys().find(|name| !folder.join(name).is_file()) {
            Some(lost) => Err(format!("{lost:?} is in the manifest and not in the folder")),
            None => Ok(true),
        },
        Err(error) => refused(&error),
    };
    let beside = fs::read_dir(place.path()).into_iter().flatten().flatten().map(|entry| entry.file_name());
    match beside.into_iter().find(|name| name != "kb") {
        Some(name) => Err(format!("it wrote {name:?} beside its folder")),
        None => verdict,
    }
}
