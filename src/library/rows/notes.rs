//! Notes that a reader needs to judge rows or a page of them, as data; this file also words them.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use strum::{IntoStaticStr, VariantArray as _};

use super::entities::JoinedCatalog;
use super::row::JoinedRow;
use crate::model::{Caveat, Field, Metric, SkippedFile, Tier, Value};
use crate::values::text::{and_list, counted};
use crate::values::{EntityKind, Precision};

/// A note for the reader. In JSON it is its code and its sentence.
#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Note {
    /// Rows without a date are filed under the year of their source.
    DatedBySource {
        /// Number of rows without a date.
        rows: usize,
        /// Number of rows found.
        of: usize,
    },
    /// Rows that do not state a field for which the question excludes some values.
    MayBeExcluded {
        /// The field.
        field: Field,
        /// Number of rows that do not state it.
        rows: usize,
        /// Number of rows found.
        of: usize,
    },
    /// The question is about too many entities of these kinds: facts are shown only for those in the rows shown.
    FactsOfPage {
        /// Number of entities of each kind in the question.
        entities: Vec<(EntityKind, usize)>,
    },
    /// Files with mistakes, which are left out of every answer.
    LeftOut {
        /// The files.
        files: Vec<SkippedFile>,
    },
    /// Rows with a standing (such as disputed), which are sorted behind all others.
    Standing {
        /// Number of rows by standing.
        counts: Vec<(String, usize)>,
    },
    /// Rows that compute in mixed precision.
    MixedPrecision {
        /// Number of such rows.
        rows: usize,
    },
    /// Rows whose throughput is derived.
    DerivedThroughput {
        /// Number of such rows.
        rows: usize,
        /// Number of all rows; `None` leaves it out of the sentence.
        of: Option<usize>,
    },
    /// Rows that state only a device family, which has several SKUs.
    Family {
        /// Name of the family.
        name: String,
        /// Number of such rows.
        rows: usize,
        /// Number of known SKUs of the family.
        skus: usize,
    },
    /// A network and its revisions are different networks.
    Revisions {
        /// Name of the network.
        base: String,
        /// Names of its revisions.
        revisions: Vec<String>,
    },
    /// Rows that were measured under these disturbances.
    Caveats {
        /// Number of such rows.
        rows: usize,
        /// The disturbances.
        caveats: Vec<Caveat>,
    },
    /// Rows that differ in these fields are not comparable.
    NotComparable {
        /// The fields.
        fields: Vec<Field>,
    },
    /// Rows that do not state some of the fields that matter for comparisons.
    #[strum(serialize = "unknown")]
    NotStated {
        /// Number of rows that lack each field.
        missing: Vec<(Field, usize)>,
        /// Number of all rows.
        of: usize,
    },
}

/// Maximum number of files with mistakes to list.
const MOST_FILES: usize = 5;

/// Maximum number of revisions of a network to list.
const MOST_REVISIONS: usize = 4;

impl Note {
    /// The stable code for programs.
    pub fn code(&self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for Note {
    /// The sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DatedBySource { rows, of } => {
                let rows = if rows == of {
                    "None of the rows states its date".to_owned()
                } else {
                    format!("{rows} of the {of} rows state no date")
                };
                write!(f, "{rows}: the year is that of the source.")
            }
            Self::MayBeExcluded { field: Field::Device, rows, of } => {
                let is = if *rows == 1 { "is" } else { "are" };
                write!(
                    f,
                    "{rows} of the {of} rows {is} of devices whose maker no source names, which may be one that is excluded."
                )
            }
            Self::MayBeExcluded { field, rows, of } => {
                let state = if *rows == 1 { "states" } else { "state" };
                write!(f, "{rows} of the {of} rows {state} no {}, which may be one that is excluded.", field.heading())
            }
            Self::FactsOfPage { entities } => {
                let counts = entities.iter().map(|(kind, n)| counted(*n, kind.noun(), &format!("{}s", kind.noun())));
                let counts = and_list(&counts.collect::<Vec<_>>());
                write!(f, "The question is about {counts}: the facts shown are of those in the rows shown.")
            }
            Self::LeftOut { files } => {
                let told: Vec<String> = files.iter().take(MOST_FILES).map(ToString::to_string).collect();
                write!(f, "{}.", told.join("; "))?;
                match files.len().saturating_sub(MOST_FILES) {
                    0 => Ok(()),
                    more => write!(f, " And {} more.", counted(more, "file", "files")),
                }
            }
            Self::Standing { counts } => {
                let (comes, is) = match counts.iter().map(|(_, rows)| rows).sum::<usize>() {
                    1 => ("measurement comes", "is"),
                    _ => ("measurements come", "are"),
                };
                let counts: Vec<String> = counts.iter().map(|(standing, rows)| format!("{rows} {standing}")).collect();
                write!(f, "{} {comes} behind all others and {is} never marked as best.", and_list(&counts))
            }
            Self::MixedPrecision { rows } => {
                let rows = counted(*rows, "row is", "rows are");
                write!(f, "{rows} in mixed precision (amp), which computes in the shorter format.")
            }
            Self::DerivedThroughput { rows, of } => {
                let rows = of.map_or_else(|| counted(*rows, "row", "rows"), |all| of_all(*rows, all));
                write!(f, "The throughput of {rows} is derived: batch size / latency.")
            }
            Self::Family { name, rows, skus } => write!(
                f,
                "{} {name}, the family: the source does not say which of its {} it was.",
                counted(*rows, "row names", "rows name"),
                counted(*skus, "SKU", "SKUs"),
            ),
            Self::Revisions { base, revisions } => {
                let mut shown: Vec<String> = revisions.iter().take(MOST_REVISIONS).map(ToString::to_string).collect();
                let more = revisions.len() - shown.len();
                shown.extend((more > 0).then(|| format!("{more} more")));
                write!(f, "{base} and its revision {} are different networks.", and_list(&shown))
            }
            Self::Caveats { rows, caveats } => {
                let rows = counted(*rows, "row has a caveat", "rows have caveats");
                let mut names: Vec<String> = caveats.iter().map(|caveat| caveat.heading().to_lowercase()).collect();
                names.sort_unstable();
                write!(f, "{rows} ({}): column caveats, -f csv.", and_list(&names))
            }
            Self::NotComparable { fields } => {
                let fields: Vec<&str> = fields.iter().map(|field| field.heading()).collect();
                write!(f, "Rows that differ in {} are not comparable with each other.", and_list(&fields))
            }
            Self::NotStated { missing, of } => {
                let fields = missing.iter().map(|(field, rows)| format!("{} ({rows} of {of})", field.heading()));
                let fields = and_list(&fields.collect::<Vec<_>>());
                write!(f, "Not stated by the source, and not to be taken as equal: {fields}.")
            }
        }
    }
}

