//! `dlbench new`: a new entry or measurement, asked for or given by flags, checked before it is written.

use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::check::today;
use super::failure::Failure;
use super::render::diagnostics;
use super::screen::Screen;
use super::{Global, Outcome};
use crate::derived::lint::Scope;
use crate::derived::resolve::Certainty;
use crate::derived::resolve_spelling;
use crate::model::{Facet, Field, FieldType, Severity};
use crate::questions::check::{check_with, install};
use crate::questions::create::{Cited, Draft, alike, id_of, place_of};
use crate::reading::{Loaded, list, load};
use crate::values::text::{and_list, printable};
use crate::values::{EntityId, EntityKind};

#[derive(Debug, Args)]
#[command(after_help = "A file that a benchmark wrote comes in by `dlbench import`.")]
pub(super) struct NewArgs {
    /// What is new
    #[arg(value_enum)]
    kind: NewKind,
    /// Its name; of a measurement the batch, the file in the folder of its source
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// The id [default: made from the name]
    #[arg(long, value_name = "ID")]
    id: Option<EntityId>,
    /// A fact; lists with commas, keys of tables with a dot: --set peak-tflops.fp32=14.0
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The source in the catalog that the facts or numbers are from
    #[arg(long, value_name = "ID")]
    source: Option<EntityId>,
    /// The page that the facts are from
    #[arg(long, value_name = "URL", conflicts_with = "source")]
    url: Option<String>,
    /// What that page is
    #[arg(long, value_name = "TEXT", requires = "url")]
    title: Option<String>,
    /// Ask nothing
    #[arg(long)]
    no_input: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NewKind {
    Framework,
    Device,
    Network,
    Dataset,
    Source,
    Measurement,
}

impl NewKind {
    fn entity(self) -> Option<EntityKind> {
        match self {
            Self::Framework => Some(EntityKind::Framework),
            Self::Device => Some(EntityKind::Device),
            Self::Network => Some(EntityKind::Network),
            Self::Dataset => Some(EntityKind::Dataset),
            Self::Source => Some(EntityKind::Source),
            Self::Measurement => None,
        }
    }

    /// What is asked for where nothing states it, each with an example.
    fn questions(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Framework => &[
                ("license", "SPDX, such as Apache-2.0"),
                ("status", "mature, developing or inactive"),
                ("core-languages", "C++, Python"),
                ("api-languages", "Python, C++"),
                ("hardware", "cpu, gpu, fpga, asic, tpu, mobile"),
                ("multi-server", "true or false"),
                ("repository", "https://…"),
            ],
            Self::Device => &[
                ("variant-of", "the id of its family, if it has one"),
                ("class", "gpu, fpga, asic or cpu"),
                ("vendor", "NVIDIA"),
                ("architecture", "Volta"),
                ("memory-gib", "16"),
                ("bandwidth-gb-per-s", "900"),
                ("tdp-w", "250"),
                ("release-date", "2017-06-21, or 2017-06 or 2017"),
                ("peak-tflops.fp32", "dense, TFLOP/s: 15.67"),
                ("peak-tflops.fp16-tensor", "dense, TFLOP/s: 125.0"),
            ],
            Self::Network => &[
                ("family", "the id of its family, if it has one"),
                ("task", "image-classification"),
                ("input-shape", "one sample, channels first: 3x224x224"),
                ("parameters-m", "millions: 25.6"),
                ("multiply-adds-g", "10^9, one sample, forward: 4.1"),
                ("paper", "https://…"),
                ("year", "2015"),
            ],
            Self::Dataset => &[
                ("task", "image-classification"),
                ("classes", "1000"),
                ("train-size", "1281167"),
                ("test-size", "50000"),
                ("homepage", "https://…"),
            ],
            Self::Source => &[
                ("type", "BibTeX type: article, inproceedings, misc, online"),
                ("year", "2024"),
                ("url", "https://…"),
                ("license", "MIT"),
                ("method.timed", "what was timed: one forward pass"),
            ],
            Self::Measurement => &[
                ("framework", "pytorch"),
                ("framework-version", "2.4.0"),
                ("device", "as the source spells it"),
                ("network", "resnet-50"),
                ("stage", "eval, train, forward, backward, prefill or decode"),
                ("precision", "fp32, amp-fp16 …"),
                ("batch-size", "per device: 16"),
                ("counts", "image, sample, token, sequence, query, frame or inference"),
                ("statistic", "mean, median, min, max, p90 …"),
                ("latency-ms", "for one batch, in milliseconds"),
                ("throughput-per-s", "items a second"),
            ],
        }
    }
}

