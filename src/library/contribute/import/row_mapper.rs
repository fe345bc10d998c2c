//! Maps a record to the fields and metrics of a measurement, or tells why it is left out.

use std::collections::{BTreeMap, HashMap};

use super::error::ImportError;
use super::mapped_row::MappedRow;
use super::records::Record;
use super::report::{LeftOut, count_at};
use super::rule_text::{applying, text_of, with_values};
use super::template::filled;
use super::unresolved_name::UnresolvedName;
use super::written_numbers::{product, quotient, seconds, value_of};
use crate::contribute::recipe::{Choice, Compiled, Resolving, Rule};
use crate::model::{Device, Facet, Field, MeasurementKey, Value};
use crate::stores::database::Database;
use crate::stores::resolve::{Certainty, Resolved};
use crate::stores::{devices_of_instance, resolve_spelling};
use crate::values::{Decimal, EntityKind, HardwareClass};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_named_for_every_file_system() {
        assert_eq!(batch_name("Results/AMP nchw (RTX 3090)"), "results-amp-nchw-rtx-3090");
    }
}
