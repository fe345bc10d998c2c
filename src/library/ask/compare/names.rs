//! Names by which users refer to axes, measures and criteria of a comparison.

use super::{CompareError, PivotAxis};
use crate::comparability::Criterion;
use crate::model::{Aspect, Measure, UnknownAspect};
use crate::values::text::{nearest, or_list, printable};

impl PivotAxis {
    /// The axis with this name.
    ///
    /// # Errors
    ///
    /// Fails if the name is unknown or refers to a measure.
    pub fn called(name: &str) -> Result<Self, CompareError> {
        if matches!(name.trim().to_lowercase().as_str(), "metric" | "metrics") {
            return Ok(Self::Metric);
        }
        match Aspect::called(name)? {
            Aspect::Metric(_) | Aspect::Derived(_) => Err(CompareError::request(
                format!("`{name}` is what is compared, not an axis of the comparison"),
                format!("--metric {name}"),
            )),
            aspect => Ok(Self::Aspect(aspect)),
        }
    }
}

/// The metric or derived measure with this name.
///
/// # Errors
///
/// Fails if the name is unknown or refers to something else.
pub fn measure_called(name: &str) -> Result<Measure, CompareError> {
    match Aspect::called(name)? {
        Aspect::Metric(metric) => Ok(Measure::Metric(metric)),
        Aspect::Derived(derived) => Ok(Measure::Derived(derived)),
        _ => {
            let measures = Aspect::all().filter(|a| matches!(a, Aspect::Metric(_) | Aspect::Derived(_)));
            Err(CompareError::request(
                format!("`{name}` is not a metric"),
                format!("there are {}", measures.map(Aspect::key).collect::<Vec<_>>().join(" ")),
            ))
        }
    }
}

/// The criterion with this name.
///
/// # Errors
///
/// Fails if the name is unknown.
pub fn criterion_called(name: &str) -> Result<Criterion, CompareError> {
    let by_heading = || match Aspect::named(name) {
        Some(Aspect::Field(field)) => Some(Criterion::Field(field)),
        _ => None,
    };
    Criterion::named(name).or_else(by_heading).ok_or_else(|| {
        let near = nearest(name, Criterion::all().map(Criterion::key), 3);
        let help = match near.as_slice() {
            [] => "any field of a measurement, class, division or source can be relaxed".to_owned(),
            near => format!("did you mean {}?", or_list(near)),
        };
        CompareError::request(format!("nothing is compared by `{}`", printable(name)), help)
    })
}

impl From<UnknownAspect> for CompareError {
    fn from(unknown: UnknownAspect) -> Self {
        Self::request(unknown.to_string(), unknown.help)
    }
}
