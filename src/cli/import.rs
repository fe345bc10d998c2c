//! `dlbench import`: converts other people's result files to rows that pass the strict reader.

use std::path::{Path, PathBuf};

use clap::Args;
use dlbench::WriteError;
use dlbench::contribute::import;
use dlbench::contribute::import::new_devices::{CatalogMatch, IdentifiedBoard};
use dlbench::contribute::import::{
    EntryDraft, ExistingRows, FORMATS, ImportChanges, ImportReport, ImportRequest, Recipe, UnresolvedName,
};
use dlbench::model::{Field, Metric};
use dlbench::reading::read_text_unlinked;
use dlbench::render::table::Table;
use dlbench::values::text::{counted, nearest, or_list, printable_path, some_of};
use dlbench::values::{EntityId, Grid, GridColumn};

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;

#[derive(Debug, Args)]
#[command(after_help = formats_help())]
pub(super) struct ImportArgs {
    /// A format and its files or their folder; with --recipe, only the folder
    #[arg(value_name = "FORMAT FILE…|DIR", required = true)]
    what: Vec<String>,
    /// A recipe, which maps columns, headings, parts of file names and constants to fields
    #[arg(long, value_name = "FILE")]
    recipe: Option<PathBuf>,
    /// The source of the numbers, an id in catalog/sources [default: the one in the recipe]
    #[arg(long, value_name = "ID")]
    source: Option<EntityId>,
    /// The device, if the files do not state it
    #[arg(long, value_name = "NAME")]
    device: Option<String>,
    /// The batch size per device, if the files do not state it
    #[arg(long, value_name = "N")]
    batch_size: Option<u32>,
    /// Set another field of every row
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Output folder [default: measurements/<source>/ in the knowledge base]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Write drafts of missing catalog entries below this folder; `catalog` is their final place
    #[arg(long, value_name = "DIR")]
    drafts: Option<PathBuf>,
    /// Replace files completely, including rows, remarks and comments that people added
    #[arg(long, conflicts_with = "dry_run")]
    replace: bool,
    /// Keep rows whose label the source corrected, marked as superseded by the corrected ones
    #[arg(long, conflicts_with_all = ["dry_run", "replace"])]
    supersede: bool,
    /// Read everything but write nothing
    #[arg(long)]
    dry_run: bool,
}

/// The format that describes boards instead of measurements.
const NVIDIA_SMI: &str = "nvidia-smi";

fn formats_help() -> String {
    let boards = (NVIDIA_SMI, "its XML (-q -x) or CSV (--query-gpu): which device it is, or a draft");
    let formats = FORMATS.iter().map(|format| (format.name, format.about)).chain([boards]);
    let lines: Vec<String> = formats.map(|(name, about)| format!("  {name:22} {about}")).collect();
    format!("Formats:\n{}", lines.join("\n"))
}

pub(super) fn run(args: &ImportArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    if let Some((NVIDIA_SMI, files)) = args.what.split_first().map(|(first, files)| (first.as_str(), files))
        && args.recipe.is_none()
    {
        return import_boards(files, args.output.as_deref(), args.dry_run, global, screen);
    }
    let kb = global.open_files(screen)?;
    let stated = stated(args)?;
    let (recipe, folder, files) = recipe(args)?;
    // A named format is generic: only the caller knows the source of the numbers.
    let own = if args.recipe.is_some() { recipe.source() } else { None };
    let source = args.source.clone().or(own).ok_or_else(|| {
        Failure::usage(
            "the source of the numbers is missing",
            "name it with --source ID, the stem of a file in catalog/sources/",
        )
    })?;
    let request = ImportRequest {
        recipe: &recipe,
        is_own_recipe: args.recipe.is_some(),
        source: source.clone(),
        folder: &folder,
        files: &files,
        stated: &stated,
    };
    let imported = kb.import(&request)?;
    let output = args.output.clone().unwrap_or_else(|| kb.measurements_of(&source));
    let existing = match (args.replace, args.supersede) {
        (true, _) => ExistingRows::Dropped,
        (false, true) => ExistingRows::Superseded,
        (false, false) => ExistingRows::Kept,
    };
    let change = match args.dry_run {
        true => None,
        false => Some(kb.install(&imported, &source, &output, existing)?),
    };
    let drafts = import::entry_drafts(&imported.report.unresolved, &source);
    screen.print(&account(&imported.report, change.as_ref(), &output, imported.files.len(), screen.width())?)?;
    screen.print(&new_names(&imported.report.unresolved, screen.width()))?;
    if let Some(folder) = &args.drafts {
        screen.print(&write_drafts(&drafts, folder, screen)?)?;
    } else if !drafts.is_empty() {
        let count = counted(drafts.len(), "draft", "drafts");
        screen.print(&format!("--drafts DIR writes {count} of the missing entries\n"))?;
    }
    Ok(if imported.report.written == 0 { Outcome::NothingFound } else { Outcome::Done })
}

