//! Which names of files an archive may hold: what is unpacked lies in a knowledge base, and is called alike on every system.

use crate::FOLDERS;
use crate::limits::MOST_BELOW;

/// Whether a path leads into one of the folders, by plain names that are the same on every system.
pub(crate) fn is_of_a_base(path: &str) -> bool {
    let mut parts = path.split('/');
    let is_below = parts.next().is_some_and(|first| FOLDERS.contains(&first));
    is_below && (1..=MOST_BELOW).contains(&parts.clone().take(MOST_BELOW + 1).count()) && parts.all(is_plain)
}

/// Whether a name is the same on every system, and is not hidden.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && name.chars().all(|c| !c.is_control() && !matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|'))
}
