//! Answers one question from SQLite and does nothing else: the smallest process that does what `dlbench query` does.
//!
//! ```text
//! ask-sqlite DATABASE QUESTION
//! ```
//!
//! The question's file has three lines: the column to sort by, `asc` or `desc`, and `FROM … WHERE …`.

use std::cmp::Ordering;
use std::error::Error;
use std::fmt::Write as _;

use rusqlite::{Connection, OpenFlags};

/// The columns whose values are counted.
const FACETS: [&str; 6] = ["source", "framework", "device", "network", "stage", "precision"];
const SHOWN: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [database, question] = args.as_slice() else {
        return Err("usage: ask-sqlite DATABASE QUESTION".into());
    };
    let question = std::fs::read_to_string(question)?;
    let mut lines = question.lines();
    let (Some(sort), Some(order), Some(source)) = (lines.next(), lines.next(), lines.next()) else {
        return Err("a question has three lines".into());
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(database, flags)?;
    connection.execute_batch("PRAGMA mmap_size = 17179869184; PRAGMA cache_size = -16384; PRAGMA query_only = 1;")?;
    print!("{}", answer(&connection, sort, order == "desc", source)?);
    Ok(())
}

/// Counts the facets and selects the best rows in one pass over the hits, which is cheaper than a statement for each.
fn answer(connection: &Connection, sort: &str, descending: bool, source: &str) -> Result<String, Box<dyn Error>> {
    let mut select = connection.prepare(&format!("SELECT m.row, m.{sort}, {} {source}", FACETS.join(", ")))?;
    let mut rows = select.query([])?;
    let mut total = 0;
    let mut best: Vec<(Option<f64>, i64)> = Vec::with_capacity(SHOWN + 1);
    let mut counts: [Vec<u32>; 6] = Default::default();
    let order = |a: &Option<f64>, b: &Option<f64>| match (a, b) {
        (Some(a), Some(b)) if descending => b.total_cmp(a),
        (Some(a), Some(b)) => a.total_cmp(b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    };
    while let Some(row) = rows.next()? {
        total += 1;
        let value: Option<f64> = row.get(1)?;
        if best.len() < SHOWN || order(&value, &best[SHOWN - 1].0) == Ordering::Less {
            let at = best.partition_point(|(known, _)| order(known, &value) != Ordering::Greater);
            best.insert(at, (value, row.get(0)?));
            best.truncate(SHOWN);
        }
        for (at, counts) in counts.iter_mut().enumerate() {
            if let Some(code) = row.get::<_, Option<i64>>(2 + at)? {
                let code = code as usize;
                if counts.len() <= code {
                    counts.resize(code + 1, 0);
                }
                counts[code] += 1;
            }
        }
    }
    let mut text = String::new();
    writeln!(text, "total\t\t\t{total}")?;
    let mut detail = connection.prepare("SELECT id, line FROM detail WHERE row = ?")?;
    for (value, row) in best {
        let (id, line): (String, String) = detail.query_row([row], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let value = value.map(|value| value.to_string()).unwrap_or_default();
        writeln!(text, "row\t{id}\t{value}\t{line}")?;
    }
    let mut name = connection.prepare("SELECT name FROM name WHERE kind = ? AND code = ?")?;
    for (facet, counts) in FACETS.iter().zip(counts) {
        for (code, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let value: String = name.query_row((facet, code as i64), |row| row.get(0))?;
            writeln!(text, "facet\t{facet}\t{value}\t{count}")?;
        }
    }
    Ok(text)
}
