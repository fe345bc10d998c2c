//! Failures of the worker, and the outcome that each one is recorded as.

use std::any::Any;

use tch::TchError;

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerFailure {
    /// `oom`, `unsupported` or `crashed`.
    pub outcome: &'static str,
    /// The error in one line.
    pub message: String,
}

impl WorkerFailure {
    /// A request that this device, build or worker cannot do at all.
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self { outcome: "unsupported", message: message.into() }
    }

    /// A failure of something that should have worked.
    pub fn crashed(message: impl Into<String>) -> Self {
        Self { outcome: "crashed", message: message.into() }
    }

    /// Converts a panic: tch turns libtorch's exceptions into panics.
    pub fn of_panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        Self::of_text(text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message"))
    }

    fn of_text(text: &str) -> Self {
        let lower = text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
        let outcome = if has(&[
            "out of memory",
            "can't allocate memory",
            "cannot allocate memory",
            "alloc_failed",
            "bad_alloc",
            "bad allocation",
        ]) {
            "oom"
        } else if has(&[
            "not implemented for",
            "not supported",
            "not_supported",
            "unsupported",
            // More elements, bytes or blocks than a library can count.
            "overflow",
            "out of range of int",
            "integer out of range",
            "too large",
            "invalid configuration argument",
            "could not create a primitive",
            "no kernel image",
            "cuda not available",
            "not compiled with cuda",
            "not implemented",
        ]) {
            "unsupported"
        } else {
            "crashed"
        };
        // libtorch appends its stack trace to the message.
        let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(text);
        let line = ["\\nException raised from", "\\nframe #"]
            .iter()
            .fold(line, |line, stack| line.split(stack).next().unwrap_or(line));
        // The text that Rust puts around the message when tch turns an exception into a panic.
        let line = line.strip_prefix("called `Result::unwrap()` on an `Err` value: Torch(\"").unwrap_or(line);
        Self { outcome, message: line.chars().take(300).collect() }
    }
}

impl From<TchError> for WorkerFailure {
    fn from(error: TchError) -> Self {
        Self::of_text(&error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_libtorch_says_is_an_outcome() {
        let outcome = |text: &str| WorkerFailure::of_text(text).outcome;
        assert_eq!(outcome("CUDA out of memory. Tried to allocate 2.00 GiB"), "oom");
        assert_eq!(outcome("[enforce fail at alloc_cpu.cpp:124] DefaultCPUAllocator: can't allocate memory"), "oom");
        assert_eq!(outcome("\"slow_conv2d_cpu\" not implemented for 'Half'"), "unsupported");
        assert_eq!(outcome("std::bad_alloc"), "oom");
        assert_eq!(outcome("cuDNN error: CUDNN_STATUS_NOT_SUPPORTED"), "unsupported");
        assert_eq!(outcome("Storage size calculation overflowed with sizes=[4611686018427387904]"), "unsupported");
        assert_eq!(outcome("integer out of range"), "unsupported");
        assert_eq!(outcome("mat1 and mat2 shapes cannot be multiplied"), "crashed");
        assert_eq!(WorkerFailure::of_text("\n first line\n second").message, "first line");
        let panic = "called `Result::unwrap()` on an `Err` value: Torch(\"no room\\nException raised from here\\n\")";
        assert_eq!(WorkerFailure::of_text(panic).message, "no room");
        let enforced = "called `Result::unwrap()` on an `Err` value: Torch(\"can't allocate memory\\nframe #0: c10::ThrowEnforceNotMet\")";
        assert_eq!(WorkerFailure::of_text(enforced).message, "can't allocate memory");
    }
}
