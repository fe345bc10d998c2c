//! `serve` under slow, huge, malformed and hostile requests: every response has a documented status, no input becomes markup or
//! script, no path of the server is disclosed, and other clients are served meanwhile.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::RELEASE;
use super::figures::Figures;
use super::mutator::mutated_input;
use crate::Dlbench;
use crate::serve::Server;

/// Time limit for one answer, and for a client's answer while slow clients are connected.
const LONGEST: Duration = Duration::from_secs(if RELEASE { 2 } else { 20 });

/// How long to wait after an incomplete request; the server may answer it or close the connection.
const SILENCE: Duration = Duration::from_millis(300);

/// Limit of additional memory over all requests, in KiB.
const MOST_KIB: u64 = 100_000;

/// Statuses of the API and the pages; any other is a bug.
const STATUSES: &[u16] =
    &[200, 204, 303, 304, 307, 308, 400, 404, 405, 408, 411, 413, 414, 421, 422, 429, 431, 501, 503, 505];

/// Numbers of connections that never finish a request, and of those that request everything and do not read.
const SLOW: usize = 300;
const NOT_READING: usize = 50;

/// Paths outside of what is served, and headers injected through the path.
const PATHS: &[&str] = &[
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..%2f..%2fetc/passwd",
    "//etc/passwd",
    "/entities/devices/../../../etc/passwd",
    "/entities/devices/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/style.css/../../Cargo.toml",
    "/\\..\\..\\etc\\passwd",
    "/%00",
    "/a%00b",
    "/%ff%fe",
    "/%",
    "/%zz",
    "/entities/devices/%0d%0aX-Evil:%201",
    "/query?question=%0d%0aX-Evil:1",
    "/query/change?question=%0d%0aX-Evil:1",
    "/api/query?question=%00",
    "/api/schemas/..%2f..%2fCargo.toml",
    "/data/..%2f..%2fCargo.toml",
    "/tables/%2e%2e",
    "file:///etc/passwd",
    "http://evil.example/",
    "*",
];

/// Foreign host names: each must be refused.
const STRANGERS: &[&str] = &[
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "",
    "127.0.0.1:80@evil.example",
    "evil@127.0.0.1",
    "local host",
    "2130706433",
    "0x7f.1",
];

const METHODS: &[&str] = &["POST", "PUT", "DELETE", "TRACE", "CONNECT", "PATCH", "PROPFIND", "GETX", "get", "OPTIONS"];

/// Text after the host header: lengths and encodings by which two servers could see different requests.
const SMUGGLED: &[&str] = &[
    "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /wanted HTTP/1.1\r\nHost: evil\r\n\r\n",
    "Transfer-Encoding: xchunked\r\n\r\n",
    "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "Content-Length: +5\r\n\r\nhello",
    "Content-Length: -1\r\n\r\n",
    "Content-Length: 99999999999999999999999\r\n\r\n",
    "Content-Length: 0x5\r\n\r\nhello",
    "Content-Length: 5, 5\r\n\r\nhello",
    "X: a\nContent-Length: 50\r\n\r\n",
    "\0X: a\r\n\r\n",
    "X\u{b}: a\r\n\r\n",
    "Host: evil\r\n\r\n",
    "Content-Length: 44\r\n\r\nGET /api/query?question=evil HTTP/1.1\r\nHost: evil\r\n\r\n",
    "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n",
    "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n",
    "Range: bytes=0-0,1-1,2-2,3-3,4-4,5-5\r\n\r\n",
    "Range: bytes=-9223372036854775808\r\n\r\n",
    "Accept-Encoding: gzip;q=nan, *;q=1e999\r\n\r\n",
    "If-None-Match: \"\0\", *\r\n\r\n",
];

/// Hostile values of parameters.
const VALUES: &[&str] = &[
    "",
    "\0",
    "../..",
    "\u{202e}",
    "<script>alert(1)</script>",
    "\"><img src=x onerror=1>",
    "javascript:alert(1)",
    "1e400",
    "-1",
    "18446744073709551615",
    "99999999999999999999",
    "NaN",
    "%",
    "=1+1",
    "(",
    "((((",
    "*",
    "[",
    ">= && not",
    "nova",
    "nova eval",
    "nova vs weave",
    "deepnet-50",
    "fastest device",
    "device",
    "network",
    "json",
    "latex",
    "latency",
    "true",
    "a,b,c",
    " ",
    "\n",
    "invented-2020:6t8",
    "limit:100000000 nova",
];

