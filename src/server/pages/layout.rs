//! What stands around every page: the box for a question, and the ways through the knowledge base.

use dlbench::values::text::printable;
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
    ("/entities/hardware-classes", "Hardware classes"),
    ("/tables/hardware", "Hardware graded"),
    ("/tables/frameworks", "Frameworks compared"),
    ("/evidence", "Evidence"),
    ("/api", "API"),
];

/// A whole page; `question` stands in the box.
pub(crate) fn page(title: &str, question: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · dlbench" }
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/style.css";
                script src="/complete.js" defer {}
            }
            body {
                a.skip href="#main" { "To the content" }
                header {
                    nav aria-label="Knowledge base" {
                        a.name href="/" { "dlbench" }
                        @for (address, name) in WAYS { a href=(address) { (name) } }
                    }
                    form action="/query" method="get" role="search" {
                        input type="search" name="question" value=(question) maxlength=(LONGEST_QUESTION) required list="names"
                            aria-label="Question" placeholder="fp16 V100 resnet152" autocomplete="off" spellcheck="false";
                        datalist id="names" {}
                        button { "Ask" }
                    }
                }
                main id="main" tabindex="-1" { (body) }
            }
        }
    };
    // What turns or hides the text behind it would show another name than the one that stands there.
    printable(&page.into_string())
}

/// The page that says why there is no answer.
pub(crate) fn refusal(refusal: &Refusal) -> String {
    let body = html! {
        h1 { "No answer" }
        pre { (refusal.told()) }
        @if !refusal.near.is_empty() {
            ul { @for near in &refusal.near { li { a href={ "/query?question=" (encoded(near)) } { (near) } } } }
        }
    };
    page("No answer", "", &body)
}
