//! Downloads that are cut off, stalled, damaged or misreported, and processes killed at every moment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{Answer, Person, Published, Request, STATUS, Server, content, published, wait_until};

/// Stops halfway through the file, and sends the rest when asked for it.
fn cut_then_rest(request: &Request, answer: &mut Answer, etag: &str) {
    let file = &published().new.snapshot;
    match request.from() {
        Some(from) => answer.part(file, from, &format!("ETag: {etag}\r\n")),
        None => {
            let length = format!("Content-Length: {}\r\nETag: {etag}\r\n", file.len());
            answer.head("200 OK", &length).bytes(&file[..file.len() / 2]);
        }
    }
}

#[test]
fn a_download_that_was_cut_off_goes_on_where_it_was() {
    let Published { new, .. } = published();
    let person = Person::with_old();
    let server = Server::new(|request, answer| cut_then_rest(request, answer, "\"new\""));
    let ran = person.pull(&server.url());
    assert!(ran.code == 0 && ran.stderr.contains("trying again"), "{}", ran.stderr);
    assert_eq!(person.answers(), new.content);
    let half = format!("bytes={}-", new.snapshot.len() / 2);
    assert_eq!(server.heard("range"), [None, Some(half)]);
    assert_eq!(server.heard("if-range"), [None, Some("\"new\"".to_owned())]);
    assert_eq!(person.stored_states().len(), 3, "no part is left: {:?}", person.stored_states());
}

#[test]
fn another_file_is_not_joined_to_what_was_cut_off() {
    let Published { old, new, .. } = published();
    // The part is of another file; the server ignores ranges; it now has another file; it has no such range; it sends a range that
    // was not asked for; its tag is wrong; a weak tag or no tag cannot show a change.
    type Rest = fn(usize, &mut Answer);
    let rests: [(&str, Rest); 7] = [
        ("\"new\"", |from, answer| answer.part(&published().new.snapshot, from, "ETag: \"other\"\r\n")),
        ("\"new\"", |_, answer| answer.file(&published().new.snapshot, "ETag: \"new\"\r\n")),
        ("\"new\"", |_, answer| answer.file(&published().new.snapshot, "ETag: \"other\"\r\n")),
        ("\"new\"", |_, answer| answer.head("416 Range Not Satisfiable", "Content-Range: bytes */1\r\n").end()),
        ("\"new\"", |from, answer| answer.part(&published().new.snapshot, from - 1, "ETag: \"new\"\r\n")),
        ("\"new\"", |from, answer| answer.part(&published().old.snapshot, from, "ETag: \"new\"\r\n")),
        ("W/\"new\"", |_, _| panic!("a weak tag joins nothing")),
    ];
    assert_ne!(old.snapshot, new.snapshot);
    for (at, (etag, rest)) in rests.into_iter().enumerate() {
        let person = Person::with_old();
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let server = Server::new(move |request, answer| match request.from() {
            Some(from) => rest(from, answer),
            None if asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 => {
                cut_then_rest(request, answer, etag)
            }
            None => answer.file(&published().new.snapshot, &format!("ETag: {etag}\r\n")),
        });
        let ran = person.pull(&server.url());
        assert_eq!(ran.code, 0, "{at}: {}", ran.stderr);
        assert_eq!(person.answers(), new.content, "{at}");
    }
}

