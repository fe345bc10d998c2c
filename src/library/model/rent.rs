//! The rent of a device: its cheapest recent offer.

use std::collections::BTreeMap;

use super::{Catalog, CloudOffer, Rent};
use crate::values::{Decimal, EntityId};

/// Offers that are older than the newest one by more than this are ignored.
const RECENT_MONTHS: u32 = 12;

/// Significant digits of a price per device.
const DIGITS: u8 = 3;

impl Rent {
    fn of(device: &EntityId, offer: &CloudOffer) -> Option<Self> {
        let devices = offer.devices.filter(|devices| *devices > 0)?;
        let price = offer.usd_per_hour.filter(|price| price.value() > 0.0)?;
        let usd_per_hour = if devices == 1 { price } else { Decimal::derived(price.value() / devices as f64, DIGITS)? };
        Some(Self {
            usd_per_hour,
            device: device.clone(),
            provider: offer.provider.clone(),
            instance: offer.instance.clone(),
            as_of: offer.as_of,
            source: offer.source.clone(),
        })
    }
}

impl Catalog {
    /// Finds the rent of each device. An offer of "an A100" means one of its members, so members also use offers of
    /// their family, and a family without offers uses those of its members.
    pub fn find_rents(&mut self) {
        let mut of_members: BTreeMap<EntityId, Vec<Rent>> = BTreeMap::new();
        let own = |id: &EntityId| -> Vec<Rent> {
            self.devices
                .get(id)
                .into_iter()
                .flat_map(|device| device.cloud.iter().filter_map(|offer| Rent::of(id, offer)))
                .collect()
        };
        let lineages: Vec<Vec<EntityId>> = self.devices.keys().map(|id| self.device_lineage(id)).collect();
        for lineage in &lineages {
            for family in &lineage[1..] {
                of_members.entry(family.clone()).or_default().extend(own(&lineage[0]));
            }
        }
        let found: Vec<(EntityId, Rent)> = lineages
            .iter()
            .filter_map(|lineage| {
                let of_lineage: Vec<Rent> = lineage.iter().flat_map(own).collect();
                let offers = if of_lineage.is_empty() { of_members.remove(&lineage[0])? } else { of_lineage };
                Some((lineage[0].clone(), cheapest(offers)?))
            })
            .collect();
        for (id, rent) in found {
            self.devices.entry(id).and_modify(|device| device.rent = Some(rent));
        }
    }
}

/// The cheapest of the recent offers; offers without a date count as recent.
fn cheapest(offers: Vec<Rent>) -> Option<Rent> {
    let newest = offers.iter().filter_map(|offer| offer.as_of).max();
    let is_recent =
        |offer: &Rent| offer.as_of.zip(newest).is_none_or(|(as_of, newest)| newest.months_from(as_of) <= RECENT_MONTHS);
    let recent = offers.into_iter().filter(is_recent);
    recent.min_by(|a, b| a.usd_per_hour.value().total_cmp(&b.usd_per_hour.value()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Device;

    fn device(id: &str, family: Option<&str>, offers: &[(&str, i64, f64, Option<&str>)]) -> (EntityId, Device) {
        let offer = |(instance, devices, price, as_of): &(&str, i64, f64, Option<&str>)| {
            serde_json::json!({ "provider": "Hill", "instance": instance, "devices": devices, "usd_per_hour": price,
                                "as_of": as_of, "source": "x" })
        };
        let cloud: Vec<_> = offers.iter().map(offer).collect();
        let body = serde_json::json!({
            "id": id, "name": id, "aliases": [], "class": "gpu", "pci_ids": [], "peak_tflops": {}, "sources": [],
            "reported": {}, "variant_of": family, "cloud": cloud
        });
        (id.parse().unwrap(), serde_json::from_value(body).unwrap())
    }

    #[test]
    fn the_rent_is_the_cheapest_recent_offer_of_the_device_or_its_family() {
        let devices = [
            device("nova", None, &[("n.1", 1, 0.9, Some("2025-03"))]),
            device("nova-40", Some("nova"), &[("n.8", 8, 32.0, Some("2022-08"))]),
            device("nova-80", Some("nova"), &[("n.2", 2, 1.2, Some("2024-06"))]),
            device("core", None, &[]),
            device("core-1", Some("core"), &[("c.1", 1, 0.5, None), ("c.2", 1, 0.7, Some("2025"))]),
            device("ember", None, &[]),
        ];
        let mut catalog = Catalog { devices: devices.into(), ..Catalog::default() };
        catalog.find_rents();
        let rent = |id: &str| {
            let rent = catalog.devices[&id.parse::<EntityId>().unwrap()].rent.as_ref()?;
            Some((rent.usd_per_hour.value(), rent.device.to_string()))
        };
        let of = |price: f64, device: &str| Some((price, device.to_owned()));
        assert_eq!(rent("nova-40"), of(0.9, "nova"), "its own offer is too old");
        assert_eq!(rent("nova-80"), of(0.6, "nova-80"));
        assert_eq!(rent("nova"), of(0.9, "nova"));
        assert_eq!(rent("core"), of(0.5, "core-1"), "a family without offers has those of its members");
        assert_eq!(rent("ember"), None);
    }
}
