//! Rankings and comparisons as charts: an interval for each candidate, a dot for each matched pair, a bar for each measured value.

use indexmap::IndexMap;
use maud::{Markup, html};

use super::chart::{LogAxis, bar};
use super::links::{about, card, measurement};
use super::numbers::spaced;
use dlbench::ask::answer::{Answer, Words, number, rounded};
use dlbench::ask::execute::{Entry, EntryValue};
use dlbench::ask::parse::{Ask, Filter, Is, Key, Question, Term, Test, print};
use dlbench::model::{Aspect, Direction, Facet, Value};
use dlbench::rows::{EntityCache, entity_kind};
use dlbench::values::text::counted;

/// Maximum number of candidates in a ranking on a page.
const MOST: usize = 20;
/// Maximum number of columns for conditions in which candidates differ.
const MOST_CONDITIONS: usize = 2;
/// Height of a row of a chart.
const HEIGHT: usize = 22;

/// The display names of an answer's entities.
fn names(answer: &Answer) -> EntityCache<'_> {
    EntityCache::of_catalog(&answer.catalog).with_names(&answer.names)
}

/// The value of an entry, if it is a number.
pub(super) fn value_of(entry: &Entry) -> Option<f64> {
    match entry.value {
        Some(EntryValue::Number(value)) => Some(value),
        _ => None,
    }
}

/// The interval of an entry.
fn ends(entry: &Entry) -> Option<(f64, f64)> {
    entry.low.zip(entry.high).filter(|(low, high)| low < high)
}

/// A value with its interval: `2.29 (1.86 to 2.81)`.
fn in_words(entry: &Entry) -> String {
    let value = value_of(entry).map(rounded).unwrap_or_default();
    ends(entry).map_or_else(|| value.clone(), |(low, high)| format!("{value} ({} to {})", rounded(low), rounded(high)))
}

/// The subject of an entry, linked where it is a single entity.
fn subject(entry: &Entry, words: Words<'_>) -> Markup {
    linked(entry, &words.subjects(&entry.subjects))
}

/// As [`subject`], shortened.
fn short_subject(entry: &Entry, words: Words<'_>) -> Markup {
    linked(entry, &shortened(&words.subjects(&entry.subjects)))
}

/// Shortens a long name in the middle, because variants differ in how their names end.
fn shortened(name: &str) -> String {
    const ROOM: usize = 24;
    const END: usize = 8;
    let words: Vec<&str> = name.split(' ').collect();
    let length = |words: &[&str]| words.iter().map(|word| word.chars().count() + 1).sum::<usize>();
    if length(&words) <= ROOM + 1 {
        return name.to_owned();
    }
    let end = (1..words.len()).find(|at| length(&words[*at..]) <= END).unwrap_or(words.len());
    let begin = (1..end).rev().find(|at| length(&words[..*at]) + length(&words[end..]) < ROOM).unwrap_or(1);
    format!("{} … {}", words[..begin].join(" "), words[end..].join(" ")).trim_end().to_owned()
}

fn linked(entry: &Entry, name: &str) -> Markup {
    let address = match entry.subjects.iter().collect::<Vec<_>>().as_slice() {
        [(key, Value::Text(id))] if !id.contains(',') => {
            Aspect::keyed(key).and_then(entity_kind).map(|kind| card(kind, id))
        }
        _ => None,
    };
    html! { @if let Some(address) = address { a href=(address) { (name) } } @else { (name) } }
}

/// The conditions in which entries differ, the most informative first.
fn varying<'e>(entries: &[&'e Entry], words: Words<'_>) -> Vec<&'e str> {
    let shown = |entry: &Entry, key: &str| entry.under.get(key).map(|value| words.condition(key, value.as_ref()));
    let Some(first) = entries.first() else { return Vec::new() };
    let differs = |key: &&String| entries.iter().any(|entry| shown(entry, key) != shown(first, key));
    first.under.keys().filter(differs).map(String::as_str).collect()
}

/// The conditions that all entries share, in words.
fn frame(entries: &[&Entry], words: Words<'_>, elsewhere: &[&str]) -> Vec<String> {
    let Some(first) = entries.first() else { return Vec::new() };
    let mut said = varying(entries, words);
    said.extend(elsewhere);
    words.frame(first, &said)
}

/// The chart of an answer whose entries are ratios with intervals: a ranking or a comparison. `None` for others.
pub(super) fn chart(answer: &Answer) -> Option<Markup> {
    match answer.ask {
        Ask::Rank => forest(answer),
        Ask::Compare => pairs(answer),
        _ => None,
    }
}

