//! Remarks on an answer: one code and one wording for each, the most important first.

use super::words::{Words, count_of, fields, grouped, key_name, quantity_name, rounded, rows};
use crate::ask::execute::{MissingWord, Remark, Subjects};
use crate::model::{Facet, Field, Rent, Value};
use crate::rows::{EntityCache, Note};
use crate::values::text::{and_list, capital, counted, one_line, or_list};

/// A remark lists at most this many offers, devices or pairs.
const MOST_NAMED: usize = 4;

/// Remarks on how a question was read, for outputs that show no answer: tables, figures, lists.
pub fn reading_in_words(remarks: &[Remark]) -> Vec<String> {
    let names = EntityCache::default();
    remarks.iter().map(|remark| in_words(remark, Words { names: &names, typed: &[] })).collect()
}

/// A remark as text.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WordedRemark {
    /// A stable code for programs.
    pub code: &'static str,
    /// The text for people.
    pub text: String,
    /// Where it is shown to people.
    #[serde(skip)]
    pub place: Place,
}

/// Where a person reads a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Before the answer, which it limits.
    Before,
    /// After the answer.
    Behind,
    /// Nowhere on the page: the first line or the legend of the table says it.
    Elsewhere,
}

/// The remarks as sentences, most important first, without repeats. `is_empty`: the first line says why there is no value.
pub fn worded(remarks: &[Remark], is_empty: bool, words: Words<'_>) -> Vec<WordedRemark> {
    let mut ordered: Vec<&Remark> = remarks.iter().collect();
    ordered.sort_by_key(|remark| importance(remark));
    let mut worded: Vec<WordedRemark> = Vec::new();
    for remark in ordered {
        let new = WordedRemark { code: code(remark), text: in_words(remark, words), place: place(remark, is_empty) };
        if !worded.contains(&new) {
            worded.push(new);
        }
    }
    worded
}

fn place(remark: &Remark, is_empty: bool) -> Place {
    use Remark::*;
    match remark {
        NoRow { .. } | NoPair { .. } | HowTo(..) if is_empty => Place::Elsewhere,
        Unread(..)
        | HowTo(..)
        | ReadAsNearest(..)
        | ReadAsText { .. }
        | Relaxed(..)
        | BoundUnstated(..)
        | NearestNumbers { .. }
        | LargestThatFit { .. }
        | Widened { .. } => Place::Before,
        NotFound { .. } | HigherElsewhere(..) | RankedByFact { .. } => Place::Elsewhere,
        Rows(
            Note::MixedPrecision { .. }
            | Note::DerivedThroughput { .. }
            | Note::Family { .. }
            | Note::FactsOfPage { .. },
        ) => Place::Elsewhere,
        _ => Place::Behind,
    }
}

/// The rank of a remark: the smaller, the more it changes how the answer may be used.
fn importance(remark: &Remark) -> u8 {
    use Remark::*;
    match remark {
        NotFound { .. } => 0,
        Unread(..) | HowTo(..) | ReadAsNearest(..) | ReadAsText { .. } => 1,
        Relaxed(..)
        | NearestNumbers { .. }
        | Widened { .. }
        | Instead { .. }
        | AllEvidence { beside: true, .. }
        | ClosedDivision(..)
        | Indirect => 2,
        BoundUnstated(..)
        | Silent(..)
        | CatalogNote(..)
        | Rents(..)
        | OfWholeInference { .. }
        | OtherGoals(..)
        | PairsAgainst(..)
        | RanAlone
        | LargestThatFit { .. }
        | FamiliesRanked(..) => 3,
        NoRow { .. }
        | NoPair { .. }
        | OneSide
        | NoSeries { .. }
        | Apart { .. }
        | OwnBest
        | OtherwiseInSetting(..)
        | AllEvidence { .. }
        | OfLayers => 4,
        NotPaired(..) | Unranked { .. } | RankedByFact { .. } | NoOrder | Evidence { .. } => 5,
        OwnSetting(..) | OwnChoices(..) | HigherElsewhere(..) | OtherWay { .. } | Outlier { .. } | Disputed { .. } => 6,
        GradeEvidence { .. } | GradeNote { .. } | FactUnknown { .. } | WeightsAlone(..) => 7,
        AbovePeak(..) | FarFromOthers(..) | OfOtherKind(..) => 8,
        RowsOfBoth { .. } => 9,
        MixedPrecision(..) | Unstated(..) => 10,
        GradeDirection { .. } => 11,
        // These include the date of a source, which a question about years needs.
        Rows(Note::LeftOut { .. } | Note::Standing { .. } | Note::DatedBySource { .. }) => 9,
        Rows(Note::NotComparable { .. } | Note::Revisions { .. }) => 12,
        Rows(_) => 13,
    }
}

