//! The pages, each a file of its own; what they share is in `layout`.

mod cards;
mod figures;
mod forms;
pub(super) mod layout;
mod links;
mod question;
mod start;
mod tables;

use std::sync::Arc;

use axum::routing::{MethodRouter, get};

use super::respond::content;
use super::shared::Shared;

/// Every page with its path.
pub(super) fn all() -> Vec<(&'static str, MethodRouter<Arc<Shared>>)> {
    vec![
        ("/", get(start::start)),
        ("/query", get(question::page)),
        ("/query/{format}", get(forms::answer_as)),
        ("/compare", get(question::compared)),
        ("/figure", get(figures::page)),
        ("/figure.svg", get(figures::svg)),
        ("/figure.csv", get(figures::csv)),
        ("/entities/{kind}", get(cards::list)),
        ("/entities/{kind}/{id}", get(cards::entity)),
        ("/measurements/{id}", get(cards::measurement)),
        ("/tables/{name}", get(tables::table)),
        ("/style.css", get(|| async { content("text/css; charset=utf-8", include_str!("style.css")) })),
        // Browsers ask for it whether or not a page names one.
        ("/favicon.ico", get(|| async { content("image/svg+xml", include_str!("icon.svg")) })),
    ]
}
