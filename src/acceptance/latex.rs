//! LaTeX tables: checked by a strict parser, and compiled if LaTeX is installed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Dlbench, REPOSITORY};

/// Commands that a table may use; each is from LaTeX itself or from a package named in the first lines.
const KNOWN: &str = "documentclass usepackage begin end centering caption label footnotesize sisetup toprule midrule bottomrule \
    multicolumn textit textbf bfseries raggedright arraybackslash linewidth par noindent endhead endfirsthead endfoot \
    begingroup endgroup clearpage cdot title author affiliation institution city country maketitle textsuperscript small normalsize scriptsize smallskip setlength tabcolsep LTcapwidth thetable ref \
    allowbreak cellcolor bibliographystyle bibliography bibitem textbackslash textasciitilde textasciicircum textless \
    textgreater textbar char textperiodcentered times mu circ pm le ge approx to dagger ddagger alpha beta gamma textendash \
    textemdash cmidrule textsection S textquoteleft textquoteright textquotedblleft textquotedblright dots cite color abovecaptionskip belowcaptionskip addlinespace fontsize selectfont smash";

/// The content read from one or more tables.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The numbers of all numeric columns.
    pub(crate) numbers: Vec<String>,
    /// Number of rows.
    pub(crate) rows: usize,
}

/// Parses LaTeX as strictly as this program must write it.
pub(crate) fn read(tex: &str) -> Result<Read, String> {
    let plain: String = tex.lines().map(|line| without_comment(line) + "\n").collect();
    check_characters(&plain)?;
    let known: BTreeSet<&str> = KNOWN.split_whitespace().collect();
    for (command, place) in commands(&plain) {
        if !known.contains(command) {
            return Err(format!("an unknown command \\{command} in {place:?}"));
        }
    }
    let mut environments: Vec<String> = Vec::new();
    let mut read = Read::default();
    for (at, _) in plain.match_indices("\\begin{").chain(plain.match_indices("\\end{")).collect::<BTreeSet<_>>() {
        let rest = &plain[at..];
        let (kind, name) = rest.split_once('{').expect("a brace follows");
        let name = name.split_once('}').ok_or("an environment without end of its name")?.0;
        if kind == "\\begin" {
            environments.push(name.to_owned());
        } else if environments.pop().as_deref() != Some(name) {
            return Err(format!("\\end{{{name}}} does not end what is open"));
        }
        if kind == "\\begin" && matches!(name, "tabular" | "longtable") {
            read_table(rest, name, &mut read)?;
        }
    }
    if environments.is_empty() { Ok(read) } else { Err(format!("{environments:?} never end")) }
}

fn without_comment(line: &str) -> String {
    let mut text = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend([Some('\\'), chars.next()].into_iter().flatten()),
            '%' => break,
            c => text.push(c),
        }
    }
    text
}

/// Checks that braces are balanced, and that special characters occur only where they are allowed.
fn check_characters(text: &str) -> Result<(), String> {
    let (mut depth, mut math, mut escaped) = (0_i32, false, false);
    for (line, content) in text.lines().enumerate() {
        for c in content.chars() {
            let wrong = || Err(format!("{c:?} in line {}: {content}", line + 1));
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '{' => depth += 1,
                '}' if depth == 0 => return wrong(),
                '}' => depth -= 1,
                '$' => math = !math,
                '_' if content.contains("\\label{") || content.contains("\\ref{") => {}
                '^' | '_' if !math => return wrong(),
                '#' | '"' | '<' | '|' => return wrong(),
                // `>` is allowed only in the preamble of an S column.
                '>' if !content.starts_with("\\begin{") => return wrong(),
                c if c.is_control() => return wrong(),
                c if !c.is_ascii() && !('À'..='ž').contains(&c) => return wrong(),
                _ => {}
            }
        }
        escaped = false;
        if math {
            return Err(format!("a formula does not end in line {}: {content}", line + 1));
        }
    }
    if depth == 0 { Ok(()) } else { Err(format!("{depth} braces are never closed")) }
}

