//! Units: converts `16GB`, `20 ms` and `1.5k` to plain numbers in the unit in which a value is stored.

use strum::VariantArray;

/// The unit in which a value is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum Unit {
    /// A bare number.
    Count,
    /// 10^6 of something (parameters).
    Millions,
    /// 10^9 of something (multiply-adds).
    Billions,
    /// ms
    Milliseconds,
    /// s
    Seconds,
    /// MiB
    Mebibytes,
    /// GiB
    Gibibytes,
    /// 10^9 byte/s
    GigabytesPerSecond,
    /// items a second
    PerSecond,
    /// 10^9 operations a second
    GigaOperations,
    /// 10^12 operations a second
    TeraOperations,
    /// W
    Watts,
    /// J
    Joules,
    /// 0 to 1
    Fraction,
    /// 0 to 100
    Percent,
    /// MHz
    Megahertz,
    /// nm
    Nanometres,
    /// US dollars
    Dollars,
    /// US dollars an hour
    DollarsPerHour,
}

impl Unit {
    /// How many of this unit make one base unit of the dimension (GiB of memory, W, s, dollars, images/s); `None` where
    /// the unit has another dimension.
    pub fn of_dimension(self, dimension: &str) -> Option<f64> {
        use Unit::*;
        Some(match (dimension, self) {
            ("memory", Gibibytes) | ("power", Watts) | ("time", Seconds) | ("rate", PerSecond) | ("money", Dollars) => {
                1.0
            }
            ("memory", Mebibytes) => 1024.0,
            ("time", Milliseconds) | ("peak", GigaOperations) => 1000.0,
            ("money" | "rent", DollarsPerHour)
            | ("bandwidth", GigabytesPerSecond)
            | ("length", Nanometres)
            | ("clock", Megahertz) => 1.0,
            ("operations", Billions | GigaOperations)
            | ("peak", TeraOperations)
            | ("parameters", Millions)
            | ("percent", Percent) => 1.0,
            ("operations", TeraOperations) => 1e-3,
            ("percent", Fraction) => 0.01,
            ("thousand" | "million" | "billion", Millions) => 1e-6,
            ("thousand" | "million" | "billion", Billions) => 1e-9,
            (
                "thousand" | "million" | "billion" | "images" | "classes" | "cores" | "threads" | "epochs",
                Count | PerSecond,
            ) => 1.0,
            _ => return None,
        })
    }

