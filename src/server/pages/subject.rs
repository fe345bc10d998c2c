//! The upper part of an entity's page: a one-line description, rankings, its family, its rows.

use std::collections::HashSet;

use maud::{Markup, html};
use serde_json::Value;

use super::board::{SHADES, of_class, ranked, whole_networks};
use super::counted::Counted;
use super::grid::{Links, drawn, reorder_columns};
use super::links::{about, card, web};
use super::names::{name_of, row_links};
use super::numbers::grouped;
use super::ranking::question;
use super::tables::grades;
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Page, key_name};
use dlbench::model::{Aspect, Device, Framework, HardwareClassRecord, Network, Source};
use dlbench::render::answer::{AnswerView, parts};
use dlbench::render::table::{Role, Table};
use dlbench::rows::entity_kind;
use dlbench::values::EntityKind;
use dlbench::values::text::counted;

/// Minimum number of rows for a ranking of three.
const FEWEST_ROWS: usize = 3;
/// Minimum number of devices or frameworks in a ranking.
const FEWEST_CANDIDATES: usize = 3;
/// Number of rankings on a page.
const MOST_RANKINGS: usize = 3;
/// Number of networks considered for them, those with most rows.
const MOST_NETWORKS: usize = 8;
/// Maximum number of family members listed.
const MOST_MEMBERS: usize = 16;
/// Maximum number of rows of a table.
const MOST_ROWS: usize = 8;
/// Maximum number of columns of a table.
const MOST_COLUMNS: usize = 11;
/// Maximum number of values listed per field.
const MOST_VALUES: usize = 8;

/// The part of the page before the entity's facts, which are passed in.
///
/// # Errors
///
/// When a store fails.
pub(super) fn subject(
    kind: EntityKind,
    id: &str,
    facts: &Value,
    kb: &KnowledgeBase,
    on_site: bool,
) -> Result<Markup, Refusal> {
    let key = match kind {
        EntityKind::HardwareClass => "class",
        kind => kind.into(),
    };
    let own = format!("{key}:{id}");
    let found = Counted::of(&own, kb)?;
    let whole = Counted::of(&format!("{own} {}", whole_networks(kb)), kb)?;
    let mut rankings = match kind {
        _ if found.rows < FEWEST_ROWS => Vec::new(),
        EntityKind::Network => of_network(id, &found, kb)?,
        EntityKind::Device | EntityKind::Framework => by_networks(kind, id, true, kb)?,
        EntityKind::Source => by_networks(kind, id, false, kb)?,
        EntityKind::HardwareClass => of_class(id, MOST_RANKINGS, kb)?,
        _ => Vec::new(),
    };
    let is_beside_others = matches!(kind, EntityKind::Device | EntityKind::Framework) && !rankings.is_empty();
    if kind == EntityKind::Device && rankings.is_empty() && !kb.descendants(kind, id)?.is_empty() {
        rankings = by_networks(kind, id, false, kb)?;
    }
    Ok(html! {
        (line(kind, id, kb)?)
        (rows(&own, kind, &found))
        @if !rankings.is_empty() {
            section {
                h2 { @if is_beside_others { "Where it stands" } @else { "Fastest devices" } }
                div.board { @for card in &rankings { (card) } }
                p.small.quiet { @if is_beside_others { "Strong colour: this " (<&str>::from(kind)) "." } @else { (SHADES) } }
            }
        }
        @if found.rows > 0 { (measured(kind, &found, &whole, kb)?) }
        @if kind == EntityKind::HardwareClass {
            section { h2 { "Grades, and what was measured" } (grades(Some((id, &facts["evidence"])), kb)?) }
        }
        (family(kind, id, kb)?)
        @if found.rows > 0 {
            // For a class, its rankings and grades already show the best.
            @if kind != EntityKind::HardwareClass { (best(&own, kb)?) }
            @if !on_site { (newest(&own, kb)?) }
        }
    })
}