fn commands(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let doubled = text.split("\\\\");
    doubled.flat_map(|part| part.split('\\').skip(1).map(move |rest| (rest, part))).filter_map(|(rest, part)| {
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        (end > 0).then(|| (&rest[..end], part))
    })
}

/// Checks that every row has a cell for each column, and that numeric cells hold numbers.
fn read_table(text: &str, name: &str, read: &mut Read) -> Result<(), String> {
    let body = text.split_once(&format!("\\end{{{name}}}")).ok_or("a table without end")?.0;
    let (preamble, body) = body.split_once('\n').ok_or("a table without rows")?;
    let columns = column_types(preamble);
    let (head, body) = body.split_once("\\midrule").ok_or("a table without headings")?;
    let head = head.split_once("\\toprule").ok_or("a table without rule")?.1;
    for line in head.split("\\\\").map(|line| without_rules(line).trim().to_owned()).filter(|line| !line.is_empty()) {
        let cells = cells(&line).len();
        match line.contains("\\multicolumn{") {
            true => check_spans(&line, columns.len())?,
            false if cells != columns.len() => {
                return Err(format!("{cells} headings of {} columns: {line}", columns.len()));
            }
            false => {}
        }
    }
    // The heading of later pages is not a row.
    let body = body.split_once("\\endfoot").map_or(body, |(_, rows)| rows);
    for row in body.split("\\\\") {
        let row = row.trim_start_matches(|c: char| c.is_whitespace());
        let rules = ["\\addlinespace[2pt]", "\\midrule", "\\bottomrule"];
        let row =
            rules.iter().cycle().take(20).fold(row, |row, rule| row.strip_prefix(rule).unwrap_or(row).trim_start());
        let mut row = row;
        while let Some(rest) = row.strip_prefix("\\cmidrule(lr){") {
            row = rest.split_once('}').ok_or("a rule without end")?.1.trim_start();
        }
        if row.is_empty() {
            continue;
        }
        if row.contains("\\multicolumn{") {
            check_spans(row, columns.len())?;
            continue;
        }
        if row.starts_with(['[', '*']) {
            return Err(format!("the row would be an argument: {row}"));
        }
        let cells = cells(row);
        if cells.len() != columns.len() {
            return Err(format!("{} cells in {} columns: {row}", cells.len(), columns.len()));
        }
        for (cell, numeric) in cells.iter().zip(&columns).map(|(cell, numeric)| (cell.trim(), *numeric)) {
            // The background colour is at the start of the cell.
            let ground = cell.strip_prefix("\\cellcolor{").and_then(|rest| rest.split_once('}'));
            let cell = ground.map_or(cell, |(_, cell)| cell);
            if !numeric || cell.is_empty() || cell.starts_with('{') {
                continue;
            }
            let number =
                cell.strip_prefix("\\bfseries ").or_else(|| cell.strip_prefix("\\color{black!55} ")).unwrap_or(cell);
            // A number may be followed by its marks and, in braces, by the spread of its samples.
            let number =
                number.split("\\textsuperscript{").next().unwrap_or(number).split('{').next().unwrap_or(number);
            number.parse::<f64>().map_err(|_| format!("no number: {cell}"))?;
            read.numbers.push(number.to_owned());
        }
        read.rows += 1;
    }
    Ok(())
}

/// A line of headings without the rules before it.
fn without_rules(line: &str) -> &str {
    let mut line = line.trim_start();
    while let Some((_, rest)) = line.strip_prefix("\\cmidrule(lr){").and_then(|rest| rest.split_once('}')) {
        line = rest.trim_start();
    }
    line
}

