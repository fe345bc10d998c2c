//! Explicit filters: `device:v100`, `batch>=32`, `year:2018..2020`, `sort:-throughput`.

use std::ops::{Bound, Range};

use strum::VariantArray;

use super::QueryError;
use super::answer::ReadAs;
use super::clause::{Clause, filter_text, text_clause};
use super::grammar::{Filter, GrammarError, Operator};
use super::understand::Interpreter;
use crate::derived::index::{Condition, Sort, SortKey, Subject};
use crate::model::{Facet, Field, Lookup as _, Metric, Name, NameKind};
use crate::values::spelling::normalise;
use crate::values::text::{nearest, or_list};

impl<'q> Interpreter<'q> {
    /// Reads a filter; `sort:` sets the order and leaves no clause.
    pub(super) fn filter(&mut self, filter: &Filter<'q>) -> Result<Option<Clause>, QueryError> {
        let key = filter.key.to_ascii_lowercase().replace('_', "-");
        if key == "sort" {
            self.sort = Some(self.sort_of(filter)?);
            return Ok(None);
        }
        if key == "text" && filter.operator != Operator::Is {
            return Err(no_order("text", filter).into());
        }
        if key == "text" {
            return Ok(any_text(filter, self.span_text(filter)));
        }
        if key == "year" {
            return self.year(filter).map(Some);
        }
        if let Ok(facet) = key.parse::<Facet>() {
            return self.facet_filter(facet, filter).map(Some);
        }
        match self.number_key(&key)? {
            Some(number) => self.number_filter(number, filter).map(Some),
            None => Err(self.unknown_key(filter).into()),
        }
    }

    fn facet_filter(&mut self, facet: Facet, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        if filter.operator != Operator::Is {
            return Err(no_order(facet.key(), filter).into());
        }
        let mut asked: Vec<String> = Vec::new();
        let mut read_as = Vec::new();
        for (text, span) in &filter.values {
            let names = self.stores.store.exact(&normalise(text))?;
            let mut names: Vec<Name> = names.into_iter().filter(|name| name.facet == facet).collect();
            if facet == Facet::MultiServer && names.is_empty() {
                names.extend(yes_or_no(text));
            }
            if names.is_empty() {
                return Err(self.unknown_value(facet, text, span.clone())?.into());
            }
            let values = names.into_iter().map(|name| name.value).collect();
            let (read, values) = self.expanded(text, facet, values, "exact")?;
            read_as.push(read);
            asked.extend(values.into_iter().filter(|value| !asked.contains(value)).collect::<Vec<_>>());
        }
        Ok(Clause {
            text: self.span_text(filter),
            equivalent: filter_text(facet, &asked),
            condition: Condition::Facet(facet, asked),
            read_as,
        })
    }

    fn year(&mut self, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        let mut years: Vec<String> = Vec::new();
        for (text, span) in &filter.values {
            let (low, high) = bounds(filter.operator, text).ok_or_else(|| not_a_number("year", text, span.clone()))?;
            // Deep learning has been benchmarked for less time than this.
            years.extend(
                (1940..=2200).filter(|year| within(f64::from(*year), low, high)).map(|year: i32| year.to_string()),
            );
        }
        let text = self.span_text(filter);
        let condition = Condition::Facet(Facet::Year, years);
        Ok(Clause {
            read_as: vec![ReadAs {
                text: text.clone(),
                facet: Facet::Year.to_string(),
                values: filter.values.iter().map(|(value, _)| (*value).to_owned()).collect(),
                how: "exact".to_owned(),
                leaves: self.stores.index.count(Subject::Measurement, &condition)?,
            }],
            equivalent: text.clone(),
            text,
            condition,
        })
    }

