//! The program's own source code, parsed for tests: which file imports what, and where something is printed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit::{self, Visit};

use crate::REPOSITORY;

/// The crates in `src`: folder, crate name in imports. The program's folder is `src` itself.
const CRATES: &[(&str, &str)] = &[
    ("effects/", "dlbench_effects"),
    ("library/", "dlbench"),
    ("protocol/", "dlbench_protocol"),
    ("python/", "_dlbench"),
    ("runner/", "dlbench_runner"),
    ("server/", "dlbench_server"),
    ("snapshot/", "dlbench_snapshot"),
    ("", "program"),
];

/// Parts of `src` that are not crate code: tests, benchmarks and build scripts.
const OUTSIDE: &[&str] = &["acceptance", "benches", "build.rs", "library/build.rs"];

/// A source file.
#[derive(Debug)]
pub struct SourceFile {
    /// Path below `src`, with `/` as separator.
    pub path: String,
    /// The file's module: the crate, then the names from its root.
    pub module: Vec<String>,
    /// Everything that the file names by a path from a crate's root, `super` or `self`.
    pub imports: Vec<Import>,
    /// Where the file prints: line, and what.
    pub prints: Vec<(usize, String)>,
    /// Names imported or re-exported at the top of the file, with the paths they stand for.
    aliases: BTreeMap<String, Vec<String>>,
    /// Modules that are imported or re-exported with `*`.
    globs: Vec<Vec<String>>,
}

/// A path named in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// Line number, from 1.
    pub line: usize,
    /// The crate, then the names from its root.
    pub path: Vec<String>,
    /// Whether the path occurs only in the file's tests.
    pub in_tests: bool,
}

impl SourceFile {
    /// Reads a file's code.
    pub fn new(path: &str, code: &str) -> Self {
        let (folder, name) = CRATES.iter().find(|(folder, _)| path.starts_with(folder)).expect("a crate");
        let names = path[folder.len()..].trim_end_matches(".rs").split('/');
        let names = names.filter(|name| !matches!(*name, "mod" | "lib" | "main"));
        let module: Vec<String> = std::iter::once(*name).chain(names).map(str::to_owned).collect();
        let parsed = syn::parse_file(code).unwrap_or_else(|error| panic!("src/{path} is not Rust: {error}"));
        let mut reader = Reader {
            file: Self {
                path: path.to_owned(),
                module: module.clone(),
                imports: Vec::new(),
                prints: Vec::new(),
                aliases: BTreeMap::new(),
                globs: Vec::new(),
            },
            module,
            children: parsed.items.iter().filter_map(child).collect(),
            inline: 0,
            in_tests: false,
        };
        reader.visit_file(&parsed);
        reader.file
    }
}

/// Walks the code of one file.
struct Reader {
    file: SourceFile,
    /// The current module, including inline modules.
    module: Vec<String>,
    /// Child modules of the file that have files of their own.
    children: Vec<String>,
    /// Depth of nested inline modules.
    inline: usize,
    in_tests: bool,
}

