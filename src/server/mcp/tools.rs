//! The tools that an assistant can call, one row each.

use std::sync::Arc;

use anstream::adapter::strip_str;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::reply::{LONGEST_DOCUMENT, Reply};
use crate::refusal::{Refusal, RefusalKind};
use crate::requests::{
    CiteRequest, Cited, CompareArguments, EvidenceArguments, QueryRequest, ResolveRequest, RowLimits, ShowRequest,
};
use dlbench::KnowledgeBase;
use dlbench::render::answer::{AnswerView, markdown};
use dlbench::render::{card, evidence as verdicts};

/// An assistant reads few rows well; `total` says how many there are.
const ROWS: RowLimits = RowLimits { usual: 10, most: 50 };

/// How wide texts are drawn that are no Markdown.
const WIDTH: usize = 100;

/// What a call does.
type Call = Arc<dyn Fn(&KnowledgeBase, JsonObject) -> Result<Reply, Refusal> + Send + Sync>;

/// A tool and what it does.
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

    /// What it does.
    pub fn call(&self) -> Call {
        Arc::clone(&self.call)
    }
}

/// Every tool.
pub(super) fn all() -> Vec<AssistantTool> {
    vec![
        tool(
            "query",
            "Ask for numbers and facts",
            "Answers a question about deep-learning hardware, networks and frameworks in plain words: a conclusion first, then the \
             measurements (with id, source, and everything that makes them comparable), the facts of the entities, and what must be \
             known to judge the numbers.",
            query,
        ),
        tool(
            "compare",
            "Compare measurements",
            "Sets measurements against each other in a table by any fields, ranking only what can be compared and saying what differs; \
             or, for ids of measurements, says field by field whether they can be compared.",
            compare,
        ),
        tool(
            "evidence",
            "Hold claims against measurements",
            "Says of the grades, facts and figures of surveys whether what was measured supports or contradicts them, or too little \
             was measured: with ratio, interval, networks, years, sources and the ids of the rows.",
            evidence,
        ),
        tool(
            "show",
            "Show one thing whole",
            "Everything recorded of one framework, device, network, data set, hardware class, source or measurement, with its sources. \
             Checks a number that was quoted with its id.",
            show,
        ),
        tool(
            "resolve",
            "Read a spelling",
            "Says which entity of the catalog a spelling means, how sure that is, and what decided: a family is never taken for one \
             of its members.",
            resolve,
        ),
        tool(
            "cite",
            "Cite sources",
            "References of sources, or of the sources of measurements, in one line each and in BibTeX; the knowledge base itself is among \
             them.",
            cite,
        ),
    ]
}

fn tool<A: DeserializeOwned + JsonSchema + 'static>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    done: fn(&KnowledgeBase, &A) -> Result<Reply, Refusal>,
) -> AssistantTool {
    let tool = Tool::new(name, description, schema::<A>()).with_title(title).with_annotations(
        // Nothing is written and nobody else is asked.
        ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true).open_world(false),
    );
    let call = move |kb: &KnowledgeBase, arguments: JsonObject| {
        let arguments = serde_json::from_value(Value::Object(arguments)).map_err(|error| {
            Refusal::mistake(format!("the arguments of `{name}` are not as its schema says: {error}"))
                .help("`tools/list` has the schema")
        })?;
        done(kb, &arguments)
    };
    AssistantTool { tool, call: Arc::new(call) }
}

/// The JSON Schema of a tool's arguments.
fn schema<A: JsonSchema>() -> JsonObject {
    let mut schema = schemars::schema_for!(A).to_value();
    match schema.as_object_mut() {
        Some(object) => {
            // The names of our types are nobody's business.
            object.remove("title");
            std::mem::take(object)
        }
        None => JsonObject::new(),
    }
}

fn query(kb: &KnowledgeBase, request: &QueryRequest) -> Result<Reply, Refusal> {
    let answer = request.answer(kb, ROWS)?;
    let view = AnswerView { page: request.page(ROWS)?, ..AnswerView::default() };
    let about = [format!("canonical form: {}", answer.question), content(kb)];
    Ok(Reply::of(kb, serde_json::to_value(&answer)?, &markdown(&answer, &view, &about)))
}

fn compare(kb: &KnowledgeBase, request: &CompareArguments) -> Result<Reply, Refusal> {
    let comparison = request.compared(kb)?;
    let reply = Reply::of(kb, comparison.document()?, &comparison.markdown());
    // A table without some of its cells would be read wrongly.
    if reply.document.contains_key("left_out") {
        let message = format!("the table has more than {LONGEST_DOCUMENT} bytes");
        return Err(Refusal::new(RefusalKind::TooMuch, message)
            .help("narrow the question, or make rows and columns by fewer fields"));
    }
    Ok(reply)
}

fn evidence(kb: &KnowledgeBase, request: &EvidenceArguments) -> Result<Reply, Refusal> {
    let found = request.judged(kb)?;
    let text = match found.claims.is_empty() {
        true => "No claim holds all of these words.".to_owned(),
        false => strip_str(&verdicts::text(&found, WIDTH)).to_string(),
    };
    Ok(Reply::of(kb, serde_json::to_value(&found)?, &text))
}

fn show(kb: &KnowledgeBase, request: &ShowRequest) -> Result<Reply, Refusal> {
    let shown = request.shown(kb)?;
    let cited = Cited::from(&shown.references);
    let mut text = strip_str(&card::draw(&shown.card.title, &shown.card.facts, WIDTH)).to_string();
    text.push_str("\nReferences\n");
    for reference in &cited.references {
        text.push_str(&format!("- {}\n", reference.text));
    }
    let document = json!({ "title": shown.card.title, "facts": shown.card.facts, "references": cited.references });
    Ok(Reply::of(kb, document, &text))
}

fn resolve(kb: &KnowledgeBase, request: &ResolveRequest) -> Result<Reply, Refusal> {
    let resolved = serde_json::to_value(request.resolved(kb)?)?;
    let title = format!("{} {}", request.kind, request.spelling);
    let text = strip_str(&card::draw(&title, &resolved, WIDTH)).to_string();
    Ok(Reply::of(kb, resolved, &text))
}

fn cite(kb: &KnowledgeBase, request: &CiteRequest) -> Result<Reply, Refusal> {
    let cited = request.cited(kb)?;
    Ok(Reply::of(kb, serde_json::to_value(&cited)?, &cited.bibtex))
}

fn content(kb: &KnowledgeBase) -> String {
    format!("content of the knowledge base: {}", kb.content())
}
