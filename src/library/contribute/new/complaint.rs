//! What the check says of one key of a file that is being made.

use std::collections::BTreeMap;
use std::path::Path;

use crate::contribute::check::run_rules;
use crate::contribute::rule_interface::LintOptions;
use crate::model::{Diagnostic, Severity};
use crate::reading::{FileKind, KbFile, Loaded, kind_of, load_texts};

/// What is wrong with the value of a key in the text of a new file, in a sentence; `None` while it may be right.
pub fn complaint(catalog: &Loaded, path: &Path, text: &str, key: &str) -> Option<String> {
    let key = key.rsplit('.').next().unwrap_or(key);
    let found = check_file(catalog, path, text);
    found.into_iter().filter(|finding| finding.severity == Severity::Error).find_map(|finding| {
        let start = finding.primary.span.as_ref()?.start;
        let line = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let of_key = text[line..].strip_prefix(key)?.starts_with(" = ");
        of_key.then(|| {
            let parts = [Some(&finding.message), Some(&finding.primary.label), finding.help.as_ref()];
            let parts: Vec<&str> =
                parts.into_iter().flatten().map(String::as_str).filter(|part| !part.is_empty()).collect();
            parts.join("; ")
        })
    })
}

/// Everything that is wrong with one file beside those of the catalog.
fn check_file(catalog: &Loaded, path: &Path, text: &str) -> Vec<Diagnostic> {
    let own = KbFile { path: path.to_owned(), kind: kind_of(path), len: text.len() as u64, stamp: [0; 3] };
    let others = catalog.files.iter().map(|(file, _)| file).filter(|file| file.path != path);
    let files: Vec<KbFile> = others.cloned().chain([own]).collect();
    let texts: BTreeMap<&Path, &str> = catalog.files.iter().map(|(file, own)| (&*file.path, &*own.text)).collect();
    let loaded = load_texts(&files, |file| match &file.kind {
        FileKind::Misplaced(fault) => Err(fault.clone()),
        _ if file.path == path => Ok(text.to_owned()),
        _ => Ok(texts.get(&*file.path).map_or_else(String::new, |text| (*text).to_owned())),
    });
    let mut found = run_rules(&loaded, &LintOptions::default());
    found.retain(|finding| finding.primary.file.path == path);
    found
}
