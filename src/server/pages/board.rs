//! The board of the first page: rankings of what most sources measured recently, chosen from the data.

use maud::{Markup, html};
use serde::Deserialize;

use super::counted::Counted;
use super::links::{about, card, encoded};
use super::names::stage_noun;
use super::ranking::{Measured, question};
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, Page};
use dlbench::ask::parse::{Is, Term};
use dlbench::model::Network;
use dlbench::values::EntityKind;

/// Number of rankings on the board.
const MOST: usize = 9;
/// Number of recent years that count.
const YEARS: i64 = 3;
/// Number of tasks considered for each stage.
const MOST_TASKS: usize = 8;
/// Number of networks considered for a task and stage.
const MOST_NETWORKS: usize = 4;
/// Minimum number of candidates in a chart.
const FEWEST: usize = 3;
/// Number of bars on a card.
const BARS: usize = 7;
/// Maximum number of parts of the setting shown on a card.
const MOST_PARTS: usize = 6;
/// Stages that each get one card before any task gets a second one; parts of a training step are left out.
const STAGES: [&str; 4] = ["decode", "prefill", "train", "eval"];

/// A filter that matches every row.
const ALL: &str = "stage:*";

/// The selection of the board.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardRequest {
    /// A class of hardware; by default, the one with most rows.
    #[serde(default)]
    class: Option<String>,
    /// A number format.
    #[serde(default)]
    precision: Option<String>,
}

/// A task at a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Theme {
    task: String,
    stage: &'static str,
}

/// A filter that excludes kernels and layers, which are not networks that people run, if the catalog has any.
pub(super) fn whole_networks(kb: &KnowledgeBase) -> &'static str {
    let is_known = kb.canonical(&serde_json::json!({ "where": { "task": ["layer"] } })).is_ok();
    if is_known { "-task:layer" } else { "" }
}

/// The legend of the bars' shades.
pub(super) const SHADES: &str = "Strong colour: by all comparable evidence, no difference from the first is shown.";

/// The board, with its switches except on a static site.
///
/// # Errors
///
/// When the class or precision does not exist, or a store fails.
pub(crate) fn board(request: &BoardRequest, on_site: bool, kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let all = Counted::of(ALL, kb)?;
    let (recent, since) = recent(&all);
    let classes: Vec<String> = all.values("class").into_iter().map(|(class, _)| class).collect();
    let class = match &request.class {
        Some(class) if classes.contains(class) => class.clone(),
        Some(other) => return Err(Refusal::not_found(other, classes)),
        None => classes.first().cloned().unwrap_or_default(),
    };
    let of_class = format!("{recent} class:{class}");
    let precisions: Vec<String> =
        Counted::of(&of_class, kb)?.values("precision").into_iter().take(7).map(|(name, _)| name).collect();
    let precision = match &request.precision {
        Some(wanted) if precisions.contains(wanted) => Some(wanted.as_str()),
        Some(other) => return Err(Refusal::not_found(other, precisions)),
        None => None,
    };
    let cards = cards(&recent, &class, precision, MOST, kb)?;
    let address = |class: Option<&str>, precision: Option<&str>| {
        let class = class.map(|class| format!("class={}", encoded(class)));
        let precision = precision.map(|precision| format!("precision={}", encoded(precision)));
        let arguments: Vec<String> = class.into_iter().chain(precision).collect();
        if arguments.is_empty() { "/".to_owned() } else { format!("/?{}", arguments.join("&")) }
    };
    Ok(html! {
        section #board aria-label="Rankings" {
            @if !on_site { nav.switches aria-label="Rankings of" {
                span.set {
                    @for other in &classes {
                        a href=(address(Some(other), None)) aria-current=[(*other == class).then_some("true")] { (other.to_uppercase()) }
                    }
                }
                @if precisions.len() > 1 {
                    span.set {
                        a href=(address(Some(&class), None)) aria-current=[precision.is_none().then_some("true")] { "any precision" }
                        @for other in &precisions {
                            a href=(address(Some(&class), Some(other))) aria-current=[(precision == Some(other)).then_some("true")] { (other) }
                        }
                    }
                }
            } }
            @if cards.is_empty() { p.quiet { "Nothing of this was measured on several devices in one setting." } }
            div.board { @for card in &cards { (card) } }
            p.small.quiet {
                "Tasks that most sources measured since " (since) ", each by the network of most sources, in the setting that most "
                "devices share with the first. " (SHADES)
            }
        }
    })
}

/// The rankings of a class of hardware, limited to the rows that the filter `recent` matches.
fn cards(
    recent: &str,
    class: &str,
    precision: Option<&str>,
    most: usize,
    kb: &KnowledgeBase,
) -> Result<Vec<Markup>, Refusal> {
    let precise = precision.map_or_else(String::new, |precision| format!(" precision:{precision}"));
    let base = format!("{recent} class:{class}{precise}");
    let mut cards = Vec::new();
    for theme in themes(&base, kb)? {
        if cards.len() == most {
            break;
        }
        cards.extend(theme.card(class, precision, &base, kb)?);
    }
    Ok(cards)
}

