//! The stores of a knowledge base of a few invented entities and rows, for tests.

use std::fs;

use tempfile::TempDir;

use super::open::Stores;

/// The stores of an invented knowledge base, which are deleted when this is dropped.
pub(crate) struct Sample {
    pub stores: Stores,
    _folder: TempDir,
}

/// The defaults of all rows of a sample.
const DEFAULTS: &str = r#"
[defaults]
framework = "firelight"
device = "nova"
device-raw = "Nova"
device-count = 1
network = "deepnet-50"
input-shape = "3x64x64"
stage = "eval"
precision = "fp32"
batch-size = 16
counts = "image"
"#;

/// A table of measurements: its columns, separated by blanks, and its rows as TOML.
pub(crate) fn table(columns: &str, rows: &str) -> String {
    let columns: Vec<&str> = columns.split(' ').collect();
    format!("[[table]]\ncolumns = {columns:?}\nrows = [{rows}]\n")
}

/// One latency for each of the two devices.
pub(crate) const TWO_LATENCIES: &str = r#"
[[table]]
columns = ["device", "latency-ms"]
rows = [["nova", 200], ["core", 100]]
"#;

impl Sample {
    /// A sample with rows of these sources.
    pub fn of(sources: &[(&str, &str)]) -> Self {
        Self::without("", sources)
    }

    /// A sample whose defaults lack this line.
    pub fn without(line: &str, sources: &[(&str, &str)]) -> Self {
        Self::built(line, &[], sources)
    }

    fn built(line: &str, devices: &[(&str, &str)], sources: &[(&str, &str)]) -> Self {
        let defaults = if line.is_empty() { DEFAULTS.to_owned() } else { DEFAULTS.replace(line, "") };
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("catalog/kb.toml", "name = \"test\"\nschema = 1\noldest-reader = \"0.1.0\"\nlicense = \"CC0-1.0\"\n");
        let device = |name: &str, more: &str| {
            let id = name.to_lowercase();
            write(&format!("catalog/devices/{id}.toml"), &format!("name = \"{name}\"\nclass = \"gpu\"\n{more}"));
        };
        device("Nova", "memory-gib = 16\ntdp-w = 250\n");
        device("Core", "memory-gib = 8\ntdp-w = 150\npeak-tflops = { fp32 = 10.0 }\n");
        device("Ember", "");
        for (name, facts) in devices {
            device(name, facts);
        }
        for name in ["Firelight", "Gridflow"] {
            let id = name.to_lowercase();
            let body = format!(
                "name = \"{name}\"\nstatus = \"mature\"\nlicense = \"MIT\"\ncore-languages = [\"C++\"]\napi-languages = [\"Python\"]\nhardware = [\"gpu\"]\nmulti-server = false\n"
            );
            write(&format!("catalog/frameworks/{id}.toml"), &body);
        }
        for (id, name, size) in [("deepnet-18", "DeepNet-18", 1.8), ("deepnet-50", "DeepNet-50", 4.1)] {
            let body = format!(
                "name = \"{name}\"\ntask = \"image-classification\"\ninput-shape = \"3x64x64\"\nparameters-m = 25.6\nmultiply-adds-g = {size}\n"
            );
            write(&format!("catalog/networks/{id}.toml"), &body);
        }
        fs::create_dir_all(folder.path().join("measurements")).unwrap();
        for (source, rows) in sources {
            let body = format!(
                "name = \"{source}\"\ntype = \"article\"\nauthors = [\"A, B\"]\nyear = 2020\nurl = \"https://example.org/{source}\"\n"
            );
            write(&format!("catalog/sources/{source}.toml"), &body);
            write(&format!("measurements/{source}/a.toml"), &format!("{defaults}{rows}"));
        }
        let stores = Stores::open(folder.path(), &folder.path().join("cache")).unwrap();
        Self { stores, _folder: folder }
    }
}
