//! Answers that are computed while it is looked whether the files have changed: none of what they were ever counts.

use std::cell::Cell;
use std::fs;
use std::time::Duration;

use dlbench::KnowledgeBase;
use tempfile::TempDir;

use crate::KbCopy;

const FILE: &str = "measurements/invented-2020/nova.toml";

/// A copy of the miniature that is asked how many rows have a latency, and how often that took asking.
struct Asked {
    kb: KbCopy,
    cache: TempDir,
}

impl Asked {
    fn new() -> Self {
        let asked = Self { kb: KbCopy::new(), cache: TempDir::new().unwrap() };
        asked.let_the_files_settle();
        asked
    }

    /// File systems stamp a change with a grain; the program does not trust files that are younger.
    fn let_the_files_settle(&self) {
        std::thread::sleep(Duration::from_millis(40));
    }

    fn rows(&self, latency: &str) -> (usize, usize) {
        let times = Cell::new(0);
        let ask = |kb: &KnowledgeBase| {
            times.set(times.get() + 1);
            kb.query(&format!("latency:{latency}")).unwrap().total
        };
        let (kb, rows) = KnowledgeBase::open_and_ask(&self.kb.path(""), self.cache.path(), ask).unwrap();
        assert_eq!(kb.query(&format!("latency:{latency}")).unwrap().total, rows, "what is left open says the same");
        (rows, times.get())
    }

    /// What is noted of the content that the files had last.
    fn latest(&self) -> std::path::PathBuf {
        let of_kb = fs::read_dir(self.cache.path()).unwrap().next().expect("the cache of one").unwrap();
        of_kb.path().join("latest")
    }
}

#[test]
fn what_was_asked_of_files_that_have_changed_is_asked_again() {
    let asked = Asked::new();
    assert_eq!(asked.rows("33.3"), (1, 1), "nothing is known yet");
    assert_eq!(asked.rows("33.3"), (1, 1), "ahead of the look at the files");
    asked.kb.replace(FILE, "latency-ms = 33.3", "latency-ms = 44.4");
    // What is young is read, however often it is asked.
    assert_eq!(asked.rows("33.3"), (0, 2));
    assert_eq!(asked.rows("44.4").0, 1);
    asked.let_the_files_settle();
    assert_eq!(asked.rows("44.4").0, 1);
    assert_eq!(asked.rows("44.4"), (1, 1));
    // The stores of what it was are kept, and are not taken for those of what it is.
    asked.kb.replace(FILE, "latency-ms = 44.4", "latency-ms = 33.3");
    asked.let_the_files_settle();
    assert_eq!(asked.rows("44.4"), (0, 2));
    assert_eq!(asked.rows("33.3"), (1, 1));
}

#[test]
fn a_mistake_in_the_files_is_told_whatever_was_answered_ahead() {
    let asked = Asked::new();
    assert_eq!(asked.rows("33.3"), (1, 1));
    asked.kb.write("catalog/kb.toml", "this is = no knowledge base");
    let opened = KnowledgeBase::open_and_ask(&asked.kb.path(""), asked.cache.path(), |_| ());
    assert!(opened.is_err());
    fs::remove_dir_all(asked.kb.path("catalog")).unwrap();
    let opened = KnowledgeBase::open_and_ask(&asked.kb.path(""), asked.cache.path(), |_| ());
    assert!(opened.is_err());
}

#[test]
fn a_wrong_note_of_the_last_content_costs_time_alone() {
    let asked = Asked::new();
    assert_eq!(asked.rows("33.3"), (1, 1));
    let other = Asked::new();
    other.kb.replace(FILE, "latency-ms = 33.3", "latency-ms = 44.4");
    other.let_the_files_settle();
    assert_eq!(other.rows("44.4"), (1, 1));
    for note in [fs::read(other.latest()).unwrap(), b"../..".to_vec(), vec![0; 9], Vec::new()] {
        fs::write(asked.latest(), &note).unwrap();
        assert_eq!(asked.rows("33.3"), (1, 1), "{note:?}");
        assert_eq!(asked.rows("33.3"), (1, 1), "{note:?}");
    }
}
