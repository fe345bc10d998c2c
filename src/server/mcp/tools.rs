//! The tools that an assistant can call, one row each.

use std::sync::Arc;

use anstream::adapter::strip_str;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::fit::{length, without_nulls};
use super::reply::{BYTES, Reply, USUAL_BYTES};
use super::schemas;
use crate::refusal::{Refusal, RefusalKind};
use crate::requests::{
    CiteRequest, Cited, CompareArguments, EvidenceArguments, QueryRequest, ResolveRequest, RowLimits, ShowRequest,
    misread,
};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, Page, Place};
use dlbench::model::Source;
use dlbench::render::answer::{AnswerParts, AnswerView, citation, parts, sheet};
use dlbench::render::{card, evidence as verdicts};

/// Assistants read only a few rows well; `total` has the number of all.
const ROWS: RowLimits = RowLimits { usual: 5, most: 50 };

/// Width of texts that are not Markdown.
const WIDTH: usize = 100;

/// Size of a reply besides a table and its document, in bytes.
const ROOM: usize = 400;

/// The implementation of a tool.
type Call = Arc<dyn Fn(&KnowledgeBase, JsonObject) -> Result<Reply, Refusal> + Send + Sync>;

/// A tool with its implementation.
pub(super) struct AssistantTool {
    tool: Tool,
    call: Call,
}

impl AssistantTool {
    /// Its name, description and schema.
    pub fn described(&self) -> Tool {
        self.tool.clone()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.tool.name
    }

    /// Its implementation.
    pub fn call(&self) -> Call {
        Arc::clone(&self.call)
    }
}

/// All tools.
pub(super) fn all() -> Vec<AssistantTool> {
    vec![
        tool(
            "query",
            "Ask for numbers and facts",
            "Answers a question about deep-learning hardware, networks and frameworks in plain words: a conclusion first, then the \
             measurements (with id, source, and everything that makes them comparable), the facts of the entities, and what must be \
             known to judge the numbers.",
            schemas::answer(),
            query,
        ),
        tool(
            "compare",
            "Compare measurements",
            "Compares measurements in a table by any fields, ranks only what is comparable, and lists what differs; \
             or reports, for ids of measurements, field by field whether they are comparable.",
            schemas::comparison(),
            compare,
        ),
        tool(
            "evidence",
            "Compare claims with measurements",
            "Reports whether measurements support or contradict the grades, facts and figures of surveys, or whether too little \
             was measured: with ratio, interval, networks, years, sources and the ids of the rows.",
            schemas::claims(),
            evidence,
        ),
        tool(
            "show",
            "Show one entity",
            "All records of one framework, device, network, data set, hardware class, source or measurement, with its sources. \
             Verifies a quoted number by its id.",
            schemas::shown(),
            show,
        ),
        tool(
            "resolve",
            "Resolve a name",
            "Reports which catalog entity a name means, how certain that is, and why: a family is never resolved to one \
             of its members.",
            schemas::reading(),
            resolve,
        ),
        tool(
            "cite",
            "Cite sources",
            "References of sources, or of the sources of measurements, in one line each and in BibTeX, including the knowledge base \
             itself.",
            schemas::cited(),
            cite,
        ),
    ]
}

fn tool<A: DeserializeOwned + JsonSchema + 'static>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    gives: Arc<JsonObject>,
    done: fn(&KnowledgeBase, &A, usize) -> Result<Reply, Refusal>,
) -> AssistantTool {
    let annotations =
        // Tools write nothing and contact no other host.
        ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true).open_world(false);
    let tool = Tool::new(name, description, schema::<A>())
        .with_title(title)
        .with_annotations(annotations)
        .with_raw_output_schema(gives);
    let call = move |kb: &KnowledgeBase, mut arguments: JsonObject| {
        let most = most_bytes(arguments.remove(MOST_BYTES))?;
        let arguments = A::deserialize(&arguments).map_err(|error| {
            let error = format!("the arguments of `{name}` do not match its schema: {error}");
            let refusal = misread::<A>(arguments.keys().map(String::as_str), error);
            if refusal.help.is_some() { refusal } else { refusal.help("`tools/list` has the schema") }
        })?;
        done(kb, &arguments, most)
    };
    AssistantTool { tool, call: Arc::new(call) }
}

/// An argument of every tool.
const MOST_BYTES: &str = "most_bytes";

/// The maximum length of a reply.
fn most_bytes(asked: Option<Value>) -> Result<usize, Refusal> {
    let Some(asked) = asked.filter(|asked| !asked.is_null()) else { return Ok(USUAL_BYTES) };
    let most = asked.as_u64().and_then(|most| usize::try_from(most).ok()).filter(|most| BYTES.contains(most));
    most.ok_or_else(|| {
        Refusal::mistake(format!("`{MOST_BYTES}` is {asked}; it is {} to {}", BYTES.start(), BYTES.end()))
    })
}

/// The JSON Schema of a tool's arguments.
fn schema<A: JsonSchema>() -> JsonObject {
    let mut schema = schemars::schema_for!(A).to_value();
    match schema.as_object_mut() {
        Some(object) => {
            // Names of our types are internal.
            object.remove("title");
            object.remove("$schema");
            if let Some(arguments) = object.entry("properties").or_insert_with(|| json!({})).as_object_mut() {
                let described = json!({
                    "type": "integer", "minimum": BYTES.start(), "maximum": BYTES.end(), "default": USUAL_BYTES,
                    "description": "The longest reply, in bytes",
                });
                arguments.insert(MOST_BYTES.to_owned(), described);
            }
            std::mem::take(object)
        }
        None => JsonObject::new(),
    }
}

