//! The result of a call: a document for programs and a text for a reader, within their limits.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

use super::fit::{cut, length, shorten, without_nulls};
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;

/// Default size of a reply in bytes, text and document together: about 2,500 tokens.
pub(super) const USUAL_BYTES: usize = 8_000;
/// The range of sizes that can be requested.
pub(super) const BYTES: std::ops::RangeInclusive<usize> = 2_000..=64_000;
/// The overhead of the protocol around a reply.
const AROUND: usize = 200;

/// The result of a call.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    /// For programs.
    pub document: Map<String, Value>,
    /// For a reader.
    pub text: String,
    /// Whether it is a refusal.
    pub refused: bool,
}

impl Reply {
    /// A reply of at most `most` bytes: three eighths of them for the text, or what the document leaves. Unknown values
    /// are omitted from the document, and its lists are shortened to fit the limit, which is reported in it.
    pub fn of(kb: &KnowledgeBase, document: Value, text: &str, most: usize) -> Self {
        let mut document = match without_nulls(document) {
            Value::Object(document) => document,
            other => Map::from_iter([("result".to_owned(), other)]),
        };
        document.insert("knowledge_base".to_owned(), kb.content().into());
        // The text gets the space that the document leaves.
        let room = most.saturating_sub(AROUND + length(&document));
        // Line ends take two bytes in JSON.
        let text = cut(text, (room * 9 / 10).max(most * 3 / 8));
        let left = most.saturating_sub(AROUND + length(&text));
        shorten(&mut document, left);
        Self { document, text, refused: false }
    }

    /// The reply for a refusal.
    pub fn refused(refusal: &Refusal) -> Self {
        let document = match serde_json::to_value(refusal) {
            Ok(Value::Object(document)) => document,
            _ => Map::new(),
        };
        Self { document, text: refusal.full_text(), refused: true }
    }

    /// Converts the reply to the protocol's type.
    pub fn into_result(self) -> CallToolResult {
        let content = vec![ContentBlock::text(self.text)];
        let mut result = if self.refused { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = Some(Value::Object(self.document));
        result
    }
}
