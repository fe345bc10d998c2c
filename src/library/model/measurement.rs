//! A measured number, or the typed absence of one, with everything that makes it comparable; and shared parts of measurements.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hash;
use std::str::FromStr;
use std::sync::Arc;

use indexmap::IndexSet;
use strum::VariantArray;
use xxhash_rust::xxh3::{Xxh3DefaultBuilder, xxh3_64};

use super::{Field, FieldType, Metric, Part, Value};
use crate::values::{
    Counted, Data, Decimal, Division, EntityId, EntityKind, Outcome, Precision, Provenance, Scenario, Shape, Stage,
    Standing, Statistic,
};

/// Maximum digits of a derived figure, less one: no measurement of a program is more exact.
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
    /// A measurement of `source`; its id is derived from its identifying fields, not from its metrics.
    pub fn new(source: EntityId, fields: Vec<(Field, Value)>, mut metrics: Vec<(Metric, Decimal)>) -> Self {
        let fields = FieldValues::of(fields);
        metrics.sort_by_key(|(metric, _)| *metric);
        let id = format!("{source}:{}", identity_code(&identity(fields.as_slice()))).into();
        Self { source, id, fields, metrics }
    }

    /// Adds fields that are not part of the identity: the id stays.
    pub fn with_remarks(mut self, fields: impl IntoIterator<Item = (Field, Value)>) -> Self {
        self.fields = self.fields.with(fields);
        self
    }

    /// `<source>:<code>`, stable under re-ordering and corrections of metric values.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The part of the id after the source: ten letters and digits.
    pub fn code(&self) -> &str {
        &self.id[self.source.as_str().len() + 1..]
    }

    /// The source of the number.
    pub fn source(&self) -> &EntityId {
        &self.source
    }

    /// The stated fields, in registry order.
    pub fn fields(&self) -> &[(Field, Value)] {
        self.fields.as_slice()
    }

    /// The stated metrics, in registry order.
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

    /// The value of a text field parsed as a word of its vocabulary, an id or a shape.
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

    /// The MLPerf division whose rules applied.
    pub fn division(&self) -> Option<Division> {
        self.typed(Field::Division)
    }

    /// The numeric recipe.
    pub fn precision(&self) -> Option<Precision> {
        self.typed(Field::Precision)
    }

    /// The items that its batch and its throughput count.
    pub fn counts(&self) -> Option<Counted> {
        self.typed(Field::Counts)
    }

    /// How its values summarise their samples.
    pub fn statistic(&self) -> Option<Statistic> {
        self.typed(Field::Statistic)
    }

    /// Whether its input was synthetic.
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

    /// What happened to it after publication, as the row itself states.
    pub fn standing(&self) -> Option<Standing> {
        self.typed(Field::Standing)
    }

    /// Whether it was reported or measured; reported unless stated otherwise.
    pub fn provenance(&self) -> Provenance {
        self.typed(Field::Status).unwrap_or_default()
    }

    /// The id of the device, the network or another entity.
    pub fn entity(&self, field: Field) -> Option<EntityId> {
        self.typed(field)
    }

    /// Number of devices that worked together, 1 where not stated.
    pub fn devices(&self) -> i64 {
        self.devices_of_stage().or_else(|| self.count(Field::DeviceCount)).unwrap_or(1)
    }

    /// The devices that do the work of the row's stage, as stated: where prefill and decode run on separate devices,
    /// only those of the stage; `None` where they are separate but their number is not stated.
    pub fn devices_of_stage(&self) -> Option<i64> {
        devices_of_stage(|field| self.get(field))
    }

    /// Items in the batches of all devices: as stated, else the batch per device times the number of devices.
    pub fn items_in_batch(&self) -> Option<i64> {
        let of_each = || self.count(Field::BatchSize)?.checked_mul(self.devices());
        self.count(Field::BatchSizeGlobal).or_else(of_each)
    }

    /// The identity as text, for a message about two measurements that share it.
    pub fn identity(&self) -> String {
        identity(self.fields.as_slice())
    }
}

/// `key=value` lines of every stated identity field.
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