/// Parameters of pages, besides those that the API documents.
const PAGES: &[(&str, &[&str])] = &[
    ("/", &["q", "question"]),
    ("/query", &["question", "limit", "offset", "columns"]),
    ("/query/change", &["question", "precision", "stage"]),
    ("/query/latex", &["question"]),
    ("/query/csv", &["question"]),
    ("/compare", &["question", "rows", "columns", "relative"]),
    ("/figure", &["question", "x", "y"]),
    ("/figure.svg", &["question", "x", "y"]),
    ("/figure.csv", &["question", "x", "y"]),
    ("/entities/{kind}", &["sort", "question"]),
    ("/entities/{kind}/{id}", &[]),
    ("/measurements/{id}", &[]),
    ("/tables/{name}", &["as", "sort"]),
    ("/evidence", &["question", "claim"]),
    ("/wanted", &["question", "here"]),
    ("/data/{file}", &[]),
];

/// Sends every hostile request of the tables, and `count` generated ones.
pub fn attack(count: usize) -> Figures {
    let mut figures = Figures::of("requests of serve");
    let server = Server::of(Dlbench::on_miniature(), &["--rate", "0"]);
    let usual = answered(&server, &request("GET", "/api/query?question=nova", &server.address, ""), LONGEST);
    let before = server.peak_kib();
    let mut send = |bytes: &[u8], is_well_formed: bool| {
        let start = Instant::now();
        let answer = answered(&server, bytes, if is_well_formed { LONGEST } else { SILENCE });
        figures.count(answer.starts_with(b"HTTP/1.1 200"), start.elapsed());
        let wrong = wrong_with(&answer).filter(|_| is_well_formed || !answer.is_empty());
        if let Some(wrong) = wrong {
            let shown: String = String::from_utf8_lossy(bytes).chars().take(300).collect();
            figures.failures.push(format!("{wrong}: {shown:?}"));
        }
        answer
    };
    for path in PATHS {
        send(&request("GET", path, &server.address, ""), true);
    }
    for host in STRANGERS {
        let answer = send(&request("GET", "/", host, ""), true);
        assert!(answer.starts_with(b"HTTP/1.1 421") || answer.starts_with(b"HTTP/1.1 400"), "{host}");
    }
    for method in METHODS {
        send(&request(method, "/", &server.address, "Content-Length: 0\r\n"), true);
    }
    for origin in ["https://evil.example", "null", "http://localhost:1"] {
        let more = format!("Origin: {origin}\r\nAccess-Control-Request-Method: GET\r\n");
        send(&request("GET", "/api/query?question=nova", &server.address, &more), true);
        send(&request("OPTIONS", "/api/query?question=nova", &server.address, &more), true);
    }
    for more in SMUGGLED {
        send(format!("GET / HTTP/1.1\r\nHost: {}\r\n{more}", server.address).as_bytes(), false);
    }
    for huge in huge(&server.address) {
        send(&huge, false);
    }
    let endpoints = endpoints(&server);
    let seeds: Vec<Vec<u8>> = ["/", "/api/query?question=nova%20eval", "/figure.svg?question=nova"]
        .iter()
        .map(|path| request("GET", path, &server.address, "Accept-Encoding: gzip\r\nRange: bytes=0-9\r\n"))
        .collect();
    let mut rng = Rng::with_seed(4);
    for at in 0..count {
        // One in four is damaged bytes; the others are requests in the documented form.
        match at % 4 {
            0 => send(&mutated_input(&seeds, "serve", at), false),
            _ => send(&request("GET", &made_up_path(&endpoints, &mut rng), &server.address, ""), true),
        };
    }
    slow_ones(&server, &mut figures);
    if answered(&server, &request("GET", "/api/query?question=nova", &server.address, ""), LONGEST).len() != usual.len()
    {
        figures.failures.push("the last answer is not the first one".to_owned());
    }
    let grown = server.peak_kib().saturating_sub(before);
    figures.memory_mib = server.peak_kib() >> 10;
    if grown > MOST_KIB {
        figures.failures.push(format!("it took {grown} KiB more"));
    }
    figures
}

fn request(method: &str, path: &str, host: &str, more: &str) -> Vec<u8> {
    format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n").into_bytes()
}

/// Requests that exceed the size limits.
fn huge(host: &str) -> Vec<Vec<u8>> {
    let question = |length: usize| request("GET", &format!("/api/query?question={}", "a".repeat(length)), host, "");
    let headers: String = (0..1_000).map(|at| format!("X-{at}: {}\r\n", "a".repeat(500))).collect();
    let pairs = format!("/api/query?{}", "question=a&".repeat(2_000));
    vec![
        question(3_000),
        question(100_000),
        question(5_000_000),
        request("GET", &pairs, host, ""),
        request("GET", "/", host, &headers),
        format!("GET /{}", "a".repeat(1_000_000)).into_bytes(),
        format!("GET / HTTP/1.1\r\n{}", "A".repeat(1_000_000)).into_bytes(),
    ]
}

