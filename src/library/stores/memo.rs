//! A cache in memory for look-ups in a store.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::Hash;

use xxhash_rust::xxh3::Xxh3DefaultBuilder;

/// Maximum number of entries; then the cache is cleared. A question needs some hundreds at most.
const MOST: usize = 4_096;

/// A cache for a store that does not change; also caches that nothing was found.
#[derive(Debug)]
pub(super) struct Memo<K, V>(RefCell<HashMap<K, V, Xxh3DefaultBuilder>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// The cached value, else the result of `look_up`.
    ///
    /// # Errors
    ///
    /// Errors of `look_up`, which are not cached.
    pub fn get_or<E>(&self, key: K, look_up: impl FnOnce(&K) -> Result<V, E>) -> Result<V, E> {
        if let Some(known) = self.0.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = look_up(&key)?;
        let mut memo = self.0.borrow_mut();
        if memo.len() >= MOST {
            memo.clear();
        }
        memo.insert(key, found.clone());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_looked_up_is_remembered_found_or_not_and_failures_are_not() {
        let memo: Memo<&str, Option<u8>> = Memo::default();
        let failed = |_: &_| Err("full");
        assert!(memo.get_or("v100", failed).is_err());
        assert_eq!(memo.get_or("v100", |_| Ok::<_, ()>(Some(7))).unwrap(), Some(7));
        assert_eq!(memo.get_or("of", |_| Ok::<_, ()>(None)).unwrap(), None);
        assert_eq!(memo.get_or("v100", failed).unwrap(), Some(7));
        assert_eq!(memo.get_or("of", failed).unwrap(), None);
    }

    #[test]
    fn it_forgets_before_it_grows() {
        let memo = Memo::default();
        for at in 0..3 * MOST {
            memo.get_or(at, |_| Ok::<_, ()>(())).unwrap();
            assert!(memo.0.borrow().len() <= MOST);
        }
    }
}
