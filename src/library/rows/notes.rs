//! What a reader must know to judge some rows, as data; the sentences stand here and nowhere else.

use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::model::{Caveat, Field, SkippedFile};
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// Something a reader must know. As JSON it is its code and its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// Words were read as the nearest known name.
    Fuzzy {
        /// The words.
        text: String,
        /// The name that they were read as.
        taken_for: String,
    },
    /// A question in another language was read in English.
    Translated {
        /// The words.
        text: String,
        /// The English ones in their place.
        english: String,
    },
    /// Words that a question takes back of itself.
    TakenBack {
        /// The words, each time.
        texts: Vec<String>,
    },
    /// A product's name with an s was read as several of the product, although another product is called so.
    Plural {
        /// The word.
        text: String,
        /// The product.
        one: String,
        /// The name of the other product.
        other: String,
    },
    /// A word was found inside of the words by which sources tell their rows apart.
    InsideOfLabels {
        /// The word.
        text: String,
    },
    /// No row that meets the rest is of a year.
    NoneOfYear {
        /// The year.
        year: String,
    },
    /// Of the sources that a question names the newest is meant, or the oldest.
    NewestOf {
        /// The words.
        text: String,
        /// How many of the sources have rows of what is asked for.
        of: usize,
        /// The newest of each benchmark.
        sources: Vec<String>,
    },
    /// What is to be without something is what the catalog states none of.
    StatesNone {
        /// The words.
        text: String,
    },
    /// So many of the rows found state no date: they count by the year of their source.
    DatedBySource {
        /// How many rows it holds for.
        rows: usize,
        /// How many rows there are.
        of: usize,
    },
    /// So many of the rows found do not state a field of which some values are excluded.
    MayBeExcluded {
        /// The field.
        field: Field,
        /// How many rows do not state it.
        rows: usize,
        /// How many rows there are.
        of: usize,
    },
    /// What is asked for is not kept: what is nearest to it is told, or the rest without it.
    NotKept {
        /// The words.
        text: String,
        /// Whether something that is near to it is told in its place.
        instead: bool,
    },
    /// No row has all of these values at once, so that rows with any of them are shown.
    AnyOf {
        /// The values.
        values: Vec<String>,
    },
    /// The question asks for entities of a kind; so many measurements match, too.
    FactsAskedFor {
        /// How many measurements match.
        measurements: usize,
        /// What the question asks for.
        kind: EntityKind,
    },
    /// The question names too many entities of these kinds: the facts are of those in the rows shown.
    FactsOfPage {
        /// How many of each kind the question names.
        entities: Vec<(EntityKind, usize)>,
    },
    /// Files with mistakes are left out of every answer.
    LeftOut {
        /// The files.
        files: Vec<SkippedFile>,
    },
    /// No measurement matches, entities do.
    CatalogOnly,
    /// Without this part of the question so many measurements match.
    EmptiedBy {
        /// The part of the question.
        part: String,
        /// How many measurements match without it.
        without: usize,
    },
    /// The question's only part matches nothing.
    NoMatch {
        /// The part of the question.
        part: String,
    },
    /// All parts of the question together match nothing, nor do all but one of them.
    NoMatchInAll,
    /// So many rows of each standing come behind all others.
    Standing {
        /// How many rows have each standing.
        counts: Vec<(String, usize)>,
    },
    /// So many rows compute in mixed precision.
    MixedPrecision {
        /// How many rows it holds for.
        rows: usize,
    },
    /// The throughput of so many rows is derived.
    DerivedThroughput {
        /// How many rows it holds for.
        rows: usize,
        /// How many rows there are; not said where it is `None`.
        of: Option<usize>,
    },
    /// So many rows name a device family with so many SKUs.
    Family {
        /// Name of the family.
        name: String,
        /// How many rows it holds for.
        rows: usize,
        /// How many SKUs of it are known.
        skus: usize,
    },
    /// A network and its revisions are different networks.
    Revisions {
        /// Name of the network.
        base: String,
        /// Names of its revisions.
        revisions: Vec<String>,
    },
    /// So many rows were measured under these disturbances.
    Caveats {
        /// How many rows it holds for.
        rows: usize,
        /// The disturbances.
        caveats: Vec<Caveat>,
    },
    /// Rows that differ in these fields are not comparable.
    NotComparable {
        /// The fields.
        fields: Vec<Field>,
    },
    /// So many rows do not state each of these fields.
    NotStated {
        /// How many rows do not state each field.
        missing: Vec<(Field, usize)>,
        /// How many rows there are.
        of: usize,
    },
}

