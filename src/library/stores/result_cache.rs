//! A cache on disk, beside the stores, for results that take long to compute: later processes reuse them.

use std::fs;
use std::path::PathBuf;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::{Stores, create_private};
use crate::reading::write_atomically;

/// Maximum number of results; then all are removed.
const MOST: usize = 2_000;

impl Stores {
    /// The folder of the cache, and the file of the result with this name; `None` for stores in memory.
    fn place(&self, name: &str) -> Option<(PathBuf, PathBuf)> {
        let folder = self.folder()?.join("kept");
        let file = folder.join(format!("{:032x}", xxh3_128(name.as_bytes())));
        Some((folder, file))
    }

    /// The cached result with this name; `None` if there is none, or it is damaged.
    pub fn cached_result(&self, name: &str) -> Option<String> {
        let text = fs::read_to_string(self.place(name)?.1).ok()?;
        let (checksum, content) = text.split_once('\n')?;
        (checksum == checksum_of(content)).then(|| content.to_owned())
    }

    /// Caches a result. A failure only costs time later; nothing is cached if the stores were modified since they were opened.
    pub fn cache_result(&self, name: &str, content: &str) {
        let Some((folder, file)) = self.place(name).filter(|_| !self.are_modified()) else { return };
        if fs::read_dir(&folder).is_ok_and(|files| files.count() >= MOST) {
            let _ = fs::remove_dir_all(&folder);
        }
        if create_private(&folder).is_ok() {
            let _ = write_atomically(&file, format!("{}\n{content}", checksum_of(content)));
        }
    }
}

fn checksum_of(content: &str) -> String {
    format!("{:016x}", xxh3_64(content.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_was_kept_comes_back_and_what_is_damaged_does_not() {
        let cache = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../acceptance/kb");
        let stores = Stores::open(&root, cache.path()).unwrap();
        assert_eq!(stores.cached_result("one"), None);
        stores.cache_result("one", "found\nin long");
        assert_eq!(stores.cached_result("one").as_deref(), Some("found\nin long"));
        let file = stores.place("one").unwrap().1;
        fs::write(&file, fs::read_to_string(&file).unwrap().replace("long", "time")).unwrap();
        assert_eq!(stores.cached_result("one"), None);
    }
}
