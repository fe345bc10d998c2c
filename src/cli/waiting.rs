//! What somebody at a terminal is told while the knowledge base is opened.

use std::io::IsTerminal as _;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::screen::{Screen, today};
use dlbench::{default_cache, is_building};

/// Nobody wonders before.
const SOON: Duration = Duration::from_millis(500);

/// Opens a knowledge base; while its index is built a terminal says so.
pub(super) fn told_while_building<T>(screen: &Screen, open: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return open();
    }
    let (opening, ends) = channel::<()>();
    let screen = screen.clone();
    let teller = thread::spawn(move || tell(&ends, &screen));
    let opened = open();
    drop(opening);
    // It only tells.
    let _ = teller.join();
    opened
}

fn tell(ends: &Receiver<()>, screen: &Screen) {
    if ends.recv_timeout(SOON) != Err(RecvTimeoutError::Timeout) || !is_building() {
        return;
    }
    screen.tell("building the index, once after each change of the files");
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} [{elapsed}]") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(100));
    // What is asked behind it is no building.
    while ends.recv_timeout(Duration::from_millis(50)) == Err(RecvTimeoutError::Timeout) && is_building() {}
    bar.finish_and_clear();
}

/// Says which knowledge base answers where there is none: at a terminal once a day, elsewhere each time, so that a log says it.
pub(super) fn told_elsewhere(elsewhere: &str, screen: &Screen) {
    let note = format!("note: no knowledge base here or above; this is {elsewhere}");
    if std::io::stderr().is_terminal() {
        let path = default_cache().join("told");
        let told = format!("{} {note}", today().map(|day| day.to_string()).unwrap_or_default());
        if std::fs::read_to_string(&path).is_ok_and(|before| before == told) {
            return;
        }
        // Where it cannot be noted it is told again.
        let _ = screen.save(&path, told);
    }
    screen.tell(&note);
}
