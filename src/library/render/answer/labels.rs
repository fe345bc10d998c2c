//! Labels without what all rows of a table say: `closed; Dell; R760xa; resnet50` and `closed; HPE; DL380a; resnet50` differ in
//! their middle, which is what tells the rows apart.

/// What stands for parts that are left out.
const LEFT_OUT: &str = "…";

/// The labels without the parts that all of them begin or end with; as they are where there is no such part, or one label only.
pub(super) fn without_shared_parts(labels: &[&str]) -> Vec<String> {
    let all: Vec<Vec<&str>> = labels.iter().map(|label| parts(label)).collect();
    let stated: Vec<&Vec<&str>> = all.iter().filter(|parts| !parts.is_empty()).collect();
    let least = stated.iter().map(|parts| parts.len()).min().unwrap_or_default();
    let differ = stated.windows(2).any(|pair| pair[0] != pair[1]);
    if !differ {
        return labels.iter().map(|label| (*label).to_owned()).collect();
    }
    let is_shared = |of: &dyn Fn(&[&'_ str]) -> Option<String>| {
        let mut own = stated.iter().map(|parts| of(parts));
        let first = own.next().flatten();
        first.is_some() && own.all(|other| other == first)
    };
    let before = (0..least).take_while(|at| is_shared(&|parts| parts.get(*at).map(|part| (*part).to_owned()))).count();
    let from_end = |parts: &[&str], at: usize| {
        parts
            .len()
            .checked_sub(at + 1)
            .and_then(|place| parts.get(place))
            .map(|part| part.trim_end_matches("; ").to_owned())
    };
    let behind = (0..least - before).take_while(|at| is_shared(&|parts| from_end(parts, *at))).count();
    let told = |parts: &Vec<&str>| {
        let own = parts.get(before..parts.len().saturating_sub(behind)).unwrap_or_default().concat();
        let own = own.trim_end_matches("; ");
        match (parts.is_empty(), before > 0, behind > 0) {
            (true, ..) => String::new(),
            (_, true, true) => format!("{LEFT_OUT}{own}{LEFT_OUT}"),
            (_, true, false) => format!("{LEFT_OUT}{own}"),
            (_, false, true) => format!("{own}{LEFT_OUT}"),
            (_, false, false) => own.to_owned(),
        }
    };
    all.iter().map(told).collect()
}

/// The parts of a label, each with the separator behind it.
fn parts(label: &str) -> Vec<&str> {
    label.split_inclusive("; ").filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_labels_share_is_left_out() {
        let labels = ["closed; Dell; R760xa; resnet50; resnet", "closed; HPE; DL380a; resnet50; resnet"];
        assert_eq!(without_shared_parts(&labels), ["…Dell; R760xa…", "…HPE; DL380a…"]);
        let labels = ["closed; Dell; offline", "closed; Dell; server", ""];
        assert_eq!(without_shared_parts(&labels), ["…offline", "…server", ""]);
    }

    #[test]
    fn labels_that_share_nothing_or_are_alike_stay_as_they_are() {
        assert_eq!(without_shared_parts(&["run 1", "run 2"]), ["run 1", "run 2"]);
        assert_eq!(without_shared_parts(&["closed; Dell", "closed; Dell", ""]), ["closed; Dell", "closed; Dell", ""]);
        assert_eq!(without_shared_parts(&["closed; Dell", "closed; Dell; MaxQ"]), ["…Dell", "…Dell; MaxQ"]);
    }
}
