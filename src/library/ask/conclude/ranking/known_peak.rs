//! Of which peak a row reached a share: who says fp32 of a device with TF32 units may have run on either, so that the share is not
//! known.

use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::QueryError;
use crate::model::{Aspect, Fact, Field};
use crate::stores::Stores;
use crate::values::{EntityKind, Precision};

/// Takes back the shares of rows of which it is not known which peak they are of.
pub(super) fn of_known_peak(
    stores: &Stores,
    values: &SharedValues,
    hits: &HitColumns,
    shares: &[f64],
) -> Result<Vec<f64>, QueryError> {
    let faster = stores.database.entities_with(EntityKind::Device, Fact::PeakTf32Tensor.key(), |_| true)?;
    let full = Precision::Fp32.to_string();
    let is_known = |hit: usize| {
        let parts = hits.parts(hit);
        let precision = values.text(Aspect::Field(Field::Precision), &parts);
        let device = values.text(Aspect::Field(Field::Device), &parts);
        precision != Some(full.as_str()) || device.is_none_or(|device| !faster.contains(device))
    };
    Ok(shares.iter().enumerate().map(|(hit, share)| if is_known(hit) { *share } else { f64::NAN }).collect())
}
