//! The lines that a worker writes, none longer than a message can be.

use std::io::{self, BufRead, Read as _};

/// More bytes than any message of the protocol has: 200 samples by two clocks and everything that a machine has.
const LONGEST_LINE: u64 = 4 << 20;

/// The next line without its end, `None` at the end of the stream. What is no UTF-8 is replaced.
///
/// # Errors
///
/// When the stream fails, or the line is longer than a message can be.
pub fn next_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = from.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    let ends = bytes.last() == Some(&b'\n');
    if !ends && read as u64 == LONGEST_LINE {
        return Err(io::Error::other(format!("a line of more than {} MiB", LONGEST_LINE >> 20)));
    }
    if ends {
        bytes.pop();
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// The end of a stream of words for people: whatever it holds is read to its end, and only the beginnings of its lines are kept.
///
/// # Errors
///
/// When the stream fails.
pub fn each_beginning(from: &mut impl BufRead, most: u64, mut keep: impl FnMut(String)) -> io::Result<()> {
    loop {
        let mut bytes = Vec::new();
        if from.take(most).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let ends = bytes.last() == Some(&b'\n');
        keep(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned());
        if !ends {
            skip_line(from)?;
        }
    }
}

/// Reads on to the end of the line, and keeps nothing.
fn skip_line(from: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = from.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        let done = end.is_some() || buffer.is_empty();
        from.consume(length);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_end_and_none_is_endless() {
        let mut text = BufReader::new(&b"a\n\xffb\nlast"[..]);
        let lines: Vec<String> = std::iter::from_fn(|| next_line(&mut text).unwrap()).collect();
        assert_eq!(lines, ["a", "\u{fffd}b", "last"]);
        let endless = next_line(&mut BufReader::new(io::repeat(b'a'))).unwrap_err();
        assert_eq!(endless.to_string(), "a line of more than 4 MiB");
    }

    #[test]
    fn of_long_lines_the_beginning_is_kept() {
        let text = format!("{}\nshort\n", "a".repeat(100_000));
        let mut kept = Vec::new();
        each_beginning(&mut BufReader::new(text.as_bytes()), 3, |line| kept.push(line)).unwrap();
        assert_eq!(kept, ["aaa", "sho"]);
    }
}
