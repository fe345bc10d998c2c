//! The sources that are called as something else is: a framework's own benchmark may name another framework in its rows.

use crate::ask::question::QueryError;
use crate::model::{Facet, Lookup as _};
use crate::stores::Stores;
use crate::values::spelling::normalise;

/// The sources whose id is that of an entity, alone or with a year behind it: `mxnet-2023`, but not `tensorrt-llm-2025` for
/// TensorRT.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn sources_called(stores: &Stores, id: &str) -> Result<Vec<String>, QueryError> {
    let mut sources: Vec<String> = Vec::new();
    for name in stores.database.beginning(&normalise(id))? {
        let is_called = name.facet == Facet::Source && name.value.strip_prefix(id).is_some_and(is_year_or_nothing);
        if is_called && !sources.contains(&name.value) {
            sources.push(name.value);
        }
    }
    sources.sort_unstable();
    Ok(sources)
}

/// Whether what stands behind the name of an entity is a year or nothing.
fn is_year_or_nothing(rest: &str) -> bool {
    let year = rest.strip_prefix('-');
    rest.is_empty() || year.is_some_and(|year| year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_may_stand_behind_the_name_and_nothing_else() {
        assert!(is_year_or_nothing("") && is_year_or_nothing("-2025"));
        assert!(!is_year_or_nothing("-llm-2025") && !is_year_or_nothing("-25") && !is_year_or_nothing("2"));
    }
}
