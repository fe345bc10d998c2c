//! What `pull` accepts, from where, what it reports, and rollback.

use super::Server;
use super::{Person, Published, STATUS, content, published};
use crate::{Dlbench, KbCopy, Ran};

/// The lines on standard error; sizes and file names in them differ from run to run.
fn lines(ran: &Ran) -> Vec<&str> {
    ran.stderr.lines().collect()
}

#[test]
fn what_was_pulled_answers_where_there_is_nothing_else_and_is_named() {
    let Published { new, .. } = published();
    let person = Person::with_old();
    let server = Server::of_file(new.snapshot.clone(), "\"new\"");
    let ran = person.pull(&server.url());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let told = lines(&ran);
    let size = format!("{} bytes: {}", new.snapshot.len(), server.url());
    assert_eq!(told[0], size, "the size first");
    assert!(ran.stderr.contains(&format!("{}: each compared with its SHA-256", new.origin)), "{}", ran.stderr);
    assert!(ran.stderr.contains("came unencrypted"), "{}", ran.stderr);
    assert_eq!(person.answers(), new.content);

    let asked = person.run(&["query", "-f", "json", "nova"]);
    assert_eq!((asked.code, asked.stderr.as_str()), (0, ""), "a program is not disturbed");

    // A knowledge base that is named or nearer takes precedence.
    let kb = crate::miniature_kb();
    let kb = kb.to_str().expect("UTF-8");
    let named = person.run(&["query", "--kb", kb, "nova"]);
    let mut nearer = person.command(&["query", "nova"]);
    let nearer = person.program.ran(nearer.current_dir(kb).output().expect("the program starts"));
    let mut environment = person.command(&["query", "nova"]);
    let environment = person.program.ran(environment.env("DLBENCH_KB", kb).output().expect("the program starts"));
    for ran in [named, nearer, environment] {
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    }

    let ran = person.run(&["init", "mine"]);
    assert!(ran.code == 0 && ran.stderr.contains(&new.origin), "{}", ran.stderr);
    assert_eq!(content(&Dlbench::on(person.folder.path().join("mine")).json(&STATUS)), new.content);
}

#[test]
fn the_archive_of_a_git_host_is_taken_and_what_it_does_not_prove_is_said() {
    let Published { new, archive, .. } = published();
    let person = Person::new();
    let ran = person.pull(&person.file("main.tar.gz", archive));
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains(&format!("{}: accepted by the strict reader\n", new.origin)), "{}", ran.stderr);
    assert!(ran.stderr.contains("has no digests of its files"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("compared with its SHA-256"), "{}", ran.stderr);
    assert_eq!(person.answers(), new.content);
    let again = person.pull(&person.file("kb.tar.gz", &new.snapshot));
    assert!(again.code == 0 && again.stderr.contains("nothing newer"), "the same files: {}", again.stderr);
}

#[test]
fn files_and_folders_of_this_computer_are_taken_and_others_are_told() {
    let person = Person::with_old();
    let kb = KbCopy::new();
    let ran = person.pull(kb.path("").to_str().expect("UTF-8"));
    // It has no commit and so no date: it cannot be older. The old state was made from the same files.
    assert!(ran.code == 0 && ran.stderr.contains("nothing newer"), "{}", ran.stderr);
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 33.3", "latency-ms = 55.5");
    let ran = person.pull(kb.path("").to_str().expect("UTF-8"));
    assert!(ran.code == 0 && ran.stderr.contains("of an unknown day"), "{}", ran.stderr);
    assert_eq!(person.answers(), content(&kb.dlbench().json(&STATUS)));
    for (address, told) in [
        ("nowhere.tar.gz", "cannot read"),
        ("ftp://example.org/kb.tar.gz", "`ftp:` addresses are not fetched"),
        ("https://me:secret@example.org/kb.tar.gz", "a name or a password"),
    ] {
        let ran = person.pull(address);
        assert!(ran.code == 2 && ran.stderr.contains(told) && !ran.stderr.contains("secret"), "{}", ran.stderr);
    }
}