    fn number_filter(&mut self, key: SortKey, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        let name = match key {
            SortKey::Metric(metric) => metric.to_string(),
            SortKey::Field(field) => field.to_string(),
        };
        let mut any = Vec::new();
        for (text, span) in &filter.values {
            let (low, high) = bounds(filter.operator, text).ok_or_else(|| not_a_number(&name, text, span.clone()))?;
            any.push(match key {
                SortKey::Metric(metric) => Condition::Metric(metric, low, high),
                SortKey::Field(field) => Condition::Field(field, low, high),
            });
        }
        let text = self.span_text(filter);
        let condition = Condition::Any(any);
        Ok(Clause {
            read_as: vec![ReadAs {
                text: text.clone(),
                facet: name.clone(),
                values: vec![text[filter.key.len()..].to_owned()],
                how: "exact".to_owned(),
                leaves: self.stores.index.count(Subject::Measurement, &condition)?,
            }],
            equivalent: format!("{name}{}", &text[filter.key.len()..]),
            text,
            condition,
        })
    }

    fn sort_of(&self, filter: &Filter<'q>) -> Result<Sort, QueryError> {
        let (text, span) = match filter.values.as_slice() {
            [one] => one.clone(),
            _ => (filter.key, filter.key_span.clone()),
        };
        let (name, descending) = match text.strip_prefix('-') {
            Some(name) => (name, true),
            None => (text, false),
        };
        match self.number_key(&name.to_ascii_lowercase().replace('_', "-"))? {
            Some(by) => Ok(Sort { by, descending }),
            None => Err(GrammarError {
                message: format!("nothing to sort by is called `{name}`"),
                span,
                label: "expected a metric or a number of the row".to_owned(),
                help: near_help(name, number_names()),
            }
            .into()),
        }
    }

    /// The metric or numeric field that a key means.
    fn number_key(&self, key: &str) -> Result<Option<SortKey>, QueryError> {
        if let Some(named) = SortKey::named(key) {
            return Ok(Some(named));
        }
        if let Some((_, field)) = FIELD_WORDS.iter().find(|(word, _)| *word == key) {
            return Ok(Some(SortKey::Field(*field)));
        }
        let names = self.stores.store.exact(&normalise(key))?;
        Ok(names
            .iter()
            .find(|name| name.facet == Facet::Metric)
            .and_then(|name| name.value.parse().ok())
            .map(SortKey::Metric))
    }

    fn unknown_key(&self, filter: &Filter<'q>) -> GrammarError {
        let known = Facet::VARIANTS.iter().map(|facet| facet.key()).chain(["sort", "text"]).chain(number_names());
        let help = near_help(filter.key, known).unwrap_or_else(|| {
            let facets: Vec<&str> = Facet::VARIANTS.iter().map(|facet| facet.key()).collect();
            format!("the filters are {}, every metric and every number of a row", facets.join(", "))
        });
        GrammarError {
            message: format!("there is no filter `{}`", filter.key),
            span: filter.key_span.clone(),
            label: "no such filter".to_owned(),
            help: Some(help),
        }
    }

    fn unknown_value(&self, facet: Facet, text: &str, span: Range<usize>) -> Result<GrammarError, QueryError> {
        let all = self.stores.store.all()?;
        let of_facet: Vec<&Name> = all.iter().filter(|name| name.facet == facet).collect();
        let near = nearest(&normalise(text), of_facet.iter().map(|name| name.normal.as_str()), 3);
        let mut values: Vec<String> = Vec::new();
        for normal in near {
            let found = of_facet.iter().filter(|name| name.normal == normal);
            values.extend(found.map(|name| format!("`{}`", name.value)));
        }
        values.dedup();
        Ok(GrammarError {
            message: format!("no {facet} is called `{text}`"),
            span,
            label: format!("unknown {facet}"),
            help: (!values.is_empty()).then(|| format!("did you mean {}?", or_list(&values))),
        })
    }

    fn span_text(&self, filter: &Filter<'q>) -> String {
        let end = filter.values.last().map_or(filter.key_span.end, |(_, span)| span.end);
        self.question[filter.key_span.start..end].to_owned()
    }
}

