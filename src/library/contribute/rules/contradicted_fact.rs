//! A fact that its measurements contradict.

use crate::contribute::rule_interface::{Check, Rule, Sample};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(221),
    title: "a fact that its measurements contradict",
    severity: Severity::Error,
    page: "Peaks, memory, power and release of a device, multiply-adds and parameters of a network are what measurements are judged by. Where a third of all that were made with it, in several files, would be impossible by one fact, the fact is wrong rather than they: the finding stands at the fact, and the measurements are not told of.",
    sample: Sample::edited(
        "catalog/devices/nova-100-32gb.toml",
        "memory-type = \"HBM2\"\n",
        "memory-type = \"HBM2\"\n\n[peak-tflops]\nfp32 = 0.5\n",
    ),
    check: Check::Exceptions,
};
