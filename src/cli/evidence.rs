//! `dlbench evidence`: tests claims against measurements.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::options::{OutputOptions, SchemaOption};
use super::screen::Screen;
use dlbench::KnowledgeBase;
use dlbench::OpenError;
use dlbench::ask::contradictions::SCHEMA as CONTRADICTIONS_SCHEMA;
use dlbench::ask::evidence::{Evidence, EvidenceRequest, SCHEMA};
use dlbench::model::References;
use dlbench::reading;
use dlbench::render::answer::{page, sheet};
use dlbench::render::table::Table;
use dlbench::render::{self, Format, contradictions, evidence};
use dlbench::values::text::printable;

/// Up to this many claims are shown in paragraphs, more in a table.
const MOST_DETAILED: usize = 3;

#[derive(Debug, Args)]
pub(super) struct EvidenceArgs {
    /// Words that claims must contain, such as fpga energy efficiency [default: all claims]; with --contradictions, a question
    /// that selects the rows to test, such as dlrm a100
    #[arg(value_name = "QUESTION")]
    question: Vec<String>,
    /// Test the claims in this file, in the format of catalog/claims.toml
    #[arg(long, value_name = "FILE")]
    claims: Option<PathBuf>,
    /// Show every pair of rows behind a verdict; with --contradictions, a paragraph for each contradiction
    #[arg(long)]
    explain: bool,
    /// List pairs of sources that measured the same but differ more than repetitions and known context explain, and ratios
    /// on which the evidence disagrees
    #[arg(long, conflicts_with = "claims")]
    contradictions: bool,
    /// Show how often chance alone gives a verdict: swap the directions of the real pairs at random, N times
    /// [without a value: 200]
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "200",
        value_parser = clap::value_parser!(u32).range(1..=10_000),
        conflicts_with_all = ["contradictions", "explain"]
    )]
    chance: Option<u32>,
    #[command(flatten)]
    writing: OutputOptions,
    #[command(flatten)]
    schema: SchemaOption,
}

pub(super) fn run(args: &EvidenceArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let writing = &args.writing;
    let schema = if args.contradictions { CONTRADICTIONS_SCHEMA } else { SCHEMA };
    if args.schema.answered(schema, writing, screen)? {
        return Ok(Outcome::Done);
    }
    writing.refuse_what_the_format_lacks(&[])?;
    if args.contradictions {
        return args.contradictions(&global.open(screen)?, screen);
    }
    let claims = args.claims.as_deref().map(reading::claims).transpose()?;
    let kb = global.open(screen)?;
    let question = args.question.join(" ").trim().to_owned();
    let request = EvidenceRequest {
        question: question.clone(),
        claims,
        explain: args.explain,
        shuffles: args.chance.map(|n| n as usize),
    };
    let found = kb.evidence(&request).map_err(|error| Failure::Query { question: question.clone(), error })?;
    if found.claims.is_empty() {
        screen.tell(&format!("no claim holds all words of `{}`: `dlbench evidence` lists all", printable(&question)));
        return Ok(Outcome::NothingFound);
    }
    if found.by_chance.as_ref().is_some_and(|chance| chance.rates.is_empty()) {
        screen.tell("on no two sides of these claims there is enough evidence for a verdict");
        return Ok(Outcome::NothingFound);
    }
    let references = writing.references(|| references(&found, &kb))?;
    let text = args.written(&found, &references, &kb, screen)?;
    writing.deliver(&text, &references, screen)?;
    Ok(Outcome::Done)
}

fn references(found: &Evidence, kb: &KnowledgeBase) -> Result<References, OpenError> {
    let comparisons = found.claims.iter().flat_map(|claim| &claim.periods).flat_map(|period| &period.comparisons);
    let behind = comparisons.flat_map(|comparison| &comparison.sources).map(String::as_str);
    kb.references(found.claims.iter().map(|claim| claim.said_by.as_str()).chain(behind), &[])
}