/// A one-line description.
fn line(kind: EntityKind, id: &str, kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let mut parts: Vec<String> = Vec::new();
    let mut address: Option<String> = None;
    match kind {
        EntityKind::Device => {
            if let Some(device) = kb.entity::<Device>(id)? {
                parts.push(<&str>::from(device.class).to_uppercase());
                parts.extend([device.vendor, device.architecture].into_iter().flatten());
                let memory_type = device.memory_type.map_or_else(String::new, |of| format!(" {of}"));
                parts.extend(device.memory_gib.map(|size| format!("{size} GiB{memory_type}")));
                parts.extend(device.bandwidth_gb_per_s.map(|rate| format!("{rate} GB/s")));
                parts.extend(device.tdp_w.map(|power| format!("{power} W")));
                parts.extend(device.release_date.map(|date| date.to_string()));
            }
        }
        EntityKind::Network => {
            if let Some(network) = kb.entity::<Network>(id)? {
                parts.extend(network.task.map(|task| task.replace('-', " ")));
                parts.extend(network.parameters_m.map(|count| format!("{count} M parameters")));
                parts.extend(network.multiply_adds_g.map(|count| format!("{count} G multiply-adds")));
                parts.extend(network.input_shape.map(|shape| format!("input {shape}")));
                parts.extend(network.year.map(|year| year.to_string()));
            }
        }
        EntityKind::Framework => {
            if let Some(framework) = kb.entity::<Framework>(id)? {
                parts.extend(framework.status.map(|status| status.to_string()));
                parts.extend(framework.license);
                parts.extend((!framework.api_languages.is_empty()).then(|| framework.api_languages.join(", ")));
                let hardware: Vec<String> = framework.hardware.iter().map(ToString::to_string).collect();
                parts.extend((!hardware.is_empty()).then(|| format!("runs on {}", hardware.join(", "))));
                parts.extend(framework.steward);
                address = framework.homepage.or(framework.repository);
            }
        }
        EntityKind::Source => {
            if let Some(source) = kb.entity::<Source>(id)? {
                address = source.url.clone();
                parts.push(source.people_and_year());
                parts.extend(source.venue);
                parts.extend(source.license.map(|license| format!("licence {license}")));
                parts.extend(source.standing.map(|standing| standing.in_words()));
            }
        }
        EntityKind::HardwareClass => {
            parts.extend(kb.entity::<HardwareClassRecord>(id)?.and_then(|class| class.description));
        }
        EntityKind::Dataset => {}
    }
    Ok(html! {
        @if !parts.is_empty() {
            p.lead { (parts.join(" · ")) @if let Some(url) = web(address.as_deref()) { " · " a href=(url) rel="noreferrer" { (url) } } }
        }
    })
}

/// The number of its rows and sources.
fn rows(own: &str, kind: EntityKind, found: &Counted) -> Markup {
    let sources = found.values("source").len();
    html! {
        @if found.rows == 0 { p.quiet { "Nothing was measured of it." } } @else {
            p.measured {
                a href=(about("/query", own)) { b { (grouped(found.rows)) } " rows" }
                @if kind != EntityKind::Source { " of " (counted(sources, "source", "sources")) }
            }
        }
    }
}

/// The most frequent values of related fields.
fn measured(kind: EntityKind, found: &Counted, whole: &Counted, kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let fields: &[&str] = match kind {
        EntityKind::Device => &["network", "framework", "precision"],
        EntityKind::Network => &["device", "stage", "framework"],
        EntityKind::Framework => &["class", "network", "stage"],
        EntityKind::Source => &["network", "device", "stage"],
        EntityKind::HardwareClass => &["vendor", "framework", "precision"],
        EntityKind::Dataset => &["network", "device", "framework"],
    };
    let mut most = Vec::new();
    for field in fields {
        let mut values = found.values(field);
        if *field == "network" {
            // Whole networks come before layers, however often these were measured.
            let of_whole: HashSet<String> = whole.values(field).into_iter().map(|(network, _)| network).collect();
            values.sort_by_key(|(network, _)| !of_whole.contains(network));
        }
        let shown = values.iter().take(MOST_VALUES);
        let shown: Vec<Markup> =
            shown.map(|(value, count)| named(field, value, *count, kb)).collect::<Result<_, _>>()?;
        if !shown.is_empty() {
            most.push((key_name(field), shown, values.len().saturating_sub(MOST_VALUES)));
        }
    }
    Ok(html! {
        section {
            h2 { "What was measured" }
            dl.few {
                @for (name, values, more) in &most {
                    dt { (name) }
                    dd { @for value in values { (value) " " } @if *more > 0 { span.quiet { (more) " more" } } }
                }
            }
        }
    })
}

