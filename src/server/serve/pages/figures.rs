//! Figures of what a question finds: as SVG, as their data, and on a page.

use std::sync::Arc;

use axum::Extension;
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;

use super::layout;
use super::links::about;
use crate::held::KbState;
use crate::limits::MOST_DRAWN;
use crate::refusal::{Refusal, RefusalKind};
use crate::requests::asked;
use crate::serve::respond::{Asked, CSV, HTML, SVG, Wanted, answered, content};
use dlbench::KnowledgeBase;
use dlbench::ask::FigureError;
use dlbench::ask::answer::Page;
use dlbench::ask::plot::{Figure, PlotError, PlotRequest};
use dlbench::model::Aspect;
use dlbench::render::figure::{self, FigureStyle, Theme};

/// What is drawn; axes that are not named are made out from the question.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureRequest {
    question: String,
    #[serde(default)]
    x: Option<String>,
    #[serde(default)]
    y: Option<String>,
    #[serde(default)]
    theme: Option<String>,
}

impl FigureRequest {
    fn figure(&self, kb: &KnowledgeBase) -> Result<Figure, Refusal> {
        let question = asked(&self.question)?;
        let failed = |error| Refusal::of_question(question, &error);
        let total = kb.query_page(question, &Page { most: 0, ..Page::of(0, 0) }).map_err(failed)?.total;
        if total > MOST_DRAWN {
            let message = format!("{total} measurements would be drawn; {MOST_DRAWN} are the most");
            return Err(Refusal::new(RefusalKind::TooMuch, message).help("narrow the question"));
        }
        let aspect = |name: &Option<String>| match name.as_deref().map(Aspect::called) {
            Some(Err(unknown)) => Err(Refusal::mistake(unknown.to_string()).help(unknown.help)),
            Some(Ok(aspect)) => Ok(Some(aspect)),
            None => Ok(None),
        };
        let request = PlotRequest { x: aspect(&self.x)?, y: aspect(&self.y)?, ..PlotRequest::default() };
        kb.figure(question, &request).map_err(|error| match error {
            FigureError::Query(error) => failed(error),
            FigureError::Plot(PlotError::Refused { message, help }) => Refusal::mistake(message).help(help),
            FigureError::Plot(nothing) => Refusal::new(RefusalKind::NotFound, nothing.to_string()),
        })
    }

    fn style(&self) -> FigureStyle {
        let theme = if self.theme.as_deref() == Some("dark") { Theme::Dark } else { Theme::Light };
        FigureStyle { theme, width_mm: 190.0, title: None, plain: false }
    }
}

/// Whether a figure can be made of a question by itself.
pub(super) fn is_drawn(question: &str, kb: &KnowledgeBase) -> bool {
    FigureRequest { question: question.to_owned(), ..FigureRequest::default() }.figure(kb).is_ok()
}

/// A figure in the colours that the reader has.
pub(super) fn picture(question: &str) -> Markup {
    let address = about("/figure.svg", question);
    html! {
        picture {
            source srcset={ (address) "&theme=dark" } media="(prefers-color-scheme: dark)";
            img src=(address) alt={ "Figure: " (question) ". Its data are linked below." } loading="lazy";
        }
        p.ways { a href=(about("/figure.csv", question)) { "Data of the figure" } a href=(address) { "SVG" } }
    }
}

/// The figure.
pub(super) async fn svg(Extension(state): Extension<Arc<KbState>>, Asked(request): Asked<FigureRequest>) -> Response {
    answered(state, Wanted::Page, move |kb| Ok(content(SVG, figure::svg(&request.figure(kb)?, &request.style())))).await
}

/// Its data.
pub(super) async fn csv(Extension(state): Extension<Arc<KbState>>, Asked(request): Asked<FigureRequest>) -> Response {
    answered(state, Wanted::Page, move |kb| {
        let data = figure::csv(&request.figure(kb)?).map_err(|error| Refusal::failed(&error))?;
        Ok(content(CSV, data))
    })
    .await
}

/// The page of a figure.
pub(super) async fn page(Extension(state): Extension<Arc<KbState>>, Asked(request): Asked<FigureRequest>) -> Response {
    answered(state, Wanted::Page, move |kb| {
        request.figure(kb)?;
        let question = request.question.trim();
        let body = html! {
            h1 { "Figure" }
            (picture(question))
            p.ways { a href=(about("/query", question)) { "The measurements" } }
        };
        Ok(content(HTML, layout::page("Figure", question, &body)))
    })
    .await
}
