//! The published schema describes what is printed: real answers are validated against it, nothing unknown is let through.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

use crate::{Dlbench, KbCopy, REPOSITORY};

struct Validator {
    schemas: Schemas,
    answer: SchemaIndex,
    measurement: SchemaIndex,
}

impl Validator {
    /// The schema that the program prints; unknown keys, which readers must pass over, are mistakes here.
    fn strict() -> Self {
        let mut schema: Value = serde_json::from_str(&Dlbench::on_miniature().ok(&["query", "--schema"])).unwrap();
        close(&mut schema);
        let mut compiler = Compiler::new();
        let mut schemas = Schemas::new();
        compiler.add_resource("answer.json", schema).unwrap();
        let answer = compiler.compile("answer.json", &mut schemas).unwrap();
        let measurement = compiler.compile("answer.json#/$defs/Measurement", &mut schemas).unwrap();
        Self { schemas, answer, measurement }
    }

    fn mistake(&self, answer: &Value) -> Option<String> {
        self.schemas.validate(answer, self.answer).err().map(|error| format!("{error:#}"))
    }
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(close);
            let is_schema = object.get("properties").is_some_and(Value::is_object) && object.contains_key("type");
            if is_schema && !object.contains_key("additionalProperties") {
                object.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

#[test]
fn real_comparisons_are_as_their_schema_says() {
    let dlbench = Dlbench::on(REPOSITORY);
    let mut schema: Value = serde_json::from_str(&dlbench.ok(&["compare", "--schema"])).unwrap();
    close(&mut schema);
    let mut compiler = Compiler::new();
    let mut schemas = Schemas::new();
    compiler.add_resource("compare.json", schema).unwrap();
    let schema = compiler.compile("compare.json", &mut schemas).unwrap();
    let v100 = dlbench.answer("u39kun-2018 v100 resnet152 eval fp16");
    let ids: Vec<&str> = crate::texts(&v100["measurements"], "id");
    let (first, second) = (ids[0], ids[1]);
    for args in [
        &["u39kun-2018", "--rows", "device", "--cols", "network,stage", "--relative"][..],
        &["szilard-2017 total-s>0", "--rows", "framework,backend", "--cols", "metric", "--pick", "all"],
        &["v100 resnet50 eval", "--rows", "framework", "--metric", "items-per-dollar,peak-fraction"],
        &["mlperf offline resnet50", "--rows", "device", "--cols", "device-count", "--pick", "median"],
        &[first, second],
    ] {
        let printed: Value = dlbench.json(&[&["compare"], args, &["-f", "json"]].concat());
        if let Err(mistake) = schemas.validate(&printed, schema) {
            panic!("{args:?}: {mistake:#}");
        }
    }
}

#[test]
fn real_answers_are_as_the_schema_says() {
    let validator = Validator::strict();
    let dlbench = Dlbench::on(REPOSITORY);
    let mut measurements = 0;
    for question in [
        "fp16 V100 resnet152",
        "a100 bert",
        "raspberry pi mobilenet",
        "tpu",
        "keras theano mnist",
        "hailo resnet50",
        "memory",
        "mlperf offline",
        "lstm",
        "fpga",
        "apache c++ multi-server lstm",
        "outcome:oom",
        "llama decode",
        "dai-berleant-2019",
        "accuracy cifar",
        "resnt152 1080ti",
        "zebra v100",
        "license:mit",
        "amp-fp16 train sort:-throughput",
        "-nvidia latency<5",
    ] {
        let args = ["query", question, "--facets", "--limit", "200", "-f", "json"];
        let answer = dlbench.json(&args);
        assert_eq!(validator.mistake(&answer), None, "{question}");
        measurements += answer["measurements"].as_array().unwrap().len();
    }
    assert!(measurements > 1_000, "{measurements} measurements were validated");
}

#[test]
fn every_line_of_ndjson_is_a_measurement_of_the_schema() {
    let validator = Validator::strict();
    let lines = Dlbench::on(REPOSITORY).ok(&["query", "resnet50", "--limit", "2000", "-f", "ndjson"]);
    assert_eq!(lines.lines().count(), 2000);
    for line in lines.lines() {
        let measurement: Value = serde_json::from_str(line).unwrap();
        let valid = validator.schemas.validate(&measurement, validator.measurement);
        assert!(valid.is_ok(), "{line}: {:#}", valid.unwrap_err());
    }
}

#[test]
fn a_wrong_answer_is_not_as_the_schema_says() {
    let validator = Validator::strict();
    let right = Dlbench::on_miniature().answer("fp16 N100 deepnet50");
    assert_eq!(validator.mistake(&right), None);
    let wrong = |change: fn(&mut Value)| {
        let mut answer = right.clone();
        change(&mut answer);
        assert!(validator.mistake(&answer).is_some(), "{answer}");
    };
    wrong(|answer| answer["total"] = json!("5"));
    wrong(|answer| answer["surprise"] = json!(1));
    wrong(|answer| answer["measurements"][0]["stage"] = json!("infer"));
    wrong(|answer| answer["measurements"][0]["batch_size"] = json!(0));
    wrong(|answer| answer["measurements"][0]["metrics"]["latency"] = json!(1));
    wrong(|answer| answer["catalog"]["devices"][0]["class"] = json!("toaster"));
    wrong(|answer| answer["catalog"]["frameworks"][0]["surprise"] = json!(1));
    wrong(|answer| {
        answer.as_object_mut().unwrap().remove("remarks");
    });
    wrong(|answer| {
        answer["measurements"][0].as_object_mut().unwrap().remove("precision");
    });
}

#[test]
fn an_answer_with_everything_a_record_can_hold_is_as_the_schema_says() {
    let validator = Validator::strict();
    let kb = KbCopy::new();
    kb.append(
        "measurements/invented-2020/nova.toml",
        "\n[[run]]\nstage = \"decode\"\nprecision = \"int4\"\nscenario = \"server\"\nthreads = 4\nmode = \"graph\"\n\
         accuracy-target = 0.75\ndivision = \"open\"\nquantization = \"q4\"\nrelative-accuracy-target = 0.99\n\
         lowest = 1.0\nhighest = 3.5\nstd-deviation = 0.1\ndata = \"synthetic\"\nlatency-ms = 2.0\n\
         batch-size-global = 64\nsequence-length = 128\nepochs = 3\nlabel = \"x\"\ncuda = \"9.0\"\nstatus = \"measured\"\n",
    );
    let answer = kb.dlbench().answer("int4");
    assert_eq!(answer["total"], 1);
    assert_eq!(validator.mistake(&answer), None);
}
