//! Tests the worker as a program: it greets, reports a failure before it exits, and exits when its input is closed.

use std::io::{BufRead, BufReader, Write as _};
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

/// Preparing fits in memory but the first iteration does not: a batch of 1000 images takes 0.6 GB, its first convolution 3.2 GB.
#[cfg(target_os = "linux")]
#[test]
fn it_answers_that_memory_ran_out_while_iterating_before_it_ends() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 3000000 && exec \"$0\"", env!("CARGO_BIN_EXE_dlbench-runner")]);
    command.env("OMP_NUM_THREADS", "1").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut worker = command.spawn().unwrap();
    let (mut requests, answers) = (worker.stdin.take().unwrap(), BufReader::new(worker.stdout.take().unwrap()));
    let prepare = r#"{"do":"prepare","configuration":{"device":"cpu","network":"squeezenet-1.1","stage":"eval","precision":"fp32","batch_size":1000}}"#;
    // The second `iterate` reaches a worker that has failed and has exited or is about to: its client must not wait for an answer.
    write!(requests, "{prepare}\n{iterate}{iterate}", iterate = "{\"do\":\"iterate\",\"count\":1}\n").unwrap();
    let events: Vec<Event> = answers.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let [Event::Hello(_), Event::Ready(_), Event::Failed { outcome, message }] = events.as_slice() else {
        panic!("{events:?}")
    };
    assert_eq!(outcome, "oom", "{message}");
    assert!(message.contains("memory") && !message.contains("frame #"), "{message}");
    assert!(worker.wait().unwrap().success());
}
