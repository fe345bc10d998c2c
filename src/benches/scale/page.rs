//! The page of results: functions, growth, promises, questions, and the whole program.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::results::{Question, Results, Rivals, Times};
use super::tools::{Machine, ROOT};
use super::whole::{Task, Whole, kept};
use super::{Outcome, results};

/// Comments written by people on the figures; everything else on the page is generated.
const GROWING: &str = include_str!("../notes/growing.md");

const BEHIND: &str = include_str!("../notes/behind.md");

/// Writes the page from all existing results.
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
    draw_promises(results, &mut page)?;
    draw_questions(results, &mut page)?;
    draw_behind(results, BEHIND, &mut page)?;
    draw_growth(results, GROWING, &mut page)?;
    if let Some(everything) = of_everything {
        draw_whole(everything, &mut page)?;
    }
    draw_functions(&mut page)?;
    Ok(page)
}

/// Describes each machine once, with all the sizes measured on it.
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
        // On a quiet machine, the load is at most what the preceding build left.
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

/// The machine, its operating system, and the versions of the measured programs.
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

/// The date and the machine of a measurement, as a sentence.
fn stated_machine(machine: &Machine) -> String {
    let Machine { date, processor, cores, revision, load, .. } = machine;
    format!("Measured on {date} with {processor}, {cores} cores, dlbench at {revision}, at a load of {load:.1}.")
}

/// Name and version, such as `DuckDB v1.5.6 (Variegata)`, without repeating a name that the version already includes.
fn stated(name: &str, version: &str) -> String {
    let known = version.to_lowercase().starts_with(&name.to_lowercase()) || version.is_empty();
    if known { version.to_owned() } else { format!("{name} {version}") }
}

/// A number of rows as a power of ten if possible, else with thousands separators.
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

/// A table of all measured functions; nothing if there are none.
pub fn draw_functions(page: &mut String) -> std::fmt::Result {
    let mut lines = Vec::new();
    let folder = Path::new(ROOT).join("target/criterion");
    for group in folders(&folder) {
        collect(&group, &mut lines);
    }
    if lines.is_empty() {
        return Ok(());
    }
    lines.sort_by(|a, b| a.0.cmp(&b.0));
    page.push_str(
        "## Functions\n\n\
         In one process that is warm where nothing else is said, by criterion: the estimate of the median and its confidence interval of 95 %.\n\n\
         | function | median | from | to |\n| --- | ---: | ---: | ---: |\n",
    );
    for (name, [median, low, high]) in lines {
        writeln!(page, "| {name} | {} | {} | {} |", time(median), time(low), time(high))?;
    }
    Ok(())
}

/// Collects estimates, which are in `new/` below the folders of each group, function and input.
fn collect(folder: &Path, lines: &mut Vec<(String, [f64; 3])>) {
    let new = folder.join("new");
    let read = |name: &str| -> Option<Value> { serde_json::from_slice(&fs::read(new.join(name)).ok()?).ok() };
    if let (Some(estimates), Some(about)) = (read("estimates.json"), read("benchmark.json")) {
        let median = &estimates["median"];
        let interval = &median["confidence_interval"];
        let numbers = [&median["point_estimate"], &interval["lower_bound"], &interval["upper_bound"]];
        let name = about["title"].as_str().or_else(|| about["full_id"].as_str()).unwrap_or_default();
        lines.push((name.replace('/', ": "), numbers.map(|number| number.as_f64().unwrap_or_default())));
        return;
    }
    for below in folders(folder) {
        collect(&below, lines);
    }
}