/// The stable code of a remark, for programs.
pub fn code(remark: &Remark) -> &'static str {
    match remark {
        Remark::Rows(note) => note.code(),
        remark => remark.into(),
    }
}

/// The reason why no two rows of two sides are a pair, to follow the statement that none are.
pub(super) fn no_pair(differ: &[Field], unstated: bool) -> String {
    match differ {
        [] => String::new(),
        [Field::Network] => ": the sides have no network in common".to_owned(),
        _ if unstated => format!("; the nearest two state no {}", fields(differ)),
        _ => format!("; the nearest two differ in {}", fields(differ)),
    }
}

/// The remark as a sentence.
pub fn in_words(remark: &Remark, words: Words<'_>) -> String {
    use Remark::*;
    match remark {
        Unread(words) => format!("Not read: {}.", words.join(", ")),
        HowTo(task) => how_to(task).to_owned(),
        LargestThatFit { shown, counts } => {
            let fit = counts.iter().map(|(format, fit)| format!("{} in {format}", grouped(*fit)));
            let fit = fit.collect::<Vec<_>>().join(", ");
            format!("Networks that fit: {fit}; the list shows the {shown} largest of the first.")
        }
        RanAlone => "Single-device runs only: the price is for one device.".to_owned(),
        NotFound { words, rest, query } => not_found(words, *rest, query),
        ReadAsNearest(text, name) => format!("`{text}` was read as `{name}`, the nearest name."),
        ReadAsText { text, rows: found, left_out } => {
            let end = if *left_out { " (left out)" } else { "" };
            format!("`{text}` is not a known name; {} it{end}.", count_of(*found, "row contains", "rows contain"))
        }
        NoRow { side, alone: 0 } => format!("No row of {}.", words.filter(side)),
        NoRow { side, alone } => {
            let under = "under the other conditions of the question";
            format!("No row of {} {under}; {} without them.", words.filter(side), rows(*alone))
        }
        Relaxed(without) => format!("Nothing meets every condition. Without {}:", words.filter(without)),
        NearestNumbers { asked, nearest } => {
            format!("No such row has {}. Nearest: {}:", words.filter(asked), words.filter(nearest))
        }
        Widened { from, .. } if from.terms.len() > 1 => {
            format!("No row has {} at once. With any of them:", words.filter(from))
        }
        Widened { from, to } => {
            let family = if to.has_any(&[Facet::Device, Facet::Network]) { "its family " } else { "" };
            format!("No row of {} meets the other conditions. For {family}{}:", words.filter(from), words.filter(to))
        }
        Unstated(field, more) => {
            let have = count_of(*more, "more row matches but states", "more rows match but state");
            format!("{have} no {}.", key_name(field.key()))
        }
        Silent(key, entities) => {
            format!("{} no {}.", count_of(*entities, "more states", "more state"), key_name(key.key()))
        }
        BoundUnstated(key) => {
            format!("No row states the {}, so this bound was not applied.", key_name(key.key()))
        }
        MixedPrecision(mixed) => format!("{} in mixed precision.", count_of(*mixed, "row is", "rows are")),
        HigherElsewhere(entry) => {
            let amount = words.amount(entry).unwrap_or_default();
            let frame = words.frame(entry, &[]).join(", ");
            format!("Better in another setting: {} {amount} ({frame}).", words.subjects(&entry.subjects))
        }
        NoPair { differ, unstated, .. } => {
            format!("No two rows are a matched pair{}.", no_pair(differ, *unstated))
        }
        NotPaired(side) => format!("No matched pair with {}.", words.filter(side)),
        OfLayers => "All pairs are of single layers; no whole network was measured on both sides.".to_owned(),
        OneSide => "Both sides select the same rows.".to_owned(),
        RowsOfBoth { rows: both, side } => {
            let both = count_of(*both, "row matches", "rows match");
            format!("{both} both sides and count for {} only.", words.filter(side))
        }
        OwnSetting(own) => {
            format!("No two rows have the same {}; each side is compared at its own best.", fields(own))
        }
        Instead { asked, by } => {
            format!("Too few rows state the {}; this is by {}.", quantity_name(asked), quantity_name(by))
        }
        OtherWay { pairs, of, entry } => {
            let ratio = entry.number().map(rounded).unwrap_or_default();
            let frame = words.frame(entry, &[]).join(", ");
            format!("{} of {of} say the opposite, the farthest {ratio} ({frame}).", counted(*pairs, "pair", "pairs"))
        }
        FarFromOthers(pairs) => {
            format!("{} left out, far from all others.", count_of(*pairs, "pair is", "pairs are"))
        }
        OfOtherKind(pairs) => format!(
            "{} left out: single layers, other kernel libraries or unsigned integers.",
            count_of(*pairs, "pair is", "pairs are")
        ),
        Evidence { beside, values, settings, measurers, .. } => {
            let of = match beside.as_slice() {
                [] => String::new(),
                many => {
                    format!(", of {} (`reach:network` uses only the named network)", and_list(many).replace('-', " "))
                }
            };
            format!(
                "By all comparable evidence: {} values in {} by {}{of}.",
                grouped(*values),
                counted(*settings, "setting", "settings"),
                counted(*measurers, "measurer", "independent measurers"),
            )
        }
        AllEvidence { entry, .. } => {
            let ratio = |number: Option<f64>| number.map(rounded).unwrap_or_default();
            let value = ratio(entry.number());
            format!(
                "By all comparable evidence {} to {} is {value} (90 % interval {} to {}).",
                words.subjects(&entry.subjects),
                entry.baseline.as_ref().map(|baseline| words.subjects(baseline)).unwrap_or_default(),
                ratio(entry.low),
                ratio(entry.high),
            )
        }
        ClosedDivision(entry) => {
            let of = |subjects: &Subjects| words.subjects(subjects);
            let value = entry.number().map(rounded).unwrap_or_default();
            format!(
                "In MLPerf's closed division, each with its own software, {} to {} is {value} ({}).",
                of(&entry.subjects),
                entry.baseline.as_ref().map(of).unwrap_or_default(),
                count_of(entry.n, "pair", "pairs"),
            )
        }
        Indirect => "No setting has both sides; the ratio comes from what each was measured against.".to_owned(),
        Apart { candidates, more } => {
            let mut names: Vec<String> = candidates.iter().map(|subjects| words.subjects(subjects)).collect();
            names.extend((*more > 0).then(|| format!("{} more", grouped(*more))));
            format!("Not ranked, because no setting connects them with the others: {}.", and_list(&names))
        }
        Outlier { measurer, subjects, factor } => {
            let (times, how) = if *factor > 1.0 { (*factor, "above") } else { (factor.recip(), "below") };
            let of = words.subjects(subjects);
            format!(
                "{measurer} measured {of} {} times {how} what all others imply, so it has little weight.",
                rounded(times)
            )
        }
        OtherwiseInSetting(candidates) => {
            let told =
                candidates.iter().map(|(subjects, ratio)| format!("{} {}", words.subjects(subjects), rounded(*ratio)));
            let told: Vec<String> = told.take(3).collect();
            let more = candidates.len() - told.len();
            let more = if more > 0 { format!(" ({more} more)") } else { String::new() };
            format!("In the setting shown, the factor differs from that over all settings: {}{more}.", and_list(&told))
        }
        OwnChoices(sides) => {
            let told = sides.iter().map(|(side, choices)| {
                let choices: Vec<String> =
                    choices.iter().map(|(field, value)| words.condition(field.key(), Some(value))).collect();
                format!("{} with {}", words.subjects(side), and_list(&choices))
            });
            format!("{}.", told.collect::<Vec<_>>().join("; "))
        }
        NoOrder => "No setting has all sides, so these ratios do not put all of them in order.".to_owned(),
        AbovePeak(above) => {
            format!("{} left out: above the peak of the hardware.", count_of(*above, "result is", "results are"))
        }
        OwnBest => {
            "Each is shown at its own best row; the settings differ, so the order is not a fair comparison.".to_owned()
        }
        RankedByFact { fact, ranked, unknown } => {
            format!("The {} is known of {ranked} and unknown of {unknown} more.", quantity_name(fact))
        }
        Rents(rents) => {
            let name = |id: &str| words.called(Field::Device, id);
            let offer = |(device, rent): &(String, Rent)| {
                let other = Some(rent.device.as_str()).filter(|other| device != other);
                let other = other.map_or_else(String::new, |other| format!(", as {}", name(other)));
                format!("{} {rent}{other}", name(device))
            };
            let offers: Vec<String> = rents.iter().take(MOST_NAMED).map(offer).collect();
            let more = if rents.len() > MOST_NAMED { " …" } else { "" };
            format!("Priced by the cheapest recent offer of each device: {}{more}.", offers.join("; "))
        }
        OfWholeInference { rows, only } => {
            let some = only.iter().take(MOST_NAMED).map(|id| words.called(Field::Device, id)).collect::<Vec<_>>();
            let more = only.len() - some.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let only =
                if some.is_empty() { String::new() } else { format!(", and {}{more} have no others", some.join(", ")) };
            format!(
                "{} of inference as a whole, prefill and decoding together{only}: `stage:eval` finds them.",
                count_of(*rows, "more row is", "more rows are")
            )
        }
        FamiliesRanked(families) => {
            let families: Vec<String> = families.iter().map(|id| words.called(Field::Device, id)).collect();
            format!(
                "{}: the sources do not say which member of the family ran. Compare these with other devices, not with their members.",
                and_list(&families)
            )
        }
        PairsAgainst(pairs) => {
            let told = |(better, other, ratio, n): &(Subjects, Subjects, f64, usize)| {
                let n = counted(*n, "pair", "pairs");
                format!("{} {} times {} ({n})", words.subjects(better), rounded(*ratio), words.subjects(other))
            };
            let told: Vec<String> = pairs.iter().take(MOST_NAMED).map(told).collect();
            let more = if pairs.len() > MOST_NAMED { " …" } else { "" };
            format!("The order uses all evidence; direct pairs alone contradict it: {}{more}.", told.join(", "))
        }
        OtherGoals(datasets) => {
            let told = |(id, runs): &(String, usize)| match id.is_empty() {
                true => format!("{runs} without a stated data set"),
                false => format!("{runs} on {}", words.called(Field::Dataset, id)),
            };
            let told: Vec<String> = datasets.iter().take(MOST_NAMED).map(told).collect();
            format!("Left out because accuracies on different data sets do not compare: {}.", and_list(&told))
        }
        Unranked { candidates, some } => {
            let some: Vec<String> = some.iter().map(|one| words.subjects(one)).collect();
            let dots = if some.len() < *candidates { " …" } else { "" };
            let have = count_of(*candidates, "more candidate has", "more candidates have");
            format!("{have} only rows that do not compare with the ranked ones: {}{dots}.", some.join(", "))
        }
        NoSeries { axis, values } => {
            let shown = |(value, rows): &(String, usize)| {
                let value = words.condition(axis, Some(&Value::Text(value.as_str().into())));
                format!("{value} ({})", counted(*rows, "row", "rows"))
            };
            let shown: Vec<String> = values.iter().take(MOST_NAMED).map(shown).collect();
            let shown = if shown.is_empty() { String::new() } else { format!(": {}", and_list(&shown)) };
            format!("No two rows differ in {} alone{shown}.", key_name(axis))
        }
        Disputed { subject, quantity, others } => {
            let name = words.subject(quantity, subject);
            let others: Vec<String> = others.iter().map(|(source, says)| format!("{source} states {says}")).collect();
            format!("{} of {name}: {}.", capital(&quantity_name(quantity)), and_list(&others))
        }
        FactUnknown { subject, quantity } => {
            format!("{} of {}: not known.", capital(&quantity_name(quantity)), words.subject(quantity, subject))
        }
        GradeDirection { metric, better } => match better {
            Some(better) => format!("{}: {} is better.", quantity_name(metric), better.to_string().to_lowercase()),
            None => format!("{}: no grade is better than another.", quantity_name(metric)),
        },
        GradeNote { class, metric, note } => {
            format!("{}, {}: {note}", class.to_uppercase(), quantity_name(metric))
        }
        CatalogNote(of, note) => format!("{}: {}", words.subjects(of), one_line(note)),
        GradeEvidence { class, metric, rests_on, .. } => {
            format!("{}, {}, by measurements: {rests_on}.", class.to_uppercase(), quantity_name(metric))
        }
        WeightsAlone(true) => {
            "Weights, gradients and optimizer states of Adam; activations take more memory.".to_owned()
        }
        WeightsAlone(false) => "Weights only: activations and the key-value cache take more memory.".to_owned(),
        Rows(note) => note.to_string(),
    }
}

