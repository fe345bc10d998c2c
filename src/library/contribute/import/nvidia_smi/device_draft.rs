//! The draft of a catalog entry for a board that has none.

use super::board::Board;
use crate::reading::toml_text;
use crate::values::EntityId;

/// Memory sizes that boards are sold with, GiB: the least of them that holds what a board reports is its size, since a
/// part is reserved (for error correction, up to a sixteenth).
const SIZES: &[u64] =
    &[1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 16, 20, 22, 24, 32, 40, 48, 64, 80, 94, 96, 128, 141, 144, 180, 192, 288];

/// The size of a board that reports so many MiB, GiB.
pub(super) fn nominal_gib(mib: u64) -> u64 {
    let reported = mib as f64 / 1024.0;
    SIZES.iter().copied().find(|&size| reported <= size as f64).unwrap_or_else(|| reported.ceil() as u64)
}

/// The id and the text of the entry: what `nvidia-smi` reports, with comments on what a person must look up.
pub(super) fn of_board(board: &Board) -> (EntityId, String) {
    let name = match board.name.strip_prefix("NVIDIA ") {
        Some(_) => board.name.clone(),
        None => format!("NVIDIA {}", board.name),
    };
    let text = |text: &str| toml_text(text).to_string();
    let list = |texts: &[String]| texts.iter().map(|one| text(one)).collect::<Vec<_>>().join(", ");
    let mut aliases: Vec<String> = (name != board.name).then(|| board.name.clone()).into_iter().collect();
    aliases.extend(board.part_number.clone());
    let mut lines = vec![format!("name = {}", text(&name))];
    if !aliases.is_empty() {
        lines.push(format!("aliases = [{}]", list(&aliases)));
    }
    lines.push("class = \"gpu\"\nvendor = \"NVIDIA\"".to_owned());
    lines.extend(board.architecture.as_ref().map(|name| format!("architecture = {}", text(name))));
    lines.extend(form(&board.name).map(|form| format!("form-factor = {}", text(form))));
    let memory = board.memory_mib;
    lines.extend(
        memory.map(|mib| format!("memory-gib = {}  # nvidia-smi reports {mib} MiB: check the size", nominal_gib(mib))),
    );
    lines.extend(board.power_limit_w.map(|watts| format!("tdp-w = {}  # the power limit by default", watts.value())));
    lines.extend(board.compute_capability.as_ref().map(|version| format!("compute-capability = {}", text(version))));
    lines.extend(board.pci_id.as_ref().map(|id| format!("pci-ids = [{}]", text(id))));
    let driver = board.driver.as_ref().map_or_else(String::new, |driver| format!(", driver {driver}"));
    lines.push(format!(
        "\n[[sources]]\nurl = \"https://docs.nvidia.com/deploy/nvidia-smi/index.html\"\ntitle = {}",
        text(&format!("nvidia-smi on the board itself{driver}"))
    ));
    lines.extend(board.date.as_ref().map(|date| format!("accessed = {date}")));
    (id(&board.name), lines.join("\n") + "\n")
}

/// `NVIDIA GeForce RTX 4090` becomes `geforce-rtx-4090`.
fn id(name: &str) -> EntityId {
    let name = name.strip_prefix("NVIDIA ").unwrap_or(name).to_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let id: String = words.collect::<Vec<_>>().join("-").chars().take(80).collect();
    id.trim_end_matches('-').parse().or_else(|_| "unnamed-gpu".parse()).expect("a constant id is well-formed")
}

/// The form of the board, where its name states it.
fn form(name: &str) -> Option<&'static str> {
    let name = name.to_uppercase();
    let forms =
        [("SXM2", "SXM2"), ("SXM3", "SXM3"), ("SXM4", "SXM4"), ("SXM5", "SXM5"), ("PCIE", "PCIe"), ("NVL", "NVL")];
    forms.into_iter().find(|(spelling, _)| name.contains(spelling)).map(|(_, form)| form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_holds_what_is_reported() {
        for (mib, gib) in [(16160, 16), (15109, 16), (11019, 11), (46068, 48), (40536, 40), (81559, 80), (143_771, 141)]
        {
            assert_eq!(nominal_gib(mib), gib, "{mib}");
        }
    }

    #[test]
    fn an_id_is_the_name_in_kebab() {
        assert_eq!(id("NVIDIA GeForce RTX 4090 Laptop GPU").as_str(), "geforce-rtx-4090-laptop-gpu");
        assert_eq!(id("???").as_str(), "unnamed-gpu");
    }
}
