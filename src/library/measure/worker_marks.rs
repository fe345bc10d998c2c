//! Ends what a worker has started and left behind, whatever group or session it is in.
//!
//! A worker has a mark in its environment, which everything that it starts inherits, also when it leaves the worker's group
//! (`setsid`). Linux shows the environment of a user's processes to that user; elsewhere only the group is ended.

use std::sync::atomic::{AtomicU32, Ordering};

/// The variable that holds the mark.
pub const MARK: &str = "DLBENCH_WORKER_MARK";

/// A mark that no other worker on this machine has.
pub fn new_mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
    format!("{}-{since}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Ends every process with the mark but this one.
#[cfg(target_os = "linux")]
pub fn end_marked(mark: &str) {
    use rustix::process::{Signal, kill_process};
    /// What is ended may have started others while they were looked for.
    const ROUNDS: usize = 20;
    let mut seen_none = false;
    for _ in 0..ROUNDS {
        let left = marked(mark);
        // The environment of what is just being started cannot be read yet, so nothing has to be seen twice.
        if left.is_empty() && seen_none {
            return;
        }
        seen_none = left.is_empty();
        for pid in left {
            let _ = kill_process(pid, Signal::KILL);
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
}

/// Elsewhere nobody can tell.
#[cfg(not(target_os = "linux"))]
pub fn end_marked(_mark: &str) {}

/// The processes with the mark but this one. One that has ended, and waits for its parent to hear of it, has no environment.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<rustix::process::Pid> {
    let variable = format!("{MARK}={mark}");
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let has_mark = environment.split(|&byte| byte == 0).any(|part| part == variable.as_bytes());
        let pid = i32::try_from(pid).ok().filter(|&pid| pid as u32 != std::process::id());
        found.extend(pid.filter(|_| has_mark).and_then(rustix::process::Pid::from_raw));
    }
    found
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn only_what_bears_the_mark_is_ended() {
        let (mark, other) = (new_mark(), new_mark());
        assert_ne!(mark, other);
        let start = |mark: &str| Command::new("sleep").arg("60").env(MARK, mark).spawn().unwrap();
        let (mut ours, mut theirs) = (start(&mark), start(&other));
        end_marked(&mark);
        assert!(!ours.wait().unwrap().success());
        assert!(matches!(theirs.try_wait(), Ok(None)), "another worker's lives");
        end_marked(&other);
        theirs.wait().unwrap();
    }
}
