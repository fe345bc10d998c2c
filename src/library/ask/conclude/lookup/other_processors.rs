//! The other processors of a chip that is named: the signal processor, the GPU and the NPU of a Snapdragon are entities of their
//! own, and rows of the chip's name are of its CPU.

use super::less::{place_of, replaced};
use crate::ask::conclude::basis::wording::Names;
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Device, Facet, Field};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::HardwareClass;

/// The question about the other processors of the one chip that it names by its CPU; `None` where nothing of these was measured.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn about_others(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Question>, QueryError> {
    let Some(at) = place_of(question, Field::Device) else { return Ok(None) };
    let [reading] = question.clauses[at].readings.as_slice() else { return Ok(None) };
    let [id] = reading.read_as.values.as_slice() else { return Ok(None) };
    let of_class = question.clauses.iter().any(|clause| clause.plain_kind() == Some(Facet::Class.key()));
    let device = stores.database.entity::<Device>(id)?;
    let Some(chip) = device.filter(|device| device.class == HardwareClass::Cpu && !of_class) else { return Ok(None) };
    // Their names say whose they are: `Hexagon 698 (signal processor of the Snapdragon 865)`.
    let called = Names::default().of(Aspect::Field(Field::Device), &chip.id.to_string(), stores)?;
    let mut others: Vec<String> = Vec::new();
    for name in stores.database.names_like(&format!("*of the {called}"))? {
        if name.facet == Facet::Device && !others.contains(&name.value) {
            others.push(name.value);
        }
    }
    if others.is_empty() {
        return Ok(None);
    }
    let about = replaced(question, &[at], Condition::Facet(Facet::Device, others));
    let rows = stores.index.count(DocumentKind::Measurement, &about.condition_without(None))?;
    Ok((rows > 0).then_some(about))
}
