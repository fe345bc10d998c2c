//! Who submitted a run, by the label that MLPerf's rows have.

use crate::values::Division;

/// Who submitted a run: MLPerf's rows are called by division, submitter, system and benchmark. A division that is not given is any of
/// them.
pub fn submitter_of<'l>(label: &'l str, division: Option<&str>) -> Option<&'l str> {
    let mut parts = label.split("; ");
    let first = parts.next()?;
    let is_division = match division {
        Some(division) => first == division,
        None => first.parse::<Division>().is_ok(),
    };
    parts.next().filter(|_| is_division)
}

#[cfg(test)]
mod tests {
    use super::submitter_of;

    #[test]
    fn a_submitter_stands_behind_the_division() {
        assert_eq!(submitter_of("closed; Xilinx; R7525_VCK5000; resnet50", Some("closed")), Some("Xilinx"));
        assert_eq!(submitter_of("closed; Xilinx; R7525_VCK5000; resnet50", None), Some("Xilinx"));
        assert_eq!(submitter_of("resnet50; 3x224x224", Some("closed")), None);
        assert_eq!(submitter_of("resnet50; 3x224x224", None), None);
    }
}
