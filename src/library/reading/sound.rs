//! What of a knowledge base can be asked while some of its files have mistakes.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::ReadError;
use super::files::{self, FileFault, FileKind, KbFile};
use super::load::{Loaded, knowledge, load, load_texts};
use super::located::Located;
use crate::model::{Catalog, Diagnostic, Field, Knowledge, Measurement, SkippedFile};
use crate::values::EntityKind;

/// Reads the listed files of the knowledge base at `root` but for those with mistakes, which
/// [`Knowledge::skipped`] names. Measurements of what a file with mistakes describes are left out with it.
///
/// # Errors
///
/// When `catalog/kb.toml` is missing or has a mistake: then nothing says what the rest means.
pub fn read_sound(root: &Path, files: &[KbFile]) -> Result<Knowledge, ReadError> {
    let mut loaded = load(root, files);
    if loaded.findings.is_empty() {
        return knowledge(loaded, root);
    }
    let info = files.iter().find(|file| matches!(file.kind, FileKind::Info)).map(|file| &file.path);
    if info.is_some_and(|info| loaded.findings.iter().any(|finding| finding.primary.file.path == *info)) {
        return Err(ReadError::Findings(loaded.findings));
    }
    let mut skipped: BTreeMap<PathBuf, SkippedFile> = BTreeMap::new();
    // Without one file another may have a mistake: an entry that stood twice stands once, and says something else.
    loop {
        let new = loaded.findings.iter().filter(|finding| !skipped.contains_key(&finding.primary.file.path));
        let new: Vec<(PathBuf, SkippedFile)> =
            new.map(|finding| (finding.primary.file.path.clone(), skipped_for(finding))).collect();
        if new.is_empty() {
            break;
        }
        // The first mistake of a file is told.
        for (path, file) in new {
            skipped.entry(path).or_insert(file);
        }
        loaded = load_texts(files, |file| match skipped.contains_key(&file.path) {
            true => Err(FileFault { message: String::new(), help: String::new() }),
            false => files::text(root, file),
        });
    }
    loaded.findings.clear();
    leave_out_orphans(&mut loaded, files, &mut skipped);
    let mut knowledge = knowledge(loaded, root)?;
    knowledge.skipped = skipped.into_values().collect();
    Ok(knowledge)
}

fn skipped_for(finding: &Diagnostic) -> SkippedFile {
    let file = &finding.primary.file;
    SkippedFile {
        path: file.path.display().to_string(),
        line: finding.primary.span.as_ref().map(|span| file.position(span.start).0),
        why: finding.message.clone(),
        measurements: 0,
    }
}

/// Takes out the measurements that name an entity which nothing describes, and counts them with the file that should.
fn leave_out_orphans(loaded: &mut Loaded, files: &[KbFile], skipped: &mut BTreeMap<PathBuf, SkippedFile>) {
    let mut orphans: HashMap<(EntityKind, String), usize> = HashMap::new();
    let catalog = &loaded.catalog;
    loaded.rows.retain(|row| match undescribed(catalog, row) {
        Some(entity) => {
            *orphans.entry(entity).or_default() += 1;
            false
        }
        None => true,
    });
    for ((kind, id), rows) in orphans {
        let describes =
            |file: &&KbFile| matches!(&file.kind, FileKind::Entity(of, own) if *of == kind && own.as_str() == id);
        let is_collection =
            |file: &&KbFile| matches!(file.kind, FileKind::Collection) && skipped.contains_key(&file.path);
        let file = files.iter().find(describes).or_else(|| files.iter().find(is_collection));
        if let Some(file) = file.and_then(|file| skipped.get_mut(&file.path)) {
            file.measurements += rows;
        }
    }
}

/// What the measurement names and the catalog does not have.
fn undescribed(catalog: &Catalog, row: &Located<Measurement>) -> Option<(EntityKind, String)> {
    let row = row.get();
    let named = Field::of_entities().filter_map(|(field, kind)| Some((kind, row.text(field)?)));
    let mut all = named.chain([(EntityKind::Source, row.source().as_str())]);
    let missing = all.find(|(kind, id)| !id.parse().is_ok_and(|id| catalog.contains(*kind, &id)));
    missing.map(|(kind, id)| (kind, id.to_owned()))
}
