//! Maps a record to the fields and metrics of a measurement, or gives the reason to leave it out. Numbers keep the source's digits.

use std::collections::{BTreeMap, HashMap};

use super::error::{ImportError, UnresolvedName};
use super::records::Record;
use super::report::{LeftOut, count_at};
use super::rule_text::filled;
use super::rule_text::{applying, text_of, with_values};
use crate::contribute::recipe::{Choice, Compiled, Resolving, Rule, Subject, plain_names};
use crate::model::{Device, Facet, Field, FieldType, Measurement, MeasurementKey, Value};
use crate::reading::{WrittenRow, toml_literal, toml_one_line};
use crate::stores::database::Database;
use crate::stores::resolve::{Certainty, Resolved};
use crate::stores::{devices_of_instance, resolve_spelling};
use crate::values::text::or_list;
use crate::values::{Decimal, EntityId, EntityKind, HardwareClass};

/// Maps records to rows; resolves each spelling of an entity once.
pub(super) struct RowMapper<'s> {
    database: &'s Database,
    stated: &'s [(String, String)],
    resolved: HashMap<(Facet, String), Resolved>,
    /// Texts that could not be read; their rows are written without them.
    unknown: BTreeMap<String, LeftOut>,
    /// Names that could not be resolved, with the records that have them.
    open: BTreeMap<(Facet, String), LeftOut>,
}

impl<'s> RowMapper<'s> {
    pub fn new(database: &'s Database, stated: &'s [(String, String)]) -> Self {
        Self { database, stated, resolved: HashMap::new(), unknown: BTreeMap::new(), open: BTreeMap::new() }
    }

    /// The texts that could not be read, of rows that were written without them.
    pub fn into_unknown(self) -> BTreeMap<String, LeftOut> {
        self.unknown
    }

