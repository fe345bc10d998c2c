//! An entity without a source.

use super::uncited_fact::citing;
use crate::contribute::rule_interface::{Check, Findings, LintContext, LocatedEntity, Rule, Sample};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(204),
    title: "an entity without a source",
    severity: Severity::Warning,
    page: "Every fact has a source. `[[sources]]` names one of `catalog/sources/` or a page; without `facts` it covers everything that no other citation covers.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "\n[[sources]]\nsource = \"imagined-2018\"\n", ""),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    for LocatedEntity { entity, place } in citing(context).filter(|cited| cited.entity.citations().is_empty()) {
        let message = format!("the {} `{}` cites no source", entity.kind().noun(), entity.id());
        found
            .at(place, ["name".into()], message, "where are its facts from?")
            .of(entity.id())
            .help("add [[sources]] with a `source` of the catalog, or with `url`, `title` and `accessed`");
    }
}