pub(super) fn run(args: &NewArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let root = global.root()?;
    let asking = !args.no_input && std::io::stdin().is_terminal();
    let name = match (&args.name, asking) {
        (Some(name), _) => name.clone(),
        (None, true) => ask(screen, "name", "as its makers write it")?.unwrap_or_default(),
        (None, false) => String::new(),
    };
    if name.trim().is_empty() {
        return Err(usage("nothing says what it is called", "dlbench new device \"Nova 100\""));
    }
    if Path::new(&name).is_file() {
        return Err(usage(
            &format!("{name} is a file"),
            "a result file comes in by `dlbench import`; see --help there",
        ));
    }
    let files = list(&root)?;
    let loaded = load(&root, &files);
    let (path, text) = match args.kind.entity() {
        Some(kind) => entity(args, kind, &name, asking, &loaded, screen)?,
        None => measurement(args, &name, asking, &root, global, screen)?,
    };
    let checked = check_with(&loaded, &path, &text, &Scope { today: today(), ..Scope::default() });
    let wrong: Vec<_> = checked.findings.iter().filter(|finding| finding.severity != Severity::Info).cloned().collect();
    let place = root.join(&path);
    if let Some(folder) = place.parent() {
        std::fs::create_dir_all(folder).map_err(|source| Failure::Write { path: folder.to_owned(), source })?;
    }
    install(&place, &text).map_err(|source| Failure::Write { path: place.clone(), source })?;
    screen.print(&format!("{}\n\n{}\n", path.display(), printable(&text)))?;
    if wrong.is_empty() {
        screen.print("It checks clean.\n")?;
        return Ok(Outcome::Done);
    }
    screen.print(&diagnostics::each(&wrong, screen.width()))?;
    screen.print(&format!("To be mended in {}; then `dlbench check {}`.\n", path.display(), path.display()))?;
    Ok(Outcome::NothingFound)
}

fn entity(
    args: &NewArgs,
    kind: EntityKind,
    name: &str,
    asking: bool,
    loaded: &Loaded,
    screen: &Screen,
) -> Result<(PathBuf, String), Failure> {
    let (same, near) = alike(loaded, kind, name);
    if !same.is_empty() {
        return Err(usage(
            &format!("there is already a {} called {name:?}: {}", kind.noun(), and_list(&same)),
            &format!("`dlbench show {kind} {}` shows it", same[0]),
        ));
    }
    if !near.is_empty() {
        screen.tell(&format!("near are {}: is it none of them?", and_list(&near)));
    }
    let id =
        args.id.clone().or_else(|| id_of(name)).ok_or_else(|| usage("the name makes no id", "give one with --id"))?;
    let path = place_of(kind, &id);
    if loaded.places.contains_key(&(kind, id.to_string())) || loaded.files.iter().any(|(file, _)| file.path == path) {
        return Err(usage(&format!("there is already a {} `{id}`", kind.noun()), "give another id with --id"));
    }
    let mut draft = stated(args, Some(kind))?;
    draft.values.insert("name".to_owned(), name.to_owned());
    draft.inherit(kind, loaded);
    if asking {
        for (key, example) in args.kind.questions() {
            if !draft.values.contains_key(*key)
                && let Some(value) = ask(screen, key, example)?
            {
                draft.state(Some(kind), key, &value)?;
                draft.inherit(kind, loaded);
            }
        }
    }
    let accessed = today().map_or_else(String::new, |today| today.to_string());
    if kind == EntityKind::Source {
        if draft.values.contains_key("url") {
            draft.values.entry("accessed".to_owned()).or_insert(accessed);
        }
        draft.values.entry("type".to_owned()).or_insert("misc".to_owned());
        return Ok((path.clone(), draft.entity(kind, &path)));
    }
    let asked = |key: &str, example: &str| if asking { ask(screen, key, example) } else { Ok(None) };
    draft.citation = match (&args.source, &args.url) {
        (Some(source), _) => Some(Cited::Source(source.clone())),
        (None, Some(url)) => Some(Cited::Page { url: url.clone(), title: args.title.clone(), accessed }),
        (None, None) => match asked("source", "id of the catalog, or https://… of the page the facts are from")? {
            Some(url) if url.contains("://") => {
                let title = asked("title", "what the page is")?;
                Some(Cited::Page { url, title, accessed })
            }
            Some(id) => {
                Some(Cited::Source(id.parse().map_err(|_| usage("that is no id", "see `dlbench list sources`"))?))
            }
            None => None,
        },
    };
    Ok((path.clone(), draft.entity(kind, &path)))
}

