//! Compares canonical questions: whether two mean the same, regardless of the order of their terms.

use std::collections::{BTreeMap, BTreeSet};

/// A canonical question as sets: the order of its terms does not matter, but the order of its sides does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Form {
    /// What applies to all sides, and what is asked.
    parts: BTreeSet<String>,
    /// The sides of a comparison.
    sides: Vec<BTreeSet<String>>,
}

/// The ends of an order.
const ENDS: [&str; 4] = ["best", "worst", "most", "least"];

/// Values for which smaller is better, or the end that `best` means.
const SMALLER_IS_BETTER: [&str; 13] = [
    "latency",
    "power",
    "energy",
    "tdp",
    "rent",
    "launch-price",
    "cost",
    "error",
    "loss",
    "epoch",
    "total",
    "time",
    "memory-mib",
];

impl Form {
    /// Parses a canonical form.
    pub(crate) fn of(text: &str) -> Self {
        let mut form = Self::default();
        let tokens = tokens(text);
        let is_side = |at: usize| {
            let versus = |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(|token| token == "vs");
            versus(at.checked_add(1)) || versus(at.checked_sub(1))
        };
        let mut excluded: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (at, token) in tokens.iter().enumerate() {
            if token == "vs" {
            } else if is_side(at) {
                form.sides.push(parts(inside(token)));
            } else {
                for part in part(token) {
                    match part.strip_prefix('-').and_then(|rest| rest.split_once(':')) {
                        Some((key, values)) if !key.starts_with('(') => {
                            excluded.entry(key.to_owned()).or_default().extend(values.split(',').map(str::to_owned));
                        }
                        _ => drop(form.parts.insert(part)),
                    }
                }
            }
        }
        let joined = |values: BTreeSet<String>| values.into_iter().collect::<Vec<_>>().join(",");
        form.parts.extend(excluded.into_iter().map(|(key, values)| format!("-{key}:{}", joined(values))));
        // What applies to every side is moved to the common parts.
        let shared: BTreeSet<String> =
            form.sides.iter().skip(1).fold(form.sides.first().cloned().unwrap_or_default(), |shared, side| {
                shared.intersection(side).cloned().collect()
            });
        for side in &mut form.sides {
            side.retain(|part| !shared.contains(part));
        }
        form.parts.extend(shared);
        form
    }

    /// The kind of answer.
    pub(crate) fn ask(&self) -> &str {
        self.parts.iter().find_map(|part| part.strip_prefix("ask:")).unwrap_or("lookup")
    }

    /// Whether a part is implied by another: the quantity of an order is shown anyway, and `faster-than` implies ordering by speed.
    fn repeats(&self, part: &str) -> bool {
        let order = || self.parts.iter().filter_map(|part| part.split_once(':')).find(|(key, _)| ENDS.contains(key));
        part.strip_prefix("show:").is_some_and(|shown| order().is_some_and(|(_, by)| by == shown))
            || part == "best:speed" && self.parts.iter().any(|part| part.contains("er-than:("))
    }

    /// Whether the order is by a number of rows or sources, which lists and rankings have in common.
    fn is_counted_order(&self) -> bool {
        let by = |end: &str, what: &str| self.parts.contains(&format!("{end}:{what}"));
        ENDS.iter().any(|end| by(end, "rows") || by(end, "sources"))
    }

    /// Whether another form means the same. `self` is the expected form: what it leaves open in a ranking, or with any list (`…`),
    /// the other may state.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let counted = |form: &Self| {
            let of = |parts: &BTreeSet<String>| parts.iter().any(|part| part.contains("device-count"));
            of(&form.parts) || form.sides.iter().any(of)
        };
        let optional = |part: &str| {
            part == "counts:token"
                || part == "show:speed"
                || part == "best:speed" && !self.sides.is_empty()
                || part == "source:dai-berleant-2019" && self.ask() == "grade"
                || part == "class:gpu" && (counted(self) || counted(other))
                || part.starts_with("of:") && self.ask() == "rank" && !self.parts.iter().any(|p| p.starts_with("of:"))
                || part.starts_with("ask:")
                    && !self.sides.is_empty()
                    && ["compare", "fact", "grade"].contains(&&part[4..])
        };
        let kept = |form: &Self| {
            let parts = form.parts.iter().filter(|part| !optional(part) && !form.repeats(part));
            parts
                .map(|part| if form.is_counted_order() { part.replace("ask:list", "ask:rank") } else { part.clone() })
                .collect::<BTreeSet<_>>()
        };
        self.sides.len() == other.sides.len()
            && self.sides.iter().zip(&other.sides).all(|(a, b)| same(a, b))
            && same(&kept(self), &kept(other))
    }
}

