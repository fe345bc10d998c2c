//! What several sides share: `sxm vs pcie a100` sets the A100 SXM against the A100 PCIe, as if each side said so, whatever the
//! order of the words.

use super::clause::{Clause, ClauseReading, any_of};
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::sides::ReadClause;
use crate::model::{Device, Facet, Fact};
use crate::values::{EntityKind, HardwareClass};

/// Facts by which members of one family of devices are told apart.
const OF_MEMBERS: &[Fact] = &[Fact::FormFactor, Fact::Memory];

/// Leaves out an architecture that is named before sides of which one is another architecture: no row is of both, and the devices
/// beside it say what is meant. `does fp16 help on pascal? 1080 ti vs volta`
pub(super) fn without_opposed_architecture(mut read: Vec<ReadClause>, heard: &mut Vec<String>) -> Vec<ReadClause> {
    let key = Facet::Architecture.key();
    let sides = read.iter().flat_map(|one| &one.clause.sides);
    let others: Vec<Vec<String>> =
        sides.filter(|side| side.plain_kind() == Some(key)).map(|side| values_of(side).cloned().collect()).collect();
    let is_opposed = |one: &ReadClause| {
        let clause = &one.clause;
        clause.plain_kind() == Some(key)
            && clause.sides.is_empty()
            && !clause.is_excluded()
            && !others.is_empty()
            && !values_of(clause).any(|own| others.iter().any(|other| other.contains(own)))
    };
    heard.extend(read.iter().filter(|one| is_opposed(one)).map(|one| one.clause.text.clone()));
    read.retain(|one| !is_opposed(one));
    read
}

fn values_of(clause: &Clause) -> impl Iterator<Item = &String> {
    clause.readings.iter().flat_map(|reading| &reading.read_as.values)
}

impl Interpreter<'_> {
    /// Leaves out a class that only some of the devices set against each other are of, since it is said of these: the CPU of `pi 4
    /// bare CPU vs coral usb`.
    pub(super) fn without_class_of_one_side(
        &mut self,
        mut read: Vec<ReadClause>,
    ) -> Result<Vec<ReadClause>, QueryError> {
        let devices = |one: &ReadClause| -> Vec<Vec<String>> {
            let of_device = |side: &&Clause| side.plain_kind() == Some(Facet::Device.key());
            one.clause.sides.iter().filter(of_device).map(|side| values_of(side).cloned().collect()).collect()
        };
        let sides: Vec<Vec<String>> = read.iter().flat_map(devices).collect();
        let mut at = 0;
        while at < read.len() {
            let clause = &read[at].clause;
            let is_class = clause.plain_kind() == Some(Facet::Class.key()) && clause.sides.is_empty();
            let class = values_of(clause).next().and_then(|value| value.parse::<HardwareClass>().ok());
            let Some(class) = class.filter(|_| is_class && !clause.is_excluded()) else {
                at += 1;
                continue;
            };
            let of_class = sides.iter().map(|side| self.are_of(side, class)).collect::<Result<Vec<bool>, _>>()?;
            match of_class.contains(&true) && of_class.contains(&false) {
                true => self.heard.push(read.remove(at).clause.text),
                false => at += 1,
            }
        }
        Ok(read)
    }

    /// Sides that say no more than which members of a device are meant are those members, be the device named apart from them or
    /// with one of them; where it is named apart it is no condition besides.
    pub(super) fn with_shared_device(&mut self, read: Vec<ReadClause>) -> Result<Vec<ReadClause>, QueryError> {
        let lists = self.hints.listed().is_some();
        let has_members = |one: &ReadClause| sides_of(&one.clause, lists).iter().any(is_of_member);
        let is_device = |one: &ReadClause| one.clause.plain_kind() == Some(Facet::Device.key());
        let Some(at) = read.iter().position(has_members) else { return Ok(read) };
        let apart: Vec<usize> = (0..read.len()).filter(|at| is_device(&read[*at])).collect();
        let sides = sides_of(&read[at].clause, lists);
        let named = sides.iter().find(|side| side.plain_kind() == Some(Facet::Device.key()));
        let (device, family) = match (named, apart.as_slice()) {
            (None, &[device]) => (Some(device), family_of(&read[device].clause)),
            (Some(named), []) => (None, self.family_around(named)?),
            _ => return Ok(read),
        };
        let Some((name, values)) = family else { return Ok(read) };
        let mut told = Vec::new();
        for side in &sides {
            let side = if is_of_member(side) { self.member_of((&name, &values), side)? } else { Some(side.clone()) };
            let Some(side) = side else { return Ok(read) };
            told.push(side);
        }
        let text = told.iter().map(|side| side.text.as_str()).collect::<Vec<_>>().join(" vs ");
        let clause = Clause { text, sides: told.clone(), ..any_of(Facet::Device, told) };
        let mut read = read;
        read[at].clause = clause;
        if let Some(device) = device {
            read.remove(device);
        }
        Ok(read)
    }

    /// The family of which all that a side means are members, and its members; `None` where there is none.
    fn family_around(&self, side: &Clause) -> Result<Option<(String, Vec<String>)>, QueryError> {
        let [reading] = side.readings.as_slice() else { return Ok(None) };
        let Some(first) = reading.read_as.values.first() else { return Ok(None) };
        for family in self.stores.database.ancestors(EntityKind::Device, first)? {
            let members = self.stores.database.descendants(EntityKind::Device, &family)?;
            let is_own = reading.read_as.values.contains(&family);
            if !is_own && reading.read_as.values.iter().all(|id| members.contains(id)) {
                let name = self.stores.database.entity::<Device>(&family)?.map_or(family.clone(), |device| device.name);
                return Ok(Some((name, members_behind(family, members))));
            }
        }
        Ok(None)
    }

    /// The members of a family that a side means, read as the two stand behind each other; `None` where there is none.
    fn member_of(&mut self, (name, family): (&str, &[String]), side: &Clause) -> Result<Option<Clause>, QueryError> {
        let text = format!("{name} {}", side.text);
        let members = match side.plain_kind() == Some(Fact::FormFactor.key()) {
            true => self.of_form(&text, &family[..family.len().min(1)])?,
            false => {
                let having = self.stores.index.entities(EntityKind::Device, &side.condition)?;
                family.iter().filter(|id| having.contains(*id)).cloned().collect()
            }
        };
        // What a family says of all its members is none of them.
        if members.is_empty() || members.first() == family.first() || members.len() == family.len() {
            return Ok(None);
        }
        self.facet_clause(&text, Facet::Device, members, "alias").map(Some)
    }
}

