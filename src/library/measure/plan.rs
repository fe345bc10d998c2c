//! Lists and ranges of batch sizes, as people write them.

use std::str::FromStr;

/// Batch sizes: `16`, `1,2,4`, `1..256` (doubling), `max` (the largest that fits).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchSizes(pub Vec<Option<u32>>);

/// A list of batch sizes could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no batch size: write 16, 1,2,4, 1..256 (doubling) or max")]
pub struct PlanError(String);

impl FromStr for BatchSizes {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let error = |part: &str| PlanError(part.to_owned());
        let number = |part: &str| part.trim().parse::<u32>().ok().filter(|&size| size > 0);
        let mut sizes = Vec::new();
        for part in text.split(',') {
            match (part.trim(), part.split_once("..")) {
                ("max", _) => sizes.push(None),
                (_, Some((from, to))) => {
                    let (Some(mut size), Some(to)) = (number(from), number(to)) else { return Err(error(part)) };
                    if size > to {
                        return Err(error(part));
                    }
                    while size <= to {
                        sizes.push(Some(size));
                        let Some(next) = size.checked_mul(2) else { break };
                        size = next;
                    }
                }
                (part, None) => sizes.push(Some(number(part).ok_or_else(|| error(part))?)),
            }
        }
        Ok(Self(sizes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_ranges_and_the_largest() {
        let sizes = |text: &str| text.parse::<BatchSizes>().map(|sizes| sizes.0);
        assert_eq!(sizes("16").unwrap(), [Some(16)]);
        assert_eq!(sizes("1..10, 32,max").unwrap(), [Some(1), Some(2), Some(4), Some(8), Some(32), None]);
        for bad in ["", "0", "a", "8..4", "1..", "-1", "1,,2"] {
            assert!(sizes(bad).is_err(), "{bad}");
        }
        assert_eq!(sizes("2000000000..4294967295").unwrap().len(), 2, "no overflow");
    }
}
