//! Which columns the numbers of an answer can have, in which order, and how each is said when it does not vary.

use std::collections::BTreeSet;

use strum::VariantArray as _;

use crate::model::{Aspect, Field, Metric, Tier};
use crate::rows::JoinedRow;

/// The metrics that any of the measurements has.
pub(super) fn metrics_of(measurements: &[&JoinedRow]) -> Vec<Metric> {
    let present = |metric: &Metric| measurements.iter().any(|m| m.metric(*metric).is_some());
    Metric::VARIANTS.iter().copied().filter(present).collect()
}

/// When a column gives way; `None` when it stays.
pub(super) fn rank(aspect: Aspect) -> Option<u8> {
    match aspect {
        // The id goes after all others: it is what is cited.
        Aspect::Id => Some(u8::MAX),
        Aspect::Field(field) => field.gives_way(),
        _ => None,
    }
}

/// Whether rows that differ in it are not to be taken as alike.
pub(super) fn tells_apart(aspect: Aspect) -> bool {
    match aspect {
        Aspect::Field(Field::Statistic) => true,
        Aspect::Field(field) => matches!(field.tier(), Tier::Identity | Tier::Axis),
        _ => false,
    }
}

/// What goes without saying when all rows share it.
pub(super) fn silent(aspect: Aspect, value: &str) -> bool {
    match aspect {
        Aspect::Field(field) => !field.is_shown_alike(value),
        _ => false,
    }
}

/// `images/s` where all rows count the same thing.
pub(super) fn metric_heading(metric: Metric, counts: &BTreeSet<Option<&str>>) -> String {
    let counted: Vec<&&str> = counts.iter().flatten().collect();
    let of_one = match counted.as_slice() {
        [one] => metric.heading_of(one),
        _ => None,
    };
    of_one.unwrap_or_else(|| metric.heading().to_owned())
}
