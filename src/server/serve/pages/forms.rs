//! An answer in the forms that papers and other programs take.

use std::sync::Arc;

use axum::Extension;
use axum::extract::Path;
use axum::response::Response;

use super::question::ROWS;
use crate::held::KbState;
use crate::refusal::Refusal;
use crate::requests::QueryRequest;
use crate::serve::respond::{Asked, CSV, PLAIN, Wanted, answered, content};
use dlbench::render::Format;
use dlbench::render::answer::{AnswerView, flat, latex, markdown};
use dlbench::render::bibtex::bibtex;
use dlbench::render::table::Paper;

/// The answer in a form.
pub(super) async fn answer_as(
    Extension(state): Extension<Arc<KbState>>,
    Path(form): Path<String>,
    Asked(request): Asked<QueryRequest>,
) -> Response {
    answered(state, Wanted::Page, move |kb| {
        // A paper and a spreadsheet want the rows, not a page of them.
        let request = QueryRequest { limit: request.limit.or(Some(ROWS.most)), ..request };
        let answer = request.answer(kb, ROWS)?;
        let view = AnswerView { page: request.page(ROWS)?, ..AnswerView::default() };
        let about = vec![
            format!("dlbench query: {}", answer.query),
            format!("the same in filters: {}", answer.equivalent),
            format!("content of the knowledge base: {}", kb.content()),
        ];
        Ok(match form.as_str() {
            "latex" => {
                let cite = kb.references_of(&answer)?.keys();
                content(PLAIN, latex(&answer, &view, Paper { about, cite, ..Paper::default() }))
            }
            "bibtex" => content(PLAIN, bibtex(&kb.references_of(&answer)?)),
            "markdown" => content(PLAIN, markdown(&answer, &view, &about)),
            "csv" => {
                let rows = flat(&answer, &view).draw(Format::Csv, usize::MAX);
                content(CSV, rows.map_err(|error| Refusal::failed(&error))?)
            }
            form => {
                let forms = ["latex", "bibtex", "csv", "markdown"].map(str::to_owned).to_vec();
                return Err(Refusal::not_found(form, forms));
            }
        })
    })
    .await
}