/// A ranking: each candidate's ratio to the first, with its interval from all evidence.
fn forest(answer: &Answer) -> Option<Markup> {
    let entries: Vec<&Entry> = answer.conclusion.entries.iter().filter(|entry| value_of(entry).is_some()).collect();
    let has_intervals = entries.iter().any(|entry| ends(entry).is_some());
    if entries.len() < 2 || !has_intervals {
        return None;
    }
    let names = names(answer);
    let words = Words { names: &names, typed: &answer.read_as };
    let shown = &entries[..MOST.min(entries.len())];
    let spread = |entry: &&Entry| [value_of(entry), entry.low, entry.high];
    let axis = LogAxis::of(shown.iter().flat_map(spread).flatten().chain([1.0]))?;
    let conditions: Vec<&str> = varying(shown, words).into_iter().take(MOST_CONDITIONS).collect();
    let is_first = |entry: &Entry| entry.rank.is_none_or(|rank| rank == 1);
    let has_hollow = shown.iter().any(|entry| entry.measured.is_none());
    let has_measured = shown.iter().any(|entry| entry.measured.is_some());
    let baseline = shown[0].baseline.as_ref().map(|baseline| words.subjects(baseline)).unwrap_or_default();
    let one_source = shown.iter().all(|entry| entry.sources == shown[0].sources && entry.sources.len() == 1);
    let units: Vec<&Option<String>> = shown.iter().filter_map(|entry| Some(&entry.measured.as_ref()?.unit)).collect();
    let one_unit =
        units.first().copied().and_then(Option::as_deref).filter(|_| units.iter().all(|unit| *unit == units[0]));
    let tied = shown.iter().filter(|entry| is_first(entry)).count();
    let frame = frame(shown, words, &[]).join(" · ");
    let setting = |entry: &Entry| -> Vec<String> {
        let said = |key: &&str| Some(words.condition(key, entry.under.get(*key)?.as_ref()));
        conditions.iter().filter_map(said).collect()
    };
    let own_value = |entry: &Entry| {
        let measured = entry.measured.as_ref()?;
        let text = if one_unit.is_some() { spaced(&number(measured.value)) } else { words.measured(entry)? };
        Some(match entry.measurements.as_slice() {
            [id] => html! { a href=(measurement(id)) title={ "row " (id) } { (text) } },
            _ => html! { (text) },
        })
    };
    Some(html! {
        p.frame-of {
            (frame) @if one_source { @if !frame.is_empty() { " · " } (sources(shown[0])) }
            @if one_source || !frame.is_empty() { br; }
            "Ratio: how many times as good as " (baseline) "."
        }
        div.frame tabindex="0" {
            table.chart {
                thead { tr {
                    th scope="col" class="number rank" { "rank" }
                    th scope="col" { "candidate" }
                    th scope="col" class="track" { "90 % interval" }
                    th scope="col" class="number" { "ratio" }
                    @if has_measured { th scope="col" class="number" { (one_unit.unwrap_or("measured")) } }
                    @if !conditions.is_empty() || !one_source { th scope="col" class="wide setting" { @if one_source { "measured with" } @else { "source, setting" } } }
                    th scope="col" class="number wide" { "values" }
                } }
                tbody {
                    @for entry in shown {
                        tr {
                            td.number.rank { @if let Some(rank) = entry.rank { (rank) } }
                            th scope="row" { (subject(entry, words)) }
                            td.track {
                                (axis.track(HEIGHT, &in_words(entry), &axis.interval(
                                    value_of(entry).unwrap_or(1.0), ends(entry), entry.measured.is_none(), is_first(entry))))
                            }
                            td.number title=(in_words(entry)) { (value_of(entry).map(rounded).unwrap_or_default()) }
                            @if has_measured { td.number { @if let Some(value) = own_value(entry) { (value) } } }
                            @if !conditions.is_empty() || !one_source {
                                td.wide.setting title=(setting(entry).join(" · ")) {
                                    @let setting = setting(entry);
                                    @if !one_source { (sources(entry)) @if !setting.is_empty() && !entry.sources.is_empty() { " · " } }
                                    (setting.join(" · "))
                                }
                            }
                            td.number.wide title=[entry.measurers.map(|many| counted(many, "measurer", "measurers"))] { (entry.n) }
                        }
                    }
                }
                tfoot { tr { td.rank {} td {} td.track { (axis.scale()) } } }
            }
        }
        ul.legend {
            @if tied > 1 { li { span.key.first {} " no difference shown from the first (" (tied) ")" } li { span.key.other {} " behind it" } }
            @if has_hollow { li { span.key.hollow {} " not measured here: by what it was measured beside" } }
            li { "Lines are 90 % intervals by all comparable evidence." }
            @if entries.len() > shown.len() { li { (entries.len() - shown.len()) " more in " a href=(about("/api/query", &answer.query)) { "JSON" } } }
        }
    })
}

