//! What the sizes of a data set are of, where its entry says it: the images by which networks are judged are often those of the
//! validation set.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::question::{Quantity, Wanted};
use crate::model::{Dataset, Facet, Fact};

impl Interpreter<'_> {
    /// Says first what the size of a test is, where that is asked for and the entry says it.
    pub(super) fn tell_what_sizes_are(&self, wanted: &mut Wanted, named: &[String]) -> Result<(), QueryError> {
        if !wanted.quantities.contains(&Quantity::Fact(Fact::TestSize)) {
            return Ok(());
        }
        for id in named {
            let Some(dataset) = self.stores.database.entity::<Dataset>(id)? else { continue };
            let notes = dataset.notes.unwrap_or_default();
            let key = Fact::TestSize.file_key();
            let said = notes.split(". ").find(|sentence| sentence.contains(key));
            wanted.leads.extend(said.map(|said| {
                let said = said.trim().trim_end_matches('.').replace(key, "the number of test samples told");
                format!("Of {}: {said}.", dataset.name)
            }));
        }
        Ok(())
    }

    /// The data sets that the clauses of a question name.
    pub(super) fn datasets_named(clauses: &[super::clause::Clause]) -> Vec<String> {
        let readings = clauses.iter().filter(|clause| !clause.is_excluded()).flat_map(|clause| &clause.readings);
        let of_data = readings.filter(|reading| reading.read_as.facet == Facet::Dataset.key());
        of_data.flat_map(|reading| reading.read_as.values.iter().cloned()).collect()
    }
}