/// The digits of a code: Crockford base 32, without i, l, o and u, which are easily misread.
pub const CODE_DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Ten letters and digits (50 bits) of the identity's hash: the chance of a collision among 10^6 rows of a source is 5 in 10^4.
fn identity_code(identity: &str) -> String {
    let mut bits = xxh3_64(identity.as_bytes());
    let mut code = String::with_capacity(10);
    for _ in 0..10 {
        code.push(char::from(CODE_DIGITS[(bits & 31) as usize]));
        bits >>= 5;
    }
    code
}

/// The devices that do the work of a row's stage, computed from the row's fields.
pub(super) fn devices_of_stage<'v>(stated: impl Fn(Field) -> Option<&'v Value>) -> Option<i64> {
    let count = |field| match stated(field) {
        Some(Value::Count(count)) => Some(*count),
        _ => None,
    };
    let (prefill, decode) = (count(Field::PrefillDevices), count(Field::DecodeDevices));
    let stage: Option<Stage> = stated(Field::Stage).and_then(Value::parse);
    let is_divided =
        || DIVISION_STATED_IN.iter().filter_map(|field| stated(*field)).any(|text| is_of_divided(&text.to_string()));
    match stage {
        Some(Stage::Prefill) if prefill.is_some() => prefill,
        Some(Stage::Decode) if decode.is_some() => decode,
        Some(Stage::Prefill | Stage::Decode) if prefill.is_some() || decode.is_some() || is_divided() => None,
        _ => count(Field::DeviceCount).or_else(|| prefill?.checked_add(decode?)),
    }
}

/// The fields in which sources state that prefill and decode run on separate devices.
const DIVISION_STATED_IN: [Field; 3] = [Field::Partition, Field::Mode, Field::Label];

/// Whether a text states separate prefill and decode: `disaggregated`, `4 prefill + 8 decode`, `PD separation`, `2p6d`.
fn is_of_divided(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    if text.contains("disagg") || text.contains("prefill") && text.contains("decode") {
        return !text.contains("not disagg") && !text.contains("non-disagg");
    }
    std::iter::from_fn(|| words.next().map(|word| (word, words.peek().copied()))).any(|(word, next)| {
        let pair = format!("{word}{}", next.unwrap_or_default());
        matches!(word, "pd" | "xpyd") || pair == "pd" || counts_both_parts(word) || counts_both_parts(&pair)
    })
}

/// Whether a word is like `2p6d` or `p2d6`: the number of prefill instances and of decode instances.
fn counts_both_parts(word: &str) -> bool {
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let behind = || word.strip_suffix('d')?.split_once('p');
    let before = || word.strip_prefix('p')?.split_once('d');
    [behind(), before()].into_iter().flatten().any(|(a, b)| is_count(a) && is_count(b))
}

/// A key of a measurement: a field or a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeasurementKey {
    /// A field: how it was measured.
    Field(Field),
    /// A metric: what was measured.
    Metric(Metric),
}

impl MeasurementKey {
    /// The key with this kebab-case name.
    pub fn named(name: &str) -> Option<Self> {
        let field = name.parse::<Field>().ok().filter(|field| !field.is_computed()).map(Self::Field);
        field.or_else(|| name.parse().ok().map(Self::Metric))
    }

    /// The names of all keys, in canonical order.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        let fields = Field::of_files().map(Field::key);
        fields.chain(Metric::VARIANTS.iter().map(|metric| metric.key()))
    }

    /// Whether its value is a number.
    pub fn is_number(self) -> bool {
        match self {
            Self::Field(field) => matches!(field.kind(), FieldType::Count | FieldType::Number),
            Self::Metric(_) => true,
        }
    }

    /// Its kebab-case name.
    pub fn key(self) -> &'static str {
        match self {
            Self::Field(field) => field.key(),
            Self::Metric(metric) => metric.key(),
        }
    }

    /// The field; `None` for a metric.
    pub fn field(self) -> Option<Field> {
        match self {
            Self::Field(field) => Some(field),
            Self::Metric(_) => None,
        }
    }

    /// The field with the source's spelling of this one.
    pub fn raw(self) -> Option<Self> {
        self.field()?.raw().map(Self::Field)
    }

    /// The kind of entity that its value identifies.
    pub fn entity(self) -> Option<EntityKind> {
        match self.field()?.kind() {
            FieldType::Entity(kind) => Some(kind),
            _ => None,
        }
    }
}

/// Values of fields, each field at most once, in registry order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FieldValues {
    values: Vec<(Field, Value)>,
    /// The bit of each field that has a value; the number of set bits below a field's bit is the index of its value.
    stated: u128,
}

