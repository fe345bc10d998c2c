//! The ZIP archive that a workbook is, unpacked within a limit: some kilobytes may pretend to hold, or really hold, gigabytes.
//!
//! The reader of workbooks gets an archive that is made here of what was unpacked, so that it can find nothing else in it than what
//! was counted. The parts of an archive stand in PKWARE's APPNOTE.TXT, 4.3.

use std::io::Read as _;
use std::sync::LazyLock;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use regex::bytes::Regex;

use super::record::MalformedInput;

/// Bytes that all parts of a workbook that are read may come to, unpacked: a million cells have about so many. Tests have less
/// patience.
const MOST_UNPACKED: u64 = if cfg!(test) { 4 << 20 } else { 64 << 20 };

/// Parts of a workbook: sheets, and what belongs to each.
const MOST_PARTS: usize = 4096;

const LOCAL: &[u8] = b"PK\x03\x04";
const ENTRY: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";

/// How the parts are kept.
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An archive with the parts of a workbook that hold its sheets, which are not packed.
///
/// # Errors
///
/// When it is no archive, or more than the limit.
pub(super) fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, MalformedInput> {
    let entries = entries(bytes).ok_or_else(|| broken("it is no ZIP archive"))?;
    if entries.len() > MOST_PARTS
        || entries.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.size)) > MOST_UNPACKED
    {
        return Err(too_large());
    }
    let mut archive = NewArchive::default();
    for entry in entries {
        let content = entry.content(bytes, MOST_UNPACKED - archive.unpacked)?;
        refuse_places_outside(&content)?;
        archive.add(entry.name, &content);
    }
    Ok(archive.finish())
}

/// A place or an area in a part: `B7`, `A1:C9`.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\s(?:r|ref)\s*=\s*["']([A-Za-z]*)([0-9]*)(?::([A-Za-z]*)([0-9]*))?["']"#).expect("it is tested")
});

/// Refuses places beyond the last column (XFD) and row (1048576) of a sheet, and areas that end before they begin: the reader
/// of workbooks computes with them unchecked.
fn refuse_places_outside(part: &[u8]) -> Result<(), MalformedInput> {
    /// Letters of the last column, digits of the last row (support.microsoft.com: Excel specifications and limits).
    const LONGEST: (usize, usize) = (3, 7);
    let number = |text: &[u8], base: u32, digit: fn(u8) -> u32| {
        text.iter().fold(0_u32, |number, byte| number * base + digit(byte.to_ascii_uppercase()))
    };
    for found in PLACE.captures_iter(part) {
        let text = |at: usize| found.get(at).map_or(&b""[..], |text| text.as_bytes());
        let corners = [(text(1), text(2)), (text(3), text(4))];
        let is_long = corners.iter().any(|(letters, digits)| letters.len() > LONGEST.0 || digits.len() > LONGEST.1);
        let place = |(letters, digits): (&[u8], &[u8])| {
            (number(letters, 26, |byte| u32::from(byte - b'A') + 1), number(digits, 10, |byte| u32::from(byte - b'0')))
        };
        let is_reversed = || {
            let ((first, top), (last, bottom)) = (place(corners[0]), place(corners[1]));
            found.get(3).is_some() && (last < first || bottom < top)
        };
        if is_long || is_reversed() {
            let named = String::from_utf8_lossy(&found[0]);
            return Err(broken(&format!("`{}` is no place of a sheet", named.trim())));
        }
    }
    Ok(())
}

fn broken(why: &str) -> MalformedInput {
    MalformedInput::new(0, format!("expected an XLSX workbook: {why}"))
}

fn too_large() -> MalformedInput {
    let limit = MOST_UNPACKED >> 20;
    MalformedInput::new(
        0,
        format!("expected a workbook of at most {MOST_PARTS} parts and {limit} MiB when it is unpacked"),
    )
}

/// A part, as the directory at the end of the archive has it.
struct ArchiveEntry<'b> {
    name: &'b [u8],
    method: u16,
    is_encrypted: bool,
    packed: u64,
    size: u64,
    offset: u64,
}

/// The parts that hold text: pictures and programs are nobody's numbers.
fn entries(bytes: &[u8]) -> Option<Vec<ArchiveEntry<'_>>> {
    /// Bytes of the end, behind which a comment may stand.
    const END_LENGTH: usize = 22;
    const LONGEST_COMMENT: usize = u16::MAX as usize;
    let from = bytes.len().saturating_sub(END_LENGTH + LONGEST_COMMENT);
    let end = from + bytes[from..].windows(END.len()).rposition(|window| window == END)?;
    let count = u16_at(bytes, end + 10)?;
    let mut at = usize::try_from(u32_at(bytes, end + 16)?).ok()?;
    let mut entries = Vec::new();
    for _ in 0..count {
        if bytes.get(at..at + ENTRY.len())? != ENTRY {
            return None;
        }
        let [name, extra, comment] = [28, 30, 32].map(|offset| u16_at(bytes, at + offset).map(usize::from));
        let (name, extra, comment) = (name?, extra?, comment?);
        let from = at + 46;
        let mut entry = ArchiveEntry {
            name: bytes.get(from..from + name)?,
            method: u16_at(bytes, at + 10)?,
            is_encrypted: u16_at(bytes, at + 8)? & 1 == 1,
            packed: u32_at(bytes, at + 20)?.into(),
            size: u32_at(bytes, at + 24)?.into(),
            offset: u32_at(bytes, at + 42)?.into(),
        };
        entry.read_large_numbers(bytes.get(from + name..from + name + extra)?);
        if [&b".xml"[..], b".rels"].iter().any(|end| entry.name.to_ascii_lowercase().ends_with(end)) {
            entries.push(entry);
        }
        at = from + name + extra + comment;
    }
    Some(entries)
}

