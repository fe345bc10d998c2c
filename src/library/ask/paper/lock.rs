//! The lock file of a paper: its commands, the content hash of the knowledge base, and every value with its id.

use std::collections::BTreeMap;

use super::spec::is_kebab;
use serde::{Deserialize, Serialize};
use toml_edit::{Array, DocumentMut, InlineTable, Item as Node, Table, value};

/// Version of the lock format.
const FORMAT: u32 = 1;

const HEAD: &str =
    "# Written by `dlbench paper`; `dlbench paper --verify` uses it to show what changed since. Do not edit.\n";

/// What a paper was made from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Lock {
    /// Version of the lock format.
    pub format: u32,
    /// Version of the dlbench that wrote it.
    pub dlbench: String,
    /// Name of the knowledge base.
    pub knowledge_base: String,
    /// Hash of the knowledge base's content.
    pub content: String,
    /// Hash of every file that was written, by its path in the folder.
    pub files: BTreeMap<String, String>,
    /// The tables and figures.
    #[serde(rename = "item", default)]
    pub items: Vec<LockedItem>,
}

/// A table or figure with its values.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LockedItem {
    /// The name of the item.
    pub name: String,
    /// The command that made it.
    pub command: String,
    /// The values in it.
    pub values: Vec<UsedValue>,
}

/// A value in a table or figure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UsedValue {
    /// Its place: the names of its row and column; empty if the id is sufficient.
    #[serde(default)]
    pub at: String,
    /// The id of its measurement; empty for a fact of the catalog.
    #[serde(default)]
    pub id: String,
    /// Its measure: key of a metric, or heading of a fact.
    pub measure: String,
    /// The value, exactly as shown.
    pub value: String,
    /// The objection against the measurement at that time, if any.
    #[serde(default)]
    pub standing: Option<String>,
}

/// Why a lock cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// It is not TOML, or not of this format.
    #[error("{0}")]
    Toml(#[from] toml::de::Error),
    /// It lists a file that dlbench does not write.
    #[error("it names `{0}`, which dlbench does not write: remove it if it is not from here")]
    Outside(String),
    /// It has another format version.
    #[error("it has format {0}, and this dlbench reads format {FORMAT}")]
    Format(u32),
}

impl Lock {
    /// The lock of a new paper, still without files.
    pub fn new(knowledge_base: String, content: String, items: Vec<LockedItem>) -> Self {
        let dlbench = env!("CARGO_PKG_VERSION").to_owned();
        Self { format: FORMAT, dlbench, knowledge_base, content, files: BTreeMap::new(), items }
    }

    /// Parses a lock.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a lock in the current format.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        /// The part that all versions share.
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        let head: Head = toml::from_str(text)?;
        if head.format != FORMAT {
            return Err(LockError::Format(head.format));
        }
        let lock: Self = toml::from_str(text)?;
        match lock.files.keys().find(|name| !is_written_here(name)) {
            Some(outside) => Err(LockError::Outside(outside.clone())),
            None => Ok(lock),
        }
    }

    /// The text of the file, with one line per value, so that diffs are small.
    pub fn written(&self) -> String {
        let mut document = DocumentMut::new();
        document["format"] = value(i64::from(self.format));
        document["dlbench"] = value(&self.dlbench);
        document["knowledge-base"] = value(&self.knowledge_base);
        document["content"] = value(&self.content);
        let mut files = Table::new();
        for (path, hash) in &self.files {
            files.insert(path, value(hash));
        }
        document["files"] = Node::Table(files);
        let mut items = toml_edit::ArrayOfTables::new();
        for item in &self.items {
            let mut table = Table::new();
            table.insert("name", value(&item.name));
            table.insert("command", value(&item.command));
            table.insert("values", value(lines(&item.values)));
            items.push(table);
        }
        document["item"] = Node::ArrayOfTables(items);
        format!("{HEAD}{document}")
    }
}

/// The folders of tables and figures.
pub(super) const FOLDERS: [&str; 2] = ["tables", "figures"];

/// The files beside these folders.
const FILES: [&str; 3] = ["main.tex", "refs.bib", "data.csv"];

/// File extensions of tables and figures.
const ENDINGS: [&str; 5] = [".tex", ".pdf", ".svg", ".csv", ".png"];

/// Whether dlbench writes to this path. A lock may come from somebody else, and the files it lists may be removed or replaced.
fn is_written_here(name: &str) -> bool {
    let below = FOLDERS.iter().find_map(|folder| name.strip_prefix(folder)?.strip_prefix('/'));
    let item = below.and_then(|file| ENDINGS.iter().find_map(|end| file.strip_suffix(end)));
    FILES.contains(&name) || item.is_some_and(is_kebab)
}

fn lines(values: &[UsedValue]) -> Array {
    let mut array = Array::new();
    for used in values {
        let mut line = InlineTable::new();
        let keys = [("at", &used.at), ("id", &used.id), ("measure", &used.measure), ("value", &used.value)];
        for (key, text) in
            keys.into_iter().filter(|(key, text)| !text.is_empty() || matches!(*key, "measure" | "value"))
        {
            line.insert(key, text.as_str().into());
        }
        if let Some(standing) = &used.standing {
            line.insert("standing", standing.as_str().into());
        }
        line.decor_mut().set_prefix("\n    ");
        array.push_formatted(line.into());
    }
    array.set_trailing("\n");
    array.set_trailing_comma(true);
    array
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_comes_back_as_it_was() {
        let used = |at: &str, id: &str| UsedValue {
            at: at.to_owned(),
            id: id.to_owned(),
            measure: "latency-ms".to_owned(),
            value: "14.70".to_owned(),
            standing: (id == "b:2").then(|| "disputed: \"why\"".to_owned()),
        };
        let values = vec![used("PyTorch, fp16", "a:1"), used("", "b:2"), used("\"quoted\"\n", "")];
        let items = vec![LockedItem { name: "x".to_owned(), command: "query \"a\"".to_owned(), values }];
        let mut lock = Lock::new("A KB".to_owned(), "0a1b".to_owned(), items);
        lock.files.insert("tables/x.tex".to_owned(), "00".to_owned());
        let text = lock.written();
        assert_eq!(Lock::parse(&text).unwrap(), lock, "{text}");
        assert_eq!(text.lines().filter(|line| line.starts_with("    {")).count(), 3, "{text}");
        for name in [
            "../x",
            "/etc/passwd",
            "tables/../../x",
            "",
            "tables//x",
            ".git/HEAD",
            "chapter.tex",
            "tables/.x.tex",
            "tables/a/b.tex",
            "C:\\\\x",
            "./x",
        ] {
            let outside = Lock::parse(&text.replace("tables/x.tex", name));
            assert!(matches!(outside, Err(LockError::Outside(_))), "{name}: {outside:?}");
        }
        let newer = text.replace("format = 1", "format = 2");
        assert!(matches!(Lock::parse(&newer), Err(LockError::Format(2))));
    }
}
