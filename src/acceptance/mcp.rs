//! `dlbench mcp`: a protocol client gets the numbers that the commands print, and no input on stdin breaks the server.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rmcp::model::{CallToolRequestParams, CallToolResult, ReadResourceRequestParams};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json};

use crate::{Dlbench, KbCopy, REPOSITORY, texts};

/// A client from the protocol's own library, with the program as a child process.
struct Client {
    /// Holds the cache, which must exist as long as the client.
    dlbench: Dlbench,
    runtime: tokio::runtime::Runtime,
    service: RunningService<RoleClient, ()>,
}

impl Client {
    fn of(dlbench: Dlbench) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let service = runtime.block_on(async {
            let child = TokioChildProcess::new(tokio::process::Command::from(dlbench.command(&["mcp"])));
            ().serve(child.expect("the program starts")).await.expect("the protocol begins")
        });
        Self { dlbench, runtime, service }
    }

    fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.runtime.block_on(self.service.call_tool(call)).unwrap_or_else(|error| panic!("{tool}: {error}"))
    }

    /// The document and the text of a successful call.
    fn reply(&self, tool: &'static str, arguments: Value) -> (Value, String) {
        let result = self.call(tool, arguments);
        assert_eq!(result.is_error, Some(false), "{result:?}");
        let text = text(&result);
        (result.structured_content.expect("a document"), text)
    }

    /// The error message of a refused call.
    fn refusal(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result.is_error, Some(true), "{result:?}");
        let document = result.structured_content.as_ref().expect("a document");
        assert!(document["error"].is_string() && document["message"].is_string(), "{document}");
        text(&result)
    }

    fn end(self) {
        self.runtime.block_on(self.service.cancel()).expect("it ends");
    }
}

fn text(result: &CallToolResult) -> String {
    let texts: Vec<&str> =
        result.content.iter().map(|content| content.as_text().expect("a text").text.as_str()).collect();
    texts.concat()
}

#[test]
fn a_client_gets_the_numbers_of_the_commands_with_ids_and_sources() {
    let client = Client::of(Dlbench::on_miniature());
    let dlbench = &client.dlbench;
    let tools = client.runtime.block_on(client.service.list_all_tools()).expect("tools");
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["query", "compare", "evidence", "show", "resolve", "cite"]);
    for tool in &tools {
        let schema = Value::Object((*tool.input_schema).clone());
        let mut compiler = boon::Compiler::new();
        compiler.add_resource("tool.json", schema.clone()).expect("a resource");
        compiler
            .compile("tool.json", &mut boon::Schemas::new())
            .unwrap_or_else(|error| panic!("{}: {error}", tool.name));
        assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
        let described = schema["properties"].as_object().expect("arguments").values();
        assert!(described.clone().all(|argument| argument["description"].is_string()), "{schema}");
        let gives = Value::Object((**tool.output_schema.as_ref().expect("an output schema")).clone());
        assert_eq!(gives["type"], "object", "{gives}");
    }
    let described = serde_json::to_string(&tools).expect("JSON").len();
    assert!(described < 24_000, "the description of the tools has {described} bytes");
    let kinds = &tools[3].input_schema["properties"]["kind"]["enum"];
    assert!(kinds.as_array().is_some_and(|kinds| kinds.contains(&json!("device"))), "{kinds}");

    let asked = "nova 100 eval";
    let (answer, text) = client.reply("query", json!({ "question": asked, "limit": 3 }));
    let printed = dlbench.json(&["query", "--limit", "3", "-f", "json", asked]);
    assert_eq!(texts(&answer["measurements"], "id"), texts(&printed["measurements"], "id"));
    assert_eq!((answer["total"].as_u64(), &answer["conclusion"]["text"]), (Some(4), &printed["conclusion"]["text"]));
    assert_eq!(answer["knowledge_base"], dlbench.json(&["index", "--status", "-f", "json"])["content"]);
    for row in answer["measurements"].as_array().expect("rows") {
        let id = row["id"].as_str().expect("an id");
        assert!(text.contains(id), "{id} is not in {text}");
        let (shown, _) = client.reply("show", json!({ "name": id }));
        assert_eq!((&shown["facts"]["metrics"], &shown["facts"]["id"]), (&row["metrics"], &row["id"]));
        assert_eq!(texts(&shown["references"], "key"), ["dlbench-kb", "invented-2020"]);
    }
    assert_eq!(texts(&answer["catalog"]["sources"], "id"), ["invented-2020"]);

    let (cited, text) = client.reply("cite", json!({ "ids": ["invented-2020:6t8", "imagined-2018"] }));
    assert_eq!(texts(&cited["references"], "key"), ["dlbench-kb", "imagined-2018", "invented-2020"]);
    assert!(text.contains("@misc{invented-2020,") && cited["bibtex"] == text.as_str());
    let (read, _) = client.reply("resolve", json!({ "kind": "device", "spelling": "8 * Nova 100" }));
    assert_eq!((texts(&read["ids"], ""), &read["count"]), (vec!["nova-100"], &json!(8)));
    let (table, text) =
        client.reply("compare", json!({ "question": "nova 100 eval deepnet-50", "rows": ["framework"] }));
    assert_eq!(table["rows_by"], json!(["framework"]));
    assert!(text.contains("Firelight") && text.contains("Benchmarks That Nobody Ran"), "{text}");
    let ids = texts(&answer["measurements"], "id");
    let (verdict, _) = client.reply("compare", json!({ "ids": ids[..2] }));
    assert_eq!(verdict["ids"], json!(ids[..2]));

    let templates = client.runtime.block_on(client.service.list_all_resource_templates()).expect("templates");
    assert!(templates.iter().any(|template| template.uri_template == "dlbench://device/{id}"), "{templates:?}");
    let listed = client.runtime.block_on(client.service.list_all_resources()).expect("resources");
    assert!(listed.iter().any(|resource| resource.uri == "dlbench://source/invented-2020"), "{listed:?}");
    let read = |uri: &str| client.runtime.block_on(client.service.read_resource(ReadResourceRequestParams::new(uri)));
    let device = serde_json::to_value(read("dlbench://device/nova-100").expect("a device")).expect("JSON");
    let document: Value = serde_json::from_str(device["contents"][0]["text"].as_str().expect("a text")).expect("JSON");
    assert_eq!(document["facts"]["id"], "nova-100");
    let lost = read("dlbench://device/nova-1000").expect_err("no such device").to_string();
    assert!(lost.contains("did you mean nova-100"), "{lost}");
    client.end();
}

