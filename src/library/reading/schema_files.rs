//! The schemas as files beside the catalog, for editors.

use std::path::Path;

use super::rewrite::reached_without_links;
use super::schema::Schema;
use super::write_whole::{WriteError, create_folder, write_whole};

/// Where schemas lie beside `catalog/` and `measurements/`, and the settings of taplo that name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaPlace {
    /// Their folder.
    pub folder: &'static str,
    /// The settings of taplo (in editors: Even Better TOML).
    pub settings: &'static str,
}

/// The schemas without ids, which a repository keeps: no two additions to the catalog meet in them.
pub const SHARED_SCHEMAS: SchemaPlace = SchemaPlace { folder: ".schemas", settings: "taplo.toml" };

/// Those with the ids of one working tree, which git passes over. taplo looks for settings with a dot first.
pub const OWN_SCHEMAS: SchemaPlace = SchemaPlace { folder: ".schemas/ids", settings: ".taplo.toml" };

/// Writes the schemas, and the settings of taplo that say which is for which files. A file that is as it should be stays
/// untouched.
///
/// # Errors
///
/// When a file cannot be written.
pub fn write_schemas(root: &Path, place: SchemaPlace, schemas: &[Schema]) -> Result<(), WriteError> {
    let folder = root.join(place.folder);
    let write = |path: &Path, text: &str| {
        reached_without_links(root, path)?;
        write_changed(path, text)
    };
    reached_without_links(root, &folder)?;
    create_folder(&folder)?;
    for schema in schemas {
        write(&folder.join(&schema.name), &format!("{:#}\n", schema.schema))?;
    }
    write(&root.join(place.settings), &taplo(place, schemas))
}

fn write_changed(path: &Path, text: &str) -> Result<(), WriteError> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    write_whole(path, text)
}

/// The settings of taplo: which schema is for which files.
fn taplo(place: SchemaPlace, schemas: &[Schema]) -> String {
    let mut text =
        "# Written by `dlbench schema --write`.\n# `dlbench fmt` formats; taplo leaves the files as they are.\n\
                    [formatting]\nreorder_keys = false\narray_auto_collapse = false\narray_auto_expand = false\n"
            .to_owned();
    for schema in schemas {
        text.push_str(&format!(
            "\n[[rule]]\ninclude = [\"{}\"]\n\n[rule.schema]\npath = \"{}/{}\"\nenabled = true\n",
            schema.files, place.folder, schema.name
        ));
    }
    text
}
