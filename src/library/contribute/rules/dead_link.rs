//! An address that does not answer.

use crate::contribute::rule_interface::{
    Check, Findings, LinkStatus, LintContext, Rule, Sample, cited_urls, without_fragment,
};
use crate::model::{Code, Severity};
use crate::reading::FileKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(215),
    title: "an address that does not answer",
    severity: Severity::Info,
    page: "Only `dlbench check --online` asks. The page is gone, has moved for good, or its server does not answer now. Cite where it is today, or a copy in an archive; a citation with commit and date stays good when the page is gone. Servers that refuse programs are named in `catalog/kb.toml`, under `[[unasked]]` with the beginning of their addresses and the reason, and are not asked again.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "https://example.org", "https://gone.example.org"),
    check: Check::Online(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let Some(replies) = &context.options.link_statuses else { return };
    let all = cited_urls(context.loaded);
    for address in &all {
        let (message, label, help) = match replies.get(without_fragment(&address.url)) {
            None | Some(LinkStatus::Answers) => continue,
            Some(LinkStatus::Moved(to)) => {
                let help = format!("write {to:?} if the same stands there");
                ("the address has moved for good".to_owned(), format!("now at {to}"), help)
            }
            Some(LinkStatus::HttpError(status @ (404 | 410))) => {
                let help = "cite where it is today, or a copy in an archive".to_owned();
                (format!("the page is gone: HTTP status {status}"), "not there any more".to_owned(), help)
            }
            Some(LinkStatus::HttpError(status)) => {
                let help = "look at it with a browser; a server that refuses programs goes into `[[unasked]]` of catalog/kb.toml";
                (format!("the server answers with HTTP status {status}"), "no page".to_owned(), help.to_owned())
            }
            Some(LinkStatus::NotAsked(why)) => {
                let help = "cite a page that everybody can read";
                (format!("not asked: {why}"), "leads behind a door".to_owned(), help.to_owned())
            }
            Some(LinkStatus::Unreachable(why)) => {
                (format!("no answer: {why}"), "does not answer".to_owned(), "try again another day".to_owned())
            }
        };
        let steps = address.steps.iter().cloned();
        found.at(&address.place, steps, message, label).of(&address.id).help(help);
    }
    let Some((_, file)) = context.loaded.files.iter().find(|(file, _)| matches!(file.kind, FileKind::Info)) else {
        return;
    };
    for unasked in context.loaded.info.iter().flat_map(|info| &info.unasked) {
        if !all.iter().any(|address| address.url.starts_with(&unasked.address)) {
            let start = file.text.find(&unasked.address).unwrap_or_default();
            let message = format!("no cited address begins with {}", unasked.address);
            found.in_text(file, start..start + unasked.address.len(), message, "remove this entry");
        }
    }
}
