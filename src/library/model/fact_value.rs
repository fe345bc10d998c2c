//! The values of facts: as an entity's record states them, and as filters compare them.

use super::{Device, Value};
use crate::values::{Date, Decimal, EntityId, FrameworkStatus, HardwareClass, Platform, Shape, Target};

/// The value of a fact as filters compare it.
#[derive(Debug, Clone, PartialEq)]
pub enum FactValue {
    /// In the fact's unit; a grade by its rank, a date by its year.
    Number(f64),
    /// A word or an id.
    Word(String),
}

/// A field of an entity's record that holds a fact.
pub(super) trait Stated {
    /// Its values; none where the fact is not known.
    fn stated(&self) -> Vec<Value>;
}

impl Stated for Decimal {
    fn stated(&self) -> Vec<Value> {
        vec![Value::Number(*self)]
    }
}

impl Stated for i64 {
    fn stated(&self) -> Vec<Value> {
        vec![Value::Count(*self)]
    }
}

impl Stated for bool {
    fn stated(&self) -> Vec<Value> {
        vec![Value::Text(if *self { "yes" } else { "no" }.into())]
    }
}

macro_rules! texts {
    ($($type:ty),+) => {
        $(impl Stated for $type {
            fn stated(&self) -> Vec<Value> {
                vec![Value::Text(self.to_string().into())]
            }
        })+
    };
}

texts!(String, EntityId, Date, Shape, HardwareClass, FrameworkStatus, Platform, Target);

impl<T: Stated> Stated for Option<T> {
    fn stated(&self) -> Vec<Value> {
        self.as_ref().map_or_else(Vec::new, T::stated)
    }
}

impl<T: Stated> Stated for Vec<T> {
    fn stated(&self) -> Vec<Value> {
        self.iter().flat_map(T::stated).collect()
    }
}

/// The words of ids, for filters.
pub(super) fn words<'i>(ids: impl IntoIterator<Item = &'i EntityId>) -> Vec<FactValue> {
    ids.into_iter().map(|id| FactValue::Word(id.to_string())).collect()
}

/// The cheapest offer by the price for one device: `p3.2xlarge: 3.06, 2018-05`.
pub(super) fn cheapest_offer(device: &Device) -> Vec<Value> {
    let offers = device.cloud.iter().filter_map(|offer| {
        Some((offer.usd_per_hour?, offer.usd_per_hour?.value() / offer.devices.unwrap_or(1) as f64, offer))
    });
    let Some((price, _, offer)) = offers.min_by(|(_, a, _), (_, b, _)| a.total_cmp(b)) else { return Vec::new() };
    let mut text = format!("{} {}: {price}", offer.provider, offer.instance);
    if let Some(devices) = offer.devices.filter(|devices| *devices > 1) {
        text.push_str(&format!(" for {devices}"));
    }
    if let Some(as_of) = &offer.as_of {
        text.push_str(&format!(", {as_of}"));
    }
    vec![Value::Text(text.into())]
}

/// The price of the cheapest offer for one device, where it is known how many an instance holds.
pub(super) fn cheapest_price(device: &Device) -> Vec<FactValue> {
    let prices = device.cloud.iter().filter_map(|offer| {
        let devices = offer.devices.filter(|devices| *devices > 0)?;
        Some(offer.usd_per_hour?.value() / devices as f64)
    });
    prices.min_by(f64::total_cmp).map(FactValue::Number).into_iter().collect()
}