impl FieldValues {
    /// The values in registry order; of several values of a field, the first.
    pub fn of(mut values: Vec<(Field, Value)>) -> Self {
        values.sort_by_key(|(field, _)| *field);
        values.dedup_by_key(|(field, _)| *field);
        let stated = values.iter().fold(0, |stated, (field, _)| stated | bit(*field));
        Self { values, stated }
    }

    /// Adds values.
    pub fn with(mut self, more: impl IntoIterator<Item = (Field, Value)>) -> Self {
        self.values.extend(more);
        Self::of(self.values)
    }

    /// The value of one field.
    pub fn get(&self, field: Field) -> Option<&Value> {
        let bit = bit(field);
        if self.stated & bit == 0 {
            return None;
        }
        let below = (self.stated & (bit - 1)).count_ones();
        Some(&self.values[below as usize].1)
    }

    /// All values.
    pub fn as_slice(&self) -> &[(Field, Value)] {
        &self.values
    }
}

/// The bit of a field in the set of stated fields.
const fn bit(field: Field) -> u128 {
    const { assert!(<Field as strum::VariantArray>::VARIANTS.len() <= u128::BITS as usize, "a wider set of bits is needed") };
    1 << field as u32
}

/// One setup, workload, protocol or batch that many measurements share.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedPart {
    /// The source of a setup; the other parts are shared by all sources.
    pub source: Option<EntityId>,
    /// Its fields, in registry order.
    pub fields: Vec<(Field, Value)>,
    /// For a protocol: the metrics that its rows have, including derived ones, in registry order.
    pub metrics: Vec<Metric>,
    /// Number of measurements that have it.
    pub rows: u64,
}

impl SharedPart {
    /// The value of one field.
    pub fn get(&self, field: Field) -> Option<&Value> {
        self.fields.iter().find(|(known, _)| *known == field).map(|(_, value)| value)
    }

    /// The text of one field, `None` when absent or not a text.
    pub fn text(&self, field: Field) -> Option<&str> {
        match self.get(field) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// The distinct parts and remarks of a set of measurements, numbered by first occurrence.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    shares: [Vec<SharedPart>; Part::VARIANTS.len()],
    remarks: IndexSet<Arc<str>, Xxh3DefaultBuilder>,
    of_rows: Vec<[u32; Part::VARIANTS.len()]>,
}

impl Parts {
    /// Splits measurements into their parts.
    pub fn of(measurements: &[Measurement]) -> Self {
        let mut parts = Self { of_rows: Vec::with_capacity(measurements.len()), ..Self::default() };
        let mut known: [HashMap<Vec<u8>, u32, Xxh3DefaultBuilder>; Part::VARIANTS.len()] = Default::default();
        let mut keys: [Vec<u8>; Part::VARIANTS.len()] = Default::default();
        for measurement in measurements {
            keys.iter_mut().for_each(Vec::clear);
            keys[Part::Setup as usize].extend(measurement.source().as_str().as_bytes());
            for (field, value) in measurement.fields() {
                match (field.part(), value) {
                    (Some(part), value) => encode(*field, value, &mut keys[part as usize]),
                    (None, Value::Text(remark)) if field.is_remark() && !parts.remarks.contains(&**remark) => {
                        parts.remarks.insert(Arc::clone(remark));
                    }
                    (None, _) => {}
                }
            }
            let mut numbers = [0; Part::VARIANTS.len()];
            let protocol = &mut keys[Part::Protocol as usize];
            // UTF-8 does not use the byte 0xfe either.
            protocol.push(0xfe);
            protocol.extend(metrics_of(measurement).map(|metric| metric as u8));
            for (&part, key) in Part::VARIANTS.iter().zip(&keys) {
                let shares = &mut parts.shares[part as usize];
                let number = match known[part as usize].get(key) {
                    Some(number) => *number,
                    None => {
                        let number = shares.len() as u32;
                        shares.push(share(part, measurement));
                        known[part as usize].insert(key.clone(), number);
                        number
                    }
                };
                shares[number as usize].rows += 1;
                numbers[part as usize] = number;
            }
            parts.of_rows.push(numbers);
        }
        parts
    }

