//! `dlbench show`: shows one entity or measurement in full.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::choice;
use super::screen::Screen;
use dlbench::ask::cards::{CardKind, CardLookup};
use dlbench::render::{Format, card};
use dlbench::values::text::{or_list, printable};

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// An id, name, alias or prefix of a measurement id; put the kind before it if the name is ambiguous
    #[arg(value_name = "[KIND] NAME", required = true)]
    words: Vec<String>,
    /// Output format
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

impl ShowArgs {
    /// The kind, if the first of several words is one, and the name.
    fn kind_and_name(&self) -> (Option<CardKind>, String) {
        match self.words.split_first() {
            Some((first, name)) if !name.is_empty() => match CardKind::called(first) {
                Some(kind) => (Some(kind), name.join(" ")),
                None => (None, self.words.join(" ")),
            },
            _ => (None, self.words.join(" ")),
        }
    }
}

pub(super) fn run(args: &ShowArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let (kind, name) = args.kind_and_name();
    let (_kb, found) = global.open_and_ask(screen, |kb| match kind {
        Some(kind) => kb.card(kind, &name),
        None => kb.card_of_any(&name),
    })?;
    match found.map_err(Failure::of_stores)? {
        CardLookup::Found(card) => {
            screen.print(&card::write(&card.title, &card.facts, args.format, screen.width())?)?;
            Ok(Outcome::Done)
        }
        CardLookup::Ambiguous { are } => {
            let commands: Vec<String> =
                are.iter().map(|kind| format!("dlbench show {kind} {}", printable(&name))).collect();
            screen.tell(&format!("several are called `{}`: {}", printable(&name), or_list(&commands)));
            Ok(Outcome::NothingFound)
        }
        CardLookup::NotFound { near } => {
            let mut text = format!("nothing is called `{}`", printable(&name));
            if !near.is_empty() {
                text.push_str(&format!("; did you mean {}?", or_list(&near)));
            }
            screen.tell(&text);
            Ok(Outcome::NothingFound)
        }
    }
}
