//! The readers under attack, each with seed inputs and with conditions on its results.

mod imports;
mod options;
mod papers;
mod question;
mod reader;
mod snapshots;
mod workbook;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::figures::Figures;
use super::mutator::mutated_input;

/// Whether an input was accepted; an error describes a wrong result.
type Verdict = Result<bool, String>;

/// Reads one input.
type ReadInput = Box<dyn FnMut(&[u8]) -> Verdict>;

/// A reader of inputs.
pub struct Target {
    pub name: &'static str,
    pub seeds: Vec<Vec<u8>>,
    /// Creates the function that reads an input, together with the state it reuses.
    pub make: Box<dyn Fn() -> ReadInput>,
}

impl Target {
    fn new<R: FnMut(&[u8]) -> Verdict + 'static>(
        name: &'static str,
        seeds: Vec<Vec<u8>>,
        make: impl Fn() -> R + 'static,
    ) -> Self {
        assert!(!seeds.is_empty(), "{name} has seeds");
        Self { name, seeds, make: Box::new(move || Box::new(make())) }
    }
}

/// All targets.
pub fn all() -> Vec<Target> {
    let mut all = vec![question::target(), reader::target()];
    all.extend(imports::targets());
    all.push(workbook::target());
    all.push(snapshots::target());
    all.extend(papers::targets());
    all.extend(options::targets());
    all
}

/// Reads the inputs with these numbers, seeds first; `begins` is called with each before it is read.
pub fn attack(target: &Target, numbers: Range<usize>, begins: &mut dyn FnMut(usize, &[u8])) -> Figures {
    /// Maximum number of failures reported.
    const MOST_LISTED: usize = 20;
    let mut figures = Figures::of(target.name);
    let mut read = (target.make)();
    for at in numbers {
        let input = match target.seeds.get(at) {
            Some(seed) => seed.clone(),
            None => mutated_input(&target.seeds, target.name, at),
        };
        begins(at, &input);
        let start = Instant::now();
        let verdict = catch_unwind(AssertUnwindSafe(|| read(&input)));
        figures.count(matches!(verdict, Ok(Ok(true))), start.elapsed());
        let wrong = match verdict {
            Ok(Ok(_)) => continue,
            Ok(Err(wrong)) => wrong,
            Err(panic) => {
                // After a panic the state is unknown, so create a new reader.
                read = (target.make)();
                let text = panic.downcast_ref::<String>().cloned();
                text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
            }
        };
        if figures.failures.len() < MOST_LISTED {
            let shown: String = String::from_utf8_lossy(&input).chars().take(600).collect();
            figures.failures.push(format!("{}: input {at}: {wrong}\n{shown:?}", target.name));
        }
    }
    figures
}

fn bytes(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Accepts a refusal if its error has a message.
fn refused(error: &dyn std::fmt::Display) -> Verdict {
    if error.to_string().trim().is_empty() { Err("refused without a word".to_owned()) } else { Ok(false) }
}
