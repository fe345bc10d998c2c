//! The names nearest to a word, for whoever asks what was meant.

use crate::model::{Lookup, Name};
use crate::values::spelling::normalise;
use crate::values::text::nearest;

/// Nothing is called by a longer name, in bytes.
const LONGEST_NAME: usize = 200;

/// The names nearest to a word, best first.
///
/// # Errors
///
/// When the lookup fails.
pub fn nearest_names<L: Lookup>(word: &str, names: &L, limit: usize) -> Result<Vec<Name>, L::Error> {
    let normal = normalise(word);
    if normal.len() > LONGEST_NAME {
        return Ok(Vec::new());
    }
    let all = names.all()?;
    let candidates = all.iter().map(|name| name.normal.as_str()).filter(|name| digits(name).eq(digits(&normal)));
    let near = nearest(&normal, candidates, limit);
    Ok(near.into_iter().filter_map(|near| all.iter().find(|name| name.normal == near).cloned()).collect())
}

/// Digits must agree for one name to be a slip of another: `v10` is no slip of `v100`.
fn digits(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(char::is_ascii_digit)
}