#[test]
fn what_breaks_off_again_and_again_is_told_and_goes_on_the_next_time() {
    let Published { new, .. } = published();
    let person = Person::with_old();
    let broken = Server::new(|_, answer| {
        let file = &published().new.snapshot;
        let length = format!("Content-Length: {}\r\n", file.len());
        answer.head("200 OK", &length).bytes(&file[..file.len() / 2]);
    });
    person.keeps_the_old_one(
        &broken.url(),
        &format!("cut off after {} bytes of {}", new.snapshot.len() / 2, new.snapshot.len()),
    );
    assert_eq!(broken.requests(), 4);
    assert_eq!(person.stored_states().len(), 2, "what cannot go on is not kept: {:?}", person.stored_states());

    // A server that falls silent halfway; the process is killed while it waits.
    let server = Server::new(|request, answer| match request.from() {
        Some(from) => answer.part(&published().new.snapshot, from, "ETag: \"new\"\r\n"),
        None => {
            cut_then_rest(request, answer, "\"new\"");
            answer.stall();
        }
    });
    let mut child = person.command(&["pull", &server.url()]).spawn().expect("the program starts");
    let partial = person.program.data().join("pulled/partial");
    let half = new.snapshot.len() as u64 / 2;
    wait_until(|| fs::metadata(&partial).is_ok_and(|meta| meta.len() == half) && server.requests() == 1);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(person.answers(), published().old.content);
    let ran = person.pull(&server.url());
    assert!(ran.code == 0 && ran.stderr.contains("of it are here"), "{}", ran.stderr);
    assert_eq!(server.heard("range"), [None, Some(format!("bytes={half}-"))]);
    assert_eq!(person.answers(), new.content);
}