fn how_to(task: &str) -> &'static str {
    match task {
        "cite" => {
            "To cite: `-f latex --bib refs.bib` adds the sources of an answer to a bibliography; `dlbench help papers`."
        }
        "contribute" => "To add or correct a measurement: `dlbench new measurement`; CONTRIBUTING.md has all ways.",
        "export" => "To export: `-f csv` or `-f json` behind a question, `dlbench export` for everything.",
        "measure" => "To measure on your machine: `dlbench run`; `dlbench help measuring`.",
        _ => "To draw a figure: `dlbench plot \"QUESTION\"`.",
    }
}

/// `Not found: lightgbm, higgs. Without them 3,182 rows match: "gpu training time"`.
fn not_found(words: &[MissingWord], rest: usize, query: &str) -> String {
    let (elsewhere, nowhere): (Vec<&MissingWord>, Vec<&MissingWord>) = words.iter().partition(|word| word.rows > 0);
    let mut sentences: Vec<String> = Vec::new();
    for (lead, is_not_kept) in [("Not found", false), ("Not kept here", true)] {
        let names = nowhere.iter().filter(|word| word.is_not_kept == is_not_kept).map(|word| word.text.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        sentences.extend((!names.is_empty()).then(|| format!("{lead}: {names}.")));
    }
    let others =
        |word: &&MissingWord| format!("No matching row contains {}; {} elsewhere do.", word.text, rows(word.rows));
    sentences.extend(elsewhere.iter().map(others));
    let nearest = |word: &MissingWord| match words.len() {
        1 => format!("Nearest: {}.", or_list(&word.near)),
        _ => format!("Nearest to {}: {}.", word.text, or_list(&word.near)),
    };
    sentences.extend(words.iter().filter(|word| !word.near.is_empty()).map(nearest));
    if rest > 0 {
        let them = if words.len() == 1 { "it" } else { "them" };
        let matching = count_of(rest, "row matches", "rows match");
        let question = if query.is_empty() { ".".to_owned() } else { format!(": {}", shell_word(query)) };
        sentences.push(format!("Without {them} {matching}{question}"));
    }
    sentences.join(" ")
}

/// Quotes a question for a shell.
pub fn shell_word(question: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | ':' | ',' | '+' | '(' | ')');
    match question.chars().all(plain) {
        true => format!("\"{question}\""),
        false => format!("'{}'", question.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::parse::Key;
    use crate::model::{Aspect, Field};
    use crate::rows::EntityCache;

    fn text_of(remark: Remark) -> String {
        let names = EntityCache::default();
        in_words(&remark, Words { names: &names, typed: &[] })
    }

    #[test]
    fn what_is_not_found_comes_with_the_question_for_the_rest() {
        let missing = |text: &str, near: &[&str], rows: usize| MissingWord {
            text: text.to_owned(),
            near: near.iter().map(|&name| name.to_owned()).collect(),
            rows,
            is_not_kept: false,
        };
        let words = vec![missing("lightgbm", &[], 0), missing("higgs", &[], 0)];
        assert_eq!(
            text_of(Remark::NotFound { words, rest: 3182, query: "gpu training time".to_owned() }),
            "Not found: lightgbm, higgs. Without them 3,182 rows match: \"gpu training time\""
        );
        let words = vec![missing("resnt50", &["resnet-50"], 0)];
        let nearest = text_of(Remark::NotFound { words, rest: 0, query: String::new() });
        assert_eq!(nearest, "Not found: resnt50. Nearest: resnet-50.");
        assert_eq!(
            text_of(Remark::NotFound { words: vec![missing("w4a16", &[], 97)], rest: 0, query: String::new() }),
            "No matching row contains w4a16; 97 rows elsewhere do."
        );
    }

    #[test]
    fn rows_that_state_less_are_counted() {
        let field = Key::Aspect(Aspect::Field(Field::Precision));
        assert_eq!(text_of(Remark::Unstated(field.clone(), 13)), "13 more rows match but state no precision.");
        assert_eq!(text_of(Remark::Unstated(field, 1)), "1 more row matches but states no precision.");
    }

    #[test]
    fn the_most_important_comes_first_and_nothing_twice() {
        let names = EntityCache::default();
        let unread = Remark::Unread(vec!["colab".to_owned()]);
        let all = [Remark::MixedPrecision(3), unread.clone(), unread];
        let worded = worded(&all, false, Words { names: &names, typed: &[] });
        let codes: Vec<&str> = worded.iter().map(|remark| remark.code).collect();
        assert_eq!(codes, ["unread", "mixed-precision"]);
        assert_eq!(worded[0].place, Place::Before);
        assert_eq!(worded[1].text, "3 rows are in mixed precision.");
    }
}