/// So many files with mistakes are named.
const MOST_FILES: usize = 5;

impl Note {
    /// A stable word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Fuzzy { .. } => "fuzzy",
            Self::Translated { .. } => "translated",
            Self::TakenBack { .. } => "taken-back",
            Self::Plural { .. } => "plural",
            Self::InsideOfLabels { .. } => "inside-of-labels",
            Self::NoneOfYear { .. } => "none-of-year",
            Self::NewestOf { .. } => "newest-of",
            Self::StatesNone { .. } => "states-none",
            Self::DatedBySource { .. } => "dated-by-source",
            Self::MayBeExcluded { .. } => "may-be-excluded",
            Self::NotKept { .. } => "not-kept",
            Self::AnyOf { .. } => "any-of",
            Self::FactsAskedFor { .. } => "facts-asked-for",
            Self::FactsOfPage { .. } => "facts-of-page",
            Self::LeftOut { .. } => "left-out",
            Self::CatalogOnly => "catalog-only",
            Self::EmptiedBy { .. } | Self::NoMatch { .. } | Self::NoMatchInAll => "emptied-by",
            Self::Standing { .. } => "standing",
            Self::MixedPrecision { .. } => "mixed-precision",
            Self::DerivedThroughput { .. } => "derived-throughput",
            Self::Family { .. } => "family",
            Self::Revisions { .. } => "revisions",
            Self::Caveats { .. } => "caveats",
            Self::NotComparable { .. } => "not-comparable",
            Self::NotStated { .. } => "unknown",
        }
    }
}

impl Note {
    /// Whether it says how the question was read: who reads the answer must know it first.
    pub fn is_of_reading(&self) -> bool {
        matches!(
            self,
            Self::Fuzzy { .. }
                | Self::Translated { .. }
                | Self::TakenBack { .. }
                | Self::Plural { .. }
                | Self::InsideOfLabels { .. }
                | Self::NoneOfYear { .. }
                | Self::NewestOf { .. }
                | Self::StatesNone { .. }
                | Self::DatedBySource { .. }
                | Self::MayBeExcluded { .. }
                | Self::NotKept { .. }
        )
    }
}

impl fmt::Display for Note {
    /// The sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fuzzy { text, taken_for } => write!(f, "`{text}` is no known name; it was read as `{taken_for}`."),
            Self::Translated { text, english } => write!(f, "`{text}` was read as `{english}`."),
            Self::TakenBack { texts } => {
                let texts: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
                let is = if texts.len() == 1 { "was" } else { "were" };
                write!(f, "{} {is} taken back in the question, and left out.", and_list(&texts))
            }
            Self::Plural { text, one, other } => {
                write!(f, "`{text}` was read as several `{one}`; for the {other} write `{}`.", text.to_uppercase())
            }
            Self::NoneOfYear { year } => write!(f, "No such row is of {year}; those of other years are told."),
            Self::InsideOfLabels { text } => {
                write!(f, "`{text}` is no name known here; it stands in the labels of the rows told.")
            }
            Self::NewestOf { text, of, sources } => {
                let (is, sources_of) =
                    (if sources.len() == 1 { "is" } else { "are" }, counted(*of, "source", "sources"));
                write!(f, "`{text}` {is} {}, of {sources_of} with such rows.", and_list(sources))
            }
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
            Self::NotKept { text, instead: true } => {
                write!(f, "No source here states `{text}`; what is nearest to it is told.")
            }
            Self::NotKept { text, instead: false } => {
                write!(f, "No source here states `{text}`; what follows is without it.")
            }
            Self::StatesNone { text } => {
                write!(f, "`{text}`: the catalog states none, which is no proof that there is none.")
            }
            Self::AnyOf { values } => {
                write!(f, "No row is about {} at once: rows about any of them are shown.", and_list(values))
            }
            Self::FactsAskedFor { measurements, kind } => write!(
                f,
                "{} match, too; they are shown when the question does not ask for {}.",
                counted(*measurements, "measurement", "measurements"),
                kind.plural().replace('-', " "),
            ),
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
            Self::CatalogOnly => f.write_str("No measurement matches; the answer is from the catalog of facts."),
            Self::EmptiedBy { part, without } => {
                write!(f, "Without `{part}` there would be {}.", counted(*without, "measurement", "measurements"))
            }
            Self::NoMatch { part } => write!(f, "`{part}` matches no measurement."),
            Self::NoMatchInAll => f.write_str("No measurement matches these words, nor all but one of them."),
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
                write!(f, "{base} and its revision {} are different networks.", and_list(revisions))
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

/// `3 of 5`, `all 5`.
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
