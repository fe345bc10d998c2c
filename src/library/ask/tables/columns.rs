//! The columns that a table of entities can have: the facts of their kind.

use crate::model::{Fact, FactEntity};
use crate::values::text::nearest;
use crate::values::text::normalise;

/// The column with this name; case, blanks and hyphens are ignored.
///
/// # Errors
///
/// Returns the keys nearest to the name, or all keys if none is near.
pub fn column_named<E: FactEntity>(name: &str) -> Result<Fact, Vec<&'static str>> {
    Fact::columns_of::<E>().find(|fact| is_called(*fact, name)).ok_or_else(|| {
        let keys = || Fact::columns_of::<E>().map(Fact::key);
        let near = nearest(&name.trim().to_lowercase(), keys(), 3);
        if near.is_empty() { keys().collect() } else { near }
    })
}

fn is_called(fact: Fact, name: &str) -> bool {
    let heading = fact.heading();
    let plain = heading.split_once(" [").map_or(heading, |(plain, _)| plain);
    [fact.key(), heading, plain].into_iter().any(|spelling| normalise(spelling) == normalise(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Dataset, Device, Framework, Network};

    fn each_is_found<E: FactEntity>() {
        for fact in Fact::columns_of::<E>() {
            assert_eq!(column_named::<E>(fact.key()), Ok(fact));
            assert_eq!(column_named::<E>(fact.heading()), Ok(fact));
        }
    }

    #[test]
    fn a_column_has_the_name_of_its_fact_or_of_its_heading() {
        each_is_found::<Framework>();
        each_is_found::<Device>();
        each_is_found::<Network>();
        each_is_found::<Dataset>();
        assert_eq!(column_named::<Device>("zebra").unwrap_err().len(), Fact::columns_of::<Device>().count());
        assert_eq!(column_named::<Device>("memorytyp").unwrap_err()[0], "memory-type");
        assert!(column_named::<Network>("memory").is_err(), "a network has none");
    }
}
