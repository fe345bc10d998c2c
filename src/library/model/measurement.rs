//! One measured number, or the typed absence of one, with everything that makes it comparable.

use std::fmt::Write as _;
use std::str::FromStr;

use xxhash_rust::xxh3::xxh3_64;

use super::field_values::FieldValues;
use super::{Field, Metric, Value};
use crate::values::{
    Counted, Data, Decimal, Division, EntityId, Outcome, Precision, Provenance, Scenario, Shape, Stage, Standing,
    Statistic,
};

/// A derived figure has at most one digit more than this: no measurement of a program is known better.
pub(super) const MOST_DIGITS: u8 = 4;

/// A measurement: its source, its fields and its metrics, each at most once and in registry order.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    source: EntityId,
    id: Box<str>,
    fields: FieldValues,
    metrics: Vec<(Metric, Decimal)>,
}

impl Measurement {
    /// A measurement of `source`; its id is derived from its identity, not from its values.
    pub fn new(source: EntityId, fields: Vec<(Field, Value)>, mut metrics: Vec<(Metric, Decimal)>) -> Self {
        let fields = FieldValues::of(fields);
        metrics.sort_by_key(|(metric, _)| *metric);
        let id = format!("{source}:{}", identity_code(&identity(fields.as_slice()))).into();
        Self { source, id, fields, metrics }
    }

    /// The same with more fields, which do not tell it from its neighbours: the id stays.
    pub fn with_remarks(mut self, fields: impl IntoIterator<Item = (Field, Value)>) -> Self {
        self.fields = self.fields.with(fields);
        self
    }

    /// `<source>:<code>`, stable under re-ordering and corrections of values.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The part of the id behind the source: ten letters and digits.
    pub fn code(&self) -> &str {
        &self.id[self.source.as_str().len() + 1..]
    }

    /// Where the number comes from.
    pub fn source(&self) -> &EntityId {
        &self.source
    }

    /// The fields that are stated, in registry order.
    pub fn fields(&self) -> &[(Field, Value)] {
        self.fields.as_slice()
    }

    /// The metrics that are stated, in registry order.
    pub fn metrics(&self) -> &[(Metric, Decimal)] {
        &self.metrics
    }

    /// The value of one field.
    pub fn get(&self, field: Field) -> Option<&Value> {
        self.fields.get(field)
    }

