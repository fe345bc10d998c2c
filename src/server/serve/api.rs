//! The endpoints of the JSON API.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use strum::VariantArray as _;

use super::endpoint::{Endpoint, Gives};
use super::respond::{JSON, RequestArguments, ResponseForm, answered, content, json, refused};
use super::shared::Shared;
use crate::held::KbState;
use crate::limits::LONGEST_QUESTION;
use crate::refusal::{Refusal, RefusalKind};
use crate::requests::{
    CiteRequest, Cited, CompareArguments, ContradictionsArguments, EvidenceArguments, QueryRequest, ResolveRequest,
    RowLimits, ShowRequest, Shown, WantedArguments, entities_of, named,
};
use dlbench::KnowledgeBase;
use dlbench::ask::cards::{CardKind, CardLookup};
use dlbench::ask::{answer, compare, export};
use dlbench::values::EntityKind;

/// Rows of an answer.
const ROWS: RowLimits = RowLimits { usual: 20, most: 1_000 };
/// Entities of a page.
const ENTITIES: RowLimits = RowLimits { usual: 50, most: 500 };

/// Which entities of a kind.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListRequest {
    /// Those that these words and filters are about, such as `volta memory>=16GB`; all without
    #[serde(default)]
    #[schemars(length(max = LONGEST_QUESTION))]
    question: String,
    /// At most so many
    #[serde(default)]
    limit: Option<usize>,
    /// So many are passed over
    #[serde(default)]
    offset: usize,
}

/// The beginning of a name.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NamesRequest {
    /// How the names begin: `v1`
    beginning: String,
}

/// The table of endpoints. The OpenAPI document has a path of its own, `/api/openapi.json`.
pub(super) fn endpoints() -> Vec<Endpoint> {
    use Gives::{Json, Published};
    vec![
        Endpoint::new("/api", "What can be asked", Json("The paths, each with what it is for"), index),
        Endpoint::new("/api/query", "The answer to a question", Published("schemas/answer.json"), query)
            .taking::<QueryRequest>(),
        Endpoint::new(
            "/api/compare",
            "Measurements set against each other",
            Published("schemas/compare.json"),
            compared,
        )
        .taking::<CompareArguments>(),
        Endpoint::new(
            "/api/entities",
            "The kinds of entities",
            Json("Each kind with the number of its entities"),
            kinds,
        ),
        Endpoint::new(
            "/api/entities/{kind}",
            "The entities of a kind",
            Json("`total`, and a page of `entities` with all that is recorded of them"),
            entities,
        )
        .taking::<ListRequest>(),
        Endpoint::new(
            "/api/entities/{kind}/{id}",
            "One entity, by its id or a name of it",
            Json("`title`, `facts` and the `references` that they cite"),
            entity,
        ),
        Endpoint::new(
            "/api/measurements/{id}",
            "One measurement, by its id or the beginning of it",
            Json("`title`, `facts` and the `references` that they cite"),
            measurement,
        ),
        Endpoint::new(
            "/api/evidence",
            "Claims of surveys, held against what was measured",
            Json("As `dlbench evidence -f json`: the claims with their verdicts"),
            evidence,
        )
        .taking::<EvidenceArguments>(),
        Endpoint::new(
            "/api/contradictions",
            "Where sources that measured the same contradict each other",
            Json("As `dlbench evidence --contradictions -f json`: the pairs of rows, the largest factor first"),
            contradictions,
        )
        .taking::<ContradictionsArguments>(),
        Endpoint::new(
            "/api/wanted",
            "Measurements that nobody has made, those first that would settle most",
            Json(
                "As `dlbench wanted -f json`: the missing cells, with what each settles and a row that was measured so, and, where the server \
                 asked its worker, what would measure it there or why nothing can",
            ),
            missing,
        )
        .taking::<WantedArguments>(),
        Endpoint::new("/api/resolve", "How a spelling is read", Json("The ids, and what decided"), resolve)
            .taking::<ResolveRequest>(),
        Endpoint::new("/api/cite", "How sources are cited", Json("`references` in one line each, and `bibtex`"), cite)
            .taking::<CiteRequest>(),
        Endpoint::new("/api/names", "Names of the catalog that begin so", Json("`names`, 50 at most"), names)
            .taking::<NamesRequest>(),
        Endpoint::new("/api/export", "The whole knowledge base", Published("schemas/export.json"), whole),
        Endpoint::new("/api/schemas/answer.json", "The JSON Schema of answers", Json("A schema"), answer_schema),
        Endpoint::new("/api/schemas/compare.json", "The JSON Schema of comparisons", Json("A schema"), compare_schema),
        Endpoint::new("/api/schemas/export.json", "The JSON Schema of the export", Json("A schema"), export_schema),
    ]
}

/// Which state of the knowledge base answers.
type State_ = Extension<Arc<KbState>>;

async fn index() -> Response {
    let paths: serde_json::Map<String, Value> =
        endpoints().into_iter().map(|endpoint| (endpoint.path.to_owned(), endpoint.summary.into())).collect();
    content(JSON, json!({ "paths": paths, "openapi": "/api/openapi.json" }).to_string())
}

