//! What a call returns: a document for programs, the same for a reader, both within their limits.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

use super::fit::{cut, length, shorten, without_nulls};
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;

/// The bytes of a reply, text and document together, unless more are asked for: about 2,500 tokens.
pub(super) const USUAL_BYTES: usize = 8_000;
/// The least and the most that can be asked for.
pub(super) const BYTES: std::ops::RangeInclusive<usize> = 2_000..=64_000;
/// What the protocol puts around a reply.
const AROUND: usize = 200;

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
    /// An answer from a knowledge base, of at most so many bytes: three eighths of them for the text, or what the document leaves. What is
    /// not known is left out of the document, and lists are shortened until it is within its limit, which it then says.
    pub fn of(kb: &KnowledgeBase, document: Value, text: &str, most: usize) -> Self {
        let mut document = match without_nulls(document) {
            Value::Object(document) => document,
            other => Map::from_iter([("result".to_owned(), other)]),
        };
        document.insert("knowledge_base".to_owned(), kb.content().into());
        // What the document leaves is the text's.
        let room = most.saturating_sub(AROUND + length(&document));
        // Ends of lines take two bytes in JSON.
        let text = cut(text, (room * 9 / 10).max(most * 3 / 8));
        let left = most.saturating_sub(AROUND + length(&text));
        shorten(&mut document, left);
        Self { document, text, refused: false }
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
