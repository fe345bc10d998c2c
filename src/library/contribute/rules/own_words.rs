//! Fields that contradict the texts of their row. Which text repeats which field is learned from the other rows of the source.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use rayon::prelude::*;
use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, FieldType, Measurement, Severity, Value};
use crate::reading::Located;
use crate::values::Stage;
use crate::values::text::{normalise, or_list};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(322),
    title: "a field that the row's own words contradict",
    severity: Severity::Error,
    page: "A label, a file name or a spelling repeats what fields state: `.../Offline` the scenario, `open-intel.toml` the division, `Falcon40B-decode` the stage, `PyTorch 2.4.0` the version. Where the rows of a source have the value of a field in such a text, a row whose text has another value of the field and lacks its own is wrong in one of the two. How often field and text agree decides which pairs are compared, so a text that uses the word for something else is left alone. Numbers are compared by their place as well: where `8192x1024_c16` has the input, the output and the concurrency in all other rows, another number there contradicts its field.

Some texts need no other rows: the version behind one word is the same in `container`, `framework-raw` and `software`; `framework-version` is a version that `framework-raw` names; `80GBx8` and `64xBM.GPU.H200.8` count devices; `groupwise 4-bit` is not the quantisation of weights in int8; the CUDA, cuDNN and driver of a raw name are those of the fields; `resnet_v1_101` is not version 2 of a network; who timed output tokens did not time a prefill, nor a training who timed `forward in evaluation mode`; the same words in `timed` are of one stage in nearly all rows of all sources; notes that speak of TF32 alone are not those of a row in fp32, nor \"top 5\", \"batch of 64\" or `416x416` the words of another number.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "framework = \"firelight\"\n",
        "framework = \"firelight\"\nframework-version = \"0.3.1\"\nframework-raw = \"Firelight 0.1.3\"\n",
    ),
    check: Check::Rows(find),
};

/// Fields that texts mention in other senses, or that have their own rule.
const NOT_IN_WORDS: &[Field] = &[
    Field::Precision,
    Field::Counts,
    Field::Framework,
    Field::Backend,
    Field::Device,
    Field::Network,
    Field::N,
    Field::Hosts,
    Field::Processes,
];

/// Minimum number of agreeing rows per contradicting row, and maximum number of contradicting rows. Words of a vocabulary are rarely
/// ambiguous, names and versions more often, numbers most often. The knowledge base has no findings with these limits.
fn distance(field: Field) -> Option<(usize, usize)> {
    let is_free_text = TEXTS.contains(&Some(field)) && !matches!(field, Field::Container | Field::Mode);
    match field.kind() {
        _ if is_free_text || field.is_remark() || NOT_IN_WORDS.contains(&field) => None,
        FieldType::Word(_) => Some((9, usize::MAX)),
        FieldType::Text | FieldType::Date | FieldType::Entity(_) => Some((25, 40)),
        FieldType::Count | FieldType::Shape => Some((50, 3)),
        FieldType::Number => None,
    }
}

/// Texts that can repeat a field; `None` is the file name.
const TEXTS: &[Option<Field>] = &[
    None,
    Some(Field::Label),
    Some(Field::NetworkRaw),
    Some(Field::DeviceRaw),
    Some(Field::FrameworkRaw),
    Some(Field::DatasetRaw),
    Some(Field::Container),
    Some(Field::Software),
    Some(Field::Setting),
    Some(Field::Mode),
    Some(Field::Quantization),
    Some(Field::Partition),
    Some(Field::Host),
];

/// Number of texts sampled first.
const LOOKED_AT: usize = 300;

/// Minimum number of agreeing rows.
const FEWEST: usize = 5;