async fn query(Extension(state): State_, RequestArguments(request): RequestArguments<QueryRequest>) -> Response {
    answered(state, ResponseForm::Json, move |kb| json(&request.answer(kb, ROWS)?)).await
}

async fn compared(Extension(state): State_, RequestArguments(request): RequestArguments<CompareArguments>) -> Response {
    answered(state, ResponseForm::Json, move |kb| json(&request.compared(kb)?.document()?)).await
}

async fn kinds(Extension(state): State_) -> Response {
    answered(state, ResponseForm::Json, |kb| {
        let mut kinds = serde_json::Map::new();
        for kind in EntityKind::VARIANTS {
            kinds.insert(kind.plural().to_owned(), kb.ids(*kind)?.len().into());
        }
        json(&json!({ "kinds": kinds, "measurements": kb.counts()?.measurements }))
    })
    .await
}

async fn entities(
    Extension(state): State_,
    Path(kind): Path<String>,
    RequestArguments(request): RequestArguments<ListRequest>,
) -> Response {
    answered(state, ResponseForm::Json, move |kb| {
        let kind = entities_of(&kind)?;
        let limit = request.limit.unwrap_or(ENTITIES.usual);
        if limit > ENTITIES.most {
            let message = format!("the limit is {limit}; {} are the most", ENTITIES.most);
            return Err(Refusal::new(RefusalKind::TooMuch, message).help("ask for the next ones with `offset`"));
        }
        let ids = ids_of(kind, &request.question, kb)?;
        let mut entities = Vec::new();
        for id in ids.iter().skip(request.offset).take(limit) {
            if let CardLookup::Found(card) = kb.card(CardKind::Entity(kind), id)? {
                entities.push(card.facts);
            }
        }
        json(&json!({ "kind": kind, "total": ids.len(), "offset": request.offset, "entities": entities }))
    })
    .await
}

/// The ids of a kind that a question is about; of an empty one, all.
fn ids_of(kind: EntityKind, question: &str, kb: &KnowledgeBase) -> Result<Vec<String>, Refusal> {
    if question.trim().is_empty() {
        return Ok(kb.ids(kind)?);
    }
    let question = crate::requests::asked(question)?;
    Ok(kb.entities(kind, question).map_err(|error| Refusal::of_question(question, &error))?.ids)
}

async fn entity(Extension(state): State_, Path((kind, id)): Path<(String, String)>) -> Response {
    answered(state, ResponseForm::Json, move |kb| {
        let kind = entities_of(&kind)?.to_string();
        card(&ShowRequest { name: id, kind: Some(kind) }.shown(kb)?)
    })
    .await
}

async fn measurement(Extension(state): State_, Path(id): Path<String>) -> Response {
    answered(state, ResponseForm::Json, move |kb| {
        card(&ShowRequest { name: id, kind: Some("measurement".to_owned()) }.shown(kb)?)
    })
    .await
}

fn card(shown: &Shown) -> Result<Response, Refusal> {
    let cited = Cited::from(&shown.references);
    json(&json!({ "title": shown.card.title, "facts": shown.card.facts, "references": cited.references }))
}

async fn evidence(
    Extension(state): State_,
    RequestArguments(request): RequestArguments<EvidenceArguments>,
) -> Response {
    answered(state, ResponseForm::Json, move |kb| json(&request.judged(kb)?)).await
}

async fn contradictions(
    Extension(state): State_,
    RequestArguments(request): RequestArguments<ContradictionsArguments>,
) -> Response {
    answered(state, ResponseForm::Json, move |kb| json(&request.found(kb)?)).await
}

async fn missing(
    Extension(state): State_,
    State(shared): State<Arc<Shared>>,
    RequestArguments(request): RequestArguments<WantedArguments>,
) -> Response {
    answered(state, ResponseForm::Json, move |kb| json(&request.missing(kb, shared.options.worker.as_ref())?)).await
}

async fn resolve(Extension(state): State_, RequestArguments(request): RequestArguments<ResolveRequest>) -> Response {
    answered(state, ResponseForm::Json, move |kb| json(&request.resolved(kb)?)).await
}

async fn cite(Extension(state): State_, RequestArguments(request): RequestArguments<CiteRequest>) -> Response {
    answered(state, ResponseForm::Json, move |kb| json(&request.cited(kb)?)).await
}

async fn names(Extension(state): State_, RequestArguments(request): RequestArguments<NamesRequest>) -> Response {
    /// Nobody chooses among more.
    const MOST: usize = 50;
    answered(state, ResponseForm::Json, move |kb| {
        let mut names = kb.names_beginning(None, named("beginning", &request.beginning)?)?;
        names.truncate(MOST);
        json(&json!({ "names": names }))
    })
    .await
}

async fn whole(Extension(state): State_, State(shared): State<Arc<Shared>>) -> Response {
    match shared.exports.of(&state, &shared.held).await {
        Ok(body) => content(JSON, body),
        Err(refusal) => refused(&refusal, ResponseForm::Json),
    }
}

async fn answer_schema() -> Response {
    content(JSON, answer::SCHEMA)
}

async fn compare_schema() -> Response {
    content(JSON, compare::SCHEMA)
}

async fn export_schema() -> Response {
    content(JSON, export::SCHEMA)
}