/// A table of all names that the catalog does not have.
fn new_names(names: &[UnresolvedName], width: usize) -> String {
    if names.is_empty() {
        return String::new();
    }
    let mut grid = Grid {
        columns: vec![
            GridColumn::number("rows"),
            GridColumn::text("new"),
            GridColumn::text("name"),
            GridColumn::text("near"),
            GridColumn::text("first at"),
        ],
        rows: Vec::new(),
    };
    for name in names {
        let near = name.near.join(", ");
        grid.push(vec![name.rows.to_string(), name.facet.to_string(), name.spelling.clone(), near, name.first.clone()]);
    }
    format!("\n{}", Table::from(&grid).text(width))
}

/// Writes each draft into the folder of its kind; existing files are not overwritten.
fn write_drafts(drafts: &[EntryDraft], folder: &Path, screen: &Screen) -> Result<String, Failure> {
    let mut text = String::new();
    for draft in drafts {
        let kind = folder.join(draft.kind.plural());
        let name = format!("{}.toml", draft.id);
        let path = kind.join(&name);
        if path.symlink_metadata().is_ok() {
            text.push_str(&format!("{} is there already\n", printable_path(&path)));
            continue;
        }
        screen.save_in(&kind, &name, &draft.text)?;
        text.push_str(&format!("{} is a draft for you to complete\n", printable_path(&path)));
    }
    Ok(text)
}

/// The recipe, the folder its patterns are relative to, and the files if they were given.
fn recipe(args: &ImportArgs) -> Result<(Recipe, PathBuf, Vec<PathBuf>), Failure> {
    if let Some(path) = &args.recipe {
        let text = read_text_unlinked(path).map_err(|error| Failure::Usage {
            message: format!("cannot read the recipe {}: {error}", printable_path(path)),
            help: None,
        })?;
        let [folder] = args.what.as_slice() else {
            return Err(Failure::usage("a recipe reads one folder", "dlbench import --recipe FILE DIR"));
        };
        return Ok((Recipe::parse(&text).map_err(import::ImportError::Recipe)?, PathBuf::from(folder), Vec::new()));
    }
    let (name, files) = args.what.split_first().ok_or_else(|| unknown_format(""))?;
    let recipe = import::recipe_of(name).ok_or_else(|| unknown_format(name))?.map_err(import::ImportError::Recipe)?;
    if files.is_empty() {
        return Err(Failure::usage(
            format!("no file of the format {name} is named"),
            format!("dlbench import {name} FILE…"),
        ));
    }
    if let [folder] = files
        && Path::new(folder).is_dir()
    {
        return Ok((recipe, PathBuf::from(folder), Vec::new()));
    }
    Ok((recipe, Path::new("").to_owned(), files.iter().map(PathBuf::from).collect()))
}

fn unknown_format(name: &str) -> Failure {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).chain([NVIDIA_SMI]).collect();
    let near = nearest(name, names.iter().copied(), 1);
    Failure::usage(
        format!("there is no format `{name}`"),
        match near.first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the formats are {}; anything else needs --recipe", or_list(&names)),
        },
    )
}

/// The validated values of `--device`, `--batch-size` and `--set`.
fn stated(args: &ImportArgs) -> Result<Vec<(String, String)>, Failure> {
    let mut stated = Vec::new();
    stated.extend(args.device.iter().map(|device| (Field::Device.key().to_owned(), device.clone())));
    stated.extend(args.batch_size.map(|size| (Field::BatchSize.key().to_owned(), size.to_string())));
    for pair in &args.set {
        let known = |key: &str| key.parse::<Field>().is_ok() || key.parse::<Metric>().is_ok();
        match pair.split_once('=') {
            Some((key, value)) if known(key) && !value.is_empty() => stated.push((key.to_owned(), value.to_owned())),
            _ => {
                return Err(Failure::usage(
                    format!("--set {pair} states no field of a measurement"),
                    "write --set key=value, such as --set framework-version=0.3.0",
                ));
            }
        }
    }
    Ok(stated)
}

