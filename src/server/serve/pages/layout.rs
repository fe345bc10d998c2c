//! What stands around every page: the box for a question, and the ways through the knowledge base.

use maud::{DOCTYPE, Markup, html};

use super::links::encoded;
use crate::limits::LONGEST_QUESTION;
use crate::refusal::Refusal;

/// The ways that lead from every page.
const WAYS: &[(&str, &str)] = &[
    ("/entities/devices", "Devices"),
    ("/entities/frameworks", "Frameworks"),
    ("/entities/networks", "Networks"),
    ("/entities/datasets", "Data sets"),
    ("/entities/sources", "Sources"),
    ("/tables/hardware", "Hardware graded"),
    ("/tables/frameworks", "Frameworks compared"),
    ("/api", "API"),
];

/// A whole page; `question` stands in the box.
pub(in crate::serve) fn page(title: &str, question: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · dlbench" }
                link rel="stylesheet" href="/style.css";
            }
            body {
                header {
                    nav aria-label="Knowledge base" {
                        a.name href="/" { "dlbench" }
                        @for (address, name) in WAYS { a href=(address) { (name) } }
                    }
                    form action="/query" method="get" role="search" {
                        input type="search" name="question" value=(question) maxlength=(LONGEST_QUESTION) required
                            aria-label="Question" placeholder="fp16 V100 resnet152" autocomplete="off" spellcheck="false";
                        button { "Ask" }
                    }
                }
                main { (body) }
            }
        }
    };
    page.into_string()
}

/// The page that says why there is no answer.
pub(in crate::serve) fn refusal(refusal: &Refusal) -> String {
    let body = html! {
        h1 { "No answer" }
        pre { (refusal.told()) }
        @if !refusal.near.is_empty() {
            ul { @for near in &refusal.near { li { a href={ "/query?question=" (encoded(near)) } { (near) } } } }
        }
    };
    page("No answer", "", &body)
}
