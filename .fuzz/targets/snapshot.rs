//! Any bytes as a snapshot of a knowledge base, packed or as the archive below its compression: it is unpacked into its folder and
//! nowhere else, or refused in words.

#![no_main]

use std::fs;
use std::io::Write as _;

use dlbench_snapshot::{unpack, unpack_repository};
use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::{Corpus, fuzz_target};
use tempfile::TempDir;

/// How a compressed stream begins (RFC 1952, 2.3.1).
const GZIP: &[u8] = b"\x1f\x8b";

fuzz_target!(|input: &[u8]| -> Corpus {
    let packed = match input.starts_with(GZIP) {
        true => input.to_vec(),
        // What is changed below the compression passes its checksum.
        false => {
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(input).expect("into memory");
            packed.finish().expect("into memory")
        }
    };
    let place = TempDir::new().expect("a temporary folder");
    let [folder, repository] = ["kb", "repository"].map(|name| place.path().join(name));
    match unpack(&packed, &folder) {
        Ok(manifest) => {
            for name in manifest.files.keys() {
                assert!(folder.join(name).is_file(), "{name:?} is in the manifest and not in the folder");
            }
        }
        Err(error) => assert!(!error.to_string().trim().is_empty(), "refused without a word"),
    }
    let _ = unpack_repository(&packed, &repository);
    for entry in fs::read_dir(place.path()).into_iter().flatten().flatten() {
        let name = entry.file_name();
        assert!(name == "kb" || name == "repository", "it wrote {name:?} beside its folder");
    }
    Corpus::Keep
});
