//! The published schemas: validates real answers against them, and generates the Python module's classes from them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use boon::{Compiler, SchemaIndex, Schemas};
use dlbench::model::Field;
use serde_json::{Value, json};
use strum::VariantArray as _;

use crate::{Dlbench, KbCopy, REPOSITORY};

const FILE: &str = "src/python/package/dlbench/records.py";

/// The documents: the command that prints the schema, its root if it has several definitions, and the name of the Python class.
const DOCUMENTS: &[(&[&str], Option<&str>, &str)] = &[
    (&["query", "--schema"], None, "AnswerDocument"),
    (&["compare", "--schema"], Some("PivotDocument"), "PivotDocument"),
    (&["compare", "--schema"], Some("PairVerdict"), "PairVerdict"),
    (&["evidence", "--schema"], None, "EvidenceDocument"),
    (&["export", "--schema"], Some("Framework"), "Framework"),
];

/// Definitions that have the same name in two schemas but differ: command, name, new name.
const RENAMED: &[(&str, &str, &str)] = &[("evidence", "Comparison", "EvidenceComparison")];

/// Python keywords, which cannot be attribute names.
const KEYWORDS: &[&str] =
    &["class", "from", "import", "global", "in", "is", "not", "or", "and", "for", "while", "with", "as"];

/// Maximum line length of the generated file.
const WIDTH: usize = 120;

#[test]
fn the_documents_are_classes_of_the_python_module() {
    let program = Dlbench::on_miniature();
    let mut classes = Classes::default();
    for (command, root, name) in DOCUMENTS {
        let schema: Value = serde_json::from_str(&program.ok(command)).expect("a schema");
        let mut reader = SchemaReader { of: command[0], schema: &schema, classes: &mut classes };
        match root {
            Some(root) => drop(reader.named(root)),
            None => drop(reader.class(name, &schema)),
        }
    }
    let current = classes.written();
    let file = Path::new(REPOSITORY).join(FILE);
    if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
        fs::write(file, current).expect("the classes are written");
    } else {
        assert!(fs::read_to_string(file).expect(FILE) == current, "{FILE} is stale: `make docs` writes it");
    }
}

/// The Python type of a value.
#[derive(Debug, Clone, PartialEq)]
enum Type {
    /// A JSON value as it is; its annotation.
    Plain(String),
    /// An object of a class.
    Object(String),
    /// A list of values.
    List(Box<Type>),
    /// A dictionary of values by name.
    Map(Box<Type>),
    /// A value or `None`.
    Optional(Box<Type>),
}

impl Type {
    fn annotation(&self) -> String {
        match self {
            Self::Plain(text) | Self::Object(text) => text.clone(),
            Self::List(item) => format!("list[{}]", item.annotation()),
            Self::Map(item) => format!("dict[str, {}]", item.annotation()),
            Self::Optional(inner) => match inner.annotation() {
                any if any == "Any" => any,
                text => format!("{text} | None"),
            },
        }
    }

    fn has_objects(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Object(_) => true,
            Self::List(inner) | Self::Map(inner) | Self::Optional(inner) => inner.has_objects(),
        }
    }

    /// The Python expression that converts a JSON value.
    fn made_of(&self, json: &str) -> String {
        match self {
            _ if !self.has_objects() => json.to_owned(),
            Self::Plain(_) => json.to_owned(),
            Self::Object(class) => format!("{class}({json})"),
            Self::List(item) => {
                let name = if json == "item" { "inner" } else { "item" };
                format!("[{} for {name} in {json}]", item.made_of(name))
            }
            Self::Map(item) => format!("{{key: {} for key, item in {json}.items()}}", item.made_of("item")),
            Self::Optional(inner) => format!("None if {json} is None else {}", inner.made_of(json)),
        }
    }

    fn optional(self) -> Self {
        match self {
            Self::Optional(_) => self,
            other => Self::Optional(Box::new(other)),
        }
    }
}

struct Class {
    about: String,
    attributes: Vec<Attribute>,
}

struct Attribute {
    key: String,
    kind: Type,
    about: String,
}

#[derive(Default)]
struct Classes {
    /// Class names in order of dependency: a class comes after those it needs.
    ordered: Vec<String>,
    classes: BTreeMap<String, Class>,
    /// Closed vocabularies: name of the type, its description, and its words.
    words: BTreeMap<String, (String, Vec<String>)>,
}

