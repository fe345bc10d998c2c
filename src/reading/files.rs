//! Which files a knowledge base consists of.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use strum::VariantArray;

use super::ReadError;
use crate::values::text::nearest;
use crate::values::{EntityId, EntityKind};

/// A file of the knowledge base, as listed; nothing of it has been read yet.
#[derive(Debug, Clone)]
pub struct KbFile {
    /// Path relative to the knowledge base.
    pub path: PathBuf,
    /// What the place says that it holds.
    pub kind: FileKind,
    /// Bytes.
    pub len: u64,
    /// Changes whenever the file does: modification and change time (ns) and inode, as far as the system tells.
    pub stamp: [i128; 3],
}

/// What a file holds, told by its place alone.
#[derive(Debug, Clone)]
pub enum FileKind {
    /// `catalog/kb.toml`
    Info,
    /// `catalog/hardware-metrics.toml`
    HardwareMetrics,
    /// `catalog/framework-metrics.toml`
    FrameworkMetrics,
    /// `catalog/principles.toml`
    Principles,
    /// `catalog/<kind>/<id>.toml`
    Entity(EntityKind, EntityId),
    /// `catalog/collections/<name>.toml`
    Collection,
    /// `catalog/recipes/<source>.toml`: how the source's files are imported, which only an import reads
    Recipe,
    /// `measurements/<source>/<batch>.toml`
    Measurements(EntityId),
    /// A file that has no business where it is.
    Misplaced(FileFault),
}