#[test]
fn without_an_address_the_last_one_is_asked_and_without_that_one_is_asked_for() {
    let person = Person::new();
    let ran = person.run(&["pull"]);
    if env!("CARGO_PKG_REPOSITORY").is_empty() {
        assert!(ran.code == 2 && ran.stderr.contains("no address was given"), "{}", ran.stderr);
        assert!(ran.stderr.contains("help: `dlbench pull ADDRESS`"), "{}", ran.stderr);
    }
    let server = Server::of_file(published().new.snapshot.clone(), "\"new\"");
    assert_eq!(person.pull(&server.url()).code, 0);
    let ran = person.run(&["pull"]);
    assert!(ran.code == 0 && ran.stderr.contains("nothing newer"), "{}", ran.stderr);
    assert_eq!(server.heard("if-none-match"), [None, Some("\"new\"".to_owned())]);
    assert!(server.heard("user-agent")[0].as_deref().is_some_and(|agent| agent.starts_with("dlbench/")));
}

#[test]
fn what_is_not_newer_is_not_taken_unless_that_is_wanted() {
    let Published { old, new, .. } = published();
    let person = Person::with_old();
    assert_eq!(person.pull(&person.file("new.tar.gz", &new.snapshot)).code, 0);
    let file = person.file("old.tar.gz", &old.snapshot);
    let ran = person.pull(&file);
    assert!(ran.code == 0 && ran.stderr.contains("nothing newer") && ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(person.answers(), new.content);
    assert_eq!(person.run(&["pull", &file, "--force"]).code, 0);
    assert_eq!(person.answers(), old.content);
    // A server without entity tags is compared by modification time alone.
    let dated = Server::new(|request, answer| {
        let time = "Last-Modified: Wed, 01 Oct 2098 12:00:00 GMT\r\n";
        match request.header("if-modified-since") {
            Some(_) => answer.head("304 Not Modified", "").end(),
            None => answer.file(&published().new.snapshot, time),
        }
    });
    for told in ["answers now", "nothing newer"] {
        let ran = person.pull(&dated.url());
        assert!(ran.code == 0 && ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    assert_eq!(dated.heard("if-modified-since")[1].as_deref(), Some("Wed, 01 Oct 2098 12:00:00 GMT"));
}

#[test]
fn rolling_back_goes_to_the_one_before_and_twice_to_this_one() {
    let Published { old, new, .. } = published();
    let person = Person::new();
    let nothing = person.run(&["pull", "--rollback"]);
    assert!(nothing.code == 2 && nothing.stderr.contains("nothing was pulled"), "{}", nothing.stderr);
    assert_eq!(person.pull(&person.file("old.tar.gz", &old.snapshot)).code, 0);
    for answers in ["built-in one of ", &old.origin] {
        let ran = person.run(&["pull", "--rollback"]);
        assert!(
            ran.code == 0 && ran.stdout.lines().next().is_some_and(|line| line.contains(answers)),
            "{}",
            ran.stdout
        );
    }
    assert_eq!(person.pull(&person.file("new.tar.gz", &new.snapshot)).code, 0);
    for (answers, before) in [(old, new), (new, old)] {
        let ran = person.run(&["pull", "--rollback"]);
        let status = person.run(&["pull", "--status"]);
        assert_eq!((ran.code, &ran.stdout), (0, &status.stdout));
        let told: Vec<&str> = ran.stdout.lines().collect();
        assert!(told[0].starts_with(&format!("answers: the pulled one {}, from ", answers.origin)), "{}", ran.stdout);
        assert!(told[1].starts_with(&format!("before:  the pulled one {}, from ", before.origin)), "{}", ran.stdout);
        assert_eq!(person.answers(), answers.content);
    }
}
