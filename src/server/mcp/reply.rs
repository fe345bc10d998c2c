//! What a call returns: a document for programs, the same for a reader, both within their limits.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

use super::fit::{cut, shorten, without_nulls};
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;

/// The longest document, in bytes: about 20,000 tokens.
pub(super) const LONGEST_DOCUMENT: usize = 64_000;
/// The longest text, in bytes.
const LONGEST_TEXT: usize = 24_000;

/// The result of a call.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    /// For programs.
    pub document: Map<String, Value>,
    /// For a reader.
    pub text: String,
    /// Whether it says why there is no answer.
    pub refused: bool,
}

impl Reply {
    /// An answer from a knowledge base. What is not known is left out of the document, and lists are shortened until it is
    /// within its limit, which it then says.
    pub fn of(kb: &KnowledgeBase, document: Value, text: &str) -> Self {
        let mut document = match without_nulls(document) {
            Value::Object(document) => document,
            other => Map::from_iter([("result".to_owned(), other)]),
        };
        document.insert("knowledge_base".to_owned(), kb.content().into());
        shorten(&mut document, LONGEST_DOCUMENT);
        Self { document, text: cut(text, LONGEST_TEXT), refused: false }
    }

    /// Why there is no answer.
    pub fn refused(refusal: &Refusal) -> Self {
        let document = match serde_json::to_value(refusal) {
            Ok(Value::Object(document)) => document,
            _ => Map::new(),
        };
        Self { document, text: refusal.told(), refused: true }
    }

    /// As the protocol has it.
    pub fn into_result(self) -> CallToolResult {
        let content = vec![ContentBlock::text(self.text)];
        let mut result = if self.refused { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = Some(Value::Object(self.document));
        result
    }
}
