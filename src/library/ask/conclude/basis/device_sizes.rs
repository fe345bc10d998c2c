//! Devices of one size: a board for a server and a module that shares its memory with a CPU are no two generations of one thing.

use super::limits_of_devices::LimitsOfDevices;
use super::matched_pairs::MatchedPair;
use crate::ask::hits::SharedValues;
use crate::ask::question::QueryError;
use crate::model::physics::DeviceLimits;
use crate::model::{Aspect, Field};
use crate::stores::Stores;

/// Devices of one size draw no more than so many times as much as the other.
const MOST_POWER: f64 = 2.0;

/// Where their power is not known, their memory is no more than so many times as fast: a generation doubles it at most, and
/// boards of one generation differ by as much.
const MOST_BANDWIDTH: f64 = 4.0;

/// The pairs whose devices are of one size; all of them where none are, and whether any were left out.
pub(in crate::ask::conclude) fn of_one_size(
    stores: &Stores,
    values: &SharedValues,
    pairs: Vec<MatchedPair>,
) -> Result<(Vec<MatchedPair>, SizeOfDevices), QueryError> {
    let device = Aspect::Field(Field::Device);
    let mut limits = LimitsOfDevices::new(stores);
    let mut alike = Vec::with_capacity(pairs.len());
    for pair in &pairs {
        let both = [&pair.subject.parts, &pair.baseline.parts].map(|parts| values.text(device, parts));
        for id in both.iter().flatten() {
            limits.load(id)?;
        }
        let [own, other] = both.map(|id| limits.get(id?));
        alike.push(own.zip(other).is_some_and(|(own, other)| are_alike(own, other)));
    }
    match alike.iter().filter(|alike| **alike).count() {
        0 => Ok((pairs, SizeOfDevices::Any)),
        all if all == pairs.len() => Ok((pairs, SizeOfDevices::One)),
        _ => {
            let kept = pairs.into_iter().zip(alike).filter(|(_, alike)| *alike).map(|(pair, _)| pair);
            Ok((kept.collect(), SizeOfDevices::One))
        }
    }
}

/// Which devices pairs are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ask::conclude) enum SizeOfDevices {
    /// Of one size in each pair.
    One,
    /// Of any: none are known to be of one.
    Any,
}

impl SizeOfDevices {
    /// What is said of the pairs.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::One => {
                "Paired are devices of one size: of about the same power (by a factor of 2 at most), else memory bandwidth."
            }
            Self::Any => "Devices of every size are in these means.",
        }
    }
}

/// Whether two devices are of one size: by their power, else by the bandwidth of their memory; not where neither is known.
fn are_alike(one: &DeviceLimits, other: &DeviceLimits) -> bool {
    let within = |a: Option<f64>, b: Option<f64>, most: f64| a.zip(b).map(|(a, b)| a.max(b) <= most * a.min(b));
    let by_power = within(one.tdp_w, other.tdp_w, MOST_POWER);
    by_power.or_else(|| within(one.bandwidth, other.bandwidth, MOST_BANDWIDTH)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_decides_and_bandwidth_where_it_is_not_known() {
        let device = |tdp_w: Option<f64>, bandwidth: Option<f64>| {
            let mut limits = DeviceLimits::default();
            (limits.tdp_w, limits.bandwidth) = (tdp_w, bandwidth);
            limits
        };
        let (server, card) = (device(Some(400.0), Some(1555.0)), device(Some(250.0), Some(900.0)));
        let module = device(None, Some(137.0));
        assert!(are_alike(&server, &card));
        assert!(!are_alike(&server, &module) && !are_alike(&card, &module));
        assert!(!are_alike(&device(Some(70.0), Some(320.0)), &server));
        assert!(!are_alike(&device(None, None), &server), "unknown is never equal");
    }
}
