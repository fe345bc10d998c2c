//! `dlbench show`: one entity or measurement, whole.

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::choice::choice;
use super::failure::Failure;
use super::screen::Screen;
use super::{Format, Global, Outcome};
use dlbench::model::{Dataset, Device, Facet, Framework, HardwareClassRecord, Lookup as _, Network, Source};
use dlbench::render;
use dlbench::render::card;
use dlbench::render::table::Table;
use dlbench::rows::JoinedRow;
use dlbench::stores::store::{Store, StoreError, StoredKind};
use dlbench::values::spelling::normalise;
use dlbench::values::text::{nearest, or_list, printable};
use dlbench::values::{EntityKind, Grid};

#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// What it is
    #[arg(value_enum)]
    kind: Shown,
    /// Its id, a name or alias of it, or the beginning of a measurement's id
    #[arg(value_name = "ID", required = true)]
    id: Vec<String>,
    /// How to write it
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shown {
    Framework,
    Device,
    #[value(alias = "class")]
    HardwareClass,
    Network,
    Dataset,
    Source,
    Measurement,
}

pub(super) fn run(args: &ShowArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = global.open(screen)?;
    let store = &kb.stores().store;
    let id = args.id.join(" ");
    let found = match args.kind {
        Shown::Framework => entity::<Framework>(store, Facet::Framework, &id)?,
        Shown::Device => entity::<Device>(store, Facet::Device, &id)?,
        Shown::HardwareClass => entity::<HardwareClassRecord>(store, Facet::Class, &id)?,
        Shown::Network => entity::<Network>(store, Facet::Network, &id)?,
        Shown::Dataset => entity::<Dataset>(store, Facet::Dataset, &id)?,
        Shown::Source => entity::<Source>(store, Facet::Source, &id)?,
        Shown::Measurement => measurement(store, &id)?,
    };
    match found {
        Found::One(title, entity) => {
            screen.print(&drawn(&title, &entity, args.format, screen.width())?)?;
            Ok(Outcome::Done)
        }
        Found::None { near } => {
            let mut text = format!("nothing is called `{}`", printable(&id));
            if !near.is_empty() {
                text.push_str(&format!("; did you mean {}?", or_list(&near)));
            }
            screen.tell(&text);
            Ok(Outcome::NothingFound)
        }
    }
}

enum Found {
    One(String, Value),
    None { near: Vec<String> },
}

/// An entity by its id, else by a name that leads to it alone.
fn entity<E: StoredKind + serde::Serialize>(store: &Store, facet: Facet, id: &str) -> Result<Found, Failure> {
    let kind: EntityKind = E::KIND;
    let title = |id: &str| format!("{} {id}", kind.noun());
    if let Some(entity) = store.entity::<E>(id)? {
        return Ok(Found::One(title(id), serde_json::to_value(entity)?));
    }
    let names = store.exact(&normalise(id))?;
    let mut ids: Vec<String> = names.into_iter().filter(|n| n.facet == facet).map(|n| n.value).collect();
    ids.dedup();
    if let [only] = ids.as_slice()
        && let Some(entity) = store.entity::<E>(only)?
    {
        return Ok(Found::One(title(only), serde_json::to_value(entity)?));
    }
    if ids.is_empty() {
        ids = near_ids(store, facet, id)?;
    }
    Ok(Found::None { near: ids })
}

fn near_ids(store: &Store, facet: Facet, id: &str) -> Result<Vec<String>, StoreError> {
    let names = store.all()?;
    let of_facet = || names.iter().filter(|name| name.facet == facet);
    let near = nearest(&normalise(id), of_facet().map(|name| name.normal.as_str()), 3);
    let mut ids = Vec::new();
    for normal in near {
        for name in of_facet().filter(|name| name.normal == normal) {
            if !ids.contains(&name.value) {
                ids.push(name.value.clone());
            }
        }
    }
    Ok(ids)
}

fn measurement(store: &Store, prefix: &str) -> Result<Found, Failure> {
    let mut found = store.measurements_by_prefix(prefix, 6)?;
    if found.len() == 1 {
        let measurement = JoinedRow::from(found.remove(0));
        let title = format!("measurement {}", measurement.id());
        return Ok(Found::One(title, serde_json::to_value(measurement)?));
    }
    Ok(Found::None { near: found.iter().map(|measurement| measurement.id().to_owned()).collect() })
}

fn drawn(title: &str, entity: &Value, format: Format, width: usize) -> Result<String, Failure> {
    match format {
        Format::Table => Ok(card::draw(title, entity, width)),
        Format::Json => Ok(render::json(entity)?),
        format => {
            let mut facts = Grid::of_texts(&["fact", "value"]);
            for (key, value) in entity.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                facts.push(vec![key.clone(), text]);
            }
            Ok(Table::from(&facts).draw(format, width)?)
        }
    }
}
