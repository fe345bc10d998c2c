//! `dlbench check`, `explain` and `fmt`: findings, their wording and what `--fix` repairs; `--online` against local test servers.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::{Dlbench, KbCopy, REPOSITORY, texts};

/// The codes of a check's findings, in order.
pub(crate) fn codes(report: &Value) -> Vec<&str> {
    texts(&report["findings"], "code")
}

fn report(kb: &KbCopy, args: &[&str]) -> Value {
    let mut words = vec!["check", "-f", "json"];
    words.extend(args);
    kb.dlbench().json(&words)
}

#[test]
fn the_repositorys_knowledge_base_is_clean() {
    let ran = Dlbench::on(REPOSITORY).run(&["check", "--deny", "warnings"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("measurements: nothing is wrong"), "{}", ran.stdout);
}

#[test]
fn the_repositorys_knowledge_base_is_in_canonical_form() {
    let ran = Dlbench::on(REPOSITORY).run(&["fmt", "--check"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
}

#[test]
fn the_miniature_knowledge_base_is_clean() {
    let ran = Dlbench::on_miniature().run(&["check", "--deny", "warnings"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
}

/// A knowledge base with one error each in TOML, in a reference, in physics and in form.
fn broken() -> KbCopy {
    let kb = KbCopy::new();
    kb.replace("catalog/devices/weave-9.toml", "class = \"fpga\"", "class = \"fpga");
    kb.replace("measurements/invented-2020/nova.toml", "\"deepnet-101\"", "\"depnet-101\"");
    kb.replace("measurements/invented-2020/nova.toml", "throughput-per-s = 900", "throughput-per-s = 90000");
    kb.replace("catalog/networks/deepnet-50.toml", "year = 2016", "year =  2016");
    kb
}

#[test]
fn findings_are_told_with_place_caret_and_advice() {
    let ran = broken().dlbench().run(&["check"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn findings_are_told_to_programs() {
    let kb = broken();
    let json = report(&kb, &[]);
    assert_eq!(codes(&json), ["DL0001", "DL0501", "DL0401", "DL0101"], "{json:#}");
    assert_eq!((json["errors"].as_u64(), json["warnings"].as_u64()), (Some(3), Some(1)));
    let reference = &json["findings"][3];
    assert_eq!(reference["file"], "measurements/invented-2020/nova.toml");
    assert_eq!((reference["line"].as_u64(), reference["column"].as_u64()), (Some(60), Some(11)));
    assert_eq!(reference["help"], "did you mean `deepnet-101` or `deepnet-50`?");
    insta::assert_snapshot!("check_github", kb.dlbench().run(&["check", "-f", "github"]).stdout);

    let sarif = kb.dlbench().json(&["check", "-f", "sarif"]);
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    assert_eq!(texts(&run["results"], "ruleId"), codes(&json));
    for result in run["results"].as_array().unwrap() {
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap() >= 1);
    }
}

#[test]
fn a_check_of_some_files_tells_only_of_them() {
    let kb = broken();
    let found = |paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|path| kb.path(path).to_string_lossy().into_owned()).collect();
        let json = report(&kb, &paths.iter().map(String::as_str).collect::<Vec<_>>());
        codes(&json).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(&["catalog/devices/weave-9.toml"]), ["DL0001"]);
    assert_eq!(found(&["measurements"]), ["DL0401", "DL0101"]);
    assert_eq!(found(&["catalog/networks/deepnet-50.toml", "catalog/devices"]), ["DL0001", "DL0501"]);
    assert_eq!(found(&["catalog/kb.toml"]), [""; 0]);
}

#[test]
fn a_duplicate_is_told_with_either_file() {
    let kb = KbCopy::new();
    let weave = fs::read_to_string(kb.path("measurements/imagined-2018/weave.toml")).unwrap();
    kb.write("measurements/imagined-2018/again.toml", weave);
    for file in ["again", "weave"] {
        let path = kb.path(&format!("measurements/imagined-2018/{file}.toml"));
        assert_eq!(codes(&report(&kb, &[&path.to_string_lossy()])), ["DL0103", "DL0103"], "{file}");
    }
}

#[test]
fn rules_are_chosen_by_code_or_its_beginning() {
    let kb = broken();
    assert_eq!(codes(&report(&kb, &["--only", "DL0101"])), ["DL0101"]);
    assert_eq!(codes(&report(&kb, &["--only", "dl04,DL05"])), ["DL0501", "DL0401"]);
    assert_eq!(codes(&report(&kb, &["--skip", "DL01,DL04,DL00"])), ["DL0501"]);
    let ran = kb.dlbench().run(&["check", "--only", "DL0110,DL9999"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("there is no rule DL9999"), "{}", ran.stderr);
}

#[test]
fn warnings_fail_only_where_they_are_denied_and_information_never() {
    let kb = KbCopy::new();
    kb.replace("catalog/networks/deepnet-50.toml", "year = 2016", "year =  2016");
    assert_eq!(kb.dlbench().run(&["check"]).code, 0);
    assert_eq!(kb.dlbench().run(&["check", "--deny", "warnings"]).code, 1);
    let orphans = Dlbench::on_miniature().run(&["check", "--info", "--deny", "warnings", "--today", "2040-01-01"]);
    assert_eq!(orphans.code, 0);
    assert!(orphans.stdout.contains("info[DL0209]") || orphans.stdout.contains("info[DL0107]"), "{}", orphans.stdout);
}

#[test]
fn fixing_keeps_comments_order_and_digits_and_leaves_what_it_cannot_mend() {
    let kb = KbCopy::new();
    kb.write(
        "catalog/devices/nova-200.toml",
        "# The next one.\nclass =   \"gpu\"  # surely\nname=\"Acme Nova\u{a0}200\"\nmemory-type = \"N/A\"\nmemory-gib = 48.0\n\
         vendor = \"Acme \"\nfoo = 1\n[[sources]]\nsource = \"invented-2020\"\n",
    );
    let ran = kb.dlbench().run(&["check", "--fix", "-f", "json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.stderr, "mended catalog/devices/nova-200.toml\n");
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(codes(&json), ["DL0004"], "{json:#}");
    insta::assert_snapshot!(fs::read_to_string(kb.path("catalog/devices/nova-200.toml")).unwrap(), @r#"
    name = "Acme Nova 200"
    # The next one.
    class = "gpu"  # surely
    vendor = "Acme"
    memory-gib = 48.0
    foo = 1

    [[sources]]
    source = "invented-2020"
    "#);
}

#[test]
fn a_finding_can_be_excepted_with_a_reason_and_an_exception_must_be_needed() {
    let kb = KbCopy::new();
    kb.replace("measurements/invented-2020/nova.toml", "throughput-per-s = 900", "throughput-per-s = 90000");
    assert_eq!(codes(&report(&kb, &[])), ["DL0401"]);
    let exception = |more: &str| {
        let text = fs::read_to_string(crate::miniature_kb().join("catalog/sources/invented-2020.toml")).unwrap();
        let exception = format!("\n[[exceptions]]\nrule = \"DL0401\"\nreason = \"the source says so\"\n{more}");
        kb.write("catalog/sources/invented-2020.toml", text + &exception);
        codes(&report(&kb, &[])).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(exception(""), [""; 0]);
    assert_eq!(exception("batch = \"nova\"\n"), [""; 0]);
    assert_eq!(exception("batch = \"supernova\"\n"), ["DL0506", "DL0401"]);
    assert_eq!(exception("where = { precision = \"amp-fp16\", batch-size = 32 }\n"), [""; 0]);
    assert_eq!(exception("where = { batch-size = 16 }\n"), ["DL0506", "DL0401"]);
    assert_eq!(exception("count = 1\n"), [""; 0]);
    assert_eq!(exception("count = 2\n"), ["DL0506"], "one finding is gone, or the count hides the next one");
    assert_eq!(exception("because = \"of it\"\n"), ["DL0004"], "{:#}", report(&kb, &[]));
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 12.5", "latency-ms = 0.125");
    assert_eq!(exception(""), ["DL0506", "DL0401"], "one of the two is one too many");
    assert_eq!(exception("count = 2\n"), [""; 0]);
    kb.replace("measurements/invented-2020/nova.toml", "latency-ms = 0.125", "latency-ms = 12.5");
    kb.replace("measurements/invented-2020/nova.toml", "throughput-per-s = 90000", "throughput-per-s = 900");
    assert_eq!(exception(""), ["DL0506"]);
}

#[test]
fn a_machine_may_draw_more_than_its_devices_and_says_that_it_is_the_machine() {
    let kb = KbCopy::new();
    let nova = "measurements/invented-2020/nova.toml";
    kb.replace(nova, "throughput-per-s = 900", "throughput-per-s = 900\npower-w = 640");
    assert_eq!(codes(&report(&kb, &[])), ["DL0405"]);
    for machine in ["host", "wall"] {
        let kb = KbCopy::new();
        let metered = format!("metered = \"{machine}\"\nthroughput-per-s = 900\npower-w = 640");
        kb.replace(nova, "throughput-per-s = 900", &metered);
        assert_eq!(codes(&report(&kb, &[])), [""; 0], "{machine}");
    }
}

#[test]
fn every_rule_has_a_page() {
    let dlbench = Dlbench::on_miniature();
    let list = dlbench.ok(&["explain"]);
    let codes: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let codes: Vec<&str> = codes.into_iter().filter(|word| word.starts_with("DL")).collect();
    assert!(codes.len() >= 75, "{codes:?}");
    for code in codes {
        let page = dlbench.ok(&["explain", code]);
        assert!(page.starts_with(code) && page.contains("Found in") && page.contains("Not found in"), "{page}");
    }
    insta::assert_snapshot!(dlbench.ok(&["explain", "dl0401"]));
    assert_eq!(dlbench.run(&["explain", "DL9999"]).code, 2);
}

#[cfg(unix)]
#[test]
fn the_name_of_a_file_writes_no_line_of_its_own_and_moves_no_cursor() {
    let kb = KbCopy::new();
    let name = "catalog/devices/a\u{1b}]0;title\u{7}\u{1b}[31m\n::stop-commands::x\nb.toml";
    fs::write(kb.path(name), "name = 3\n").unwrap();
    for args in [&["fmt", "--check"][..], &["check"], &["query", "nova"]] {
        let ran = kb.dlbench().run(&[&["--color", "always"], args].concat());
        let told = ran.stdout + &ran.stderr;
        let obeyed = told.contains("\u{1b}]") || told.contains("\u{1b}[31m\n") || told.contains('\u{7}');
        assert!(!obeyed && !told.lines().any(|line| line.starts_with("::")), "{args:?}: {told:?}");
        assert!(told.contains("\\u{1b}]0;title\\u{7}\\u{1b}[31m\\n::stop-commands::x\\nb.toml"), "{args:?}: {told}");
    }
}

#[test]
fn formatting_names_what_would_change_or_changes_it() {
    let kb = KbCopy::new();
    kb.replace("catalog/networks/deepnet-50.toml", "year = 2016", "year =  2016");
    let ran = kb.dlbench().run(&["fmt", "--check"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "catalog/networks/deepnet-50.toml\n"));
    let ran = kb.dlbench().run(&["fmt"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "catalog/networks/deepnet-50.toml\n"));
    let original = fs::read_to_string(crate::miniature_kb().join("catalog/networks/deepnet-50.toml")).unwrap();
    assert_eq!(fs::read_to_string(kb.path("catalog/networks/deepnet-50.toml")).unwrap(), original);
    assert_eq!(kb.dlbench().run(&["fmt", "--check"]).code, 0);
}

#[test]
fn a_recipe_is_checked_as_well() {
    let kb = KbCopy::new();
    let recipe = "source = \"invented-2020\"\n\n[[table]]\nfiles = \"*.csv\"\nformat = \"csv\"\nbatch = \"a\"\n\n\
                  [table.set]\nframework = \"firelight\"\nlatency-ms = \"{ms}\"\n";
    kb.write("catalog/recipes/invented-2020.toml", recipe);
    assert_eq!(codes(&report(&kb, &[])), [""; 0]);
    kb.replace("catalog/recipes/invented-2020.toml", "\"firelight\"", "\"firelite\"");
    assert_eq!(codes(&report(&kb, &[])), ["DL0110"]);
    kb.replace("catalog/recipes/invented-2020.toml", "files = ", "flies = ");
    assert!(codes(&report(&kb, &[])).contains(&"DL0111"));
}

#[test]
fn paths_outside_and_paths_that_are_not_there_are_usage_errors() {
    let kb = KbCopy::new();
    for path in ["/etc/hostname", "catalog/devices/nothing.toml"] {
        let ran = kb.dlbench().run(&["check", path]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{path}");
    }
}

/// A server that answers each request with `answer("HEAD /page")` and records all requests with their heads.
/// If `answer` returns `None`, it stays silent.
struct Server {
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn new(answer: fn(&str) -> Option<&'static str>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&heard);
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming().flatten() {
                let head = head(&stream);
                let request = head.split(" HTTP").next().unwrap_or_default().to_owned();
                keep.lock().unwrap().push(head);
                match answer(&request) {
                    Some(answer) => {
                        write!(&stream, "HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                            .expect("somebody listens")
                    }
                    None => held.push(stream),
                }
            }
        });
        Self { port, heard }
    }

    fn address(&self, page: &str) -> String {
        format!("http://127.0.0.1:{}/{page}", self.port)
    }

    /// The requests so far, without their headers.
    fn requests(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.iter().map(|head| head.split(" HTTP").next().unwrap_or_default().to_owned()).collect()
    }
}

fn head(stream: &TcpStream) -> String {
    let lines = BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

const FILE: &str = "catalog/sources/asked-2020.toml";

/// The miniature knowledge base with only one source that cites a URL.
fn citing(address: &str) -> KbCopy {
    let kb = KbCopy::new();
    for source in ["imagined-2018", "invented-2020"] {
        let file = format!("catalog/sources/{source}.toml");
        kb.replace(&file, "url = \"https://example.org/", "# \"");
    }
    kb.write(FILE, cites(address));
    kb
}

fn cites(address: &str) -> String {
    format!(
        "name = \"Asked\"\ntype = \"misc\"\nauthors = [\"Nobody, Ada\"]\nyear = 2020\nurl = \"{address}\"\naccessed = 2026-11-21\n"
    )
}

/// Options for checking servers on this machine.
const ONLINE: &[&str] = &["--online", "--ask-local", "127.0.0.1"];

/// The findings about URLs in the one file; cached answers are kept in `kb`.
fn found(kb: &KbCopy, timeout: &str) -> Vec<String> {
    let file = kb.path(FILE);
    let file = file.to_str().expect("a path in UTF-8");
    let args = [&["check", file, "--timeout", timeout, "--only", "DL0215", "-f", "json"], ONLINE].concat();
    let program = kb.dlbench().with_cache(kb.path("cache"));
    let report: Value = program.json(&args);
    let findings = report["findings"].as_array().unwrap_or_else(|| panic!("{report:#}"));
    findings.iter().map(|finding| finding["message"].as_str().expect("a message").to_owned()).collect()
}

#[test]
fn a_page_that_answers_is_asked_once_and_remembered() {
    let server = Server::new(|_| Some("200 OK"));
    let kb = citing(&server.address("page#part"));
    assert_eq!(found(&kb, "20"), [""; 0]);
    assert_eq!(found(&kb, "20"), [""; 0]);
    assert_eq!(server.requests(), ["HEAD /page"]);
    let heard = server.heard.lock().unwrap()[0].to_lowercase();
    assert!(heard.contains("user-agent: dlbench/"), "{heard}");
}

#[test]
fn a_page_that_is_gone_is_told_and_asked_again_another_day() {
    let server = Server::new(|_| Some("404 Not Found"));
    let kb = citing(&server.address("page"));
    for _ in 0..2 {
        assert_eq!(found(&kb, "20"), ["the page is gone: HTTP status 404"]);
    }
    assert_eq!(server.requests(), ["HEAD /page", "GET /page"], "some servers know no HEAD");
    let text = kb.dlbench().with_cache(kb.path("cache")).run(&[&["check"], ONLINE].concat());
    assert_eq!(text.code, 0, "it is only worth knowing: {}", text.stdout);
    assert!(text.stdout.contains("info[DL0215]: the page is gone"), "{}", text.stdout);
    assert!(text.stdout.contains("url = \"http://127.0.0.1"), "{}", text.stdout);
}

#[test]
fn a_server_without_heads_is_asked_for_the_page() {
    let server = Server::new(|request| Some(if request.starts_with("HEAD") { "405 No" } else { "200 OK" }));
    assert_eq!(found(&citing(&server.address("page")), "20"), [""; 0]);
    let refusing = Server::new(|_| Some("403 Forbidden"));
    assert_eq!(found(&citing(&refusing.address("page")), "20"), ["the server answers with HTTP status 403"]);
}

#[test]
fn only_a_page_that_moved_for_good_is_told() {
    let moved =
        Server::new(|request| Some(if request.ends_with("/new") { "200 OK" } else { "301 Moved\r\nLocation: /new" }));
    assert_eq!(found(&citing(&moved.address("old")), "20"), ["the address has moved for good"]);
    let elsewhere = Server::new(|request| {
        Some(if request.ends_with("/today") { "200 OK" } else { "302 Found\r\nLocation: /today" })
    });
    assert_eq!(found(&citing(&elsewhere.address("page")), "20"), [""; 0]);
    let round = Server::new(|_| Some("302 Found\r\nLocation: /page"));
    assert_eq!(found(&citing(&round.address("page")), "20"), ["no answer: more than 10 redirections"]);
}

#[test]
fn nobody_of_this_machine_is_asked_neither_at_once_nor_by_a_redirection() {
    let secret = Server::new(|_| Some("200 OK"));
    let leading = Server::new(|request| {
        // The path of the page has the port of the other server.
        let port = request.rsplit('/').next().unwrap_or_default();
        let to = format!("302 Found\r\nLocation: http://localhost:{port}/secret");
        Some(&*Box::leak(to.into_boxed_str()))
    });
    let port = secret.port;
    for address in [
        format!("http://localhost:{port}/"),
        format!("http://127.0.0.2:{port}/"),
        format!("http://0x7f.2:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        leading.address(&port.to_string()),
    ] {
        let told = found(&citing(&address), "20");
        assert!(told.len() == 1 && told[0].starts_with("not asked: "), "{address}: {told:?}");
    }
    assert_eq!(secret.requests(), [""; 0]);
    assert!(!leading.requests().is_empty());
}

#[test]
fn a_silent_server_is_given_up_and_not_remembered() {
    let server = Server::new(|_| None);
    let kb = citing(&server.address("page"));
    for _ in 0..2 {
        assert_eq!(found(&kb, "1"), ["no answer: it took too long"]);
    }
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_busy_server_is_left_alone() {
    let server = Server::new(|_| Some("429 Too Many Requests\r\nRetry-After: 3600"));
    assert_eq!(found(&citing(&server.address("page")), "20"), [""; 0]);
    assert_eq!(server.requests(), ["HEAD /page"]);
}

#[test]
fn what_is_named_with_a_reason_is_not_asked() {
    let server = Server::new(|_| Some("404 Not Found"));
    let kb = citing(&server.address("page"));
    let unasked = |address: &str| format!("\n[[unasked]]\naddress = \"{address}\"\nreason = \"refuses programs\"\n");
    kb.append("catalog/kb.toml", &unasked(&server.address("")));
    assert_eq!(found(&kb, "20"), [""; 0]);
    assert_eq!(server.requests(), [""; 0]);
    kb.write(FILE, cites("https://example.org/"));
    kb.append("catalog/kb.toml", &unasked("https://example.org/"));
    let told = kb.dlbench().run(&["check", "--online", "--only", "DL0215"]).stdout;
    assert!(told.contains("no cited address begins with http://127.0.0.1"), "{told}");
    assert!(!told.contains("https://example.org/"), "{told}");
}

#[test]
fn an_exception_holds_while_its_page_is_gone() {
    let server = Server::new(|request| Some(if request.ends_with("/gone") { "404 Not Found" } else { "200 OK" }));
    let kb = citing(&server.address("gone"));
    let exception = "\n[[exceptions]]\nrule = \"DL0215\"\nreason = \"kept for its commit\"\n";
    kb.append(FILE, exception);
    assert_eq!(found(&kb, "20"), [""; 0]);
    assert_eq!(kb.dlbench().run(&["check"]).code, 0);
    let unneeded = |online: &[&str]| {
        let program = kb.dlbench().with_cache(kb.path("cache"));
        program.run(&[&["check"], online].concat()).stdout.contains("DL0506")
    };
    assert!(!unneeded(ONLINE) && !unneeded(&[]));
    kb.write(FILE, cites(&server.address("here")) + exception);
    assert!(!unneeded(&[]), "nobody asked");
    assert!(unneeded(ONLINE));
}
