//! `dlbench serve` with malicious visitors: none of their code runs, nothing leaks to them, and other visitors are served.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::serve::{Response, Server};
use crate::{Dlbench, KbCopy};

#[test]
fn markup_and_strangers_get_nothing() {
    let kb = KbCopy::new();
    let markup = "<img src=x onerror=alert(1)>\\\" onfocus=alert(2) \\\"&";
    kb.replace("catalog/devices/nova-100.toml", "name = \"Acme Nova 100\"", &format!("name = \"{markup}\""));
    let server = Server::of(kb.dlbench(), &["--rate", "0"]);
    for path in [
        "/query?question=%3Cscript%3Ealert(1)%3C/script%3E%20nova",
        "/query?question=nova%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E",
        "/query?question=nova",
        "/entities/devices",
        "/entities/devices/nova-100",
        "/entities/devices/%3Cscript%3E",
        "/compare?question=nova%20eval&rows=%3Cscript%3E",
        "/%3Cscript%3Ealert(1)%3C/script%3E",
        "/figure?question=%3Cscript%3E",
    ] {
        let page = server.get(path);
        let text = page.body.to_lowercase();
        assert!(
            !text.contains("<script>") && !text.contains("<img src=x") && !text.contains("\" onfocus"),
            "{path}: {text}"
        );
        assert_eq!(page.headers["x-content-type-options"], "nosniff", "{path}");
        let policy = &page.headers["content-security-policy"];
        for part in ["default-src 'none'", "script-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"] {
            assert!(policy.split("; ").any(|stated| stated == part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{path}: {policy}");
    }
    let drawn = server.get("/figure.svg?question=nova%20eval");
    assert!(!drawn.body.contains("<img src=x"), "{}", drawn.body);
    for path in [
        "/../../../../etc/passwd",
        "/entities/devices/..%2f..%2f..%2fetc%2fpasswd",
        "/style.css/../../Cargo.toml",
        "/%00",
        "/tables/%2e%2e",
    ] {
        let page = server.get(path);
        assert!(
            (400..500).contains(&page.status) && !page.body.contains("root:") && !page.body.contains("[package]"),
            "{path}: {page:?}"
        );
    }
    for host in ["evil.example", "localhost.evil.example", ""] {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let refused = server.send(request.as_bytes()).expect("an answer");
        assert!(refused.status == 421 && !refused.body.contains("invented-2020"), "{host}: {refused:?}");
    }
    let named = Server::of(kb.dlbench(), &["--host", "bench.example"]);
    let request = b"GET / HTTP/1.1\r\nHost: bench.example:443\r\nConnection: close\r\n\r\n";
    assert_eq!(named.send(request).map(|response| response.status), Some(200));
}

#[test]
fn nobody_takes_more_than_one_request_may() {
    let server = Server::of(Dlbench::on_miniature(), &["--rate", "0"]);
    let long = "x".repeat(3_000);
    let refused = server.get(&format!("/api/query?question={long}"));
    assert_eq!((refused.status, &refused.json()["type"]), (400, &json!("/api/problems#too-much")));
    assert_eq!(server.get("/api/query?question=nova&limit=1001").status, 400);
    let rows = server.get("/api/query?question=nova%20limit:100000000").json();
    assert_eq!(rows["measurements"].as_array().map(Vec::len), rows["total"].as_u64().map(|total| total as usize));
    let head = format!("GET /{} HTTP/1.1\r\nHost: {}\r\n\r\n", "x".repeat(40_000), server.address);
    assert!(server.send(head.as_bytes()).is_none_or(|answer| answer.status == 431), "a head too long is cut off");
    for method in ["POST", "PUT", "DELETE"] {
        assert_eq!(server.ask(method, "/api/query?question=nova", "Content-Length: 0\r\n").status, 405, "{method}");
    }
    // A body without end is not read.
    let endless = format!(
        "GET /api/query?question=nova HTTP/1.1\r\nHost: {}\r\nTransfer-Encoding: chunked\r\n\r\n",
        server.address
    );
    let start = Instant::now();
    assert_eq!(server.send(endless.as_bytes()).map(|response| response.status), Some(413));
    assert!(start.elapsed() < Duration::from_secs(9));
    for garbage in
        [&b"\x16\x03\x01\x02\x00\x01\x00"[..], b"GET\r\n\r\n", b"\0\0\0\0\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"]
    {
        let answer = server.send(&[garbage, b"\r\n\r\n"].concat());
        assert!(answer.is_none_or(|answer| answer.status >= 400), "{garbage:?}");
    }
    // A client with more connections than one address may have is shut out; its first ones stay open, and later it is served again.
    let mut slow: Vec<TcpStream> = (0..300).map(|_| server.connect()).collect();
    for stream in &mut slow {
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHo");
    }
    let request = format!("GET /api HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    assert!(server.send(request.as_bytes()).is_none(), "one address has more than its connections");
    drop(slow);
    let start = Instant::now();
    while server.send(request.as_bytes()).is_none_or(|answer| answer.status != 200) {
        assert!(start.elapsed() < Duration::from_secs(30), "it does not answer again");
        std::thread::sleep(Duration::from_millis(20));
    }
    let limited = Server::of(Dlbench::on_miniature(), &["--rate", "1"]);
    let answers: Vec<Response> = (0..8).map(|_| limited.get("/api")).collect();
    let refused = answers.iter().find(|answer| answer.status == 429).expect("a refusal");
    assert!(refused.json()["help"].as_str().is_some_and(|help| help.contains("--rate")));
    assert_eq!((answers[3].status, refused.headers["retry-after"].as_str()), (200, "1"));
}

#[test]
fn an_address_that_would_run_is_no_link() {
    let kb = KbCopy::new();
    let source = "catalog/sources/invented-2020.toml";
    kb.replace(source, "https://example.org/invented", "javascript:alert(1)");
    let note = "notes = \"[read](javascript:alert(2)) <a href='javascript:alert(3)'>this</a>\"";
    kb.replace(source, "notes = \"Invented for the tests.\"", note);
    kb.replace("catalog/sources/imagined-2018.toml", "https://example.org/imagined", " JaVaScRiPt:alert(4)");
    let server = Server::of(kb.dlbench(), &["--rate", "0"]);
    for path in [
        "/query?question=nova%20eval",
        "/entities/sources",
        "/entities/sources/invented-2020",
        "/entities/sources/imagined-2018",
        "/compare?question=nova%20eval",
        "/query?question=javascript:alert(5)",
        "/evidence",
    ] {
        let page = server.get(path).body.to_lowercase();
        for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(!link.trim_start().starts_with("javascript"), "{path}: {link}");
        }
        assert!(!page.contains("<a href='javascript"), "{path}: {page}");
    }
}

#[test]
fn a_question_of_ten_megabytes_is_not_taken_in() {
    let server = Server::of(Dlbench::on_miniature(), &["--rate", "0"]);
    let before = server.peak_kib();
    let question = "x%20".repeat(10_000_000 / 4);
    for path in ["/api/query", "/query", "/compare", "/figure.svg"] {
        let start = Instant::now();
        let head = format!("GET {path}?question={question} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
        let answer = server.send(head.as_bytes());
        assert!(answer.is_none_or(|answer| matches!(answer.status, 414 | 431)), "{path}");
        assert!(start.elapsed() < Duration::from_secs(10), "{path}: {:?}", start.elapsed());
    }
    assert_eq!(server.get("/api/query?question=nova").status, 200);
    let grown = server.peak_kib() - before;
    assert!(grown < 40_000, "it took {grown} KiB more");
}

#[test]
fn a_body_that_never_ends_is_cut_off() {
    let server = Server::of(Dlbench::on_miniature(), &["--rate", "0"]);
    for head in ["Transfer-Encoding: chunked", "Content-Length: 18446744073709551615", "Content-Length: 10000000000"] {
        let mut stream = server.connect();
        let request = format!("POST /api/query?question=nova HTTP/1.1\r\nHost: {}\r\n{head}\r\n\r\n", server.address);
        stream.write_all(request.as_bytes()).expect("a head is taken");
        let start = Instant::now();
        // Writing after the connection was closed returns an error.
        while stream.write_all(b"10\r\n0123456789abcdef\r\n").is_ok() {
            assert!(start.elapsed() < Duration::from_secs(20), "{head}: the body is still taken");
        }
    }
    assert_eq!(server.get("/api/query?question=nova").status, 200);
}

#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_slow_connections_shut_out_nobody_else() {
    let server = Server::of(Dlbench::on_miniature(), &["--rate", "0"]);
    let before = server.peak_kib();
    let slow = slow_connections(&server, |_| 1);
    let start = Instant::now();
    let other = answered_at(2, &server).expect("a visitor of another address is answered");
    assert!(other.contains(" 200 ") && start.elapsed() < Duration::from_secs(5), "{:?}: {other}", start.elapsed());
    drop(slow);
    // Clients at many addresses take all places, but a client at a new address still gets one.
    let slow = slow_connections(&server, |at| 3 + (at % 200) as u8);
    let start = Instant::now();
    let other = answered_at(2, &server).expect("a visitor of another address is answered");
    assert!(other.contains(" 200 ") && start.elapsed() < Duration::from_secs(5), "{:?}: {other}", start.elapsed());
    drop(slow);
    let grown = server.peak_kib() - before;
    assert!(grown < 40_000, "it took {grown} KiB more");
}

/// Opens 10,000 connections from 127.0.0.`last(at)`, each with an unfinished request head; keeps open as many as the limit on this
/// process's open files allows.
#[cfg(target_os = "linux")]
fn slow_connections(server: &Server, last: impl Fn(usize) -> u8) -> Vec<TcpStream> {
    const CONNECTIONS: usize = 10_000;
    let may_hold = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let may_hold = may_hold.map_or(CONNECTIONS, |files| (files as usize / 2).min(CONNECTIONS));
    let mut held = std::collections::VecDeque::new();
    for at in 0..CONNECTIONS {
        let Ok(mut stream) = connected_from(last(at), server) else { continue };
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nX-Slow: ");
        held.push_back(stream);
        if held.len() > may_hold {
            held.pop_front();
        }
    }
    held.into()
}

/// A connection from 127.0.0.`last`, a local address of this machine.
#[cfg(target_os = "linux")]
fn connected_from(last: u8, server: &Server) -> std::io::Result<TcpStream> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind(([127, 0, 0, last], 0).into())?;
        socket.connect(server.address.parse().expect("an address")).await
    })?;
    let stream = stream.into_std()?;
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// The response to a client at 127.0.0.`last`; `None` if the connection is closed without one.
#[cfg(target_os = "linux")]
pub fn answered_at(last: u8, server: &Server) -> Option<String> {
    let mut stream = connected_from(last, server).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
    let request = format!("GET /api HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok().filter(|_| !answer.is_empty())?;
    Some(answer)
}
