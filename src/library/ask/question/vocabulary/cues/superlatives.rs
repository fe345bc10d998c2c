//! Words for an order.

use crate::ask::question::order::Superlative;

/// Single words, and what they order by.
pub(in crate::ask::question) const SUPERLATIVES: &[(&str, Superlative)] = &[
    ("best", Superlative::Best),
    ("optimal", Superlative::Best),
    ("optimum", Superlative::Best),
    ("ideal", Superlative::Best),
    ("top", Superlative::Best),
    ("fastest", Superlative::Best),
    ("quickest", Superlative::Best),
    ("record", Superlative::Best),
    ("winning", Superlative::Best),
    ("winner", Superlative::Best),
    ("worst", Superlative::Worst),
    ("slowest", Superlative::Worst),
    ("bottom", Superlative::Worst),
    ("highest", Superlative::Most),
    ("most", Superlative::Most),
    ("maximum", Superlative::Most),
    ("max", Superlative::Most),
    ("largest", Superlative::Most),
    ("biggest", Superlative::Most),
    ("greatest", Superlative::Most),
    ("lowest", Superlative::Least),
    ("least", Superlative::Least),
    ("fewest", Superlative::Least),
    ("minimum", Superlative::Least),
    ("min", Superlative::Least),
    ("smallest", Superlative::Least),
    ("shortest", Superlative::Least),
    ("oldest", Superlative::Least),
    ("longest", Superlative::Most),
    ("cheapest", Superlative::Cheapest),
];
