//! `dlbench schema`: JSON Schemas of the files, for editors.

use std::path::Path;

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::KnowledgeFiles;
use dlbench::reading::schema::Schema;
use dlbench::reading::{create_folder, write_whole};
use dlbench::render;
use dlbench::values::text::or_list;

#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Whose schema to print: device, measurements … [default: name them all]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Write all of them and the settings of taplo, which makes editors complete keys and ids
    #[arg(long, conflicts_with = "name")]
    write: bool,
}

/// The folder of the schemas beside catalog/ and measurements/.
const FOLDER: &str = ".schemas";

pub(super) fn run(args: &SchemaArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let files = global.files()?;
    let schemas = files.schemas()?;
    if args.write {
        write_all(files.root(), &schemas)?;
        screen.print(&format!("{} schemas in {}\n", schemas.len(), files.root().join(FOLDER).display()))?;
        return Ok(Outcome::Done);
    }
    let names: Vec<&str> = schemas.iter().map(|schema| schema.name.trim_end_matches(".json")).collect();
    let Some(name) = &args.name else {
        screen.print(&format!("{}\n", names.join("\n")))?;
        return Ok(Outcome::Done);
    };
    match schemas.iter().find(|schema| schema.name.trim_end_matches(".json") == name) {
        Some(schema) => screen.print(&render::json(&schema.schema)?)?,
        None => {
            return Err(Failure::Usage {
                message: format!("there is no schema `{name}`"),
                help: Some(format!("the schemas are {}", or_list(&names))),
            });
        }
    }
    Ok(Outcome::Done)
}

/// Writes the schemas once more where there are any: their lists of ids grow with the catalog. Whether there are.
pub(super) fn renew(files: &KnowledgeFiles) -> Result<bool, Failure> {
    if !files.root().join(FOLDER).is_dir() {
        return Ok(false);
    }
    write_all(files.root(), &files.schemas()?)?;
    Ok(true)
}

fn write_all(root: &Path, schemas: &[Schema]) -> Result<(), Failure> {
    create_folder(&root.join(FOLDER))?;
    for schema in schemas {
        write(&root.join(FOLDER).join(&schema.name), &render::json(&schema.schema)?)?;
    }
    write(&root.join(".taplo.toml"), &taplo(schemas))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    Ok(write_whole(path, text)?)
}

/// The settings of taplo (in editors: Even Better TOML): which schema is for which files.
fn taplo(schemas: &[Schema]) -> String {
    let mut text =
        "# Written by `dlbench schema --write`.\n# `dlbench fmt` formats; taplo leaves the files as they are.\n\
                    [formatting]\nreorder_keys = false\narray_auto_collapse = false\narray_auto_expand = false\n"
            .to_owned();
    for schema in schemas {
        text.push_str(&format!(
            "\n[[rule]]\ninclude = [\"{}\"]\n\n[rule.schema]\npath = \"{FOLDER}/{}\"\nenabled = true\n",
            schema.files, schema.name
        ));
    }
    text
}