/// Whether two sets of parts mean the same.
fn same(expected: &BTreeSet<String>, found: &BTreeSet<String>) -> bool {
    expected.len() == found.len()
        && expected.iter().all(|part| found.iter().any(|other| says(part, other)))
        && found.iter().all(|part| expected.iter().any(|other| says(other, part)))
}

/// Whether a part is as expected. Of the several quantities that one word can mean (`training time`), some are enough.
fn says(expected: &str, found: &str) -> bool {
    if expected == found {
        return true;
    }
    let (Some((key, a)), Some((other, b))) = (expected.split_once(':'), found.split_once(':')) else { return false };
    let values = |text: &str| text.split(',').map(str::to_owned).collect::<BTreeSet<_>>();
    let (a, b) = (values(a), values(b));
    key == other
        && (a.iter().any(|value| value.contains(['…', '*']))
            && (b.len() > 1 || b.iter().any(|value| value.contains('*')))
            || a == b
            || ["show", "best", "worst", "most", "least"].contains(&key) && (a.is_subset(&b) || b.is_subset(&a)))
}

/// Splits at blanks outside of brackets and quotes.
fn tokens(text: &str) -> Vec<String> {
    let (mut tokens, mut depth, mut quoted) = (vec![String::new()], 0_i32, false);
    for letter in text.chars() {
        match letter {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        match tokens.last_mut() {
            Some(last) if !(letter == ' ' && depth == 0 && !quoted) => last.push(letter),
            _ => tokens.push(String::new()),
        }
    }
    tokens.retain(|token| !token.is_empty());
    tokens
}

/// The content of a pair of brackets.
fn inside(token: &str) -> &str {
    token.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(token)
}

/// The parts of a group.
fn parts(text: &str) -> BTreeSet<String> {
    tokens(text).iter().flat_map(|token| part(token)).collect()
}

/// Normalises one part; a range with two ends becomes two bounds.
fn part(token: &str) -> Vec<String> {
    if let Some(than) = token.split_once(":(") {
        let than = (than.0, than.1.strip_suffix(')').unwrap_or(than.1));
        return vec![format!("{}:({})", than.0, parts(than.1).into_iter().collect::<Vec<_>>().join(" "))];
    }
    if let Some(group) = token.strip_prefix('-').filter(|rest| rest.starts_with('(')) {
        return vec![format!("-{}", alternatives(inside(group)))];
    }
    if let Some((key, sign, end)) = token.strip_prefix('-').and_then(bound) {
        let opposite = if sign.starts_with('<') { '>' } else { '<' };
        return vec![format!("{key}{opposite}{}{}", if sign.len() == 1 { "=" } else { "" }, number(end))];
    }
    if token.starts_with('(') {
        return vec![alternatives(inside(token))];
    }
    let Some(at) = token.find([':', '<', '>', '=']) else { return vec![token.to_owned()] };
    let (key, rest) = token.split_at(at);
    let sign: String = rest.chars().take_while(|letter| [':', '<', '>', '='].contains(letter)).collect();
    let value = &rest[sign.len()..];
    // A version is compared as text: `cuda:>=10`.
    let (sign, value) = match sign.strip_prefix(':') {
        Some(inner) if !inner.is_empty() => (inner, value),
        _ => (sign.as_str(), value),
    };
    match sign {
        ":" | "=" => {
            if let Some((low, high)) = value.split_once("..") {
                let bound = |sign: &str, end: &str| (!end.is_empty()).then(|| format!("{key}{sign}{}", number(end)));
                return [bound(">=", low), bound("<=", high)].into_iter().flatten().collect();
            }
            let mut values: Vec<String> = value.split(',').map(number).collect();
            // Mixed precision covers both formats.
            if key == "precision" && values.iter().any(|value| value == "amp-fp16") {
                values.retain(|value| value != "amp-bf16");
            }
            values.sort();
            let key = match key {
                "limit" => "take",
                "best" | "worst" | "most" | "least" => end(key, value),
                key => key,
            };
            vec![format!("{key}:{}", values.join(","))]
        }
        sign => vec![format!("{key}{sign}{}", number(value))],
    }
}

/// Normalises the end of an order to `best` or `worst`, according to which direction is better.
fn end<'a>(end: &'a str, by: &str) -> &'a str {
    let smaller = SMALLER_IS_BETTER.iter().any(|name| by.starts_with(name)) && by != "memory";
    match (end, smaller) {
        ("most", false) | ("least", true) => "best",
        ("least", false) | ("most", true) => "worst",
        (end, _) => end,
    }
}

