//! The module structure (src/README.md): which folder may import which, that files do not import each other in a
//! cycle, and that only the command line prints.

use crate::parsed_source::{Code, Import, SourceFile};

/// The modules with an import order, per crate or folder, from the bottom up: a module imports only from the lines above its own.
/// Modules on one line do not import each other.
const HOUSE: &[(&str, &[&[&str]])] = &[
    (
        "dlbench",
        &[
            &["help", "http", "values"],
            &["model"],
            &["comparability", "reading"],
            &["stores"],
            &["rows"],
            &["ask", "contribute", "measure", "pull"],
            &["knowledge_base", "render"],
        ],
    ),
    (
        "dlbench::stores",
        &[
            &["building", "memo"],
            &["attested", "cache", "database", "index", "resolve"],
            &["open", "resolve_spelling"],
            &["result_cache", "sample"],
        ],
    ),
    (
        "dlbench::ask",
        &[
            &["hits", "parse", "published_schema"],
            &["execute"],
            &["evidence", "found"],
            &["contradictions"],
            &["answer", "axes"],
            &["cards"],
            &["compare", "diff", "export", "paper", "plot", "tables"],
            &["comparable_values", "examples", "figures", "nearest_measurements", "references", "surprising"],
        ],
    ),
    (
        "dlbench::contribute",
        &[&["recipe", "rule_interface"], &["online", "quality", "rules"], &["check"], &["import", "new"]],
    ),
    ("dlbench_server", &[&["limits", "refusal"], &["live", "requests"], &["pages"], &["mcp", "serve", "site"]]),
];

/// The crates that each crate may import.
const CRATES: &[(&str, &[&str])] = &[
    ("dlbench_effects", &[]),
    ("dlbench_protocol", &[]),
    ("dlbench_runner", &["dlbench_protocol"]),
    ("dlbench_snapshot", &[]),
    ("dlbench", &["dlbench_effects", "dlbench_protocol", "dlbench_snapshot"]),
    ("dlbench_server", &["dlbench"]),
    ("_dlbench", &["dlbench", "dlbench_server"]),
    ("program", &["dlbench", "dlbench_protocol", "dlbench_server"]),
];

/// The only folder that prints: the program's commands.
const PRINTING: &str = "cli/";