/// A value with the number of its rows, linked to its page where it is an entity.
fn named(field: &str, value: &str, count: usize, kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let kind = Aspect::keyed(field).and_then(entity_kind);
    let name = kind.map(|kind| name_of(kind, value, kb)).transpose()?.flatten();
    let name = name.as_deref().unwrap_or(value);
    Ok(html! {
        span.counted {
            @if let Some(kind) = kind { a href=(card(kind, value)) { (name) } } @else { (name) }
            " " span.count { (grouped(count)) }
        }
    })
}

/// Rankings for the networks that most sources measured among the filtered rows, each at the stage with most rows: a device
/// `among_others` of its class, a framework beside others on the class with most of its rows; otherwise the entity's own rows.
fn by_networks(kind: EntityKind, id: &str, among_others: bool, kb: &KnowledgeBase) -> Result<Vec<Markup>, Refusal> {
    let own = format!("{}:{id}", <&str>::from(kind));
    let of = if kind == EntityKind::Framework { "framework" } else { "device" };
    let marked = Some(id).filter(|_| among_others);
    let filter = match marked {
        Some(_) => Counted::of(&own, kb)?.values("class").first().map(|(class, _)| format!("class:{class}")),
        None => Some(own.clone()),
    };
    let filter = filter.unwrap_or_default();
    let mut networks = Vec::new();
    let whole = Counted::of(&format!("{own} {}", whole_networks(kb)), kb)?;
    for (network, rows) in whole.values("network").into_iter().take(MOST_NETWORKS) {
        let counted = Counted::of(&format!("{own} network:{network}"), kb)?;
        let stage = counted.values("stage").into_iter().next().map(|(stage, _)| stage);
        networks.extend(stage.map(|stage| (counted.values("source").len(), rows, network, stage)));
    }
    networks.sort_by_key(|(sources, rows, ..)| std::cmp::Reverse((*sources, *rows)));
    let mut cards = Vec::new();
    for (_, _, network, stage) in networks {
        if cards.len() == MOST_RANKINGS {
            break;
        }
        if !is_ranked(of, &format!("network:{network} stage:{stage} {filter}"), kb)? {
            continue;
        }
        let question = question(of, &network, &stage, &filter);
        let answer = kb.query_page(&question, &Page { most: 0, ..Page::of(0, 0) })?;
        cards.extend(ranked(&answer, &question, &network, "", marked, kb)?);
    }
    Ok(cards)
}

/// Whether rows have enough candidates of a kind for a ranking, which takes a hundred times as long as counting them.
fn is_ranked(of: &str, rows: &str, kb: &KnowledgeBase) -> Result<bool, Refusal> {
    Ok(Counted::of(rows, kb)?.values(of).len() >= FEWEST_CANDIDATES)
}

/// The rankings of devices for a network: for each stage, on the class of hardware with most rows.
fn of_network(id: &str, found: &Counted, kb: &KnowledgeBase) -> Result<Vec<Markup>, Refusal> {
    let mut cards = Vec::new();
    for (stage, _) in found.values("stage").into_iter().take(MOST_RANKINGS) {
        let classes = Counted::of(&format!("network:{id} stage:{stage}"), kb)?.values("class");
        let Some((class, _)) = classes.first() else { continue };
        if !is_ranked("device", &format!("network:{id} stage:{stage} class:{class}"), kb)? {
            continue;
        }
        let question = question("device", id, &stage, &format!("class:{class}"));
        let answer = kb.query_page(&question, &Page { most: 0, ..Page::of(0, 0) })?;
        cards.extend(ranked(&answer, &question, id, class, None, kb)?);
    }
    Ok(cards)
}