/// `text:a,"b c"`: any of these texts.
fn any_text(filter: &Filter<'_>, text: String) -> Option<Clause> {
    let mut clauses: Vec<Clause> = filter.values.iter().map(|(text, _)| text_clause(text)).collect();
    if clauses.len() == 1 {
        return clauses.pop();
    }
    let quoted: Vec<String> = filter.values.iter().map(|(text, _)| format!("\"{text}\"")).collect();
    Some(Clause {
        text,
        equivalent: format!("text:{}", quoted.join(",")),
        condition: Condition::Any(clauses.iter().map(|clause| clause.condition.clone()).collect()),
        read_as: clauses.into_iter().flat_map(|clause| clause.read_as).collect(),
    })
}

/// Short words for numeric fields.
const FIELD_WORDS: &[(&str, Field)] = &[
    ("batch", Field::BatchSize),
    ("bs", Field::BatchSize),
    ("global-batch", Field::BatchSizeGlobal),
    ("devices", Field::DeviceCount),
    ("gpus", Field::DeviceCount),
    ("cores", Field::Threads),
    ("sequence", Field::SequenceLength),
    ("target", Field::AccuracyTarget),
];

fn number_names() -> impl Iterator<Item = &'static str> {
    let metrics = Metric::VARIANTS.iter().map(|metric| metric.key());
    let fields = Field::VARIANTS.iter().map(|field| field.key()).filter(|key| SortKey::named(key).is_some());
    let spellings = Metric::VARIANTS.iter().flat_map(|metric| metric.spellings().iter().copied());
    metrics
        .chain(spellings.filter(|spelling| !spelling.contains(' ')))
        .chain(fields)
        .chain(FIELD_WORDS.iter().map(|(word, _)| *word))
}

fn near_help(word: &str, known: impl Iterator<Item = &'static str>) -> Option<String> {
    let near = nearest(word, known, 3);
    let near: Vec<String> = near.iter().map(|near| format!("`{near}`")).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", or_list(&near)))
}

fn yes_or_no(text: &str) -> Option<Name> {
    let value = match text {
        "yes" | "true" | "1" => "yes",
        "no" | "false" | "0" => "no",
        _ => return None,
    };
    Some(Name { normal: text.to_owned(), facet: Facet::MultiServer, value: value.to_owned(), kind: NameKind::Exact })
}

/// `32`, `8..64`, `8..`, `..64`, or a number after a comparison sign.
fn bounds(operator: Operator, text: &str) -> Option<(Bound<f64>, Bound<f64>)> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let value = match operator {
        Operator::Is => {
            if let Some((low, high)) = text.split_once("..") {
                let bound = |text: &str| match text {
                    "" => Some(Bound::Unbounded),
                    text => number(text).map(Bound::Included),
                };
                return match (bound(low)?, bound(high)?) {
                    (Bound::Unbounded, Bound::Unbounded) => None,
                    (Bound::Included(low), Bound::Included(high)) if low > high => None,
                    both => Some(both),
                };
            }
            let value = number(text)?;
            return Some((Bound::Included(value), Bound::Included(value)));
        }
        _ => number(text)?,
    };
    Some(match operator {
        Operator::Less => (Bound::Unbounded, Bound::Excluded(value)),
        Operator::LessOrEqual => (Bound::Unbounded, Bound::Included(value)),
        Operator::Greater => (Bound::Excluded(value), Bound::Unbounded),
        Operator::GreaterOrEqual | Operator::Is => (Bound::Included(value), Bound::Unbounded),
    })
}

fn within(value: f64, low: Bound<f64>, high: Bound<f64>) -> bool {
    std::ops::RangeBounds::contains(&(low, high), &value)
}

fn no_order(key: &str, filter: &Filter<'_>) -> GrammarError {
    GrammarError {
        message: format!("`{key}` has no order"),
        span: filter.key_span.clone(),
        label: format!("write {key}:…"),
        help: None,
    }
}

fn not_a_number(key: &str, text: &str, span: Range<usize>) -> GrammarError {
    let example = if key == "year" { "2018..2020" } else { "8..64" };
    GrammarError {
        message: format!("`{text}` is no number and no range"),
        span,
        label: format!("expected a number, or a range from low to high such as {key}:{example}"),
        help: None,
    }
}
