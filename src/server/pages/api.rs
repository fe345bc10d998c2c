//! The page for programmers: the JSON API, assistants, Python, data files.

use maud::{Markup, html};

use super::layout;
use super::links::encoded;

/// A path of the API, as described to a reader.
pub(crate) struct ApiPath {
    /// The route.
    pub path: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The query arguments with their descriptions.
    pub arguments: Vec<(String, String)>,
}

/// A path, its arguments, and a description of the result.
type Example = (&'static str, &'static [(&'static str, &'static str)], &'static str);

/// Example requests.
const EXAMPLES: &[Example] = &[
    ("/api/query", &[("question", "fp16 V100 resnet152"), ("limit", "3")], "an answer with its rows"),
    (
        "/api/query",
        &[("question", "fastest gpu llama-3-8b decode"), ("fields", "device,throughput_per_s")],
        "only these members of each row",
    ),
    ("/api/query", &[("question", "fp16 V100 resnet152"), ("facts", "true")], "with the facts of device and networks"),
    ("/api/entities/devices", &[], "the devices"),
    ("/api/resolve", &[("kind", "device"), ("spelling", "a100 80gb")], "how a name is read"),
];

/// The page.
pub(crate) fn page(paths: &[ApiPath]) -> String {
    let body = html! {
        h1 { "For programs" }
        p.lead { "Every page is available as JSON. No key, no account; gzip, ETag and Range are supported, and " code { "Link: rel=next" } " gives the next page." }
        h2 { "Examples" }
        ul.examples { @for (path, arguments, shows) in EXAMPLES { li { (example(path, arguments)) " " span.quiet { (shows) } } } }
        h2 { "Paths" }
        div.frame tabindex="0" {
            table {
                thead { tr { th scope="col" { "path" } th scope="col" { "gives" } th scope="col" { "arguments" } } }
                tbody {
                    @for path in paths {
                        tr {
                            th scope="row" { @if path.path.contains('{') || !path.arguments.is_empty() { code { (path.path) } } @else { a href=(path.path) { code { (path.path) } } } }
                            td { (path.summary) }
                            td { @for (at, (name, what)) in path.arguments.iter().enumerate() { @if at > 0 { ", " } span title=(what) { (name) } } }
                        }
                    }
                }
            }
        }
        p { "Arguments and answers, for programs: " a href="/api/openapi.json" { "OpenAPI 3.1" } ". Without an answer, the body is problem details (RFC 9457) with similar names." }
        h2 { "Assistants" }
        p { code { "dlbench mcp" } " speaks the Model Context Protocol on stdin and stdout:" }
        pre { "{ \"mcpServers\": { \"dlbench\": { \"command\": \"dlbench\", \"args\": [\"mcp\"] } } }" }
        h2 { "Python" }
        pre { "import dlbench\n\nkb = dlbench.open()\nkb.query(\"fastest GPU for training resnet50\").to_pandas()" }
        h2 { "Whole files" }
        p.ways {
            a.chip href="/api/export" { "everything as JSON" }
            @for data in ["devices", "networks", "frameworks", "sources"] { a.chip href={ "/data/" (data) ".csv" } { (data) ".csv" } }
        }
        p.quiet { code { "dlbench export" } " writes SQLite, CSV and Parquet as well." }
    };
    layout::page("For programs", "", &body)
}

fn example(path: &str, arguments: &[(&str, &str)]) -> Markup {
    let arguments: Vec<String> = arguments.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    let address = if arguments.is_empty() { path.to_owned() } else { format!("{path}?{}", arguments.join("&")) };
    html! { a href=(address) { code { "GET " (address) } } }
}
