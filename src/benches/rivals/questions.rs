//! The benchmark questions, and their translation for each rival.

use Column::*;
use Need::*;
use dlbench::model::Catalog;
use dlbench::values::{EntityId, EntityKind};

use super::sqlite::place;

/// A column of the flat rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    License,
    MultiServer,
    Device,
    Class,
    Vendor,
    Network,
    Stage,
    Precision,
    BatchSize,
    Year,
    LatencyMs,
    ThroughputPerS,
    EpochS,
}

/// A condition on a row.
#[derive(Debug, Clone, Copy)]
pub enum Need {
    /// The column has one of these values.
    One(Column, &'static [&'static str]),
    /// The column has this device or network, or one of its descendants.
    Family(Column, &'static str),
    /// The framework, or the backend, is this one.
    Framework(&'static str),
    /// The words occur in this order, in lower case.
    Words(&'static str),
    /// The number is in this range, both ends included.
    Between(Column, f64, f64),
    /// The number is larger.
    Above(Column, f64),
    /// The number is smaller.
    Below(Column, f64),
    /// At least one of these conditions holds.
    Any(&'static [Need]),
    /// The condition does not hold.
    Not(&'static Need),
}

/// A question with its sort order.
pub struct Question {
    /// The question as a user types it.
    pub ask: &'static str,
    /// Whether it finds hundreds or thousands of a million rows, rather than a tenth or more.
    pub selective: bool,
    /// All of these conditions must hold; the first one is what a person would grep for.
    pub needs: &'static [Need],
    pub sort: Column,
    pub descending: bool,
}

const FP16: &[&str] = &["fp16", "amp-fp16"];

/// Ten selective questions, then ten broad ones.
pub const QUESTIONS: &[Question] = &[
    Question {
        ask: "fp16 V100 resnet152 sort:-throughput",
        selective: true,
        needs: &[Family(Network, "resnet-152"), Family(Device, "tesla-v100"), One(Precision, FP16)],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "bert-large t4 sort:latency",
        selective: true,
        needs: &[Family(Network, "bert-large"), Family(Device, "tesla-t4")],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "vgg16 2080 ti train sort:latency",
        selective: true,
        needs: &[Family(Network, "vgg-16"), Family(Device, "geforce-rtx-2080-ti"), One(Stage, &["train"])],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "resnet-50 a100 stage:train batch>=128 sort:-throughput",
        selective: true,
        needs: &[
            Family(Network, "resnet-50"),
            Family(Device, "a100"),
            One(Stage, &["train"]),
            Between(BatchSize, 128.0, f64::INFINITY),
        ],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "squeezenet zcu102 sort:latency",
        selective: true,
        needs: &[Family(Network, "squeezenet"), Family(Device, "zcu102")],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "(titan v OR 1080 ti) vgg16 -framework:caffe2 sort:latency",
        selective: true,
        needs: &[
            Family(Network, "vgg-16"),
            Any(&[Family(Device, "titan-v"), Family(Device, "geforce-gtx-1080-ti")]),
            Not(&Framework("caffe2")),
        ],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "llama-3-8b decode sort:-throughput",
        selective: true,
        needs: &[Family(Network, "llama-3-8b"), One(Stage, &["decode"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "transformer-xl-base v100 precision:amp-fp16 sort:-throughput",
        selective: true,
        needs: &[Family(Network, "transformer-xl-base"), Family(Device, "tesla-v100"), One(Precision, &["amp-fp16"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "\"Vulkan device 0\" sort:latency",
        selective: true,
        needs: &[Words("vulkan device 0")],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "keras train sort:epoch-s",
        selective: true,
        needs: &[Framework("keras"), One(Stage, &["train"])],
        sort: EpochS,
        descending: false,
    },
    Question {
        ask: "pytorch eval sort:-throughput",
        selective: false,
        needs: &[Framework("pytorch"), One(Stage, &["eval"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "class:gpu sort:-throughput",
        selective: false,
        needs: &[One(Class, &["gpu"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "fp16 gpu sort:-throughput",
        selective: false,
        needs: &[One(Precision, FP16), One(Class, &["gpu"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "vendor:nvidia eval batch:8..256 sort:-throughput",
        selective: false,
        needs: &[One(Vendor, &["NVIDIA"]), One(Stage, &["eval"]), Between(BatchSize, 8.0, 256.0)],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "license:apache-2.0 sort:-throughput",
        selective: false,
        needs: &[One(License, &["Apache-2.0"])],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "multi-server:yes class:gpu eval sort:latency",
        selective: false,
        needs: &[One(MultiServer, &["yes"]), One(Class, &["gpu"]), One(Stage, &["eval"])],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "year:2020.. throughput>1000 sort:-throughput",
        selective: false,
        needs: &[One(Year, &["2020", "2021", "2022", "2023", "2024", "2025", "2026"]), Above(ThroughputPerS, 1000.0)],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "-device:geforce-rtx-3090 precision:amp-fp16 sort:-throughput",
        selective: false,
        needs: &[One(Precision, &["amp-fp16"]), Not(&Family(Device, "geforce-rtx-3090"))],
        sort: ThroughputPerS,
        descending: true,
    },
    Question {
        ask: "(pytorch OR tensorflow) latency<20 sort:latency",
        selective: false,
        needs: &[Any(&[Framework("pytorch"), Framework("tensorflow")]), Below(LatencyMs, 20.0)],
        sort: LatencyMs,
        descending: false,
    },
    Question {
        ask: "compiled pytorch sort:-throughput",
        selective: false,
        needs: &[Words("compiled"), Framework("pytorch")],
        sort: ThroughputPerS,
        descending: true,
    },
];

impl Column {
    /// The column's name in every tool.
    pub fn name(self) -> &'static str {
        match self {
            License => "license",
            MultiServer => "multi_server",
            Device => "device",
            Class => "class",
            Vendor => "vendor",
            Network => "network",
            Stage => "stage",
            Precision => "precision",
            BatchSize => "batch_size",
            Year => "year",
            LatencyMs => "latency_ms",
            ThroughputPerS => "throughput_per_s",
            EpochS => "epoch_s",
        }
    }
}

/// The columns whose values every answer counts.
pub const FACETS: &[&str] = &["source", "framework", "device", "network", "stage", "precision"];

/// Number of rows that an answer shows.
pub const SHOWN: usize = 20;

/// The ids of a device or network and of all its descendants.
pub fn family(catalog: &Catalog, column: Column, id: &str) -> Vec<String> {
    let wanted: EntityId = id.parse().expect("an id");
    let lineage = |id: &EntityId| match column {
        Column::Network => catalog.network_lineage(id),
        _ => catalog.device_lineage(id),
    };
    let kind = if column == Column::Network { EntityKind::Network } else { EntityKind::Device };
    let all: Vec<&EntityId> = match kind {
        EntityKind::Network => catalog.networks.keys().collect(),
        _ => catalog.devices.keys().collect(),
    };
    let found = all.into_iter().filter(|id| lineage(id).contains(&wanted)).map(ToString::to_string);
    found.collect()
}

/// A condition as SQL over the flat rows; `is_one` builds the comparison of a column with values, and `words` a text search.
fn sql(
    need: &Need,
    catalog: &Catalog,
    is_one: &dyn Fn(&str, &[String]) -> String,
    words: &dyn Fn(&str) -> String,
) -> String {
    let again = |need: &Need| sql(need, catalog, is_one, words);
    match need {
        Need::One(column, values) => {
            is_one(column.name(), &values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>())
        }
        Need::Family(column, id) => is_one(column.name(), &family(catalog, *column, id)),
        Need::Framework(id) => {
            let ids = [(*id).to_owned()];
            format!("({} OR {})", is_one("framework", &ids), is_one("backend", &ids))
        }
        Need::Words(text) => words(text),
        Need::Between(column, low, high) if high.is_infinite() => format!("{} >= {low}", column.name()),
        Need::Between(column, low, high) => format!("{} BETWEEN {low} AND {high}", column.name()),
        Need::Above(column, value) => format!("{} > {value}", column.name()),
        Need::Below(column, value) => format!("{} < {value}", column.name()),
        Need::Any(needs) => format!("({})", needs.iter().map(again).collect::<Vec<_>>().join(" OR ")),
        Need::Not(need) => format!("({}) IS NOT TRUE", again(need)),
    }
}

fn quoted(values: &[String]) -> String {
    values.iter().map(|value| format!("'{value}'")).collect::<Vec<_>>().join(", ")
}

/// Two forms of a query for DuckDB over Parquet; the faster one is used.
///
/// The first collects the hits and then counts and ranks them; the second scans twice and counts all facets in one pass.
pub fn duckdb(question: &Question, catalog: &Catalog, parquet: &str) -> [String; 2] {
    let is_one = |column: &str, values: &[String]| match column {
        "year" => format!("year IN ({})", values.join(", ")),
        _ => format!("{column} IN ({})", quoted(values)),
    };
    let words = |text: &str| format!("contains(text, ' {text} ')");
    let needs: Vec<String> = question.needs.iter().map(|need| sql(need, catalog, &is_one, &words)).collect();
    let needs = needs.join(" AND ");
    let sort = question.sort.name();
    let order = if question.descending { "DESC" } else { "ASC" };
    let facets = FACETS.join(", ");
    let each: Vec<String> = FACETS
        .iter()
        .map(|facet| {
            format!("SELECT 'facet', '{facet}', {facet}, count(*) FROM hits WHERE {facet} IS NOT NULL GROUP BY {facet}")
        })
        .collect();
    let collected = format!(
        "WITH hits AS MATERIALIZED (SELECT id, {sort}, {facets} FROM '{parquet}' WHERE {needs})\n\
         SELECT 'total', '', '', count(*) FROM hits\n\
         UNION ALL (SELECT 'row', id, {sort}::VARCHAR, 0 FROM hits ORDER BY {sort} {order} NULLS LAST LIMIT {SHOWN})\n\
         UNION ALL {};\n",
        each.join("\nUNION ALL "),
    );
    // `grouping_id` has one bit per facet, which is 0 for the facet that a line is grouped by.
    let name: String = FACETS
        .iter()
        .enumerate()
        .map(|(at, facet)| {
            let id = (1 << FACETS.len()) - 1 - (1 << (FACETS.len() - 1 - at));
            format!(" WHEN {id} THEN '{facet}'")
        })
        .collect();
    let sets: Vec<String> = FACETS.iter().map(|facet| format!("({facet})")).collect();
    let twice = format!(
        "SELECT 'row', id, {sort}, {facets} FROM '{parquet}' WHERE {needs} ORDER BY {sort} {order} NULLS LAST LIMIT {SHOWN};\n\
         SELECT if(grouping_id({facets}) = {all}, 'total', 'facet'), CASE grouping_id({facets}){name} END AS name,\n\
         coalesce({facets}) AS value, count(*) FROM '{parquet}' WHERE {needs} GROUP BY GROUPING SETS ((), {})\n\
         HAVING name IS NULL OR value IS NOT NULL;\n",
        sets.join(", "),
        all = (1 << FACETS.len()) - 1,
    );
    [collected, twice]
}

/// Two forms of SQLite's `FROM … WHERE …` for the hits; the faster one is used.
///
/// The first finds names and words with FTS5; the second scans the table or uses an index that SQLite chooses.
pub fn sqlite(question: &Question, catalog: &Catalog) -> [String; 2] {
    let is_one = |column: &str, values: &[String]| match column {
        "year" => format!("year IN ({})", values.join(", ")),
        // The codes of the names; backends share the names of frameworks.
        _ => {
            let kind = if column == "backend" { "framework" } else { column };
            format!("{column} IN (SELECT code FROM name WHERE kind = '{kind}' AND name IN ({}))", quoted(values))
        }
    };
    let words = |text: &str| format!("m.row IN (SELECT rowid FROM words WHERE words MATCH '\"{text}\"')");
    let scan: Vec<String> = question.needs.iter().map(|need| sql(need, catalog, &is_one, &words)).collect();
    let (indexed, rest): (Vec<&Need>, Vec<&Need>) =
        question.needs.iter().partition(|need| fts(need, catalog).is_some());
    let rest: String = rest.iter().map(|need| format!(" AND {}", sql(need, catalog, &is_one, &words))).collect();
    let fts: Vec<String> = indexed.iter().filter_map(|need| fts(need, catalog)).collect();
    [
        match fts.is_empty() {
            true => format!("FROM m WHERE true{rest}"),
            false => format!(
                "FROM (SELECT rowid AS hit FROM facets WHERE facets MATCH '{}') \
                 CROSS JOIN m ON m.row = hit WHERE true{rest}",
                fts.join(" AND ")
            ),
        },
        format!("FROM m WHERE {}", scan.join(" AND ")),
    ]
}

/// The condition as an FTS5 expression over the facet columns; `None` if that is impossible.
fn fts(need: &Need, catalog: &Catalog) -> Option<String> {
    let any = |column: &str, values: &[String]| {
        let values: Vec<String> = values.iter().map(|value| format!("\"{value}\"")).collect();
        format!("{column} : ({})", values.join(" OR "))
    };
    match need {
        Need::One(column, values) => {
            Some(any(column.name(), &values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>()))
        }
        Need::Family(column, id) => Some(any(column.name(), &family(catalog, *column, id))),
        Need::Framework(id) => Some(any("framework", &[(*id).to_owned()])),
        Need::Any(needs) => {
            let each: Option<Vec<String>> = needs.iter().map(|need| fts(need, catalog)).collect();
            each.map(|each| format!("({})", each.join(" OR ")))
        }
        _ => None,
    }
}

/// A pipeline: ripgrep finds lines of the CSV files with the first condition, then awk checks the columns and counts.
pub fn shell(question: &Question, catalog: &Catalog, rg: &str, folder: &str) -> String {
    let mut patterns = Vec::new();
    literals(&question.needs[0], catalog, &mut patterns);
    let patterns: Vec<String> = patterns.iter().map(|pattern| format!("-e '{pattern}'")).collect();
    let needs: Vec<String> = question.needs.iter().map(|need| awk(need, catalog)).collect();
    let sort = place(question.sort.name()) + 1;
    let better = if question.descending { ">" } else { "<" };
    let facets: String =
        FACETS.iter().map(|facet| format!("if (${0} != \"\") {facet}[${0}]++; ", place(facet) + 1)).collect();
    let told: String = FACETS
        .iter()
        .map(|facet| format!("for (v in {facet}) print \"facet\\t{facet}\\t\" v \"\\t\" {facet}[v]; "))
        .collect();
    format!(
        "'{rg}' --no-config --no-filename --no-line-number --fixed-strings {} '{folder}' | awk -F, '\n\
         {} {{\n\
         n++; {facets}\n\
         if (${sort} == \"\") {{ if (without < {SHOWN}) lacking[++without] = $1; next }}\n\
         v = ${sort} + 0;\n\
         if (kept == {SHOWN} && !(v {better} best[kept])) next;\n\
         if (kept < {SHOWN}) kept++;\n\
         for (i = kept; i > 1 && v {better} best[i - 1]; i--) {{ best[i] = best[i - 1]; line[i] = line[i - 1]; }}\n\
         best[i] = v; line[i] = $1 \"\\t\" ${sort} \"\\t\" $0;\n\
         }}\n\
         END {{ print \"total\\t\\t\\t\" n + 0; for (i = 1; i <= kept; i++) print \"row\\t\" line[i];\n\
         for (i = 1; i <= without && kept + i <= {SHOWN}; i++) print \"row\\t\" lacking[i] \"\\t\"; {told}}}'\n",
        patterns.join(" "),
        needs.join(" && "),
    )
}

/// Collects strings of which at least one occurs in every line that meets a condition.
fn literals(need: &Need, catalog: &Catalog, found: &mut Vec<String>) {
    match need {
        Need::One(_, values) => found.extend(values.iter().map(|value| format!(",{value},"))),
        Need::Family(column, id) => {
            found.extend(family(catalog, *column, id).iter().map(|id| format!(",{id},")));
        }
        Need::Framework(id) => found.push(format!(",{id},")),
        Need::Words(text) => found.push(format!(" {text} ")),
        Need::Any(needs) => needs.iter().for_each(|need| literals(need, catalog, found)),
        _ => unreachable!("nobody greps for numbers or for what is not there"),
    }
}

fn awk(need: &Need, catalog: &Catalog) -> String {
    let cell = |column: Column| format!("${}", place(column.name()) + 1);
    let one = |cell: &str, values: &[String]| {
        let each: Vec<String> = values.iter().map(|value| format!("{cell} == \"{value}\"")).collect();
        format!("({})", each.join(" || "))
    };
    match need {
        Need::One(column, values) => {
            one(&cell(*column), &values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>())
        }
        Need::Family(column, id) => one(&cell(*column), &family(catalog, *column, id)),
        Need::Framework(id) => {
            format!("(${} == \"{id}\" || ${} == \"{id}\")", place("framework") + 1, place("backend") + 1)
        }
        Need::Words(text) => format!("index(${}, \" {text} \")", place("text") + 1),
        Need::Between(column, low, high) if high.is_infinite() => {
            let cell = cell(*column);
            format!("({cell} != \"\" && {cell} + 0 >= {low})")
        }
        Need::Between(column, low, high) => {
            let cell = cell(*column);
            format!("({cell} != \"\" && {cell} + 0 >= {low} && {cell} + 0 <= {high})")
        }
        Need::Above(column, value) => format!("({0} != \"\" && {0} + 0 > {value})", cell(*column)),
        Need::Below(column, value) => format!("({0} != \"\" && {0} + 0 < {value})", cell(*column)),
        Need::Any(needs) => {
            format!("({})", needs.iter().map(|need| awk(need, catalog)).collect::<Vec<_>>().join(" || "))
        }
        Need::Not(need) => format!("!{}", awk(need, catalog)),
    }
}