/// Formats `3 of 5`, or `all 5`.
fn of_all(rows: usize, all: usize) -> String {
    if rows == all { format!("all {all}") } else { format!("{rows} of {all}") }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut note = serializer.serialize_struct("Note", 2)?;
        note.serialize_field("code", self.code())?;
        note.serialize_field("text", &self.to_string())?;
        note.end()
    }
}

/// The notes needed to judge the numbers of these rows, whose entities are in this catalog.
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

/// Notes on the device families in the rows.
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

/// Notes on networks whose revisions are in the catalog as well.
fn revisions(catalog: &JoinedCatalog) -> impl Iterator<Item = Note> + '_ {
    catalog.networks.iter().filter_map(|base| {
        let revisions = catalog.networks.iter().filter(|network| network.variant_of.as_ref() == Some(&base.id));
        let revisions: Vec<String> = revisions.map(|network| network.name.clone()).collect();
        (!revisions.is_empty()).then(|| Note::Revisions { base: base.name.clone(), revisions })
    })
}

/// The note on disturbed measurements of our own runner.
fn caveats(rows: &[JoinedRow]) -> Option<Note> {
    let texts: Vec<&str> = rows.iter().filter_map(|row| row.recorded().text(Field::Caveats)).collect();
    let caveats: BTreeSet<Caveat> = texts.iter().flat_map(|text| Caveat::all_in(text)).collect();
    (!texts.is_empty()).then(|| Note::Caveats { rows: texts.len(), caveats: caveats.into_iter().collect() })
}

/// The note on identity fields that differ among the rows, which therefore cannot be ranked together.
fn not_comparable(rows: &[JoinedRow]) -> Option<Note> {
    let differs = |field: &Field| {
        let stated = rows.iter().filter_map(|row| row.recorded().get(*field).map(Value::to_string));
        stated.collect::<BTreeSet<String>>().len() > 1
    };
    let identity = Field::VARIANTS.iter().copied().filter(|field| field.tier() == Tier::Identity);
    let mut fields: Vec<Field> = identity.filter(differs).collect();
    // The stage determines what was timed.
    if fields.contains(&Field::Stage) {
        fields.retain(|field| *field != Field::Timed);
    }
    (!fields.is_empty()).then_some(Note::NotComparable { fields })
}

/// The note on fields that some rows do not state.
fn not_stated(rows: &[JoinedRow]) -> Option<Note> {
    let missing = [Field::Precision, Field::BatchSize, Field::FrameworkVersion].into_iter().map(|field| {
        // Rows without a framework (figures of a chip) cannot have its version.
        let applies =
            |row: &&JoinedRow| field != Field::FrameworkVersion || row.recorded().get(Field::Framework).is_some();
        // The batch size may be per device or global.
        let states = |row: &JoinedRow, field: Field| row.recorded().get(field).is_some();
        let lacks = |row: &&JoinedRow| {
            !(states(row, field) || field == Field::BatchSize && states(row, Field::BatchSizeGlobal))
        };
        (field, rows.iter().filter(applies).filter(lacks).count())
    });
    let missing: Vec<(Field, usize)> = missing.filter(|(_, rows)| *rows > 0).collect();
    (!missing.is_empty()).then_some(Note::NotStated { missing, of: rows.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_grammatical_and_json_has_code_and_text() {
        let one = Note::Standing { counts: vec![("disputed".to_owned(), 1)] };
        assert_eq!(one.to_string(), "1 disputed measurement comes behind all others and is never marked as best.");
        let caveats = Note::Caveats { rows: 2, caveats: vec![Caveat::WideInterval, Caveat::Outliers] };
        let json = serde_json::to_value(&caveats).unwrap();
        assert_eq!(json["code"], "caveats");
        assert_eq!(json["text"], "2 rows have caveats (outliers and wide interval): column caveats, -f csv.");
        assert_eq!(
            Note::DerivedThroughput { rows: 3, of: Some(3) }.to_string(),
            "The throughput of all 3 is derived: batch size / latency."
        );
    }
}
