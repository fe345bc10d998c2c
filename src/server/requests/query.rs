//! A question and its answer.

use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::asked;
use crate::limits::LONGEST_QUESTION;
use crate::refusal::{Refusal, RefusalKind};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::{Answer, Page};

/// Ask a question.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryRequest {
    /// Words in any order and spelling (precision, device, network, framework, data set, stage, vendor, licence, …), phrases in
    /// quotes, and filters: `fp16 V100 resnet152`, `fastest GPU for training resnet50`, `3090 vs V100 training`,
    /// `device:v100 batch>=32 -framework:caffe2 sort:-throughput`, `V100 tdp`, `fpga energy efficiency`
    #[schemars(length(min = 1, max = LONGEST_QUESTION))]
    pub question: String,
    /// At most so many measurements are returned; `total` counts all that match
    #[serde(default)]
    pub limit: Option<usize>,
    /// So many of the matching measurements are passed over
    #[serde(default)]
    pub offset: usize,
    /// Whether the values of each field are counted over everything that matches
    #[serde(default)]
    pub facets: bool,
}

/// How many measurements a face returns.
#[derive(Debug, Clone, Copy)]
pub struct RowLimits {
    /// Where nothing is said.
    pub usual: usize,
    /// At most.
    pub most: usize,
}

impl QueryRequest {
    /// The page that is asked for.
    ///
    /// # Errors
    ///
    /// When it has too many rows.
    pub fn page(&self, rows: RowLimits) -> Result<Page, Refusal> {
        let limit = self.limit.unwrap_or(rows.usual);
        if limit > rows.most {
            let message = format!("the limit is {limit}; {} are the most", rows.most);
            return Err(Refusal::new(RefusalKind::TooMuch, message).help("ask for the next ones with `offset`"));
        }
        Ok(Page { most: rows.most, ..Page::of(self.offset, limit) })
    }

    /// The answer.
    ///
    /// # Errors
    ///
    /// When the question has a mistake or is too long, or a store fails.
    pub fn answer(&self, kb: &KnowledgeBase, rows: RowLimits) -> Result<Answer, Refusal> {
        let question = asked(&self.question)?;
        let failed = |error| Refusal::of_question(question, &error);
        let mut answer = kb.query_page(question, &self.page(rows)?).map_err(failed)?;
        if self.facets {
            answer.facets = Some(kb.facets(&answer).map_err(failed)?);
        }
        Ok(answer)
    }
}
