//! The endpoints of the JSON API.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::header::{IF_RANGE, LINK, RANGE};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::Response;
use schemars::JsonSchema;
use serde::Deserialize;
use strum::VariantArray as _;

use super::documents::{Entities, Index, Kinds, Names, Problems, Shown, resolved};
use super::endpoint::{Endpoint, Gives};
use super::etag::tag;
use super::respond::{JSON, RequestArguments, ResponseForm, answered, content, json, refused};
use super::shared::Shared;
use crate::limits::LONGEST_QUESTION;
use crate::live::KbState;
use crate::refusal::Refusal;
use crate::requests::{
    self, CiteRequest, Cited, CompareArguments, ContradictionsArguments, EvidenceArguments, QueryRequest,
    ResolveRequest, RowLimits, ShowRequest, WantedArguments, entities_of, named,
};
use dlbench::KnowledgeBase;
use dlbench::ask::cards::{CardKind, CardLookup};
use dlbench::ask::{answer, compare, contradictions, evidence, export};
use dlbench::values::EntityKind;

/// Number of rows in an answer.
const ROWS: RowLimits = RowLimits { usual: 20, most: 1_000 };
/// Number of entities on a page.
const ENTITIES: RowLimits = RowLimits { usual: 50, most: 500 };

/// The path of the export, which is sent from a file.
pub(super) const EXPORT: &str = "/api/export";

/// Entities of a kind.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListRequest {
    /// Words and filters that the entities must match, such as `volta memory>=16GB`; by default all are listed
    #[serde(default)]
    #[schemars(length(max = LONGEST_QUESTION))]
    question: String,
    /// Maximum number of entities to return
    #[serde(default)]
    limit: Option<usize>,
    /// Number of entities to skip
    #[serde(default)]
    offset: usize,
}

/// A name prefix.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NamesRequest {
    /// The prefix of the names: `v1`
    beginning: String,
}

/// The table of endpoints, without `/api/openapi.json`, which has its own route.
pub(super) fn endpoints() -> Vec<Endpoint> {
    use Gives::{Described, Published};
    vec![
        Endpoint::new("/api", "What can be asked", Gives::of::<Index>(), index),
        Endpoint::new("/api/query", "The answer to a question", Published("schemas/answer.json"), query)
            .taking::<QueryRequest>(),
        Endpoint::new(
            "/api/compare",
            "Measurements set against each other",
            Published("schemas/compare.json"),
            compared,
        )
        .taking::<CompareArguments>(),
        Endpoint::new("/api/entities", "The kinds of entities", Gives::of::<Kinds>(), kinds),
        Endpoint::new("/api/entities/{kind}", "The entities of a kind", Gives::of::<Entities>(), entities)
            .taking::<ListRequest>(),
        Endpoint::new(
            "/api/entities/{kind}/{id}",
            "One entity, by its id or a name of it",
            Gives::of::<Shown>(),
            entity,
        ),
        Endpoint::new(
            "/api/measurements/{id}",
            "One measurement, by its id or the beginning of it",
            Gives::of::<Shown>(),
            measurement,
        ),
        Endpoint::new(
            "/api/evidence",
            "Claims of surveys, compared with measurements",
            Published("schemas/evidence.json"),
            judged,
        )
        .taking::<EvidenceArguments>(),
        Endpoint::new(
            "/api/contradictions",
            "Where sources that measured the same contradict each other",
            Published("schemas/contradictions.json"),
            contradictions,
        )
        .taking::<ContradictionsArguments>(),
        Endpoint::new(
            "/api/wanted",
            "Measurements that nobody has made, those first that would settle most",
            Published("schemas/wanted.json"),
            missing,
        )
        .taking::<WantedArguments>(),
        Endpoint::new("/api/resolve", "How a spelling is read", Gives::Json(resolved), resolve)
            .taking::<ResolveRequest>(),
        Endpoint::new("/api/cite", "How sources are cited", Gives::of::<Cited>(), cite).taking::<CiteRequest>(),
        Endpoint::new("/api/names", "Names of the catalog that begin so", Gives::of::<Names>(), names)
            .taking::<NamesRequest>(),
        Endpoint::new("/api/problems", "Why there may be no answer", Gives::of::<Problems>(), problems),
        Endpoint::new(EXPORT, "The whole knowledge base", Published("schemas/export.json"), whole),
        Endpoint::new("/api/schemas/{file}", "The JSON Schema of a document", Described("A JSON Schema"), schema),
    ]
}

/// The published schemas, by file name.
const SCHEMAS: [(&str, &str); 6] = [
    ("answer.json", answer::SCHEMA),
    ("compare.json", compare::SCHEMA),
    ("contradictions.json", contradictions::SCHEMA),
    ("evidence.json", evidence::SCHEMA),
    ("export.json", export::SCHEMA),
    ("wanted.json", evidence::WANTED_SCHEMA),
];

/// The state of the knowledge base for this request.
type State_ = Extension<Arc<KbState>>;

async fn index() -> Response {
    let paths = endpoints().into_iter().map(|endpoint| (endpoint.path, endpoint.summary)).collect();
    made(&Index { paths, openapi: "/api/openapi.json" })
}

