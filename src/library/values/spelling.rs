//! Where the spellings of one name meet: `ResNet-152`, `resnet 152` and `resnet_152` are one word.

/// The form in which names are compared: lower case, letters, digits and the signs that tell names apart (`+`, `#`).
///
/// Blanks, hyphens, underscores, dots, brackets and quotes fall away; so does everything invisible.
pub fn normalise(name: &str) -> String {
    // Nearly all names; what a name of other scripts becomes takes tables.
    if name.is_ascii() {
        let mut normal = String::with_capacity(name.len());
        normal.extend(normal_bytes(name).map(char::from));
        return normal;
    }
    name.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric() || matches!(c, '+' | '#')).collect()
}

/// The same of a name in ASCII, byte by byte, for what compares names without keeping their forms.
pub fn normal_bytes(name: &str) -> impl Iterator<Item = u8> + Clone {
    let kept = name.bytes().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#'));
    kept.map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings_of_one_name_meet() {
        for spelling in ["ResNet-152", "resnet 152", "RESNET_152", "res-net152"] {
            assert_eq!(normalise(spelling), "resnet152");
        }
        assert_eq!(normalise("C++"), "c++");
        assert_ne!(normalise("C#"), normalise("C++"));
    }

    proptest! {
        #[test]
        fn normalising_twice_changes_nothing(name in "\\PC*") {
            let once = normalise(&name);
            prop_assert_eq!(normalise(&once), once);
        }
    }
}
