//! The rules that are checked while files are read; their codes are those of the strict reader.

use crate::contribute::rule_interface::{Check, Rule, Sample};
use crate::model::{Code, Severity};
use crate::reading::findings;

const fn rule(code: Code, title: &'static str, page: &'static str, sample: Sample) -> Rule {
    Rule { code, title, severity: Severity::Error, page, sample, check: Check::Reading }
}

pub(super) const SYNTAX: Rule = rule(
    findings::SYNTAX,
    "not valid TOML",
    "The file breaks the grammar of TOML, so nothing in it can be read. The other files are checked all the same.

The place is where the reader could not go on; the mistake is there or just before: a quote or bracket that is not closed, a text without quotes, a key that appears twice, a table that is opened twice.",
    Sample::edited("catalog/devices/nova-100-32gb.toml", r#""gpu""#, r#""gpu"#),
);

pub(super) const UNREADABLE: Rule = rule(
    findings::UNREADABLE,
    "a file that cannot be read as text",
    "The file is not UTF-8, is larger than 64 MiB, or the system does not let this user read it. (In the sample a sign stands for a byte that is not UTF-8.)

Save it as UTF-8; split what is too large into one file for each coherent batch; mend the permissions.",
    Sample::edited("catalog/devices/nova-100-32gb.toml", "Acme Nova", "Acm� Nova"),
);

pub(super) const MISPLACED: Rule = rule(
    findings::MISPLACED,
    "a file in a wrong place",
    "What a file holds is told by its place: `catalog/<kind>/<id>.toml` or `measurements/<source>/<batch>.toml`. A file anywhere else would be read by nobody.

Ids are lower-case letters, digits, single hyphens and dots. A folder, a pipe or a link to nowhere is no file.",
    Sample::renamed("catalog/devices/core-9.toml", "catalog/device/core-9.toml"),
);

pub(super) const UNKNOWN_KEY: Rule = rule(
    findings::UNKNOWN_KEY,
    "a key that does not exist",
    "A key that nobody reads is a fact that nobody finds, and most often a slip of another key. The message names the near ones.

Quantities carry their unit in the key: `memory-gib`, `tdp-w`, `latency-ms`.",
    Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-type", "memory-typ"),
);

pub(super) const MISSING_KEY: Rule = rule(
    findings::MISSING_KEY,
    "a key that is missing",
    "Every kind of entry has keys that it cannot do without: a name, the class of a device, the BibTeX type of a source, the reason of an exception.",
    Sample::edited("catalog/devices/nova-100-32gb.toml", "class = \"gpu\"\n", ""),
);

pub(super) const WRONG_VALUE: Rule = rule(
    findings::WRONG_VALUE,
    "a value that its key cannot have",
    r##"Numbers stand without quotes, texts with them; dates are `2017-12-07`, or `"2017-12"` and `"2017"` in quotes where less is known; shapes are `"3x224x224"`, channels first; ids are lower-case kebab. A number is written with the digits its source printed."##,
    Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-gib = 32", r#"memory-gib = "32 GB""#),
);

pub(super) const UNKNOWN_WORD: Rule = rule(
    findings::UNKNOWN_WORD,
    "a word outside its vocabulary",
    "Some keys take one word of a closed list, because what is spelled in two ways is found in one of them only. The message has the list.",
    Sample::edited("measurements/imagined-2018/training.toml", r#""train""#, r#""training""#),
);

pub(super) const EMPTY_TEXT: Rule = rule(
    findings::EMPTY_TEXT,
    "an empty text",
    r##"What is not known is left out. An empty text would look like a fact.

In the compact form of measurements, `""` in a row does mean "absent"."##,
    Sample::edited("catalog/devices/nova-100-32gb.toml", r#""Acme""#, r#""""#),
);

pub(super) const LATER_SCHEMA: Rule = rule(
    findings::LATER_SCHEMA,
    "a knowledge base of a later schema",
    "`catalog/kb.toml` says which version of the file format the knowledge base has. This program is older than that: update it.",
    Sample::edited("catalog/kb.toml", "schema = 1", "schema = 99"),
);

pub(super) const ROWS: Rule = rule(
    findings::ROWS,
    "rows that do not fit their columns",
    r##"A compact `[[table]]` has `columns`, each the name of a key and each once, and `rows` with as many cells as there are columns. `""` is an absent value."##,
    Sample::edited("measurements/imagined-2018/training.toml", r#""fp32", 16, 65.0"#, r#""fp32", 65.0"#),
);

pub(super) const REFERENCE: Rule = rule(
    findings::REFERENCE,
    "an id that no entity has",
    r##"Framework, device, network, data set and source are named by the id of their entry, the stem of its file, in measurements, entries, suites and recipes alike. The message names the near ids; `dlbench resolve device "…"` tells how a spelling is read.

Is it really new? `dlbench new device` makes an entry."##,
    Sample::edited("measurements/imagined-2018/training.toml", "deepnet-50", "depnet-50"),
);

pub(super) const DUPLICATE_ENTITY: Rule = rule(
    findings::DUPLICATE_ENTITY,
    "an entity that appears twice",
    "An entity has one file, or one row in one collection. Which of two would be right nobody can tell.",
    Sample::edited("catalog/collections/devices.toml", r#""nova-100-8gb""#, r#""nova-100-16gb""#),
);

pub(super) const DUPLICATE_MEASUREMENT: Rule = rule(
    findings::DUPLICATE_MEASUREMENT,
    "a measurement that appears twice",
    "The id of a measurement follows from what tells it from its neighbours: its source and every field but notes, raw spellings and sample counts. Two rows with one id are the same measurement.

Remove one, or state what distinguishes them: a batch size, a software version, at least a `label`.",
    Sample::edited("measurements/imagined-2018/training.toml", r#""fp16""#, r#""fp32""#),
);

pub(super) const LICENSE: Rule = rule(
    findings::LICENSE,
    "a licence that is not an SPDX expression",
    r##"Questions such as "Apache, C++, multi-server" need one spelling of each licence: its SPDX identifier, or an expression such as `MIT OR Apache-2.0`. See spdx.org/licenses.

What a survey printed goes under `reported`, as printed."##,
    Sample::edited("catalog/frameworks/firelight.toml", r#""BSD-3-Clause""#, r#""BSD 3""#),
);

pub(super) const UNSTATED_FACT: Rule = rule(
    findings::UNSTATED_FACT,
    "a citation of a fact that is not stated",
    "`facts` lists keys of the entry that the citation covers. One that the entry does not have is a slip, or left over from a fact that was removed.",
    Sample::edited("catalog/datasets/tiny-pictures.toml", r#""train-size""#, r#""train-size", "test-size""#),
);

pub(super) const CITATION: Rule = rule(
    findings::CITATION,
    "a citation of nothing, or of two things",
    "A citation names a `source` of the catalog or the `url` of a page; one of the two.",
    Sample::edited(
        "catalog/devices/nova-100-32gb.toml",
        r#"source = "imagined-2018""#,
        "source = \"imagined-2018\"\nurl = \"https://example.org/nova\"",
    ),
);

pub(super) const NO_METRIC: Rule = rule(
    findings::NO_METRIC,
    "a row without a metric",
    "A measurement states at least one metric, such as `latency-ms`; a failed attempt states its `outcome`: oom, unsupported, crashed or timeout. `dlbench list metrics` has them all.",
    Sample::edited("measurements/imagined-2018/training.toml", "65.0, 984.6", r#""", """#),
);

pub(super) const UNCOUNTED: Rule = rule(
    findings::UNCOUNTED,
    "a throughput that does not say what it counts",
    "Images, samples, tokens, sequences a second are different things, and are never compared. `counts` says which it is.",
    Sample::edited("measurements/imagined-2018/training.toml", "counts = \"image\"\n", ""),
);

pub(super) const NOT_POSITIVE: Rule = rule(
    findings::NOT_POSITIVE,
    "a metric that is zero or negative",
    "Nothing takes no time. What was not measured is left out; an attempt that failed states its `outcome`.",
    Sample::edited("measurements/imagined-2018/inference.toml", "20.0", "0"),
);

pub(super) const METRIC_DEFAULT: Rule = rule(
    findings::METRIC_DEFAULT,
    "a metric among the defaults",
    "`[defaults]` holds what rows share: how it was measured, never what came out.",
    Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"precision = "fp32""#,
        "precision = \"fp32\"\nlatency-ms = 3",
    ),
);
