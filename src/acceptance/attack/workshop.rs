//! The workspace of an attack: the miniature knowledge base with a cache, and a folder for files.

use std::fs;
use std::path::{Path, PathBuf};

use dlbench::KnowledgeBase;
use tempfile::TempDir;

use crate::{REPOSITORY, miniature_kb};

pub struct Workshop {
    pub kb: KnowledgeBase,
    pub folder: TempDir,
}

impl Workshop {
    pub fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let kb = KnowledgeBase::open_with_cache(miniature_kb(), folder.path().join("cache")).expect("the miniature");
        Self { kb, folder }
    }

    /// Writes a file in the folder.
    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }
}

/// Reads a sample file for imports.
pub fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new(REPOSITORY).join("src/acceptance/samples").join(name)).expect("a sample")
}
