//! Rules about the findings of other rules: a fact contradicted by its measurements, an exception that does not match its findings.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Exception, FieldType, Severity};
use crate::reading::Located;
use crate::values::text::{nearest, some_of};

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
    title: "an exception that does not match its findings",
    severity: Severity::Warning,
    page: "An exception without `where` or `ids` is for one finding, or for as many as its `count` says; one with them is for all findings in these rows or entries, or for its `count`. If there are more, one of them is new, and as many as are too many are reported: those in the files with fewest of them. Mend it, or raise `count`. If there are fewer, or the rule does not exist or cannot be excepted, remove or narrow the exception, so that the next mistake of that kind is found; that is not reported while a file in its reach has other findings, which may be the reason.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "latency-ms = 5.0\n",
        "latency-ms = 5.0\n\n[[exceptions]]\nrule = \"DL0405\"\nreason = \"the meter was in the socket of the whole machine\"\n",
    ),
    check: Check::Exceptions,
};

/// Reports an exception that covers no findings, or not the number that it states, or that can never cover one.
/// `counts` are the places of the findings that it covers, and the number of findings of its rule in its reach;
/// `may_be_explained` returns whether other findings may explain missing ones.
pub(in crate::contribute) fn judge_exception(
    exception: &Located<Exception>,
    rule: Option<&Rule>,
    (places, of_rule): (&[Located<()>], usize),
    context: &LintContext<'_>,
    may_be_explained: impl Fn() -> bool,
    found: &mut Findings,
) {
    let covered = places.len();
    let (code, count) = (exception.get().rule, exception.get().count);
    let named = if exception.get().fields.is_empty() { "ids" } else { "where" };
    let unknown = exception.get().fields.iter().find_map(|(field, value)| match field.kind() {
        FieldType::Entity(kind) if !context.is_listed(kind, value) => Some((kind, value)),
        _ => None,
    });
    let (key, message, help) = match (rule, exception.get().allowed()) {
        (Some(_), _) if unknown.is_some() => {
            let Some((kind, value)) = unknown else { return };
            let entities = context.loaded.catalog.entities().filter(|entity| entity.kind() == kind);
            let near = nearest(value, entities.map(|entity| entity.id()), 1);
            let meant = near.first().map_or_else(String::new, |near| format!("did you mean `{near}`?"));
            ("where", format!("there is no {} `{value}`", kind.noun()), meant)
        }
        (None, _) => ("rule", format!("there is no rule {code}"), "`dlbench explain` lists all rules".to_owned()),
        (Some(rule), _) if !rule.can_be_excepted() => (
            "rule",
            format!("{code} ({}) cannot be excepted", rule.title),
            "mend what it finds, and remove this".to_owned(),
        ),
        (Some(rule), Some(allowed)) if covered > allowed => (
            "count",
            format!(
                "this exception is for {allowed} of the findings of {code} ({}), and there are {covered}",
                rule.title
            ),
            format!(
                "mend what is new ({} reported); if all are right as they are, write `count = {covered}`, or name their rows in `where`. They are in {}",
                if covered - allowed == 1 { "one is".to_owned() } else { format!("{} are", covered - allowed) },
                some_of(&places.iter().map(line).collect::<Vec<_>>(), MOST_LINES)
            ),
        ),
        (Some(_), _) if may_be_explained() => return,
        // Rules that need the whole knowledge base, other sources or today's date are judged only if these are available.
        (Some(rule), _) if !can_decide(rule, context) => return,
        (Some(rule), _) if covered == 0 && of_rule == 0 => (
            "rule",
            format!("{code} ({}) finds nothing in this file or its measurements", rule.title),
            "remove this exception; or was another rule meant?".to_owned(),
        ),
        (Some(rule), _) if covered == 0 => (
            if exception.get().batch.is_some() { "batch" } else { named },
            format!(
                "{code} ({}) finds nothing that this exception names, and {of_rule} elsewhere in its reach",
                rule.title
            ),
            "compare `batch`, `ids` and `where` with the file and the row of the finding".to_owned(),
        ),
        (Some(rule), _) if count.is_some_and(|count| count != covered as i64) => (
            "count",
            format!("this exception is for more findings of {code} ({}) than there are: {covered}", rule.title),
            format!("write `count = {covered}`"),
        ),
        _ => return,
    };
    let key = if key == "count" && count.is_none() { "rule" } else { key };
    let file = |other: &&Located<Exception>| other.file().path == exception.file().path;
    let before = |other: &&Located<Exception>| other.span().start < exception.span().start;
    let at = context.loaded.exceptions.iter().filter(file).filter(before).count();
    let steps = ["exceptions".into(), at.into(), key.into()];
    found.at(&Located::new((), exception.file(), 0..0), steps, message, "in this exception").help(help);
}

/// Maximum number of covered findings to list by line; the rest is only counted.
const MOST_LINES: usize = 6;

fn line(place: &Located<()>) -> String {
    format!("{}:{}", place.file().path.display(), place.file().position(place.span().start).0)
}

fn can_decide(rule: &Rule, context: &LintContext<'_>) -> bool {
    let heard = match rule.check {
        Check::Online(_) => context.options.link_statuses.is_some(),
        Check::Evidence(_) => context.options.contradictions.is_some(),
        _ => true,
    };
    let read = context.options.texts.is_none() || !matches!(rule.check, Check::File(_));
    heard && read && context.options.whole && (rule.severity != Severity::Info || context.options.today.is_some())
}
