//! What became of a paper: each value set against the knowledge base of today.

use std::collections::BTreeMap;
use std::path::Path;

use super::command;
use super::folder::{edited, lock};
use crate::cli::failure::Failure;
use crate::cli::global::{Global, Outcome};
use crate::cli::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::ask::paper::{LockedItem, PaperItem, UsedValue, changes};
use dlbench::render::{heading, paragraph};
use dlbench::values::text::{counted, printable};

pub(super) fn run(folder: &Path, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let lock = lock(folder)?;
    let kb = global.open(screen)?;
    for (name, what) in edited(folder, &lock)? {
        screen.warn(&format!("{name} {what}: what stands there now is not looked at"));
    }
    let same = lock.content == kb.content();
    let mut known: BTreeMap<String, Option<String>> = BTreeMap::new();
    for used in lock.items.iter().flat_map(|item| &item.values).filter(|used| !used.id.is_empty()) {
        if !known.contains_key(&used.id)
            && let Some(measurement) = kb.measurement(&used.id)?
        {
            known.insert(used.id.clone(), measurement.standing_in_words());
        }
    }
    let values: usize = lock.items.iter().map(|item| item.values.len()).sum();
    let mut told = String::new();
    let mut count = 0;
    for item in &lock.items {
        let changes: Vec<String> = match now(item, &kb, screen) {
            Ok(now) => changes(&item.values, &now, &known).iter().map(ToString::to_string).collect(),
            // What could be asked of the knowledge base of then may be ambiguous today.
            Err(Failure::Item { failure, .. }) if is_of_command(&failure) => {
                vec![format!("its command does not work any more: {failure}")]
            }
            Err(failure) => return Err(failure),
        };
        if changes.is_empty() {
            continue;
        }
        count += changes.len();
        told.push_str(&heading(&format!("{}: {}", item.name, printable(&item.command))));
        for change in changes {
            told.push_str(&paragraph("  - ", &printable(&change), screen.width()));
        }
    }
    let values = counted(values, "value", "values");
    if count == 0 {
        let content = if same { "has the same content" } else { "has changed, but none of them has" };
        screen.print(&format!("All {values} stand: the knowledge base {content}.\n"))?;
        return Ok(Outcome::Done);
    }
    told.push_str(&format!("\n{} among {values}.\n", counted(count, "change", "changes")));
    screen.print(&told)?;
    screen.tell("`dlbench paper -o` writes the paper again with the values of today");
    Ok(Outcome::NothingFound)
}

fn is_of_command(failure: &Failure) -> bool {
    matches!(failure, Failure::Usage { .. } | Failure::Query { .. } | Failure::Compare(_))
}

/// The values that an item's command finds today; none where it finds nothing any more.
fn now(item: &LockedItem, kb: &KnowledgeBase, screen: &Screen) -> Result<Vec<UsedValue>, Failure> {
    let item = PaperItem { name: item.name.clone(), command: item.command.clone(), caption: None };
    Ok(command::paper_output(&item, kb, screen)?.map(|made| made.used).unwrap_or_default())
}
