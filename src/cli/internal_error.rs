//! A mistake of this program is told as one, with what to do, and ends it like any other failure.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::RefCell;
use std::io::Write as _;
use std::panic::{PanicHookInfo, UnwindSafe, catch_unwind, set_hook};

use dlbench::values::text::printable;

thread_local! {
    /// What a panic of this thread came to, which is told when it ends the program: reading a damaged store may panic, and is
    /// mended.
    static UNTOLD: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Runs the program, and returns its exit status. Files are written whole or not at all, so that none is half written wherever it stops.
pub(super) fn guarded(run: impl FnOnce() -> u8 + UnwindSafe) -> u8 {
    set_hook(Box::new(|info| {
        let mut text = told(info);
        let trace = Backtrace::capture();
        if trace.status() == BacktraceStatus::Captured {
            text.push_str(&format!("\n{trace}"));
        }
        let untold = UNTOLD.with_borrow_mut(|untold| match untold {
            Some(held) if held.is_empty() => {
                held.push(text);
                Vec::new()
            }
            // A panic over a panic ends the process at once; what another thread has to say nobody else tells.
            held => held.iter_mut().flat_map(std::mem::take).chain([text]).collect(),
        });
        tell(&untold);
    }));
    UNTOLD.set(Some(Vec::new()));
    catch_unwind(run).unwrap_or_else(|_| {
        tell(&UNTOLD.take().unwrap_or_default());
        2
    })
}

fn tell(texts: &[String]) {
    for text in texts {
        // If that fails, there is nobody left to tell.
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}

fn told(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(String::new, |place| format!(" ({}:{})", place.file(), place.line()));
    format!(
        "error: a mistake in dlbench itself{place}: {}\n\
         help: nothing is half written; please report it as an issue of dlbench, with what you typed and the version that \
         `dlbench --version` prints",
        printable(info.payload_as_str().unwrap_or("no message"))
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_asks_for_a_report() {
        static TOLD: Mutex<String> = Mutex::new(String::new());
        let code = guarded(|| {
            set_hook(Box::new(|info| *TOLD.lock().unwrap() = told(info)));
            panic!("of a name: \u{1b}]0;title\u{7}")
        });
        let _ = std::panic::take_hook();
        assert_eq!(code, 2);
        let told = TOLD.lock().unwrap().clone();
        assert!(told.contains("internal_error.rs") && told.contains("please report it"), "{told}");
        assert!(!told.contains('\u{1b}'), "{told}");
    }
}
