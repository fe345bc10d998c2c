//! `dlbench check --online` against servers of this machine.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::KbCopy;

/// A server that answers each request with what `answer` makes of `HEAD /page`, and keeps all requests with their heads.
/// Without an answer it is silent.
struct Server {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new(answer: fn(&str) -> Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&heard);
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming().flatten() {
                let head = head(&stream);
                let request = head.split(" HTTP").next().unwrap_or_default().to_owned();
                keep.lock().unwrap().push(head);
                match answer(&request) {
                    Some(answer) => {
                        write!(&stream, "HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                            .expect("somebody listens")
                    }
                    None => held.push(stream),
                }
            }
        });
        Self { port, heard }
    }

    fn address(&self, page: &str) -> String {
        format!("http://127.0.0.1:{}/{page}", self.port)
    }

    /// The requests so far, without their heads.
    fn requests(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.iter().map(|head| head.split(" HTTP").next().unwrap_or_default().to_owned()).collect()
    }
}

fn head(stream: &TcpStream) -> String {
    let lines = BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

const FILE: &str = "catalog/sources/asked-2020.toml";

/// The miniature knowledge base, of which only one source cites an address.
fn citing(address: &str) -> KbCopy {
    let kb = KbCopy::new();
    for source in ["imagined-2018", "invented-2020"] {
        let file = format!("catalog/sources/{source}.toml");
        kb.replace(&file, "url = \"https://example.org/", "# \"");
    }
    kb.write(FILE, cites(address));
    kb
}

fn cites(address: &str) -> String {
    format!(
        "name = \"Asked\"\ntype = \"misc\"\nauthors = [\"Nobody, Ada\"]\nyear = 2020\nurl = \"{address}\"\naccessed = 2026-11-21\n"
    )
}

/// The servers of these tests are on this machine.
const ONLINE: &[&str] = &["--online", "--ask-local", "127.0.0.1"];

/// What is found about addresses in the one file, all kept answers being those of `kb`.
fn found(kb: &KbCopy, timeout: &str) -> Vec<String> {
    let file = kb.path(FILE);
    let file = file.to_str().expect("a path in UTF-8");
    let args = [&["check", file, "--timeout", timeout, "--only", "DL0215", "-f", "json"], ONLINE].concat();
    let program = kb.dlbench().with_cache(kb.path("cache"));
    let report: Value = program.json(&args);
    let findings = report["findings"].as_array().unwrap_or_else(|| panic!("{report:#}"));
    findings.iter().map(|finding| finding["message"].as_str().expect("a message").to_owned()).collect()
}

#[test]
fn a_page_that_answers_is_asked_once_and_remembered() {
    let server = Server::new(|_| Some("200 OK"));
    let kb = citing(&server.address("page#part"));
    assert_eq!(found(&kb, "20"), [""; 0]);
    assert_eq!(found(&kb, "20"), [""; 0]);
    assert_eq!(server.requests(), ["HEAD /page"]);
    let heard = server.heard.lock().unwrap()[0].to_lowercase();
    assert!(heard.contains("user-agent: dlbench/"), "{heard}");
}

#[test]
fn a_page_that_is_gone_is_told_and_asked_again_another_day() {
    let server = Server::new(|_| Some("404 Not Found"));
    let kb = citing(&server.address("page"));
    for _ in 0..2 {
        assert_eq!(found(&kb, "20"), ["the page is gone: HTTP status 404"]);
    }
    assert_eq!(server.requests(), ["HEAD /page", "GET /page"], "some servers know no HEAD");
    let text = kb.dlbench().with_cache(kb.path("cache")).run(&[&["check"], ONLINE].concat());
    assert_eq!(text.code, 0, "it is only worth knowing: {}", text.stdout);
    assert!(text.stdout.contains("info[DL0215]: the page is gone"), "{}", text.stdout);
    assert!(text.stdout.contains("url = \"http://127.0.0.1"), "{}", text.stdout);
}

#[test]
fn a_server_without_heads_is_asked_for_the_page() {
    let server = Server::new(|request| Some(if request.starts_with("HEAD") { "405 No" } else { "200 OK" }));
    assert_eq!(found(&citing(&server.address("page")), "20"), [""; 0]);
    let refusing = Server::new(|_| Some("403 Forbidden"));
    assert_eq!(found(&citing(&refusing.address("page")), "20"), ["the server answers with HTTP status 403"]);
}

#[test]
fn only_a_page_that_moved_for_good_is_told() {
    let moved =
        Server::new(|request| Some(if request.ends_with("/new") { "200 OK" } else { "301 Moved\r\nLocation: /new" }));
    assert_eq!(found(&citing(&moved.address("old")), "20"), ["the address has moved for good"]);
    let elsewhere = Server::new(|request| {
        Some(if request.ends_with("/today") { "200 OK" } else { "302 Found\r\nLocation: /today" })
    });
    assert_eq!(found(&citing(&elsewhere.address("page")), "20"), [""; 0]);
    let round = Server::new(|_| Some("302 Found\r\nLocation: /page"));
    assert_eq!(found(&citing(&round.address("page")), "20"), ["no answer: more than 10 redirections"]);
}

#[test]
fn nobody_of_this_machine_is_asked_neither_at_once_nor_by_a_redirection() {
    let secret = Server::new(|_| Some("200 OK"));
    let leading = Server::new(|request| {
        // The port comes with the page.
        let port = request.rsplit('/').next().unwrap_or_default();
        let to = format!("302 Found\r\nLocation: http://localhost:{port}/secret");
        Some(&*Box::leak(to.into_boxed_str()))
    });
    let port = secret.port;
    for address in [
        format!("http://localhost:{port}/"),
        format!("http://127.0.0.2:{port}/"),
        format!("http://0x7f.2:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        leading.address(&port.to_string()),
    ] {
        let told = found(&citing(&address), "20");
        assert!(told.len() == 1 && told[0].starts_with("not asked: "), "{address}: {told:?}");
    }
    assert_eq!(secret.requests(), [""; 0]);
    assert!(!leading.requests().is_empty());
}

#[test]
fn a_silent_server_is_given_up_and_not_remembered() {
    let server = Server::new(|_| None);
    let kb = citing(&server.address("page"));
    for _ in 0..2 {
        assert_eq!(found(&kb, "1"), ["no answer: it took too long"]);
    }
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_busy_server_is_left_alone() {
    let server = Server::new(|_| Some("429 Too Many Requests\r\nRetry-After: 3600"));
    assert_eq!(found(&citing(&server.address("page")), "20"), [""; 0]);
    assert_eq!(server.requests(), ["HEAD /page"]);
}

#[test]
fn what_is_named_with_a_reason_is_not_asked() {
    let server = Server::new(|_| Some("404 Not Found"));
    let kb = citing(&server.address("page"));
    let unasked = |address: &str| format!("\n[[unasked]]\naddress = \"{address}\"\nreason = \"refuses programs\"\n");
    kb.append("catalog/kb.toml", &unasked(&server.address("")));
    assert_eq!(found(&kb, "20"), [""; 0]);
    assert_eq!(server.requests(), [""; 0]);
    kb.write(FILE, cites("https://example.org/"));
    kb.append("catalog/kb.toml", &unasked("https://example.org/"));
    let told = kb.dlbench().run(&["check", "--online", "--only", "DL0215"]).stdout;
    assert!(told.contains("no cited address begins with http://127.0.0.1"), "{told}");
    assert!(!told.contains("https://example.org/"), "{told}");
}

#[test]
fn an_exception_holds_while_its_page_is_gone() {
    let server = Server::new(|request| Some(if request.ends_with("/gone") { "404 Not Found" } else { "200 OK" }));
    let kb = citing(&server.address("gone"));
    let exception = "\n[[exceptions]]\nrule = \"DL0215\"\nreason = \"kept for its commit\"\n";
    kb.append(FILE, exception);
    assert_eq!(found(&kb, "20"), [""; 0]);
    assert_eq!(kb.dlbench().run(&["check"]).code, 0);
    let unneeded = |online: &[&str]| {
        let program = kb.dlbench().with_cache(kb.path("cache"));
        program.run(&[&["check"], online].concat()).stdout.contains("DL0506")
    };
    assert!(!unneeded(ONLINE) && !unneeded(&[]));
    kb.write(FILE, cites(&server.address("here")) + exception);
    assert!(!unneeded(&[]), "nobody asked");
    assert!(unneeded(ONLINE));
}
