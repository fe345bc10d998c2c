//! The whole knowledge base as one export, read back by other programs; and answers that are streamed.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use boon::{Compiler, Schemas};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::Page;
use dlbench::render::{RenderError, answer, json};
use dlbench::rows::JoinedRow;
use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use crate::{Dlbench, REPOSITORY, miniature_kb, python_with, without_best};

fn exported(dlbench: &Dlbench, folder: &TempDir, format: &str, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    let ran = dlbench.run(&["export", "-f", format, "-o", path.to_str().unwrap()]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 0), "{}", ran.stderr);
    path
}

/// Every measurement's throughput by id, as returned by a query.
fn throughputs(dlbench: &Dlbench) -> BTreeMap<String, Option<f64>> {
    let answer = dlbench.answer("year:1900..2100");
    let rows = answer["measurements"].as_array().unwrap();
    rows.iter()
        .map(|row| (row["id"].as_str().unwrap().to_owned(), row["metrics"]["throughput_per_s"].as_f64()))
        .collect()
}

#[test]
fn the_document_is_as_its_schema_says_and_holds_every_measurement() {
    let dlbench = Dlbench::on_miniature();
    let folder = TempDir::new().unwrap();
    let path = exported(&dlbench, &folder, "json", "benchmark.json");
    let document: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let schema: Value = serde_json::from_str(&dlbench.ok(&["export", "--schema"])).unwrap();
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.add_resource("export.json", schema).unwrap();
    let compiled = compiler.compile("export.json", &mut schemas).unwrap();
    if let Err(mistake) = schemas.validate(&document, compiled) {
        panic!("{mistake:#}");
    }
    let answer = dlbench.answer("year:1900..2100");
    let by_id = |rows: &Value| -> BTreeMap<String, Value> {
        rows.as_array().unwrap().iter().map(|row| (row["id"].to_string(), row.clone())).collect()
    };
    let answered: Vec<Value> = answer["measurements"].as_array().unwrap().iter().map(without_best).collect();
    assert_eq!(by_id(&document["measurements"]), by_id(&answered.into()));
    assert_eq!(document["catalog"]["devices"].as_array().map(Vec::len), Some(4));
    let once = fs::read(&path).unwrap();
    assert!(fs::read(exported(&dlbench, &folder, "json", "again.json")).unwrap() == once, "the same bytes twice");
}