#[test]
fn servers_that_are_silent_or_slow_are_given_up() {
    let person = Person::with_old();
    let silent = Server::new(|_, answer| answer.stall());
    person.keeps_the_old_one(&silent.url(), "silent for 1 s");
    let stalling = Server::new(|_, answer| answer.head("200 OK", "Content-Length: 100\r\n").bytes(b"abc").stall());
    person.keeps_the_old_one(&stalling.url(), "silent for 1 s");
    let slow = Server::new(|_, answer| {
        answer.head("200 OK", "Content-Length: 100000\r\n");
        for _ in 0..400 {
            answer.bytes(b"a");
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let ran = person.run(&["pull", &slow.url(), "--time-limit", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("took longer than 1 s"), "{}", ran.stderr);
    assert_eq!(person.answers(), published().old.content);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    person.keeps_the_old_one(&format!("http://{closed}/kb.tar.gz"), "no answer: ");
}

#[test]
fn servers_that_lie_about_the_length_or_never_end_are_refused() {
    let person = Person::with_old();
    let file = &published().new.snapshot;
    let shorter = Server::new(move |_, answer| {
        let length = format!("Content-Length: {}\r\n", file.len() - 10);
        answer.head("200 OK", &length).bytes(file);
    });
    person.keeps_the_old_one(&shorter.url(), "not a whole snapshot");
    let longer = Server::new(move |_, answer| {
        let length = format!("Content-Length: {}\r\n", file.len() + 10);
        answer.head("200 OK", &length).bytes(file);
    });
    person.keeps_the_old_one(&longer.url(), "cut off");
    let huge = Server::new(|_, answer| answer.head("200 OK", "Content-Length: 1000000000000\r\n").bytes(b"abc").end());
    person.keeps_the_old_one(&huge.url(), "larger than 256 MB");
    let endless = Server::new(|_, answer| {
        answer.head("200 OK", "");
        for _ in 0..200 {
            answer.bytes(&[0; 65_536]);
        }
    });
    let ran = person.run(&["pull", &endless.url(), "--max-size", "1"]);
    assert!(ran.code == 2 && ran.stderr.contains("larger than 1 MB"), "{}", ran.stderr);
    assert_eq!(person.answers(), published().old.content);
    assert_eq!(person.stored_states().len(), 2, "nothing is left of it: {:?}", person.stored_states());
}

#[test]
fn redirections_are_followed_on_the_same_protocol_and_to_an_end() {
    let person = Person::with_old();
    let server = Server::new(|request, answer| match request.path() {
        "/there" => answer.file(&published().new.snapshot, ""),
        _ => answer.head("302 Found", "Location: /there\r\n").end(),
    });
    let ran = person.pull(&server.url());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(person.answers(), published().new.content);

    let person = Person::with_old();
    for (location, told) in [
        ("Location: https://127.0.0.1:1/kb.tar.gz\r\n", "another protocol"),
        ("Location: file:///etc/hostname\r\n", "another protocol"),
        ("Location: ftp://127.0.0.1/kb.tar.gz\r\n", "another protocol"),
        ("Location: /kb.tar.gz\r\n", "round in a circle"),
        ("", "HTTP status 302"),
    ] {
        let server = Server::new(move |_, answer| answer.head("302 Found", location).end());
        person.keeps_the_old_one(&server.url(), told);
    }
    let longer = Server::new(|request, answer| {
        answer.head("307 Temporary Redirect", &format!("Location: {}a\r\n", request.path())).end();
    });
    person.keeps_the_old_one(&longer.url(), "more than 10");
    assert_eq!(longer.requests(), 11);
}

#[test]
fn statuses_are_told() {
    let person = Person::with_old();
    for (status, told) in [
        ("404 Not Found", "HTTP status 404"),
        ("410 Gone", "look at the address"),
        ("403 Forbidden", "not give it to everybody"),
        ("429 Too Many Requests", "try again later"),
        ("500 Internal Server Error", "try again later"),
        ("304 Not Modified", "HTTP status 304"),
        ("204 No Content", "HTTP status 204"),
        ("206 Partial Content", "HTTP status 206"),
    ] {
        let server = Server::new(move |_, answer| answer.head(status, "Content-Length: 0\r\n").end());
        person.keeps_the_old_one(&server.url(), told);
        assert_eq!(server.requests(), 1, "{status}");
    }
}

#[test]
fn what_is_damaged_or_mistaken_is_refused() {
    let Published { new, archive, mistaken, .. } = published();
    let person = Person::with_old();
    let flipped = |file: &[u8]| {
        let mut file = file.to_vec();
        let middle = file.len() / 2;
        file[middle] ^= 1;
        file
    };
    for (content, told) in [
        (vec![], "not a whole snapshot"),
        (b"<html>not found</html>".to_vec(), "not a whole snapshot"),
        (flipped(&new.snapshot), "nothing was replaced"),
        (flipped(archive), "nothing was replaced"),
        (archive[..archive.len() - 4].to_vec(), "not a whole snapshot"),
        (mistaken.clone(), "the knowledge base has 1 mistake in 1 file"),
        (with_another_file(&new.snapshot), "not what its manifest says"),
    ] {
        let server = Server::new(move |_, answer| answer.file(&content, "ETag: \"a\"\r\n"));
        person.keeps_the_old_one(&server.url(), told);
    }
    assert_eq!(person.stored_states().len(), 2, "{:?}", person.stored_states());
}

/// A snapshot in which one file differs from its manifest.
fn with_another_file(snapshot: &[u8]) -> Vec<u8> {
    let folder = TempDir::new().expect("a temporary folder");
    let tar = |args: &[&str]| {
        let out = Command::new("tar").args(args).current_dir(folder.path()).output().expect("tar");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("UTF-8")
    };
    fs::write(folder.path().join("a.tar.gz"), snapshot).expect("a file");
    let names = tar(&["-tzf", "a.tar.gz"]);
    tar(&["-xzf", "a.tar.gz"]);
    let file = folder.path().join("measurements/invented-2020/nova.toml");
    fs::write(&file, fs::read_to_string(&file).expect("a file").replace("44.4", "11.1")).expect("a file");
    let names: Vec<&str> = names.lines().collect();
    tar(&[&["-czf", "b.tar.gz"], names.as_slice()].concat());
    fs::read(folder.path().join("b.tar.gz")).expect("a file")
}

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
    assert_eq!(person.stored_states().len(), 3, "what the others left is removed: {:?}", person.stored_states());
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

/// Sends a randomly chosen fault for each request.
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
    for name in person.stored_states().iter().filter(|name| name.ends_with(".tar.gz")) {
        damage(&folder.join(name));
    }
    let asked = person.run(&STATUS);
    assert!(asked.code == 0 && asked.stderr.contains("warning: what was pulled cannot be used"), "{}", asked.stderr);
    assert!(asked.stdout.contains("the built-in one of "), "{}", asked.stdout);
    let rolled = person.run(&["pull", "--rollback"]);
    assert!(rolled.code == 2 && rolled.stderr.contains("is damaged"), "{}", rolled.stderr);
    // Even though its server would say that nothing has changed.
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
    assert!(ran.stderr.contains("help: set DLBENCH_DATA to another folder"), "{}", ran.stderr);
}
