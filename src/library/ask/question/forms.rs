//! The form of a device in words: `A100 SXM` is a family's name in the sources that say no more, and a person who says it means the
//! members of that form.

use super::error::QueryError;
use super::interpreter::Interpreter;
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// Forms in which one chip is sold, as they begin in ids.
const FORMS: &[&str] = &["pcie", "sxm", "nvl", "oam", "dgxs"];

impl Interpreter<'_> {
    /// The members of a family in the form that its name is said with, where it has such; else the family.
    pub(super) fn of_form(&self, text: &str, values: Vec<String>) -> Result<Vec<String>, QueryError> {
        let [family] = values.as_slice() else { return Ok(values) };
        let words = text.split(|c: char| !c.is_alphanumeric()).map(normalise);
        let Some(form) = words.into_iter().find(|word| FORMS.iter().any(|form| word.starts_with(form))) else {
            return Ok(values);
        };
        // A V100S is another product than a V100.
        let of_form = |id: &String| {
            let own = id.strip_prefix(family.as_str()).filter(|rest| rest.is_empty() || rest.starts_with('-'));
            own.is_some_and(|rest| rest.split('-').any(|part| part.starts_with(&form)))
        };
        let members = self.stores.database.descendants(EntityKind::Device, family)?;
        let of_form: Vec<String> = members.into_iter().filter(of_form).collect();
        Ok(if of_form.is_empty() { values } else { of_form })
    }
}
