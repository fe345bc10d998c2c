//! Names that were looked up before: the readers of a question look for the same words again and again, and another question has
//! some of them, too.

use std::cell::RefCell;
use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use crate::model::Name;

/// So many spellings are remembered; then it begins anew. A question looks for some hundreds at most.
const MOST: usize = 4_096;

/// What spellings are the names of, also those that are of nothing.
#[derive(Debug, Default)]
pub(super) struct NameMemo(RefCell<HashMap<String, Vec<Name>, Xxh3DefaultBuilder>>);

impl NameMemo {
    /// The names of a spelling: as they are remembered, else as `look_up` finds them.
    ///
    /// # Errors
    ///
    /// Those of `look_up`, which are not remembered.
    pub fn names<E>(&self, normal: &str, look_up: impl FnOnce() -> Result<Vec<Name>, E>) -> Result<Vec<Name>, E> {
        if let Some(known) = self.0.borrow().get(normal) {
            return Ok(known.clone());
        }
        let found = look_up()?;
        let mut memo = self.0.borrow_mut();
        if memo.len() >= MOST {
            memo.clear();
        }
        memo.insert(normal.to_owned(), found.clone());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Facet, NameKind};

    fn name(of: &str) -> Name {
        Name { normal: of.to_owned(), facet: Facet::Device, value: of.to_owned(), kind: NameKind::Exact }
    }

    fn found(names: Vec<Name>) -> Result<Vec<Name>, &'static str> {
        Ok(names)
    }

    #[test]
    fn what_was_looked_up_is_remembered_found_or_not_and_failures_are_not() {
        let memo = NameMemo::default();
        let failed = || Err("full");
        assert!(memo.names("v100", failed).is_err());
        assert_eq!(memo.names("v100", || found(vec![name("v100")])).unwrap(), [name("v100")]);
        assert_eq!(memo.names("of", || found(Vec::new())).unwrap(), []);
        assert_eq!(memo.names("v100", failed).unwrap(), [name("v100")]);
        assert_eq!(memo.names("of", failed).unwrap(), []);
    }

    #[test]
    fn it_forgets_before_it_grows() {
        let memo = NameMemo::default();
        for at in 0..3 * MOST {
            memo.names(&at.to_string(), || found(Vec::new())).unwrap();
            assert!(memo.0.borrow().len() <= MOST);
        }
    }
}
