//! The setup, workload, protocol and batch of every measurement, as plain arrays in a file beside the index. Every hit of
//! every question is counted by all four; decoding tantivy's bit-packed columns would dominate the time of a query.

use std::io::Write as _;
use std::path::Path;

use strum::VariantArray;
use tantivy::DocId;
use tantivy::directory::{Directory, OwnedBytes, TerminatingWrite as _};

use super::IndexError;
use crate::model::{Part, Parts};

const FILE: &str = "rows.parts";

/// Up to this many shares a number takes two bytes, else four.
const NARROW: usize = 1 << 16;

/// The parts of all rows.
#[derive(Clone)]
pub(super) struct RowParts([PartColumn; Part::VARIANTS.len()]);

/// The numbers of one part, by row.
#[derive(Clone)]
pub(super) struct PartColumn {
    /// How many different ones there are.
    shares: usize,
    /// Two or four bytes of each row, the lowest first.
    numbers: OwnedBytes,
}

impl RowParts {
    /// Writes the file: how many shares each part has and how many rows there are, four bytes each; then the columns.
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

    /// Opens the file; it stays on the disk until its pages are read.
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
    /// A zero for each share, to count into.
    pub fn no_counts(&self) -> Vec<u32> {
        vec![0; self.shares]
    }

    /// Adds rows to the counts of their shares; documents that are no measurement are skipped.
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

    /// Moves the rows whose share is wanted to the front and returns their number.
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

    /// Looks up a value by the share of each row.
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
    /// Of some rows.
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
    use super::*;

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
