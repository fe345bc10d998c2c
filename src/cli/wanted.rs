//! `dlbench wanted`: missing measurements, and which of them this machine can make.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::{OutputOptions, SchemaOption};
use super::screen::Screen;
use super::worker_kit::greeting_of;
use dlbench::ask::evidence::{WANTED_SCHEMA, Wanted, WantedRequest};
use dlbench::default_cache;
use dlbench::model::References;
use dlbench::render::answer::{page, sheet};
use dlbench::render::table::Table;
use dlbench::render::{self, Format, wanted};
use dlbench::values::text::printable;

#[derive(Debug, Args)]
#[command(after_help = "`dlbench run --wanted` makes the first of those that this machine can make.")]
pub(super) struct WantedArgs {
    /// Words that missing measurements must contain, such as fpga latency or device:l4 [default: all]
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
    /// Only measurements that this machine can make; asks the worker
    #[arg(long)]
    here: bool,
    /// Show which device of this machine could make each one, or why none can; asks the worker
    #[arg(long)]
    ask_worker: bool,
    /// The worker command with its arguments [default: dlbench-runner beside this program]
    #[arg(long, value_name = "COMMAND")]
    worker: Option<String>,
    /// Show at most this many
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "all")]
    limit: usize,
    /// Show all
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    writing: OutputOptions,
    #[command(flatten)]
    schema: SchemaOption,
}

pub(super) fn run(args: &WantedArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let writing = &args.writing;
    if args.schema.answered(WANTED_SCHEMA, writing, screen)? {
        return Ok(Outcome::Done);
    }
    writing.refuse_what_the_format_lacks(&[])?;
    let kb = global.open(screen)?;
    let question = args.question.join(" ").trim().to_owned();
    let asks = args.here || args.ask_worker || args.worker.is_some();
    let found = match asks {
        true => {
            let machine = kb.machine(&greeting_of(args.worker.as_deref())?, &default_cache())?;
            kb.wanted_here(&question, &machine)
        }
        false => kb.wanted(&WantedRequest { question: question.clone(), here: Vec::new() }),
    };
    let mut found = found.map_err(|error| Failure::Query { question: question.clone(), error })?;
    found.wanted.retain(|cell| !args.here || cell.here.is_some());
    if found.wanted.is_empty() {
        let what = if args.here { "this machine can measure nothing that is wanted" } else { "nothing is wanted" };
        let with =
            if question.is_empty() { String::new() } else { format!(" with all words of `{}`", printable(&question)) };
        screen.tell(&format!("{what}{with}"));
        return Ok(Outcome::NothingFound);
    }
    let all = found.wanted.len();
    found.wanted.truncate(if args.all { all } else { args.limit });
    let references = writing.references(|| {
        let sources = found.wanted.iter().filter_map(|cell| Some(cell.like.split_once(':')?.0));
        kb.references(sources, &[])
    })?;
    let text = args.written(&found, all, &references, kb.content(), screen)?;
    writing.deliver(&text, &references, screen)?;
    Ok(Outcome::Done)
}

impl WantedArgs {
    fn written(
        &self,
        found: &Wanted,
        all: usize,
        references: &References,
        content: &str,
        screen: &Screen,
    ) -> Result<String, Failure> {
        let caption = self.writing.caption.clone().unwrap_or_else(|| "Measurements that are missing".to_owned());
        let table = || Table { caption: caption.clone(), ..wanted::table(found) };
        let mut about = vec![format!("dlbench wanted: {}", found.query)];
        about.extend(wanted::about(found, all));
        about.push(format!("content of the knowledge base: {content}"));
        Ok(match self.writing.format {
            Format::Json => render::json(found)?,
            Format::Ndjson => render::ndjson(&found.wanted)?,
            Format::Table => {
                let mut text = table().text(screen.width());
                for line in wanted::about(found, all) {
                    text.push_str(&render::paragraph("", &line, screen.width()));
                }
                text
            }
            Format::Markdown => sheet(&table(), &[], &about),
            Format::Html => page(&table(), &[], &about, self.writing.standalone),
            Format::Latex => table().latex(&self.writing.paper(about, references)),
            format => wanted::flat(found).draw(format, screen.width())?,
        })
    }
}
