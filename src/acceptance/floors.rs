//! The floors of the code (DESIGN, "The floors"): a module imports only from floors below it, and only `cli` prints.

use std::fs;
use std::path::{Path, PathBuf};

use crate::REPOSITORY;

/// The floors from the ground up; a folder of `src` each.
const FLOORS: &[&str] = &["values", "model", "reading", "derived", "questions", "cli"];

/// Floors whose folders are rooms: a room knows neither the others nor the files lying directly on its floor.
const FLOORS_WITH_ROOMS: &[&str] = &["derived", "questions"];

/// The top floor, the only one that prints.
const PRINTING: &str = "cli";

/// What stands outside the floors: the two tables of contents, the tests, the benchmarks, and the worker, a program of its
/// own.
const OUTSIDE: &[&str] = &["lib.rs", "main.rs", "acceptance", "benches", "bin"];

#[test]
fn every_module_imports_only_from_floors_below() {
    let broken: Vec<String> = sources().iter().flat_map(|source| source.wrong_imports()).collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn only_the_command_line_prints() {
    let broken: Vec<String> = sources().iter().flat_map(|source| source.prints()).collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn every_file_is_on_a_floor_and_every_floor_has_files() {
    let sources = sources();
    for source in &sources {
        assert!(FLOORS.contains(&source.module[0].as_str()), "src/{} is on no floor", source.path);
    }
    for floor in FLOORS {
        assert!(sources.iter().any(|source| source.module[0] == *floor), "src/{floor}/ is empty");
    }
    let imports: usize = sources.iter().map(|source| source.imports().len()).sum();
    assert!(imports > 100, "only {imports} imports were found: the reader of imports misses some");
}

#[test]
fn a_wrong_import_is_told_with_file_and_line() {
    let wrong = [
        ("model/metric.rs", "use crate::values::Date;\n\nuse crate::reading::read;"),
        ("model/metric.rs", "use crate::{\n    values::Date,\n    derived::{Stores, store::Store},\n};"),
        ("values/date.rs", "fn f() {\n    let x = crate::model::Field::Date;\n}"),
        ("reading/files.rs", "use super::super::questions::query;"),
        ("derived/index/search.rs", "use crate::derived::store::Store;"),
        ("derived/index/search.rs", "use super::super::resolve::collect;"),
        ("derived/store/mod.rs", "use super::Stores;"),
        ("derived/resolve/mod.rs", "use super::{BuiltFrom, resolve::How};"),
        ("questions/tables/mod.rs", "use crate::questions::KnowledgeBase;"),
        ("questions/query/ask.rs", "use crate::KnowledgeBase;"),
        ("model/mod.rs", "mod tests {\n    use super::*;\n    use super::super::cli;\n}"),
        ("model/mod.rs", "macro_rules! m { () => { $crate::cli::main() } }"),
        ("model/mod.rs", "use dlbench::questions::query;"),
    ];
    let told: Vec<String> =
        wrong.iter().flat_map(|(path, text)| Source::new(path, (*text).to_owned()).wrong_imports()).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn right_imports_pass() {
    let right = [
        ("cli/query.rs", "use super::failure::Failure;\nuse crate::questions::query::Page;\nuse crate::values::Grid;"),
        ("derived/stores.rs", "use super::store::Store;\nuse super::cache::Cache;\nuse crate::derived::index::Index;"),
        ("derived/mod.rs", "pub use store::Store;\nuse self::index::Index;"),
        (
            "derived/store/read.rs",
            "use super::{Store, column};\nuse super::super::store::write;\nuse crate::model::Field;",
        ),
        ("questions/query/mod.rs", "mod tests {\n    use super::*;\n    use super::grammar::parse;\n}"),
        (
            "values/date.rs",
            "//! use crate::cli::main;\n/* use crate::cli; /* nested */ */\nconst A: &str = \"crate::cli\";",
        ),
        ("values/date.rs", "const A: &str = r#\"\" crate::cli::main\"#; const B: char = '\"'; fn f<'a>(_: &'a str) {}"),
        ("values/date.rs", "pub(in crate::values) fn f() {}\nfn g() { let module = \"\\\"crate::cli\"; }"),
        ("model/metric.rs", "use crate::model::Field;\nuse std::collections::BTreeMap;\nuse strum::Display;"),
    ];
    for (path, text) in right {
        assert_eq!(Source::new(path, text.to_owned()).wrong_imports(), [""; 0], "{path}: {text}");
    }
}

#[test]
fn a_print_below_the_top_floor_is_told_with_file_and_line() {
    let text =
        "fn f() {\n    println!(\"a\");\n    dbg!(1);\n    use std::io::stderr;\n    std::io::stdout().lock();\n}";
    assert_eq!(
        Source::new("reading/mod.rs", text.to_owned()).prints(),
        [
            "src/reading/mod.rs:2: `println!` outside cli/, the only floor that prints",
            "src/reading/mod.rs:3: `dbg!` outside cli/, the only floor that prints",
            "src/reading/mod.rs:4: `stderr` outside cli/, the only floor that prints",
            "src/reading/mod.rs:5: `stdout` outside cli/, the only floor that prints",
        ]
    );
    assert!(Source::new("cli/screen.rs", text.to_owned()).prints().is_empty());
    let harmless = "// println!()\nfn print() { command.stdout(Stdio::null()); write!(f, \"println!()\") }";
    assert!(Source::new("reading/mod.rs", harmless.to_owned()).prints().is_empty());
}

/// A source file: where it is and the words and signs that it consists of.
struct Source {
    /// Path below `src`, with `/`.
    path: String,
    /// The module that it is, from the crate's root.
    module: Vec<String>,
    tokens: Vec<Token>,
}

/// A word or a sign, and the line it stands in.
struct Token {
    text: String,
    line: usize,
}

/// What a line imports: the path from the crate's root.
struct Import {
    line: usize,
    path: Vec<String>,
}

impl Source {
    fn new(path: &str, text: String) -> Self {
        let module = path.trim_end_matches(".rs").split('/').filter(|name| *name != "mod").map(str::to_owned).collect();
        Self { path: path.to_owned(), module, tokens: tokens(&text) }
    }

    fn wrong_imports(&self) -> Vec<String> {
        let wrong = |Import { line, path }: Import| {
            let objection = self.objection(&path)?;
            Some(format!("src/{}:{line}: crate::{}: {objection}", self.path, path.join("::")))
        };
        self.imports().into_iter().filter_map(wrong).collect()
    }

    /// Why this module may not import `path`, if it may not.
    fn objection(&self, path: &[String]) -> Option<String> {
        let here = self.module[0].as_str();
        let Some(there) = path.first() else {
            return Some("imports the whole crate".to_owned());
        };
        let level = |floor: &str| FLOORS.iter().position(|name| *name == floor);
        let Some(target) = level(there) else {
            return Some("goes past the floors; name the module on its floor".to_owned());
        };
        let own = level(here)?;
        if target > own {
            return Some(format!("{there} is floor {target}, above {here}, floor {own}"));
        }
        let rooms = target == own && FLOORS_WITH_ROOMS.contains(&here);
        match self.room() {
            Some(room) if rooms && path.get(1).is_none_or(|other| other != room) => {
                Some(format!("the room {here}/{room} knows nothing else on its floor"))
            }
            _ => None,
        }
    }

    /// The folder on its floor that the file lies in; `None` for files lying directly on the floor.
    fn room(&self) -> Option<&str> {
        (self.path.matches('/').count() > 1).then(|| self.module[1].as_str())
    }

    /// Everything named by a path from `crate`, `super`, `self` or the library's own name.
    fn imports(&self) -> Vec<Import> {
        let text = |at: usize| self.tokens.get(at).map_or("", |token| token.text.as_str());
        let mut found = Vec::new();
        // Inline modules that the token stands in, each with the depth of its bracket.
        let mut inline: Vec<(String, usize)> = Vec::new();
        let mut depth = 0;
        let mut at = 0;
        while at < self.tokens.len() {
            match text(at) {
                "{" => {
                    depth += 1;
                    if at >= 2 && text(at - 2) == "mod" {
                        inline.push((text(at - 1).to_owned(), depth));
                    }
                }
                "}" => {
                    if inline.last().is_some_and(|(_, opened)| *opened == depth) {
                        inline.pop();
                    }
                    depth = depth.saturating_sub(1);
                }
                "crate" | "super" | "self" | "dlbench" if text(at + 1) == "::" && (at == 0 || text(at - 1) != "::") => {
                    let mut base = match text(at) {
                        "crate" | "dlbench" => Vec::new(),
                        _ => {
                            let inner = inline.iter().map(|(name, _)| name.clone());
                            self.module.iter().cloned().chain(inner).collect()
                        }
                    };
                    let start = at;
                    while matches!(text(at), "super" | "self") && text(at + 1) == "::" {
                        if text(at) == "super" {
                            base.pop();
                        }
                        at += 2;
                    }
                    if start == at {
                        at += 2;
                    }
                    at = self.tree(at, base, &mut found);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// Reads what follows `base::`; returns where it ends.
    fn tree(&self, mut at: usize, base: Vec<String>, found: &mut Vec<Import>) -> usize {
        let token = |at: usize| self.tokens.get(at).map_or("", |token| token.text.as_str());
        let line = self.tokens.get(at).map_or(0, |token| token.line);
        if token(at) == "{" {
            at += 1;
            while !matches!(token(at), "}" | "") {
                at = self.tree(at, base.clone(), found);
                while !matches!(token(at), "," | "}" | "") {
                    at += 1;
                }
                at += usize::from(token(at) == ",");
            }
            return at + 1;
        }
        let mut path = base;
        if !matches!(token(at), "self" | "*") {
            path.push(token(at).to_owned());
        }
        if token(at + 1) == "::" {
            return self.tree(at + 2, path, found);
        }
        found.push(Import { line, path });
        at + 1
    }

    fn prints(&self) -> Vec<String> {
        if self.module[0] == PRINTING {
            return Vec::new();
        }
        let text = |at: Option<usize>| at.and_then(|at| self.tokens.get(at)).map_or("", |token| token.text.as_str());
        let mut found = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let what = match token.text.as_str() {
                word @ ("print" | "println" | "eprint" | "eprintln" | "dbg") if text(Some(at + 1)) == "!" => {
                    format!("{word}!")
                }
                // A child process has a `.stdout(…)`, too.
                word @ ("stdout" | "stderr" | "Stdout" | "Stderr") if text(at.checked_sub(1)) != "." => word.to_owned(),
                _ => continue,
            };
            found.push(format!(
                "src/{}:{}: `{what}` outside {PRINTING}/, the only floor that prints",
                self.path, token.line
            ));
        }
        found
    }
}

/// Every source file that belongs to a floor.
fn sources() -> Vec<Source> {
    let src = Path::new(REPOSITORY).join("src");
    let mut files = Vec::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path: PathBuf = entry.expect("an entry").path();
            let name = path.strip_prefix(&src).expect("below src").to_string_lossy().replace('\\', "/");
            if OUTSIDE.contains(&name.as_str()) {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") {
                files.push(Source::new(&name, fs::read_to_string(&path).expect("a source file")));
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The words and signs of Rust code, without comments, texts and characters.
fn tokens(code: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = code;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let taken = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = text_literal(rest) {
            length
        } else if is_word(c) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            tokens.push(Token { text: rest[..length].to_owned(), line });
            length
        } else if rest.starts_with("::") {
            tokens.push(Token { text: "::".to_owned(), line });
            2
        } else {
            if !c.is_whitespace() {
                tokens.push(Token { text: c.to_string(), line });
            }
            c.len_utf8()
        };
        line += rest[..taken].matches('\n').count();
        rest = &rest[taken..];
    }
    tokens
}

/// The length of a comment that begins here; comments may stand in each other.
fn block_comment(code: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < code.len() {
        let rest = &code.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    code.len()
}

/// The length of a text or character that begins here, raw or not; `None` where none does (a lifetime, a word).
fn text_literal(code: &str) -> Option<usize> {
    let plain = code.strip_prefix(['b', 'c']).unwrap_or(code);
    let prefix = code.len() - plain.len();
    if let Some(raw) = plain.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inner = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = inner.find(&end)?;
        return Some(prefix + 1 + hashes + 1 + length + end.len());
    }
    let quote = plain.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let body = &plain[1..];
    if quote == '\'' {
        // 'a' and '\n' are characters, 'a without a second quote is a lifetime.
        let first = body.chars().next()?;
        if first != '\\' && !body[first.len_utf8()..].starts_with('\'') {
            return None;
        }
    }
    let mut escaped = false;
    for (at, c) in body.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(prefix + 1 + at + c.len_utf8()),
            _ => {}
        }
    }
    None
}