/// Up to `most` rankings of a class of hardware: of recent years, or of all years where there is no recent measurement.
pub(super) fn of_class(class: &str, most: usize, kb: &KnowledgeBase) -> Result<Vec<Markup>, Refusal> {
    let recent = cards(&recent(&Counted::of(ALL, kb)?).0, class, None, most, kb)?;
    if recent.is_empty() { cards(ALL, class, None, most, kb) } else { Ok(recent) }
}

/// A filter for the recent years, and the first of them.
fn recent(all: &Counted) -> (String, i64) {
    let newest = all.values("year").iter().filter_map(|(year, _)| year.parse::<i64>().ok()).max().unwrap_or_default();
    let since = newest - YEARS + 1;
    (format!("year:{since}.."), since)
}

/// The entities that a question lists, those with most sources first.
fn by_sources(of: &str, question: &str, most: usize, kb: &KnowledgeBase) -> Result<Vec<String>, Refusal> {
    let question = format!("{question} of:{of} most:sources take:{most} ask:list");
    let answer = kb.query_page(&question, &Page { most: 0, ..Page::of(0, 0) })?;
    let ids = answer.conclusion.entries.iter().filter_map(|entry| Some(entry.subjects.get(of)?.to_string()));
    Ok(ids.collect())
}

/// The measured tasks and stages, in the order of the board, by number of sources: first one of each stage, then one of
/// each new task, then the others; at most two of a task before every task has one.
fn themes(base: &str, kb: &KnowledgeBase) -> Result<Vec<Theme>, Refusal> {
    let whole = whole_networks(kb);
    let mut of_stages: Vec<Vec<Theme>> = Vec::new();
    for stage in STAGES {
        let tasks = by_sources("task", &format!("{base} {whole} stage:{stage}"), MOST_TASKS, kb)?;
        of_stages.push(tasks.into_iter().map(|task| Theme { task, stage }).collect());
    }
    let mut themes: Vec<Theme> = Vec::new();
    for of_stage in &of_stages {
        let many = |task: &str| themes.iter().filter(|theme| theme.task == task).count();
        let next = of_stage.iter().find(|theme| many(&theme.task) < 2).cloned();
        themes.extend(next);
    }
    for theme in of_stages.iter().rev().flatten() {
        if themes.iter().all(|taken| taken.task != theme.task) {
            themes.push(theme.clone());
        }
    }
    for theme in of_stages.into_iter().flatten() {
        if !themes.contains(&theme) {
            themes.push(theme);
        }
    }
    Ok(themes)
}

impl Theme {
    /// The ranking for the network that most sources measured; `None` where fewer than three candidates share a setting.
    fn card(
        &self,
        class: &str,
        precision: Option<&str>,
        base: &str,
        kb: &KnowledgeBase,
    ) -> Result<Option<Markup>, Refusal> {
        let of_theme = format!("{base} task:{} stage:{}", self.task, self.stage);
        for network in by_sources("network", &of_theme, MOST_NETWORKS, kb)? {
            let precise = precision.map_or_else(String::new, |precision| format!(" precision:{precision}"));
            let question = question("device", &network, self.stage, &format!("class:{class}{precise}"));
            let answer = kb.query_page(&question, &Page { most: 0, ..Page::of(0, 0) })?;
            if let Some(card) = ranked(&answer, &question, &network, &self.task, None, kb)? {
                return Ok(Some(card));
            }
        }
        Ok(None)
    }
}

/// A ranking of devices as a card; `marked` is the device to highlight.
pub(super) fn ranked(
    answer: &Answer,
    question: &str,
    network: &str,
    task: &str,
    marked: Option<&str>,
    kb: &KnowledgeBase,
) -> Result<Option<Markup>, Refusal> {
    let has_enough = |measured: &Measured<'_>| measured.len() >= FEWEST;
    let in_one_setting = Measured::of(answer, marked).filter(has_enough);
    let measured = in_one_setting.or_else(|| Measured::by_ratio(answer, marked?).filter(has_enough));
    let Some(measured) = measured else { return Ok(None) };
    let name = kb.entity::<Network>(network)?.map_or_else(|| network.to_owned(), |network| network.name);
    let stage = answer.asked.subject.terms.iter().find_map(|term| match term {
        Term::Test(test) if test.key.key() == "stage" => match &test.is {
            Is::OneOf(values) => values.first().cloned(),
            _ => None,
        },
        _ => None,
    });
    let stage = stage.as_deref().map_or("", stage_noun);
    let frame: Vec<&str> = measured.frame().iter().take(MOST_PARTS).map(String::as_str).collect();
    let ranked = answer.conclusion.entries.len();
    Ok(Some(html! {
        section.card {
            h2 { a href=(about("/query", question)) { (name) ", " (stage) } }
            p.quiet { @if !task.is_empty() { (task.replace('-', " ")) @if !frame.is_empty() { " · " } } (frame.join(" · ")) }
            (measured.bars(BARS, marked))
            @if let Some(standing) = marked.and_then(|id| measured.standing(id)) { p.standing { (standing) } }
            p.foot {
                "Source: "
                @for (at, id) in measured.sources().into_iter().take(2).enumerate() {
                    @if at > 0 { ", " }
                    a href=(card(EntityKind::Source, id)) { (id) }
                }
                @if measured.sources().len() > 2 { ", " (measured.sources().len() - 2) " more" }
                " · " a href=(about("/query", question)) { "all " (ranked) }
            }
        }
    }))
}
