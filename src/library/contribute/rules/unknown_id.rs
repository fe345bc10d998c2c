//! An id that no entity has: found while the files are read.

use crate::contribute::lint::{Check, Rule, Sample};
use crate::model::Severity;
use crate::reading::codes;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: codes::REFERENCE,
    title: "an id that no entity has",
    severity: Severity::Error,
    page: r##"Framework, device, network, data set and source are named by the id of their entry, the stem of its file, in measurements, entries, suites and recipes alike. The message names the near ids; `dlbench resolve device "…"` tells how a spelling is read.

Is it really new? `dlbench new device` makes an entry."##,
    sample: Sample::edited("measurements/imagined-2018/training.toml", "deepnet-50", "depnet-50"),
    check: Check::Reading,
};
