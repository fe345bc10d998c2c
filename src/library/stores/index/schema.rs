//! The fields of a document, and the shares of all measurements as plain arrays in a file beside the index.

use std::io::Write as _;
use std::path::Path;

use strum::VariantArray;
use tantivy::DocId;
use tantivy::directory::{Directory, OwnedBytes, TerminatingWrite as _};
use tantivy::schema::{
    FAST, Field as IndexField, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};

use super::IndexError;
use crate::model::{Facet, Field, FieldType, Metric, Part, Parts};

/// The `subject` of measurements.
pub(super) const MEASUREMENT: &str = "measurement";

/// The `subject` of texts that measurements share.
pub(super) const SHARED: &str = "shared";

/// The fields of a document: its kind, facet terms, text and numbers.
pub(super) struct IndexFields {
    /// `measurement`, `shared` or the kind of an entity.
    pub subject: IndexField,
    /// An entity's id.
    pub entity: IndexField,
    /// `facet:value` terms of a measurement.
    pub facet: IndexField,
    /// Facet terms of entities; a separate field, so that the document frequency of `facet` counts measurements only.
    pub entity_facet: IndexField,
    /// The searchable text.
    pub text: IndexField,
    /// The setup, workload, protocol, batch and remarks of a measurement, encoded by [`SharedText::term`].
    pub shared: IndexField,
    /// The share or remark that a shared text belongs to, encoded by [`SharedText::term`].
    pub text_of: IndexField,
    numbers: Vec<Option<IndexField>>,
    metrics: Vec<IndexField>,
}

impl IndexFields {
    /// The schema of a new index.
    pub fn schema() -> Schema {
        let mut schema = Schema::builder();
        // Hits are not ranked by relevance, so field lengths are not needed.
        let word = TextFieldIndexing::default().set_fieldnorms(false);
        let term = word.clone().set_tokenizer("raw").set_index_option(IndexRecordOption::Basic);
        let term = TextOptions::default().set_indexing_options(term);
        let text = word.set_index_option(IndexRecordOption::WithFreqsAndPositions);
        schema.add_text_field("subject", term.clone());
        schema.add_text_field("entity", term.clone().set_fast("raw"));
        schema.add_text_field("facet", term.clone());
        schema.add_text_field("entity-facet", term);
        schema.add_text_field("text", TextOptions::default().set_indexing_options(text));
        schema.add_u64_field("shared", NumericOptions::default().set_indexed());
        schema.add_u64_field("text-of", FAST);
        for field in Field::VARIANTS.iter().filter(|field| has_column(**field)) {
            schema.add_f64_field(&number_name(*field), FAST);
        }
        for metric in Metric::VARIANTS {
            schema.add_f64_field(&metric_name(*metric), FAST);
        }
        schema.build()
    }

    /// The fields of an existing index.
    pub fn of(schema: &Schema) -> Result<Self, IndexError> {
        let field =
            |name: &str| schema.get_field(name).map_err(|_| IndexError::Damaged(format!("it has no field {name}")));
        let number = |number: &Field| has_column(*number).then(|| field(&number_name(*number))).transpose();
        Ok(Self {
            subject: field("subject")?,
            entity: field("entity")?,
            facet: field("facet")?,
            entity_facet: field("entity-facet")?,
            text: field("text")?,
            shared: field("shared")?,
            text_of: field("text-of")?,
            numbers: Field::VARIANTS.iter().map(number).collect::<Result<_, _>>()?,
            metrics: Metric::VARIANTS.iter().map(|metric| field(&metric_name(*metric))).collect::<Result<_, _>>()?,
        })
    }

    /// The column of a field; `None` if the field has none.
    pub fn number(&self, field: Field) -> Option<IndexField> {
        self.numbers[field as usize]
    }

    /// The column of a metric.
    pub fn metric(&self, metric: Metric) -> IndexField {
        self.metrics[metric as usize]
    }
}

/// A text that measurements share: that of one of their parts, or a remark (a label, caveats, a note).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SharedText {
    Part(Part, u32),
    Remark(u32),
}

