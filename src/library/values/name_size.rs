//! The size of a network in its name, as language models are called by it: the `7b` of `llama-2-7b`.

/// The number of billions of parameters that a part of a name, or a word for it, says; `None` where it says none.
pub fn billions_said(part: &str) -> Option<&str> {
    let number = part.strip_suffix(['b', 'B'])?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && number.parse::<f64>().is_ok();
    is_number.then_some(number)
}

/// The part of a name or an id that says its size.
pub fn size_in_name(name: &str) -> Option<&str> {
    name.split('-').find(|part| billions_said(part).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_of_billions() {
        for (part, billions) in [
            ("7b", Some("7")),
            ("70B", Some("70")),
            ("0.5b", Some("0.5")),
            ("b", None),
            ("7", None),
            ("8x7b", None),
            ("infb", None),
            ("-7b", None),
        ] {
            assert_eq!(billions_said(part), billions, "{part}");
        }
        assert_eq!(size_in_name("mistral-7b-instruct"), Some("7b"));
        assert_eq!(size_in_name("mixtral-8x7b"), None);
    }
}
