//! Where an attack works: the miniature knowledge base with a cache, and files beside it.

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

    /// Writes a file beside the knowledge base.
    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }
}

/// A file of the samples of imports.
pub fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new(REPOSITORY).join("src/acceptance/samples").join(name)).expect("a sample")
}