impl ArchiveEntry<'_> {
    /// Numbers of 64 bits, which stand in a field of their own where the usual place is full of ones.
    fn read_large_numbers(&mut self, mut extra: &[u8]) {
        const LARGE: u16 = 1;
        while let (Some(kind), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
            let Some(field) = extra.get(4..4 + usize::from(length)) else { return };
            if kind == LARGE {
                let mut numbers =
                    field.chunks_exact(8).map(|bytes| bytes.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)));
                for number in [&mut self.size, &mut self.packed, &mut self.offset] {
                    if *number == u64::from(u32::MAX) {
                        *number = numbers.next().unwrap_or(*number);
                    }
                }
            }
            extra = &extra[4 + usize::from(length)..];
        }
    }

    /// What it holds, at most `left` bytes.
    fn content(&self, bytes: &[u8], left: u64) -> Result<Vec<u8>, MalformedInput> {
        let name = String::from_utf8_lossy(self.name).into_owned();
        let packed = self.packed_bytes(bytes).ok_or_else(|| broken(&format!("`{name}` is not whole")))?;
        let mut content = Vec::new();
        match self.method {
            _ if self.is_encrypted => return Err(broken("it is encrypted")),
            STORED => content.extend_from_slice(&packed[..packed.len().min(left as usize + 1)]),
            DEFLATED => {
                let read = DeflateDecoder::new(packed).take(left + 1).read_to_end(&mut content);
                read.map_err(|error| broken(&format!("`{name}`: {error}")))?;
            }
            other => return Err(broken(&format!("`{name}` is packed by the method {other}"))),
        }
        if content.len() as u64 > left {
            return Err(too_large());
        }
        Ok(content)
    }

    fn packed_bytes<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let at = usize::try_from(self.offset).ok()?;
        if bytes.get(at..at.checked_add(LOCAL.len())?)? != LOCAL {
            return None;
        }
        let start = at + 30 + usize::from(u16_at(bytes, at + 26)?) + usize::from(u16_at(bytes, at + 28)?);
        bytes.get(start..start.checked_add(usize::try_from(self.packed).ok()?)?)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// An archive of parts that are not packed.
#[derive(Default)]
struct NewArchive {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    parts: u16,
    unpacked: u64,
}

impl NewArchive {
    fn add(&mut self, name: &[u8], content: &[u8]) {
        let mut sum = Crc::new();
        sum.update(content);
        // Version, flags, method, time and date.
        let mut shared = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for number in [sum.sum(), content.len() as u32, content.len() as u32, name.len() as u32] {
            shared.extend(number.to_le_bytes());
        }
        let offset = self.bytes.len() as u32;
        self.directory.extend([ENTRY, &[20, 0], &shared, &[0; 10], &offset.to_le_bytes(), name].concat());
        self.bytes.extend([LOCAL, &shared, name].concat());
        self.bytes.extend(content);
        self.parts += 1;
        self.unpacked += content.len() as u64;
    }

    fn finish(mut self) -> Vec<u8> {
        let (start, length) = (self.bytes.len() as u32, self.directory.len() as u32);
        self.bytes.append(&mut self.directory);
        let parts = self.parts.to_le_bytes();
        self.bytes
            .extend([END, &[0; 4], &parts, &parts, &length.to_le_bytes(), &start.to_le_bytes(), &[0; 2]].concat());
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::*;

    /// An archive of one part, packed, which states another size.
    fn packed(content: &[u8], stated: u32) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        let mut archive = NewArchive::default();
        archive.add(b"a.xml", &packed);
        archive.directory[10] = DEFLATED as u8;
        archive.directory[24..28].copy_from_slice(&stated.to_le_bytes());
        archive.finish()
    }

    #[test]
    fn places_outside_every_sheet_are_refused() {
        let of = |cell: &str| refuse_places_outside(format!("<c {cell}><v>1</v></c>").as_bytes());
        for place in ["r=\"XFD1048576\"", "ref='A1:B3'", "r:id=\"rIdABCDEFGH12345678901\"", "ref=\"A1\"", "r=\"12\""] {
            assert!(of(place).is_ok(), "{place}");
        }
        for place in ["r=\"ABCDEFGH1\"", "r=\"A99999999999\"", " r = 'ZZZZZZZ1'", "ref=\"B3:A1\"", "ref=\"A3:A1\""] {
            let told = of(place).unwrap_err().message;
            assert!(told.contains("is no place of a sheet"), "{place}: {told}");
        }
    }

    #[test]
    fn what_is_unpacked_is_packed_no_more() {
        let archive = unpacked(&packed(b"<a/>", 4)).unwrap();
        assert!(archive.windows(4).any(|window| window == b"<a/>"));
        assert_eq!(unpacked(&archive).unwrap(), archive);
        assert!(unpacked(b"PK\x05\x06").is_err() && unpacked(b"").is_err());
    }

    #[test]
    fn a_workbook_that_is_large_or_says_so_is_refused() {
        let bomb = packed(&vec![b' '; MOST_UNPACKED as usize + 1], 4);
        assert!(bomb.len() < 1 << 20);
        for archive in [bomb, packed(b"<a/>", u32::MAX)] {
            let told = unpacked(&archive).unwrap_err().message;
            assert!(told.contains("at most 4096 parts and 4 MiB"), "{told}");
        }
    }
}
