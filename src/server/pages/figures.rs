//! Figures of the rows that a question matches: as SVG, as data, and on a page.

use maud::{Markup, html};
use serde::Deserialize;

use super::layout;
use super::links::about;
use crate::limits::MOST_DRAWN;
use crate::refusal::{Refusal, RefusalKind};
use crate::requests::asked;
use dlbench::KnowledgeBase;
use dlbench::ask::FigureError;
use dlbench::ask::answer::Page;
use dlbench::ask::plot::{Figure, PlotError, PlotRequest};
use dlbench::model::Aspect;
use dlbench::render::figure::{self, FigureStyle, Theme};

/// A figure to draw; missing axes are derived from the question.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FigureRequest {
    question: String,
    #[serde(default)]
    x: Option<String>,
    #[serde(default)]
    y: Option<String>,
    #[serde(default)]
    theme: Option<String>,
    /// Width in millimetres; by default, it fits a wide screen.
    #[serde(default)]
    width: Option<f64>,
}

/// Width of a figure on a wide screen, in millimetres.
const WIDE: f64 = 190.0;
/// Width of a figure on a narrow screen, in millimetres.
const NARROW: f64 = 92.0;

impl FigureRequest {
    /// The figure with automatic axes for a question.
    pub fn of(question: &str) -> Self {
        Self { question: question.to_owned(), ..Self::default() }
    }

    /// The figure.
    ///
    /// # Errors
    ///
    /// When the request has a mistake, there is nothing to draw or too much, or a store fails.
    pub fn figure(&self, kb: &KnowledgeBase) -> Result<Figure, Refusal> {
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
            FigureError::Plot(refused @ PlotError::Refused { .. }) => {
                Refusal::mistake(refused.to_string()).help(refused.help())
            }
            FigureError::Plot(nothing) => Refusal::new(RefusalKind::NotFound, nothing.to_string()),
        })
    }

    /// The figure as SVG, in the requested theme.
    ///
    /// # Errors
    ///
    /// As for [`figure`](Self::figure).
    pub fn svg(&self, kb: &KnowledgeBase) -> Result<String, Refusal> {
        let is_dark = self.theme.as_deref() == Some("dark");
        let width_mm = self.width.unwrap_or(WIDE);
        if !(NARROW / 2.0..=WIDE * 2.0).contains(&width_mm) {
            let help = format!("from {} to {} millimetres", NARROW / 2.0, WIDE * 2.0);
            return Err(Refusal::mistake(format!("a figure {width_mm} mm wide")).help(help));
        }
        let theme = if is_dark { Theme::Dark } else { Theme::Light };
        Ok(figure::svg(&self.figure(kb)?, &FigureStyle { theme, width_mm, ..FigureStyle::default() }))
    }

    /// The data of the figure.
    ///
    /// # Errors
    ///
    /// As for [`figure`](Self::figure).
    pub fn csv(&self, kb: &KnowledgeBase) -> Result<String, Refusal> {
        csv(&self.figure(kb)?)
    }

    /// The page of the figure.
    ///
    /// # Errors
    ///
    /// As for [`figure`](Self::figure).
    pub fn page(&self, kb: &KnowledgeBase) -> Result<String, Refusal> {
        self.figure(kb)?;
        let question = self.question.trim();
        let body = html! {
            h1 { "Figure" }
            (picture(question))
            p.ways { a href=(about("/query", question)) { "The measurements" } }
        };
        Ok(layout::page("Figure", question, &body))
    }
}

/// The data of a figure as CSV.
///
/// # Errors
///
/// When they cannot be written.
pub(crate) fn csv(figure: &Figure) -> Result<String, Refusal> {
    figure::csv(figure).map_err(|error| Refusal::failed(&error))
}

/// Whether a question has a figure with automatic axes.
pub(super) fn is_drawn(question: &str, kb: &KnowledgeBase) -> bool {
    FigureRequest::of(question).figure(kb).is_ok()
}

/// A figure in the reader's colour scheme.
pub(super) fn picture(question: &str) -> Markup {
    let address = about("/figure.svg", question);
    html! {
        div.frame tabindex="0" {
            picture {
                @for (theme, scheme) in [("&theme=dark", "dark"), ("", "light")] {
                    source srcset={ (address) (theme) "&width=" (NARROW) } media={ "(max-width: 40rem) and (prefers-color-scheme: " (scheme) ")" };
                }
                source srcset={ (address) "&theme=dark" } media="(prefers-color-scheme: dark)";
                img src=(address) alt={ "Figure: " (question) ". Its data are linked below." } loading="lazy";
            }
        }
        p.ways.small { a href=(about("/figure.csv", question)) { "Data of the figure" } a href=(address) { "SVG" } }
    }
}