struct SchemaReader<'s> {
    of: &'s str,
    schema: &'s Value,
    classes: &'s mut Classes,
}

impl SchemaReader<'_> {
    /// The type of a definition.
    fn named(&mut self, name: &str) -> Type {
        let definition = &self.schema["$defs"][name];
        assert!(definition.is_object(), "no definition {name}");
        let renamed = RENAMED.iter().find(|(of, known, _)| *of == self.of && *known == name);
        let name = renamed.map_or(name, |(_, _, own)| own);
        if definition.get("properties").is_some() {
            return self.class(name, definition);
        }
        let words = words(definition);
        if words.is_empty() {
            return self.kind(name, definition);
        }
        let about = text(definition, "description");
        // The schema generator names a second `Standing` `Standing2`.
        let name = if name.ends_with('2') { format!("{}Word", name.trim_end_matches('2')) } else { name.to_owned() };
        self.classes.words.insert(name.clone(), (about, words));
        Type::Plain(name)
    }

    /// The class of an object.
    fn class(&mut self, name: &str, definition: &Value) -> Type {
        let properties = definition["properties"].as_object().expect("an object");
        if let Some(known) = self.classes.classes.get(name) {
            let keys: BTreeSet<&str> = known.attributes.iter().map(|attribute| attribute.key.as_str()).collect();
            let unknown: Vec<&String> = properties.keys().filter(|key| !keys.contains(key.as_str())).collect();
            assert!(
                unknown.is_empty(),
                "another {name} in {}, which has {unknown:?}: RENAMED tells them apart",
                self.of
            );
            return Type::Object(name.to_owned());
        }
        let required: BTreeSet<&str> =
            definition["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut attributes = Vec::new();
        for (key, property) in properties {
            let kind = self.kind(&class_name(key), property);
            let kind = if required.contains(key.as_str()) { kind } else { kind.optional() };
            let field = Field::VARIANTS.iter().find(|field| name == "Measurement" && field.json_key() == *key);
            let about = match (text(property, "description"), field) {
                (about, None) => about,
                (_, Some(field)) => sentence(field.definition()),
            };
            attributes.push(Attribute { key: key.clone(), kind, about });
        }
        let about = text(definition, "description");
        let about = if about.is_empty() { sentence("the document") } else { about };
        self.classes.classes.insert(name.to_owned(), Class { about, attributes });
        self.classes.ordered.push(name.to_owned());
        Type::Object(name.to_owned())
    }

    /// The type of a value; an object without a name of its own gets `name`.
    fn kind(&mut self, name: &str, schema: &Value) -> Type {
        if let Some(reference) = schema["$ref"].as_str() {
            return self.named(reference.trim_start_matches("#/$defs/"));
        }
        if let Some(words) = Some(words(schema)).filter(|words| !words.is_empty()) {
            return Type::Plain(literal(&words));
        }
        if let Some(alternatives) = schema["anyOf"].as_array() {
            let (null, rest): (Vec<&Value>, Vec<&Value>) = alternatives.iter().partition(|one| one["type"] == "null");
            let kinds: Vec<Type> = rest.iter().map(|one| self.kind(name, one)).collect();
            let kind = match kinds.as_slice() {
                [one] => one.clone(),
                several => {
                    assert!(!several.iter().any(Type::has_objects), "alternatives of objects: {schema}");
                    let mut texts: Vec<String> = several.iter().map(Type::annotation).collect();
                    texts.dedup();
                    Type::Plain(texts.join(" | "))
                }
            };
            return if null.is_empty() { kind } else { kind.optional() };
        }
        match &schema["type"] {
            Value::Array(types) => {
                let known = types.iter().find(|kind| *kind != "null").expect("a type");
                let mut one = schema.clone();
                one["type"] = known.clone();
                self.kind(name, &one).optional()
            }
            Value::String(kind) => match kind.as_str() {
                "string" => Type::Plain("str".to_owned()),
                "integer" => Type::Plain("int".to_owned()),
                "number" => Type::Plain("float".to_owned()),
                "boolean" => Type::Plain("bool".to_owned()),
                "array" => match schema.get("items") {
                    Some(items) => Type::List(Box::new(self.kind(name, items))),
                    None => Type::Plain("list[Any]".to_owned()),
                },
                "object" if schema.get("properties").is_some() => self.class(name, schema),
                "object" => {
                    let by_pattern = || schema["patternProperties"].as_object().and_then(|by| by.values().next());
                    let values = schema.get("additionalProperties").filter(|values| values.is_object());
                    match values.or_else(by_pattern) {
                        Some(values) => Type::Map(Box::new(self.kind(name, values))),
                        None => Type::Plain("dict[str, Any]".to_owned()),
                    }
                }
                other => panic!("a type {other}"),
            },
            _ => Type::Plain("Any".to_owned()),
        }
    }
}