/// The sources of an entry.
fn sources(entry: &Entry) -> Markup {
    use dlbench::values::EntityKind::Source;
    html! {
        @match entry.sources.as_slice() {
            [only] => a href=(card(Source, only)) { (only) },
            [] => {},
            many => (counted(many.len(), "source", "sources")),
        }
    }
}

/// The matched pairs of one network and stage.
#[derive(Default)]
struct PairGroup<'e> {
    name: String,
    mean: Option<&'e Entry>,
    pairs: Vec<f64>,
}

/// A comparison of two subjects: the ratio of each matched pair as a dot, by network and stage, with the mean and its interval.
fn pairs(answer: &Answer) -> Option<Markup> {
    let entries = &answer.conclusion.entries;
    let first = entries.first().filter(|entry| entry.n > 1 && value_of(entry).is_some())?;
    let is_of_first = |entry: &&Entry| entry.subjects == first.subjects && entry.baseline == first.baseline;
    let paired: Vec<&Entry> = entries.iter().filter(|entry| entry.pair.is_some()).filter(is_of_first).collect();
    if paired.is_empty() {
        return None;
    }
    let names = names(answer);
    let words = Words { names: &names, typed: &answer.read_as };
    let place = |entry: &Entry| -> Vec<String> {
        let value =
            |key: &str| entry.under.get(key).and_then(Option::as_ref).map(|value| words.condition(key, Some(value)));
        ["network", "stage"].iter().filter_map(|key| value(key)).collect()
    };
    let mut groups: IndexMap<Vec<String>, PairGroup<'_>> = IndexMap::new();
    for entry in &paired {
        let Some(value) = value_of(entry) else { continue };
        groups.entry(place(entry)).or_default().pairs.push(value);
    }
    for entry in entries.iter().filter(|entry| entry.pair.is_none()).filter(is_of_first).skip(1) {
        if let Some(group) =
            groups.get_mut(&place(entry)).filter(|group| group.mean.is_none() && entry.n == group.pairs.len())
        {
            group.mean = Some(entry);
        }
    }
    for (place, group) in &mut groups {
        group.name = if place.is_empty() { "pairs".to_owned() } else { place.join(" ") };
    }
    groups.sort_by(|_, a, _, b| b.pairs.len().cmp(&a.pairs.len()));
    let all: Vec<f64> = paired.iter().filter_map(|entry| value_of(entry)).collect();
    let axis = LogAxis::of(all.iter().copied().chain([1.0]).chain(first.low).chain(first.high))?;
    let subject_name = words.subjects(&first.subjects);
    let baseline = first.baseline.as_ref().map(|baseline| words.subjects(baseline)).unwrap_or_default();
    let shown: Vec<&PairGroup<'_>> = groups.values().take(MOST).collect();
    let hidden = groups.len() - shown.len();
    Some(html! {
        div.frame tabindex="0" {
            table.chart {
                thead { tr {
                    th scope="col" { "pairs of" }
                    th scope="col" class="track" { (subject_name) ", times as good as " (baseline) }
                    th scope="col" class="number" { "mean" }
                    th scope="col" class="number wide" { "interval" }
                    th scope="col" class="number" { "pairs" }
                } }
                tbody {
                    tr.total {
                        th scope="row" { "all" }
                        td.track { (axis.track(HEIGHT, &in_words(first), &html! {
                            (axis.dots(&all)) (axis.interval(value_of(first).unwrap_or(1.0), ends(first), false, true))
                        })) }
                        td.number { (value_of(first).map(rounded).unwrap_or_default()) }
                        td.number.wide { (interval(first)) }
                        td.number { (first.n) }
                    }
                    @for group in shown {
                        tr {
                            th scope="row" { (group.name) }
                            td.track { (axis.track(HEIGHT, &pair_ratios(group), &html! {
                                (axis.dots(&group.pairs))
                                @if let Some(mean) = group.mean { (axis.interval(value_of(mean).unwrap_or(1.0), ends(mean), false, true)) }
                            })) }
                            td.number { (group.mean.and_then(value_of).or(group.pairs.first().copied().filter(|_| group.pairs.len() == 1)).map(rounded).unwrap_or_default()) }
                            td.number.wide { @if let Some(mean) = group.mean { (interval(mean)) } }
                            td.number { (group.pairs.len()) }
                        }
                    }
                }
                tfoot { tr { td {} td.track { (axis.scale()) } } }
            }
        }
        ul.legend {
            li { span.key.dot {} " one matched pair: the same in all that makes rows comparable" }
            li { span.key.first {} " geometric mean" }
            @if hidden > 0 { li { (counted(hidden, "network", "networks")) " more in the table" } }
        }
    })
}

