//! The entities of which the catalog states a fact, and in which words.

use std::collections::BTreeSet;

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use crate::model::{Dataset, Device, Fact, FactEntity, Framework, Network, Value};
use crate::stores::database::StoredKind;
use crate::values::EntityKind;

impl Interpreter<'_> {
    /// The entities of which the catalog states a fact, by themselves or by a relative.
    pub(super) fn having(&self, fact: Fact, text: &str) -> Result<Clause, QueryError> {
        // A peak of matrix units says that there are some.
        let peaks = Fact::filters().filter(|one| fact == Fact::TensorCores && one.key().ends_with("-tensor"));
        let mut own = self.stores.database.entities_with(fact.kind(), fact.key(), |_| true)?;
        for peak in peaks {
            own.extend(self.stores.database.entities_with(fact.kind(), peak.key(), |_| true)?);
        }
        // What a family states holds for its members, and what a member states for the family.
        let mut stating: BTreeSet<String> = BTreeSet::new();
        for id in own {
            stating.extend(self.stores.database.ancestors(fact.kind(), &id)?);
            stating.extend(self.stores.database.descendants(fact.kind(), &id)?);
            stating.insert(id);
        }
        let condition = self.naming(fact.kind(), stating.into_iter().collect())?;
        let filter = format!("{}>=0", fact.key());
        Ok(Clause::of(text, fact.key(), vec![">=0".to_owned()], filter, condition))
    }

    /// The words that each entity of a kind states of a fact.
    pub(super) fn words_stated(&self, kind: EntityKind, fact: Fact) -> Result<Vec<(String, Vec<String>)>, QueryError> {
        match kind {
            EntityKind::Framework => self.stated_by::<Framework>(fact),
            EntityKind::Device => self.stated_by::<Device>(fact),
            EntityKind::Network => self.stated_by::<Network>(fact),
            EntityKind::Dataset => self.stated_by::<Dataset>(fact),
            EntityKind::Source | EntityKind::HardwareClass => Ok(Vec::new()),
        }
    }

    fn stated_by<E: FactEntity + StoredKind>(&self, fact: Fact) -> Result<Vec<(String, Vec<String>)>, QueryError> {
        let Some(read) = E::reader(fact) else { return Ok(Vec::new()) };
        let entities: Vec<E> = self.stores.database.entities()?;
        let words = |entity: &E| read(entity).iter().map(Value::to_string).collect();
        Ok(entities.iter().map(|entity| (entity.id().to_owned(), words(entity))).collect())
    }

    pub(super) fn of_entities(
        &self,
        kind: EntityKind,
        fact: Fact,
        word: &str,
        values: &str,
        ids: BTreeSet<String>,
    ) -> Result<Clause, QueryError> {
        let condition = self.naming(kind, ids.into_iter().collect())?;
        let (text, filter) = (format!("{} {word}", fact.key()), format!("{}:{values}", fact.key()));
        Ok(Clause::of(&text, fact.key(), vec![word.to_owned()], filter, condition))
    }
}