impl EvidenceArgs {
    /// Prints the contradictions between sources.
    fn contradictions(&self, kb: &KnowledgeBase, screen: &Screen) -> Result<Outcome, Failure> {
        let question = self.question.join(" ").trim().to_owned();
        let found = kb.contradictions(&question).map_err(|error| Failure::Query { question, error })?;
        let is_empty = found.contradictions.is_empty() && found.disagreements.is_empty();
        if is_empty {
            let why = match found.formula {
                None => {
                    "this knowledge base does not say when two sources contradict each other: `[contradiction]` of catalog/evidence.toml does"
                }
                Some(_) if found.compared == 0 => "no two independent parties measured the same here",
                Some(_) => "everything compared agrees within the usual spread",
            };
            screen.tell(why);
            if self.writing.format != Format::Json {
                return Ok(Outcome::NothingFound);
            }
        }
        let sides = found.contradictions.iter().flat_map(|line| [&line.higher, &line.lower]);
        let references = self.writing.references(|| kb.references(sides.map(|side| side.source.as_str()), &[]))?;
        let caption = self.writing.caption.clone().unwrap_or_else(|| "Contradictions among sources".to_owned());
        let table = || Table { caption: caption.clone(), ..contradictions::table(&found) };
        let mut about = vec![format!("dlbench evidence --contradictions: {}", found.query)];
        about.extend(contradictions::about(&found));
        about.push(format!("content of the knowledge base: {}", kb.content()));
        let text = match self.writing.format {
            Format::Json => render::json(&found)?,
            Format::Ndjson => render::ndjson(&found.contradictions)? + &render::ndjson(&found.disagreements)?,
            Format::Table
                if self.explain || found.contradictions.len() + found.disagreements.len() <= MOST_DETAILED =>
            {
                contradictions::text(&found, screen.width())
            }
            Format::Table => table().text(screen.width()),
            Format::Markdown => sheet(&table(), &[], &about),
            Format::Html => page(&table(), &[], &about, self.writing.standalone),
            Format::Latex => table().latex(&self.writing.paper(about, &references)),
            format => contradictions::flat(&found).draw(format, screen.width())?,
        };
        self.writing.deliver(&text, &references, screen)?;
        Ok(if is_empty { Outcome::NothingFound } else { Outcome::Done })
    }

    fn written(
        &self,
        found: &Evidence,
        references: &References,
        kb: &KnowledgeBase,
        screen: &Screen,
    ) -> Result<String, Failure> {
        let chance = found.by_chance.as_ref();
        let usual = match chance {
            Some(_) => "Verdicts by chance alone",
            None => "Claims compared with measurements",
        };
        let caption = self.writing.caption.clone().unwrap_or_else(|| usual.to_owned());
        let table = || {
            let table = chance.map_or_else(|| evidence::table(found), evidence::chance);
            Table { caption: caption.clone(), ..table }
        };
        let mut about = vec![format!("dlbench evidence: {}", found.query), found.method.clone()];
        about.extend(chance.map(evidence::about_chance));
        about.push(format!("content of the knowledge base: {}", kb.content()));
        Ok(match self.writing.format {
            Format::Json => render::json(found)?,
            Format::Ndjson => match chance {
                Some(chance) => render::ndjson(&chance.rates)?,
                None => render::ndjson(&found.claims)?,
            },
            Format::Table if chance.is_some() => {
                let told = chance.map(evidence::about_chance).unwrap_or_default();
                table().text(screen.width()) + &render::paragraph("", &told, screen.width())
            }
            Format::Table if self.explain || found.claims.len() <= MOST_DETAILED => {
                evidence::text(found, screen.width())
            }
            Format::Table => table().text(screen.width()),
            Format::Markdown => sheet(&table(), &[], &about),
            Format::Html => page(&table(), &[], &about, self.writing.standalone),
            Format::Latex => table().latex(&self.writing.paper(about, references)),
            format if chance.is_some() => table().draw(format, screen.width())?,
            format => evidence::flat(found).draw(format, screen.width())?,
        })
    }
}