fn interval(entry: &Entry) -> String {
    ends(entry).map_or_else(String::new, |(low, high)| format!("{} to {}", rounded(low), rounded(high)))
}

fn pair_ratios(group: &PairGroup<'_>) -> String {
    let values: Vec<String> = group.pairs.iter().map(|value| rounded(*value)).collect();
    format!("{}: {}", group.name, values.join(", "))
}

/// The candidates of a chart: by values measured in one setting, otherwise by ratios.
pub(super) struct Measured<'a> {
    entries: Vec<&'a Entry>,
    is_lower_better: bool,
    by_ratio: bool,
    frame: Vec<String>,
    names: EntityCache<'a>,
    answer: &'a Answer,
}

/// Conditions that may differ in a chart: each candidate is shown at its best batch size and with its measured release.
const MAY_DIFFER: [(&str, &str); 2] = [("batch-size", "batches differ"), ("framework-version", "releases differ")];

/// The setting of an entry without the conditions that may differ.
fn setting(entry: &Entry) -> Vec<(&String, &Option<Value>)> {
    entry.under.iter().filter(|(key, _)| MAY_DIFFER.iter().all(|(free, _)| free != key)).collect()
}

impl<'a> Measured<'a> {
    /// The candidates measured in the same setting: the most common setting of first-ranked candidates, or that of the
    /// marked candidate; the best value first.
    pub fn of(answer: &'a Answer, marked: Option<&str>) -> Option<Self> {
        let entries = || answer.conclusion.entries.iter().filter(|entry| entry.measured.is_some());
        let is_first = |entry: &&Entry| entry.rank.is_none_or(|rank| rank == 1);
        let chosen = match marked {
            Some(id) => setting(entries().find(|entry| is_about(entry, id))?),
            None => {
                let many = |own: &Vec<_>| entries().filter(|entry| setting(entry) == *own).count();
                // Among equally common ones, the earliest, whose candidates are the best.
                entries().filter(is_first).map(setting).rev().max_by_key(many)?
            }
        };
        let mut entries: Vec<&Entry> = entries().filter(|entry| setting(entry) == chosen).collect();
        let direction = |entry: &Entry| match Aspect::keyed(&entry.measured.as_ref()?.quantity)? {
            Aspect::Metric(metric) => Some(metric.direction()),
            Aspect::Derived(measure) => Some(measure.direction()),
            _ => None,
        };
        let is_lower_better = entries.first().and_then(|entry| direction(entry)) == Some(Direction::Lower);
        let value = |entry: &Entry| entry.measured.as_ref().map_or(f64::NAN, |measured| measured.value);
        entries.sort_by(
            |a, b| {
                if is_lower_better { value(a).total_cmp(&value(b)) } else { value(b).total_cmp(&value(a)) }
            },
        );
        let names = names(answer);
        let frame = {
            let words = Words { names: &names, typed: &answer.read_as };
            let differs = |key: &str| entries.iter().any(|entry| entry.under.get(key) != entries[0].under.get(key));
            let mut frame = frame(&entries, words, &["network", "stage"]);
            frame.extend(MAY_DIFFER.iter().filter(|(key, _)| differs(key)).map(|(_, told)| (*told).to_owned()));
            frame
        };
        Some(Self { entries, is_lower_better, by_ratio: false, frame, names, answer })
    }

    /// All candidates by their ratio to the first, if too few others share the marked candidate's setting.
    pub fn by_ratio(answer: &'a Answer, marked: &str) -> Option<Self> {
        let entries = answer.conclusion.entries.iter();
        let mut entries: Vec<&Entry> =
            entries.filter(|entry| entry.rank.is_some() && value_of(entry).is_some()).collect();
        entries.sort_by_key(|entry| entry.rank);
        let frame = vec!["ratios by all comparable evidence".to_owned()];
        let measured = Self { entries, is_lower_better: false, by_ratio: true, frame, names: names(answer), answer };
        measured.entries.iter().any(|entry| is_about(entry, marked)).then_some(measured)
    }

    /// The value for a candidate's bar.
    fn value(&self, entry: &Entry) -> Option<f64> {
        if self.by_ratio { value_of(entry) } else { entry.measured.as_ref().map(|measured| measured.value) }
    }

    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The shared conditions, without network, stage and device.
    pub fn frame(&self) -> &[String] {
        &self.frame
    }

