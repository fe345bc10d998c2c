//! Options whose values are an enum of the library: its names are the words, its documentation is the help.

use std::error::Error;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use strum::{EnumMessage, VariantArray};

/// The parser of an option that takes any value of an enum. The first paragraph of a value's documentation is its help.
pub(super) fn choice<E>() -> impl TypedValueParser<Value = E>
where
    E: VariantArray + EnumMessage + Into<&'static str> + Copy + Send + Sync + 'static,
{
    let values = E::VARIANTS.iter().map(|&value| {
        let possible = PossibleValue::new(value.into());
        let help = value.get_documentation().and_then(|help| help.split("\n\n").next());
        let possible = match help {
            Some(help) => possible.help(help.trim_end_matches('.').to_owned()),
            None => possible,
        };
        (possible, value)
    });
    one_of(values.collect())
}

/// The parser of an option that takes some values of an enum.
pub(super) fn choice_among<E>(values: &[E]) -> impl TypedValueParser<Value = E> + use<E>
where
    E: Into<&'static str> + Copy + Send + Sync + 'static,
{
    one_of(values.iter().map(|&value| (PossibleValue::new(value.into()), value)).collect())
}

/// The parser of an option that takes these values, each under its own word.
pub(super) fn one_of<V: Clone + Send + Sync + 'static>(
    values: Vec<(PossibleValue, V)>,
) -> impl TypedValueParser<Value = V> + use<V> {
    let words: Vec<PossibleValue> = values.iter().map(|(word, _)| word.clone()).collect();
    PossibleValuesParser::new(words).try_map(move |given| {
        let value = values.iter().find(|(word, _)| word.matches(&given, false)).map(|(_, value)| value.clone());
        value.ok_or("not one of the possible values")
    })
}

/// The parser of a word of a closed vocabulary, all of which a mistake names.
pub(super) fn word<T>() -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync> + VariantArray + Copy + Into<&'static str> + Send + Sync + 'static,
{
    PossibleValuesParser::new(T::VARIANTS.iter().map(|word| -> &'static str { (*word).into() }))
        .try_map(|word| word.parse::<T>())
}