impl Reader {
    /// The path from a crate's root that `names` resolve to; `None` if they are not in this repository.
    fn absolute(&self, names: &[String]) -> Option<Vec<String>> {
        let mut names = names.iter();
        let mut path = match names.next()?.as_str() {
            "crate" => vec![self.module[0].clone()],
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len().saturating_sub(1).max(1)].to_vec(),
            name if self.inline == 0 && self.children.iter().any(|child| child == name) => {
                self.module.iter().cloned().chain([name.to_owned()]).collect()
            }
            name if CRATES.iter().any(|(_, known)| *known == name) => vec![name.to_owned()],
            _ => return None,
        };
        for name in names {
            if name == "super" {
                path.truncate(path.len().saturating_sub(1).max(1));
            } else {
                path.push(name.clone());
            }
        }
        Some(path)
    }

    fn import(&mut self, names: &[String], span: Span) {
        if let Some(path) = self.absolute(names).filter(|_| names.len() > 1) {
            self.file.imports.push(Import { line: span.start().line, path, in_tests: self.in_tests });
        }
    }

    /// Reads one `use`; re-exporting a child module is a table of contents, not a dependency.
    fn tree(&mut self, before: &[String], tree: &syn::UseTree, is_contents: bool) {
        let with = |ident: &syn::Ident| before.iter().cloned().chain([ident.to_string()]).collect::<Vec<_>>();
        match tree {
            syn::UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree, is_contents),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(before, item, is_contents)),
            syn::UseTree::Name(name) => self.leaf(&with(&name.ident), &name.ident, &name.ident, is_contents),
            syn::UseTree::Rename(rename) => self.leaf(&with(&rename.ident), &rename.ident, &rename.rename, is_contents),
            syn::UseTree::Glob(glob) => {
                if !is_contents {
                    self.import(before, glob.star_token.spans[0]);
                }
                self.file.globs.extend(self.absolute(before).filter(|_| self.inline == 0));
            }
        }
    }

    fn leaf(&mut self, names: &[String], ident: &syn::Ident, alias: &syn::Ident, is_contents: bool) {
        let names = if ident == "self" { &names[..names.len() - 1] } else { names };
        if !is_contents {
            self.import(names, ident.span());
        }
        let alias = if alias == "self" { names.last().cloned() } else { Some(alias.to_string()) };
        if self.inline == 0
            && let (Some(alias), Some(path)) = (alias, self.absolute(names))
        {
            self.file.aliases.insert(alias, path);
        }
    }

    /// Finds paths and printing inside a macro's tokens, which are not parsed further.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is =
            |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(ident) => {
                    let mut names = vec![ident.to_string()];
                    while is(at + 1, ':')
                        && is(at + 2, ':')
                        && let Some(TokenTree::Ident(next)) = tokens.get(at + 3)
                    {
                        names.push(next.to_string());
                        at += 3;
                    }
                    self.import(&names, ident.span());
                    if is(at + 1, '!') {
                        self.printing(&names, ident.span());
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn printing(&mut self, names: &[String], span: Span) {
        if let [.., name] = names
            && matches!(name.as_str(), "print" | "println" | "eprint" | "eprintln" | "dbg")
        {
            self.file.prints.push((span.start().line, format!("{name}!")));
        }
    }

    fn printing_path(&mut self, names: &[String], span: Span) {
        if let [.., name] = names
            && matches!(name.as_str(), "stdout" | "stderr" | "Stdout" | "Stderr")
        {
            self.file.prints.push((span.start().line, name.clone()));
        }
    }
}

impl<'code> Visit<'code> for Reader {
    fn visit_item_use(&mut self, item: &'code syn::ItemUse) {
        let first = first_name(&item.tree);
        let is_contents = !matches!(item.vis, syn::Visibility::Inherited)
            && first.is_some_and(|name| name == "self" || self.children.contains(&name));
        self.tree(&[], &item.tree, is_contents);
        let mut words = Vec::new();
        leaves(&item.tree, &mut words);
        for (name, span) in words {
            self.printing_path(&[name], span);
        }
    }

    fn visit_item_mod(&mut self, item: &'code syn::ItemMod) {
        let is_test = item.attrs.iter().any(is_for_tests);
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            self.inline += 1;
            let before = self.in_tests;
            self.in_tests |= is_test;
            visit::visit_item_mod(self, item);
            self.in_tests = before;
            self.inline -= 1;
            self.module.pop();
        }
    }

    fn visit_path(&mut self, path: &'code syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(first) = path.segments.first() {
            self.import(&names, first.ident.span());
            if path.segments.len() > 1 {
                self.printing_path(&names, first.ident.span());
            }
        }
        visit::visit_path(self, path);
    }

    fn visit_vis_restricted(&mut self, _: &'code syn::VisRestricted) {}

    fn visit_attribute(&mut self, _: &'code syn::Attribute) {}

    fn visit_macro(&mut self, called: &'code syn::Macro) {
        let names: Vec<String> = called.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(first) = called.path.segments.first() {
            self.printing(&names, first.ident.span());
        }
        visit::visit_macro(self, called);
        self.tokens(called.tokens.clone());
    }
}

/// The name of a module that is in a file of its own.
fn child(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Mod(module) if module.content.is_none() => Some(module.ident.to_string()),
        _ => None,
    }
}