fn measurement(
    args: &NewArgs,
    batch: &str,
    asking: bool,
    root: &Path,
    global: &Global,
    screen: &Screen,
) -> Result<(PathBuf, String), Failure> {
    let source = match (&args.source, asking) {
        (Some(source), _) => Some(source.to_string()),
        (None, true) => ask(screen, "source", "id of the catalog; `dlbench new source` makes one")?,
        (None, false) => None,
    };
    let source = source.ok_or_else(|| usage("nothing says which source it is of", "name it with --source ID"))?;
    let batch =
        id_of(batch).ok_or_else(|| usage("the batch has no name", "dlbench new measurement 2026 --source ID"))?;
    let path = Path::new("measurements").join(&source).join(format!("{batch}.toml"));
    let mut draft = stated(args, None)?;
    if asking {
        for (key, example) in args.kind.questions() {
            let second = *key == "throughput-per-s" && draft.values.contains_key("latency-ms");
            if !second
                && !draft.values.contains_key(*key)
                && let Some(value) = ask(screen, key, example)?
            {
                draft.state(None, key, &value)?;
            }
        }
    }
    resolve_names(&mut draft, global, screen)?;
    let before = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
    let text = draft.measurement(&before, &path);
    Ok((path, text))
}

/// Spellings of entities become their ids, and stay beside them.
fn resolve_names(draft: &mut Draft, global: &Global, screen: &Screen) -> Result<(), Failure> {
    let kb = global.open(screen)?;
    for (field, raw, facet) in [
        (Field::Framework, Some(Field::FrameworkRaw), Facet::Framework),
        (Field::Backend, None, Facet::Framework),
        (Field::Device, Some(Field::DeviceRaw), Facet::Device),
        (Field::Network, Some(Field::NetworkRaw), Facet::Network),
        (Field::Dataset, Some(Field::DatasetRaw), Facet::Dataset),
    ] {
        let Some(spelling) = draft.values.get(field.key()).cloned() else { continue };
        let FieldType::Entity(kind) = field.kind() else { continue };
        let resolved = resolve_spelling(&kb.stores().store, facet, &spelling)?;
        let known = matches!(resolved.reading, Certainty::Sku | Certainty::Family);
        let [id] = resolved.ids.as_slice() else {
            return Err(usage(
                &format!("`{}` is no {} of the catalog: {}", spelling, kind.noun(), resolved.why),
                &format!("`dlbench list {}` lists them, `dlbench new {kind}` makes one", kind.plural()),
            ));
        };
        if !known {
            return Err(usage(&format!("`{spelling}`: {}", resolved.why), "name the id"));
        }
        if *id != spelling {
            draft.values.insert(field.key().to_owned(), id.clone());
            if let Some(raw) = raw {
                draft.values.entry(raw.key().to_owned()).or_insert(spelling);
            }
        }
        if field == Field::Framework
            && let Some(version) = resolved.version
        {
            draft.values.entry(Field::FrameworkVersion.key().to_owned()).or_insert(version);
        }
        if field == Field::Device
            && let Some(count) = resolved.count
        {
            draft.values.entry(Field::DeviceCount.key().to_owned()).or_insert(count.to_string());
        }
    }
    Ok(())
}

/// What --set states.
fn stated(args: &NewArgs, kind: Option<EntityKind>) -> Result<Draft, Failure> {
    let mut draft = Draft::default();
    for pair in &args.set {
        match pair.split_once('=') {
            Some((key, value)) if !value.trim().is_empty() => draft.state(kind, key, value)?,
            _ => return Err(usage(&format!("--set {pair} states nothing"), "write --set key=value")),
        }
    }
    Ok(draft)
}

/// Asks for one value on the terminal; nothing is no value.
fn ask(screen: &Screen, key: &str, example: &str) -> Result<Option<String>, Failure> {
    screen.ask(&format!("{key} ({example}): "));
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    std::io::stderr().flush()?;
    let line = line.trim();
    Ok((!line.is_empty()).then(|| line.to_owned()))
}

fn usage(message: &str, help: &str) -> Failure {
    Failure::Usage { message: message.to_owned(), help: Some(help.to_owned()) }
}
