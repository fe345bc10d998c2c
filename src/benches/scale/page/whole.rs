//! Everything at once: what comparisons, figures and exports of a whole knowledge base take, and what is promised of them.

use std::fmt::Write as _;

use super::super::whole::{Task, Whole};
use super::{mib, ms, stated_machine, thousands};

/// A table of the tasks with their promises.
pub fn draw(whole: &Whole, page: &mut String) -> std::fmt::Result {
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
