//! Measures one size: building, refreshing, and 20 questions in rounds, so that drift affects all tools equally.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use dlbench::{KnowledgeBase, reading};
use serde_json::Value;

use super::Outcome;
use super::results::Answer;
use super::results::{Index, Measured, Question, Results, Times};
use super::tools;
use super::tools::Machine;
use super::tools::SizeFolder;

/// A new round starts only while the mean time spent per question, over all tools, is below this.
const PATIENCE: Duration = Duration::from_secs(20);
/// Maximum and minimum number of rounds.
const ROUNDS: (usize, usize) = (15, 5);

/// Measures at `size` rows and writes the results.
pub fn measure(size: usize) -> Outcome<()> {
    let place = SizeFolder::of(size);
    let machine = Machine::here();
    println!("{size} measurements: building the index");
    let index = build(&place)?;
    let prepared = place.prepared();
    let prepared =
        fs::read(&prepared).map_err(|error| format!("{}: {error}: prepare that size first", prepared.display()))?;
    let prepared: Value = serde_json::from_slice(&prepared)?;
    let mut questions = Vec::new();
    let mut asked = Vec::new();
    for (at, question) in prepared["questions"].as_array().ok_or("there are questions")?.iter().enumerate() {
        let text = |key: &str| question[key].as_str().unwrap_or_default().to_owned();
        let (ask, sort) = (text("ask"), text("sort"));
        let (hits, wrong) = check(&place, at + 1, &ask, &sort)?;
        let tools = place.tools().iter().zip(wrong).map(|(tool, wrong)| {
            if let Some(wrong) = &wrong {
                println!("  {}: {ask}: {wrong}", tool.name());
            }
            Measured { tool: tool.name().to_owned(), ms: Times::default(), peak_bytes: 0, wrong }
        });
        questions.push(Question {
            selective: question["selective"].as_bool().unwrap_or_default(),
            hits,
            sqlite_form: text("sqlite_form"),
            duckdb_form: text("duckdb_form"),
            tools: tools.collect(),
            ask,
        });
        asked.push(vec![Vec::new(); place.tools().len()]);
    }
    println!("  answers agree where nothing else was said; asking");
    let rounds = ask_all(&place, &mut questions, &mut asked)?;
    for (question, times) in questions.iter_mut().zip(asked) {
        for (tool, times) in question.tools.iter_mut().zip(times) {
            tool.ms = Times::of(times);
        }
    }
    let mut starts = Vec::new();
    for _ in 0..50 {
        starts.push(tools::run(&mut place.dlbench(&["--version"]))?.wall.as_secs_f64() * 1000.0);
    }
    let files = measurement_files(&place.kb())?;
    // Done last, because it increases this process's memory, which Linux counts for its child processes.
    let (open_ms, walk_ms) = refresh(&place)?;
    let results = Results {
        rows: size,
        files: files.0,
        toml_bytes: files.1,
        machine,
        index,
        start_ms: Times::of(starts),
        open_ms,
        walk_ms,
        rounds,
        rivals: place.has_rivals().then(|| serde_json::from_value(prepared)).transpose()?,
        questions,
    };
    Ok(fs::write(place.results(), serde_json::to_string_pretty(&results)?)?)
}

/// Builds the stores from nothing; small ones up to three times, of which the fastest counts.
fn build(place: &SizeFolder) -> Outcome<Index> {
    const ENOUGH: Duration = Duration::from_secs(30);
    let mut best: Option<tools::Ran> = None;
    let start = Instant::now();
    for _ in 0..3 {
        if place.cache().exists() {
            fs::remove_dir_all(place.cache())?;
        }
        let ran = tools::run(&mut place.dlbench(&["index"]))?;
        if best.is_none_or(|best| ran.wall < best.wall) {
            best = Some(ran);
        }
        if start.elapsed() > ENOUGH {
            break;
        }
    }
    let best = best.ok_or("it was built")?;
    Ok(Index { seconds: best.wall.as_secs_f64(), peak_bytes: best.peak, disk_bytes: bytes(&place.cache())? })
}

/// The number of hits of a question, and the error in each tool's answer, if any.
fn check(place: &SizeFolder, at: usize, ask: &str, sort: &str) -> Outcome<(u64, Vec<Option<String>>)> {
    let right = Answer::of_dlbench(place, ask, sort)?;
    let mut wrong = vec![None];
    for tool in &place.tools()[1..] {
        let answer = Answer::of_rival(&mut place.question_command(*tool, at, ask)?)?;
        wrong.push(right.objection(&answer));
    }
    Ok((right.total, wrong))
}

/// Asks every tool every question, round after round; returns the number of rounds.
fn ask_all(place: &SizeFolder, questions: &mut [Question], asked: &mut [Vec<Vec<f64>>]) -> Outcome<usize> {
    let mut spent = Duration::ZERO;
    for round in 0..ROUNDS.0 {
        if round >= ROUNDS.1 && spent > PATIENCE * questions.len() as u32 {
            return Ok(round);
        }
        for (at, question) in questions.iter_mut().enumerate() {
            // A different tool starts each round, so that none always runs after the same one.
            let tools = place.tools();
            for turn in 0..tools.len() {
                let which = (turn + round) % tools.len();
                if question.tools[which].wrong.is_some() {
                    continue;
                }
                let ran = tools::run(&mut place.question_command(tools[which], at + 1, &question.ask)?)?;
                spent += ran.wall;
                asked[at][which].push(ran.wall.as_secs_f64() * 1000.0);
                question.tools[which].peak_bytes = question.tools[which].peak_bytes.max(ran.peak);
            }
        }
    }
    Ok(ROUNDS.0)
}

/// Times opening the unchanged knowledge base, and listing its files alone.
fn refresh(place: &SizeFolder) -> Outcome<(Times, Times)> {
    const TIMES: usize = 200;
    let mut open = Vec::with_capacity(TIMES);
    let mut walk = Vec::with_capacity(TIMES);
    for _ in 0..TIMES {
        let start = Instant::now();
        drop(KnowledgeBase::open_with_cache(place.kb(), place.cache())?);
        open.push(start.elapsed().as_secs_f64() * 1000.0);
        let start = Instant::now();
        std::hint::black_box(reading::list(&place.kb())?);
        walk.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok((Times::of(open), Times::of(walk)))
}

/// Number and total bytes of measurement files.
fn measurement_files(kb: &Path) -> Outcome<(usize, u64)> {
    let files = reading::list(kb)?;
    let of_measurements = files.iter().filter(|file| file.path.starts_with("measurements"));
    Ok(of_measurements.fold((0, 0), |(count, bytes), file| (count + 1, bytes + file.len)))
}

/// Total bytes of all files below a folder.
pub fn bytes(folder: &Path) -> Outcome<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        sum += if entry.path().is_dir() { bytes(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}