    /// Adds fields to one part: the fields of a row's key are added to the row's share, which is split where its rows
    /// have different keys. Shares stay numbered by first occurrence.
    pub fn divided<K: Copy + Eq + Hash>(
        mut self,
        part: Part,
        of_row: impl Fn(usize) -> K,
        fields: impl Fn(K) -> Vec<(Field, Value)>,
    ) -> Self {
        let whole = std::mem::take(&mut self.shares[part as usize]);
        let shares = &mut self.shares[part as usize];
        let mut known: HashMap<(u32, K), u32, Xxh3DefaultBuilder> = HashMap::default();
        for (row, numbers) in self.of_rows.iter_mut().enumerate() {
            let (before, key) = (numbers[part as usize], of_row(row));
            let number = *known.entry((before, key)).or_insert_with(|| {
                let mut share = SharedPart { rows: 0, ..whole[before as usize].clone() };
                share.fields.extend(fields(key));
                share.fields.sort_by_key(|(field, _)| *field);
                shares.push(share);
                shares.len() as u32 - 1
            });
            shares[number as usize].rows += 1;
            numbers[part as usize] = number;
        }
        self
    }

    /// Adds fields to one part, computed from each of its shares.
    pub fn extended(mut self, part: Part, fields: impl Fn(&SharedPart) -> Vec<(Field, Value)>) -> Self {
        for share in &mut self.shares[part as usize] {
            let more = fields(share);
            share.fields.extend(more);
            share.fields.sort_by_key(|(field, _)| *field);
        }
        self
    }

    /// The distinct setups, workloads, protocols or batches.
    pub fn shares(&self, part: Part) -> &[SharedPart] {
        &self.shares[part as usize]
    }

    /// The distinct labels, caveats and notes.
    pub fn remarks(&self) -> impl Iterator<Item = &str> {
        self.remarks.iter().map(|remark| &**remark)
    }

    /// The number of a label or a note, which is its index among the remarks.
    pub fn remark_number(&self, remark: &str) -> Option<u32> {
        self.remarks.get_index_of(remark).map(|number| number as u32)
    }

    /// The numbers of a measurement's parts, indexed by [`Part`].
    pub fn of_row(&self, row: usize) -> [u32; Part::VARIANTS.len()] {
        self.of_rows[row]
    }
}

fn share(part: Part, measurement: &Measurement) -> SharedPart {
    let fields = measurement.fields().iter().filter(|(field, _)| field.part() == Some(part));
    SharedPart {
        source: (part == Part::Setup).then(|| measurement.source().clone()),
        fields: fields.cloned().collect(),
        metrics: match part {
            Part::Protocol => metrics_of(measurement).collect(),
            _ => Vec::new(),
        },
        rows: 0,
    }
}

/// The metrics that a row states or implies.
fn metrics_of(measurement: &Measurement) -> impl Iterator<Item = Metric> {
    let implied = measurement.implied_metrics().map(|(metric, _)| metric);
    let mut metrics: Vec<Metric> = measurement.metrics().iter().map(|(metric, _)| *metric).chain(implied).collect();
    metrics.sort_unstable();
    metrics.into_iter()
}

/// Appends a field so that different fields or values never have the same encoding.
fn encode(field: Field, value: &Value, key: &mut Vec<u8>) {
    key.extend([0xff, field as u8]);
    match value {
        // UTF-8 does not use the byte 0xff.
        Value::Text(text) => key.extend(text.as_bytes()),
        Value::Count(count) => key.extend(count.to_string().as_bytes()),
        Value::Number(number) => key.extend(number.to_string().as_bytes()),
    }
}

/// A disturbance of a measurement. A measurement's caveats are a text with a heading and a sentence for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Caveat {
    /// Other processes used the processors.
    BusyMachine,
    /// A hypervisor gave processor time to others.
    VirtualMachine,
    /// The processor clock dropped.
    ClockChanges,
    /// A frequency governor changes the processor clock.
    FrequencyScaling,
    /// The GPU clock was throttled.
    Throttled,
    /// Other processes computed on the GPU.
    SharedGpu,
    /// Other processes on the GPU are not visible.
    UnseenGpu,
    /// The GPU clock dropped.
    GpuClockChanges,
    /// Times were still drifting when warm-up ended.
    NotWarm,
    /// Fewer processes than planned, or only one.
    TooFewProcesses,
    /// Fewer samples than requested.
    TooFewSamples,
    /// The confidence interval is wider than requested.
    WideInterval,
    /// All processes started within a quarter of an hour.
    ShortSpan,
    /// A training loss was not a finite number.
    Diverged,
    /// Many samples are outliers.
    Outliers,
    /// Timing itself takes a notable part of the timed interval.
    Timer,
}

