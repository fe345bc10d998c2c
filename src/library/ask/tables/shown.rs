//! How a fact stands in a cell: nothing where it is not known.

pub(super) fn shown<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(String::new, T::to_string)
}

/// `yes`, `no`, or nothing when it is not known.
pub(super) fn yes_no(flag: Option<bool>) -> String {
    flag.map_or_else(String::new, |flag| if flag { "yes" } else { "no" }.to_owned())
}

pub(super) fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}
