//! `dlbench serve`: the API returns what the commands print, every link of the pages works, and new data are picked up.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::{Value, json};

use crate::{Dlbench, KbCopy, texts};

#[test]
fn the_api_answers_as_the_commands_do() {
    let server = Server::of(Dlbench::on_miniature(), &[]);
    let dlbench = &server.dlbench;
    let answer = server.get("/api/query?question=nova%20100+eval&facts=true");
    assert_eq!(answer.json(), dlbench.json(&["query", "-f", "json", "nova 100 eval"]));
    let paged = server.get("/api/query?question=nova&limit=2&offset=1&facets=true&facts=true").json();
    let printed = dlbench.json(&["query", "-f", "json", "--limit", "2", "--offset", "1", "--facets", "nova"]);
    assert_eq!(paged, printed);
    let compared = server.get("/api/compare?question=nova%20eval&rows=device,framework&columns=precision").json();
    let printed =
        dlbench.json(&["compare", "-f", "json", "nova eval", "--rows", "device,framework", "--cols", "precision"]);
    for key in ["rows", "columns", "cells", "sources", "knowledge_base"] {
        assert_eq!(compared[key], printed[key], "{key}");
    }
    let card = server.get("/api/entities/devices/nova-100").json();
    assert_eq!(card["facts"], dlbench.json(&["show", "device", "nova-100", "-f", "json"]));
    let listed = server.get("/api/entities/device?question=memory%3E%3D32GB").json();
    assert_eq!((listed["total"].as_u64(), texts(&listed["entities"], "id")), (Some(1), vec!["nova-100-32gb"]));
    let file = dlbench.data().with_extension("json");
    dlbench.run(&["export", "-o", file.to_str().expect("UTF-8")]);
    let whole = server.get("/api/export");
    assert_eq!(whole.body, std::fs::read_to_string(file).expect("an export"));
    assert_eq!(whole.headers["content-length"], whole.body.len().to_string());

    // An unchanged answer is not sent again; scripts of other sites can read nothing unless that is allowed.
    let tag = &answer.headers["etag"];
    assert!(tag.contains(compared["knowledge_base"].as_str().expect("a content")), "{tag}");
    let again = server.ask("GET", "/api/query?question=nova", &format!("If-None-Match: {tag}\r\n"));
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let stranger = server.ask("GET", "/api/query?question=nova", "Origin: https://example.org\r\n");
    assert!(stranger.headers.keys().all(|name| !name.starts_with("access-control-")), "{:?}", stranger.headers);
    let open = Server::of(Dlbench::on_miniature(), &["--allow-origin", "https://example.org"]);
    let friend = open.ask("GET", "/api/query?question=nova", "Origin: https://example.org\r\n");
    assert_eq!(friend.headers["access-control-allow-origin"], "https://example.org");
    let preflight = open.ask("OPTIONS", "/api/query", "Origin: https://example.org\r\n");
    assert_eq!(
        (preflight.status, preflight.headers["access-control-allow-methods"].as_str()),
        (204, "GET, HEAD, OPTIONS")
    );
    // Only the required bytes are sent.
    let packed = server.ask("GET", "/query?question=nova", "Accept-Encoding: gzip\r\n");
    assert_eq!(packed.headers["content-encoding"], "gzip");
    assert!(packed.headers["etag"].starts_with("W/"), "{packed:?}");
    let range = server.ask("GET", "/api/export", "Range: bytes=1-10\r\n");
    assert_eq!((range.status, range.body.as_str()), (206, &whole.body[1..=10]));
    let other = server.ask("GET", "/api/export", "Range: bytes=1-10\r\nIf-Range: \"other\"\r\n");
    assert_eq!((other.status, other.body.len()), (200, whole.body.len()));
    let few = server.get("/api/query?question=nova&limit=1&fields=device,latency-ms");
    let row = few.json()["measurements"][0].as_object().expect("a row").clone();
    assert!(row.keys().all(|key| ["id", "device", "metrics"].contains(&key.as_str())) && row.len() > 1, "{row:?}");
    assert_eq!(
        (
            few.json()["catalog"]["devices"].as_array().map(Vec::len),
            few.json()["catalog"]["sources"].as_array().map(Vec::len)
        ),
        (Some(0), Some(1))
    );
    assert_eq!(
        few.headers["link"],
        "</api/query?question=nova&limit=1&fields=device,latency-ms&offset=1>; rel=\"next\""
    );
    let near = server.get("/api/query?question=nova&fields=latency_m");
    assert_eq!((near.status, near.json()["near"][0].as_str()), (400, Some("latency_ms")));
    let misspelt = server.get("/api/query?question=nova&limt=3");
    assert_eq!((misspelt.status, misspelt.json()["near"].clone()), (400, json!(["limit"])));
    // A question whose answer is stopped has no facts.
    let stopped = server.get("/api/query?question=lightgbm&facts=true").json();
    assert!(
        stopped["catalog"].as_object().is_some_and(|catalog| catalog.values().all(|kind| kind == &json!([]))),
        "{stopped}"
    );
    assert_eq!(stopped["remarks"].as_array().map(Vec::len), Some(1));
    assert!(!server.get("/api/query?question=nova&limit=1000").headers.contains_key("link"));
    let lost = server.get("/api/entities/devices/nova-1000").json();
    assert_eq!((&lost["type"], &lost["near"][0]), (&json!("/api/problems#not-found"), &json!("nova-100")));
    let head = server.ask("HEAD", "/api/query?question=nova", "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[test]
fn every_endpoint_is_documented_and_answers() {
    let server = Server::of(Dlbench::on_miniature(), &[]);
    let document = server.get("/api/openapi.json").json();
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() > 12 && document["openapi"] == "3.1.0");
    let sample = |name: &str| match name {
        "question" => "nova%20eval",
        "kind" => "device",
        "spelling" => "nova",
        "beginning" => "no",
        "ids" => "invented-2020",
        other => panic!("no sample of `{other}`"),
    };
    for (path, operations) in paths {
        let parameters = operations["get"]["parameters"].as_array().expect("parameters");
        let mut address = path.replace("{kind}", "devices").replace("{file}", "answer.json");
        address = address.replace("{id}", if path.contains("measurements") { "invented-2020:6t8" } else { "nova-100" });
        let required =
            parameters.iter().filter(|parameter| parameter["in"] == "query" && parameter["required"] == true);
        let mut names: Vec<&str> = required.filter_map(|parameter| parameter["name"].as_str()).collect();
        if path == "/api/compare" || path == "/api/query" {
            names.push("question");
        }
        let arguments: Vec<String> = names.iter().map(|name| format!("{name}={}", sample(name))).collect();
        let answer = server.get(&format!("{address}?{}", arguments.join("&")));
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json();
        // Undocumented parameters are an error and are not ignored.
        if parameters.iter().any(|parameter| parameter["in"] == "query") {
            let refused = server.get(&format!("{address}?{}&colour=red", arguments.join("&")));
            let problem = refused.json();
            assert_eq!(
                (refused.status, &problem["type"], &problem["status"]),
                (400, &json!("/api/problems#mistake"), &json!(400)),
                "{path}"
            );
        }
        // The schemas that the document refers to exist.
        let schema = &operations["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        match schema["$ref"].as_str() {
            Some(own) if own.starts_with("#/") => assert!(document.pointer(&own[1..]).is_some(), "{own}"),
            Some(file) => assert!(server.get(&format!("/api/{file}")).json()["$schema"].is_string(), "{file}"),
            None => assert_eq!(schema["type"], "object", "{path}"),
        }
    }
}

#[test]
fn every_link_leads_somewhere_and_no_page_asks_another_host_or_runs_a_script() {
    let server = Server::of(Dlbench::on_miniature(), &["--rate", "0"]);
    let link = Regex::new(r#"(href|src|srcset)="([^"]*)""#).expect("a pattern");
    let mut found: BTreeSet<String> = BTreeSet::from(["/".to_owned(), "/query?question=nova%20100%20eval".to_owned()]);
    let mut seen = BTreeSet::new();
    // Every narrower question links to further ones, but two steps from the start show every kind of page.
    for step in 0..3 {
        for path in std::mem::take(&mut found) {
            // Pages beyond a narrower question are like those that led to it.
            if (step == 2 && path.starts_with("/query?")) || !seen.insert(path.clone()) {
                continue;
            }
            let page = server.get(&path);
            // A comparison or a figure of one row is refused with advice.
            let may_be_refused = path.starts_with("/compare?") || path.starts_with("/figure?");
            assert!(page.status == 200 || (may_be_refused && matches!(page.status, 400 | 404)), "{path}: {page:?}");
            assert!(page.headers["content-security-policy"].starts_with("default-src 'none'"), "{path}");
            if !page.headers["content-type"].starts_with("text/html") {
                continue;
            }
            let text = page.body.to_lowercase();
            let scripts: Vec<&str> = text.match_indices("<script").map(|(at, _)| &text[at..]).collect();
            assert!(scripts.len() == 1 && scripts[0].starts_with("<script src=\"/page.js\" defer></script>"), "{path}");
            assert!(!text.contains(" style=") && !text.contains("<style"), "{path}");
            assert!(text.contains("<h1") && text.contains("<title>") && text.contains("lang=\"en\""), "{path}");
            for (_, [kind, target]) in link.captures_iter(&page.body).map(|capture| capture.extract()) {
                let target = target.replace("&amp;", "&");
                match target.starts_with('/') {
                    // A list can be reordered without end, so these links are not followed.
                    true if target.contains("?sort=") && path.contains("?sort=") => (),
                    true => drop(found.insert(target)),
                    // A fragment of the same page.
                    false if target.starts_with('#') => {
                        assert!(page.body.contains(&format!("id=\"{}\"", &target[1..])), "{path}: {target}");
                    }
                    // Only links that a reader clicks may lead to other sites.
                    false => assert!(kind == "href" && target.starts_with("https://example.org/"), "{path}: {target}"),
                }
            }
        }
    }
    for wanted in [
        "/entities/devices/nova-100",
        "/tables/hardware",
        "/figure.svg?",
        "/query/latex?",
        "/measurements/invented-2020%3A",
        "/evidence",
        "/wanted",
        "/data/devices.csv",
        "/entities/devices?sort=",
    ] {
        assert!(seen.iter().any(|path| path.starts_with(wanted)), "{wanted} was not reached");
    }
    let page = server.get("/query?question=nova%20100%20eval").body;
    let row =
        r#"<td class="whole"><a href="/measurements/invented-2020%3A6t8ww7e12f">invented-2020:6t8ww7e12f</a></td>"#;
    let filter = r#"<input type="checkbox" name="precision" value="fp16">"#;
    assert!(page.contains(row) && page.contains(filter), "{page}");
    // Headings sort a list: numbers numerically, reversed by a second click.
    let ordered = server.get("/entities/devices?sort=-memory%20%5BGiB%5D").body;
    let place =
        |id: &str| ordered.find(&format!("/entities/devices/{id}\"")).unwrap_or_else(|| panic!("{id}: {ordered}"));
    assert!(place("nova-100-32gb") < place("nova-100-16gb"), "{ordered}");
    assert!(ordered.contains("aria-sort=\"descending\"><a href=\"/entities/devices?sort=memory%20"), "{ordered}");
    let hardware = server.get("/tables/hardware").body;
    let heads = r#"<a href="/entities/hardware-classes/fpga">FPGA</a></th><th scope="col"><a href="/entities/hardware-classes/gpu">GPU</a>"#;
    assert!(hardware.contains(heads), "{hardware}");
}

#[test]
fn what_is_wanted_is_told_with_what_the_machine_of_the_server_can_measure() {
    let kb = crate::wanted::base();
    let server = Server::of(kb.dlbench(), &["--worker", &crate::wanted::worker()]);
    let cells = server.get("/api/wanted?question=deepnet-101&here=true").json();
    let here = texts(&cells["wanted"], "here");
    assert!(!here.is_empty() && here.iter().all(|device| *device == "cpu"), "{cells:#}");
    let elsewhere = server.get("/api/wanted?question=nova-200").json();
    assert_eq!(elsewhere["wanted"][0]["not_here"], "no device nova-200 here", "{elsewhere:#}");
    let page = server.get("/wanted?question=deepnet-101").body;
    assert!(page.contains("<td>cpu</td>") && page.contains("gpu-before-cpu"), "{page}");
    let unasked = Server::of(kb.dlbench(), &[]);
    assert_eq!(unasked.get("/api/wanted").json()["wanted"][0]["here"], Value::Null);
    let refused = unasked.get("/api/wanted?here=true");
    assert!(refused.status == 400 && refused.body.contains("--ask-worker"), "{refused:?}");
}

#[test]
fn new_data_are_taken_up_without_a_restart_and_no_request_sees_half_of_them() {
    let kb = KbCopy::new();
    let server = Server::of(kb.dlbench(), &["--rate", "0"]);
    let asked = || {
        let answer = server.get("/api/query?question=nova%20eval");
        let rows = answer.json()["measurements"].clone();
        let latencies = rows.as_array().expect("rows").iter().filter_map(|row| row["metrics"]["latency_ms"].as_f64());
        let latencies: BTreeSet<String> = latencies.map(|latency| latency.to_string()).collect();
        (answer.headers["etag"].clone(), latencies)
    };
    let (before, first) = asked();
    let second: BTreeSet<String> =
        first.iter().map(|latency| latency.replace("33.3", "44.4").replace("21.5", "22.6")).collect();
    assert_ne!(first, second);
    let file = "measurements/invented-2020/nova.toml";
    let text = std::fs::read_to_string(kb.path(file)).expect(file);
    kb.write(
        file,
        text.replace("latency-ms = 33.3", "latency-ms = 44.4").replace("latency-ms = 21.5", "latency-ms = 22.6"),
    );
    let start = Instant::now();
    loop {
        let (tag, latencies) = asked();
        assert_eq!(latencies, if tag == before { first.clone() } else { second.clone() }, "{tag}");
        if tag != before {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "it is not taken up");
        std::thread::sleep(Duration::from_millis(20));
    }
    // After an invalid change, the previous state still answers.
    kb.write("catalog/kb.toml", "not = 'ours'");
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(asked().1, second);
}

/// A running server that is stopped when this is dropped.
pub struct Server {
    /// Holds the cache, which must exist as long as the server.
    pub dlbench: Dlbench,
    child: Child,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A response of the server.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Response {
    pub fn json(&self) -> Value {
        let is_json = ["application/json", "application/problem+json"].contains(&self.headers["content-type"].as_str());
        assert!(is_json, "{self:?}");
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Server {
    pub fn of(dlbench: Dlbench, options: &[&str]) -> Self {
        let args = [&["serve", "--address", "127.0.0.1:0"], options].concat();
        let mut child = dlbench.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a start");
        let mut stderr = BufReader::new(child.stderr.take().expect("stderr"));
        let mut said = String::new();
        while !said.contains("listening on") {
            assert!(stderr.read_line(&mut said).expect("a line") > 0, "it ended: {said}");
        }
        let address = said.split("http://").nth(1).and_then(|rest| rest.split('/').next()).map(str::to_owned);
        // Drain later output, so that the pipe does not fill up.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Self { dlbench, child, address: address.unwrap_or_else(|| panic!("no address in {said:?}")) }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        stream
    }

    /// The response to these bytes; `None` if the server closes the connection without one.
    pub fn send(&self, bytes: &[u8]) -> Option<Response> {
        let mut stream = self.connect();
        // The server may refuse the request before all of it is written.
        let _ = stream.write_all(bytes);
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let status = head.split(' ').nth(1).expect("a status").parse().expect("a number");
        let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
        let headers: BTreeMap<String, String> = headers.map(|(k, v)| (k.to_lowercase(), v.to_owned())).collect();
        let mut body = Vec::new();
        let _ = reader.read_to_end(&mut body);
        Some(Response { status, headers, body: String::from_utf8_lossy(&body).into_owned() })
    }

    pub fn ask(&self, method: &str, path: &str, headers: &str) -> Response {
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", self.address);
        self.send(request.as_bytes()).unwrap_or_else(|| panic!("{method} {path}: no answer"))
    }

    pub fn get(&self, path: &str) -> Response {
        self.ask("GET", path, "")
    }

    /// Peak memory of the server in KiB; 0 if the system does not report it.
    pub fn peak_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        peak.unwrap_or(0)
    }
}
