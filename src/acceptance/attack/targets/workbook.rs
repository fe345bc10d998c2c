//! Arbitrary XML as the parts of an XLSX workbook, and arbitrary bytes as the workbook.

use std::path::Path;

use dlbench::contribute::import::Recipe;

use super::imports::{read, recipe_for};
use super::{Target, Verdict};
use crate::attack::workshop::Workshop;

/// The parts of a workbook; an input separates them by a line.
const PARTS: &[(&str, &str)] = &[
    (
        "xl/worksheets/sheet1.xml",
        "<worksheet><dimension ref=\"A1:B3\"/><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>ms</t></is></c></row><row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c><c r=\"B2\"><v>1.5</v></c></row><row r=\"3\"><c r=\"A3\" t=\"str\"><v>DeepNet-101</v></c><c r=\"B3\" s=\"1\"><f>1+1</f><v>2</v></c></row></sheetData></worksheet>",
    ),
    (
        "xl/sharedStrings.xml",
        "<sst count=\"2\"><si><t>net</t></si><si><r><t>DeepNet</t></r><r><t>-50</t></r></si></sst>",
    ),
    (
        "xl/workbook.xml",
        "<workbook xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"Speed\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>",
    ),
    (
        "xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
    ),
    (
        "_rels/.rels",
        "<Relationships><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
    ),
    (
        "xl/styles.xml",
        "<styleSheet><numFmts count=\"1\"><numFmt numFmtId=\"164\" formatCode=\"yyyy\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>",
    ),
];

const DIVIDER: &str = "\n=====\n";

pub fn target() -> Target {
    let parts: Vec<&str> = PARTS.iter().map(|(_, text)| *text).collect();
    let far = parts.join(DIVIDER).replace("r=\"A3\"", "r=\"XFD1048576\"");
    let seeds = vec![parts.join(DIVIDER).into_bytes(), far.into_bytes(), archive(&parts)];
    Target::new("xlsx", seeds, || {
        let workshop = Workshop::new();
        let recipe = Recipe::parse(&recipe_for("format = \"xlsx\"", "a.xlsx")).expect("a recipe");
        move |input| workbook(&workshop, &recipe, input)
    })
}

fn workbook(workshop: &Workshop, recipe: &Recipe, input: &[u8]) -> Verdict {
    let text = String::from_utf8_lossy(input);
    let content = match input.starts_with(b"PK") {
        true => input.to_vec(),
        false => archive(&text.split(DIVIDER).collect::<Vec<_>>()),
    };
    workshop.write("in/a.xlsx", &content);
    read(workshop, recipe, &workshop.folder.path().join("in"), &[])
}

/// An uncompressed ZIP archive of the parts (PKWARE's APPNOTE, 4.3): a local header before each, the central directory, its end.
fn archive(parts: &[&str]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for ((name, _), text) in PARTS.iter().zip(parts) {
        let (offset, size) = (archive.len() as u32, text.len() as u32);
        // Version, flags, compression method (stored), time and date.
        let mut shared = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for number in [crc32(text.as_bytes()), size, size, name.len() as u32] {
            shared.extend(number.to_le_bytes());
        }
        archive.extend(b"PK\x03\x04");
        archive.extend(&shared);
        archive.extend(name.as_bytes());
        archive.extend(text.as_bytes());
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(&shared);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, count) = (archive.len() as u32, parts.len().min(PARTS.len()) as u16);
    archive.extend(&directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend((directory.len() as u32).to_le_bytes());
    archive.extend(start.to_le_bytes());
    archive.extend([0; 2]);
    archive
}

/// The CRC-32 of ZIP (ISO 3309, reflected).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[test]
fn the_seed_is_a_workbook_that_is_read_and_cells_far_out_are_refused_in_little_memory() {
    let workshop = Workshop::new();
    let recipe = Recipe::parse(&recipe_for("format = \"xlsx\"", "a.xlsx")).expect("a recipe");
    let seeds = target().seeds;
    assert_eq!(workbook(&workshop, &recipe, &seeds[0]), Ok(true));
    assert_eq!(workbook(&workshop, &recipe, &seeds[2]), Ok(true));
    let files = [workshop.folder.path().join("in/a.xlsx")];
    workbook(&workshop, &recipe, &seeds[1]).expect("it is refused");
    let stated = [];
    let source = "imagined-2018".parse().expect("a source");
    let request = dlbench::contribute::import::ImportRequest {
        recipe: &recipe,
        is_own_recipe: false,
        source,
        folder: Path::new(""),
        files: &files,
        stated: &stated,
    };
    let error = workshop.kb.import(&request).expect_err("the last cell of a sheet").to_string();
    assert!(error.contains("expected at most 4096 columns"), "{error}");
}
