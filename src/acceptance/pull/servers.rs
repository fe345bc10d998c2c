//! Servers of this machine that serve a file, each with a fault of its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A server that answers each request as it is told to, and keeps the heads of all of them.
pub struct Server {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

/// What is asked.
pub struct Request {
    head: String,
}

impl Request {
    /// The path, with `/` in front.
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    /// A header, whose name is in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    /// The byte from which on it asks.
    pub fn from(&self) -> Option<usize> {
        self.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let pairs = head.lines().filter_map(|line| line.split_once(": "));
    pairs.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The way back to who asked. Who has hung up is told nothing.
pub struct Answer(TcpStream);

impl Answer {
    /// Status line, headers and the empty line behind them.
    pub fn head(&mut self, status: &str, headers: &str) -> &mut Self {
        self.bytes(format!("HTTP/1.1 {status}\r\nConnection: close\r\n{headers}\r\n").as_bytes())
    }

    /// What goes out as it is.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        let _ = self.0.write_all(bytes);
        self
    }

    /// A file, as a server sends it that does everything right.
    pub fn file(&mut self, content: &[u8], headers: &str) {
        self.head("200 OK", &format!("Content-Length: {}\r\n{headers}", content.len())).bytes(content);
    }

    /// The rest of a file.
    pub fn part(&mut self, content: &[u8], from: usize, headers: &str) {
        let (last, all) = (content.len() - 1, content.len());
        let range = format!("Content-Range: bytes {from}-{last}/{all}\r\nContent-Length: {}\r\n", all - from);
        self.head("206 Partial Content", &format!("{range}{headers}")).bytes(&content[from..]);
    }

    /// Nothing more.
    pub fn end(&mut self) {
        let _ = self.0.flush();
    }

    /// Nothing more, but the line stays open for longer than anybody waits here.
    pub fn stall(&mut self) {
        std::thread::sleep(Duration::from_secs(20));
    }
}

impl Server {
    pub fn new(answer: impl Fn(&Request, &mut Answer) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (keep, answer) = (Arc::clone(&heard), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (keep, answer) = (Arc::clone(&keep), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let lines = BufReader::new(&stream).lines().map_while(Result::ok);
                    let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
                    let request = Request { head: head.join("\n") };
                    keep.lock().expect("no thread panics").push(request.head.clone());
                    answer(&request, &mut Answer(stream));
                });
            }
        });
        Self { port, heard }
    }

    /// One that sends a file whenever it is asked, under an entity tag.
    pub fn of_file(content: Vec<u8>, etag: &'static str) -> Self {
        Self::new(move |request, answer| match request.header("if-none-match") {
            Some(known) if known == etag => answer.head("304 Not Modified", &format!("ETag: {etag}\r\n")).end(),
            _ => answer.file(&content, &format!("ETag: {etag}\r\n")),
        })
    }

    /// The address of its file.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/kb.tar.gz", self.port)
    }

    /// A header of each request so far.
    pub fn heard(&self, name: &str) -> Vec<Option<String>> {
        let heard = self.heard.lock().expect("no thread panics");
        heard.iter().map(|head| header(head, name).map(str::to_owned)).collect()
    }

    /// How many requests there were.
    pub fn requests(&self) -> usize {
        self.heard("host").len()
    }
}
