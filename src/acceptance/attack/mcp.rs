//! `dlbench mcp` under malformed, endless, nested or hostile frames: a ping after each must be answered, and every line of output
//! must follow the protocol.

use std::time::Instant;

use serde_json::{Value, json};

use super::figures::Figures;
use super::mutator::mutated_input;
use crate::Dlbench;
use crate::mcp::{Lines, line, query};

/// Frames per process.
const PORTION: usize = 500;

/// Frames that are not messages, or are messages that no client should send.
fn frames() -> Vec<Vec<u8>> {
    let call = |name: &str, arguments: Value| {
        let params = json!({ "name": name, "arguments": arguments });
        line(&json!({ "jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": params })).into_bytes()
    };
    let texts = [
        "{{{{",
        "hello",
        "\0",
        "\u{feff}{}",
        "[{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"ping\"}",
        "{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":[]}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"id\":4,\"method\":\"ping\",\"method\":\"tools/list\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"\\ud800\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":12345}}",
    ];
    let mut frames: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    frames.push(b"\xff\xfe\x80{".to_vec());
    frames.push("[".repeat(1_000_000).into_bytes());
    frames.push("{\"a\":".repeat(200_000).into_bytes());
    frames.push(format!("{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"{}\"}}", "a".repeat(20_000_000)).into_bytes());
    let calls = [
        ("query", json!({})),
        ("query", json!({ "question": "a".repeat(100_000) })),
        ("query", json!({ "question": null })),
        ("query", json!({ "question": ["a"] })),
        ("query", json!({ "question": "nova", "limit": -1 })),
        ("query", json!({ "question": "nova", "limit": 1e308 })),
        ("query", json!({ "question": "nova", "limit": u64::MAX })),
        ("query", json!({ "question": "nova", "unknown": 1 })),
        ("query", json!({ "question": ">= && not" })),
        ("show", json!({ "kind": "device", "name": "../../etc/passwd" })),
        ("show", json!({ "name": "\0" })),
        ("resolve", json!({ "kind": "device", "spelling": "\u{202e}" })),
        ("cite", json!({ "ids": vec!["x"; 100_000] })),
        ("compare", json!({ "question": "nova", "rows": ["id"] })),
        ("evidence", json!({ "question": "*".repeat(5_000) })),
        ("nothing", json!({})),
    ];
    frames.extend(calls.map(|(name, arguments)| call(name, arguments)));
    frames
}

/// Sends every frame of the table, and `count` generated ones.
pub fn attack(count: usize) -> Figures {
    let mut figures = Figures::of("frames of mcp");
    let dlbench = Dlbench::on_miniature();
    let mut all = frames();
    let seeds: Vec<Vec<u8>> = all.iter().filter(|frame| frame.len() < 1_000).cloned().collect();
    let seeds: Vec<Vec<u8>> = seeds.into_iter().chain([query(1, "nova eval").into_bytes()]).collect();
    all.extend((0..count).map(|at| mutated_input(&seeds, "mcp", at)));
    for portion in all.chunks(PORTION) {
        let start = Instant::now();
        let mut lines = Lines::to(&dlbench);
        lines.begin();
        for (at, frame) in portion.iter().enumerate() {
            lines.write_bytes(frame);
            lines.write_bytes(b"\n");
            lines.write_bytes(
                line(&json!({ "jsonrpc": "2.0", "id": format!("ping {at}"), "method": "ping" })).as_bytes(),
            );
        }
        let (answers, stderr, code) = lines.end();
        let pings: Vec<&str> = answers.iter().filter_map(|answer| answer["id"].as_str()).collect();
        for (at, frame) in portion.iter().enumerate() {
            let is_answered = pings.contains(&&*format!("ping {at}"));
            figures.count(is_answered, start.elapsed() / portion.len() as u32);
            if !is_answered {
                let shown: String = String::from_utf8_lossy(frame).chars().take(300).collect();
                figures.failures.push(format!("no ping behind {shown:?}"));
            }
        }
        if (stderr.as_str(), code) != ("", Some(0)) {
            figures.failures.push(format!("it ended with {code:?}: {stderr}"));
        }
    }
    figures
}
