//! The attack: generated inputs for every reader, kills at each write, damaged caches, hostile workers, requests and frames, and
//! a hostile knowledge base on a terminal. The tests run a short version; `make attack` runs the long one and writes FIGURES.md.
//!
//! A generated input depends only on its number, so every failure can be reproduced.

mod budget;
mod caches;
mod everything;
mod figures;
mod kills;
#[cfg(feature = "mcp")]
mod mcp;
mod mutator;
#[cfg(all(feature = "serve", target_os = "linux"))]
mod serve;
mod targets;
mod terminal;
mod workers;
mod workshop;

use std::env;

use figures::Figures;

/// Environment variables for the sizes of the long version, with defaults.
const INPUTS: (&str, usize) = ("DLBENCH_ATTACK_INPUTS", 60_000);
const KILLS: (&str, usize) = ("DLBENCH_ATTACK_KILLS", 270);
const CACHES: (&str, usize) = ("DLBENCH_ATTACK_CACHES", 300);
const WORKERS: (&str, usize) = ("DLBENCH_ATTACK_WORKERS", 20);
const REQUESTS: (&str, usize) = ("DLBENCH_ATTACK_REQUESTS", 2_000);

/// Whether the program is compiled as for users; a build for tests is several times as slow.
const RELEASE: bool = matches!(env!("DLBENCH_PROFILE").as_bytes(), b"release");

fn size((variable, usual): (&str, usize)) -> usize {
    env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A few inputs per target, in this process; time and memory limits are checked only in the long version.
#[test]
fn a_few_made_up_inputs_of_each_target_are_read_or_refused() {
    const FEW: usize = 12;
    let mut found = Vec::new();
    for target in targets::all() {
        found.extend(targets::attack(&target, 0..FEW, &mut |_, _| ()).failures);
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_few_kills_leave_the_old_or_the_new_state() {
    // Kills every command once, in the middle of its work.
    let Some(figures) = kills::attack(1) else { return };
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
    assert!(figures.inputs >= kills::COMMANDS.len(), "{figures:?}");
    let figures = kills::runs(2);
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
}

#[test]
fn a_few_damaged_caches_answer_as_whole_ones() {
    let figures = caches::attack(8);
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
}

#[cfg(target_os = "linux")]
#[test]
fn a_few_hostile_workers_end_in_words() {
    let figures = workers::attack(2);
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
}

#[cfg(target_os = "linux")]
#[test]
fn a_hostile_knowledge_base_on_a_terminal_is_shown_and_not_obeyed() {
    const STEP: usize = 12;
    let figures = terminal::attack(STEP);
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
}

#[cfg(all(feature = "serve", target_os = "linux"))]
#[test]
fn a_few_hostile_requests_are_answered_or_refused() {
    let figures = serve::attack(60);
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
}

#[cfg(feature = "mcp")]
#[test]
fn a_ping_behind_each_hostile_frame_is_answered() {
    let figures = mcp::attack(60);
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
}

#[cfg(target_os = "linux")]
#[test]
fn everything_at_once_is_written_within_bounds() {
    let figures = everything::attack(&["latex", "json"]);
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
}

/// What `make attack` runs; each target runs in a separate process, which is this test again with a task.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes a quarter of an hour: `make attack` runs it"]
fn the_long_form() {
    if budget::is_part_of_another() {
        return;
    }
    let only = env::var("DLBENCH_ATTACK_ONLY").unwrap_or_default();
    let is_wanted = |name: &str| name.contains(&only);
    let mut figures: Vec<Figures> = Vec::new();
    let mut told = |attacked: Figures| {
        eprintln!("{attacked:?}");
        figures.push(attacked);
    };
    let all = targets::all();
    let each = size(INPUTS).div_ceil(all.len());
    all.iter().filter(|target| is_wanted(target.name)).for_each(|target| told(budget::in_a_process(target.name, each)));
    let runs = size(KILLS).div_ceil(kills::COMMANDS.len());
    let others: &[(&str, &dyn Fn() -> Option<Figures>)] = &[
        ("kills at writes", &|| kills::attack(size(KILLS))),
        ("kills of run", &|| Some(kills::runs(runs))),
        ("damaged caches", &|| Some(caches::attack(size(CACHES)))),
        ("hostile workers", &|| Some(workers::attack(size(WORKERS)))),
        ("outputs on a terminal", &|| Some(terminal::attack(1))),
        #[cfg(feature = "serve")]
        ("requests of serve", &|| Some(serve::attack(size(REQUESTS)))),
        #[cfg(feature = "mcp")]
        ("frames of mcp", &|| Some(mcp::attack(size(REQUESTS)))),
        ("everything at once", &|| Some(everything::attack(everything::FORMATS))),
    ];
    others.iter().filter(|(name, _)| is_wanted(name)).filter_map(|(_, attack)| attack()).for_each(&mut told);
    // A partial run must not overwrite the page.
    if only.is_empty() {
        figures::write_page(&figures);
    }
    let failures: Vec<&String> = figures.iter().flat_map(|figures| &figures.failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}
