//! Arbitrary text as a paper's lock file, as a paper's specification, and as a line from a worker.

use dlbench::ask::paper::{Lock, LockedItem, Spec, UsedValue};
use dlbench_protocol::Event;

use super::{Target, bytes, refused};

pub fn targets() -> Vec<Target> {
    vec![lock(), specification(), protocol()]
}

fn lock() -> Target {
    let used = UsedValue {
        at: "PyTorch, fp16".to_owned(),
        id: "a:1".to_owned(),
        measure: "latency-ms".to_owned(),
        value: "14.70".to_owned(),
        standing: Some("disputed: \"why\"".to_owned()),
    };
    let item = LockedItem { name: "x".to_owned(), command: "query \"a\"".to_owned(), values: vec![used] };
    let mut lock = Lock::new("A KB".to_owned(), "0a1b".to_owned(), vec![item]);
    lock.files.insert("tables/x.tex".to_owned(), "00".to_owned());
    Target::new("lock", vec![lock.written().into_bytes()], || {
        |input| match Lock::parse(&String::from_utf8_lossy(input)) {
            Ok(lock) => {
                let outside =
                    lock.files.keys().find(|name| name.starts_with('/') || name.split('/').any(|part| part == ".."));
                match (outside, Lock::parse(&lock.written())) {
                    (None, Ok(again)) if again == lock => Ok(true),
                    (outside, again) => Err(format!("{outside:?} {again:?}")),
                }
            }
            Err(error) => refused(&error),
        }
    })
}

fn specification() -> Target {
    let seeds = [
        "title = \"What fp16 gains\"\n[[item]]\nname = \"speed-up\"\ncaption = \"By framework\"\ncommand = 'compare \"nova eval\" --rows framework'\n",
        "[[item]]\nname = \"a\"\ncommand = \"query nova\"\n[[item]]\nname = \"b\"\ncommand = \"plot nova --x batch --y latency\"\n",
    ];
    Target::new("specification", bytes(&seeds), || {
        |input| match Spec::parse(&String::from_utf8_lossy(input)) {
            Ok(spec) => match spec.items.iter().find(|item| item.name.contains(['/', '\\', '.', '\0'])) {
                None => Ok(true),
                Some(item) => Err(format!("an item may not be called {:?}", item.name)),
            },
            Err(error) => refused(&error),
        }
    })
}

fn protocol() -> Target {
    let seeds = [
        r#"{"event":"hello","protocol":1,"worker":"w 1","framework":"firelight","framework_version":"1.2","devices":[{"id":"cpu"},{"id":"cuda:0","pci":"0000:3b:00.0"}],"networks":["deepnet-50"],"build":{"cuda":"13.0"}}"#,
        r#"{"event":"ready","parameters":138357544,"multiply_adds":15470264320,"input_shape":[3,224,224],"counts":"image","timed":"one forward pass","overhead_ns":56.4,"threads":2}"#,
        r#"{"event":"samples","host_ns":[812345678,810111222],"device_ns":[1,2],"loss":0.5}"#,
        r#"{"event":"evaluated","error_rate":0.009,"samples":10000}"#,
        r#"{"event":"done","device_memory_mib":12.5}"#,
        r#"{"event":"failed","outcome":"oom","message":"one line"}"#,
    ];
    Target::new("protocol", bytes(&seeds), || {
        |input| match serde_json::from_slice::<Event>(input) {
            Ok(event) => {
                let text = serde_json::to_string(&event).map_err(|error| error.to_string())?;
                match serde_json::from_str::<Event>(&text) {
                    Ok(again) if again == event => Ok(true),
                    again => Err(format!("{event:?} comes back as {again:?}")),
                }
            }
            Err(error) => refused(&error),
        }
    })
}
