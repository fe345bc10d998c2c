//! The keys of `catalog/kb.toml`.

use crate::model::{KbInfo, Unasked};
use crate::reading::codes;
use crate::reading::strict::StrictTable;

/// The version of the file format that this program reads.
const SCHEMA: i64 = 1;

/// Reads `catalog/kb.toml`.
pub(in crate::reading) fn read_info(mut t: StrictTable<'_, '_>) -> Option<KbInfo> {
    let name = t.required_text("name");
    t.require("schema");
    let schema = t.count("schema");
    if let (Some(found), Some(value)) = (schema, t.value("schema"))
        && found > SCHEMA
    {
        t.report(
            codes::LATER_SCHEMA,
            value.span(),
            format!("the knowledge base has schema {found}, this dlbench reads {SCHEMA}"),
            "update dlbench",
        );
    }
    // The oldest program that can read these files: for people, and for programs older than this one.
    t.text("oldest-reader");
    let license = t.required_text("license");
    let url = t.text("url");
    let notes = t.text("notes");
    let unasked = t.each("unasked", unasked);
    t.finish();
    Some(KbInfo { name: name?, schema: schema?, license: license?, url, notes, unasked })
}

/// Addresses that `check --online` leaves alone.
fn unasked(mut t: StrictTable<'_, '_>) -> Option<Unasked> {
    let address = t.required_text("address");
    let reason = t.required_text("reason");
    t.finish();
    Some(Unasked { address: address?, reason: reason? })
}
