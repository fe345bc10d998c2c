//! Generates inputs from seeds: like `make fuzz`, but without coverage instrumentation, and deterministic.

use fastrand::Rng;

/// Tokens with a meaning to at least one of the readers.
const SIGNS: &[&str] = &[
    "\"",
    "'",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "</",
    "&",
    "&#x0;",
    "#",
    "|",
    "\\",
    "/",
    "..",
    "../",
    ",",
    ";",
    ":",
    "=",
    "-",
    "--",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{1b}[2J",
    "\u{202e}",
    "\u{200b}",
    "\u{feff}",
    "é",
    "字",
    "\u{301}",
    " OR ",
    " vs ",
    "sort:",
    "batch>=",
    "device:",
    "*",
    "0",
    "-1",
    "1e309",
    "1e-400",
    "9223372036854775808",
    "18446744073709551615",
    "0.30000000000000004",
    "NaN",
    "inf",
    "99999999999999999999",
    "null",
    "true",
    "2020-02-30",
    "\u{85}",
    "\u{2028}",
    "%n",
    "${x}",
    "{x}",
    "<table>",
    "<td colspan=1000 rowspan=1000>",
    "<!--",
    "]]>",
    "\"\"\"",
    "'''",
];

/// Generates input number `at` from the seeds.
pub fn mutated_input(seeds: &[Vec<u8>], name: &str, at: usize) -> Vec<u8> {
    let mut rng =
        Rng::with_seed(name.bytes().fold(at as u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))));
    let mut text = seeds[rng.usize(..seeds.len())].clone();
    // Most inputs are nearly valid, so that they get far.
    let changes = [1, 1, 1, 2, 3, 5, 12][rng.usize(..7)];
    for _ in 0..changes {
        change(&mut text, seeds, &mut rng);
    }
    text
}

fn change(text: &mut Vec<u8>, seeds: &[Vec<u8>], rng: &mut Rng) {
    /// Size limit of an input in bytes, so that its time depends on its reader.
    const MOST: usize = 64 << 10;
    let range = |text: &[u8], most: usize, rng: &mut Rng| {
        let start = rng.usize(..=text.len());
        start..(start + rng.usize(..=most)).min(text.len())
    };
    let place = rng.usize(..=text.len());
    match rng.u8(..11) {
        0 if !text.is_empty() => {
            let at = rng.usize(..text.len());
            text[at] ^= 1 << rng.u8(..8);
        }
        1 => drop(text.drain(range(text, 60, rng))),
        2 => {
            let part = text[range(text, 200, rng)].to_vec();
            text.splice(place..place, part);
        }
        3 => {
            let other = &seeds[rng.usize(..seeds.len())];
            let part = other[range(other, 400, rng)].to_vec();
            text.splice(place..place, part);
        }
        4 => {
            let part = text[range(text, 30, rng)].to_vec();
            let times = [2, 10, 100, 1_000][rng.usize(..4)];
            text.splice(place..place, part.repeat(times));
        }
        5 => {
            let sign = SIGNS[rng.usize(..SIGNS.len())];
            text.splice(place..place, sign.repeat([1, 1, 2, 50, 2_000][rng.usize(..5)]).into_bytes());
        }
        6 => text.truncate(place),
        7 => replace_number(text, rng),
        8 => {
            let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
            let mut lines: Vec<Vec<u8>> = lines.into_iter().map(<[u8]>::to_vec).collect();
            if lines.len() > 1 {
                let (one, other) = (rng.usize(..lines.len()), rng.usize(..lines.len()));
                lines.swap(one, other);
            }
            *text = lines.concat();
        }
        _ => {
            let sign = SIGNS[rng.usize(..SIGNS.len())];
            let range = range(text, 12, rng);
            text.splice(range, sign.bytes());
        }
    }
    text.truncate(MOST);
}

/// Replaces one of the numbers by another.
fn replace_number(text: &mut Vec<u8>, rng: &mut Rng) {
    let starts: Vec<usize> = (0..text.len())
        .filter(|&at| text[at].is_ascii_digit() && (at == 0 || !text[at - 1].is_ascii_digit()))
        .collect();
    if starts.is_empty() {
        return;
    }
    let start = starts[rng.usize(..starts.len())];
    let length = text[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let numbers = [
        "0",
        "1",
        "-1",
        "4294967296",
        "9223372036854775807",
        "1e308",
        "0.000000000000000000001",
        "33.31234567890123456789",
    ];
    text.splice(start..start + length, numbers[rng.usize(..numbers.len())].bytes());
}

#[test]
fn an_input_follows_from_its_number() {
    let seeds = [b"name = \"Nova 100\"\n".to_vec(), b"[[run]]\nlatency-ms = 12.5\n".to_vec()];
    let inputs: Vec<Vec<u8>> = (0..50).map(|at| mutated_input(&seeds, "reader", at)).collect();
    assert_eq!(inputs, (0..50).map(|at| mutated_input(&seeds, "reader", at)).collect::<Vec<_>>());
    let distinct: std::collections::BTreeSet<&Vec<u8>> = inputs.iter().collect();
    assert!(distinct.len() > 40 && inputs.iter().all(|input| input.len() <= 64 << 10));
}