/// Links to the family and its members.
fn family(kind: EntityKind, id: &str, kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let parent = match kind {
        EntityKind::Device => kb.entity::<Device>(id)?.and_then(|device| device.variant_of),
        EntityKind::Network => kb.entity::<Network>(id)?.and_then(|network| network.variant_of),
        _ => return Ok(html! {}),
    };
    let top = parent.as_ref().map_or(id, |parent| parent.as_str());
    let mut members = kb.descendants(kind, top)?;
    members.retain(|member| member != id && member != top);
    let chip = |id: &str| -> Result<Markup, Refusal> {
        let name = name_of(kind, id, kb)?;
        Ok(html! { a.chip href=(card(kind, id)) { (name.as_deref().unwrap_or(id)) } })
    };
    let mut chips = parent.as_ref().map(|parent| chip(parent.as_str())).into_iter().collect::<Result<Vec<_>, _>>()?;
    for member in members.iter().take(MOST_MEMBERS) {
        chips.push(chip(member)?);
    }
    Ok(html! {
        @if !chips.is_empty() {
            section {
                h2 { "Family" }
                p.ways {
                    @for chip in &chips { (chip) }
                    @if members.len() > MOST_MEMBERS {
                        a.chip href=(about("/query", &format!("{}:{top}", <&str>::from(kind)))) { (members.len() - MOST_MEMBERS) " more" }
                    }
                }
            }
        }
    })
}

/// A table that fits a screen: of the settings, only those that most rows state; the link to the whole table has all.
fn narrow(mut table: Table) -> Table {
    while table.columns.len() > MOST_COLUMNS {
        let stated = |at: usize| table.rows().filter(|row| !row[at].text.is_empty()).count();
        let is_setting = |at: &usize| {
            let column = &table.columns[*at];
            let is_subject = matches!(column.heading.as_str(), "device" | "network" | "stage" | "quantity");
            column.drop_rank.is_some() || column.role == Role::Key && !is_subject
        };
        let settings = (0..table.columns.len()).filter(is_setting);
        let Some(least) = settings.min_by_key(|at| (stated(*at), std::cmp::Reverse(*at))) else { break };
        table.columns.remove(least);
        for row in table.sections.iter_mut().flat_map(|section| &mut section.rows) {
            row.remove(least);
        }
    }
    table
}

/// The best value for each network and stage.
fn best(own: &str, kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let question = format!("{own} {} ask:lookup", whole_networks(kb));
    let answer = kb.query_page(&question, &Page { most: 0, ..Page::of(0, 0) })?;
    let parts = parts(&answer, &AnswerView::default());
    let mut values = parts.values.clone();
    let links = row_links(&answer, &parts);
    if let Some(section) = values.as_mut().and_then(|table| table.sections.first_mut()) {
        section.rows.truncate(MOST_ROWS);
    }
    Ok(html! {
        @if let Some(table) = values {
            section {
                h2 { "Best by network and stage" a.small href=(about("/query", &question)) { "all" } }
                (drawn(&narrow(reorder_columns(table)), &Links::of_cells(&links)))
            }
        }
    })
}

/// The newest rows.
fn newest(own: &str, kb: &KnowledgeBase) -> Result<Markup, Refusal> {
    let question = format!("{own} sort:-dated");
    let page = Page::of(0, MOST_ROWS);
    let answer = kb.query_page(&question, &page)?;
    let view = AnswerView { page, without_options: true, ..AnswerView::default() };
    let parts = parts(&answer, &view);
    let links = row_links(&answer, &parts);
    Ok(html! {
        @if let Some(table) = &parts.rows {
            section {
                h2 { "Newest rows" a.small href=(about("/query", &question)) { "all" } }
                p.small.quiet { (parts.count) }
                (drawn(&narrow(reorder_columns(table.clone())), &Links::of_cells(&links)))
            }
        }
    })
}
