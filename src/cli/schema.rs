//! `dlbench schema`: JSON Schemas of the files, for editors.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::render;
use dlbench::values::text::or_list;

#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// The schema to print: device, measurements … [default: list them]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Write all schemas and the taplo settings, so that editors complete keys; the schemas in .schemas/ids/, which git
    /// ignores, also complete ids
    #[arg(long, conflicts_with = "name")]
    write: bool,
}

pub(super) fn run(args: &SchemaArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let files = global.files()?;
    if args.write {
        let count = files.write_schemas()?;
        screen.print(&format!("{count} schemas in {}\n", files.schema_folder().display()))?;
        return Ok(Outcome::Done);
    }
    let schemas = files.schemas()?;
    let names: Vec<&str> = schemas.iter().map(|schema| schema.name.trim_end_matches(".json")).collect();
    let Some(name) = &args.name else {
        screen.print(&format!("{}\n", names.join("\n")))?;
        return Ok(Outcome::Done);
    };
    match schemas.iter().find(|schema| schema.name.trim_end_matches(".json") == name) {
        Some(schema) => screen.print(&render::json(&schema.schema)?)?,
        None => {
            return Err(Failure::usage(
                format!("there is no schema `{name}`"),
                format!("the schemas are {}", or_list(&names)),
            ));
        }
    }
    Ok(Outcome::Done)
}