/// A finding: row index, field, text, and the values in the text.
type Told = (usize, Field, Option<Field>, Vec<String>);

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut sources: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        sources.entry(row.get().source().as_str()).or_default().push(at);
    }
    let sources: Vec<Vec<usize>> = sources.into_values().collect();
    let mut told: Vec<Told> = sources.par_iter().flat_map_iter(|of_source| contradicted(rows, of_source)).collect();
    told.extend(of_timed(rows));
    told.sort_unstable();
    told.dedup_by_key(|(at, field, ..)| (*at, *field));
    for (at, field, text, others) in told {
        let row = IndexedRow { at, row: &rows[at] };
        let value = row.get().get(field).map(ToString::to_string).unwrap_or_default();
        let whose = text.map_or("the name of the file".to_owned(), |text| format!("`{text}`"));
        let message = format!("`{field}` is {value}, {whose} says {}", or_list(&others));
        let finding = found.in_row(&row, field.key(), message, "contradicts the row's own words");
        finding.help("mend the field; or the text, if the source has another one");
        if let Some(text) = text {
            finding.beside([text.key().into()], "its words");
        }
    }
    let mut read = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        by_itself(&IndexedRow { at, row }, &mut read, found);
    }
}

/// The rows of another stage than nearly all others of any source with the same `timed`.
fn of_timed(rows: &[Located<Measurement>]) -> Vec<Told> {
    let mut timed: HashMap<&str, BTreeMap<&str, Vec<usize>>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        if let (Some(text), Some(stage)) = (row.get().text(Field::Timed), row.get().text(Field::Stage)) {
            timed.entry(text).or_default().entry(stage).or_default().push(at);
        }
    }
    let (times, _) = distance(Field::Stage).unwrap_or_default();
    let mut told = Vec::new();
    for (text, stages) in timed {
        let Some((usual, most)) = stages.iter().max_by_key(|(_, rows)| rows.len()) else { continue };
        let others: Vec<usize> =
            stages.iter().filter(|(stage, _)| *stage != usual).flat_map(|(_, rows)| rows.clone()).collect();
        if most.len() >= others.len() * times {
            // Words that tell the stage by themselves are told of anyway.
            let others = others
                .into_iter()
                .filter(|at| !rows[*at].get().stage().is_some_and(|stage| is_of_other_stage(text, stage)));
            told.extend(others.map(|at| (at, Field::Stage, Some(Field::Timed), vec![(*usual).to_owned()])));
        }
    }
    told
}

/// The words of a text, separated and enclosed by blanks. Letters, numbers and versions are separate words.
fn words(text: &str) -> String {
    static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:\.\d+)*|[a-z]+"));
    let mut all = " ".to_owned();
    for word in WORD.find_iter(&text.to_lowercase()) {
        all.push_str(word.as_str());
        all.push(' ');
    }
    all
}

/// Whether words are among others, apart or written as one: `single-stream`, `SingleStream`.
fn has(text: &str, words: &str) -> bool {
    let joined = || format!(" {} ", words.replace(' ', ""));
    words.trim() != "" && (text.contains(words) || words.trim().contains(' ') && text.contains(&joined()))
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is tested")
}

fn contradicted(rows: &[Located<Measurement>], of_source: &[usize]) -> Vec<Told> {
    let mut told = Vec::new();
    let mut read: HashMap<&str, String> = HashMap::new();
    let stated: BTreeSet<Field> =
        of_source.iter().flat_map(|at| rows[*at].get().fields()).map(|(field, _)| *field).collect();
    for text in TEXTS {
        // Rows by text.
        let mut by_text: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in of_source {
            let row = &rows[*at];
            let own = match text {
                Some(field) => row.get().text(*field),
                None => row.file().path.file_stem().and_then(|stem| stem.to_str()),
            };
            if let Some(own) = own {
                by_text.entry(own).or_default().push(*at);
            }
        }
        for own in by_text.keys() {
            read.entry(own).or_insert_with(|| words(own));
        }
        if let Some(text) = text {
            let counts: Vec<Field> = stated.iter().copied().filter(|field| field.kind() == FieldType::Count).collect();
            told.extend(of_places(rows, &by_text, *text, &counts));
        }
        for field in stated.iter().filter(|field| Some(**field) != *text) {
            if let Some(distance) = distance(*field) {
                told.extend(of_pair(rows, &by_text, &read, (*field, *text), distance));
            }
        }
    }
    told
}