    /// The ids of the sources.
    pub fn sources(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.entries.iter().flat_map(|entry| &entry.sources).map(String::as_str).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The first `most` candidates as bars; `marked` is highlighted.
    pub fn bars(&self, most: usize, marked: Option<&str>) -> Markup {
        let words = Words { names: &self.names, typed: &self.answer.read_as };
        let values = self.entries.iter().filter_map(|entry| self.value(entry));
        // The longest bar is the best value.
        let (lowest, highest) =
            values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let share = |value: f64| if self.is_lower_better { lowest / value } else { value / highest };
        let unit = self.entries.first().and_then(|entry| match (self.by_ratio, &entry.baseline) {
            (true, baseline) => baseline.as_ref().map(|baseline| format!("times {}", words.subjects(baseline))),
            (false, _) => entry.measured.as_ref()?.unit.clone(),
        });
        let own = marked.and_then(|id| self.entries.iter().position(|entry| is_about(entry, id)));
        // Shows the neighbours of the marked candidate.
        let from = own.map_or(0, |own| (own + most / 2 + 1).min(self.entries.len()).saturating_sub(most).min(own));
        html! {
            ul.bars {
                @for (at, entry) in self.entries.iter().enumerate().skip(from).take(most) {
                    @if let Some(value) = self.value(entry) {
                        li class=[(own == Some(at)).then_some("marked")] title={ (words.subjects(&entry.subjects)) ": " (words.measured(entry).unwrap_or_default()) ", ratio " (in_words(entry)) } {
                            span.name { (short_subject(entry, words)) }
                            (bar(share(value), own.map_or(entry.rank.is_none_or(|rank| rank == 1), |own| own == at)))
                            span.number { @if self.by_ratio { (rounded(value)) } @else { (spaced(&number(value))) } }
                        }
                    }
                }
            }
            @if let Some(unit) = unit { p.unit { (unit) @if self.is_lower_better { ", less is better" } } }
        }
    }

    /// The position of a candidate: its rank, the number of candidates, and its ratio to the first with the interval.
    pub fn standing(&self, id: &str) -> Option<Markup> {
        standing(self.answer, id)
    }
}

/// The position of a candidate in a ranking: its rank, the number of candidates, and its ratio to the first with the interval.
fn standing(answer: &Answer, id: &str) -> Option<Markup> {
    let entries = &answer.conclusion.entries;
    let entry = entries.iter().find(|entry| is_about(entry, id))?;
    let names = names(answer);
    let words = Words { names: &names, typed: &answer.read_as };
    let rank = entry.rank?;
    let tied = entries.iter().filter(|other| other.rank == Some(rank)).count();
    Some(html! {
        b { "rank " (rank) } @if tied > 1 { " with " (tied - 1) " others" } " of " (entries.len())
        @if let (Some(baseline), true) = (&entry.baseline, entry.baseline.as_ref() != Some(&entry.subjects)) {
            ", " (in_words(entry)) " times " (words.subjects(baseline))
        }
    })
}

fn is_about(entry: &Entry, id: &str) -> bool {
    entry.subjects.values().any(|value| matches!(value, Value::Text(text) if &**text == id))
}

/// The question, in explicit language, that ranks entities of the kind `of` for a network and a stage, narrowed by further filters.
pub(crate) fn question(of: &str, network: &str, stage: &str, filters: &str) -> String {
    let test =
        |facet: Facet, value: &str| Term::Test(Test { key: Key::Facet(facet), is: Is::OneOf(vec![value.to_owned()]) });
    let terms = vec![test(Facet::Network, network), test(Facet::Stage, stage)];
    let filter = print(&Question { subject: Filter { terms }, ..Question::default() });
    let filter = filter.trim_end_matches("ask:lookup").trim_end();
    format!("fastest {of} {filter} {filters}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_what_tells_them_apart() {
        for (name, short) in [
            ("GeForce RTX 4090", "GeForce RTX 4090"),
            ("GH200 Grace Hopper Superchip 96 GB", "GH200 Grace … 96 GB"),
            ("GH200 Grace Hopper Superchip", "GH200 Grace Hopper …"),
            ("RTX 6000 Ada Generation", "RTX 6000 Ada Generation"),
        ] {
            assert_eq!(shortened(name), short);
        }
    }

    #[test]
    fn a_ranking_is_asked_for_in_explicit_language() {
        assert_eq!(
            question("device", "resnet-50", "train", "class:gpu"),
            "fastest device network:resnet-50 stage:train class:gpu"
        );
        assert_eq!(question("framework", "resnet-50", "eval", ""), "fastest framework network:resnet-50 stage:eval");
    }
}