    /// The text of one field, `None` when absent or not a text.
    pub fn text(&self, field: Field) -> Option<&str> {
        match self.get(field) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The count of one field, `None` when absent or not a count.
    pub fn count(&self, field: Field) -> Option<i64> {
        match self.get(field) {
            Some(Value::Count(count)) => Some(*count),
            _ => None,
        }
    }

    /// The number of one field, `None` when absent or not a number.
    pub fn number(&self, field: Field) -> Option<Decimal> {
        match self.get(field) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The value of one metric.
    pub fn metric(&self, metric: Metric) -> Option<Decimal> {
        self.metrics.iter().find(|(m, _)| *m == metric).map(|(_, value)| *value)
    }

    /// What a text field says, as a word of its vocabulary, an id or a shape.
    fn typed<T: FromStr>(&self, field: Field) -> Option<T> {
        self.get(field)?.parse()
    }

    /// What was timed.
    pub fn stage(&self) -> Option<Stage> {
        self.typed(Field::Stage)
    }

    /// How the load arrived.
    pub fn scenario(&self) -> Option<Scenario> {
        self.typed(Field::Scenario)
    }

    /// Under which of MLPerf's rules it was run.
    pub fn division(&self) -> Option<Division> {
        self.typed(Field::Division)
    }

    /// The numeric recipe.
    pub fn precision(&self) -> Option<Precision> {
        self.typed(Field::Precision)
    }

    /// What its batch and its throughput count.
    pub fn counts(&self) -> Option<Counted> {
        self.typed(Field::Counts)
    }

    /// What its values are of their samples.
    pub fn statistic(&self) -> Option<Statistic> {
        self.typed(Field::Statistic)
    }

    /// Whether its input was made up.
    pub fn data(&self) -> Option<Data> {
        self.typed(Field::Data)
    }

    /// The extents of one sample.
    pub fn input_shape(&self) -> Option<Shape> {
        self.typed(Field::InputShape)
    }

    /// Why there is no number.
    pub fn outcome(&self) -> Option<Outcome> {
        self.typed(Field::Outcome)
    }

    /// What became of it after it was published, as the row itself says.
    pub fn standing(&self) -> Option<Standing> {
        self.typed(Field::Standing)
    }

    /// Where the number comes from; a measurement that does not say otherwise was reported.
    pub fn provenance(&self) -> Provenance {
        self.typed(Field::Status).unwrap_or_default()
    }

    /// The device's or the network's id, or that of another entity.
    pub fn entity(&self, field: Field) -> Option<EntityId> {
        self.typed(field)
    }

    /// Devices that worked together, 1 where the measurement does not say.
    pub fn devices(&self) -> i64 {
        self.devices_of_stage().or_else(|| self.count(Field::DeviceCount)).unwrap_or(1)
    }

    /// The devices that do the work of the row's stage, as far as it is stated: where some read prompts and others write
    /// answers, those; `None` where that is so and nothing says how many.
    pub fn devices_of_stage(&self) -> Option<i64> {
        devices_of_stage(|field| self.get(field))
    }

    /// Items in the batches of all devices: as stated, else the batch of one device for each of them.
    pub fn items_in_batch(&self) -> Option<i64> {
        let of_each = || self.count(Field::BatchSize)?.checked_mul(self.devices());
        self.count(Field::BatchSizeGlobal).or_else(of_each)
    }

    /// The identity as text, for a message about two measurements that share it.
    pub fn identity(&self) -> String {
        identity(self.fields.as_slice())
    }
}

/// `key=value` lines of every identity field that is stated.
fn identity(fields: &[(Field, Value)]) -> String {
    let mut text = String::with_capacity(256);
    for (field, value) in fields.iter().filter(|(field, _)| field.is_identity()) {
        text.push_str(field.id_key());
        text.push('=');
        match value {
            Value::Text(value) => text.push_str(value),
            value => {
                let _ = write!(text, "{value}");
            }
        }
        text.push('\n');
    }
    text
}

/// The digits of a code: Crockford base 32, without i, l, o and u, so that no code is misread.
pub const CODE_DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Ten letters and digits (50 bits) of the identity's hash: at 10^6 rows of one source the chance of two alike is 5 in 10^4.
fn identity_code(identity: &str) -> String {
    let mut bits = xxh3_64(identity.as_bytes());
    let mut code = String::with_capacity(10);
    for _ in 0..10 {
        code.push(char::from(CODE_DIGITS[(bits & 31) as usize]));
        bits >>= 5;
    }
    code
}

/// The devices that do the work of a row's stage, of the row's fields.
pub(super) fn devices_of_stage<'v>(stated: impl Fn(Field) -> Option<&'v Value>) -> Option<i64> {
    let count = |field| match stated(field) {
        Some(Value::Count(count)) => Some(*count),
        _ => None,
    };
    let (prefill, decode) = (count(Field::PrefillDevices), count(Field::DecodeDevices));
    let stage: Option<Stage> = stated(Field::Stage).and_then(Value::parse);
    let is_divided = || {
        let partition = stated(Field::Partition).map(ToString::to_string).unwrap_or_default().to_lowercase();
        let mut words = partition.split(|c: char| !c.is_ascii_alphanumeric());
        partition.contains("disagg")
            || partition.contains("prefill") && partition.contains("decode")
            || words.any(counts_both_parts)
    };
    match stage {
        Some(Stage::Prefill) if prefill.is_some() => prefill,
        Some(Stage::Decode) if decode.is_some() => decode,
        Some(Stage::Prefill | Stage::Decode) if prefill.is_some() || decode.is_some() || is_divided() => None,
        _ => count(Field::DeviceCount).or_else(|| prefill?.checked_add(decode?)),
    }
}

/// `2p6d`: how many instances read prompts and how many write answers.
fn counts_both_parts(word: &str) -> bool {
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word.strip_suffix('d').and_then(|rest| rest.split_once('p')).is_some_and(|(a, b)| is_count(a) && is_count(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measurement(fields: &[(Field, Value)], latency: &str) -> Measurement {
        Measurement::new(
            "u39kun-2018".parse().unwrap(),
            fields.to_vec(),
            vec![(Metric::LatencyMs, latency.parse().unwrap())],
        )
    }

    #[test]
    fn the_id_follows_the_identity_alone() {
        let batch = (Field::BatchSize, Value::Count(16));
        let stage = (Field::Stage, Value::Text("train".into()));
        let note = (Field::Notes, Value::Text("mended".into()));
        let one = measurement(&[batch.clone(), stage.clone()], "92.9");
        let reordered = measurement(&[stage.clone(), batch.clone(), note], "93.0");
        let other = measurement(&[stage], "92.9");
        assert_eq!(one.id(), reordered.id());
        assert_ne!(one.id(), other.id());
        assert!(one.id().starts_with("u39kun-2018:"));
    }

    #[test]
    fn what_stands_in_a_field_of_its_own_now_keeps_its_id() {
        let of = |field| measurement(&[(field, Value::Text("14 instances of 4 cores".into()))], "92.9");
        let (before, now) = (of(Field::Mode), of(Field::Partition));
        assert_eq!(before.id(), now.id());
        let own = |mode: &str, setting: &str| {
            let text = |text: &str| Value::Text(text.into());
            measurement(&[(Field::Mode, text(mode)), (Field::Setting, text(setting))], "92.9")
        };
        assert_ne!(own("graph", "big cores").id(), own("big cores", "graph").id());
    }

    #[test]
    fn throughput_is_implied_by_latency_and_batch() {
        let fields = [(Field::BatchSize, Value::Count(16)), (Field::Counts, Value::Text("image".into()))];
        let implied = measurement(&fields, "92.9").implied_throughput().unwrap();
        assert_eq!(implied.to_string(), "172.2");
        assert_eq!(measurement(&fields[..1], "92.9").implied_throughput(), None);
    }
}