#[test]
fn a_mistake_is_told_so_that_an_assistant_can_mend_it() {
    let client = Client::of(Dlbench::on_miniature());
    for (tool, arguments, told) in [
        ("query", json!({}), "the question is empty"),
        ("query", json!({ "question": " " }), "the question is empty"),
        (
            "query",
            json!({ "question": "nova", "colour": 1 }),
            "there is no argument `colour`\nhelp: the arguments are question",
        ),
        ("query", json!({ "question": "nova batch>=" }), "write batch>=… without a blank"),
        ("query", json!({ "question": "nova", "limit": 1_000_000 }), "the limit is 1000000; 50 are the most"),
        (
            "query",
            json!({ "question": "nova ".repeat(2_000_000) }),
            "the question has 10000000 bytes; 2000 are the most",
        ),
        ("evidence", json!({ "question": " " }), "the question is empty"),
        ("query", json!({ "question": "nova", "most_bytes": 7 }), "it is 2000 to 64000"),
        ("show", json!({ "name": "nova-1000" }), "did you mean nova-100"),
        ("show", json!({ "name": "nova-100", "kind": "gadget" }), "it is one of framework, device"),
        ("cite", json!({ "ids": ["invented-2021"] }), "did you mean invented-2020"),
        ("resolve", json!({ "kind": "colour", "spelling": "red" }), "`kind` is one of device, network"),
        ("compare", json!({ "question": "nova", "rows": ["framwork"] }), "did you mean framework?"),
        ("compare", json!({ "question": "nova", "relative": "much" }), "it is one of speed-up, quotient"),
        ("compare", json!({ "ids": ["invented-2020:6t8"] }), "a verdict needs two ids or more"),
    ] {
        let refusal = client.refusal(tool, arguments.clone());
        assert!(refusal.contains(told), "{tool} {}: {refusal}", arguments.to_string().get(..80).unwrap_or("short"));
    }
    // A limit in the question does not override the limits of the call.
    let (answer, _) =
        client.reply("query", json!({ "question": "nova limit:100000000000", "limit": 50, "most_bytes": 64_000 }));
    assert_eq!(answer["measurements"].as_array().map(Vec::len), answer["total"].as_u64().map(|total| total as usize));
    client.end();
}

