//! The worker as a program: it greets, and ends when nobody speaks to it any more.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use dlbench_protocol::{Event, VERSION};

#[test]
fn it_greets_and_ends_when_its_input_is_closed() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dlbench-runner"));
    let mut worker = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut greeting = String::new();
    BufReader::new(worker.stdout.take().unwrap()).read_line(&mut greeting).unwrap();
    match serde_json::from_str(&greeting).unwrap() {
        Event::Hello(hello) => assert_eq!(hello.protocol, VERSION),
        other => panic!("it began with {other:?}"),
    }
    drop(worker.stdin.take());
    assert!(worker.wait().unwrap().success());
}