#[test]
fn every_file_imports_only_from_below() {
    let code = Code::of_the_repository();
    let imports: usize = code.files.iter().map(|file| file.imports.len()).sum();
    assert!(imports > 2000, "only {imports} imports were found: the reader of imports misses some");
    let wrong = wrong_imports(&code);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_room_is_in_the_house() {
    let code = Code::of_the_repository();
    for (floor, lines) in HOUSE {
        let floor: Vec<&str> = floor.split("::").collect();
        let rooms: Vec<&str> = lines.iter().flat_map(|line| line.iter().copied()).collect();
        let found = |file: &SourceFile| match file
            .module
            .strip_prefix(&floor.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>()[..])
        {
            Some([room, ..]) => Some(room.clone()),
            _ => None,
        };
        for file in &code.files {
            if let Some(room) = found(file) {
                assert!(rooms.contains(&room.as_str()), "src/{} is in no room of {}", file.path, floor.join("::"));
            }
        }
        for room in rooms {
            assert!(code.files.iter().any(|file| found(file).as_deref() == Some(room)), "the room {room} is empty");
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let circles = Code::of_the_repository().circles();
    let told: Vec<String> = circles.iter().map(|circle| circle.join("\n")).collect();
    assert!(told.is_empty(), "\n{}", told.join("\n\n"));
}

/// Lines in the modules of `ask`, including unit tests: the current limit, and the size that would do if each concept existed once.
/// A module that exceeds its limit lacks a concept.
const BUDGETS: &[(&str, usize, usize)] = &[
    ("library/ask/parse/", 7_665, 4_500),
    ("library/ask/execute/", 8_893, 4_400),
    ("library/ask/answer/", 3_227, 2_400),
    ("library/ask/evidence/", 3_004, 2_800),
    ("library/ask/contradictions/", 922, 700),
];

#[test]
fn the_rooms_of_questions_do_not_grow() {
    let files = Code::of_the_repository().files;
    for (room, most, wanted) in BUDGETS {
        let of_room = files.iter().filter(|file| file.path.starts_with(room));
        let lines: usize = of_room.map(|file| lines_of(&file.path)).sum();
        assert!(lines > *wanted / 2, "src/{room} has moved: only {lines} lines are there");
        assert!(lines <= *most, "src/{room} has {lines} lines, {most} are the most, and {wanted} are wanted");
    }
}

fn lines_of(path: &str) -> usize {
    let file = std::path::Path::new(crate::REPOSITORY).join("src").join(path);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).lines().count()
}

#[test]
fn only_the_command_line_prints() {
    let wrong = prints(&Code::of_the_repository());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_wrong_import_is_told_with_file_and_line() {
    let wrong = [
        ("library/model/metric.rs", "use crate::values::Date;\n\nuse crate::reading::read;"),
        ("library/model/metric.rs", "use crate::{\n    values::Date,\n    stores::{Stores, database::Database},\n};"),
        ("library/values/date.rs", "fn f() {\n    let x = crate::model::Field::Date;\n}"),
        ("library/values/date.rs", "fn f() {\n    format!(\"{}\", g(crate::model::Field::Date));\n}"),
        ("library/reading/files.rs", "use super::super::ask::answer;"),
        ("library/ask/export/mod.rs", "use crate::measure::Plan;"),
        ("library/stores/index/search.rs", "use crate::stores::database::Database;"),
        ("library/stores/index/search.rs", "use super::super::resolve::collect;"),
        ("library/stores/database/mod.rs", "use super::Stores;"),
        ("library/ask/tables/mod.rs", "use crate::ask::compare::Pivot;"),
        ("library/ask/answer/document.rs", "use crate::KnowledgeBase;"),
        ("library/model/fact.rs", "mod tests {\n    use super::*;\n    use super::super::super::render;\n}"),
        ("library/model/fact.rs", "macro_rules! m { () => { $crate::render::json() } }"),
        ("library/model/fact.rs", "use dlbench::ask::answer;"),
        ("protocol/lib.rs", "use dlbench::values::Date;"),
        ("runner/serve.rs", "use dlbench::values::Date;"),
        ("server/mcp/tools.rs", "use crate::serve::ServeOptions;"),
        ("server/requests/query.rs", "use crate::mcp::run;"),
        ("library/ask/answer/document.rs", "use dlbench_server::mcp;"),
    ];
    // Definitions of the imported items, so that re-exports can be followed.
    let below = [
        ("library/lib.rs", "mod knowledge_base;\npub use knowledge_base::KnowledgeBase;"),
        ("library/knowledge_base/mod.rs", "mod open;\npub use open::KnowledgeBase;"),
        ("library/knowledge_base/open.rs", "pub struct KnowledgeBase;"),
        ("library/stores/mod.rs", "mod open;\npub use open::Stores;"),
        ("library/stores/open.rs", "pub struct Stores;"),
    ];
    let told: Vec<String> =
        wrong.iter().flat_map(|file| wrong_imports(&Code::of(&[&below[..], &[*file]].concat()))).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn right_imports_pass() {
    let right = [
        ("cli/query.rs", "use super::failure::Failure;\nuse dlbench::ask::answer::Page;\nuse dlbench::values::Grid;"),
        (
            "library/stores/open.rs",
            "use super::database::Database;\nuse super::cache::Cache;\nuse crate::stores::index::Index;",
        ),
        ("library/stores/mod.rs", "mod database;\npub use database::Database;\nuse self::index::Index;"),
        (
            "library/stores/database/read.rs",
            "use super::{Database, column};\nuse super::super::database::write;\nuse crate::model::Field;",
        ),
        ("library/ask/answer/document.rs", "mod tests {\n    use super::*;\n    use super::super::grammar::parse;\n}"),
        (
            "library/values/date.rs",
            "//! use crate::render::main;\n/* use crate::render; /* nested */ */\nconst A: &str = \"crate::render\";",
        ),
        ("library/values/date.rs", "pub(in crate::values) fn f() {}\nfn g() { let module = \"\\\"crate::render\"; }"),
        ("library/model/metric.rs", "use crate::model::Field;\nuse std::collections::BTreeMap;\nuse strum::Display;"),
        ("runner/serve.rs", "use dlbench_protocol::Event;\nuse crate::failure::Failure;"),
        ("runner/networks/mod.rs", "#[cfg(test)]\nmod tests {\n    use dlbench::reading;\n}"),
    ];
    for file in right {
        assert_eq!(wrong_imports(&Code::of(&[file])), [""; 0], "{file:?}");
    }
}

#[test]
fn a_circle_is_told_with_files_and_lines() {
    let circles = Code::of(&[
        ("library/model/mod.rs", "mod fact;\nmod device;\nmod field;\npub use fact::Fact;\npub struct Own;"),
        ("library/model/fact.rs", "use super::device::Device;\n\nuse super::Own;\npub struct Fact;"),
        ("library/model/device.rs", "\nuse super::Fact;\nuse super::field::Field;"),
        ("library/model/field.rs", "#[cfg(test)]\nmod tests { use super::super::Fact; }"),
    ])
    .circles();
    assert_eq!(
        circles,
        [[
            "src/library/model/fact.rs:1 imports src/library/model/device.rs",
            "src/library/model/device.rs:2 imports src/library/model/fact.rs",
        ]]
    );
    let of_a_folder = Code::of(&[
        ("library/model/mod.rs", "mod fact;\nuse fact::Fact;\npub struct Own;"),
        ("library/model/fact.rs", "use super::Own;\npub struct Fact;"),
    ]);
    assert_eq!(of_a_folder.circles().len(), 1, "a folder's own file needs what needs it");
}

#[test]
fn a_print_below_the_command_line_is_told_with_file_and_line() {
    let code =
        "fn f() {\n    println!(\"a\");\n    dbg!(1);\n    use std::io::stderr;\n    std::io::stdout().lock();\n}";
    assert_eq!(
        prints(&Code::of(&[("library/reading/mod.rs", code)])),
        [
            "src/library/reading/mod.rs:2: `println!` outside cli/, the only place that prints",
            "src/library/reading/mod.rs:3: `dbg!` outside cli/, the only place that prints",
            "src/library/reading/mod.rs:4: `stderr` outside cli/, the only place that prints",
            "src/library/reading/mod.rs:5: `stdout` outside cli/, the only place that prints",
        ]
    );
    assert!(prints(&Code::of(&[("cli/screen.rs", code)])).is_empty());
    let harmless = "// println!()\nfn print() { command.stdout(Stdio::null()); write!(f, \"println!()\"); }";
    assert!(prints(&Code::of(&[("library/reading/mod.rs", harmless)])).is_empty());
}

/// Every import that goes up or sideways.
fn wrong_imports(code: &Code) -> Vec<String> {
    let mut wrong = Vec::new();
    for file in &code.files {
        for import in &file.imports {
            if let Some(objection) = objection(code, file, import) {
                wrong.push(format!("src/{}:{}: {}: {objection}", file.path, import.line, import.path.join("::")));
            }
        }
    }
    wrong
}

/// Why a file may not import something; `None` if it may.
fn objection(code: &Code, file: &SourceFile, import: &Import) -> Option<String> {
    let [here, there] = [&file.module, &import.path];
    if here[0] != there[0] {
        let known = CRATES.iter().find(|(name, _)| *name == here[0]).map_or(&[][..], |(_, known)| *known);
        // The worker's tests compare its networks with the catalog.
        let allowed = known.contains(&there[0].as_str()) || (here[0] == "dlbench_runner" && import.in_tests);
        return (!allowed).then(|| format!("the crate {} does not know the crate {}", here[0], there[0]));
    }
    // A re-export counts as the module that defines it.
    let defined = code.file_of(there).map(|file| &file.module).filter(|module| !there.starts_with(module));
    let defined = defined.unwrap_or(there);
    HOUSE.iter().find_map(|(floor, lines)| {
        let floor: Vec<&str> = floor.split("::").collect();
        let room = |module: &[String]| {
            let inside = module.len() > floor.len() && module.iter().zip(&floor).all(|(a, b)| a == b);
            inside.then(|| module[floor.len()].clone())
        };
        let (own, other) = (room(here)?, room(defined)?);
        let level = |room: &str| lines.iter().position(|line| line.contains(&room));
        let (lower, upper) = (level(&other)?, level(&own)?);
        (own != other && lower >= upper).then(|| format!("{own} knows nothing of {other}, which is not below it"))
    })
}

/// All printing outside of the places that may print.
fn prints(code: &Code) -> Vec<String> {
    let may = |file: &&SourceFile| [PRINTING, "runner/", "workers/"].iter().any(|place| file.path.starts_with(place));
    let below = code.files.iter().filter(|file| !may(file));
    below
        .flat_map(|file| {
            file.prints.iter().map(|(line, what)| {
                format!("src/{}:{line}: `{what}` outside {PRINTING}, the only place that prints", file.path)
            })
        })
        .collect()
}