/// Splits a bound into key, sign and limit.
fn bound(token: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = token.split_at(token.find(['<', '>'])?);
    let sign = if rest[1..].starts_with('=') { &rest[..2] } else { &rest[..1] };
    Some((key, sign, &rest[sign.len()..]))
}

/// Sorts alternatives; if all have one key, writes them as its list of values.
fn alternatives(text: &str) -> String {
    let mut of: Vec<String> =
        text.split(" OR ").map(|one| parts(inside(one)).into_iter().collect::<Vec<_>>().join(" ")).collect();
    of.sort();
    let tests = of.iter().map(|one| one.split_once(':').filter(|(_, value)| !value.contains(' ')));
    match tests.collect::<Option<Vec<_>>>() {
        Some(tests) if tests.iter().all(|(key, _)| *key == tests[0].0) => {
            format!("{}:{}", tests[0].0, tests.iter().map(|(_, value)| *value).collect::<Vec<_>>().join(","))
        }
        _ => format!("({})", of.join(" OR ")),
    }
}

/// Normalises a number.
fn number(text: &str) -> String {
    text.parse::<f64>().map_or_else(|_| text.trim_matches('"').to_lowercase(), |number| format!("{number:.9}"))
}

#[test]
fn forms_agree_whatever_the_order_of_their_terms() {
    for (a, b, agree) in [
        ("network:a stage:train device:x,y ask:lookup", "device:y,x stage:train network:a ask:lookup", true),
        ("(device:x) vs (device:y) ask:compare", "(device:y) vs (device:x) ask:compare", false),
        (
            "(device:x device-count:8) vs (device:y) ask:compare",
            "(device-count:8 device:x) vs (device:y) ask:compare",
            true,
        ),
        ("(device:x OR device:y) ask:lookup", "device:x,y ask:lookup", true),
        ("-parameters>10 ask:list", "parameters<=10 ask:list", true),
        ("(a:1 b:2) vs (a:1 c:3) ask:compare", "(b:2) vs (c:3) a:1 ask:compare", true),
        ("-device:x -device:y ask:lookup", "-device:y,x ask:lookup", true),
        ("memory:16..24 ask:list", "memory<=24 memory>=16 ask:list", true),
        ("memory:24.. ask:list", "memory>=24.0 ask:list", true),
        ("of:device least:latency-ms ask:rank", "best:latency-ms of:device ask:rank", true),
        ("of:device least:memory ask:rank", "best:memory of:device ask:rank", false),
        ("network:… ask:lookup", "network:bert*,gpt* ask:lookup", true),
        ("network:… ask:lookup", "network:bert ask:lookup", false),
        ("best:speed ask:rank", "of:device best:speed ask:rank", true),
        ("of:network best:speed ask:rank", "of:device best:speed ask:rank", false),
        ("show:total-s,epoch-s ask:lookup", "show:total-s ask:lookup", true),
        ("device:x ask:lookup", "device:x show:speed ask:lookup", true),
        ("show:tdp ask:fact", "show:memory ask:fact", false),
        ("-(precision:fp16 OR precision:int8) a:b", "a:b -(precision:int8 OR precision:fp16)", true),
        ("text:\"two words\" ask:lookup", "ask:lookup text:\"two words\"", true),
    ] {
        assert_eq!(Form::of(a).agrees(&Form::of(b)), agree, "{a} | {b}");
    }
}
