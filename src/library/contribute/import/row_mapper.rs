//! Maps a record to the fields and metrics of a measurement, or tells why it is left out.

use std::collections::{BTreeMap, HashMap};

use super::error::ImportError;
use super::records::Record;
use super::report::{LeftOut, count_at};
use super::template::{OverlongText, filled};
use super::unresolved_name::UnresolvedName;
use crate::contribute::recipe::{Choice, Compiled, Resolving, Rule};
use crate::model::{Device, Facet, Field, FieldType, Measurement, MeasurementKey, Value};
use crate::reading::{WrittenRow, toml_literal, toml_one_line};
use crate::stores::database::Database;
use crate::stores::resolve::{Certainty, Resolved};
use crate::stores::{devices_of_instance, resolve_spelling};
use crate::values::{Decimal, EntityId, EntityKind, HardwareClass};

/// A record as a measurement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MappedRow {
    /// The name of the measurement file, without `.toml`.
    pub batch: String,
    /// Where the record stands, as `file:line`.
    pub place: String,
    /// Every number is a [`Value::Number`], with the digits of its source.
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

    /// The row as it is written.
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

/// Maps records; each spelling of an entity is resolved once.
pub(super) struct RowMapper<'s> {
    database: &'s Database,
    stated: &'s [(String, String)],
    resolved: HashMap<(Facet, String), Resolved>,
    /// Texts that could not be read, of rows that do without.
    unknown: BTreeMap<String, LeftOut>,
    /// The names that led to no entity, with the records that have them.
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

    /// The names that led to no entity of the catalog, those of most records first.
    pub fn unresolved(&self) -> Result<Vec<UnresolvedName>, ImportError> {
        let mut names = Vec::new();
        for (name, records) in &self.open {
            names.push(UnresolvedName::of(self.database, name.0, &self.resolved[name], records.count, &records.first)?);
        }
        names.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.spelling.cmp(&b.spelling)));
        Ok(names)
    }

    /// The row of a record, or the reason why the record is left out.
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
        // The other keys are read on, so that all unknown names are told at once.
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
        for (key, choices) in &recipe.set {
            if failed.is_some() && matches!(key, MeasurementKey::Metric(_)) {
                continue;
            }
            let Some(choice) = applying(choices, record)? else {
                continue;
            };
            match self.apply(*key, choice, record, &mut values)? {
                Err(reason) if choice.is_optional() => unknown.push(reason),
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
        if failed.is_none() && !values.keys().any(|key| matches!(key, MeasurementKey::Metric(_))) {
            return Ok(Err("no value".to_owned()));
        }
        let batch = batch_name(&filled(&recipe.part.batch, &record.values)?);
        if batch.is_empty() {
            return Ok(Err(format!("nothing stands for the file's name `{}`", recipe.part.batch)));
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
            Rule::Worked(worked) => Some(worked.as_ref()),
            _ => None,
        };
        if let Some(resolving) = worked.and_then(|worked| worked.resolve) {
            let class = worked.and_then(|worked| worked.class);
            return self.resolve(key, facet_of(resolving), &text, class, &record.place, values);
        }
        if worked.is_some_and(|worked| worked.clock) {
            match seconds(&text) {
                Some(seconds) => text = seconds,
                None => return Ok(Err(format!("{} is no time such as 3:19:59: `{text}`", key.key()))),
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
        match value_of(key, &text, worked.and_then(|worked| worked.scale)) {
            Some(value) => drop(values.insert(key, value)),
            None => return Ok(Err(format!("{} is no number: `{text}`", key.key()))),
        }
        Ok(Ok(()))
    }

    /// What the caller states: names are resolved, everything else is taken as it is.
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
            None => {
                values.extend(value_of(key, value, None).map(|value| (key, value)));
                Ok(Ok(()))
            }
        }
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
    /// Where a row names a cloud instance and no device, the devices are those of the instance.
    fn device_of_instance(
        &mut self,
        place: &str,
        values: &mut BTreeMap<MeasurementKey, Value>,
    ) -> Result<(), ImportError> {
        let device = MeasurementKey::Field(Field::Device);
        let Some(Value::Text(instance)) = values.get(&MeasurementKey::Field(Field::Instance)) else { return Ok(()) };
        let instance = instance.to_string();
        if !values.contains_key(&device) && !devices_of_instance(self.database, &instance)?.is_empty() {
            // An instance whose devices are open leaves the device out.
            let _open = self.resolve(device, Facet::Device, &instance, None, place, values)?;
        }
        Ok(())
    }
}

/// The product of two whole numbers; a spreadsheet may have written them as `8.0`.
fn product(count: &str, times: &str) -> Option<String> {
    let whole = |text: &str| {
        let number: f64 = text.trim().parse().ok()?;
        (number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number)).then_some(number as u64)
    };
    whole(count)?.checked_mul(whole(times)?).map(|product| product.to_string())
}