#[test]
fn a_database_and_comma_separated_values_are_read_back() {
    let dlbench = Dlbench::on_miniature();
    let folder = TempDir::new().unwrap();
    let expected = throughputs(&dlbench);
    let connection = Connection::open(exported(&dlbench, &folder, "sqlite", "kb.sqlite")).unwrap();
    let mut select = connection.prepare("SELECT id, throughput_per_s FROM measurements").unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(rows.collect::<Result<BTreeMap<String, Option<f64>>, _>>().unwrap(), expected);
    let join = "SELECT count(*) FROM measurements m JOIN devices d ON d.id = m.device WHERE d.class = 'gpu'";
    assert!(connection.query_row(join, [], |row| row.get::<_, i64>(0)).unwrap() > 0);
    let undocumented = "SELECT count(*) FROM pragma_table_info('measurements') c
        WHERE NOT EXISTS (SELECT 1 FROM columns WHERE table_name = 'measurements' AND column_name = c.name AND meaning <> '')";
    assert_eq!(connection.query_row(undocumented, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    let unsaid = "SELECT count(*) FROM columns WHERE meaning IS NULL AND table_name <> 'columns'";
    assert_eq!(connection.query_row(unsaid, [], |row| row.get::<_, i64>(0)).unwrap(), 0, "every column has a meaning");
    for (column, unit, basis) in [
        ("latency_ms", Some("ms"), Some("one batch on each device")),
        ("throughput_per_s", Some("1/s"), Some("items as `counts` says, of all devices together")),
        ("accuracy", None, Some("the trained network")),
        ("device_count", None, None),
        ("tdp_w", Some("W"), None),
    ] {
        let of = "SELECT unit, basis FROM columns WHERE column_name = ?1";
        let said: (Option<String>, Option<String>) =
            connection.query_row(of, [column], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!((said.0.as_deref(), said.1.as_deref()), (unit, basis), "{column}");
    }
    let told = "SELECT count(*) FROM pragma_table_info('measurements')
        WHERE name IN ('division', 'accuracy_target', 'relative_accuracy_target', 'quantization', 'weight_format')";
    assert_eq!(connection.query_row(told, [], |row| row.get::<_, i64>(0)).unwrap(), 5);
    let tables = exported(&dlbench, &folder, "csv", "tables");
    let mut csv = csv::Reader::from_path(tables.join("measurements.csv")).unwrap();
    let headings = csv.headers().unwrap().clone();
    let at = headings.iter().position(|heading| heading == "throughput_per_s").unwrap();
    let read: BTreeMap<String, Option<f64>> =
        csv.records().map(|row| row.unwrap()).map(|row| (row[0].to_owned(), row[at].parse().ok())).collect();
    assert_eq!(read, expected);
    let citation = fs::read_to_string(tables.join("CITATION.cff")).unwrap();
    assert!(citation.starts_with("cff-version: 1.2.0\n"), "{citation}");
    assert!(citation.contains("    authors:\n"), "{citation}");
}

/// Streamed rows are the same as those of an answer that is built as a whole.
#[test]
fn rows_that_are_written_as_they_are_read_are_those_of_a_whole_answer() {
    let dlbench = Dlbench::on_miniature();
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for (question, more) in [
        ("year:1900..2100", &["--all"][..]),
        ("nova", &["--columns", "device,license,latency-ms", "--limit", "3", "--offset", "1"]),
        ("fastest nova limit:2", &[]),
        ("fpga", &[]),
    ] {
        let args = |more_args: &[&str]| -> Vec<String> {
            let all = [&["query", question, "-f", "csv"], more, more_args].concat();
            all.into_iter().map(str::to_owned).collect()
        };
        let ran = |args: Vec<String>| dlbench.run(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let streamed = ran(args(&[]));
        // A bibliography requires reading all rows first.
        let whole = ran(args(&["--bib", &path("refs.bib")]));
        assert_eq!((&streamed.stdout, streamed.code), (&whole.stdout, whole.code), "{question}: {whole:#?}");
        let to_file = ran(args(&["-o", &path("rows.csv")]));
        assert_eq!((to_file.stdout.as_str(), to_file.code), ("", streamed.code));
        assert_eq!(fs::read_to_string(path("rows.csv")).unwrap(), streamed.stdout);
    }
}

#[test]
fn parquet_is_read_back_by_duckdb() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().unwrap();
    let tables = exported(&dlbench, &folder, "parquet", "tables");
    assert!(fs::read(tables.join("measurements.parquet")).unwrap().starts_with(b"PAR1"));
    let Some(python) = python_with("duckdb") else {
        eprintln!("SKIPPED: no Python with DuckDB (`make test` fetches one), so nobody else read the Parquet files");
        return;
    };
    let script = "import duckdb, json, sys\n\
        q = lambda sql: duckdb.sql(sql).fetchall()\n\
        t = sys.argv[1]\n\
        print(json.dumps({\n\
        'rows': q(f\"select count(*), count(distinct id) from '{t}/measurements.parquet'\")[0],\n\
        'row': q(f\"select latency_ms, batch_size, network, derived from '{t}/measurements.parquet' where source = 'u39kun-2018' and framework = 'pytorch' and framework_version = '0.3.0' and device = 'titan-v' and network = 'vgg-16' and stage = 'eval' and precision = 'fp16'\"),\n\
        'gpus': q(f\"select count(*) from '{t}/measurements.parquet' m join '{t}/devices.parquet' d on d.id = m.device where d.class = 'gpu'\")[0][0],\n\
        'documented': q(f\"select count(*) from '{t}/columns.parquet' where table_name = 'measurements'\")[0][0]}))\n";
    let output = Command::new(python).args(["-c", script, tables.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = dlbench.json(&["index", "--status", "-f", "json"]);
    let counted = all["counts"]["measurements"].as_u64().or(all["measurements"].as_u64());
    assert_eq!(read["rows"][0].as_u64(), counted, "{all}");
    assert_eq!(read["rows"][0], read["rows"][1]);
    assert_eq!(read["row"], serde_json::json!([[14.7, 16, "vgg-16", "throughput_per_s"]]));
    assert!(read["gpus"].as_u64().unwrap() > 10_000 && read["documented"].as_u64().unwrap() > 60, "{read}");
}

#[test]
fn rows_that_are_read_one_by_one_make_the_same_document() {
    let cache = TempDir::new().expect("a temporary folder");
    let kb = KnowledgeBase::open_with_cache(miniature_kb(), cache.path()).expect("the miniature");
    // The second question's text looks like the place of the rows in the document.
    for question in ["nova", "nova \"\n  \\\"measurements\\\": []\"", "weave train"] {
        let (mut found, rows) = kb.query_rows(question, &Page::of(0, usize::MAX)).expect("an answer");
        let mut rows: Vec<JoinedRow> = rows.portions().flat_map(|portion| portion.expect("rows")).collect();
        let portions = rows.chunks(3).map(|portion| Ok::<_, RenderError>(portion.to_vec()));
        let (mut document, mut lines) = (Vec::new(), Vec::new());
        answer::write_json(&found, portions.clone(), &mut document).expect("written");
        answer::write_ndjson(portions, &mut lines).expect("written");
        assert_eq!(lines.iter().filter(|byte| **byte == b'\n').count(), rows.len());
        found.measurements = std::mem::take(&mut rows);
        assert_eq!(String::from_utf8(document).expect("UTF-8"), json(&found).expect("JSON"));
    }
}