/// What is wrong with a file as a file, whatever stands in it.
#[derive(Debug, Clone)]
pub struct FileFault {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// Lists the files of the knowledge base at `root`, sorted by path. Reads folders and file metadata only.
///
/// Hidden files and editors' backups (`.x`, `x~`) do not count.
///
/// # Errors
///
/// When `catalog/` or `measurements/` is missing or a folder cannot be listed.
pub fn list(root: &Path) -> Result<Vec<KbFile>, ReadError> {
    for folder in ["catalog", "measurements"] {
        if !root.join(folder).is_dir() {
            return Err(ReadError::NotAKnowledgeBase {
                path: root.to_owned(),
                why: format!("it has no folder {folder}/"),
            });
        }
    }
    let mut files = Vec::new();
    for top in entries(root, Path::new("catalog"))? {
        if top.meta.is_dir() {
            let kind = EntityKind::VARIANTS.iter().find(|kind| kind.plural() == top.name);
            for file in entries(root, &top.path)? {
                let kind = match kind {
                    _ if top.name == COLLECTIONS => {
                        file.is_toml().map_or_else(FileKind::Misplaced, |()| FileKind::Collection)
                    }
                    _ if top.name == RECIPES => file.is_toml().map_or_else(FileKind::Misplaced, |()| FileKind::Recipe),
                    Some(kind) => entity_file(*kind, &file),
                    None => FileKind::Misplaced(unknown_folder(&top.name)),
                };
                files.push(file.listed(kind));
            }
        } else {
            let kind = match (top.is_toml(), top.name.as_str()) {
                (Err(fault), _) => FileKind::Misplaced(fault),
                (_, "kb.toml") => FileKind::Info,
                (_, "hardware-metrics.toml") => FileKind::HardwareMetrics,
                (_, "framework-metrics.toml") => FileKind::FrameworkMetrics,
                (_, "principles.toml") => FileKind::Principles,
                _ => FileKind::Misplaced(FileFault {
                    message: "catalog/ has no such file".to_owned(),
                    help: "an entity goes into the folder of its kind, such as catalog/devices/".to_owned(),
                }),
            };
            files.push(top.listed(kind));
        }
    }
    for top in entries(root, Path::new("measurements"))? {
        if !top.meta.is_dir() {
            let kind = FileKind::Misplaced(FileFault {
                message: "a file of measurements belongs into the folder of its source".to_owned(),
                help: "move it to measurements/<source-id>/".to_owned(),
            });
            files.push(top.listed(kind));
            continue;
        }
        for file in entries(root, &top.path)? {
            let kind = match (file.is_toml(), top.name.parse()) {
                (Ok(()), Ok(source)) => FileKind::Measurements(source),
                (Err(misplaced), _) => FileKind::Misplaced(misplaced),
                (_, Err(_)) => FileKind::Misplaced(FileFault {
                    message: format!("the folder {:?} is no source id", top.name),
                    help: "a source id is the stem of a file in catalog/sources/".to_owned(),
                }),
            };
            files.push(file.listed(kind));
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The folder of the files that hold many small entries of one kind.
const COLLECTIONS: &str = "collections";

/// The folder of the recipes by which sources are imported.
const RECIPES: &str = "recipes";

struct DirEntry {
    path: PathBuf,
    name: String,
    meta: Metadata,
}

impl DirEntry {
    fn listed(self, kind: FileKind) -> KbFile {
        KbFile { kind, len: self.meta.len(), stamp: stamp(&self.meta), path: self.path }
    }

    fn is_toml(&self) -> Result<(), FileFault> {
        let message = if self.meta.is_dir() {
            "a folder stands where a file was expected"
        } else if !self.meta.is_file() {
            "not a regular file"
        } else if self.path.extension().is_none_or(|e| e != "toml") {
            "not a .toml file"
        } else {
            return Ok(());
        };
        Err(FileFault { message: message.to_owned(), help: "only .toml files belong here".to_owned() })
    }
}

/// The visible entries of a folder with the metadata of what they are (or link to), sorted by name.
fn entries(root: &Path, folder: &Path) -> Result<Vec<DirEntry>, ReadError> {
    let io = |path: PathBuf| move |source| ReadError::Io { path, source };
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(folder)).map_err(io(root.join(folder)))? {
        let entry = entry.map_err(io(root.join(folder)))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || name.ends_with('~') {
            continue;
        }
        let own = entry.metadata().map_err(io(entry.path()))?;
        // Of a link what it leads to counts; one that leads nowhere stays what it is, "not a regular file".
        let meta = if own.is_symlink() { fs::metadata(entry.path()).unwrap_or(own) } else { own };
        found.push(DirEntry { path: folder.join(entry.file_name()), name, meta });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn entity_file(kind: EntityKind, file: &DirEntry) -> FileKind {
    if let Err(misplaced) = file.is_toml() {
        return FileKind::Misplaced(misplaced);
    }
    let stem = file.name.trim_end_matches(".toml");
    match stem.parse() {
        Ok(id) => FileKind::Entity(kind, id),
        Err(error) => FileKind::Misplaced(FileFault {
            message: format!("the file's name {stem:?} is no id"),
            help: error.to_string(),
        }),
    }
}

fn unknown_folder(name: &str) -> FileFault {
    let kinds: Vec<&str> =
        EntityKind::VARIANTS.iter().map(|kind| kind.plural()).chain([COLLECTIONS, RECIPES]).collect();
    let near = nearest(name, kinds.iter().copied(), 1);
    FileFault {
        message: format!("catalog/ has no folder {name}/"),
        help: match near.first() {
            Some(near) => format!("did you mean catalog/{near}/?"),
            None => format!("the folders are {}", kinds.join(", ")),
        },
    }
}

#[cfg(unix)]
fn stamp(meta: &Metadata) -> [i128; 3] {
    use std::os::unix::fs::MetadataExt as _;
    let ns = |s: i64, ns: i64| i128::from(s) * 1_000_000_000 + i128::from(ns);
    [ns(meta.mtime(), meta.mtime_nsec()), ns(meta.ctime(), meta.ctime_nsec()), i128::from(meta.ino())]
}

#[cfg(not(unix))]
fn stamp(meta: &Metadata) -> [i128; 3] {
    let since = |time: std::io::Result<std::time::SystemTime>| {
        time.ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok()).map_or(0, |d| d.as_nanos() as i128)
    };
    [since(meta.modified()), since(meta.created()), 0]
}