impl SharedText {
    /// The index term, which encodes the kind and the number.
    pub fn term(self) -> u64 {
        let (kind, number) = match self {
            Self::Part(part, number) => (part as u64, number),
            Self::Remark(number) => (Part::VARIANTS.len() as u64, number),
        };
        kind << 32 | u64::from(number)
    }
}

/// The term of a facet's value.
pub(super) fn facet_term(facet: Facet, value: &str) -> String {
    format!("{facet}:{value}")
}

/// Rounds a number as columns store it: truncated to 28 significant bits, which distinguishes numbers of eight decimal digits and
/// takes little more than half the space. Bounds must be truncated in the same way.
pub(super) fn as_stored(number: f64) -> f64 {
    const DROPPED: u64 = (1 << 24) - 1;
    f64::from_bits(number.to_bits() & !DROPPED)
}

/// The name of a field's column.
pub(super) fn number_name(field: Field) -> String {
    format!("number.{field}")
}

/// The name of a metric's column.
pub(super) fn metric_name(metric: Metric) -> String {
    format!("metric.{metric}")
}

/// Whether a field is a number that rows state individually; numbers that rows share are looked up by the share.
pub(super) fn has_column(field: Field) -> bool {
    field.part().is_none() && matches!(field.kind(), FieldType::Count | FieldType::Number)
}

const FILE: &str = "rows.parts";

/// Up to this number of shares, a share number takes two bytes, otherwise four.
const NARROW: usize = 1 << 16;

/// The share numbers of all parts, by row.
#[derive(Clone)]
pub(super) struct RowParts([PartColumn; Part::VARIANTS.len()]);

/// The share numbers of one part, by row.
#[derive(Clone)]
pub(super) struct PartColumn {
    /// Number of distinct shares.
    shares: usize,
    /// Two or four bytes per row, little-endian.
    numbers: OwnedBytes,
}

impl RowParts {
    /// Writes the file: the number of shares of each part and the number of rows, four bytes each; then the columns.
    pub fn write(directory: &dyn Directory, parts: &Parts, rows: usize) -> Result<(), IndexError> {
        let mut file = directory.open_write(Path::new(FILE)).map_err(tantivy::TantivyError::from)?;
        let mut bytes = Vec::with_capacity(rows * 4);
        let counts = Part::VARIANTS.iter().map(|part| parts.shares(*part).len()).chain([rows]);
        counts.for_each(|count| bytes.extend((count as u32).to_le_bytes()));
        for &part in Part::VARIANTS {
            let width = width(parts.shares(part).len());
            for row in 0..rows {
                bytes.extend(&parts.of_row(row)[part as usize].to_le_bytes()[..width]);
            }
            file.write_all(&bytes)?;
            bytes.clear();
        }
        Ok(file.terminate()?)
    }

    /// Opens the file memory-mapped; pages are read on demand.
    pub fn open(directory: &dyn Directory) -> Result<Self, IndexError> {
        let damaged = || IndexError::Damaged(format!("{FILE} is not whole"));
        let file = directory.open_read(Path::new(FILE)).map_err(tantivy::TantivyError::from)?;
        let bytes = file.read_bytes()?;
        const HEAD: usize = (Part::VARIANTS.len() + 1) * 4;
        let head = bytes.get(..HEAD).ok_or_else(damaged)?.as_chunks().0;
        let head: Vec<usize> = head.iter().map(|count| u32::from_le_bytes(*count) as usize).collect();
        let rows = head[Part::VARIANTS.len()];
        let mut at = HEAD;
        let mut columns = Vec::with_capacity(Part::VARIANTS.len());
        for &shares in &head[..Part::VARIANTS.len()] {
            let end = at + rows * width(shares);
            if end > bytes.len() {
                return Err(damaged());
            }
            columns.push(PartColumn { shares, numbers: bytes.slice(at..end) });
            at = end;
        }
        columns.try_into().map(Self).map_err(|_| damaged())
    }

    /// The column of a part.
    pub fn column(&self, part: Part) -> &PartColumn {
        &self.0[part as usize]
    }
}

impl PartColumn {
    /// A zero counter for each share.
    pub fn no_counts(&self) -> Vec<u32> {
        vec![0; self.shares]
    }

