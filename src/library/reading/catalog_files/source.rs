//! The keys of a source's file.

use crate::model::{LeftOutRows, Method, Publication, Source, Standing};
use crate::reading::strict::StrictTable;
use crate::values::{Date, EntityId, EntityKind};

pub(super) fn source(id: &EntityId, mut t: StrictTable<'_, '_>) -> Option<Source> {
    let entry = Source {
        id: id.clone(),
        name: t.required_text("name").unwrap_or_default(),
        aliases: t.texts("aliases"),
        entry_type: t.required_text("type").unwrap_or_default(),
        authors: t.texts("authors"),
        year: t.year("year"),
        venue: t.text("venue"),
        url: t.text("url"),
        doi: t.text("doi"),
        published: t.one("published", published).flatten(),
        commit: t.text("commit"),
        commit_date: t.date("commit-date"),
        dated: dated(&mut t),
        dated_by: t.word("dated-by"),
        accessed: t.date("accessed"),
        license: t.text("license"),
        standing: standing(&mut t),
        method: t.one("method", method),
        left_out: t.each("left-out", left_out),
        notes: t.text("notes"),
    };
    t.exceptions();
    t.finish();
    Some(entry)
}

/// `dated`, which is of no use without what it is the date of.
fn dated(t: &mut StrictTable<'_, '_>) -> Option<Date> {
    let dated = t.date("dated");
    if dated.is_some() {
        t.require("dated-by");
    }
    dated
}

/// `standing` with its reason and replacement: keys of the source itself.
fn standing(t: &mut StrictTable<'_, '_>) -> Option<Standing> {
    let standing = t.word("standing");
    let reason = t.text("standing-reason");
    let replaced_by = t.id("replaced-by", EntityKind::Source);
    if standing.is_some() {
        t.require("standing-reason");
    } else if reason.is_some() || replaced_by.is_some() {
        t.require("standing");
    }
    Some(Standing { standing: standing?, reason: reason?, replaced_by })
}

/// The published version: all that an entry of its type needs.
fn published(mut t: StrictTable<'_, '_>) -> Option<Publication> {
    t.require("year");
    let entry_type = t.required_text("type");
    let name = t.required_text("name");
    let year = t.year("year");
    let venue = t.required_text("venue");
    let pages = t.required_text("pages");
    let publisher = t.required_text("publisher");
    let place = t.text("place");
    let doi = t.required_text("doi");
    t.finish();
    Some(Publication {
        entry_type: entry_type?,
        name: name?,
        year: year?,
        venue: venue?,
        pages: pages?,
        publisher: publisher?,
        place,
        doi: doi?,
    })
}

fn method(mut t: StrictTable<'_, '_>) -> Method {
    let method = Method {
        timed: t.text("timed"),
        warm_up: t.count("warm-up"),
        iterations: t.count("iterations"),
        statistic: t.text("statistic"),
        data: t.word("data"),
        description: t.text("description"),
    };
    t.finish();
    method
}

fn left_out(mut t: StrictTable<'_, '_>) -> Option<LeftOutRows> {
    t.require("reason");
    let (reason, rows) = (t.text("reason"), t.count("rows"));
    t.finish();
    Some(LeftOutRows { reason: reason?, rows })
}