#[test]
fn a_long_reply_is_shortened_and_says_so() {
    let client = Client::of(Dlbench::on(REPOSITORY));
    let length = |arguments: Value| {
        let result = client.call("query", arguments);
        serde_json::to_string(&result).expect("JSON").len()
    };
    let usual = length(json!({ "question": "gpu", "limit": 50 }));
    assert!((4_000..=8_000).contains(&usual), "{usual}");
    let asked = json!({ "question": "gpu", "limit": 50, "most_bytes": 64_000 });
    let long = length(asked.clone());
    assert!((20_000..=64_000).contains(&long), "{long}");
    let (_, text) = client.reply("query", asked);
    assert!(!text.contains("<!--") && !text.contains("--limit"), "{text}");
    let (answer, _) = client.reply("query", json!({ "question": "gpu", "limit": 50 }));
    let left_out = answer["left_out"].as_object().expect("what is left out");
    assert!(!left_out.is_empty() && left_out.values().all(|count| count.as_u64() > Some(0)), "{left_out:?}");
    assert!(answer["total"].as_u64() > Some(10_000));

    let claim = "gpu energy efficiency";
    let (judged, text) = client.reply("evidence", json!({ "question": claim }));
    let told = client.dlbench.json(&["evidence", "-f", "json", claim]);
    assert_eq!(texts(&judged["claims"], "id"), texts(&told["claims"], "id"));
    assert!(texts(&judged["claims"], "id").contains(&"gpu/energy-efficiency") && text.contains("energy"), "{text}");
    client.end();
}

#[test]
fn what_changed_is_answered_from_without_a_restart() {
    let kb = KbCopy::new();
    let client = Client::of(kb.dlbench());
    let latency = || {
        let (answer, _) = client.reply("query", json!({ "question": "deepnet-101 nova" }));
        (answer["knowledge_base"].clone(), answer["measurements"][0]["metrics"]["latency_ms"].as_f64())
    };
    let (before, first) = latency();
    assert_eq!(first, Some(33.3));
    let file = kb.path("measurements/invented-2020/nova.toml");
    let text = fs::read_to_string(&file).expect("a file").replace("latency-ms = 33.3", "latency-ms = 44.4");
    // Replace the file in one step: half a file would be a state of its own.
    kb.write("new.toml", text);
    fs::rename(kb.path("new.toml"), &file).expect("a place");
    let start = Instant::now();
    loop {
        let (content, now) = latency();
        assert_eq!(now, Some(if content == before { 33.3 } else { 44.4 }), "the number of the content that is named");
        if content != before {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "it is not taken up");
        std::thread::sleep(Duration::from_millis(50));
    }
    client.end();
}

/// The program with arbitrary lines on its stdin.
pub struct Lines {
    child: Child,
    stdin: ChildStdin,
    stdout: JoinHandle<Vec<String>>,
    stderr: JoinHandle<String>,
}

impl Lines {
    pub fn to(dlbench: &Dlbench) -> Self {
        let mut command = dlbench.command(&["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stdout = child.stdout.take().expect("stdout");
        let mut stderr = child.stderr.take().expect("stderr");
        Self {
            stdin: child.stdin.take().expect("stdin"),
            child,
            stdout: std::thread::spawn(move || BufReader::new(stdout).lines().map_while(Result::ok).collect()),
            stderr: std::thread::spawn(move || {
                let mut text = String::new();
                stderr.read_to_string(&mut text).expect("UTF-8");
                text
            }),
        }
    }

    fn write(&mut self, text: &str) {
        self.write_bytes(text.as_bytes());
    }

    pub fn write_bytes(&mut self, bytes: &[u8]) {
        // The program may have exited already; the exit code shows that.
        let _ = self.stdin.write_all(bytes);
    }

    /// Sends the initialisation.
    pub fn begin(&mut self) {
        self.write(&line(&json!({
            "jsonrpc": "2.0", "id": "begin", "method": "initialize",
            "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "0" } },
        })));
        self.write(&line(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })));
    }

    /// Closes stdin; returns the answers (each line must follow the protocol), the text on stderr, and the exit code.
    pub fn end(mut self) -> (Vec<Value>, String, Option<i32>) {
        drop(self.stdin);
        let lines = self.stdout.join().expect("lines");
        let answers = lines.iter().map(|line| {
            let answer: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(answer["jsonrpc"], "2.0", "{line}");
            answer
        });
        (answers.collect(), self.stderr.join().expect("stderr"), self.child.wait().expect("it ends").code())
    }
}

/// A message as sent on a line.
pub fn line(message: &Value) -> String {
    format!("{message}\n")
}