/// The rows whose text contains another value of the field, if enough other rows show that the text repeats the field.
fn of_pair(
    rows: &[Located<Measurement>],
    by_text: &BTreeMap<&str, Vec<usize>>,
    read: &HashMap<&str, String>,
    (field, text): (Field, Option<Field>),
    (times, most): (usize, usize),
) -> Vec<Told> {
    // A label may contain the version of a package that wraps the framework.
    if field == Field::FrameworkVersion && text == Some(Field::Label) {
        return Vec::new();
    }
    // Most pairs of field and text never agree, which a sample shows.
    let agrees = |(own, of_text): (&&str, &Vec<usize>)| {
        let value = rows[of_text[0]].get().get(field);
        value.is_some_and(|value| has(&read[own], &words(&value.to_string())))
    };
    if !by_text.iter().step_by(by_text.len() / LOOKED_AT + 1).any(agrees) {
        return Vec::new();
    }
    let mut spelled: BTreeMap<String, String> = BTreeMap::new();
    let mut seen: Vec<(&str, BTreeMap<String, Vec<usize>>)> = Vec::new();
    for (own, of_text) in by_text {
        let mut values: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for at in of_text {
            match rows[*at].get().get(field) {
                Some(Value::Text(value)) => match values.get_mut(value.as_ref()) {
                    Some(of_value) => of_value.push(*at),
                    None => drop(values.insert(value.to_string(), vec![*at])),
                },
                Some(value) => values.entry(value.to_string()).or_default().push(*at),
                None => {}
            }
        }
        for value in values.keys().filter(|value| !spelled.contains_key(*value)).cloned().collect::<Vec<_>>() {
            let own = words(&value);
            spelled.insert(value, own);
        }
        if !values.is_empty() {
            seen.push((own, values));
        }
    }
    if let FieldType::Word(vocabulary) = field.kind() {
        spelled.extend(vocabulary.iter().map(|word| ((*word).to_owned(), words(word))));
    }
    let (mut agreeing, mut told) = (0, Vec::new());
    for (own, values) in seen {
        let text_words = &read[own];
        let in_text: Vec<&String> =
            spelled.iter().filter(|(_, words)| has(text_words, words)).map(|(value, _)| value).collect();
        for (value, of_value) in values {
            if in_text.contains(&&value) {
                agreeing += of_value.len();
            } else if !in_text.is_empty() {
                let others: Vec<String> = in_text.iter().map(|other| (*other).clone()).collect();
                told.extend(of_value.iter().map(|at| (*at, field, text, others.clone())));
            }
        }
    }
    let shows = agreeing >= FEWEST && told.len() <= most && told.len().saturating_mul(times) <= agreeing;
    if shows { told } else { Vec::new() }
}

/// The place of a number in a text: the letters or the sign before it, and the character behind it.
type Place<'t> = (&'t str, &'t str);

