//! The text of a file, in the encodings that spreadsheets write.

use std::borrow::Cow;

/// Windows-1252 from 0x80 to 0x9F (unicode.org: CP1252.TXT); the rest is Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text: UTF-8, UTF-16 where a byte order mark says so, Windows-1252 where it is neither. Without its byte order mark.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]])).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            // A text of many bytes with one that is damaged is UTF-8 still.
            Err(_) if bytes.windows(2).any(|pair| pair[0] >= 0xC3 && (0x80..0xC0).contains(&pair[1])) => {
                String::from_utf8_lossy(bytes)
            }
            Err(_) => Cow::Owned(bytes.iter().map(|byte| windows(*byte)).collect()),
        },
    }
}

fn windows(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encodings_of_spreadsheets_are_read() {
        assert_eq!(text("\u{feff}Gerät".as_bytes()), "Gerät");
        assert_eq!(text(b"\xFF\xFEa\0\xE4\0"), "aä");
        assert_eq!(text(b"Ger\xE4t \x96 10 \x80"), "Gerät – 10 €");
        assert_eq!(text(b"\xC3\xA4 \xFF"), "ä \u{fffd}");
    }
}