fn folders(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// A time in ns, printed in a suitable unit.
fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

type Figure = (&'static str, fn(&Results) -> String);

const FIGURES: &[Figure] = &[
    ("files of measurements", |result| thousands(result.files as u64)),
    ("their size [MiB]", |result| mib(result.toml_bytes)),
    ("building the index [s]", |result| format!("{:.2}", result.index.seconds)),
    ("… measurements a second", |result| thousands((result.rows as f64 / result.index.seconds) as u64)),
    ("… memory at the peak [MiB]", |result| mib(result.index.peak_bytes)),
    ("index on disk [MiB]", |result| mib(result.index.disk_bytes)),
    ("… bytes for a measurement", |result| format!("{:.0}", result.index.disk_bytes as f64 / result.rows as f64)),
    ("finding it unchanged and opening it [ms]", |result| ms(result.open_ms.median)),
    ("… the walk over the files alone [ms]", |result| ms(result.walk_ms.median)),
    ("starting and ending the program [ms]", |result| ms(result.start_ms.median)),
    ("a selective question, the median of ten [ms]", |result| ms(middle(result, true))),
    ("… the slowest [ms]", |result| ms(worst(result, true))),
    ("… memory at the peak [MiB]", |result| mib(peak(result, true))),
    ("a broad question, the median of ten [ms]", |result| ms(middle(result, false))),
    ("… the slowest [ms]", |result| ms(worst(result, false))),
    ("… memory at the peak [MiB]", |result| mib(peak(result, false))),
    ("SQLite FTS5: building [s] and size [MiB]", |result| built(result, |r| (r.sqlite_s, r.sqlite_bytes))),
    ("Parquet: building [s] and size [MiB]", |result| built(result, |r| (r.parquet_s, r.parquet_bytes))),
    ("CSV: building [s] and size [MiB]", |result| built(result, |r| (r.csv_s, r.csv_bytes))),
];

/// The growth table, followed by the reasons for its slopes.
pub fn draw_growth(results: &[Results], why: &str, page: &mut String) -> std::fmt::Result {
    page.push_str("## What growing costs\n\n| measurements |");
    for result in results {
        write!(page, " {} |", power(result.rows))?;
    }
    writeln!(page, "\n| --- |{}", " ---: |".repeat(results.len()))?;
    for (name, figure) in FIGURES {
        write!(page, "| {name} |")?;
        for result in results {
            write!(page, " {} |", figure(result))?;
        }
        page.push('\n');
    }
    writeln!(page, "\n{}\n", why.trim())
}

/// The median of the questions' median times, in ms.
fn middle(result: &Results, selective: bool) -> f64 {
    let questions = result.questions.iter().filter(|question| question.selective == selective);
    Times::of(questions.map(|question| question.tools[0].ms.median).collect()).median
}

/// The largest peak memory of the questions, in bytes.
fn peak(result: &Results, selective: bool) -> u64 {
    let questions = result.questions.iter().filter(|question| question.selective == selective);
    questions.map(|question| question.tools[0].peak_bytes).max().unwrap_or_default()
}

/// Build time in seconds and size of a rival's rows; empty if the rivals did not take part.
fn built(result: &Results, of: fn(&Rivals) -> (f64, u64)) -> String {
    result
        .rivals
        .as_ref()
        .map(of)
        .map_or_else(String::new, |(seconds, bytes)| format!("{seconds:.1} s, {}", mib(bytes)))
}

/// The promises are for 10^6 measurements; at 10^7 a question may take `GROWTH` times as much.
const PROMISED_AT: usize = 1_000_000;

const GROWTH: f64 = 3.0;

/// A table of the promises for 10^6 and 10^7 measurements.
pub fn draw_promises(results: &[Results], page: &mut String) -> std::fmt::Result {
    let promised: Vec<&Results> =
        results.iter().filter(|result| [PROMISED_AT, 10 * PROMISED_AT].contains(&result.rows)).collect();
    if promised.is_empty() {
        return Ok(());
    }
    page.push_str("## What is promised\n\n| measurements | promise | measured | kept |\n| --- | --- | ---: | --- |\n");
    for result in promised {
        let factor = if result.rows == PROMISED_AT { 1.0 } else { GROWTH };
        for selective in [true, false] {
            let (what, limit) = if selective { ("a selective", 10.0) } else { ("a broad", 25.0) };
            let worst = worst(result, selective);
            let promise = format!("{what} question takes {:.0} ms or less (the slowest of ten)", limit * factor);
            line(page, result, &promise, &format!("{} ms", ms(worst)), worst <= limit * factor)?;
        }
        let peak = result.questions.iter().map(|question| question.tools[0].peak_bytes).max().unwrap_or_default();
        let limit = 64.0 * factor;
        let kept = peak as f64 <= limit * 1024.0 * 1024.0;
        line(
            page,
            result,
            &format!("{limit:.0} MiB of memory or less at the peak of a question"),
            &format!("{} MiB", mib(peak)),
            kept,
        )?;
        let speed = result.rows as f64 / result.index.seconds;
        let cores = result.machine.cores;
        let promise = "the index is built at 100,000 measurements a second or more on 2 cores";
        line(page, result, promise, &format!("{} ({cores} cores)", thousands(speed as u64)), speed >= 100_000.0)?;
        let each = result.index.disk_bytes as f64 / result.rows as f64;
        line(page, result, "100 bytes on disk for a measurement or less", &format!("{each:.0} bytes"), each <= 100.0)?;
        let refresh = result.open_ms.median;
        let promise = "2 ms or less to find the knowledge base unchanged and open it";
        line(page, result, promise, &format!("{} ms", ms(refresh)), refresh <= 2.0)?;
    }
    page.push('\n');
    Ok(())
}

/// The median time of the slowest question of a kind, in ms.
pub fn worst(result: &Results, selective: bool) -> f64 {
    let times = result.questions.iter().filter(|question| question.selective == selective).map(dlbench);
    times.fold(0.0, f64::max)
}

fn dlbench(question: &Question) -> f64 {
    question.tools[0].ms.median
}

fn line(page: &mut String, result: &Results, promise: &str, measured: &str, kept: bool) -> std::fmt::Result {
    let kept = if kept { "yes" } else { "**no**" };
    writeln!(page, "| {} | {promise} | {measured} | {kept} |", power(result.rows))
}

/// One table per size with the median time of each tool, and the minimum in brackets.
pub fn draw_questions(results: &[Results], page: &mut String) -> std::fmt::Result {
    page.push_str(
        "## 20 questions\n\n\
         Milliseconds for the whole process, the median of all rounds and in brackets the least; the quickest is bold. The\n\
         answer is the number of hits, the best 20 rows, and how many hits have each source, framework, device, network,\n\
         stage and precision; dlbench counts all other fields and facts, too. All answers were compared before they were\n\
         timed: the same number of hits, the same rows, the same counts. Where a tool can do it in two ways, the faster one\n\
         was taken: SQLite by FTS5 or by its tables and B-trees, DuckDB by one scan or two; DuckDB's file is sorted by network\n\
         and device, and ripgrep looks for the rarest word, side by side in 8 files, while awk checks the columns, counts and\n\
         ranks. dlbench alone reads the question as people type it, and joins the catalog's facts, citations and notes on\n\
         comparability to its answer.\n",
    );
    for result in results {
        writeln!(page, "\n### {} measurements, {} rounds\n", power(result.rows), result.rounds)?;
        page.push_str("| question | hits |");
        for tool in &result.questions[0].tools {
            write!(page, " {} |", tool.tool)?;
        }
        page.push_str("\n| --- | ---: |");
        page.push_str(&" ---: |".repeat(result.questions[0].tools.len()));
        page.push('\n');
        for question in &result.questions {
            write!(page, "| `{}` | {} |", question.ask, thousands(question.hits))?;
            let best = best(question);
            for tool in &question.tools {
                match &tool.wrong {
                    Some(wrong) => write!(page, " not timed: {wrong} |")?,
                    None if tool.ms.median <= best => {
                        write!(page, " **{}** ({}) |", ms(tool.ms.median), ms(tool.ms.least))?
                    }
                    None => write!(page, " {} ({}) |", ms(tool.ms.median), ms(tool.ms.least))?,
                }
            }
            page.push('\n');
        }
    }
    page.push('\n');
    Ok(())
}

/// Where another tool is faster, by what factor, and why.
pub fn draw_behind(results: &[Results], why: &str, page: &mut String) -> std::fmt::Result {
    page.push_str("## Where dlbench is not ahead\n\n");
    let mut any = false;
    for result in results {
        let mut lines = String::new();
        for question in &result.questions {
            let own = question.tools[0].ms.median;
            for tool in &question.tools[1..] {
                if tool.wrong.is_none() && tool.ms.median <= own {
                    let times = own / tool.ms.median;
                    writeln!(lines, "| {} | `{}` | {} | {times:.1} |", power(result.rows), question.ask, tool.tool)?;
                }
            }
        }
        if !lines.is_empty() && !any {
            page.push_str("| measurements | question | quicker | times |\n| --- | --- | --- | ---: |\n");
            any = true;
        }
        page.push_str(&lines);
    }
    if !any {
        page.push_str("Nowhere in this run: it answered each of the questions sooner than every other tool.\n\n");
    } else {
        page.push('\n');
        if !why.trim().is_empty() {
            writeln!(page, "{}\n", why.trim())?;
        }
    }
    Ok(())
}

fn best(question: &Question) -> f64 {
    let right = question.tools.iter().filter(|tool| tool.wrong.is_none());
    right.map(|tool| tool.ms.median).fold(f64::INFINITY, f64::min)
}

/// A table of the tasks with their promises.
pub fn draw_whole(whole: &Whole, page: &mut String) -> std::fmt::Result {
    page.push_str("## Everything at once\n\n");
    writeln!(
        page,
        "The {} measurements of this repository, all of them in one comparison, figure or file: a process from its start to its\n\
         end, which writes to the disk; the median of the rounds, and the most memory of any. {}\n",
        thousands(whole.measurements),
        stated_machine(&whole.machine)
    )?;
    page.push_str(
        "| task | written [MiB] | time [ms] | memory at the peak [MiB] | promise | kept |\n\
         | --- | ---: | ---: | ---: | --- | --- |\n",
    );
    for task in &whole.tasks {
        let kept = if is_kept(task) { "yes" } else { "**no**" };
        let memory = task.promise.megabytes.map(|most| format!(" and {most:.0} MB")).unwrap_or_default();
        let promise = format!("{} s{memory} or less", task.promise.ms / 1000.0);
        let (written, took, peak) = (mib(task.bytes), ms(task.ms.median), mib(task.peak_bytes));
        writeln!(page, "| {} | {written} | {took} | {peak} | {promise} | {kept} |", task.name)?;
    }
    page.push('\n');
    Ok(())
}

fn is_kept(task: &Task) -> bool {
    let memory = task.promise.megabytes.is_none_or(|most| task.peak_bytes as f64 <= most * 1e6);
    task.ms.median <= task.promise.ms && memory
}
