//! A question and its answer.

use std::borrow::Cow;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::arguments::{asked, names};
use crate::limits::{LONGEST_QUESTION, MOST_NAMES};
use crate::refusal::{Refusal, RefusalKind};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{self, Answer, Page};
use dlbench::values::text::nearest;

/// Ask a question.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryRequest {
    /// Search terms in any order and spelling (precision, device, network, framework, data set, stage, vendor, licence, …), phrases in
    /// quotes, and filters: `fp16 V100 resnet152`, `fastest GPU for training resnet50`, `3090 vs V100 training`,
    /// `device:v100 batch>=32 -framework:caffe2 sort:-throughput`, `V100 tdp`, `fpga energy efficiency`
    #[serde(default)]
    #[schemars(length(max = LONGEST_QUESTION))]
    pub question: String,
    /// The question as data instead, so that no words need to be interpreted. Names are read as in filters. Example:
    /// `{"where": {"network": ["resnet-50"], "stage": ["train"]}, "sides": [{"device": ["a100"]}, {"device": ["h100"]}]}`
    #[serde(default, deserialize_with = "object_or_text")]
    #[schemars(schema_with = "question_schema")]
    pub structured: Option<Value>,
    /// Maximum number of measurements to return; `total` counts all that match
    #[serde(default)]
    pub limit: Option<usize>,
    /// Number of matching measurements to skip
    #[serde(default)]
    pub offset: usize,
    /// Whether to count the values of each field over all matching measurements
    #[serde(default)]
    pub facets: bool,
    /// Members of measurements to return, besides `id`: `device,throughput_per_s`; by default all
    #[serde(default, deserialize_with = "names")]
    #[schemars(with = "Vec<String>", length(max = MOST_NAMES))]
    pub fields: Vec<String>,
    /// Whether `catalog` also contains the facts of the devices, networks, frameworks and data sets; it always contains sources, but
    /// their notes only with the facts
    #[serde(default)]
    pub facts: bool,
    /// Whether the page becomes a file of a static site, which cannot answer forms.
    #[serde(skip)]
    pub on_site: bool,
}

/// How many measurements an interface returns.
#[derive(Debug, Clone, Copy)]
pub struct RowLimits {
    /// Default.
    pub usual: usize,
    /// Maximum.
    pub most: usize,
}

impl RowLimits {
    /// The requested limit, or the default.
    ///
    /// # Errors
    ///
    /// When it is too large.
    pub fn limit(self, asked: Option<usize>) -> Result<usize, Refusal> {
        let limit = asked.unwrap_or(self.usual);
        if limit > self.most {
            let refusal = Refusal::mistake(format!("the limit is {limit}; {} are the most", self.most));
            return Err(refusal.help("ask for the next ones with `offset`"));
        }
        Ok(limit)
    }
}

impl QueryRequest {
    /// The requested page.
    ///
    /// # Errors
    ///
    /// When it has too many rows.
    pub fn page(&self, rows: RowLimits) -> Result<Page, Refusal> {
        Ok(Page { most: rows.most, ..Page::of(self.offset, rows.limit(self.limit)?) })
    }

    /// The question as text: as typed, or the canonical form of the structured one.
    ///
    /// # Errors
    ///
    /// When neither or both are given, it is too long, or the structured one has a mistake.
    pub fn text(&self, kb: &KnowledgeBase) -> Result<Cow<'_, str>, Refusal> {
        match &self.structured {
            None => asked(&self.question).map(Cow::Borrowed),
            Some(_) if !self.question.trim().is_empty() => {
                Err(Refusal::mistake("`question` and `structured` are both given").help("give one of them"))
            }
            Some(structured) => {
                let canonical = kb.canonical(structured).map_err(|error| Refusal::of_question("", &error))?;
                asked(&canonical).map(str::to_owned).map(Cow::Owned)
            }
        }
    }

    /// The answer.
    ///
    /// # Errors
    ///
    /// When the question has a mistake or is too long, or a store fails.
    pub fn answer(&self, kb: &KnowledgeBase, rows: RowLimits) -> Result<Answer, Refusal> {
        self.answer_on(&self.page(rows)?, kb)
    }

    /// The answer with the measurements of a page.
    ///
    /// # Errors
    ///
    /// As [`answer`](Self::answer).
    pub(crate) fn answer_on(&self, page: &Page, kb: &KnowledgeBase) -> Result<Answer, Refusal> {
        let question = self.text(kb)?;
        let question = question.as_ref();
        let failed = |error| Refusal::of_question(question, &error);
        let mut answer = kb.query_page(question, page).map_err(failed)?;
        if self.facets {
            answer.facets = Some(kb.facets(&answer).map_err(failed)?);
        }
        Ok(answer)
    }
}