/// The whole numbers of a text by their places; places that occur more than once are left out.
fn placed(text: &str) -> Vec<(Place<'_>, i64)> {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:\.\d+)*"));
    let mut all: Vec<(Place<'_>, i64)> = Vec::new();
    for found in NUMBER.find_iter(text) {
        let (before, behind) = (&text[..found.start()], &text[found.end()..]);
        let letters = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let last = before.char_indices().next_back().map_or(0, |(at, _)| at);
        let before = &before[letters.len().min(last)..];
        let behind = &behind[..behind.chars().next().map_or(0, char::len_utf8)];
        if let Ok(number) = found.as_str().parse() {
            all.push(((before, behind), number));
        }
    }
    let single = |at: usize| all.iter().filter(|(place, _)| *place == all[at].0).count() == 1;
    (0..all.len()).filter(|at| single(*at)).map(|at| all[at]).collect()
}

/// What the rows of a source show about a place in a text and a field.
#[derive(Default)]
struct Seen {
    agreeing: usize,
    values: BTreeSet<i64>,
    told: Vec<(usize, i64)>,
}

impl Seen {
    /// Adds rows that have a number at a place.
    fn add(&mut self, rows: &[Located<Measurement>], field: Field, number: i64, of_text: &[usize]) {
        for at in of_text {
            match rows[*at].get().count(field) {
                Some(count) if count == number => {
                    self.agreeing += 1;
                    if self.values.len() < FEWEST_VALUES {
                        self.values.insert(number);
                    }
                }
                Some(_) => self.told.push((*at, number)),
                None => {}
            }
        }
    }
}

/// Minimum number of values by which a place and a field are known to go together.
const FEWEST_VALUES: usize = 3;

/// The rows that have another number at a place of a text than in a field, if all other rows have the field's.
fn of_places(
    rows: &[Located<Measurement>],
    by_text: &BTreeMap<&str, Vec<usize>>,
    text: Field,
    counts: &[Field],
) -> Vec<Told> {
    let Some((times, most)) = distance(Field::DeviceCount).filter(|_| by_text.len() >= FEWEST_VALUES) else {
        return Vec::new();
    };
    // Most places and fields differ, which a sample shows.
    let mut seen: HashMap<(Place<'_>, Field), Seen> = HashMap::new();
    for (own, of_text) in by_text.iter().step_by(by_text.len() / LOOKED_AT + 1) {
        for (place, number) in placed(own) {
            for field in counts {
                seen.entry((place, *field)).or_default().add(rows, *field, number, &of_text[..1]);
            }
        }
    }
    seen.retain(|_, seen| seen.agreeing > 0 && seen.told.len() <= most);
    let places: BTreeMap<Place<'_>, Vec<Field>> = seen.keys().fold(BTreeMap::new(), |mut places, (place, field)| {
        places.entry(*place).or_insert_with(Vec::new).push(*field);
        places
    });
    if places.is_empty() {
        return Vec::new();
    }
    let mut seen: HashMap<(Place<'_>, Field), Seen> = HashMap::new();
    for (own, of_text) in by_text {
        for (place, number) in placed(own) {
            for field in places.get(&place).into_iter().flatten() {
                seen.entry((place, *field)).or_default().add(rows, *field, number, of_text);
            }
        }
    }
    let is_law = |seen: &Seen| {
        let told = seen.told.len();
        told <= most && seen.agreeing >= told.max(1).saturating_mul(times) && seen.values.len() >= FEWEST_VALUES
    };
    let laws = seen.into_iter().filter(|(_, seen)| is_law(seen));
    let told = laws.flat_map(|((_, field), seen)| {
        seen.told.into_iter().map(move |(at, number)| (at, field, Some(text), vec![number.to_string()]))
    });
    told.collect()
}

/// `80GBx8`, `SXM4x16`.
static COUNT_BEHIND: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:G[Bb]|PCIe|SXM\d?)[_ ]?x(\d+)(?:[^\d.]|$)"));

/// `64xBM.GPU.H200.8`: machines with so many devices each.
static MACHINES: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d+)x[A-Z][\w.-]*\.(\d+)(?:;|$)"));

static NODES: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\d+) nodes of"));

/// `TensorRT 9.3.0`: a word and its version.
static VERSIONED: LazyLock<Regex> = LazyLock::new(|| pattern(r"([A-Za-z][A-Za-z-]{2,})[ :/=_-]*[vV]?(\d+(?:\.\d+)+)"));

static VERSION: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:\.\d+)+[a-z0-9]*"));

static MONTH: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:1[6-9]|2\d)\.(?:0[1-9]|1[0-2])"));

static BITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:(\d)[- ]?bit|int(\d)\b|w(\d)a\d)"));

/// The versions that follow each word of a text.
type Versions = BTreeMap<String, BTreeSet<String>>;

fn versions(text: &str) -> Versions {
    let mut all = Versions::new();
    for found in VERSIONED.captures_iter(text) {
        let word = found[1].trim_end_matches('-').to_lowercase();
        all.entry(word).or_default().insert(found[2].to_owned());
    }
    all
}