/// The account of rows: read = written + left out, by reason; and the changes.
fn account(
    report: &ImportReport,
    change: Option<&ImportChanges>,
    output: &Path,
    files: usize,
    width: usize,
) -> Result<String, Failure> {
    let mut grid = Grid {
        columns: vec![
            GridColumn::number("rows"),
            GridColumn::text("what became of them"),
            GridColumn::text("first at"),
        ],
        rows: Vec::new(),
    };
    grid.push(vec![report.read.to_string(), "read".to_owned(), String::new()]);
    let place = match change {
        Some(_) => format!("written to {files} files in {}", printable_path(output)),
        None => "would be written".to_owned(),
    };
    grid.push(vec![report.written.to_string(), place, String::new()]);
    let mut reasons: Vec<_> = report.left_out.iter().collect();
    reasons.sort_by(|a, b| b.1.count.cmp(&a.1.count).then(a.0.cmp(b.0)));
    for (reason, left_out) in reasons {
        grid.push(vec![left_out.count.to_string(), format!("left out: {reason}"), left_out.first.clone()]);
    }
    for (name, rows) in &report.unknown {
        grid.push(vec![rows.count.to_string(), format!("without it: {name}"), rows.first.clone()]);
    }
    for file in &report.unread {
        grid.push(vec!["1".to_owned(), format!("file not read: {}", file.message), file.place.clone()]);
    }
    let mut text = Table::from(&grid).text(width);
    if let Some(change) = change {
        text.push_str(&format!(
            "measurements: {} added, {} changed, {} removed, {} as they were\n",
            change.added,
            change.changed.len(),
            change.removed,
            change.unchanged
        ));
        if !change.changed.is_empty() {
            text.push_str(&format!("changed, also where a person had corrected it: {}\n", some_of(&change.changed, 5)));
        }
        if change.superseded > 0 {
            let rows = counted(change.superseded, "row", "rows");
            text.push_str(&format!("kept, superseded by rows with a corrected label: {rows}\n"));
        }
        if change.kept > 0 {
            let kept = counted(change.kept, "remark or comment", "remarks and comments");
            text.push_str(&format!("kept manual additions: {kept}\n"));
        }
    }
    Ok(text)
}

/// Known boards are reported in lines that begin with `#`, so that the output can be used as a catalog file.
pub(super) fn import_boards(
    files: &[String],
    output: Option<&Path>,
    dry_run: bool,
    global: &Global,
    screen: &Screen,
) -> Result<Outcome, Failure> {
    if files.is_empty() {
        return Err(Failure::usage(
            "no file of the format nvidia-smi is named",
            "nvidia-smi -q -x > board.xml, then dlbench import nvidia-smi board.xml",
        ));
    }
    let kb = global.open_files(screen)?;
    let mut boards = Vec::new();
    for file in files {
        boards.extend(kb.identify_boards(Path::new(file))?);
    }
    let mut open = false;
    for board in &boards {
        open |= matches!(board.catalog_match, CatalogMatch::Ambiguous { .. });
        screen.print(&board_report(board, output, dry_run, screen)?)?;
    }
    Ok(if open { Outcome::NothingFound } else { Outcome::Done })
}

fn board_report(
    found: &IdentifiedBoard,
    output: Option<&Path>,
    dry_run: bool,
    screen: &Screen,
) -> Result<String, WriteError> {
    let name = match found.count {
        1 => found.board.name.clone(),
        count => format!("{count} x {}", found.board.name),
    };
    Ok(match &found.catalog_match {
        CatalogMatch::Known { id, differences } if differences.is_empty() => {
            format!("# {name} is {id}, and its entry agrees with the file\n")
        }
        CatalogMatch::Known { id, differences } => {
            let lines: Vec<String> = differences.iter().map(|line| format!("#   {line}\n")).collect();
            format!("# {name} is {id}\n{}", lines.concat())
        }
        CatalogMatch::Ambiguous { ids, why } => format!("# {name} is {}, but {why}\n", or_list(ids)),
        CatalogMatch::Unknown { id, draft } => match output.filter(|_| !dry_run) {
            None => format!(
                "# {name} has no entry; this draft of catalog/devices/{id}.toml is for you to complete\n{draft}"
            ),
            Some(folder) => {
                let path = folder.join(format!("{id}.toml"));
                if path.symlink_metadata().is_ok() {
                    return Ok(format!("# {name} has no entry; {} is there already\n", printable_path(&path)));
                }
                screen.save_in(folder, &format!("{id}.toml"), draft)?;
                format!("# {name} has no entry; its draft is for you to complete: {}\n", printable_path(&path))
            }
        },
    })
}
