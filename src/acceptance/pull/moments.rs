//! At any moment: processes that are ended, several at once, servers with any fault, damage on the disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::servers::{Answer, Request, Server};
use super::{Person, Published, STATUS, content, published, wait_until};

#[test]
fn a_process_that_is_ended_at_any_moment_leaves_the_old_or_the_new_one() {
    const MOMENTS: u32 = 24;
    let Published { old, new, .. } = published();
    let person = Person::with_old();
    let files = [person.file("new.tar.gz", &new.snapshot), person.file("old.tar.gz", &old.snapshot)];
    let began = Instant::now();
    assert_eq!(person.run(&["pull", "--force", &files[0]]).code, 0);
    let takes = began.elapsed();
    let (mut ended, mut whole) = (0, 0);
    for moment in 0..MOMENTS {
        let before = person.answers();
        let wanted = if before == old.content { (&files[0], &new.content) } else { (&files[1], &old.content) };
        let mut child = person.command(&["pull", "--force", wanted.0]).spawn().expect("the program starts");
        std::thread::sleep(takes * moment / MOMENTS);
        let _ = child.kill();
        let done = child.wait().expect("it ends").success();
        let after = person.answers();
        assert!(after == before || after == *wanted.1, "{moment}: neither the old nor the new one");
        assert!(!done || after == *wanted.1, "{moment}: it said that it was done");
        (ended, whole) = (ended + u32::from(!done), whole + u32::from(done));
    }
    assert!(ended > MOMENTS / 4, "only {ended} of {MOMENTS} were ended, {whole} came to their end");
    let before = person.answers();
    let wanted = if before == old.content { (&files[0], &new.content) } else { (&files[1], &old.content) };
    assert_eq!(person.run(&["pull", "--force", wanted.0]).code, 0);
    assert_eq!(person.answers(), *wanted.1);
    assert_eq!(person.kept().len(), 3, "what the others left is removed: {:?}", person.kept());
}

#[test]
fn several_at_once_wait_for_each_other_and_questions_are_answered_meanwhile() {
    let Published { old, new, archive, .. } = published();
    let person = Person::with_old();
    let files = [&old.snapshot, &new.snapshot, archive].map(|file| Server::of_file(file.clone(), "\"a\""));
    let pulls: Vec<_> = (0..6)
        .map(|at| person.command(&["pull", "--force", &files[at % 3].url()]).spawn().expect("the program starts"))
        .collect();
    let questions: Vec<_> = (0..6).map(|_| person.command(&STATUS).spawn().expect("the program starts")).collect();
    for question in questions {
        let ran = person.program.ran(question.wait_with_output().expect("it ends"));
        let content = content(&serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr)));
        assert!(content == old.content || content == new.content, "{}", ran.stderr);
    }
    for pull in pulls {
        let ran = person.program.ran(pull.wait_with_output().expect("it ends"));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let content = person.answers();
    assert!(content == old.content || content == new.content);

    let stalling = Server::new(|_, answer| answer.stall());
    let mut first = person.command(&["pull", &stalling.url()]).spawn().expect("the program starts");
    wait_until(|| stalling.requests() == 1);
    let second = person.command(&["pull", "--force", &files[1].url()]).spawn().expect("the program starts");
    std::thread::sleep(Duration::from_millis(500));
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    let ran = person.program.ran(second.wait_with_output().expect("it ends"));
    assert!(ran.code == 0 && ran.stderr.contains("another dlbench is pulling"), "{}", ran.stderr);
    assert_eq!(person.answers(), new.content);
}

