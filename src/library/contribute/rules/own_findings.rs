//! Rules about the findings of others: a fact that its measurements contradict, an exception that is no longer needed.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Exception, Severity};
use crate::reading::{Located, Step};

pub(in crate::contribute) const CONTRADICTED_FACT: Rule = Rule {
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

pub(in crate::contribute) const UNNEEDED_EXCEPTION: Rule = Rule {
    code: Code::new(506),
    title: "an exception that is no longer needed",
    severity: Severity::Warning,
    page: "The rule that it allows finds nothing here any more (or does not exist, or cannot be excepted). Remove it, so that the next mistake of that kind is found.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "latency-ms = 5.0\n",
        "latency-ms = 5.0\n\n[[exceptions]]\nrule = \"DL0405\"\nreason = \"the meter was in the socket of the whole machine\"\n",
    ),
    check: Check::Exceptions,
};

/// Reports an exception that covers no finding, or never could.
pub(in crate::contribute) fn judge(
    exception: &Located<Exception>,
    rule: Option<&Rule>,
    needed: bool,
    context: &LintContext<'_>,
    found: &mut Findings,
) {
    let code = exception.get().rule;
    let step = || [] as [Step; 0];
    match rule {
        None => {
            found.at(exception, step(), format!("there is no rule {code}"), "this exception");
        }
        Some(rule) if !rule.can_be_excepted() => {
            let message = format!("{code} ({}) cannot be excepted", rule.title);
            found.at(exception, step(), message, "mend what it finds");
        }
        // What depends on the whole knowledge base, on other sources or on today is judged only where it is known.
        Some(rule) if needed || !decided(rule, context) => {}
        Some(rule) => {
            let message = format!("{code} finds nothing here any more ({})", rule.title);
            found.at(exception, step(), message, "remove this exception");
        }
    }
}

fn decided(rule: &Rule, context: &LintContext<'_>) -> bool {
    let heard = match rule.check {
        Check::Online(_) => context.options.link_statuses.is_some(),
        Check::Evidence(_) => context.options.contradictions.is_some(),
        _ => true,
    };
    let read = context.options.texts.is_none() || !matches!(rule.check, Check::File(_));
    heard && read && context.options.whole && (rule.severity != Severity::Info || context.options.today.is_some())
}
