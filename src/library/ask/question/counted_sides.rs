//! Sides that say how many of a device they have behind its name: `1080ti 2 cards versus 1 card v100`.

use super::sides::ReadClause;
use crate::model::{Facet, Field};

/// Where each of several sides has a device and how many of it, in whatever order, the number in front: `1080ti 2 cards versus 1 card
/// v100` sets two of the one against one of the other.
pub(super) fn counts_in_front(mut read: Vec<ReadClause>) -> Vec<ReadClause> {
    let is = |one: &ReadClause, key: &str| one.clause.plain_kind() == Some(key) && !one.clause.is_excluded();
    let is_device = |one: &ReadClause| is(one, Facet::Device.key());
    let is_count = |one: &ReadClause| is(one, Field::DeviceCount.key());
    let mut starts: Vec<usize> = (0..read.len()).filter(|at| *at == 0 || read[*at].link.is_some()).collect();
    starts.push(read.len());
    let places = |start: usize, end: usize| {
        let place = |is_it: &dyn Fn(&ReadClause) -> bool| {
            let mut found = (start..end).filter(|at| is_it(&read[*at]));
            found.next().filter(|_| found.next().is_none())
        };
        Some((place(&is_device)?, place(&is_count)?))
    };
    let sides: Option<Vec<(usize, usize)>> = starts.windows(2).map(|ends| places(ends[0], ends[1])).collect();
    for (device, count) in sides.filter(|sides| sides.len() > 1).unwrap_or_default() {
        if count == device + 1 {
            // The link stands at the head of its side.
            let link = read[device].link.take();
            read.swap(device, count);
            read[device].link = link;
        }
    }
    read
}
