//! Options whose values are an enum of the library: its names are the words, its documentation is the help.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use strum::{EnumMessage, VariantArray};

/// The parser of such an option.
pub(super) fn choice<E>() -> impl TypedValueParser<Value = E>
where
    E: VariantArray + EnumMessage + Into<&'static str> + Copy + Send + Sync + 'static,
{
    let name = |value: E| -> &'static str { value.into() };
    let possible = E::VARIANTS.iter().map(move |&value| {
        let possible = PossibleValue::new(name(value));
        match value.get_documentation() {
            Some(help) => possible.help(help),
            None => possible,
        }
    });
    PossibleValuesParser::new(possible).try_map(move |word| {
        E::VARIANTS.iter().copied().find(|&value| name(value) == word).ok_or("not one of the possible values")
    })
}
