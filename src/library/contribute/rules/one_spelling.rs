//! One spelling of a source that is a family here and a member of it there.

use std::collections::{BTreeMap, HashMap};

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Severity};
use crate::values::EntityId;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(320),
    title: "one spelling for a family and its member",
    severity: Severity::Warning,
    page: "A source that writes \"V100\" and no more does not say which V100. Where its rows of one spelling, host and instance name the family and some of them a member, the member is a guess, or the others could name it, too: the finding stands at the rows that are fewer.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "device = \"nova-100-16gb\"\ndevice-raw = \"Acme Nova 100 16GB\"\nnetwork = \"deepnet-50\"\nstage = \"eval\"\nprecision = \"fp32\"\n\n[[run]]\n",
        "device = \"nova-100\"\ndevice-raw = \"Nova\"\nnetwork = \"deepnet-50\"\nstage = \"eval\"\nprecision = \"fp32\"\n\n[[run]]\ndevice = \"nova-100-16gb\"\n",
    ),
    check: Check::Rows(find),
};

/// What a source says of where something ran: source, spelling of the device, host, instance.
type Spelling<'l> = (&'l str, &'l str, Option<&'l str>, Option<&'l str>);

fn spelling(measurement: &Measurement) -> Option<(Spelling<'_>, &str)> {
    let raw = measurement.text(Field::DeviceRaw)?;
    let machine = (measurement.text(Field::Host), measurement.text(Field::Instance));
    Some(((measurement.source().as_str(), raw, machine.0, machine.1), measurement.text(Field::Device)?))
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut devices: HashMap<Spelling<'_>, BTreeMap<&str, usize>> = HashMap::new();
    for (spelling, device) in rows.iter().filter_map(|row| spelling(row.get())) {
        *devices.entry(spelling).or_default().entry(device).or_default() += 1;
    }
    devices.retain(|_, named| named.len() > 1);
    for (at, row) in rows.iter().enumerate() {
        let Some((spelling, device)) = spelling(row.get()) else { continue };
        let Some(named) = devices.get(&spelling) else { continue };
        let own = named[device];
        let kin = named.iter().find(|(other, rows)| {
            let is_fewer = own < **rows || own == **rows && is_member(context, device, other);
            is_fewer && (is_member(context, device, other) || is_member(context, other, device))
        });
        if let Some((other, rows)) = kin {
            let raw = spelling.1;
            let message = format!("{raw:?} is `{device}` here, and `{other}` in {rows} other rows of the source");
            found
                .in_row(&IndexedRow { at, row }, Field::Device.key(), message, "does the source say which?")
                .beside([Field::DeviceRaw.key().into()], "all that it says");
        }
    }
}

/// Whether a device is a member of a family.
fn is_member(context: &LintContext<'_>, device: &str, family: &str) -> bool {
    let members = context.members.iter().find(|(id, _)| id.as_str() == family).map(|(_, members)| members);
    members.is_some_and(|members| members.iter().map(|id| EntityId::as_str(id)).any(|id| id == device))
}