impl Caveat {
    /// The heading of the caveat in a text.
    pub fn heading(self) -> &'static str {
        match self {
            Self::BusyMachine => "Busy machine",
            Self::VirtualMachine => "Virtual machine",
            Self::ClockChanges => "Clock changes",
            Self::FrequencyScaling => "Frequency scaling",
            Self::Throttled => "Throttled",
            Self::SharedGpu => "Shared GPU",
            Self::UnseenGpu => "Unseen GPU processes",
            Self::GpuClockChanges => "GPU clock changes",
            Self::NotWarm => "Not warm",
            Self::TooFewProcesses => "Too few processes",
            Self::TooFewSamples => "Too few samples",
            Self::WideInterval => "Wide interval",
            Self::ShortSpan => "Short span",
            Self::Diverged => "Loss not finite",
            Self::Outliers => "Outliers",
            Self::Timer => "Timer",
        }
    }

    /// The caveat with its observation and advice.
    pub fn because(self, details: &str) -> String {
        format!("{}: {details}", self.heading())
    }

    /// The caveats in a text.
    pub fn all_in(text: &str) -> impl Iterator<Item = Self> + '_ {
        Self::VARIANTS.iter().copied().filter(|caveat| caveat.is_in(text))
    }

    /// Whether a text contains the caveat.
    pub fn is_in(self, text: &str) -> bool {
        text.contains(&self.because(""))
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

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

    #[test]
    fn each_value_is_found_by_its_field_and_by_no_other() {
        let every_third = || Field::VARIANTS.iter().copied().step_by(3);
        let value = |field: Field| Value::Text(field.key().into());
        let (first, later): (Vec<Field>, Vec<Field>) =
            every_third().partition(|field| (*field as usize).is_multiple_of(2));
        let pairs = |fields: Vec<Field>| fields.into_iter().rev().map(|field| (field, value(field)));
        let values = FieldValues::of(pairs(first).collect()).with(pairs(later));
        for field in Field::VARIANTS {
            let expected = every_third().any(|stated| stated == *field).then(|| value(*field));
            assert_eq!(values.get(*field), expected.as_ref(), "{field:?}");
        }
        let twice = values.clone().with([(Field::Framework, Value::Text("another".into()))]);
        assert_eq!(twice, values, "the first of a field stays");
    }

    fn row(framework: &str, network: &str, batch: i64) -> Measurement {
        let fields = vec![
            (Field::Framework, Value::Text(framework.into())),
            (Field::Network, Value::Text(network.into())),
            (Field::BatchSize, Value::Count(batch)),
        ];
        let metrics = vec![(Metric::LatencyMs, "3.5".parse().unwrap())];
        Measurement::new("paper-2020".parse().unwrap(), fields, metrics)
    }

    #[test]
    fn what_rows_share_is_kept_once() {
        let rows = [row("a", "x", 1), row("a", "x", 2), row("b", "x", 1)];
        let parts = Parts::of(&rows);
        assert_eq!(parts.shares(Part::Setup).iter().map(|share| share.rows).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(parts.shares(Part::Workload).len(), 1);
        assert_eq!(parts.of_row(1), [0, 0, 0, 1]);
        assert_eq!(parts.of_row(2), [1, 0, 0, 0]);
        assert_eq!(parts.shares(Part::Setup)[1].text(Field::Framework), Some("b"));
    }

    #[test]
    fn neighbouring_texts_do_not_flow_together() {
        let rows = [row("ab", "c", 1), row("a", "bc", 1)];
        assert_eq!(Parts::of(&rows).shares(Part::Setup).len(), 2);
    }

    #[test]
    fn caveats_are_found_by_their_headings() {
        let text =
            [Caveat::GpuClockChanges.because("900 to 1000 MHz."), Caveat::Outliers.because("9 of 20.")].join(" ");
        assert_eq!(Caveat::all_in(&text).collect::<Vec<_>>(), [Caveat::GpuClockChanges, Caveat::Outliers]);
    }
}
