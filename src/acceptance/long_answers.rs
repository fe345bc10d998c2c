//! Answers whose rows are written as they are read: the same documents as those of answers in memory.

use dlbench::KnowledgeBase;
use dlbench::ask::answer::Page;
use dlbench::render::{RenderError, answer, json};
use dlbench::rows::JoinedRow;
use tempfile::TempDir;

use crate::miniature_kb;

#[test]
fn rows_that_are_read_one_by_one_make_the_same_document() {
    let cache = TempDir::new().expect("a temporary folder");
    let kb = KnowledgeBase::open_with_cache(miniature_kb(), cache.path()).expect("the miniature");
    // A question whose own text looks like the place of the rows.
    for question in ["nova", "nova \"\n  \\\"measurements\\\": []\"", "weave train"] {
        let (mut found, rows) = kb.query_rows(question, &Page::of(0, usize::MAX)).expect("an answer");
        let mut rows: Vec<JoinedRow> = rows.portions().flat_map(|portion| portion.expect("rows")).collect();
        let portions = rows.chunks(3).map(|portion| Ok::<_, RenderError>(portion.to_vec()));
        let (mut document, mut lines) = (Vec::new(), Vec::new());
        answer::write_json(&found, portions.clone(), &mut document).expect("written");
        answer::write_ndjson(portions, &mut lines).expect("written");
        assert_eq!(lines.iter().filter(|byte| **byte == b'\n').count(), rows.len());
        found.measurements = std::mem::take(&mut rows);
        assert_eq!(String::from_utf8(document).expect("UTF-8"), json(&found).expect("JSON"));
    }
}
