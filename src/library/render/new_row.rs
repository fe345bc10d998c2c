//! Tests that a field, a metric and a fact which exist only in tests, each one row of its table, reach everything that is
//! derived from the tables.

use std::fs;
use std::path::Path;

use super::answer::{AnswerView, flat, text};
use crate::ask::answer::{Answer, Page, SCHEMA, ask, facets, schema_of_tests};
use crate::ask::tables::{ListKind, list};
use crate::model::{Aspect, Fact, Field, Metric};
use crate::reading::schema::schemas;
use crate::stores::Stores;
use crate::values::EntityKind;

const DEVICE: &str = "name = \"Test Board\"\nclass = \"gpu\"\npci-ids = [\"10de:1db1\", \"10de:1db2\"]\n";

const ROWS: &str = r#"
[defaults]
network-raw = "Some Net"
device = "test-board"
device-raw = "Test Board"
stage = "eval"
counts = "image"

[[run]]
test-rack = 3
test-metric-bits = 10.5

[[run]]
test-rack = 4
test-metric-bits = 20
"#;

fn stores(folder: &Path) -> Stores {
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("catalog/kb.toml", "name = \"test\"\nschema = 1\noldest-reader = \"0.1.0\"\nlicense = \"CC0-1.0\"\n");
    let source =
        "name = \"Test\"\ntype = \"article\"\nauthors = [\"A, B\"]\nyear = 2020\nurl = \"https://example.org\"\n";
    write("catalog/sources/test-2020.toml", source);
    write("catalog/devices/test-board.toml", DEVICE);
    write("measurements/test-2020/a.toml", ROWS);
    Stores::open(folder, &folder.join("cache")).unwrap()
}

fn asked(stores: &Stores, question: &str) -> Answer {
    ask(stores, question, &Page::default()).unwrap()
}

#[test]
fn a_row_of_the_tables_is_read_stored_filtered_shown_and_published() {
    let folder = tempfile::tempdir().unwrap();
    let stores = stores(folder.path());

    // Filters: by key, by another spelling, by range, by the words for a metric.
    for question in ["test-rack:3", "cabinet<4", "rack:1..3", "test-metric-bits<11", "-test-rack:4"] {
        let answer = asked(&stores, question);
        assert_eq!(answer.total, 1, "{question}: {:?}", answer.remarks);
    }
    assert_eq!(asked(&stores, "sort:-test-metric-bits").measurements[0].recorded().count(Field::TestRack), Some(4));

    // Columns, CSV, JSON, counts.
    let answer = asked(&stores, "eval");
    assert_eq!(answer.total, 2);
    let shown = text(&answer, &AnswerView::default(), 200);
    assert!(shown.contains("rack") && shown.contains("test metric [bit]"), "{shown}");
    let csv = flat(&answer, &AnswerView::default()).csv().unwrap();
    assert!(csv.lines().next().unwrap().contains("test_rack") && csv.contains("test_metric_bits"), "{csv}");
    let json = serde_json::to_value(&answer.measurements[0]).unwrap();
    assert!(json["test_rack"].is_u64() && json["metrics"]["test_metric_bits"].is_number(), "{json}");
    assert!(facets(&stores, &answer).unwrap().iter().any(|counts| counts.field == "test_rack"));
    assert_eq!(Aspect::named("Rack"), Some(Aspect::Field(Field::TestRack)));
    assert_eq!(Aspect::named("bits of the test"), Some(Aspect::Metric(Metric::TestMetricBits)));
    let alike = asked(&stores, "test-rack:3");
    assert!(text(&alike, &AnswerView::default(), 200).contains("rack 3"), "a value that all rows share");

    // The schemas of answers and of files.
    let (field, metric) = ("\"test_rack\"", "\"test_metric_bits\"");
    let current = schema_of_tests().to_value().to_string();
    assert!(current.contains(field) && current.contains(metric));
    assert!(!SCHEMA.contains(field) && !SCHEMA.contains(metric), "rows of tests are not published");
    let of_files = schemas(None).into_iter().find(|schema| schema.name == "measurements.json").unwrap();
    let run = &of_files.schema["properties"]["run"]["items"]["properties"];
    assert_eq!((&run["test-rack"]["minimum"], &run["test-metric-bits"]["type"]), (&1.into(), &"number".into()));
}

#[test]
fn a_fact_is_a_column_a_filter_and_an_aspect_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    let stores = stores(folder.path());
    let fact = Aspect::Fact(Fact::TestPins);

    // Lists and cards of entities.
    let devices = list(&stores.database, ListKind::Entities(EntityKind::Device)).unwrap();
    let column = devices.columns.iter().position(|column| column.heading == "pins [pin]").unwrap();
    assert_eq!(devices.rows[0][column], "2");

    // Filters: by the device's fact, and through the rows of that device.
    for (question, rows) in [("test-pins:2", 2), ("test-pins>=2", 2), ("eval test-pins>2", 0)] {
        assert_eq!(asked(&stores, question).total, rows, "{question}");
    }

    // Aspects of rows: names, values, counts.
    assert_eq!(Aspect::named("pins of the test"), Some(fact));
    assert_eq!(Aspect::named("device pins"), Some(fact));
    let answer = asked(&stores, "eval");
    assert!(facets(&stores, &answer).unwrap().iter().any(|counts| counts.field == "test_pins"));
    let grouped = AnswerView { columns: Some(vec![Aspect::Id, fact]), ..AnswerView::default() };
    let csv = flat(&answer, &grouped).csv().unwrap();
    assert_eq!(csv.lines().next(), Some("id,test_pins"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with(",2"), "{csv}");
}