/// The sides of a clause: what stands against each other in it, else the values of a fact of which any will do, unless devices are
/// listed by them: `V100 16gb or 32gb` is a choice.
fn sides_of(clause: &Clause, lists: bool) -> Vec<Clause> {
    if !clause.sides.is_empty() {
        return clause.sides.clone();
    }
    let is_choice = clause.readings.len() > 1 && !clause.is_excluded() && !lists;
    let sides: Vec<Clause> = clause.readings.iter().filter(|_| is_choice).cloned().map(ClauseReading::clause).collect();
    if sides.iter().all(is_of_member) { sides } else { Vec::new() }
}

/// Whether a side tells members of a family apart and names none.
fn is_of_member(side: &Clause) -> bool {
    OF_MEMBERS.iter().any(|fact| side.plain_kind() == Some(fact.key()))
}

/// The device that a clause of one reading names, and what it means.
fn family_of(clause: &Clause) -> Option<(String, Vec<String>)> {
    let [reading] = clause.readings.as_slice() else { return None };
    Some((clause.text.clone(), reading.read_as.values.clone()))
}

/// A family with its members behind it.
fn members_behind(family: String, members: Vec<String>) -> Vec<String> {
    let others: Vec<String> = members.into_iter().filter(|member| *member != family).collect();
    [family].into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    /// Two sides, `@a` and `@b`, of the device `alpha`: what both share stands with each, with one, or apart.
    const SPELLED: &[&str] = &[
        "alpha @a vs alpha @b",
        "alpha @a vs @b",
        "@a vs @b alpha",
        "alpha @a or @b",
        "@a or @b alpha",
        "alpha @a against @b",
        "which is faster, alpha @a or alpha @b",
    ];

    #[test]
    fn sides_are_the_same_in_any_order_and_wherever_the_words_stand_that_they_share() {
        let member = |form: &str, memory: u32| {
            format!("variant-of = \"alpha\"\nform-factor = \"{form}\"\nmemory-gib = {memory}\n")
        };
        let (pcie, sxm) = (member("PCIe", 24), member("SXM4", 48));
        let family = "aliases = [\"Alpha PCIe\", \"Alpha SXM\"]\n";
        let devices = [("Alpha", family), ("Alpha-X-PCIe", pcie.as_str()), ("Alpha-Y-SXM4", sxm.as_str())];
        let rows = "\n[[table]]\ncolumns = [\"device\", \"throughput-per-s\"]\nrows = [[\"alpha-x-pcie\", 100], [\"alpha-y-sxm4\", 150]]\n";
        let sample = Sample::with_devices(&devices, &[("paper-2020", rows)]);
        let expected: BTreeSet<Vec<String>> =
            [vec!["alpha-x-pcie".to_owned()], vec!["alpha-y-sxm4".to_owned()]].into_iter().collect();
        for (one, other) in [("sxm", "pcie"), ("24gb", "48gb")] {
            for (a, b) in [(one, other), (other, one)] {
                for spelled in SPELLED {
                    for with in ["@", "fp32 @", "@ fp32", "@ deepnet-50"] {
                        let asked = with.replace('@', &spelled.replace("@a", a).replace("@b", b));
                        let question = understand(&asked, &sample.stores).unwrap();
                        let sides = question.wanted.sides.iter().map(|side| {
                            let values = side.readings.iter().flat_map(|reading| reading.read_as.values.clone());
                            values.collect::<Vec<String>>()
                        });
                        assert_eq!(sides.collect::<BTreeSet<_>>(), expected, "{asked}: {:?}", question.clauses);
                    }
                }
            }
        }
    }
}
