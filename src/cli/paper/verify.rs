//! `dlbench paper --verify`: what became of a paper.

use std::path::Path;

use super::command;
use crate::cli::failure::Failure;
use crate::cli::global::{Global, Outcome};
use crate::cli::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::ask::paper::{LockedItem, PaperItem, UsedValue, edited_files, lock_in, strangers, verify};
use dlbench::render::paper;
use dlbench::values::DocumentClass;
use dlbench::values::text::{counted, printable_name, printable_path};

pub(super) fn run(folder: &Path, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let lock = lock_in(folder)?;
    let kb = global.open(screen)?;
    for (name, what) in edited_files(folder, &lock)? {
        screen.warn(&format!("{} {what}: what stands there now is not looked at", printable_name(&name)));
    }
    for path in strangers(folder, &lock) {
        screen.warn(&format!("{} is not part of the paper", printable_path(&path)));
    }
    let used = lock.items.iter().flat_map(|item| &item.values);
    let measurements = kb.measurements(used.clone().map(|used| used.id.as_str()))?;
    let known = measurements.into_iter().map(|(id, measurement)| (id, measurement.standing_in_words())).collect();
    let changed = verify(&lock, &known, |item| now(item, &kb, screen))?;
    let values = used.count();
    if changed.is_empty() {
        let same = lock.content == kb.content();
        let content = if same { "has the same content" } else { "has changed, but none of them has" };
        let values = counted(values, "value", "values");
        screen.print(&format!("All {values} stand: the knowledge base {content}.\n"))?;
        return Ok(Outcome::Done);
    }
    screen.print(&paper::changes(&changed, values, screen.width()))?;
    screen.tell("`dlbench paper -o` writes the paper again with the values of today");
    Ok(Outcome::NothingFound)
}

/// The values that an item's command finds today, none where it finds nothing any more; else why it does not work.
fn now(item: &LockedItem, kb: &KnowledgeBase, screen: &Screen) -> Result<Result<Vec<UsedValue>, String>, Failure> {
    let item = PaperItem { name: item.name.clone(), command: item.command.clone(), caption: None, layout: None };
    match command::paper_output(&item, (DocumentClass::default(), None), kb, screen) {
        Ok(made) => Ok(Ok(made.map(|made| made.used).unwrap_or_default())),
        // What could be asked of the knowledge base of then may be ambiguous today.
        Err(Failure::Item { failure, .. }) if is_of_command(&failure) => Ok(Err(failure.to_string())),
        Err(failure) => Err(failure),
    }
}

fn is_of_command(failure: &Failure) -> bool {
    matches!(failure, Failure::Usage { .. } | Failure::Query { .. } | Failure::Compare(_))
}
