//! Fields, metrics and facts as people name them on the command line.

use super::failure::Failure;
use dlbench::model::Aspect;

/// The aspect that a person called so.
pub(super) fn aspect(name: &str) -> Result<Aspect, Failure> {
    Aspect::called(name).map_err(|unknown| Failure::usage(unknown.to_string(), unknown.help))
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
