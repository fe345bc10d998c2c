//! Racks that are called by the device in them and by how many there are: the facts of a `GB200 NVL72` are of one of its 72 devices.

use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::wording::three;
use crate::ask::question::{Question, ReadAs};
use crate::model::{Facet, Fact};

/// What a rack's name begins with, in front of the number of devices.
const RACK: &str = "nvl";

/// Cards that two or four make a pair are called so, too.
const LEAST_IN_RACK: u32 = 8;

/// That what is told is of one device of the rack that is named, and what the TDP of all of them comes to; `None` where no rack is.
pub(super) fn of_one_device(question: &Question, entries: &[Entry]) -> Option<String> {
    let of_device = |read: &&ReadAs| read.facet == Facet::Device.key() && !read.text.starts_with('-');
    let (text, devices) =
        question.read_as().filter(of_device).find_map(|read| Some((&read.text, in_rack(&read.text)?)))?;
    let tdp = entries.iter().find(|entry| entry.quantity == Fact::Tdp.file_key());
    let of_all = tdp.and_then(|entry| match entry.value {
        Some(EntryValue::Number(watts)) => Some(format!(
            " Of {devices} of them it is {} kW, derived, without the processors, switches and cooling beside them.",
            three(watts * f64::from(devices) / 1e3)
        )),
        _ => None,
    });
    Some(format!(
        "`{text}` is a rack of {devices} devices, of whose price and power as a whole nothing is known here; this is of one \
         device.{}",
        of_all.unwrap_or_default()
    ))
}

/// The number of devices that a name tells.
fn in_rack(text: &str) -> Option<u32> {
    let text = text.to_lowercase();
    let mut words = text.split([' ', '-', '_']);
    let count = words.find_map(|word| word.strip_prefix(RACK)?.trim_end_matches('?').parse::<u32>().ok())?;
    (count >= LEAST_IN_RACK).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::in_rack;

    #[test]
    fn a_rack_tells_its_devices() {
        for (text, devices) in
            [("gb200 nvl72", Some(72)), ("GB300-NVL72", Some(72)), ("h100 nvl", None), ("nvl4", None)]
        {
            assert_eq!(in_rack(text), devices, "{text}");
        }
    }
}