    /// The names that could not be resolved, most frequent first.
    pub fn unresolved(&self) -> Result<Vec<UnresolvedName>, ImportError> {
        let mut names = Vec::new();
        for (name, records) in &self.open {
            names.push(UnresolvedName::of(self.database, name.0, &self.resolved[name], records.count, &records.first)?);
        }
        names.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.spelling.cmp(&b.spelling)));
        Ok(names)
    }

    /// Returns the row of a record, or the reason to leave the record out.
    pub fn map(&mut self, recipe: &Compiled<'_>, record: &Record) -> Result<Result<MappedRow, String>, ImportError> {
        let record = &match with_values(recipe, record)? {
            Ok(record) => record,
            Err(reason) => return Ok(Err(reason)),
        };
        for (skip, pattern) in &recipe.skip {
            if pattern.is_match(&filled(&skip.when, &record.values)?) {
                return Ok(Err(skip.reason.clone()));
            }
        }
        let mut unknown = Vec::new();
        // Continue with the other keys after a failure, so that all unknown names are reported at once.
        let mut left_out: Option<String> = None;
        let mut values = BTreeMap::new();
        let mut failed = None;
        for (rule, pattern) in &recipe.outcome {
            if pattern.is_match(&filled(&rule.when, &record.values)?) {
                failed = Some(rule);
                break;
            }
        }
        if let Some(rule) = failed {
            values.insert(MeasurementKey::Field(Field::Outcome), as_text(&rule.outcome));
        }
        let mut notes: Vec<&str> = Vec::new();
        for (key, choices) in &recipe.set {
            let is_metric = matches!(key, MeasurementKey::Metric(_));
            if failed.is_some() && is_metric || self.is_stated(*key) {
                continue;
            }
            let Some(choice) = applying(choices, record)? else {
                continue;
            };
            notes.extend(notes_of(choice, record));
            match self.apply(*key, choice, record, &mut values)? {
                Err(reason) if choice.is_optional() || is_of_software(*key) => unknown.push(reason),
                Err(reason) => left_out = left_out.or(Some(reason)),
                Ok(()) => {}
            }
        }
        for (name, value) in self.stated {
            let Some(key) = MeasurementKey::named(name) else { continue };
            if let Err(reason) = self.state(key, value, &record.place, &mut values)? {
                left_out = left_out.or(Some(reason));
            }
        }
        if let Some(reason) = left_out {
            return Ok(Err(reason));
        }
        self.device_of_instance(&record.place, &mut values)?;
        if let Some(reason) = self.missing_subject(recipe, record, &values)? {
            return Ok(Err(reason));
        }
        add_notes(notes, &mut values);
        if failed.is_none() && !values.keys().any(|key| matches!(key, MeasurementKey::Metric(_))) {
            return Ok(Err("no value".to_owned()));
        }
        let batch = batch_name(&filled(&recipe.part.batch, &record.values)?);
        if batch.is_empty() {
            return Ok(Err(format!("nothing is given for the file's name `{}`", recipe.part.batch)));
        }
        for name in unknown {
            count_at(&mut self.unknown, name, &record.place);
        }
        Ok(Ok(MappedRow { batch, place: record.place.clone(), values }))
    }

    fn apply(
        &mut self,
        key: MeasurementKey,
        choice: &Choice<'_>,
        record: &Record,
        values: &mut BTreeMap<MeasurementKey, Value>,
    ) -> Result<Result<(), String>, ImportError> {
        let mut text = match text_of(choice, record)? {
            Ok(text) if text.is_empty() => return Ok(Ok(())),
            Ok(text) => text,
            Err(text) => return Ok(Err(format!("{} `{text}` is not in the recipe", key.key()))),
        };
        let worked = match choice.rule {
            Rule::ProcessedTemplate(worked) => Some(worked.as_ref()),
            _ => None,
        };
        if let Some(resolving) = worked.and_then(|worked| worked.resolve) {
            let class = worked.and_then(|worked| worked.class);
            return self.resolve(key, facet_of(resolving), &text, class, &record.place, values);
        }
        if worked.is_some_and(|worked| worked.clock) {
            match seconds(&text) {
                Some(seconds) => text = seconds,
                None => return Ok(Err(format!("{} is not a time such as 3:19:59: `{text}`", key.key()))),
            }
        }
        if let Some(times) = worked.and_then(|worked| worked.times.as_ref()) {
            match product(&text, &filled(times, &record.values)?) {
                Some(product) => text = product,
                None => return Ok(Ok(())),
            }
        }
        if let Some(divisor) = worked.and_then(|worked| worked.divide.as_ref()) {
            match quotient(&text, &filled(divisor, &record.values)?) {
                Some(quotient) => text = quotient,
                None => return Ok(Ok(())),
            }
        }
        if let Some(reason) = no_such_text(key, &text) {
            return Ok(Err(reason));
        }
        match value_of(key, &text, worked.and_then(|worked| worked.scale)) {
            Some(value) => drop(values.insert(key, value)),
            None => return Ok(Err(format!("{} is not a number: `{text}`", key.key()))),
        }
        Ok(Ok(()))
    }

    /// Sets a field that the caller states: names are resolved, everything else is used unchanged.
    fn state(
        &mut self,
        key: MeasurementKey,
        value: &str,
        place: &str,
        values: &mut BTreeMap<MeasurementKey, Value>,
    ) -> Result<Result<(), String>, ImportError> {
        let kinds = [EntityKind::Device, EntityKind::Network, EntityKind::Framework, EntityKind::Dataset];
        match key.entity().filter(|kind| kinds.contains(kind)) {
            Some(kind) => self.resolve(key, Facet::of_entities(kind), value, None, place, values),
            None => match no_such_text(key, value) {
                Some(reason) => Ok(Err(reason)),
                None => {
                    values.extend(value_of(key, value, None).map(|value| (key, value)));
                    Ok(Ok(()))
                }
            },
        }
    }

    /// Whether the caller states a field, which overrides the files. If an entity is stated, so is its spelling.
    fn is_stated(&self, key: MeasurementKey) -> bool {
        let stated = |name: &str| self.stated.iter().any(|(stated, _)| stated == name);
        let of_entity = Field::of_entities().find(|(field, _)| field.raw().map(MeasurementKey::Field) == Some(key));
        stated(key.key()) || of_entity.is_some_and(|(field, _)| stated(field.key()))
    }

    /// Why a row has no device or no network.
    fn missing_subject(
        &self,
        recipe: &Compiled<'_>,
        record: &Record,
        values: &BTreeMap<MeasurementKey, Value>,
    ) -> Result<Option<String>, ImportError> {
        for (subject, field) in [(Subject::Device, Field::Device), (Subject::Network, Field::Network)] {
            let key = MeasurementKey::Field(field);
            if values.contains_key(&key) || recipe.part.without.contains(&subject) {
                continue;
            }
            // An instance implies its machine's devices, even if it is open which of them.
            if let (Field::Device, Some(Value::Text(instance))) =
                (field, values.get(&MeasurementKey::Field(Field::Instance)))
                && !devices_of_instance(self.database, instance)?.is_empty()
            {
                continue;
            }
            let how =
                if field == Field::Device { "--device NAME".to_owned() } else { format!("--set {}=NAME", field.key()) };
            let Some((_, choices)) = recipe.set.iter().find(|(set, _)| *set == key) else {
                return Ok(Some(format!("no {field}: nothing in the files names it; {how} says it")));
            };
            let names = choices.iter().flat_map(|choice| plain_names(choice.template())).collect::<Vec<_>>();
            let told = |names: Vec<&String>| names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
            let absent = told(names.iter().filter(|name| !record.values.contains_key(*name)).collect());
            let empty =
                told(names.iter().filter(|name| record.values.get(*name).is_some_and(String::is_empty)).collect());
            let reason = match (absent.is_empty(), empty.is_empty()) {
                (false, _) => format!("no {field}: {} is not in this table", or_list(&absent)),
                (_, false) => format!("no {field}: {} is empty (`fill` carries a cell down)", or_list(&empty)),
                _ => format!("no {field}: the recipe's rules give none here"),
            };
            return Ok(Some(reason));
        }
        Ok(None)
    }

    fn resolve(
        &mut self,
        key: MeasurementKey,
        facet: Facet,
        text: &str,
        class: Option<HardwareClass>,
        place: &str,
        values: &mut BTreeMap<MeasurementKey, Value>,
    ) -> Result<Result<(), String>, ImportError> {
        let at = (facet, text.to_owned());
        if !self.resolved.contains_key(&at) {
            let resolved = resolve_spelling(self.database, facet, text)?;
            self.resolved.insert(at.clone(), resolved);
        }
        let resolved = &self.resolved[&at];
        let mut ids = resolved.ids.clone();
        if let Some(class) = class {
            let mut of_class = Vec::new();
            for id in ids {
                if self.database.entity::<Device>(&id)?.is_some_and(|device| device.class == class) {
                    of_class.push(id);
                }
            }
            if of_class.is_empty() && resolved.reading != Certainty::Unknown {
                return Ok(Err(format!("no {class} is named by `{text}`")));
            }
            ids = of_class;
        }
        let decided = !matches!(resolved.reading, Certainty::Ambiguous | Certainty::List) || class.is_some();
        let reason = match (resolved.reading, ids.as_slice()) {
            (Certainty::Unknown, _) => Some(format!("unknown {facet} `{text}`")),
            (_, [_]) if decided => None,
            (Certainty::List, _) => Some(format!("several devices in `{text}`")),
            (Certainty::Ambiguous, _) => Some(format!("ambiguous {facet} `{text}`")),
            _ => Some(format!("unknown {facet} `{text}`")),
        };
        if let Some(reason) = reason {
            let records = LeftOut { count: 0, first: place.to_owned() };
            self.open.entry(at).or_insert(records).count += 1;
            return Ok(Err(reason));
        }
        let [id] = ids.as_slice() else { return Ok(Ok(())) };
        values.insert(key, as_text(id));
        if let Some(raw) = key.raw()
            && id != text
        {
            values.entry(raw).or_insert_with(|| as_text(text));
        }
        if let (Some(field), Some(version)) = (key.field().and_then(Field::version), &resolved.version) {
            values.entry(MeasurementKey::Field(field)).or_insert_with(|| as_text(version));
        }
        if key == MeasurementKey::Field(Field::Network) {
            for (field, format) in [
                (Field::WeightFormat, &resolved.weight_format),
                (Field::ActivationFormat, &resolved.activation_format),
                (Field::Quantization, &resolved.quantization),
            ] {
                if let Some(format) = format {
                    values.entry(MeasurementKey::Field(field)).or_insert_with(|| as_text(format));
                }
            }
        }
        if key == MeasurementKey::Field(Field::Device) {
            if let Some(count) = resolved.count.and_then(|count| Decimal::new(f64::from(count), 0)) {
                values.entry(MeasurementKey::Field(Field::DeviceCount)).or_insert(Value::Number(count));
            }
            if let Some(instance) = &resolved.instance {
                values.entry(MeasurementKey::Field(Field::Instance)).or_insert_with(|| as_text(instance));
            }
            if let Some(slice) = &resolved.slice {
                values.entry(MeasurementKey::Field(Field::DeviceSlice)).or_insert_with(|| as_text(slice));
            }
        }
        Ok(Ok(()))
    }
}