    /// The suffixes of a number, in lower case, and their factors.
    fn suffixes(self) -> &'static [(&'static str, f64)] {
        match self {
            Self::Count => &[("k", 1e3), ("m", 1e6), ("x", 1.0), ("thousand", 1e3), ("million", 1e6), ("billion", 1e9)],
            Self::Millions => &[("m", 1.0), ("million", 1.0), ("k", 1e-3), ("b", 1e3), ("g", 1e3), ("billion", 1e3)],
            Self::Billions => &[
                ("g", 1.0),
                ("b", 1.0),
                ("gmac", 1.0),
                ("gmacs", 1.0),
                // Papers give the cost of a network in FLOPs but count multiply-adds.
                ("gflops", 1.0),
                ("gflop", 1.0),
                ("mflops", 1e-3),
                ("mflop", 1e-3),
                ("billion", 1.0),
                ("m", 1e-3),
                ("mmac", 1e-3),
                ("mmacs", 1e-3),
                ("million", 1e-3),
                ("t", 1e3),
            ],
            Self::Milliseconds => &[
                ("ms", 1.0),
                ("us", 1e-3),
                ("µs", 1e-3),
                ("ns", 1e-6),
                ("s", 1e3),
                ("sec", 1e3),
                ("min", 6e4),
                ("seconds", 1e3),
                ("milliseconds", 1.0),
            ],
            Self::Seconds => &[
                ("s", 1.0),
                ("sec", 1.0),
                ("ms", 1e-3),
                ("min", 60.0),
                ("h", 3600.0),
                ("hours", 3600.0),
                ("d", 86400.0),
                ("days", 86400.0),
                ("seconds", 1.0),
                ("minutes", 60.0),
                ("hour", 3600.0),
            ],
            // Makers of memory write GB and mean 2^30 bytes.
            Self::Mebibytes => &[
                ("mib", 1.0),
                ("mb", 1.0),
                ("m", 1.0),
                ("kib", 1.0 / 1024.0),
                ("kb", 1.0 / 1024.0),
                ("gib", 1024.0),
                ("gb", 1024.0),
                ("g", 1024.0),
            ],
            Self::Gibibytes => &[
                ("gib", 1.0),
                ("gb", 1.0),
                ("g", 1.0),
                ("mib", 1.0 / 1024.0),
                ("mb", 1.0 / 1024.0),
                ("kib", 1.0 / 1_048_576.0),
                ("kb", 1.0 / 1_048_576.0),
                ("tib", 1024.0),
                ("tb", 1024.0),
            ],
            Self::GigabytesPerSecond => {
                &[("gb/s", 1.0), ("gbps", 1.0), ("tb/s", 1e3), ("tbps", 1e3), ("mb/s", 1e-3), ("mbps", 1e-3)]
            }
            Self::PerSecond => &[
                ("/s", 1.0),
                ("fps", 1.0),
                ("images/s", 1.0),
                ("img/s", 1.0),
                ("tokens/s", 1.0),
                ("samples/s", 1.0),
                ("k", 1e3),
            ],
            Self::GigaOperations => &[
                ("gflops", 1.0),
                ("gflop/s", 1.0),
                ("gops", 1.0),
                ("mflops", 1e-3),
                ("mflop/s", 1e-3),
                ("tflops", 1e3),
                ("tflop/s", 1e3),
                ("tops", 1e3),
                ("t", 1e3),
            ],
            Self::TeraOperations => &[
                ("tflops", 1.0),
                ("tflop/s", 1.0),
                ("tops", 1.0),
                ("t", 1.0),
                ("gflops", 1e-3),
                ("gflop/s", 1e-3),
                ("gops", 1e-3),
                ("pflops", 1e3),
                ("pflop/s", 1e3),
            ],
            Self::Watts => &[("w", 1.0), ("watts", 1.0), ("mw", 1e-3), ("kw", 1e3)],
            Self::Joules => &[("j", 1.0), ("joules", 1.0), ("mj", 1e-3), ("kj", 1e3), ("wh", 3600.0), ("kwh", 3.6e6)],
            Self::Fraction => &[("%", 0.01)],
            Self::Percent => &[("%", 1.0)],
            Self::Megahertz => &[("mhz", 1.0), ("ghz", 1e3)],
            Self::Nanometres => &[("nm", 1.0)],
            Self::Dollars => &[("$", 1.0), ("usd", 1.0), ("k", 1e3)],
            Self::DollarsPerHour => &[("$", 1.0), ("usd", 1.0), ("$/h", 1.0), ("usd/h", 1.0), ("/h", 1.0)],
        }
    }

    /// Whether a lower-case word or phrase is a unit of this kind.
    pub fn is_called(self, unit: &str) -> bool {
        self.names().any(|name| name == unit) || self == Self::PerSecond && rate_factor(unit).is_some()
    }

    /// The unit suffixes of a number, for messages.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.suffixes().iter().map(|(suffix, _)| *suffix)
    }

    /// Reads a number, with an optional unit behind it (or `$` in front), as a number of this unit.
    ///
    /// `None` when it is not a number or its unit is not of this kind.
    pub fn parse(self, text: &str) -> Option<f64> {
        let text = text.trim();
        let text = match self {
            Self::Dollars | Self::DollarsPerHour => text.strip_prefix('$').unwrap_or(text),
            _ => text,
        };
        if let Ok(number) = text.parse::<f64>() {
            // `inf` and `nan` parse as numbers.
            return (number.is_finite() && !text.contains(char::is_alphabetic) || is_scientific(text))
                .then_some(number);
        }
        let lower = text.to_lowercase();
        if self == Self::PerSecond
            && let Some(rate) = lower.find(|c: char| !c.is_ascii_digit() && c != '.').and_then(|end| rate(&lower, end))
        {
            return Some(rate);
        }
        let found = self.suffixes().iter().find_map(|(suffix, factor)| {
            let number = lower.strip_suffix(suffix)?.trim_end();
            let number: f64 = number.parse().ok().filter(|_| !number.contains(char::is_alphabetic))?;
            // Dividing by a whole number is exact where multiplying by its inverse is not.
            Some(if *factor < 1.0 { number / (1.0 / factor).round() } else { number * factor })
        });
        found.filter(|number| number.is_finite())
    }
}

