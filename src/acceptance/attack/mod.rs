//! The attack: made-up inputs for every reader, kills at every write, damaged caches, hostile workers, and a hostile knowledge base
//! on a terminal. A short form runs with the tests; `make attack` runs the long one and writes FIGURES.md.
//!
//! What is made up follows from its number alone, so that whatever was found is found again.

mod budget;
mod caches;
mod everything;
mod figures;
mod kills;
mod mutator;
mod targets;
mod terminal;
mod workers;
mod workshop;

use std::env;

use figures::Figures;

/// Sizes of the long form, and where they come from.
const INPUTS: (&str, usize) = ("DLBENCH_ATTACK_INPUTS", 100_000);
const KILLS: (&str, usize) = ("DLBENCH_ATTACK_KILLS", 1_000);
const CACHES: (&str, usize) = ("DLBENCH_ATTACK_CACHES", 2_000);
const WORKERS: (&str, usize) = ("DLBENCH_ATTACK_WORKERS", 60);

/// Whether the program is compiled as users have it; what is compiled for tests is several times as slow.
const RELEASE: bool = matches!(env!("DLBENCH_PROFILE").as_bytes(), b"release");

fn size((variable, usual): (&str, usize)) -> usize {
    env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A few inputs of every target, in this process: what has a budget is measured by the long form alone.
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
    // Every command once, somewhere in the middle of its work.
    let Some(figures) = kills::attack(1) else { return };
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
    assert!(figures.inputs >= kills::COMMANDS.len(), "{figures:?}");
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

#[cfg(target_os = "linux")]
#[test]
fn everything_at_once_is_written_within_bounds() {
    let figures = everything::attack(&["latex", "json"]);
    assert!(figures.failures.is_empty(), "{:#?}", figures.failures);
}

/// What `make attack` runs; each target has a process of its own, which is this test again with a task.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes from minutes to hours: `make attack` runs it"]
fn the_long_form() {
    if budget::is_part_of_another() {
        return;
    }
    let all = targets::all();
    let each = size(INPUTS).div_ceil(all.len());
    let told = |figures: Figures| {
        eprintln!("{figures:?}");
        figures
    };
    let mut figures: Vec<Figures> = all.iter().map(|target| told(budget::in_a_process(target.name, each))).collect();
    figures.extend(kills::attack(size(KILLS)).map(told));
    figures.push(told(caches::attack(size(CACHES))));
    figures.push(told(workers::attack(size(WORKERS))));
    figures.push(told(terminal::attack(1)));
    figures.push(told(everything::attack(everything::FORMATS)));
    figures::write_page(&figures);
    let failures: Vec<&String> = figures.iter().flat_map(|figures| &figures.failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}
