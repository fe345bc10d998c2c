//! `dlbench pull`: whatever a server sends and whenever the process ends, the complete old or the complete new base answers.

mod downloads;
mod taken;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::{Dlbench, KbCopy, Ran};

/// Two published states of a knowledge base.
struct Published {
    old: Release,
    new: Release,
    /// The new state as an archive that a Git host makes of a repository.
    archive: Vec<u8>,
    /// An archive of the same kind whose files contain an error.
    mistaken: Vec<u8>,
}

struct Release {
    snapshot: Vec<u8>,
    /// Content hash of its files.
    content: String,
    /// Its name in messages.
    origin: String,
}

/// Dates of the two states, later than that of any built-in knowledge base.
static DAYS: LazyLock<[String; 2]> = LazyLock::new(|| {
    // Today and tomorrow: later than the built-in knowledge base, and not in the distant future.
    let now = jiff::Timestamp::now();
    [0, 24].map(|hours| (now + jiff::SignedDuration::from_hours(hours)).strftime("%Y-%m-%d").to_string())
});

fn published() -> &'static Published {
    static PUBLISHED: OnceLock<Published> = OnceLock::new();
    PUBLISHED.get_or_init(|| {
        let kb = KbCopy::new();
        let folder = kb.path("");
        let git = |day: &str, args: &[&str]| {
            let mut git = Command::new("git");
            git.arg("-C")
                .arg(&folder)
                .args(["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "core.autocrlf=false"])
                .args(args);
            git.env("GIT_COMMITTER_DATE", format!("{day}T12:00:00+0000")).env("GIT_CONFIG_GLOBAL", "/dev/null");
            let out = git.output().expect("git");
            assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
            out.stdout
        };
        let archive = || git(&DAYS[1], &["archive", "--format=tar.gz", "--prefix=dlbench-main/", "HEAD"]);
        git(&DAYS[0], &["init", "--quiet"]);
        let mut releases = [&DAYS[0], &DAYS[1]].map(|day| {
            if *day == DAYS[1] {
                kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", "latency-ms = 44.4");
            }
            git(day, &["add", "."]);
            git(day, &["commit", "--quiet", "--message", "a state"]);
            let file = TempDir::new().expect("a temporary folder");
            let file = file.path().join("kb.tar.gz");
            let program = kb.dlbench();
            assert_eq!(program.run(&["snapshot", "-o", file.to_str().expect("UTF-8")]).code, 0);
            let commit = String::from_utf8(git(day, &["rev-parse", "--short=10", "HEAD"])).expect("UTF-8");
            Release {
                snapshot: fs::read(file).expect("a snapshot"),
                content: content(&program.json(&STATUS)),
                origin: format!("of {day} (commit {})", commit.trim()),
            }
        });
        let archived = archive();
        kb.append("measurements/invented-2020/nova.toml", "\nnot-a-key = 1\n");
        git(&DAYS[1], &["commit", "--quiet", "--all", "--message", "a mistake"]);
        let mistaken = archive();
        let new = std::mem::replace(
            &mut releases[1],
            Release { snapshot: vec![], content: String::new(), origin: String::new() },
        );
        let [old, _] = releases;
        Published { old, new, archive: archived, mistaken }
    })
}

const STATUS: [&str; 4] = ["index", "--status", "-f", "json"];

fn content(status: &Value) -> String {
    status["content"].as_str().unwrap_or_else(|| panic!("{status}")).to_owned()
}

/// A user in a folder without a knowledge base.
struct Person {
    program: Dlbench,
    folder: TempDir,
}

impl Person {
    /// A user who has pulled nothing.
    fn new() -> Self {
        Self { program: Dlbench::on("nowhere"), folder: TempDir::new().expect("a temporary folder") }
    }

    /// A user who has pulled the old state.
    fn with_old() -> Self {
        let person = Self::new();
        let ran = person.run(&["pull", &person.file("old.tar.gz", &published().old.snapshot)]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        person
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program.command(args);
        command.current_dir(self.folder.path()).env_remove("DLBENCH_KB");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.program.ran(self.command(args).output().expect("the program starts"))
    }

    /// Pulls with a short timeout.
    fn pull(&self, address: &str) -> Ran {
        self.run(&["pull", address, "--timeout", "1"])
    }

    /// Creates a file in the user's folder and returns its path.
    fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, content).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// Content hash of the pulled knowledge base that answers; covers every byte of every file.
    fn answers(&self) -> String {
        let ran = self.run(&STATUS);
        let status: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let origin = status["origin"].as_str().unwrap_or_default();
        assert!(origin.starts_with("the pulled one ") && ran.stderr.is_empty(), "{origin}: {}", ran.stderr);
        content(&status)
    }

    /// Names in the folder of pulled states.
    fn stored_states(&self) -> Vec<String> {
        let entries = fs::read_dir(self.program.data().join("pulled")).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    /// Asserts that a pull reports the server's fault with advice, and that the old state still answers.
    fn keeps_the_old_one(&self, address: &str, told: &str) {
        let ran = self.pull(address);
        assert_eq!(ran.code, 2, "{told}: {}", ran.stderr);
        assert!(ran.stderr.contains(told) && ran.stderr.contains("help: "), "{told}: {}", ran.stderr);
        assert_eq!(self.answers(), published().old.content, "{told}");
    }
}

/// Polls until a condition holds, for at most 20 s.
fn wait_until(holds: impl Fn() -> bool) {
    let until = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < until, "it never came");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A server that answers requests with a given function and records the head of each.
pub struct Server {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

/// A request received by the server.
pub struct Request {
    head: String,
}

impl Request {
    /// The path, with its leading `/`.
    pub fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap_or_default()
    }

    /// The value of a header; `name` is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }

    /// The first byte that a range request asks for.
    pub fn from(&self) -> Option<usize> {
        self.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let pairs = head.lines().filter_map(|line| line.split_once(": "));
    pairs.into_iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The connection to the client. Errors from a client that has hung up are ignored.
pub struct Answer(TcpStream);

impl Answer {
    /// Sends the status line, headers and the empty line after them.
    pub fn head(&mut self, status: &str, headers: &str) -> &mut Self {
        self.bytes(format!("HTTP/1.1 {status}\r\nConnection: close\r\n{headers}\r\n").as_bytes())
    }

    /// Sends bytes unchanged.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        let _ = self.0.write_all(bytes);
        self
    }

    /// Sends a complete, correct file.
    pub fn file(&mut self, content: &[u8], headers: &str) {
        self.head("200 OK", &format!("Content-Length: {}\r\n{headers}", content.len())).bytes(content);
    }

    /// Sends the rest of a file, from byte `from`.
    pub fn part(&mut self, content: &[u8], from: usize, headers: &str) {
        let (last, all) = (content.len() - 1, content.len());
        let range = format!("Content-Range: bytes {from}-{last}/{all}\r\nContent-Length: {}\r\n", all - from);
        self.head("206 Partial Content", &format!("{range}{headers}")).bytes(&content[from..]);
    }

    /// Stops sending.
    pub fn end(&mut self) {
        let _ = self.0.flush();
    }

    /// Stops sending and keeps the connection open longer than any test waits.
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

    /// A server that sends a file under an entity tag, or 304 if the client has it.
    pub fn of_file(content: Vec<u8>, etag: &'static str) -> Self {
        Self::new(move |request, answer| match request.header("if-none-match") {
            Some(known) if known == etag => answer.head("304 Not Modified", &format!("ETag: {etag}\r\n")).end(),
            _ => answer.file(&content, &format!("ETag: {etag}\r\n")),
        })
    }

    /// The URL of the server's file.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/kb.tar.gz", self.port)
    }

    /// The values of a header in all requests so far.
    pub fn heard(&self, name: &str) -> Vec<Option<String>> {
        let heard = self.heard.lock().expect("no thread panics");
        heard.iter().map(|head| header(head, name).map(str::to_owned)).collect()
    }

    /// Number of requests so far.
    pub fn requests(&self) -> usize {
        self.heard("host").len()
    }
}