impl RowMapper<'_> {
    /// If a row has a cloud instance but no device, sets the device to that of the instance.
    fn device_of_instance(
        &mut self,
        place: &str,
        values: &mut BTreeMap<MeasurementKey, Value>,
    ) -> Result<(), ImportError> {
        let device = MeasurementKey::Field(Field::Device);
        let Some(Value::Text(instance)) = values.get(&MeasurementKey::Field(Field::Instance)) else { return Ok(()) };
        let instance = instance.to_string();
        if !values.contains_key(&device) && !devices_of_instance(self.database, &instance)?.is_empty() {
            // If the instance's devices are ambiguous, the device stays absent.
            let _open = self.resolve(device, Facet::Device, &instance, None, place, values)?;
        }
        Ok(())
    }
}

/// The footnotes of the columns that a rule reads.
fn notes_of<'r>(choice: &Choice<'_>, record: &'r Record) -> Vec<&'r str> {
    if record.notes.is_empty() {
        return Vec::new();
    }
    plain_names(choice.template()).iter().filter_map(|name| record.notes.get(name)).map(String::as_str).collect()
}

/// Appends footnotes to a row's notes, without duplicates.
fn add_notes(notes: Vec<&str>, values: &mut BTreeMap<MeasurementKey, Value>) {
    let key = MeasurementKey::Field(Field::Notes);
    let mut all: Vec<String> = Vec::new();
    if let Some(Value::Text(own)) = values.get(&key) {
        all.push(own.to_string());
    }
    for note in notes {
        if !all.iter().any(|known| known == note) {
            all.push(note.to_owned());
        }
    }
    if !all.is_empty() {
        values.insert(key, as_text(&all.join("; ")));
    }
}

