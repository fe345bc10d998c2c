//! A running `dlbench serve`, and what it answers.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::Dlbench;

/// A server that ends when this goes.
pub struct Server {
    /// Its cache must last as long.
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

/// What came back.
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
        // What it says later must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Self { dlbench, child, address: address.unwrap_or_else(|| panic!("no address in {said:?}")) }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        stream
    }

    /// What is answered to these bytes; `None` where the connection is closed without a word.
    pub fn send(&self, bytes: &[u8]) -> Option<Response> {
        let mut stream = self.connect();
        // It may have been refused before all was written.
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

    /// The most memory that it has had, in KiB; 0 where the system does not tell.
    pub fn peak_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
        peak.unwrap_or(0)
    }
}
