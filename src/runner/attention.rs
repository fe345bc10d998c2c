//! Which kernel computes attention: libtorch chooses one in each call, by the format, the mask, dropout and the device.

use std::cell::Cell;

thread_local! {
    static CHOSEN: Cell<Option<Choice>> = const { Cell::new(None) };
}

/// What has been seen since somebody began to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// No attention so far.
    None,
    /// All of them by this kernel, by its number in `at::SDPBackend`.
    One(i64),
    /// By several.
    Several,
}

/// Tells which kernel an attention will be computed by; the closure is not called unless somebody looks.
pub fn chosen(kernel: impl FnOnce() -> i64) {
    let choice = match CHOSEN.get() {
        None => return,
        Some(Choice::None) => Choice::One(kernel()),
        Some(Choice::One(one)) if one == kernel() => Choice::One(one),
        Some(_) => Choice::Several,
    };
    CHOSEN.set(Some(choice));
}

/// Runs `pass`, and tells the kernel of its attentions, as PyTorch calls it; `None` without attention, or where there are several.
pub fn of(pass: impl FnOnce()) -> Option<&'static str> {
    CHOSEN.set(Some(Choice::None));
    pass();
    match CHOSEN.take() {
        // ATen/SDPBackend.h of libtorch 2.11.0.
        Some(Choice::One(0)) => Some("math"),
        Some(Choice::One(1)) => Some("flash"),
        Some(Choice::One(2)) => Some("memory-efficient"),
        Some(Choice::One(3)) => Some("cuDNN"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_kernel_of_all_attentions_is_told() {
        assert_eq!(of(|| [1, 1].into_iter().for_each(|kernel| chosen(|| kernel))), Some("flash"));
        assert_eq!(
            of(|| [1, 0].into_iter().for_each(|kernel| chosen(|| kernel))),
            None,
            "which one it was nobody can say"
        );
        assert_eq!(of(|| ()), None);
        chosen(|| panic!("nobody looks"));
    }
}
