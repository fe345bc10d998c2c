//! Directives: explicit parts that are not filters (quantity, order, axis, reference, page): `ask:rank`, `best:tdp`, `take:5`.

use std::ops::Range;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::error::{GrammarError, Result};
use super::filter::{Names, key_named, known_keys, near_help, number_named, plain_key, unknown};
use super::grammar::{FilterPart, Sign, error};
use super::lexicon::quantity_called;
use super::question::{Ask, Beyond, End, Filter, Key, Order, Quantity, Question};
use crate::model::{Aspect, Fact, Field};

/// The key of a directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub(super) enum Directive {
    /// The kind of answer.
    Ask,
    /// The kind of item listed, one per line.
    Of,
    /// The requested quantities.
    Show,
    /// Order with the best value first.
    Best,
    /// Order with the worst value first.
    Worst,
    /// Order with the largest value first.
    Most,
    /// Order with the smallest value first.
    Least,
    /// The axis of a series.
    Along,
    /// The key that splits a series into lines.
    Lines,
    /// The reference that candidates must be better than.
    FasterThan,
    /// The reference that candidates must be worse than.
    SlowerThan,
    /// The claim to check: `claim:holds` asks a yes/no question.
    Claim,
    /// Which networks' rows count as evidence.
    Reach,
    /// Maximum number of candidates or rows.
    Take,
    /// A synonym of `take`.
    Limit,
    /// Number of rows to skip.
    Offset,
    /// The sort order of rows.
    Sort,
}

impl Directive {
    /// Parses the key of a directive.
    pub fn named(key: &str) -> Option<Self> {
        plain_key(key).parse().ok()
    }

    /// The keys of all directives.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        Self::VARIANTS.iter().map(|directive| directive.into())
    }

    /// The end that comes first, if this is one of the four orders.
    pub fn end(self) -> Option<End> {
        <&str>::from(self).parse().ok()
    }
}

/// The metrics by which the survey compares frameworks.
pub(super) const COMPARED: [&str; 7] = [
    "license-type",
    "core-codes",
    "api-codes",
    "compatible-hardware",
    "stability",
    "tested-networks",
    "tested-datasets",
];

impl Quantity {
    /// The name of the quantity in the explicit language.
    pub fn key(&self) -> String {
        match self {
            Self::Speed => "speed".to_owned(),
            Self::Metric(metric) => metric.key().to_owned(),
            Self::Derived(measure) => measure.key().to_owned(),
            Self::Fact(fact) if is_name(*fact) => format!("{}-name", fact.key()),
            Self::Fact(fact) => fact.key().to_owned(),
            Self::Field(field) if is_fact(*field) => format!("row-{}", field.key()),
            Self::Field(field) => field.key().to_owned(),
            Self::Ratio(fact, per) => format!("{}/{}", fact.key(), per.key()),
            Self::HardwareMetric(id) | Self::FrameworkMetric(id) => id.clone(),
            Self::Rows => "rows".to_owned(),
            Self::Sources => "sources".to_owned(),
            Self::Principles => "principles".to_owned(),
            Self::Criteria => "criteria".to_owned(),
        }
    }
}

/// Whether a fact is the name of an entity to which a field refers by id.
fn is_name(fact: Fact) -> bool {
    matches!(fact, Fact::FrameworkName | Fact::DeviceName | Fact::NetworkName | Fact::DatasetName)
}

/// Whether a fact, other than the name of an entity, has the key of this field.
fn is_fact(field: Field) -> bool {
    field.key().parse::<Fact>().is_ok_and(|fact| !is_name(fact))
}

/// Parses a quantity of the explicit language.
fn quantity_named(word: &str, names: &Names<'_>) -> Result<Option<Quantity>> {
    let plain = plain_key(word);
    let field = |key: &str| key.parse::<Field>().ok();
    if let Some((fact, per)) = plain.split_once('/') {
        return Ok(fact.parse().ok().zip(per.parse().ok()).map(|(fact, per)| Quantity::Ratio(fact, per)));
    }
    let of_rows = plain.strip_prefix("row-").and_then(field).filter(|field| is_fact(*field));
    let own = || field(&plain).filter(|field| !is_fact(*field)).map(Quantity::Field);
    let name = || plain.strip_suffix("-name").and_then(|key| key.parse().ok()).filter(|fact| is_name(*fact));
    let compared = || COMPARED.contains(&plain.as_str()).then(|| Quantity::FrameworkMetric(plain.clone()));
    let called = of_rows.map(Quantity::Field).or_else(|| name().map(Quantity::Fact));
    let called = called.or_else(own).or_else(compared).or_else(|| quantity_called(&plain));
    if called.is_some() {
        return Ok(called);
    }
    Ok(match number_named(&plain, names)?.or_else(|| Aspect::named(&plain)) {
        Some(Aspect::Metric(metric)) => Some(Quantity::Metric(metric)),
        Some(Aspect::Derived(measure)) => Some(Quantity::Derived(measure)),
        Some(Aspect::Fact(fact)) => Some(Quantity::Fact(fact)),
        Some(Aspect::Field(field)) => Some(Quantity::Field(field)),
        Some(Aspect::Source) => Some(Quantity::Sources),
        Some(Aspect::Id) | None => None,
    })
}

