//! Years in words: `since 2023`, `after 2022`, `2024 and later`, `before 2020`, `in 2019`, `from 2018 to 2020`, `2014-2016`, `post-2020`.

use super::clause::Clause;
use super::vocabulary::plain;
use crate::model::Facet;
use crate::stores::index::Condition;

/// Years of which there can be measurements.
const YEARS: std::ops::RangeInclusive<i32> = 1940..=2200;

/// The years that these words begin with, and how many words say it.
pub(super) fn years(words: &[&str]) -> Option<(usize, Clause)> {
    let word = |at: usize| words.get(at).map(|word| plain(word)).unwrap_or_default();
    let year = |at: usize| year_of(&word(at));
    let first = word(0);
    // `2024 and later`, `2020 or newer`, `2024+`.
    let open = first.strip_suffix('+').and_then(year_of);
    let behind = |at: usize| match (word(at).as_str(), word(at + 1).as_str()) {
        ("and" | "or", "later" | "newer" | "after" | "onwards" | "on" | "up") => Some((2, true)),
        ("onwards" | "onward", _) => Some((1, true)),
        ("and" | "or", "earlier" | "older" | "before") => Some((2, false)),
        _ => None,
    };
    // `2014-2016`
    let both = first.split_once(['-', '–']).and_then(|(low, high)| Some((year_of(low)?, year_of(high)?)));
    // `post-2020`, `pre-2018`
    let behind_prefix = |prefix: &str| first.strip_prefix(prefix)?.strip_prefix(['-', '–']).and_then(year_of);
    let (taken, low, high, filter) = match (first.as_str(), word(1).as_str()) {
        _ if let Some((low, high)) = both.filter(|(low, high)| low < high) => {
            (1, low, high, format!("year:{low}..{high}"))
        }
        ("from" | "between" | "in" | "during", second)
            if let Some((low, high)) =
                second.split_once(['-', '–']).and_then(|(low, high)| Some((year_of(low)?, year_of(high)?)))
                && low < high =>
        {
            (2, low, high, format!("year:{low}..{high}"))
        }
        _ if let Some(year) = behind_prefix("post") => (1, year + 1, *YEARS.end(), format!("year>{year}")),
        _ if let Some(year) = behind_prefix("pre") => (1, *YEARS.start(), year - 1, format!("year<{year}")),
        ("from" | "between", _)
            if let (Some(low), "to" | "and" | "until" | "till", Some(high)) = (year(1), word(2).as_str(), year(3)) =>
        {
            (4, low, high, format!("year:{low}..{high}"))
        }
        ("since" | "starting", _) if let Some(year) = year(1) => (2, year, *YEARS.end(), format!("year>={year}")),
        ("starting", "in" | "from" | "with") if let Some(year) = year(2) => {
            (3, year, *YEARS.end(), format!("year>={year}"))
        }
        ("from", _) if let (Some(year), Some((more, later))) = (year(1), behind(2)) => match later {
            true => (2 + more, year, *YEARS.end(), format!("year>={year}")),
            false => (2 + more, *YEARS.start(), year, format!("year<={year}")),
        },
        ("newer" | "later" | "more recent" | "younger", "than") if let Some(year) = year(2) => {
            (3, year + 1, *YEARS.end(), format!("year>{year}"))
        }
        ("older" | "earlier", "than") if let Some(year) = year(2) => {
            (3, *YEARS.start(), year - 1, format!("year<{year}"))
        }
        ("after" | "post", _) if let Some(year) = year(1) => (2, year + 1, *YEARS.end(), format!("year>{year}")),
        ("prior", "to") if let Some(year) = year(2) => (3, *YEARS.start(), year - 1, format!("year<{year}")),
        ("before" | "b4" | "pre", _) if let Some(year) = year(1) => {
            (2, *YEARS.start(), year - 1, format!("year<{year}"))
        }
        ("until" | "till", _) if let Some(year) = year(1) => (2, *YEARS.start(), year, format!("year<={year}")),
        ("up", "to") if let Some(year) = year(2) => (3, *YEARS.start(), year, format!("year<={year}")),
        ("in" | "year" | "of", _) if let (Some(year), Some((more, later))) = (year(1), behind(2)) => match later {
            true => (2 + more, year, *YEARS.end(), format!("year>={year}")),
            false => (2 + more, *YEARS.start(), year, format!("year<={year}")),
        },
        ("in" | "during" | "year" | "from" | "of", _) if let Some(year) = year(1) => {
            (2, year, year, format!("year:{year}"))
        }
        _ if let Some(year) = open => (1, year, *YEARS.end(), format!("year>={year}")),
        _ if let (Some(year), Some((more, later))) = (year(0), behind(1)) => match later {
            true => (1 + more, year, *YEARS.end(), format!("year>={year}")),
            false => (1 + more, *YEARS.start(), year, format!("year<={year}")),
        },
        _ => return None,
    };
    let values: Vec<String> = (low..=high).map(|year| year.to_string()).collect();
    let shown = filter.trim_start_matches("year").trim_start_matches(':').to_owned();
    let text = words[..taken].join(" ");
    Some((taken, Clause::of(&text, Facet::Year.key(), vec![shown], filter, Condition::Facet(Facet::Year, values))))
}

/// The year that a word is.
pub(super) fn year_of(word: &str) -> Option<i32> {
    // 2060, 2070 and 2080 are cards.
    word.parse().ok().filter(|year| word.len() == 4 && (1990..2040).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_read_with_what_stands_in_front() {
        for (question, filter) in [
            ("since 2023", Some("year>=2023")),
            ("after 2022", Some("year>2022")),
            ("before 2020?", Some("year<2020")),
            ("b4 2018", Some("year<2018")),
            ("prior to 2018", Some("year<2018")),
            ("in 2019", Some("year:2019")),
            ("from 2018 to 2020", Some("year:2018..2020")),
            ("between 2018 and 2020", Some("year:2018..2020")),
            ("newer than 2020", Some("year>2020")),
            ("2024 and later", Some("year>=2024")),
            ("2020 or newer", Some("year>=2020")),
            ("from 2021 onwards", Some("year>=2021")),
            ("from 2023", Some("year:2023")),
            ("2018 or earlier", Some("year<=2018")),
            ("from 2017 or earlier", Some("year<=2017")),
            ("2024+ gpus", Some("year>=2024")),
            ("in 2022 or later", Some("year>=2022")),
            ("2014-2016, resnet", Some("year:2014..2016")),
            ("from 2014-2016", Some("year:2014..2016")),
            ("post-2020 results", Some("year>2020")),
            ("post 2020", Some("year>2020")),
            ("pre-2018", Some("year<2018")),
            ("2016-2014", None),
            ("post-2080", None),
            ("since 32", None),
            ("2080 ti", None),
            ("in 2080ti", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            assert_eq!(years(&words).map(|(_, clause)| clause.equivalent).as_deref(), filter, "{question}");
        }
    }
}
