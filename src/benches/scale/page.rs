//! The page that is committed: what was measured, on what, and where dlbench is not ahead.

mod functions;
mod growth;
mod promises;
mod questions;
mod whole;

use std::fmt::Write as _;
use std::path::Path;

use super::Outcome;
use super::machine::Machine;
use super::results::{self, Results};
use super::tools::ROOT;
use super::whole::{Whole, kept};

/// What people wrote about the figures; everything else on the page is made from them.
const GROWING: &str = include_str!("../notes/growing.md");
const BEHIND: &str = include_str!("../notes/behind.md");

/// Writes the page from all results that are there.
pub fn write() -> Outcome<()> {
    let results = results::all()?;
    if results.is_empty() {
        return Err("nothing was measured: run `make bench`".into());
    }
    let page = Path::new(ROOT).join("src/benches/README.md");
    let written = tempfile::NamedTempFile::new_in(page.parent().ok_or("a page lies in a folder")?)?;
    std::fs::write(written.path(), draw(&results, kept()?.as_ref())?)?;
    written.persist(&page)?;
    println!("{}", page.display());
    Ok(())
}

fn draw(results: &[Results], of_everything: Option<&Whole>) -> Result<String, std::fmt::Error> {
    let mut page = String::from(
        "# How fast dlbench is\n\n\
         `make bench` measures all of this and writes this page; `make bench SIZES=10000000` adds a size. The rows are\n\
         invented, but occur together as those of this knowledge base do: a program draws batches, devices, versions,\n\
         precisions and batch sizes by how often they occur here and writes them as ordinary files (`generate/`). Every\n\
         tool gets the same rows, with the facts of the catalog joined in beforehand, and is a process of its own from\n\
         start to end, its output read by nobody. The files are in the system's cache, and the tools take turns.\n\n",
    );
    machines(results, &mut page)?;
    promises::draw(results, &mut page)?;
    questions::draw(results, &mut page)?;
    questions::draw_behind(results, BEHIND, &mut page)?;
    growth::draw(results, GROWING, &mut page)?;
    if let Some(everything) = of_everything {
        whole::draw(everything, &mut page)?;
    }
    functions::draw(&mut page)?;
    Ok(page)
}

/// What it was measured on, once for all sizes that were measured on the same.
fn machines(results: &[Results], page: &mut String) -> std::fmt::Result {
    let mut groups: Vec<(&Machine, Vec<usize>)> = Vec::new();
    for result in results {
        let same = |machine: &Machine| Machine { load: 0.0, ..machine.clone() };
        match groups.iter_mut().find(|(machine, _)| same(machine) == same(&result.machine)) {
            Some((machine, sizes)) => {
                if result.machine.load > machine.load {
                    *machine = &result.machine;
                }
                sizes.push(result.rows);
            }
            None => groups.push((&result.machine, vec![result.rows])),
        }
    }
    page.push_str("## On what\n\n");
    for (machine, sizes) in groups {
        let sizes: Vec<String> = sizes.into_iter().map(power).collect();
        writeln!(page, "- **{} measurements**, {}.", sizes.join(" and "), described(machine))?;
        // A quiet machine waits for the build that went before at most.
        if machine.load > machine.cores as f64 / 2.0 {
            writeln!(
                page,
                "  The machine was not quiet: on average {:.1} programs were running or waiting for one of its cores in \
                 the minute before it began. Compare the tools with each other rather than the times with other machines.",
                machine.load
            )?;
        }
    }
    page.push('\n');
    Ok(())
}

/// The machine, its system, and the versions of what was measured.
fn described(machine: &Machine) -> String {
    let versions: Vec<String> = machine.versions.iter().map(|(name, version)| stated(name, version)).collect();
    format!(
        "{}: {}, {} cores, {:.0} GiB; {}; dlbench at {}; {}",
        machine.date,
        machine.processor,
        machine.cores,
        machine.memory_gib,
        machine.system,
        machine.revision,
        versions.join(", ")
    )
}

/// When and on what it was measured, as a sentence.
fn stated_machine(machine: &Machine) -> String {
    let Machine { date, processor, cores, revision, load, .. } = machine;
    format!("Measured on {date} with {processor}, {cores} cores, dlbench at {revision}, at a load of {load:.1}.")
}

/// `DuckDB v1.5.6 (Variegata)`, whatever of that the program says by itself.
fn stated(name: &str, version: &str) -> String {
    let known = version.to_lowercase().starts_with(&name.to_lowercase()) || version.is_empty();
    if known { version.to_owned() } else { format!("{name} {version}") }
}

/// A number of rows as people write it.
fn power(rows: usize) -> String {
    let exponent = rows.ilog10();
    if rows == 10usize.pow(exponent) { format!("10^{exponent}") } else { thousands(rows as u64) }
}

/// `1,234,567`
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Milliseconds with about three digits.
fn ms(time: f64) -> String {
    match time {
        time if time < 10.0 => format!("{time:.2}"),
        time if time < 100.0 => format!("{time:.1}"),
        time => format!("{time:.0}"),
    }
}

fn mib(bytes: u64) -> String {
    let mib = bytes as f64 / 1024.0 / 1024.0;
    if mib < 100.0 { format!("{mib:.1}") } else { thousands(mib.round() as u64) }
}