/// Checks that the cells with column spans cover all columns together.
fn check_spans(row: &str, columns: usize) -> Result<(), String> {
    let mut spanned = 0;
    for cell in cells(row) {
        spanned += match cell.trim().strip_prefix("\\multicolumn{") {
            Some(rest) => {
                rest.split_once('}').and_then(|(count, _)| count.parse().ok()).ok_or("a span without count")?
            }
            None if cell.trim().is_empty() => 1,
            None => return Err(format!("a cell beside spans: {cell}")),
        };
    }
    if spanned == columns { Ok(()) } else { Err(format!("{spanned} of {columns} columns are spanned: {row}")) }
}

/// Whether each column of a preamble is numeric.
fn column_types(preamble: &str) -> Vec<bool> {
    let mut types = Vec::new();
    let mut depth = 0;
    for c in preamble.split_once("}{").map_or("", |(_, types)| types).chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            'S' if depth == 0 => types.push(true),
            'l' | 'p' if depth == 0 => types.push(false),
            _ => {}
        }
    }
    types
}

pub(crate) fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in row.chars() {
        match c {
            '&' if !escaped => cells.push(String::new()),
            c => cells.last_mut().expect("there is a first").push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    cells
}

/// Compiles tables with pdflatex, unchanged, in a document that loads what their first lines name; does nothing unless compiling
/// is enabled.
pub(crate) fn set_if_wanted(tables: &[String]) {
    if !papers_are_set() {
        return;
    }
    let needs = tables.iter().flat_map(|table| table.lines().filter_map(|line| line.strip_prefix("% needs ")));
    let needs: BTreeSet<&str> = needs.collect();
    let mut document = "\\documentclass{article}\n".to_owned();
    for need in needs {
        document.push_str(&format!("{need}\n"));
    }
    document.push_str("\\begin{document}\n");
    for table in tables {
        document.push_str(&format!("{table}\n\\clearpage\n"));
    }
    document.push_str("\\end{document}\n");
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    fs::write(folder.path().join("main.tex"), document).expect("a document");
    pdflatex(folder.path());
}

/// Compiles `main.tex` in a folder; returns LaTeX's log.
pub(crate) fn pdflatex(folder: &Path) -> String {
    let output = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "main.tex"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("pdflatex starts");
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    let mistake: Vec<&str> = log.lines().skip_while(|line| !line.starts_with('!')).take(8).collect();
    assert!(output.status.success(), "{}", mistake.join("\n"));
    assert!(folder.join("main.pdf").exists());
    log
}

/// Whether documents are compiled with LaTeX, which takes minutes: `make test-papers` enables it. Otherwise they are only parsed.
pub(crate) fn papers_are_set() -> bool {
    if std::env::var_os("DLBENCH_TEST_PAPERS").is_none() {
        return false;
    }
    for program in ["pdflatex", "bibtex"] {
        let version = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(version.is_ok_and(|status| status.success()), "NOT TESTED: {program} could not be had");
    }
    true
}

/// Compiles a document with its bibliography in three runs; returns the output of LaTeX and BibTeX.
pub(crate) fn with_bibliography(folder: &Path) -> (String, String) {
    pdflatex(folder);
    let output = Command::new("bibtex").arg("main").current_dir(folder).stdin(Stdio::null()).output();
    let output = output.expect("bibtex starts");
    let bibtex = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{bibtex}");
    pdflatex(folder);
    pdflatex(folder);
    (fs::read_to_string(folder.join("main.log")).expect("a log"), bibtex)
}

#[test]
fn real_answers_are_set_as_they_are() {
    let dlbench = Dlbench::on(REPOSITORY);
    let mut tables = Vec::new();
    for args in [
        &["fp16 V100 resnet152", "--label", "tab:v100", "--caption", "50% of {a_b} & #1 ~^\\"][..],
        &["a100 bert", "--limit", "60"],
        &["raspberry pi mobilenet", "--all"],
        &["tpu"],
        &["memory"],
        &["fpga"],
        &["lstm"],
        &["mlperf offline", "--columns", "device,label,throughput", "--group-by", "network"],
        &["apache c++ multi-server lstm", "--limit", "0"],
        &["apple m1", "--sort", "-throughput"],
    ] {
        let tex = dlbench.ok(&[&["query", "-f", "latex"], args].concat());
        let read = read(&tex).unwrap_or_else(|mistake| panic!("{args:?}: {mistake}\n{tex}"));
        assert!(read.rows > 0 || args.contains(&"0"), "{args:?}: {tex}");
        assert!(tex.starts_with("% dlbench query: ") && tex.contains("\n% content of the knowledge base: "), "{tex}");
        tables.push(tex);
    }
    for (question, heading) in [("fastest GPU for training resnet50", "{rank}"), ("RTX 4090 vs RTX 3090", "{ratio}")] {
        let tex = dlbench.ok(&["query", "-f", "latex", question]);
        // The answer as on the screen, with its sources as citations; rows only if columns are requested.
        assert!(tex.contains(heading) && tex.contains("\\cite{"), "{tex}");
        let rows = dlbench.ok(&["query", "-f", "latex", question, "--columns", "device,throughput"]);
        assert!(!rows.contains(heading), "{rows}");
        tables.push(tex);
    }
    set_if_wanted(&tables);
    let whole = dlbench.ok(&["query", "fp16 V100 resnet152", "-f", "latex", "--standalone"]);
    read(&whole).unwrap();
    assert!(whole.contains("\\documentclass") && whole.trim_end().ends_with("\\end{document}"), "{whole}");
}

#[test]
fn numbers_in_latex_are_the_values() {
    let dlbench = Dlbench::on_miniature();
    let tex = dlbench.ok(&["query", "deepnet", "-f", "latex", "--columns", "latency,throughput"]);
    let mut set: Vec<f64> = read(&tex).unwrap().numbers.iter().map(|number| number.parse().unwrap()).collect();
    let answer = dlbench.answer("deepnet");
    let values = |metric: &str| -> Vec<f64> {
        let measurements = answer["measurements"].as_array().unwrap();
        measurements.iter().filter_map(|measurement| measurement["metrics"][metric].as_f64()).collect()
    };
    let mut expected = [values("latency_ms"), values("throughput_per_s")].concat();
    set.sort_by(f64::total_cmp);
    expected.sort_by(f64::total_cmp);
    assert_eq!(set, expected);
}

#[test]
fn a_table_for_a_paper() {
    let tex = Dlbench::on_miniature().ok(&["query", "fp16 N100 deepnet50", "-f", "latex", "--label", "tab:nova"]);
    let hash = tex.lines().find_map(|line| line.strip_prefix("% content of the knowledge base: ")).expect("a hash");
    insta::assert_snapshot!(tex.replace(hash, "<hash>"));
}

#[test]
fn the_strict_reading_finds_mistakes() {
    for (wrong, mistake) in [
        ("a_b\n", "'_'"),
        ("50\\% of it {\n", "never closed"),
        ("\\input{x}\n", "unknown command \\input"),
        ("\\begin{table}\n\\end{tabular}\n", "does not end"),
        (
            "\\begin{tabular}{ll}\n\\toprule\na & b \\\\\n\\midrule\na & b & c \\\\\n\\end{tabular}\n",
            "3 cells in 2 columns",
        ),
        (
            "\\begin{tabular}{lS[table-format=1]}\n\\toprule\na & b \\\\\n\\midrule\na & b \\\\\n\\end{tabular}\n",
            "no number",
        ),
        ("\\begin{tabular}{l}\n\\toprule\na \\\\\n\\midrule\n[b] \\\\\n\\end{tabular}\n", "argument"),
        ("a\u{202e}b\n", "202e"),
        (
            "\\begin{tabular}{lll}\n\\toprule\na & b & c \\\\\n\\midrule\n & \\multicolumn{3}{c}{a} \\\\\n\\end{tabular}\n",
            "4 of 3 columns",
        ),
    ] {
        let read = read(wrong);
        assert!(read.as_ref().is_err_and(|found| found.contains(mistake)), "{wrong}: {read:?}");
    }
}
