//! The name of a product taken apart: its maker, the words of its series, its number, and what stands behind the number.

/// Makers, and lines of theirs that were dropped: a product is the same with such a word in front and without.
const MAKERS: &[&str] = &["nvidia", "tesla", "amd", "intel", "google", "apple", "qualcomm", "aws", "xilinx", "huawei"];

/// What a word behind a number makes of the product that has the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suffix {
    /// Another chip under the same number: RTX 3060 Ti, RTX 4090 D.
    Tier,
    /// A larger or smaller product: iPhone 15 Pro, Pixel 2 XL.
    Size,
    /// The one for portable machines.
    Portable,
}

/// The words that stand behind the numbers of products.
const SUFFIXES: &[(&str, Suffix)] = &[
    ("ti", Suffix::Tier),
    ("super", Suffix::Tier),
    ("xt", Suffix::Tier),
    ("xtx", Suffix::Tier),
    ("d", Suffix::Tier),
    ("max", Suffix::Size),
    ("ultra", Suffix::Size),
    ("pro", Suffix::Size),
    ("plus", Suffix::Size),
    ("mini", Suffix::Size),
    ("lite", Suffix::Size),
    ("xl", Suffix::Size),
    ("laptop", Suffix::Portable),
    ("notebook", Suffix::Portable),
    ("mobile", Suffix::Portable),
    ("maxq", Suffix::Portable),
    ("max-q", Suffix::Portable),
];

/// A product's name by its parts, in small letters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProductName {
    /// Makers and dropped lines, wherever they stand.
    pub makers: Vec<String>,
    /// The words in front of the number: `geforce` and `rtx`; all of them where there is no number.
    pub series: Vec<String>,
    /// The first number.
    pub number: Option<ProductNumber>,
    /// The words behind the number: `ti`.
    pub suffix: Vec<String>,
    /// The numbers behind the first one: of a memory, a form, a revision.
    pub further: Vec<u64>,
}

/// The number of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProductNumber {
    /// What it counts.
    pub value: u64,
    /// With how many digits it is written.
    pub digits: usize,
}

impl ProductName {
    /// Takes apart a name as it is written (`GeForce RTX 3060 Ti`) or as names are compared (`geforcertx3060ti`), of which the
    /// letters on one side of a number are one word.
    pub fn of(name: &str) -> Self {
        let mut product = Self::default();
        for part in name.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
            let mut rest = part;
            while !rest.is_empty() {
                let is_digit = rest.starts_with(|c: char| c.is_ascii_digit());
                let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
                let (piece, behind) = rest.split_at(end);
                rest = behind;
                product.push(piece);
            }
        }
        product
    }

    fn push(&mut self, piece: &str) {
        let number = piece.parse::<u64>().ok().filter(|_| piece.starts_with(|c: char| c.is_ascii_digit()));
        match number {
            Some(value) if self.number.is_none() => {
                self.number = Some(ProductNumber { value, digits: piece.len() });
            }
            Some(value) => self.further.push(value),
            None => {
                let word = piece.to_lowercase();
                match self.number {
                    _ if MAKERS.contains(&word.as_str()) => self.makers.push(word),
                    None => self.series.push(word),
                    Some(_) => self.suffix.push(word),
                }
            }
        }
    }

    /// The words of its series and those behind its number.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.series.iter().chain(&self.suffix).map(String::as_str)
    }

    /// Its numbers, in their order.
    pub fn numbers(&self) -> Vec<u64> {
        self.number.iter().map(|number| number.value).chain(self.further.iter().copied()).collect()
    }
}

/// What a word behind the number of a product makes of it; `None` where it makes no other product.
pub fn suffix_of(word: &str) -> Option<Suffix> {
    SUFFIXES.iter().find(|(suffix, _)| *suffix == word).map(|(_, kind)| *kind)
}

/// Whether words, in small letters, name the form of a portable machine: `laptop`, `max-q`, but not `max` alone or a `mobile platform`.
pub(super) fn is_portable(word: &str, next: Option<&str>) -> bool {
    match (word, next) {
        ("max", next) => next == Some("q"),
        ("mobile", Some("platform")) => false,
        _ => suffix_of(word) == Some(Suffix::Portable),
    }
}

/// Whether a normalised name goes on behind a beginning with a number in a way that makes another product of it: the RTX 3060 Ti
/// is no RTX 3060.
pub(super) fn is_other_product(name: &str, beginning: &str) -> bool {
    let Some(rest) = name.strip_prefix(beginning) else { return false };
    // The iPhone 15 Pro Max is neither an iPhone 15 Pro nor an iPhone 15.
    if is_of_sizes(rest) && beginning.contains(|c: char| c.is_ascii_digit()) {
        return true;
    }
    // The Xeon 8380H is no Xeon 8380.
    let is_letter = (1..=2).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_tier =
        |(suffix, kind): &(&str, Suffix)| *kind == Suffix::Tier && suffix.len() > 1 && rest.starts_with(suffix);
    beginning.ends_with(|c: char| c.is_ascii_digit()) && (is_letter || SUFFIXES.iter().any(is_tier))
}

/// Whether letters are words for sizes alone: `promax`.
fn is_of_sizes(letters: &str) -> bool {
    let sizes = || SUFFIXES.iter().filter(|(_, kind)| *kind == Suffix::Size);
    sizes().any(|(size, _)| letters.strip_prefix(size).is_some_and(|rest| rest.is_empty() || is_of_sizes(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_apart_as_it_is_written_and_as_names_are_compared() {
        let told = |name: &str| {
            let product = ProductName::of(name);
            let number = product.number.map_or(0, |number| number.value);
            (product.makers.join(" "), product.series.join(" "), number, product.suffix.join(" "), product.further)
        };
        for (name, makers, series, number, suffix, further) in [
            ("NVIDIA GeForce RTX 3060 Ti", "nvidia", "geforce rtx", 3060, "ti", &[][..]),
            ("geforcertx3060ti", "", "geforcertx", 3060, "ti", &[]),
            ("Tesla V100 SXM2 16 GB", "tesla", "v", 100, "sxm gb", &[2, 16]),
            ("Intel Arc B580", "intel", "arc b", 580, "", &[]),
            ("Jetson AGX Orin", "", "jetson agx orin", 0, "", &[]),
            ("99999999999999999999999", "", "99999999999999999999999", 0, "", &[]),
            ("", "", "", 0, "", &[]),
        ] {
            let expected = (makers.into(), series.into(), number, suffix.into(), further.to_vec());
            assert_eq!(told(name), expected, "{name}");
        }
    }

    #[test]
    fn what_stands_behind_a_number_may_make_another_product() {
        for (name, beginning, expected) in [
            ("rtx3060ti", "rtx3060", true),
            ("rtx3060tilaptop", "rtx3060", true),
            ("xeon8380h", "xeon8380", true),
            ("iphone15promax", "iphone15pro", true),
            ("iphone15promax", "iphone15", true),
            ("rtx306012gb", "rtx3060", false),
            ("rtx3060desktop", "rtx3060", false),
            ("raspberrypi4", "raspberrypi", false),
            ("rtx4090", "rtx3060", false),
        ] {
            assert_eq!(is_other_product(name, beginning), expected, "{name} of {beginning}");
        }
        assert!(is_portable("max", Some("q")) && !is_portable("max", None) && is_portable("laptop", None));
    }
}