fn first_name(tree: &syn::UseTree) -> Option<String> {
    match tree {
        syn::UseTree::Path(path) => Some(path.ident.to_string()),
        syn::UseTree::Name(name) => Some(name.ident.to_string()),
        _ => None,
    }
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
}

/// The last names of an import.
fn leaves(tree: &syn::UseTree, names: &mut Vec<(String, Span)>) {
    match tree {
        syn::UseTree::Path(path) => leaves(&path.tree, names),
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| leaves(item, names)),
        syn::UseTree::Name(name) => names.push((name.ident.to_string(), name.ident.span())),
        syn::UseTree::Rename(rename) => names.push((rename.ident.to_string(), rename.ident.span())),
        syn::UseTree::Glob(_) => {}
    }
}

/// All files of all crates.
#[derive(Debug)]
pub struct Code {
    /// Sorted by path.
    pub files: Vec<SourceFile>,
}

impl Code {
    /// The repository's own code.
    pub fn of_the_repository() -> Self {
        let src = Path::new(REPOSITORY).join("src");
        let mut files = Vec::new();
        let mut folders = vec![src.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of sources") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(&src).expect("below src").to_string_lossy().replace('\\', "/");
                if OUTSIDE.contains(&name.as_str()) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else if name.ends_with(".rs") {
                    files.push(SourceFile::new(&name, &fs::read_to_string(&path).expect("a source file")));
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files }
    }

    /// Parses only these files, given as path and code.
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self { files: files.iter().map(|(path, code)| SourceFile::new(path, code)).collect() }
    }

    /// The file that defines the item at a path; follows re-exports to the definition.
    pub fn file_of(&self, path: &[String]) -> Option<&SourceFile> {
        self.defining(path, 0)
    }

    fn defining(&self, path: &[String], depth: usize) -> Option<&SourceFile> {
        /// Deeper re-exports must be circular.
        const DEEPEST: usize = 16;
        if depth > DEEPEST {
            return None;
        }
        let mut module = path.len();
        let file = loop {
            if module == 0 {
                return None;
            }
            match self.files.iter().find(|file| file.module == path[..module]) {
                Some(file) => break file,
                None => module -= 1,
            }
        };
        let Some(name) = path.get(module) else { return Some(file) };
        if let Some(alias) = file.aliases.get(name)
            && alias[..] != path[..=module]
        {
            let whole: Vec<String> = alias.iter().chain(&path[module + 1..]).cloned().collect();
            return self.defining(&whole, depth + 1).or(Some(file));
        }
        Some(file)
    }

    /// The import cycles among the files, each as the imports that form it. Imports only in tests do not count.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let edges: Vec<Vec<(usize, usize)>> =
            self.files.iter().enumerate().map(|(at, file)| self.edges(at, file)).collect();
        let reaches = |from: usize, to: usize| {
            let mut seen = vec![false; self.files.len()];
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                for &(next, _) in &edges[at] {
                    if next == to {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[next], true) {
                        open.push(next);
                    }
                }
            }
            false
        };
        let mut circles: Vec<Vec<String>> = Vec::new();
        let mut told = vec![false; self.files.len()];
        for at in 0..self.files.len() {
            if told[at] || !reaches(at, at) {
                continue;
            }
            let members: Vec<usize> =
                (0..self.files.len()).filter(|&to| to == at || (reaches(at, to) && reaches(to, at))).collect();
            let mut circle = Vec::new();
            for &member in &members {
                told[member] = true;
                for &(to, line) in edges[member].iter().filter(|(to, _)| members.contains(to)) {
                    circle.push(format!("src/{}:{line} imports src/{}", self.files[member].path, self.files[to].path));
                }
            }
            circles.push(circle);
        }
        circles
    }

    /// The other files that a file imports from, each with the line of the first such import.
    fn edges(&self, at: usize, file: &SourceFile) -> Vec<(usize, usize)> {
        let mut edges: BTreeMap<usize, usize> = BTreeMap::new();
        for import in file.imports.iter().filter(|import| !import.in_tests) {
            let Some(target) = self.file_of(&import.path) else { continue };
            let Some(to) = self.files.iter().position(|other| other.path == target.path) else { continue };
            if to != at {
                edges.entry(to).or_insert(import.line);
            }
        }
        edges.into_iter().collect()
    }
}