impl QueryRequest {
    /// An answer as JSON, with the requested members.
    ///
    /// # Errors
    ///
    /// When measurements have no member with a requested name, or a value cannot be serialised.
    pub(crate) fn document(&self, answer: &Answer) -> Result<Value, Refusal> {
        let mut document = serde_json::to_value(answer)?;
        if let Some(catalog) = document["catalog"].as_object_mut().filter(|_| !self.facts) {
            for (kind, entities) in catalog {
                match entities.as_array_mut() {
                    Some(sources) if kind == "sources" => {
                        sources.iter_mut().for_each(|source| source["notes"] = Value::Null)
                    }
                    _ => *entities = Value::Array(Vec::new()),
                }
            }
        }
        if self.fields.is_empty() {
            return Ok(document);
        }
        let known = RowMembers::published();
        let wanted = self.fields.iter().map(|name| known.called(name)).collect::<Result<BTreeSet<_>, _>>()?;
        for row in document["measurements"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            if let Some(metrics) = row.get_mut("metrics").and_then(Value::as_object_mut) {
                metrics.retain(|metric, _| wanted.contains("metrics") || wanted.contains(metric));
            }
            row.retain(|member, value| match member.as_str() {
                "id" => true,
                "metrics" => value.as_object().is_some_and(|metrics| !metrics.is_empty()),
                other => wanted.contains(other),
            });
        }
        Ok(document)
    }
}

/// The members of a measurement and of its metrics, from the schema of answers.
struct RowMembers(Vec<String>);

impl RowMembers {
    fn published() -> Self {
        let schema: Value = serde_json::from_str(answer::SCHEMA).unwrap_or_default();
        let of = |schema: &Value| -> Vec<String> {
            schema["properties"].as_object().map(|members| members.keys().cloned().collect()).unwrap_or_default()
        };
        let row = &schema["$defs"]["Measurement"];
        Self([of(row), of(&row["properties"]["metrics"])].concat())
    }

    /// The member with this name, as spelled in an address: `metrics.latency_ms`, `batch-size`.
    fn called(&self, name: &str) -> Result<String, Refusal> {
        let plain = name.trim().trim_start_matches("metrics.").replace('-', "_");
        match self.0.iter().find(|member| **member == plain) {
            Some(member) => Ok(member.clone()),
            None => {
                let near = nearest(&plain, self.0.iter().map(String::as_str), 3);
                let near = near.into_iter().map(str::to_owned).collect();
                Err(Refusal { kind: RefusalKind::Mistake, ..Refusal::not_found(name, near) })
            }
        }
    }
}

/// An object, or its JSON text as in the query of an address.
fn object_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    match Option::<Value>::deserialize(deserializer)? {
        Some(Value::String(text)) => serde_json::from_str(&text).map(Some).map_err(D::Error::custom),
        other => Ok(other),
    }
}

fn question_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let mut published = serde_json::from_str::<Value>(dlbench::ask::parse::QUESTION_SCHEMA).unwrap_or_default();
    let definitions = published.as_object_mut().and_then(|schema| schema.remove("$defs"));
    // References to definitions start at the root of the schema that includes this one.
    if let Some(Value::Object(definitions)) = definitions {
        generator.definitions_mut().extend(definitions);
    }
    published.try_into().unwrap_or_default()
}
