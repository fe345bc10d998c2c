//! What must be known to judge the numbers of a page of rows.

use std::collections::{BTreeSet, HashMap};

use strum::VariantArray as _;

use super::catalog::JoinedCatalog;
use super::notes::Note;
use super::row::JoinedRow;
use crate::model::{Caveat, Field, Metric, Tier, Value};
use crate::values::Precision;

/// What must be known to judge the numbers of these rows, which came with this catalog.
pub fn notes_on(rows: &[JoinedRow], catalog: &JoinedCatalog) -> Vec<Note> {
    let mut notes = Vec::new();
    let mixed = rows.iter().filter(|row| row.recorded().precision().is_some_and(Precision::is_mixed)).count();
    if mixed > 0 {
        notes.push(Note::MixedPrecision { rows: mixed });
    }
    let is_derived = |row: &&JoinedRow| row.metric(Metric::ThroughputPerS).is_some_and(|(_, derived)| derived);
    let derived = rows.iter().filter(is_derived).count();
    if derived > 0 {
        notes.push(Note::DerivedThroughput { rows: derived, of: None });
    }
    notes.extend(families(rows, catalog));
    notes.extend(revisions(catalog));
    notes.extend(caveats(rows));
    if rows.len() > 1 {
        notes.extend(not_comparable(rows));
        notes.extend(not_stated(rows));
    }
    notes
}

/// The device families that rows name.
fn families<'c>(rows: &'c [JoinedRow], catalog: &'c JoinedCatalog) -> impl Iterator<Item = Note> + 'c {
    let mut named: HashMap<&str, usize> = HashMap::new();
    for device in rows.iter().filter_map(|row| row.recorded().text(Field::Device)) {
        *named.entry(device).or_default() += 1;
    }
    let mut members: HashMap<&str, usize> = HashMap::new();
    for family in catalog.devices.iter().filter_map(|device| device.variant_of.as_ref()) {
        *members.entry(family.as_str()).or_default() += 1;
    }
    catalog.devices.iter().filter_map(move |family| {
        let (rows, skus) = (*named.get(family.id.as_str())?, *members.get(family.id.as_str())?);
        Some(Note::Family { name: family.name.clone(), rows, skus })
    })
}

/// The networks that came with revisions of them.
fn revisions(catalog: &JoinedCatalog) -> impl Iterator<Item = Note> + '_ {
    catalog.networks.iter().filter_map(|base| {
        let revisions = catalog.networks.iter().filter(|network| network.variant_of.as_ref() == Some(&base.id));
        let revisions: Vec<String> = revisions.map(|network| network.name.clone()).collect();
        (!revisions.is_empty()).then(|| Note::Revisions { base: base.name.clone(), revisions })
    })
}

/// What disturbed measurements of our own runner.
fn caveats(rows: &[JoinedRow]) -> Option<Note> {
    let texts: Vec<&str> = rows.iter().filter_map(|row| row.recorded().text(Field::Caveats)).collect();
    let caveats: BTreeSet<Caveat> = texts.iter().flat_map(|text| Caveat::all_in(text)).collect();
    (!texts.is_empty()).then(|| Note::Caveats { rows: texts.len(), caveats: caveats.into_iter().collect() })
}

/// Which identity fields differ among the rows, so that they cannot be ranked together.
fn not_comparable(rows: &[JoinedRow]) -> Option<Note> {
    let differs = |field: &Field| {
        let stated = rows.iter().filter_map(|row| row.recorded().get(*field).map(Value::to_string));
        stated.collect::<BTreeSet<String>>().len() > 1
    };
    let identity = Field::VARIANTS.iter().copied().filter(|field| field.tier() == Tier::Identity);
    let mut fields: Vec<Field> = identity.filter(differs).collect();
    // What was timed follows from the stage.
    if fields.contains(&Field::Stage) {
        fields.retain(|field| *field != Field::Timed);
    }
    (!fields.is_empty()).then_some(Note::NotComparable { fields })
}

/// What some rows do not state.
fn not_stated(rows: &[JoinedRow]) -> Option<Note> {
    let missing = [Field::Precision, Field::BatchSize, Field::FrameworkVersion].into_iter().map(|field| {
        // What has no framework (a figure of a chip) has no version of one.
        let applies =
            |row: &&JoinedRow| field != Field::FrameworkVersion || row.recorded().get(Field::Framework).is_some();
        // A batch may be that of a device or of all.
        let states = |row: &JoinedRow, field: Field| row.recorded().get(field).is_some();
        let lacks = |row: &&JoinedRow| {
            !(states(row, field) || field == Field::BatchSize && states(row, Field::BatchSizeGlobal))
        };
        (field, rows.iter().filter(applies).filter(lacks).count())
    });
    let missing: Vec<(Field, usize)> = missing.filter(|(_, rows)| *rows > 0).collect();
    (!missing.is_empty()).then_some(Note::NotStated { missing, of: rows.len() })
}