/// One fault of many, drawn for each request.
fn any_fault(request: &Request, answer: &mut Answer, random: &mut fastrand::Rng) {
    let Published { old, new, archive, mistaken } = published();
    let files = [&old.snapshot, &new.snapshot, archive, mistaken];
    let mut file = files[random.usize(..files.len())].clone();
    let etag = ["", "ETag: \"a\"\r\n", "ETag: \"b\"\r\n", "ETag: W/\"a\"\r\n"][random.usize(..4)];
    if random.u8(..4) == 0 {
        let at = random.usize(..file.len());
        file[at] ^= 1 << random.u8(..8);
    }
    let cut = random.usize(..file.len());
    let length = |length: usize| format!("Content-Length: {length}\r\n{etag}");
    match (random.u8(..10), request.from()) {
        (0, _) => answer.head("500 Internal Server Error", "").end(),
        (1, _) => answer.head("302 Found", &format!("Location: {}a\r\n", request.path())).end(),
        (2, _) => answer.head("200 OK", &length(cut)).bytes(&file).end(),
        (3..=5, None) => answer.head("200 OK", &length(file.len())).bytes(&file[..cut]).end(),
        (6, _) => answer.head("200 OK", etag).bytes(&file[..cut]).end(),
        (7, _) => answer.head("304 Not Modified", etag).end(),
        (3..=8, Some(from)) if from < file.len() => answer.part(&file, from, etag),
        _ => answer.file(&file, etag),
    }
}

#[test]
fn whatever_a_server_does_the_old_or_the_new_one_answers_whole() {
    const ROUNDS: usize = 40;
    let Published { old, new, .. } = published();
    let person = Person::with_old();
    let random = std::sync::Mutex::new(fastrand::Rng::with_seed(2098));
    let server = Server::new(move |request, answer| {
        let mut own = random.lock().expect("no thread panics").fork();
        any_fault(request, answer, &mut own);
    });
    let mut codes = [0; 3];
    for round in 0..ROUNDS {
        let ran = person.run(&["pull", "--force", &server.url(), "--timeout", "5"]);
        assert!(matches!(ran.code, 0 | 2), "{round}: {}", ran.stderr);
        codes[ran.code as usize] += 1;
        let content = person.answers();
        assert!(content == old.content || content == new.content, "{round}: {}", ran.stderr);
    }
    assert!(codes[0] > ROUNDS / 10 && codes[2] > ROUNDS / 10, "both ends were seen: {codes:?}");
}

#[test]
fn what_was_damaged_on_the_disk_is_told_and_fetched_again() {
    let Published { new, .. } = published();
    let person = Person::with_old();
    let server = Server::of_file(new.snapshot.clone(), "\"new\"");
    assert_eq!(person.pull(&server.url()).code, 0);
    let folder: PathBuf = person.program.data().join("pulled");
    let damage = |file: &Path| {
        let mut content = fs::read(file).expect("a file");
        let middle = content.len() / 2;
        content[middle] ^= 1;
        fs::write(file, content).expect("a file");
    };
    for name in person.kept().iter().filter(|name| name.ends_with(".tar.gz")) {
        damage(&folder.join(name));
    }
    let asked = person.run(&STATUS);
    assert!(asked.code == 0 && asked.stderr.contains("warning: what was pulled cannot be used"), "{}", asked.stderr);
    assert!(asked.stderr.contains("this is the built-in one"), "{}", asked.stderr);
    let rolled = person.run(&["pull", "--rollback"]);
    assert!(rolled.code == 2 && rolled.stderr.contains("is damaged"), "{}", rolled.stderr);
    // Though its server would say that nothing changed.
    let ran = person.run(&["pull"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(person.answers(), new.content);
}

#[cfg(unix)]
#[test]
fn a_folder_that_others_may_write_to_is_not_pulled_into() {
    use std::os::unix::fs::PermissionsExt as _;
    let person = Person::new();
    fs::create_dir(person.program.data()).expect("a folder");
    fs::set_permissions(person.program.data(), fs::Permissions::from_mode(0o777)).expect("its owner");
    let ran = person.pull(&person.file("new.tar.gz", &published().new.snapshot));
    assert!(ran.code == 2 && ran.stderr.contains("may be written to by every user"), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: DLBENCH_DATA names another folder"), "{}", ran.stderr);
}
