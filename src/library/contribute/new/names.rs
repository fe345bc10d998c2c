//! The names in a new measurement: spellings of entities become their ids, and stay beside them.

use super::draft::Draft;
use super::error::NewError;
use crate::model::{Facet, Field};
use crate::reading::Loaded;
use crate::stores::database::Database;
use crate::stores::{catalog_store, resolve_spelling};

/// Reads names against the catalog, whatever is wrong with other files.
pub(super) struct NameReader(Database);

impl NameReader {
    pub fn of(loaded: &Loaded) -> Result<Self, NewError> {
        Ok(Self(catalog_store(&loaded.catalog)?))
    }

    /// The id that a name leads to.
    pub fn id(&self, facet: Facet, name: &str) -> Result<String, String> {
        let resolved = resolve_spelling(&self.0, facet, name).map_err(|error| error.to_string())?;
        resolved.entity().map(str::to_owned).ok_or_else(|| format!("`{name}`: {}", resolved.why))
    }

    /// Puts ids in the place of names; what a name says besides (a version, a count) is stated, too.
    pub fn read(&self, draft: &mut Draft) -> Result<(), NewError> {
        for (field, kind) in Field::of_entities() {
            let Some(spelling) = draft.values.get(field.key()).cloned() else { continue };
            let resolved = resolve_spelling(&self.0, Facet::of_entities(kind), &spelling)?;
            let [id] = resolved.ids.as_slice() else {
                return Err(NewError::request(
                    format!("`{}` is no {} of the catalog: {}", spelling, kind.noun(), resolved.why),
                    format!("`dlbench list {}` lists them, `dlbench new {kind}` makes one", kind.plural()),
                ));
            };
            if resolved.entity().is_none() {
                return Err(NewError::request(format!("`{spelling}`: {}", resolved.why), "name the id"));
            }
            if *id != spelling {
                draft.values.insert(field.key().to_owned(), id.clone());
                if let Some(raw) = field.raw() {
                    draft.values.entry(raw.key().to_owned()).or_insert(spelling);
                }
            }
            if let (Some(field), Some(version)) = (field.version(), resolved.version) {
                draft.values.entry(field.key().to_owned()).or_insert(version);
            }
            for (of_name, format) in [
                (Field::WeightFormat, resolved.weight_format),
                (Field::ActivationFormat, resolved.activation_format),
                (Field::Quantization, resolved.quantization),
            ] {
                if let Some(format) = format.filter(|_| field == Field::Network) {
                    draft.values.entry(of_name.key().to_owned()).or_insert(format);
                }
            }
            if field == Field::Device
                && let Some(count) = resolved.count
            {
                draft.values.entry(Field::DeviceCount.key().to_owned()).or_insert(count.to_string());
            }
        }
        Ok(())
    }
}
