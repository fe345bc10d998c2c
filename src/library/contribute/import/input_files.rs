//! Finds the files that each part of a recipe reads.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

use super::error::ImportError;
use super::error::ImportRequest;
use crate::contribute::recipe::{Part, wildcard};

/// Pairs each part of the recipe with its files: those that match its pattern, sorted; or, of the files in the request,
/// those that fit the part best, in the given order. Omits parts without files. A part that finds no file in the folder
/// is an error, unless it is of a named format and another part finds some: such formats have several layouts.
pub(super) fn files_by_part<'r>(request: &ImportRequest<'r>) -> Result<Vec<(&'r Part, Vec<PathBuf>)>, ImportError> {
    let parts = &request.recipe.table;
    if request.files.is_empty() {
        let mut found = Vec::new();
        for part in parts {
            found.push((part, matching_files(request.folder, part)?));
        }
        let may_lack = !request.is_own_recipe && found.iter().any(|(_, files)| !files.is_empty());
        return match found.iter().find(|(_, files)| files.is_empty()) {
            Some((part, _)) if !may_lack => {
                Err(ImportError::NoFiles { folder: request.folder.to_owned(), pattern: part.files.clone() })
            }
            _ => Ok(found.into_iter().filter(|(_, files)| !files.is_empty()).collect()),
        };
    }
    let one = parts.iter().all(|part| part.files == parts[0].files);
    let mut chosen: Vec<(&str, &PathBuf)> = Vec::new();
    for path in request.files {
        let pattern = if one { parts.first().map(|part| part.files.as_str()) } else { best_pattern(parts, path)? };
        let patterns = || parts.iter().map(|part| part.files.clone()).collect();
        let pattern = pattern.ok_or_else(|| ImportError::NotOfFormat { path: path.clone(), patterns: patterns() })?;
        chosen.push((pattern, path));
    }
    let files = |part: &Part| {
        let of_part = chosen.iter().filter(|(pattern, _)| *pattern == part.files);
        of_part.map(|(_, path)| (*path).clone()).collect::<Vec<PathBuf>>()
    };
    Ok(parts.iter().map(|part| (part, files(part))).filter(|(_, files)| !files.is_empty()).collect())
}

/// The longest pattern that matches the path including folders; otherwise the shortest that matches the file name alone.
fn best_pattern<'p>(parts: &'p [Part], path: &Path) -> Result<Option<&'p str>, ImportError> {
    let whole = path.to_string_lossy().replace('\\', "/");
    let ends: Vec<&str> =
        std::iter::once(whole.as_str()).chain(whole.match_indices('/').map(|(at, _)| &whole[at + 1..])).collect();
    let mut best: Option<(bool, isize, &str)> = None;
    for part in parts {
        let name = part.files.rsplit('/').next().unwrap_or(&part.files);
        let fits = |pattern: &Regex| ends.iter().any(|end| pattern.is_match(end));
        let folders = fits(&wildcard(&part.files)?);
        if folders || wildcard(name)?.is_match(ends[ends.len() - 1]) {
            // A bare file name says nothing about folders, so the shortest pattern wins.
            let length = part.files.len() as isize;
            best = best.max(Some((folders, if folders { length } else { -length }, &part.files)));
        }
    }
    Ok(best.map(|(_, _, pattern)| pattern))
}

/// The files that match a part's pattern, sorted.
fn matching_files(folder: &Path, part: &Part) -> Result<Vec<PathBuf>, ImportError> {
    let pattern = wildcard(&part.files)?;
    let excluded = part.exclude.iter().map(|files| wildcard(files)).collect::<Result<Vec<_>, _>>()?;
    let mut found = Vec::new();
    walk(folder, &mut |path| {
        let relative = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
        if pattern.is_match(&relative) && !excluded.iter().any(|pattern| pattern.is_match(&relative)) {
            found.push(path.to_owned());
        }
    })?;
    found.sort();
    Ok(found)
}

/// Visits all files below a folder. Skips links that lead out of the folder: what lies there is not part of the
/// published data.
fn walk(folder: &Path, visit: &mut impl FnMut(&Path)) -> Result<(), ImportError> {
    let top = fs::canonicalize(folder).map_err(|error| ImportError::Io { path: folder.to_owned(), error })?;
    walk_below(&top, folder, visit)
}

fn walk_below(top: &Path, folder: &Path, visit: &mut impl FnMut(&Path)) -> Result<(), ImportError> {
    let io = |error| ImportError::Io { path: folder.to_owned(), error };
    for entry in fs::read_dir(folder).map_err(io)? {
        let entry = entry.map_err(io)?;
        let kind = entry.file_type().map_err(io)?;
        let path = entry.path();
        if kind.is_dir() {
            walk_below(top, &path, visit)?;
        } else if !kind.is_symlink() || fs::canonicalize(&path).is_ok_and(|target| target.starts_with(top)) {
            visit(&path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contribute::recipe::Recipe;

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let place = tempfile::TempDir::new().unwrap();
        let folder = place.path().join("published");
        fs::create_dir_all(folder.join("below")).unwrap();
        fs::write(place.path().join("secret.csv"), "a").unwrap();
        fs::write(folder.join("below/own.csv"), "a").unwrap();
        for (link, target) in [("out.csv", "../secret.csv"), ("in.csv", "below/own.csv"), ("up", "..")] {
            std::os::unix::fs::symlink(target, folder.join(link)).unwrap();
        }
        let mut found = Vec::new();
        walk(&folder, &mut |path| found.push(path.strip_prefix(&folder).unwrap().to_owned())).unwrap();
        found.sort();
        assert_eq!(found, [Path::new("below/own.csv"), Path::new("in.csv")]);
    }

    #[test]
    fn a_named_file_goes_to_the_most_exact_pattern() {
        let part =
            |files: &str| format!("[[table]]\nfiles = \"{files}\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\n");
        let text = [part("csv/speed-*.csv"), part("old/csv/speed-*.csv"), part("**/other.json")].concat();
        let recipe = Recipe::parse(&text).unwrap();
        let fits = |path: &str| best_pattern(&recipe.table, Path::new(path)).unwrap();
        assert_eq!(fits("/x/csv/speed-1.csv"), Some("csv/speed-*.csv"));
        assert_eq!(fits("/x/old/csv/speed-1.csv"), Some("old/csv/speed-*.csv"));
        assert_eq!(fits("speed-1.csv"), Some("csv/speed-*.csv"));
        assert_eq!((fits("a/other.json"), fits("a/b.json")), (Some("**/other.json"), None));
    }
}
