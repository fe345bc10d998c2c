//! Numbers as displayed on pages.

/// A number with thousands separators.
pub(super) fn grouped(count: usize) -> String {
    spaced(&count.to_string())
}

/// A printed number with thousands separators.
pub(super) fn spaced(number: &str) -> String {
    let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    let mut text = String::new();
    for (at, digit) in number.chars().enumerate() {
        if at > 0 && at < digits && (digits - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([grouped(7), grouped(216885), grouped(1000)], ["7", "216,885", "1,000"]);
        assert_eq!([spaced("93200.5"), spaced("0.06884"), spaced("-1234")], ["93,200.5", "0.06884", "-1234"]);
    }
}