/// Whether one version is the other or the beginning of it.
fn is_like(a: &str, b: &str) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Contradictions that need no other rows.
fn by_itself<'l>(row: &IndexedRow<'l>, read: &mut HashMap<&'l str, Versions>, found: &mut Findings) {
    let measurement = row.row.get();
    let mut tell = |field: Field, text: Field, message: String| {
        found
            .in_row(row, field.key(), message, "contradicts the row's own words")
            .beside([text.key().into()], "its words");
    };
    let raw = measurement.text(Field::FrameworkRaw);
    if let (Some(own), Some(raw), None) =
        (measurement.text(Field::FrameworkVersion), raw, measurement.text(Field::Backend))
    {
        let version = own.trim_start_matches(['v', 'V']);
        let said: Vec<&str> = VERSION.find_iter(raw).map(|version| version.as_str()).collect();
        let framework = normalise(measurement.text(Field::Framework).unwrap_or_default());
        let is_named = versions(raw).keys().any(|word| framework.contains(&normalise(word)));
        let is_version = version.starts_with(|c: char| c.is_ascii_digit()) && is_named;
        if is_version && !said.is_empty() && !said.iter().any(|said| is_like(said, version)) {
            let message = format!("`framework-version` is {own}, the source's {raw:?} has {}", or_list(&said));
            tell(Field::FrameworkVersion, Field::FrameworkRaw, message);
        }
    }
    let texts = [Field::Container, Field::FrameworkRaw, Field::Software];
    for (at, field) in texts.iter().enumerate() {
        for other in &texts[at + 1..] {
            let (Some(a), Some(b)) = (measurement.text(*field), measurement.text(*other)) else { continue };
            for text in [a, b] {
                read.entry(text).or_insert_with(|| versions(text));
            }
            let differs = read[a].iter().find(|(word, own)| {
                let others = read[b].get(*word);
                // Containers have their own versions: year and month.
                let is_one = |a: &String, b: &String| is_like(a, b) || MONTH.is_match(a) != MONTH.is_match(b);
                others.is_some_and(|others| !own.iter().any(|a| others.iter().any(|b| is_one(a, b))))
            });
            if let Some((word, _)) = differs {
                tell(
                    *field,
                    *other,
                    format!("`{field}` and `{other}` have different versions of {word:?}: {a:?}, {b:?}"),
                );
            }
        }
    }
    if let (Some(count), Some(label)) = (measurement.count(Field::DeviceCount), measurement.text(Field::Label)) {
        let number = |text: &str| text.parse::<i64>().ok();
        let behind = COUNT_BEHIND.captures(label).and_then(|found| number(&found[1]));
        let machines = MACHINES.captures(label).and_then(|found| number(&found[1])?.checked_mul(number(&found[2])?));
        if let Some(said) = behind.or(machines).filter(|said| *said != count) {
            tell(
                Field::DeviceCount,
                Field::Label,
                format!("`device-count` is {count}, the label {label:?} has {said}"),
            );
        }
    }
    for (field, text, message) in by_raw_names(measurement, read) {
        tell(field, text, message);
    }
    by_timed_and_notes(measurement, &mut tell);
    by_numbers(measurement, &mut tell);
    let nodes = measurement.text(Field::Host).and_then(|host| NODES.captures(host)?[1].parse::<i64>().ok());
    if let (Some(count), Some(nodes)) = (measurement.count(Field::DeviceCount), nodes.filter(|nodes| *nodes > 0))
        && count % nodes != 0
    {
        tell(Field::DeviceCount, Field::Host, format!("{count} devices do not divide among {nodes} nodes"));
    }
    if let (Some(format), Some(recipe)) = (measurement.text(Field::WeightFormat), measurement.text(Field::Quantization))
    {
        let said: Vec<String> = BITS
            .captures_iter(recipe)
            .filter_map(|found| Some(found.get(1).or(found.get(2)).or(found.get(3))?.as_str().to_owned()))
            .collect();
        let digits = format.trim_start_matches(|c: char| !c.is_ascii_digit());
        let own = digits.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().to_owned();
        if !own.is_empty() && !said.is_empty() && !said.contains(&own) {
            tell(
                Field::WeightFormat,
                Field::Quantization,
                format!("weights in {format} are not quantised to {} bits ({recipe:?})", or_list(&said)),
            );
        }
    }
}

/// Fields that a raw name repeats behind their word.
const BEHIND_WORDS: &[(Field, &str)] = &[(Field::Cuda, "cuda"), (Field::Cudnn, "cudnn"), (Field::Driver, "driver")];

/// The revisions in a name: `v1` of `resnet_v1_101`, and whether each is a word of its own.
fn revisions(name: &str) -> Vec<(&str, bool)> {
    static REVISION: LazyLock<Regex> = LazyLock::new(|| pattern(r"[vV](\d+(?:\.\d+)?)"));
    let ends = |c: Option<char>| !c.is_some_and(|c| c.is_ascii_alphanumeric());
    let all = REVISION.captures_iter(name).filter_map(|found| Some((found.get(0)?, found.get(1)?.as_str())));
    let is_apart = |range: std::ops::Range<usize>| {
        ends(name[..range.start].chars().next_back()) && ends(name[range.end..].chars().next())
    };
    all.map(|(whole, number)| (number, is_apart(whole.range()))).collect()
}

