//! Finds fields that contradict their row's texts. Which text repeats which field is learned from the source's other rows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::LazyLock;

use rayon::prelude::*;
use regex::Regex;

use super::row_texts::{VERSION, by_itself, is_like, is_of_other_stage, pattern};
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, FieldType, Measurement, Severity, Value};
use crate::reading::Located;
use crate::values::text::or_list;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(322),
    title: "a field that the row's own words contradict",
    severity: Severity::Error,
    page: "A label, a file name or a spelling repeats what fields state: `.../Offline` the scenario, `open-intel.toml` the division, `Falcon40B-decode` the stage, `PyTorch 2.4.0` the version. Where the rows of a source have the value of a field in such a text, a row whose text has another value of the field and lacks its own is wrong in one of the two. How often field and text agree decides which pairs are compared, so a text that uses the word for something else is left alone. Numbers are compared by their place as well: where `8192x1024_c16` has the input, the output and the concurrency in all other rows, another number there contradicts its field.

Some texts need no other rows: the version behind one word is the same in `container`, `framework-raw` and `software`; `framework-version` is a version that `framework-raw` names, and the one behind the framework's name in any text of the row; a file is named after the version of its rows where all others of the source are; `80GBx8` and `64xBM.GPU.H200.8` count devices; `groupwise 4-bit` is not the quantisation of weights in int8; the CUDA, cuDNN and driver of any text are those of the fields; `resnet_v1_101` is not version 2 of a network; who timed output tokens did not time a prefill, nor a training who timed `forward in evaluation mode`; the same words in `timed` are of one stage in nearly all rows of all sources; notes that speak of TF32 alone are not those of a row in fp32, nor \"top 5\", \"batch of 64\" or `416x416` the words of another number.",
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

/// Minimum number of agreeing rows per contradicting row, and maximum number of contradicting rows. Words of a vocabulary are
/// rarely ambiguous, names and versions more often, numbers most often. The knowledge base has no findings with these limits.
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
type Contradiction = (usize, Field, Option<Field>, Vec<String>);

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut sources: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        sources.entry(row.get().source().as_str()).or_default().push(at);
    }
    let sources: Vec<Vec<usize>> = sources.into_values().collect();
    let mut told: Vec<Contradiction> =
        sources.par_iter().flat_map_iter(|of_source| contradicted(rows, of_source)).collect();
    told.extend(of_timed(rows));
    told.extend(sources.iter().flat_map(|of_source| of_file_names(rows, of_source)));
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

/// Rows whose stage differs from that of nearly all other rows (of any source) with the same `timed`.
fn of_timed(rows: &[Located<Measurement>]) -> Vec<Contradiction> {
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
            // Texts that state the stage explicitly are reported by another check.
            let others = others
                .into_iter()
                .filter(|at| !rows[*at].get().stage().is_some_and(|stage| is_of_other_stage(text, stage)));
            told.extend(others.map(|at| (at, Field::Stage, Some(Field::Timed), vec![(*usual).to_owned()])));
        }
    }
    told
}

/// Minimum number of files named after the version of their rows before an exception counts as wrong.
const FEWEST_FILES: usize = 3;

/// Rows of the only file of a source whose name does not match their version.
fn of_file_names(rows: &[Located<Measurement>], of_source: &[usize]) -> Vec<Contradiction> {
    let mut told = Vec::new();
    for field in [Field::FrameworkVersion, Field::BackendVersion] {
        let mut files: BTreeMap<&Path, Vec<usize>> = BTreeMap::new();
        for at in of_source.iter().filter(|at| rows[**at].get().text(field).is_some()) {
            files.entry(&rows[*at].file().path).or_default().push(*at);
        }
        let named = files.into_iter().filter_map(|(path, of_file)| {
            let stem = path.file_stem()?.to_str()?;
            let named: Vec<String> = VERSION.find_iter(stem).map(|version| version.as_str().to_owned()).collect();
            (!named.is_empty()).then_some((named, of_file))
        });
        let is_named = |(named, of_file): &(Vec<String>, Vec<usize>)| {
            let version = |at: &usize| rows[*at].get().text(field).unwrap_or_default().trim_start_matches(['v', 'V']);
            of_file.iter().all(|at| named.iter().any(|named| is_like(named, version(at))))
        };
        let (right, wrong): (Vec<_>, Vec<_>) = named.partition(is_named);
        if let ([(named, of_file)], true) = (wrong.as_slice(), right.len() >= FEWEST_FILES) {
            told.extend(of_file.iter().map(|at| (*at, field, None, named.clone())));
        }
    }
    told
}

/// The words of a text, separated and surrounded by blanks. Letters and numbers (or versions) are separate words.
fn words(text: &str) -> String {
    static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:\.\d+)*|[a-z]+"));
    let mut all = " ".to_owned();
    for word in WORD.find_iter(&text.to_lowercase()) {
        all.push_str(word.as_str());
        all.push(' ');
    }
    all
}

/// Whether a text contains the words, separate or joined: `single-stream`, `SingleStream`.
fn has(text: &str, words: &str) -> bool {
    let joined = || format!(" {} ", words.replace(' ', ""));
    words.trim() != "" && (text.contains(words) || words.trim().contains(' ') && text.contains(&joined()))
}

fn contradicted(rows: &[Located<Measurement>], of_source: &[usize]) -> Vec<Contradiction> {
    let mut told = Vec::new();
    let mut read: HashMap<&str, String> = HashMap::new();
    let stated: BTreeSet<Field> =
        of_source.iter().flat_map(|at| rows[*at].get().fields()).map(|(field, _)| *field).collect();
    for text in TEXTS {
        // Row indices by text.
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
) -> Vec<Contradiction> {
    // A label may contain the version of a package that wraps the framework.
    if field == Field::FrameworkVersion && text == Some(Field::Label) {
        return Vec::new();
    }
    // Most pairs of field and text never agree; a sample is enough to reject them.
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

/// The position of a number in a text: the letters or sign before it, and the character after it.
type Place<'t> = (&'t str, &'t str);

/// The whole numbers in a text, by position; positions that occur more than once are left out.
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

/// How the numbers at a position in a text compare to a field, over the rows of a source.
#[derive(Default)]
struct Seen {
    agreeing: usize,
    values: BTreeSet<i64>,
    told: Vec<(usize, i64)>,
}

impl Seen {
    /// Adds the rows whose text has a number at the position.
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

/// Minimum number of distinct values to establish that a position repeats a field.
const FEWEST_VALUES: usize = 3;

/// Rows in which the number at a position differs from the field, if the two agree in all other rows.
fn of_places(
    rows: &[Located<Measurement>],
    by_text: &BTreeMap<&str, Vec<usize>>,
    text: Field,
    counts: &[Field],
) -> Vec<Contradiction> {
    let Some((times, most)) = distance(Field::DeviceCount).filter(|_| by_text.len() >= FEWEST_VALUES) else {
        return Vec::new();
    };
    // Most positions and fields differ; a sample is enough to reject them.
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
}
