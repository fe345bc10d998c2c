//! The schemas as files beside the catalog, for editors.

use std::path::Path;

use super::schema::Schema;
use super::write_whole::{WriteError, create_folder, write_whole};

/// The folder of the schemas beside `catalog/` and `measurements/`.
pub const SCHEMA_FOLDER: &str = ".schemas";

/// Writes the schemas, and the settings of taplo that say which is for which files. A file that is as it should be stays
/// untouched.
///
/// # Errors
///
/// When a file cannot be written.
pub fn write_schemas(root: &Path, schemas: &[Schema]) -> Result<(), WriteError> {
    let folder = root.join(SCHEMA_FOLDER);
    create_folder(&folder)?;
    for schema in schemas {
        write_changed(&folder.join(&schema.name), &format!("{:#}\n", schema.schema))?;
    }
    write_changed(&root.join(".taplo.toml"), &taplo(schemas))
}

fn write_changed(path: &Path, text: &str) -> Result<(), WriteError> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    write_whole(path, text)
}

/// The settings of taplo (in editors: Even Better TOML): which schema is for which files.
fn taplo(schemas: &[Schema]) -> String {
    let mut text =
        "# Written by `dlbench schema --write`.\n# `dlbench fmt` formats; taplo leaves the files as they are.\n\
                    [formatting]\nreorder_keys = false\narray_auto_collapse = false\narray_auto_expand = false\n"
            .to_owned();
    for schema in schemas {
        text.push_str(&format!(
            "\n[[rule]]\ninclude = [\"{}\"]\n\n[rule.schema]\npath = \"{SCHEMA_FOLDER}/{}\"\nenabled = true\n",
            schema.files, schema.name
        ));
    }
    text
}