/// Contradictions between fields and raw names: versions behind the word of their field, and the revision of a network.
fn by_raw_names<'l>(
    measurement: &'l Measurement,
    read: &mut HashMap<&'l str, Versions>,
) -> Vec<(Field, Field, String)> {
    let mut told = Vec::new();
    for text in [Field::DeviceRaw, Field::FrameworkRaw] {
        let Some(raw) = measurement.text(text) else { continue };
        for (field, word) in BEHIND_WORDS {
            let Some(own) = measurement.text(*field) else { continue };
            let said = read.entry(raw).or_insert_with(|| versions(raw)).get(*word);
            if let Some(said) = said.filter(|said| !said.iter().any(|said| is_like(said, own))) {
                let said: Vec<&str> = said.iter().map(String::as_str).collect();
                told.push((*field, text, format!("`{field}` is {own}, the source's {raw:?} has {}", or_list(&said))));
            }
        }
    }
    if let (Some(id), Some(raw)) = (measurement.text(Field::Network), measurement.text(Field::NetworkRaw))
        && raw.contains(['v', 'V'])
        && id.contains("-v")
    {
        let (own, said) = (revisions(id), revisions(raw));
        let apart = |all: &[(&str, bool)]| all.iter().any(|(_, apart)| *apart);
        if apart(&own) && apart(&said) && !own.iter().any(|(own, _)| said.iter().any(|(said, _)| said == own)) {
            let said: Vec<String> = said.iter().map(|(said, _)| format!("v{said}")).collect();
            let message = format!("`network` is `{id}`, the source's {raw:?} has {}", or_list(&said));
            told.push((Field::Network, Field::NetworkRaw, message));
        }
    }
    told
}

/// Numbers that texts state in words: the field that states them, too, and the texts.
static NUMBERS: LazyLock<Vec<(Field, &[Field], Regex)>> = LazyLock::new(|| {
    let all: &[(Field, &[Field], &str)] = &[
        (Field::TopK, &[Field::Notes, Field::Timed, Field::Label], r"(?i)\btop[- ]?(\d)\b"),
        (Field::BatchSize, &[Field::Notes, Field::Timed], r"(?i)\bbatch(?: size)?(?: of)? (\d+)\b"),
        (Field::Epochs, &[Field::Notes, Field::Timed], r"\b(\d+) epochs\b"),
        (Field::Threads, &[Field::Notes, Field::Timed], r"\b(\d+) threads\b"),
        (Field::N, &[Field::Timed], r"\b(\d+) (?:runs|iterations|times|samples)\b"),
        (
            Field::InputShape,
            &[Field::NetworkRaw, Field::Label, Field::Setting],
            r"(?:^|[^\d.A-Za-z])(\d{3,4})[x×_](\d{3,4})(?:$|[^\d.A-Za-z])",
        ),
    ];
    all.iter().map(|(field, texts, numbers)| (*field, *texts, pattern(numbers))).collect()
});

/// Reports numbers of which a text has others; of an input's two, one is enough.
fn by_numbers(measurement: &Measurement, tell: &mut impl FnMut(Field, Field, String)) {
    for (field, texts, numbers) in NUMBERS.iter() {
        let Some(value) = measurement.get(*field) else { continue };
        let own = value.to_string();
        for (text, words) in texts.iter().filter_map(|text| Some((*text, measurement.text(*text)?))) {
            let said: BTreeSet<&str> = numbers
                .captures_iter(words)
                .flat_map(|found| found.iter().skip(1).flatten().collect::<Vec<_>>())
                .map(|number| number.as_str())
                .collect();
            if !said.is_empty() && !own.split('x').any(|own| said.contains(own)) {
                let said: Vec<&str> = said.into_iter().collect();
                tell(*field, text, format!("`{field}` is {own}, `{text}` says {}", or_list(&said)));
            }
        }
    }
}

/// Number formats in a sentence; the groups are in the order of [`FORMAT_NAMES`].
static FORMATS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:(tf32)|(fp16|float16)|(bf16|bfloat16)|(fp32|float32)|(int8)|(fp8)|(int4))\b"));

const FORMAT_NAMES: &[&str] = &["tf32", "fp16", "bf16", "fp32", "int8", "fp8", "int4"];