/// The record with the values that the recipe works out of it; the reason why it is left out where one is not in a map.
fn with_values(recipe: &Compiled<'_>, record: &Record) -> Result<Result<Record, String>, OverlongText> {
    let mut with = record.clone();
    for (name, choices) in &recipe.values {
        let text = match applying(choices, record)? {
            Some(choice) => text_of(choice, record)?,
            None => Ok(String::new()),
        };
        match text {
            Ok(text) => drop(with.values.insert((*name).to_owned(), text)),
            Err(text) => return Ok(Err(format!("{name} `{text}` is not in the recipe"))),
        }
    }
    Ok(Ok(with))
}

/// The first of the rules whose condition holds.
fn applying<'c, 'p>(choices: &'c [Choice<'p>], record: &Record) -> Result<Option<&'c Choice<'p>>, OverlongText> {
    for choice in choices {
        let holds = match &choice.condition {
            Some((when, pattern)) => pattern.is_match(&filled(when, &record.values)?),
            None => true,
        };
        if holds {
            return Ok(Some(choice));
        }
    }
    Ok(None)
}

/// The text that a rule gives: its template, what is picked of it, and what the map has for that. The error is the text that
/// the map does not have.
fn text_of(choice: &Choice<'_>, record: &Record) -> Result<Result<String, String>, OverlongText> {
    let (template, map, others) = match choice.rule {
        // The parser of recipes has taken lists apart.
        Rule::First(_) => return Ok(Ok(String::new())),
        Rule::Template(template) => (template, None, false),
        Rule::Integer(number) => return Ok(Ok(number.to_string())),
        Rule::Worked(worked) => (&worked.from, Some(&worked.map), worked.others),
    };
    let mut text = filled(template, &record.values)?.trim().to_owned();
    if let Some(pick) = &choice.pick {
        let picked = pick.captures(&text).and_then(|found| found.get(1).or_else(|| found.get(0)));
        text = picked.map_or_else(String::new, |group| group.as_str().trim().to_owned());
    }
    Ok(match map.filter(|map| !map.is_empty() && !text.is_empty()) {
        None => Ok(text),
        Some(map) => match map.get(&text) {
            Some(mapped) => Ok(mapped.clone()),
            None if others => Ok(text),
            None => Err(text),
        },
    })
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

/// The value of a key; `None` when the key needs a number and the text is none.
fn value_of(key: MeasurementKey, text: &str, scale: Option<f64>) -> Option<Value> {
    let numeric = match key {
        MeasurementKey::Metric(_) => true,
        MeasurementKey::Field(field) => matches!(field.kind(), FieldType::Count | FieldType::Number),
    };
    if !numeric {
        return Some(as_text(text));
    }
    let text = without_commas(text);
    let number = match scale {
        None => Decimal::nearest(&text),
        Some(scale) => Decimal::product(&text, scale),
    }
    .ok()?;
    let count = matches!(key, MeasurementKey::Field(field) if field.kind() == FieldType::Count);
    // A count that a spreadsheet wrote as 1024.0 is 1024.
    let number = if count && number.value().fract() == 0.0 { Decimal::new(number.value(), 0)? } else { number };
    Some(Value::Number(number))
}

/// The seconds of `3:19:59`, `62:03`, `1h02min`, `4h 48min` or `50min`; seconds after a colon may have decimals.
fn seconds(text: &str) -> Option<String> {
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

/// A whole number by another; `None` where one of them is none, or a rest is left.
fn quotient(number: &str, divisor: &str) -> Option<String> {
    let whole = |text: &str| text.strip_suffix(".0").unwrap_or(text).parse::<u64>().ok();
    let (number, divisor) = (whole(number)?, whole(divisor)?);
    (number.checked_rem(divisor)? == 0).then(|| (number / divisor).to_string())
}

/// A file name that works everywhere: lower case, letters, digits, `-` and `.`.
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

/// A number without the commas between its thousands. A single comma that has not three digits behind it stands for the
/// point: `17,89`.
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
    use crate::contribute::recipe::Recipe;

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
    fn values_are_worked_out_of_a_record_before_its_fields() {
        let recipe = Recipe::parse(
            "[values]\nrelease = { from = \"{above}\", pick = '(\\d\\d\\.\\d\\d)' }\n\
             kind = { from = \"{file}\", map = { a = \"A\" } }\n\
             [[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let record = |file: &str| {
            let values =
                [("above", "in 21.03"), ("file", file)].map(|(name, value)| (name.to_owned(), value.to_owned()));
            Record::new(values.into(), 1)
        };
        let with = with_values(&compiled, &record("a")).unwrap().unwrap();
        assert_eq!((with.values["release"].as_str(), with.values["kind"].as_str()), ("21.03", "A"));
        assert_eq!(with_values(&compiled, &record("b")).unwrap().unwrap_err(), "kind `b` is not in the recipe");
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

    #[test]
    fn a_batch_is_named_for_every_file_system() {
        assert_eq!(batch_name("Results/AMP nchw (RTX 3090)"), "results-amp-nchw-rtx-3090");
    }
}
