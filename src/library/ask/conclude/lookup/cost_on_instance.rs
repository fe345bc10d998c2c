//! What a training costs on a cloud instance that no row of it names: its price of an hour, for the time that rows of as many of its
//! devices took elsewhere.

use super::less::{Relaxed, replaced};
use crate::ask::conclude::basis::wording::three;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{Clause, Quantity, QueryError, Question};
use crate::model::{Aspect, CloudOffer, Device, Facet, Field, Metric};
use crate::stores::Stores;
use crate::stores::devices_of_instance;
use crate::stores::index::Condition;
use crate::values::text::and_list;
use crate::values::{Division, EntityKind};

const SECONDS_OF_AN_HOUR: f64 = 3600.0;

/// The question of the time on as many of the devices of the instance that a clause names, with what that comes to at its price;
/// `None` where the price is not known, or where nobody ran it on such devices.
///
/// # Errors
///
/// When a store fails.
pub(super) fn cost_on_instance(stores: &Stores, question: &Question, at: usize) -> Result<Option<Relaxed>, QueryError> {
    let clause = &question.clauses[at];
    let [reading] = clause.readings.as_slice() else { return Ok(None) };
    let [instance] = reading.read_as.values.as_slice() else { return Ok(None) };
    let Some((offer, price)) = dearest_offer(stores, instance)? else { return Ok(None) };
    let values = SharedValues::read(stores)?;
    let Some((condition, devices)) = as_many_devices(stores, instance)? else { return Ok(None) };
    let mut like = replaced(question, &[at], condition.clone());
    like.clauses[at] = Clause { text: clause.text.clone(), ..like.clauses[at].clone() };
    like.wanted.quantities = vec![Quantity::Metric(Metric::TimeToAccuracyS)];
    let hits = HitColumns::of(stores, &like.condition_without(None), &[Metric::TimeToAccuracyS])?;
    // What was handed in under rules of one's own is another training.
    let open: &str = Division::Open.into();
    let is_open = |hit: &usize| values.text(Aspect::Field(Field::Division), &hits.parts(*hit)) == Some(open);
    let of_published = |hit: &usize| values.stands(&hits.parts(*hit)) && !is_open(hit);
    let times = (0..hits.len()).filter(of_published).map(|hit| hits.values(Metric::TimeToAccuracyS)[hit]);
    let times: Vec<f64> = times.filter(|time| time.is_finite()).collect();
    let (Some(low), Some(high)) = (times.iter().copied().reduce(f64::min), times.iter().copied().reduce(f64::max))
    else {
        return Ok(None);
    };
    let cost = |time: f64| three(time / SECONDS_OF_AN_HOUR * price);
    let range = if low < high { format!("{} to {}", cost(low), cost(high)) } else { cost(low) };
    let as_of = offer.as_of.map_or_else(String::new, |date| format!(" as of {date}"));
    let lead = format!(
        "Estimated at {range} USD for a training to its target on `{}`: {} USD an hour{as_of} ({}), for the time that {devices} took in \
         other machines, since no row of it names the instance; start-up, data and failed runs are left out. The times:",
        clause.text,
        three(price),
        offer.source
    );
    Ok(Some(Relaxed { question: like, lead, says_why: true, follows: true, of_another: false }))
}

/// The offer of an instance with the highest price, which is the one on demand, and the price.
fn dearest_offer(stores: &Stores, instance: &str) -> Result<Option<(CloudOffer, f64)>, QueryError> {
    let devices: Vec<Device> = stores.database.entities()?;
    let offers = devices.into_iter().flat_map(|device| device.cloud).filter(|offer| offer.instance == instance);
    let priced = offers.filter_map(|offer| offer.usd_per_hour.map(|price| (price.value(), offer)));
    let dearest = priced.max_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(dearest.map(|(price, offer)| (offer, price)))
}

/// Rows of as many devices as an instance has, whichever of their family, and these in words.
fn as_many_devices(stores: &Stores, instance: &str) -> Result<Option<(Condition, String)>, QueryError> {
    let column = stores.database.aspect(Aspect::Field(Field::DeviceCount))?;
    let Some(part) = Aspect::Field(Field::DeviceCount).part() else { return Ok(None) };
    let (mut conditions, mut told) = (Vec::new(), Vec::new());
    for offered in devices_of_instance(&stores.database, instance)? {
        let Some(count) = offered.count else { continue };
        let mut ids = stores.database.descendants(EntityKind::Device, &offered.device)?;
        let device: Option<Device> = stores.database.entity(&offered.device)?;
        told.push(format!("{count} x {}", device.map_or(offered.device.clone(), |device| device.name)));
        ids.push(offered.device);
        let counted = column.shares_with(|value| value.parse() == Ok(count));
        conditions.push(Condition::All(vec![Condition::Facet(Facet::Device, ids), Condition::Shares(part, counted)]));
    }
    Ok((!conditions.is_empty()).then(|| (Condition::Any(conditions), and_list(&told))))
}