static OF_OUTPUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:output|generated|written)\b"));

static OF_INPUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:input tokens|prompt tokens|reading)\b"));

static OF_INFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:inferences?|evaluation mode)\b"));

static OF_TRAINING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:training|fine-tuning|backward)\b"));

/// Whether what was timed is inference and the stage belongs to training, or the other way; a forward pass belongs to both.
fn is_of_other_stage(timed: &str, stage: Stage) -> bool {
    let (own, other) = match stage {
        Stage::Forward => return false,
        Stage::Train | Stage::Backward => (&OF_TRAINING, &OF_INFERENCE),
        _ => (&OF_INFERENCE, &OF_TRAINING),
    };
    other.is_match(timed) && !own.is_match(timed)
}

/// Reports a stage that `timed` contradicts, and a precision that the notes contradict.
fn by_timed_and_notes(measurement: &Measurement, tell: &mut impl FnMut(Field, Field, String)) {
    let stage = measurement.stage();
    if let (Some(timed), Some(stage)) = (measurement.text(Field::Timed), stage)
        && is_of_other_stage(timed, stage)
    {
        tell(Field::Stage, Field::Timed, format!("`stage` is {stage}, timed was {timed:?}"));
    }
    if let (Some(timed), Some(stage @ (Stage::Prefill | Stage::Decode))) = (measurement.text(Field::Timed), stage) {
        let (own, other) = if stage == Stage::Prefill { (&OF_INPUT, &OF_OUTPUT) } else { (&OF_OUTPUT, &OF_INPUT) };
        if other.is_match(timed) && !own.is_match(timed) {
            tell(Field::Stage, Field::Timed, format!("`stage` is {stage}, timed were {timed:?}"));
        }
    }
    if let (Some(notes), Some(precision)) = (measurement.text(Field::Notes), measurement.text(Field::Precision)) {
        let said: BTreeSet<&str> = FORMATS
            .captures_iter(notes)
            .filter_map(|found| (0..FORMAT_NAMES.len()).find(|at| found.get(at + 1).is_some()))
            .map(|at| FORMAT_NAMES[at])
            .collect();
        let own = precision.strip_prefix("amp-").unwrap_or(precision);
        // Notes that name other formats only say that the row has one of them.
        if FORMAT_NAMES.contains(&own) && !said.is_empty() && !said.contains(own) {
            let said: Vec<&str> = said.into_iter().collect();
            tell(
                Field::Precision,
                Field::Notes,
                format!("`precision` is {precision}, the notes speak of {}", or_list(&said)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_apart_and_as_one() {
        assert_eq!(words("PyTorch-2.4.0_SXM4x8"), " pytorch 2.4.0 sxm 4 x 8 ");
        assert!(has(&words("results/gptj-99/SingleStream"), &words("single-stream")));
        assert!(has(&words("results/single_stream"), &words("single-stream")));
        assert!(!has(&words("512 tokens"), &words("51")));
    }

    #[test]
    fn labels_count_devices() {
        let of = |text: &str| MACHINES.captures(text).map(|found| (found[1].to_owned(), found[2].to_owned()));
        assert_eq!(of("closed; Oracle; 64xBM.GPU.H200.8; bert"), Some(("64".into(), "8".into())));
        assert_eq!(of("aws_m7g.2xlarge-tflite-v22.11"), None);
        assert_eq!(&COUNT_BEHIND.captures("H100_PCIe_80GBx8_TRT").unwrap()[1], "8");
    }

    #[test]
    fn numbers_are_known_by_their_place() {
        assert_eq!(
            placed("b200_1024x8192_c16"),
            [(("b", "_"), 200), (("_", "x"), 1024), (("x", "_"), 8192), (("c", ""), 16)]
        );
        assert_eq!(placed("x1 x1 2.5"), [], "twice in one place, and no whole number");
    }

    #[test]
    fn a_place_that_has_a_field_in_all_other_rows_contradicts_it() {
        let row = |at: usize, count: i64| {
            let label = Value::Text(format!("c{}_{at}", 4 << (at % 3)).into());
            let fields = vec![(Field::Label, label), (Field::Concurrency, Value::Count(count))];
            let measurement = Measurement::new("x".parse().unwrap(), fields, Default::default());
            let file = crate::model::SourceFile::new("x", "");
            Located::new(measurement, &std::sync::Arc::new(file), 0..0)
        };
        let told = |wrong: &[usize]| {
            let rows: Vec<_> =
                (0..120).map(|at| row(at, if wrong.contains(&at) { 7 } else { 4 << (at % 3) })).collect();
            let texts = rows.iter().enumerate().map(|(at, row)| (row.get().text(Field::Label).unwrap(), vec![at]));
            let told = of_places(&rows, &texts.collect(), Field::Label, &[Field::Concurrency]);
            told.into_iter().map(|(at, ..)| at).collect::<Vec<_>>()
        };
        assert_eq!(told(&[5]), [5]);
        assert_eq!(told(&[5, 6, 7, 8, 9]), [0; 0], "too many for slips");
    }

    #[test]
    fn raw_names_state_versions_and_revisions() {
        let told = |fields: &[(Field, &'static str)]| {
            let fields = fields.iter().map(|(field, text)| (*field, Value::Text((*text).into()))).collect();
            let measurement = Measurement::new("x".parse().unwrap(), fields, Default::default());
            by_raw_names(&measurement, &mut HashMap::new()).into_iter().map(|(field, ..)| field).collect::<Vec<_>>()
        };
        let on = |cuda| told(&[(Field::Cuda, cuda), (Field::DeviceRaw, "2080 Ti (CUDA 10.0.130, CuDNN 7.4.2)")]);
        assert_eq!((on("9.0.176"), on("10.0")), (vec![Field::Cuda], vec![]));
        let of = |id, raw| told(&[(Field::Network, id), (Field::NetworkRaw, raw)]);
        assert_eq!(of("resnet-101-v2", "resnet_v1_101"), [Field::Network]);
        assert_eq!(of("resnet-101-v2", "resnet_v2_101"), []);
        assert_eq!(of("mobilenet-v2", "mobilenetv2_s8_v1_p4"), []);
        assert_eq!(of("yolov11n", "yolo11n_s8_v1_p4"), []);
    }

    #[test]
    fn sentences_name_the_stage_and_the_precision() {
        let told = |fields: &[(Field, &'static str)]| {
            let fields = fields.iter().map(|(field, text)| (*field, Value::Text((*text).into()))).collect();
            let mut told = Vec::new();
            let measurement = Measurement::new("x".parse().unwrap(), fields, Default::default());
            by_timed_and_notes(&measurement, &mut |field, _, _| told.push(field));
            told
        };
        let timed = |stage, timed| told(&[(Field::Stage, stage), (Field::Timed, timed)]);
        assert_eq!(timed("prefill", "output tokens, by llama-bench"), [Field::Stage]);
        assert_eq!(timed("train", "one inference"), [Field::Stage]);
        assert_eq!(timed("eval", "forward and backward"), [Field::Stage]);
        assert_eq!(timed("forward", "forward in training"), []);
        assert_eq!(timed("decode", "output tokens, behind input tokens in the cache"), []);
        let noted = |precision, notes| told(&[(Field::Precision, precision), (Field::Notes, notes)]);
        assert_eq!(noted("fp32", "PyTorch computes it in TF32 by default."), [Field::Precision]);
        assert_eq!(noted("amp-fp16", "Weights in fp32, products in fp16."), []);
        assert_eq!(noted("fp32", "Called single precision."), []);
        let counted = |field, number: &'static str, text, words: &'static str| {
            let mut told = Vec::new();
            let fields = vec![(field, Value::Text(number.into())), (text, Value::Text(words.into()))];
            let measurement = Measurement::new("x".parse().unwrap(), fields, Default::default());
            by_numbers(&measurement, &mut |field, _, _| told.push(field));
            !told.is_empty()
        };
        assert!(counted(Field::TopK, "1", Field::Notes, "Accuracy: top 5."));
        assert!(counted(Field::InputShape, "3x608x608", Field::NetworkRaw, "dk_yolov3_voc_416_416_65.42G"));
        assert!(!counted(Field::InputShape, "3x512x512", Field::NetworkRaw, "ppseg_lite_1024x512"));
        assert!(!counted(Field::BatchSize, "64", Field::Timed, "one batch of 64, or of 1 at the end"));
    }
}