/// Applies a directive to the question; `group` is the filter in the brackets after it.
///
/// # Errors
///
/// Returns a mistake in the directive with its place, or an error if the lookup fails.
pub(super) fn take_in(
    directive: Directive,
    part: &FilterPart<'_>,
    group: Option<Filter>,
    names: &Names<'_>,
    question: &mut Question,
) -> Result<()> {
    let wrong = |mistake: String, example: &str| {
        error(part.key_place.clone(), mistake, format!("write {}:{example}", part.key))
    };
    if let Directive::FasterThan | Directive::SlowerThan = directive {
        let Some(than) = group else {
            return Err(wrong(format!("`{}` takes a group", part.key), "(device:…)").into());
        };
        question.beyond = Some(Beyond { than, better: directive == Directive::FasterThan });
        return Ok(());
    }
    if part.sign != Sign::Is || group.is_some() {
        return Err(wrong(format!("`{}` has no order", part.key), "…").into());
    }
    let quantity = |text: &str, place: &Range<usize>| -> Result<Quantity> {
        let found = quantity_named(text, names)?;
        Ok(found.ok_or_else(|| unknown("quantity", text, place.clone(), &near_quantities(text)))?)
    };
    if directive == Directive::Show {
        for (text, place) in &part.values {
            let quantity = quantity(text, place)?;
            if !question.wants.contains(&quantity) {
                question.wants.push(quantity);
            }
        }
        return Ok(());
    }
    let [(text, place)] = part.values.as_slice() else {
        return Err(wrong(format!("`{}` takes one value", part.key), "…").into());
    };
    let text = *text;
    let none_called = |what: &str, known: &[String]| unknown(what, text, place.clone(), known);
    let whole_number = || text.parse().map_err(|_| wrong(format!("`{}` takes one whole number", part.key), "20"));
    match directive {
        Directive::Ask => {
            let kinds: Vec<String> = Ask::VARIANTS.iter().map(Ask::to_string).collect();
            question.ask = plain_key(text).parse().map_err(|_| none_called("kind of answer", &kinds))?;
        }
        Directive::Of | Directive::Lines => {
            let key = listed_key(text, names)?.ok_or_else(|| none_called("key", &near_keys(text)))?;
            let slot = if directive == Directive::Of { &mut question.of } else { &mut question.lines };
            *slot = Some(key);
        }
        Directive::Along => {
            let aspect = aspect_named(text, names)?;
            question.along = Some(aspect.ok_or_else(|| none_called("axis", &near_keys(text)))?);
        }
        Directive::Claim => {
            if plain_key(text) != "holds" {
                return Err(none_called("claim", &["holds".to_owned()]).into());
            }
            question.holds = true;
        }
        Directive::Reach => {
            let known = ["task", "family", "network"].map(str::to_owned);
            question.reach = plain_key(text).parse().map_err(|_| none_called("reach", &known))?;
        }
        Directive::Take | Directive::Limit => question.take = Some(whole_number()?),
        Directive::Offset => question.skip = Some(whole_number()?),
        Directive::Sort => sort(part, names, question)?,
        _ => {
            let by = quantity(text, place)?;
            question.order = directive.end().map(|end| Order { end, by });
        }
    }
    Ok(())
}

/// Parses the key that a list or a series has one line for.
fn listed_key(text: &str, names: &Names<'_>) -> Result<Option<Key>> {
    match key_named(text, names)? {
        Some(Key::Rows | Key::Sources | Key::Text) | None => Ok(Aspect::named(text).map(Key::Aspect)),
        key => Ok(key),
    }
}

fn aspect_named(text: &str, names: &Names<'_>) -> Result<Option<Aspect>> {
    let plain = plain_key(text);
    Ok(Aspect::keyed(&plain).or(number_named(&plain, names)?).or_else(|| Aspect::named(text)))
}

/// Parses what rows can be sorted by.
pub(super) fn order_named(text: &str, names: &Names<'_>) -> Result<Option<Aspect>> {
    let plain = plain_key(text.strip_prefix('-').unwrap_or(text));
    let has_order = |by: &Aspect| by.part().is_some() || matches!(by, Aspect::Field(_)) && by.is_numeric();
    Ok(number_named(&plain, names)?.or_else(|| Aspect::named(&plain)).filter(has_order))
}

/// Sets the sort order of rows; a second, different one is an error.
fn sort(part: &FilterPart<'_>, names: &Names<'_>, question: &mut Question) -> Result<()> {
    let Some((text, place)) = part.values.first() else { return Ok(()) };
    let name = text.strip_prefix('-').unwrap_or(text);
    let Some(by) = order_named(text, names)? else {
        let expected = "expected a metric, or a field or fact that rows share";
        let mistake = error(place.clone(), format!("nothing to sort by is called `{name}`"), expected);
        let help = near_help(name, known_keys().chain(Aspect::all().map(Aspect::key)));
        return Err(GrammarError { help, ..mistake }.into());
    };
    let order = (by, text.starts_with('-'));
    if question.sort.is_some_and(|before| before != order) {
        let mistake = error(part.key_place.start..place.end, "two orders are asked for", "the second one");
        return Err(GrammarError { help: Some("keep the one that matters more".to_owned()), ..mistake }.into());
    }
    question.sort = Some(order);
    Ok(())
}

fn near_keys(text: &str) -> Vec<String> {
    Aspect::near(text).into_iter().map(str::to_owned).collect()
}

fn near_quantities(text: &str) -> Vec<String> {
    let known = super::lexicon::GRADED.into_iter().chain(COMPARED).chain(["speed", "principles", "criteria"]);
    let near = crate::values::text::nearest(&plain_key(text), known, 2);
    near_keys(text).into_iter().chain(near.into_iter().map(str::to_owned)).collect()
}
