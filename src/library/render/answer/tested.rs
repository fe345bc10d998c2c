//! Whether a framework was tested on what an answer is about: whose statement that is, and what the rows say to it.

use crate::ask::answer::Answer;
use crate::model::{Citation, Field, Framework};
use crate::rows::{EntityCache, JoinedFramework};
use crate::values::text::counted;
use crate::values::{EntityId, EntityKind};

/// `yes (pytorch.org)`, `no (dai-berleant-2019)`: whether a test is listed, and by whom.
pub(super) fn by_whom(joined: &JoinedFramework, kind: EntityKind, listed: bool) -> String {
    format!("{} ({})", if listed { "yes" } else { "no" }, said_by(&joined.framework, kind))
}

/// `no test on ResNet-152 listed (dai-berleant-2019), yet 9 rows here`.
pub(super) fn in_words(
    joined: &JoinedFramework,
    kind: EntityKind,
    id: &EntityId,
    listed: bool,
    answer: &Answer,
) -> String {
    let names = EntityCache::of_catalog(&answer.catalog);
    let name = names.name(kind, id.as_str());
    let said_by = said_by(&joined.framework, kind);
    if listed {
        return format!("tested on {name} ({said_by})");
    }
    let field = if kind == EntityKind::Network { Field::Network } else { Field::Dataset };
    let framework = joined.framework.id.as_str();
    let ran = answer.measurements.iter().filter(|row| {
        let row = row.recorded();
        row.text(Field::Framework) == Some(framework) && row.text(field) == Some(id.as_str())
    });
    match ran.count() {
        0 => format!("no test on {name} listed ({said_by})"),
        rows => format!("no test on {name} listed ({said_by}), yet {} here", counted(rows, "row", "rows")),
    }
}

/// Who says on which networks or data sets a framework was tested.
fn said_by(framework: &Framework, kind: EntityKind) -> String {
    let key = if kind == EntityKind::Network { "tested-networks" } else { "tested-datasets" };
    let names: Vec<String> = Citation::covering(&framework.sources, key).map(Citation::short_name).collect();
    if names.is_empty() { "the catalog".to_owned() } else { names.join(", ") }
}
