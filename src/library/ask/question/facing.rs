//! Which clauses can stand against each other: what both are about answers the same question.

use super::clause::Clause;

/// What a clause is about: the key of its facet or field, `text` where it is no name.
pub(super) fn kind_of(clause: &Clause) -> &str {
    match clause.readings.first().map_or("text", |reading| reading.read_as.facet.as_str()) {
        "framework-version" => "framework",
        "backend" => "framework",
        kind => kind,
    }
}

/// Kinds of clauses that name hardware, each of which can stand against any other.
pub(super) const HARDWARE: &[&str] =
    &["device", "class", "vendor", "architecture", "instance", "form-factor", "compute-unit"];

/// Whether a kind of clauses names hardware.
pub fn is_hardware(kind: &str) -> bool {
    HARDWARE.contains(&kind)
}

/// Kinds of clauses that name a programming language.
const LANGUAGES: &[&str] = &["language", "core-language", "api-language"];

/// Kinds of clauses that say what computed on the device.
const KERNELS: &[&str] = &["cudnn", "kernel-library"];

/// Kinds of clauses that say what was run: `stable diffusion or LLM`.
const WORK: &[&str] = &["network", "task"];

/// Whether clauses of two kinds answer the same question: on what it ran, what ran.
fn is_alike(one: &str, other: &str) -> bool {
    let both_of = |kinds: &[&str]| kinds.contains(&one) && kinds.contains(&other);
    one == other || [LANGUAGES, HARDWARE, KERNELS, WORK].iter().any(|kinds| both_of(kinds))
}

/// Whether clauses of two kinds can stand against each other.
pub(super) fn can_face(one: &str, other: &str) -> bool {
    is_alike(one, other) || one == "text" || other == "text"
}

/// Whether two clauses can stand against each other in any of the ways in which they can be read: Hailo makes chips, and the
/// software for them.
pub(super) fn clauses_can_face(one: &Clause, other: &Clause) -> bool {
    let kinds = |clause: &Clause| -> Vec<String> {
        let readings = clause.readings.iter().map(|reading| reading.read_as.facet.clone());
        [kind_of(clause).to_owned()].into_iter().chain(readings.filter(|_| clause.readings.len() > 1)).collect()
    };
    let others = kinds(other);
    kinds(one).iter().any(|one| others.iter().any(|other| can_face(one, other)))
}