/// The paths of the API and the pages, with their parameters.
fn endpoints(server: &Server) -> Vec<(String, Vec<String>)> {
    let document = server.get("/api/openapi.json").json();
    let of_api = document["paths"].as_object().expect("paths").iter().map(|(path, operations)| {
        let parameters = operations["get"]["parameters"].as_array().expect("parameters").iter();
        let of_query = parameters.filter(|parameter| parameter["in"] == "query");
        (path.clone(), of_query.filter_map(|parameter| Some(parameter["name"].as_str()?.to_owned())).collect())
    });
    let of_pages =
        PAGES.iter().map(|(path, names)| ((*path).to_owned(), names.iter().map(|name| (*name).to_owned()).collect()));
    of_api.chain(of_pages).collect()
}

/// A random endpoint with hostile values.
fn made_up_path(endpoints: &[(String, Vec<String>)], rng: &mut Rng) -> String {
    let (path, names) = &endpoints[rng.usize(..endpoints.len())];
    let mut whole = String::new();
    for (at, part) in path.split(['{', '}']).enumerate() {
        let kind = ["devices", "networks", "nova-100", VALUES[rng.usize(..VALUES.len())]][rng.usize(..4)];
        whole.push_str(&if at % 2 == 0 { part.to_owned() } else { escaped(kind) });
    }
    let most = rng.usize(..=names.len().min(4));
    for at in 0..most {
        let name = &names[rng.usize(..names.len())];
        whole.push(if at == 0 { '?' } else { '&' });
        whole.push_str(&format!("{name}={}", escaped(VALUES[rng.usize(..VALUES.len())])));
    }
    whole
}

/// Percent-encodes a text for a URL.
fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() || b"-._".contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

/// Reads the response until the server closes the connection or is silent for this long.
fn answered(server: &Server, bytes: &[u8], patience: Duration) -> Vec<u8> {
    let mut stream = server.connect();
    stream.set_read_timeout(Some(patience)).expect("a limit");
    // The server may refuse the request before all of it is written.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// The error in an answer, if any; a missing answer is also an error.
fn wrong_with(answer: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(answer).to_lowercase();
    let head = text.split("\r\n\r\n").next().unwrap_or_default();
    let status: Option<u16> = head.strip_prefix("http/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    let is_drawn = ["text/html", "image/svg"].iter().any(|kind| head.contains(kind));
    let runs = ["<script>alert(1)", "<img src=x", "href=\"javascript:"].iter().find(|word| text.contains(*word));
    match () {
        () if !status.is_some_and(|status| STATUSES.contains(&status)) => Some(format!("status {status:?}")),
        () if text.contains("root:x:") || text.contains("[package]") => Some("it tells of this machine".to_owned()),
        () if head.contains("\r\nx-evil") => Some("a header of the request's".to_owned()),
        () if head.contains("access-control-allow-origin") => Some("open to pages of strangers".to_owned()),
        () if text.matches("http/1.1 200").count() > 1 => Some("more answers than requests".to_owned()),
        () if is_drawn && runs.is_some() => Some(format!("it runs: {runs:?}")),
        () => None,
    }
}

/// Opens connections that stall in the request and connections that do not read; another client must still be answered.
fn slow_ones(server: &Server, figures: &mut Figures) {
    let begun = |bytes: &[u8]| {
        let mut stream = TcpStream::connect(&server.address).ok()?;
        stream.write_all(bytes).ok()?;
        Some(stream)
    };
    for (what, bytes, most) in [
        ("not ended", &b"GET / HTTP/1.1\r\nHo"[..], SLOW),
        ("not read", &request("GET", "/api/export", &server.address, "")[..], NOT_READING),
    ] {
        let held: Vec<TcpStream> = (0..most).filter_map(|_| begun(bytes)).collect();
        let start = Instant::now();
        // Places are limited per address, so use another address, which has its own.
        let answer = crate::visitors::answered_at(2, server);
        figures.count(answer.is_some(), start.elapsed());
        if answer.is_none_or(|answer| !answer.contains(" 200 ")) || start.elapsed() > LONGEST {
            let took = start.elapsed();
            figures.failures.push(format!("beside {} connections that are {what}: no answer in {took:?}", held.len()));
        }
        figures.inputs += held.len();
        drop(held);
        // The places are free again once the server has noticed the closed connections.
        let start = Instant::now();
        while answered(server, &request("GET", "/api", &server.address, ""), LONGEST).is_empty() {
            if start.elapsed() > Duration::from_secs(30) {
                figures.failures.push(format!("behind connections that were {what}: no answer again"));
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