/// Items that devices process.
const ITEMS: &[&str] = &[
    "image",
    "img",
    "imgs",
    "picture",
    "frame",
    "sample",
    "example",
    "item",
    "sequence",
    "sentence",
    "word",
    "token",
    "tok",
    "query",
    "queries",
    "inference",
    "request",
    "prediction",
    "record",
    "video",
];
const SCALES: &[(&str, f64)] = &[("k", 1e3), ("thousand", 1e3), ("m", 1e6), ("million", 1e6), ("billion", 1e9)];

/// Time units, in seconds.
const TIMES: &[(&[&str], f64)] = &[
    (&["s", "sec", "second"], 1.0),
    (&["min", "minute"], 60.0),
    (&["h", "hr", "hour"], 3600.0),
    (&["d", "day"], 86_400.0),
    (&["week"], 604_800.0),
];

/// The items per second of `640 images per minute`, whose number ends at `end`.
fn rate(text: &str, end: usize) -> Option<f64> {
    let number: f64 = text[..end].parse().ok()?;
    let (scale, seconds) = rate_factor(text[end..].trim())?;
    Some(number * scale / seconds).filter(|rate| rate.is_finite())
}

/// The item factor and the seconds of `images per minute`, `k/s`, `million tokens a day` and the like.
fn rate_factor(unit: &str) -> Option<(f64, f64)> {
    let spaced = unit.replace('/', " / ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let [items @ .., per, time] = words.as_slice() else { return None };
    let seconds = TIMES.iter().find(|(names, _)| names.contains(time)).map(|(_, seconds)| *seconds)?;
    let is_item = |word: &str| ITEMS.iter().any(|item| *item == word || word.strip_suffix('s') == Some(item));
    let scale_of = |word: &str| SCALES.iter().find(|(name, _)| *name == word).map(|(_, scale)| *scale);
    let scale = match items {
        [] => 1.0,
        [item] if is_item(item) => 1.0,
        [scale] => scale_of(scale)?,
        [scale, item] if is_item(item) => scale_of(scale)?,
        _ => return None,
    };
    // `a second` without items is a time, not a rate.
    let is_per = *per == "/" || *per == "per" || matches!(*per, "a" | "an" | "each" | "every") && !items.is_empty();
    is_per.then_some((scale, seconds))
}

fn is_scientific(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_unit_behind_a_number_is_converted() {
        for (unit, text, number) in [
            (Unit::Gibibytes, "16GB", 16.0),
            (Unit::Mebibytes, "2 GiB", 2048.0),
            (Unit::Milliseconds, "1.5s", 1500.0),
            (Unit::Milliseconds, "250us", 0.25),
            (Unit::PerSecond, "1k", 1000.0),
            (Unit::PerSecond, "640/min", 640.0 / 60.0),
            (Unit::PerSecond, "60 images/min", 1.0),
            (Unit::PerSecond, "60 images per minute", 1.0),
            (Unit::PerSecond, "7200 tokens an hour", 2.0),
            (Unit::PerSecond, "1.2k / min", 20.0),
            (Unit::PerSecond, "2 k/s", 2000.0),
            (Unit::Fraction, "76%", 0.76),
            (Unit::Billions, "4.1GMACs", 4.1),
            (Unit::Millions, "7B", 7000.0),
            (Unit::DollarsPerHour, "$3.06", 3.06),
            (Unit::Count, "32", 32.0),
            (Unit::Count, "1e3", 1000.0),
        ] {
            assert_eq!(unit.parse(text), Some(number), "{text}");
        }
    }

    #[test]
    fn another_kind_of_unit_is_refused() {
        for (unit, text) in [
            (Unit::Gibibytes, "16ms"),
            (Unit::Count, "GB"),
            (Unit::Watts, ""),
            (Unit::Count, "inf"),
            (Unit::Milliseconds, "infs"),
            (Unit::PerSecond, "5 images"),
            (Unit::PerSecond, "5 a second"),
            (Unit::PerSecond, "5 images per gpu"),
            (Unit::PerSecond, "5 gb/s"),
            (Unit::Count, "nan"),
        ] {
            assert_eq!(unit.parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_bare_number_is_itself(number in -1e12f64..1e12) {
            for unit in Unit::VARIANTS {
                prop_assert_eq!(unit.parse(&number.to_string()), Some(number));
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,12}") {
            for unit in Unit::VARIANTS {
                let _ = unit.parse(&text);
            }
        }
    }
}