    /// Counts documents by share; documents that are not measurements are skipped.
    pub fn count(&self, docs: &[DocId], counts: &mut [u32]) {
        self.visit(docs, |_, share| {
            if let Some(count) = counts.get_mut(share) {
                *count += 1;
            }
        });
    }

    /// Appends the share of each measurement.
    pub fn append(&self, docs: &[DocId], shares: &mut Vec<u32>) {
        self.visit(docs, |_, share| shares.push(share as u32));
    }

    /// Moves the documents whose share is wanted to the front, and returns their number.
    pub fn retain_passing(&self, docs: &mut [DocId], wanted: &[bool]) -> usize {
        let mut as_stored = [0; tantivy::COLLECT_BLOCK_BUFFER_LEN];
        let mut count = 0;
        self.visit(docs, |doc, share| {
            as_stored[count] = doc;
            count += usize::from(wanted.get(share).copied().unwrap_or_default());
        });
        docs[..count].copy_from_slice(&as_stored[..count]);
        count
    }

    /// Looks up a value for each document by its share.
    pub fn look_up<V: Copy>(&self, docs: &[DocId], of_shares: &[Option<V>], values: &mut [Option<V>]) {
        let mut at = 0;
        values.fill(None);
        self.visit(docs, |_, share| {
            values[at] = of_shares.get(share).copied().flatten();
            at += 1;
        });
    }

    fn visit(&self, docs: &[DocId], mut visit: impl FnMut(DocId, usize)) {
        if width(self.shares) == 2 {
            let numbers: &[[u8; 2]] = self.numbers.as_chunks().0;
            for &doc in docs {
                if let Some(number) = numbers.get(doc as usize) {
                    visit(doc, u16::from_le_bytes(*number).into());
                }
            }
        } else {
            let numbers: &[[u8; 4]] = self.numbers.as_chunks().0;
            for &doc in docs {
                if let Some(number) = numbers.get(doc as usize) {
                    visit(doc, u32::from_le_bytes(*number) as usize);
                }
            }
        }
    }
}

#[cfg(test)]
impl PartColumn {
    /// A column with these share numbers.
    pub fn of_rows(shares: usize, rows: &[u32]) -> Self {
        let bytes: Vec<u8> = rows.iter().flat_map(|row| row.to_le_bytes().into_iter().take(width(shares))).collect();
        Self { shares, numbers: OwnedBytes::new(bytes) }
    }
}

/// A bit set: `true` at the index of each of these shares.
pub(super) fn wanted(shares: &[u32]) -> Vec<bool> {
    let mut wanted = vec![false; shares.iter().max().map_or(0, |most| *most as usize + 1)];
    shares.iter().for_each(|share| wanted[*share as usize] = true);
    wanted
}

/// The width of a share number in bytes.
fn width(shares: usize) -> usize {
    if shares <= NARROW { 2 } else { 4 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_of_eight_digits_keep_their_order(digits in 1u32..99_999_999, decimals in 0i32..9) {
            let scale = 10f64.powi(decimals);
            let (one, next) = (f64::from(digits) / scale, f64::from(digits + 1) / scale);
            prop_assert!(as_stored(one) < as_stored(next));
            prop_assert!(as_stored(-one) > as_stored(-next));
        }

        #[test]
        fn the_order_never_turns_round(one in proptest::num::f64::NORMAL, other in proptest::num::f64::NORMAL) {
            prop_assert!(one > other || as_stored(one) <= as_stored(other));
        }
    }

    #[test]
    fn rows_are_counted_and_sifted_by_their_shares() {
        for shares in [3, NARROW + 1] {
            let column = PartColumn::of_rows(shares, &[2, 0, 2, 1]);
            let mut counts = column.no_counts();
            column.count(&[0, 2, 3, 9], &mut counts);
            assert_eq!(counts[..3], [0, 1, 2]);
            let mut docs = [0, 1, 2, 3, 9];
            let count = column.retain_passing(&mut docs, &[false, true, true]);
            assert_eq!(docs[..count], [0, 2, 3]);
            let mut shares = Vec::new();
            column.append(&[3, 0], &mut shares);
            assert_eq!(shares, [1, 2]);
        }
    }
}