fn query(kb: &KnowledgeBase, request: &QueryRequest, most: usize) -> Result<Reply, Refusal> {
    // Rows are included if they were requested, or if the conclusion is based on them.
    let page = Page { only_supporting_rows: request.limit.is_none(), ..request.page(ROWS)? };
    let answer = request.answer_on(&page, kb)?;
    let mut document = request.document(&answer)?;
    let view = AnswerView { page, without_options: true, ..AnswerView::default() };
    let parts = parts(&answer, &view);
    let is_cited = |source: &&Source| parts.sources.iter().any(|(_, id, _)| *id == source.id.as_str());
    let cited = answer
        .catalog
        .sources
        .iter()
        .filter(is_cited)
        .map(|source| json!({ "id": source.id, "citation": citation(source), "url": source.url }));
    document["catalog"]["sources"] = cited.collect();
    Ok(Reply::of(kb, document, &answer_text(&answer, &parts, request.facts), most))
}

/// An answer for a reader: the conclusion, its limits, then values, rows and sources.
fn answer_text(answer: &Answer, parts: &AnswerParts, facts: bool) -> String {
    let (before, behind): (Vec<_>, Vec<_>) = answer.remarks.iter().partition(|remark| remark.place == Place::Before);
    let mut text: String = before.iter().map(|remark| format!("{}\n", remark.text)).collect();
    text.push_str(&format!("{}\n", answer.conclusion.text));
    for remark in behind {
        text.push_str(&format!("- {}\n", remark.text));
    }
    for near in &answer.suggestions {
        text.push_str(&format!("- near: `{}`, {} rows\n", near.query, near.total));
    }
    if let Some(values) = &parts.values {
        text.push_str(&format!("\n{}", values.markdown()));
    }
    if let Some(rows) = &parts.rows {
        text.push_str(&format!("\n{}\n\n{}", parts.count, rows.markdown()));
    }
    for table in parts.facts.iter().filter(|_| facts) {
        text.push_str(&format!("\n{}\n\n{}", table.caption, table.markdown()));
    }
    for (number, _, source) in &parts.sources {
        text.push_str(&format!("[{number}] {source}\n"));
    }
    text
}

fn compare(kb: &KnowledgeBase, request: &CompareArguments, most: usize) -> Result<Reply, Refusal> {
    let comparison = request.compared(kb)?;
    let (table, sources, _) = comparison.parts();
    let text = sheet(&table, &sources, &[]);
    let mut document = without_nulls(comparison.document()?);
    // A table without some of its cells would be misread: it stays complete, at least in the text.
    let has_room = |document: &Value| length(document) + length(&text) + ROOM <= most;
    while !has_room(&document) {
        let Some(members) = document.as_object_mut() else { break };
        let lists =
            members.iter().filter(|(name, value)| *name != "left_out" && (value.is_array() || value.is_object()));
        let Some(longest) = lists.max_by_key(|(_, value)| length(*value)).map(|(name, _)| name.clone()) else { break };
        let gone = members.remove(&longest).map_or(0, |gone| gone.as_array().map_or(1, Vec::len));
        document["left_out"][longest] = gone.into();
    }
    if !has_room(&document) {
        let message = format!("the table has {} bytes", length(&text) + length(&document));
        let help =
            format!("narrow the question, make rows and columns by fewer fields, or ask for more with `{MOST_BYTES}`");
        return Err(Refusal::new(RefusalKind::TooMuch, message).help(help));
    }
    Ok(Reply::of(kb, document, &text, most))
}

fn evidence(kb: &KnowledgeBase, request: &EvidenceArguments, most: usize) -> Result<Reply, Refusal> {
    let found = request.judged(kb)?;
    let text = match found.claims.is_empty() {
        true => "No claim contains all of these words.".to_owned(),
        false => strip_str(&verdicts::text(&found, WIDTH)).to_string(),
    };
    let mut document = without_nulls(serde_json::to_value(&found)?);
    // All claims with their verdicts are more useful than the first of them with all its evidence.
    let is_long = !request.explain && length(&document) > most / 2;
    if let Some(claims) = document["claims"].as_array_mut().filter(|_| is_long) {
        for claim in claims.iter_mut().filter_map(Value::as_object_mut) {
            claim.retain(|key, _| BRIEF_CLAIM.contains(&key.as_str()));
        }
        document["left_out"] = json!({ "claims.periods": found.claims.len() });
    }
    Ok(Reply::of(kb, document, &text, most))
}

/// The members of a claim in a short reply.
const BRIEF_CLAIM: [&str; 6] = ["id", "text", "said_by", "year", "claimed", "verdict"];

fn show(kb: &KnowledgeBase, request: &ShowRequest, most: usize) -> Result<Reply, Refusal> {
    let shown = request.shown(kb)?;
    let cited = Cited::from(&shown.references);
    let mut text = strip_str(&card::draw(&shown.card.title, &shown.card.facts, WIDTH)).to_string();
    text.push_str("\nReferences\n");
    for reference in &cited.references {
        text.push_str(&format!("- {}\n", reference.text));
    }
    let document = json!({ "title": shown.card.title, "facts": shown.card.facts, "references": cited.references });
    Ok(Reply::of(kb, document, &text, most))
}

fn resolve(kb: &KnowledgeBase, request: &ResolveRequest, most: usize) -> Result<Reply, Refusal> {
    let resolved = serde_json::to_value(request.resolved(kb)?)?;
    let title = format!("{} {}", request.kind, request.spelling);
    let text = strip_str(&card::draw(&title, &resolved, WIDTH)).to_string();
    Ok(Reply::of(kb, resolved, &text, most))
}

fn cite(kb: &KnowledgeBase, request: &CiteRequest, most: usize) -> Result<Reply, Refusal> {
    let cited = request.cited(kb)?;
    Ok(Reply::of(kb, serde_json::to_value(&cited)?, &cited.bibtex, most))
}