/// Whether a field holds a software version; a text that is not a version leaves it absent.
fn is_of_software(key: MeasurementKey) -> bool {
    matches!(key.field(), Some(Field::Cuda | Field::Cudnn | Field::Driver))
}

/// Why a text is not a value of the field: `None` as a version of CUDA, MIOpen as one of cuDNN.
fn no_such_text(key: MeasurementKey, text: &str) -> Option<String> {
    if !is_of_software(key) {
        return None;
    }
    let version = text.trim_start_matches(['v', 'V', 'R', 'r', ' ']);
    let is_version = version.starts_with(|c: char| c.is_ascii_digit());
    (!is_version).then(|| format!("{} is not a version: `{text}`", key.key()))
}

fn as_text(text: &str) -> Value {
    Value::Text(text.into())
}

fn facet_of(resolving: Resolving) -> Facet {
    match resolving {
        Resolving::Device => Facet::Device,
        Resolving::Network => Facet::Network,
        Resolving::Framework => Facet::Framework,
        Resolving::Dataset => Facet::Dataset,
        Resolving::Precision => Facet::Precision,
    }
}

/// A file name that works on every system: lower case, letters, digits, `-` and `.`.
fn batch_name(text: &str) -> String {
    let mut name = String::new();
    for c in text.to_lowercase().chars() {
        let kept = if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        if kept != '-' || !name.ends_with('-') {
            name.push(kept);
        }
    }
    name.trim_matches(['-', '.']).to_owned()
}

/// A record mapped to the fields and metrics of a measurement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MappedRow {
    /// File name of the measurement file, without `.toml`.
    pub batch: String,
    /// The record's place, as `file:line`.
    pub place: String,
    /// Numbers are always [`Value::Number`], with the digits of the source.
    pub values: BTreeMap<MeasurementKey, Value>,
}

impl MappedRow {
    /// The id that the measurement will have.
    pub fn identity(&self, source: &EntityId) -> String {
        let fields = self.values.iter().filter_map(|(key, value)| match (key, value) {
            (MeasurementKey::Field(field), Value::Number(number)) if field.kind() == FieldType::Count => {
                Some((*field, Value::Count(number.value() as i64)))
            }
            (MeasurementKey::Field(field), value) => Some((*field, value.clone())),
            (MeasurementKey::Metric(_), _) => None,
        });
        Measurement::new(source.clone(), fields.collect(), Vec::new()).id().to_owned()
    }

    /// The row in the form in which it is written to a file.
    pub fn written(&self) -> WrittenRow {
        let mut row = WrittenRow::default();
        for (key, value) in &self.values {
            let value = match value {
                Value::Text(text) => toml_one_line(text),
                number => toml_literal(&number.to_string()),
            };
            match key {
                MeasurementKey::Field(field) => row.set(*field, value),
                MeasurementKey::Metric(metric) => row.set_metric(*metric, value),
            }
        }
        row
    }
}