async fn problems() -> Response {
    made(&Problems::all())
}

/// A response that does not depend on the knowledge base.
fn made(document: &impl serde::Serialize) -> Response {
    json(document).unwrap_or_else(|refusal| refused(&refusal, ResponseForm::Json))
}

async fn query(
    Extension(state): State_,
    uri: Uri,
    RequestArguments(request): RequestArguments<QueryRequest>,
) -> Response {
    answered(state, ResponseForm::Json, move |kb| {
        let answer = request.answer(kb, ROWS)?;
        let mut response = json(&request.document(&answer)?)?;
        let next = request.offset.saturating_add(answer.measurements.len());
        if !answer.measurements.is_empty() && next < answer.total {
            link_next(&mut response, &uri, next);
        }
        Ok(response)
    })
    .await
}

/// Adds a link to the next page (RFC 8288): the same address with another `offset`.
fn link_next(response: &mut Response, uri: &Uri, offset: usize) {
    let same =
        uri.query().unwrap_or_default().split('&').filter(|part| !part.is_empty() && !part.starts_with("offset="));
    let query = same.map(str::to_owned).chain([format!("offset={offset}")]).collect::<Vec<_>>().join("&");
    if let Ok(link) = HeaderValue::from_str(&format!("<{}?{query}>; rel=\"next\"", uri.path())) {
        response.headers_mut().insert(LINK, link);
    }
}

async fn compared(Extension(state): State_, RequestArguments(request): RequestArguments<CompareArguments>) -> Response {
    answered(state, ResponseForm::Json, move |kb| json(&request.compared(kb)?.document()?)).await
}

async fn kinds(Extension(state): State_) -> Response {
    answered(state, ResponseForm::Json, |kb| {
        let counted = EntityKind::VARIANTS.iter().map(|kind| Ok((kind.plural(), kb.ids(*kind)?.len())));
        let kinds = counted.collect::<Result<_, Refusal>>()?;
        json(&Kinds { kinds, measurements: kb.counts()?.measurements })
    })
    .await
}

async fn entities(
    Extension(state): State_,
    uri: Uri,
    Path(kind): Path<String>,
    RequestArguments(request): RequestArguments<ListRequest>,
) -> Response {
    answered(state, ResponseForm::Json, move |kb| {
        let kind = entities_of(&kind)?;
        let limit = ENTITIES.limit(request.limit)?;
        let ids = ids_of(kind, &request.question, kb)?;
        let mut entities = Vec::new();
        for id in ids.iter().skip(request.offset).take(limit) {
            if let CardLookup::Found(card) = kb.card(CardKind::Entity(kind), id)? {
                entities.push(card.facts);
            }
        }
        let (total, next) = (ids.len(), request.offset.saturating_add(entities.len()));
        let has_next = !entities.is_empty() && next < total;
        let mut response = json(&Entities { kind, total, offset: request.offset, entities })?;
        if has_next {
            link_next(&mut response, &uri, next);
        }
        Ok(response)
    })
    .await
}

/// The ids of a kind that a question matches; an empty question matches all.
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
        card(ShowRequest { name: id, kind: Some(kind) }.shown(kb)?)
    })
    .await
}

async fn measurement(Extension(state): State_, Path(id): Path<String>) -> Response {
    answered(state, ResponseForm::Json, move |kb| {
        card(ShowRequest { name: id, kind: Some("measurement".to_owned()) }.shown(kb)?)
    })
    .await
}

fn card(shown: requests::Shown) -> Result<Response, Refusal> {
    let references = Cited::from(&shown.references).references;
    json(&Shown { title: shown.card.title, facts: shown.card.facts, references })
}

async fn judged(Extension(state): State_, RequestArguments(request): RequestArguments<EvidenceArguments>) -> Response {
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
    /// Users do not choose from longer lists.
    const MOST: usize = 50;
    answered(state, ResponseForm::Json, move |kb| {
        let mut names = kb.names_beginning(None, named("beginning", &request.beginning)?)?;
        names.truncate(MOST);
        json(&Names { names })
    })
    .await
}

async fn whole(Extension(state): State_, State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let mut request = Request::new(Body::empty());
    // A client that resumes the download of another state gets the whole document of this one (RFC 9110, 13.1.5).
    let same = tag(&state.content, shared.options.version);
    let range = headers.get(RANGE).filter(|_| headers.get(IF_RANGE).is_none_or(|known| *known == same));
    if let Some(range) = range {
        request.headers_mut().insert(RANGE, range.clone());
    }
    let sent = shared.exports.of(request, &state, &shared.live).await;
    sent.unwrap_or_else(|refusal| refused(&refusal, ResponseForm::Json))
}

async fn schema(Path(file): Path<String>) -> Response {
    match SCHEMAS.iter().find(|(name, _)| *name == file) {
        Some((_, schema)) => content(JSON, *schema),
        None => {
            let files = SCHEMAS.iter().map(|(name, _)| (*name).to_owned()).collect();
            refused(&Refusal::not_found(&file, files), ResponseForm::Json)
        }
    }
}