/// A call of `query` with this question.
pub fn query(id: u32, question: &str) -> String {
    let params = json!({ "name": "query", "arguments": { "question": question } });
    line(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
}

#[test]
fn hostile_lines_are_refused_or_passed_over_and_the_next_one_is_answered() {
    let dlbench = Dlbench::on_miniature();
    let mut lines = Lines::to(&dlbench);
    lines.write("no JSON\n{\"half\":\n\n\u{feff}\n\"\\u0000\"\n");
    lines.begin();
    lines.write(&query(1, "nova"));
    for hostile in
        ["}{", "[1,2]", "null", "{\"jsonrpc\":\"2.0\"}", "{\"jsonrpc\":\"1.0\",\"id\":2,\"method\":\"tools/list\"}"]
    {
        lines.write(&format!("{hostile}\n"));
    }
    lines.write(&"[".repeat(100_000));
    lines.write("\n");
    lines.write(&query(3, &"x".repeat(10_000_000)));
    // Exceeds the maximum line length, so it is dropped unread.
    lines.write(&query(4, &"x".repeat(17 << 20)));
    lines.write(&line(&json!({ "jsonrpc": "2.0", "id": 5, "method": "no/such/method", "params": {} })));
    lines.write(&line(&json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": { "name": "delete" } })));
    lines.write(&line(
        &json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "query", "arguments": [1] } }),
    ));
    lines.write(&query(8, "nova \u{1b}]0;title\u{7} \u{0} <script>"));
    lines.write(&query(9, "nova"));
    lines.write("{\"jsonrpc\":\"2.0\",\"id\":10,\"meth");
    let (answers, stderr, code) = lines.end();
    assert_eq!((stderr.as_str(), code), ("", Some(0)));
    let of = |id: Value| answers.iter().find(|answer| answer["id"] == id);
    let result = |id: u32| &of(json!(id)).unwrap_or_else(|| panic!("no answer to {id}"))["result"];
    assert_eq!(of(json!("begin")).expect("a beginning")["result"]["serverInfo"]["name"], "dlbench");
    assert_eq!(result(1), result(9));
    assert_eq!(result(1)["isError"], false);
    assert!(result(3)["content"][0]["text"].as_str().is_some_and(|text| text.contains("2000 are the most")));
    assert_eq!(of(json!(4)), None);
    assert_eq!(of(json!(5)).expect("an answer")["error"]["code"], -32601);
    let unknown = of(json!(6)).expect("an answer")["error"]["message"].as_str().expect("a message");
    assert!(unknown.contains("there is no tool `delete`; there are query, compare"), "{unknown}");
    assert!(of(json!(8)).is_some() && of(json!(10)).is_none());
}

#[test]
fn every_call_is_answered_although_stdin_ends_behind_it() {
    let dlbench = Dlbench::on_miniature();
    let mut lines = Lines::to(&dlbench);
    lines.begin();
    lines.write(&(0..500).map(|id| query(id, "nova")).collect::<String>());
    let (answers, stderr, code) = lines.end();
    assert_eq!((stderr.as_str(), code), ("", Some(0)));
    assert_eq!(answers.len(), 501);
}

#[test]
fn who_speaks_otherwise_is_told_and_who_says_nothing_is_left_alone() {
    let dlbench = Dlbench::on_miniature();
    let (answers, stderr, code) = Lines::to(&dlbench).end();
    assert_eq!((answers.len(), stderr.as_str(), code), (0, "", Some(0)));
    let mut lines = Lines::to(&dlbench);
    lines.write(&line(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })));
    let (answers, stderr, code) = lines.end();
    assert_eq!((answers.len(), code), (0, Some(2)));
    assert!(stderr.contains("the first message is not a request `initialize`"), "{stderr}");
    // A client that no longer reads the answers.
    let mut command = dlbench.command(&["mcp"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a start");
    drop(child.stdout.take());
    let mut lines = child.stdin.take().expect("stdin");
    let _ = lines.write_all(query(1, "nova").repeat(50).as_bytes());
    drop(lines);
    assert!(child.wait().expect("it ends").code().is_some());
}

#[cfg(target_os = "linux")]
#[test]
fn answers_that_cannot_be_written_are_a_failure() {
    let dlbench = Dlbench::on_miniature();
    let full = std::fs::File::create("/dev/full").expect("it opens");
    let mut command = dlbench.command(&["mcp"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut lines = child.stdin.take().expect("stdin");
    let begin = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "0" } },
    });
    lines.write_all(line(&begin).as_bytes()).expect("it listens");
    drop(lines);
    let ended = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{told}");
    assert!(told.contains("cannot write the answers: No space left"), "{told}");
}