/// Parses the value of a key; `None` when the key needs a number and the text is not one.
pub(super) fn value_of(key: MeasurementKey, text: &str, scale: Option<f64>) -> Option<Value> {
    if !key.is_number() {
        return Some(Value::Text(text.into()));
    }
    let text = without_commas(text);
    let number = match scale {
        None => Decimal::nearest(&text),
        Some(scale) => Decimal::product(&text, scale),
    }
    .ok()?;
    let count = matches!(key, MeasurementKey::Field(field) if field.kind() == FieldType::Count);
    // A count that a spreadsheet wrote as 1024.0 becomes 1024.
    let number = if count && number.value().fract() == 0.0 { Decimal::new(number.value(), 0)? } else { number };
    Some(Value::Number(number))
}

/// The product of two whole numbers, which a spreadsheet may have written as `8.0`.
pub(super) fn product(count: &str, times: &str) -> Option<String> {
    let whole = |text: &str| {
        let number: f64 = text.trim().parse().ok()?;
        (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u64)
    };
    whole(count)?.checked_mul(whole(times)?).map(|product| product.to_string())
}

/// The quotient of two whole numbers; `None` if either is not whole or the division has a remainder.
pub(super) fn quotient(number: &str, divisor: &str) -> Option<String> {
    let whole = |text: &str| text.strip_suffix(".0").unwrap_or(text).parse::<u64>().ok();
    let (number, divisor) = (whole(number)?, whole(divisor)?);
    (number.checked_rem(divisor)? == 0).then(|| (number / divisor).to_string())
}

/// Converts `3:19:59`, `62:03`, `1h02min`, `4h 48min` or `50min` to seconds; seconds after a colon may have decimals.
pub(super) fn seconds(text: &str) -> Option<String> {
    if let Some(minutes) = text.strip_suffix("min") {
        let (hours, minutes) = minutes.split_once('h').unwrap_or(("0", minutes));
        let (hours, minutes): (u64, u64) = (hours.trim().parse().ok()?, minutes.trim().parse().ok()?);
        return Some((hours.checked_mul(3600)?.checked_add(minutes.checked_mul(60)?)?).to_string());
    }
    let (whole, seconds) = text.rsplit_once(':')?;
    let minutes = match whole.split_once(':') {
        Some((hours, minutes)) => hours.parse::<u64>().ok()?.checked_mul(60)?.checked_add(minutes.parse().ok()?)?,
        None => whole.parse().ok()?,
    };
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    let whole = minutes.checked_mul(60)?.checked_add(seconds.parse().ok()?)?;
    let digits = fraction.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| if fraction.is_empty() { whole.to_string() } else { format!("{whole}.{fraction}") })
}

/// Removes the commas between thousands. A single comma that is not followed by exactly three digits is a decimal mark:
/// `17,89`.
fn without_commas(text: &str) -> String {
    match text.split_once(',') {
        Some((whole, rest))
            if !rest.contains([',', '.']) && rest.chars().take_while(char::is_ascii_digit).count() != 3 =>
        {
            format!("{whole}.{rest}")
        }
        _ => text.replace(',', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_named_for_every_file_system() {
        assert_eq!(batch_name("Results/AMP nchw (RTX 3090)"), "results-amp-nchw-rtx-3090");
    }

    #[test]
    fn a_comma_divides_thousands_or_stands_for_the_point() {
        for (text, plain) in [("17,89", "17.89"), ("1,234", "1234"), ("1,234,567.8", "1234567.8"), ("12.5", "12.5")] {
            assert_eq!(without_commas(text), plain, "{text}");
        }
    }

    #[test]
    fn a_count_of_a_node_times_the_nodes_is_whole_or_absent() {
        assert_eq!(product("8.0", "4").as_deref(), Some("32"));
        assert_eq!((product("8", ""), product("8", "N/A"), product("1.5", "2")), (None, None, None));
    }

    #[test]
    fn a_number_is_divided_where_no_rest_is_left() {
        let divided = [("2048", "8.0"), ("2048", "7"), ("2048", "0"), ("x", "2"), ("2048", "")];
        let found = divided.map(|(number, divisor)| quotient(number, divisor));
        assert_eq!(found, [Some("256".to_owned()), None, None, None, None]);
    }

    #[test]
    fn a_time_of_the_clock_becomes_its_seconds() {
        let read = |text: &str| seconds(text);
        assert_eq!((read("03:19:59"), read("62:03")), (Some("11999".to_owned()), Some("3723".to_owned())));
        assert_eq!((read("0:00:01.50"), read("1:x"), read("17")), (Some("1.50".to_owned()), None, None));
        let words = ["1h02min", "4h 48min", "50min", "2 min", "1h", "xmin"].map(read);
        assert_eq!(
            words,
            [Some("3720"), Some("17280"), Some("3000"), Some("120"), None, None].map(|s| s.map(str::to_owned))
        );
    }
}
