//! The frame of every page: the search box, and navigation links.

use dlbench::values::text::printable;
use maud::{DOCTYPE, Markup, html};

use super::links::encoded;
use crate::limits::LONGEST_QUESTION;
use crate::refusal::Refusal;

/// The main navigation links.
const WAYS: &[(&str, &str)] = &[
    ("/entities/devices", "Devices"),
    ("/entities/networks", "Networks"),
    ("/entities/frameworks", "Frameworks"),
    ("/entities/sources", "Sources"),
    ("/tables/hardware", "Grades"),
    ("/evidence", "Evidence"),
    ("/about/api", "API"),
];

/// Further links in the footer.
const MORE_WAYS: &[(&str, &str)] = &[
    ("/entities/hardware-classes", "Hardware classes"),
    ("/entities/datasets", "Data sets"),
    ("/tables/frameworks", "Frameworks compared"),
    ("/tables/principles", "Principles"),
    ("/wanted", "Wanted measurements"),
    ("/data/devices.csv", "CSV"),
    ("/api/export", "All as JSON"),
];

/// A complete page with `question` in the search box.
pub(crate) fn page(title: &str, question: &str, body: &Markup) -> String {
    whole(title, &html! { (ask(question, false)) (body) })
}

/// The first page, which places the search box itself.
pub(crate) fn front(title: &str, body: &Markup) -> String {
    whole(title, body)
}

/// The search box.
pub(crate) fn ask(question: &str, is_first: bool) -> Markup {
    html! {
        form.ask action="/query" method="get" role="search" {
            input type="search" name="question" value=(question) maxlength=(LONGEST_QUESTION) required list="names" aria-label="Question"
                placeholder="fp16 V100 resnet152 · A100 vs H100 bert · fastest gpu llama-3-8b decode" autocomplete="off" spellcheck="false"
                autofocus[is_first];
            datalist id="names" {}
            button { "Ask" }
        }
    }
}

fn whole(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · dlbench" }
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/style.css";
                script src="/page.js" defer {}
            }
            body {
                a.skip href="#main" { "To the content" }
                header {
                    a.name href="/" { "dlbench" }
                    nav aria-label="Knowledge base" { @for (address, name) in WAYS { a href=(address) { (name) } } }
                }
                main id="main" tabindex="-1" { (body) }
                footer {
                    p { "Every number has its source and the row it is from. Data: CC0-1.0." }
                    nav aria-label="More" { @for (address, name) in MORE_WAYS { a href=(address) { (name) } } }
                }
            }
        }
    };
    // Escapes invisible characters that would reverse or hide text, and so make a name look like another.
    printable(&page.into_string())
}

/// The error page for a refusal.
pub(crate) fn refusal(refusal: &Refusal) -> String {
    let body = html! {
        h1 { "No answer" }
        pre { (refusal.full_text()) }
        @if !refusal.near.is_empty() {
            ul { @for near in &refusal.near { li { a href={ "/query?question=" (encoded(near)) } { (near) } } } }
        }
    };
    page("No answer", "", &body)
}