impl Classes {
    fn written(&self) -> String {
        let mut out = String::from(
            "\"\"\"The objects of answers, comparisons, evidence and cards: a class each, written by `make docs` from the published\n\
             schemas. Units stand in the names and in the documentation; what is not known is ``None``.\"\"\"\n\n\
             from __future__ import annotations\n\nfrom typing import Any, Literal\n\nfrom ._record import Record\n",
        );
        for (name, (about, words)) in &self.words {
            let _ = write!(out, "\n{name} = {}\n{}", literal_lines(words), docstring(about, ""));
        }
        for name in &self.ordered {
            let class = &self.classes[name];
            let _ = write!(out, "\n\nclass {name}(Record):\n{}", docstring(&class.about, "    "));
            for attribute in &class.attributes {
                let _ = write!(out, "\n{}", attribute.written());
            }
        }
        out
    }
}

impl Attribute {
    fn written(&self) -> String {
        let name = if KEYWORDS.contains(&self.key.as_str()) { format!("{}_", self.key) } else { self.key.clone() };
        let mut out = format!("    @property\n    def {name}(self) -> {}:\n", self.kind.annotation());
        if !self.about.is_empty() {
            out.push_str(&docstring(&self.about, "        "));
        }
        let get = match &self.kind {
            Type::Optional(_) => format!("self._data.get(\"{}\")", self.key),
            _ => format!("self._data[\"{}\"]", self.key),
        };
        match self.kind.has_objects() {
            false => out.push_str(&format!("        return {get}\n")),
            true => {
                out.push_str(&format!("        value = {get}\n        return {}\n", self.kind.made_of("value")));
            }
        }
        out
    }
}

/// The words of a closed vocabulary; empty if the schema is none.
fn words(schema: &Value) -> Vec<String> {
    let of = |values: &Value| -> Vec<String> {
        values.as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let constants = schema["oneOf"].as_array().into_iter().flatten().flat_map(|one| match one.get("const") {
        Some(Value::String(word)) => vec![word.clone()],
        _ => of(&one["enum"]),
    });
    match of(&schema["enum"]) {
        words if words.is_empty() => constants.collect(),
        words => words,
    }
}

fn literal(words: &[String]) -> String {
    format!("Literal[{}]", words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", "))
}

/// The same, with one word per line if they are too long for one line.
fn literal_lines(words: &[String]) -> String {
    match literal(words) {
        line if line.len() < 100 => line,
        _ => format!("Literal[\n{}]", words.iter().map(|word| format!("    \"{word}\",\n")).collect::<String>()),
    }
}

/// Converts a key such as `device_peaks` to a class name: `DevicePeaks`.
fn class_name(key: &str) -> String {
    key.split('_').map(|part| part[..1].to_uppercase() + &part[1..]).collect()
}

fn text(schema: &Value, key: &str) -> String {
    let text = schema[key].as_str().unwrap_or_default();
    sentence(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Adds a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return String::new() };
    let end = if text.ends_with(['.', '?', '!', ':']) { "" } else { "." };
    format!("{}{}{end}", first.to_uppercase(), letters.as_str())
}

fn docstring(about: &str, indent: &str) -> String {
    let about = about.replace('\\', "\\\\").replace('"', "'").replace("`None`", "``None``");
    let mut lines = vec![String::new()];
    for word in format!("\"\"\"{about}\"\"\"").split(' ') {
        let line = lines.last_mut().expect("a line");
        if indent.len() + line.len() + 1 + word.len() > WIDTH && !line.is_empty() {
            lines.push(word.to_owned());
        } else {
            let blank = if line.is_empty() { "" } else { " " };
            line.push_str(&format!("{blank}{word}"));
        }
    }
    lines.iter().map(|line| format!("{indent}{line}\n")).collect()
}

struct Validator {
    schemas: Schemas,
    answer: SchemaIndex,
    measurement: SchemaIndex,
}

impl Validator {
    /// A validator that rejects unknown keys, although readers must ignore them.
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
