//! Fields, metrics and facts as people name them on the command line.

use super::failure::Failure;
use dlbench::model::Aspect;
use dlbench::values::text::{or_list, printable};

/// The aspect that a person called so.
pub(super) fn aspect(name: &str) -> Result<Aspect, Failure> {
    Aspect::named(name).ok_or_else(|| {
        let near = Aspect::near(name);
        let help = match near.as_slice() {
            [] => {
                let keys = |which: fn(&Aspect) -> bool| -> String {
                    Aspect::all().filter(which).map(Aspect::key).collect::<Vec<_>>().join(" ")
                };
                format!(
                    "there are\n  fields: {}\n  metrics: {}\n  derived measures: {}\n  facts of the catalog: {}",
                    keys(|aspect| !matches!(aspect, Aspect::Metric(_) | Aspect::Derived(_) | Aspect::Fact(_))),
                    keys(|aspect| matches!(aspect, Aspect::Metric(_))),
                    keys(|aspect| matches!(aspect, Aspect::Derived(_))),
                    keys(|aspect| matches!(aspect, Aspect::Fact(_))),
                )
            }
            near => format!("did you mean {}?", or_list(near)),
        };
        Failure::usage(format!("there is no column `{}`", printable(name.trim())), help)
    })
}

/// Several of them, each once.
pub(super) fn aspects(names: &[String]) -> Result<Vec<Aspect>, Failure> {
    let mut seen = Vec::new();
    for name in names {
        let aspect = aspect(name)?;
        if !seen.contains(&aspect) {
            seen.push(aspect);
        }
    }
    Ok(seen)
}
