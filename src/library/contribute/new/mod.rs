//! Creates a catalog entry, measurement or suite: turns a kind, a name and facts into the text of a file.

mod draft;
mod entity;
mod measurement;
mod request;

use std::path::Path;

pub use draft::{NewError, NoSuchKey};
pub use request::{Interview, NewFile, NewKind, NewRequest, NoInterview};

use crate::reading::Loaded;

/// Builds the new file from the request and the interview's answers, with names replaced by catalog ids. A measurement
/// is appended to the current text of its file under `root`. Writes nothing.
///
/// # Errors
///
/// When the entry already exists, a key or name is unknown, or the answers end early.
pub fn new_file(
    request: &NewRequest,
    catalog: &Loaded,
    root: &Path,
    interview: &mut dyn Interview,
) -> Result<NewFile, NewError> {
    match request.kind.entity() {
        Some(kind) => entity::file(request, kind, catalog, interview),
        None if request.kind == NewKind::Suite => measurement::suite_file(request, catalog, interview),
        None => measurement::file(request, catalog, root, interview),
    }
}

#[cfg(test)]
mod tests {
    use super::request::NoInterview;
    use super::*;
    use crate::reading;
    use crate::reading::FileKind;
    use crate::values::Date;

    /// An interview with prepared answers.
    struct Answers(std::str::Lines<'static>);

    impl Interview for Answers {
        fn ask(&mut self, _: &str, _: &str) -> Result<Option<String>, NewError> {
            let answer = self.0.next().ok_or(NewError::AnswersEnd)?;
            Ok((!answer.is_empty()).then(|| answer.to_owned()))
        }

        fn refuse(&mut self, why: &str) {
            NoInterview.refuse(why);
        }

        fn tell(&mut self, remark: &str) {
            NoInterview.tell(remark);
        }
    }

    fn miniature() -> (&'static Path, Loaded) {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../acceptance/kb"));
        let is_catalog = |file: &reading::KbFile| !matches!(file.kind, FileKind::Measurements(_) | FileKind::Recipe);
        let files: Vec<_> = reading::list(root).unwrap().into_iter().filter(is_catalog).collect();
        (root, reading::load(root, &files))
    }

    /// The text of the new file for these answers.
    fn answered(kind: NewKind, name: &str, answers: &'static str) -> Result<String, NewError> {
        let request = NewRequest {
            kind,
            name: name.to_owned(),
            id: None,
            facts: Vec::new(),
            source: None,
            url: None,
            title: None,
            today: "2026-11-21".parse::<Date>().ok(),
        };
        let (root, catalog) = miniature();
        Ok(new_file(&request, &catalog, root, &mut Answers(answers.lines()))?.text)
    }

    #[test]
    fn what_cannot_be_right_is_asked_for_again() {
        let answers =
            "nova-200\nnova-100\n24 GB\n24\n800\n300\n2020-13\n2020\n\n\nNova Two Hundred\nimagined\ninvented-2020\n";
        insta::assert_snapshot!(answered(NewKind::Device, "Nova 200", answers).unwrap(), @r#"
        name = "Nova 200"
        aliases = ["Nova Two Hundred"]
        variant-of = "nova-100"
        class = "gpu"
        vendor = "Acme"
        architecture = "Supernova"
        memory-gib = 24
        bandwidth-gb-per-s = 800
        tdp-w = 300
        release-date = "2020"

        [[sources]]
        source = "invented-2020"
        "#);
        let answers = "invented\ninvented-2020\nFirelight 1.2\nNova 300\nNova 100 16GB\nDN51\nDN50\ninference\neval\n\
                       half\nfp16\nsixteen\n16\nimages\nimage\nmean\n8,2\n8.2\n";
        insta::assert_snapshot!(answered(NewKind::Measurement, "mine", answers).unwrap(), @r#"
        [[run]]
        framework = "firelight"
        framework-version = "1.2"
        framework-raw = "Firelight 1.2"
        device = "nova-100-16gb"
        device-raw = "Nova 100 16GB"
        network = "deepnet-50"
        network-raw = "DN50"
        stage = "eval"
        precision = "fp16"
        batch-size = 16
        statistic = "mean"
        counts = "image"
        latency-ms = 8.2
        "#);
        let answers = "Doe, Jane; Roe, Richard\n\n26\n2026\nexample.org\nhttps://example.org/\nMIT\n\n";
        let source = answered(NewKind::Source, "A Page", answers).unwrap();
        insta::assert_snapshot!(source, @r#"
        name = "A Page"
        type = "misc"
        authors = ["Doe, Jane", "Roe, Richard"]
        year = 2026
        url = "https://example.org/"
        accessed = 2026-11-21
        license = "MIT"
        "#);
    }

    #[test]
    fn a_suite_names_networks_as_people_do() {
        let answers = "DN51, DN50\nDeepNet 101, DN50\ninference\neval, train\nfp32\none\n1, 16\n";
        insta::assert_snapshot!(answered(NewKind::Suite, "Quick look", answers).unwrap(), @r#"
        name = "Quick look"

        [[part]]
        networks = ["deepnet-101", "deepnet-50"]
        stages = ["eval", "train"]
        precisions = ["fp32"]
        batch-sizes = [1, 16]
        "#);
    }

    #[test]
    fn when_the_answers_end_nothing_is_made() {
        let ended = answered(NewKind::Device, "Nova 200", "nova-100\n24\n").unwrap_err();
        assert_eq!(ended.to_string(), "the answers end here; nothing was written");
    }
}
