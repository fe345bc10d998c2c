//! Real spellings from the sources with their right readings: the resolver may not know, but may not be wrong in silence.

use dlbench::KnowledgeBase;
use dlbench::model::Facet;
use dlbench::stores::resolve::{Certainty, Resolved};

use crate::{Dlbench, REPOSITORY};

/// One spelling of a source and its right reading.
struct Labelled<'t> {
    facet: Facet,
    spelling: &'t str,
    reading: &'t str,
    ids: Vec<&'t str>,
    count: &'t str,
    instance: &'t str,
    slice: &'t str,
}

const TABLES: &[&str] =
    &[include_str!("strings/gpus.tsv"), include_str!("strings/chips.tsv"), include_str!("strings/names.tsv")];

/// Of the labelled spellings, so many in a thousand are read right today; raise it with every mend, never lower it.
const RIGHT_PER_MILLE: usize = 900;

#[test]
fn real_spellings_are_read_right_or_said_to_be_unknown() {
    let kb =
        KnowledgeBase::open_with_cache(REPOSITORY, Dlbench::on(REPOSITORY).cache).expect("the knowledge base opens");
    let labelled: Vec<Labelled<'_>> = TABLES.iter().flat_map(|table| table.lines()).map(labelled).collect();
    assert!(labelled.len() >= 300, "{} spellings", labelled.len());
    let mut right = 0;
    let mut wrong = Vec::new();
    let mut missed = Vec::new();
    for label in &labelled {
        let read = kb.resolve(label.facet, label.spelling).expect("the store answers");
        match judge(label, &read) {
            Verdict::Right => right += 1,
            Verdict::Missed => missed.push(told(label, &read)),
            Verdict::Wrong => wrong.push(told(label, &read)),
        }
    }
    println!("{right} of {} spellings are read right", labelled.len());
    println!("not read, and said so ({}):\n{}", missed.len(), missed.join("\n"));
    assert!(wrong.is_empty(), "read wrong in silence ({}):\n{}", wrong.len(), wrong.join("\n"));
    assert!(right * 1000 >= labelled.len() * RIGHT_PER_MILLE, "only {right} of {} are right", labelled.len());
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    /// It says that it does not know, or knows less than is stated.
    Missed,
    /// It names something else than the source did.
    Wrong,
}

fn judge(label: &Labelled<'_>, read: &Resolved) -> Verdict {
    let reading: &str = read.reading.into();
    let stated =
        |stated: &str, read: Option<String>| stated.is_empty() && read.is_none() || read.as_deref() == Some(stated);
    let mut read_ids: Vec<&str> = read.ids.iter().map(String::as_str).collect();
    let mut right_ids = label.ids.clone();
    read_ids.sort_unstable();
    right_ids.sort_unstable();
    let same_ids = read_ids == right_ids;
    let same_count = stated(label.count, read.count.map(|count| count.to_string()));
    let same_place = stated(label.instance, read.instance.clone()) && stated(label.slice, read.slice.clone());
    if reading == label.reading && same_ids && same_count && same_place {
        return Verdict::Right;
    }
    match read.reading {
        // A wrong count would enter the knowledge base; a missing one does not.
        _ if read.count.is_some() && !same_count => Verdict::Wrong,
        Certainty::Unknown | Certainty::Ambiguous | Certainty::List => Verdict::Missed,
        Certainty::Family if label.reading == "sku" => Verdict::Missed,
        _ if reading == label.reading && same_ids => Verdict::Missed,
        _ => Verdict::Wrong,
    }
}

fn told(label: &Labelled<'_>, read: &Resolved) -> String {
    format!(
        "  {} {:?}: {} {:?} x{} where {} {:?} x{} is right",
        label.facet,
        label.spelling,
        read.reading,
        read.ids,
        read.count.map_or_else(String::new, |count| count.to_string()),
        label.reading,
        label.ids,
        label.count,
    )
}

fn labelled(line: &str) -> Labelled<'_> {
    let cells: Vec<&str> = line.split('\t').collect();
    let cell = |at: usize| cells.get(at).copied().unwrap_or_default().trim();
    Labelled {
        facet: cell(0).parse().unwrap_or_else(|_| panic!("{line:?} begins with a kind")),
        spelling: cell(2),
        reading: cell(3),
        ids: cell(4).split(',').filter(|id| !id.is_empty()).collect(),
        count: cell(5),
        instance: cell(6),
        slice: cell(7),
    }
}

#[test]
fn a_wrong_reading_is_told_from_a_missing_one() {
    let label = labelled("device\ts\tV100\tfamily\ttesla-v100\t8\t\t");
    let read = |reading, ids: &[&str], count| Resolved {
        input: "V100".to_owned(),
        reading,
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
        count,
        instance: None,
        host: None,
        slice: None,
        version: None,
        weight_format: None,
        activation_format: None,
        quantization: None,
        why: String::new(),
    };
    assert_eq!(judge(&label, &read(Certainty::Family, &["tesla-v100"], Some(8))), Verdict::Right);
    assert_eq!(judge(&label, &read(Certainty::Family, &["tesla-v100"], None)), Verdict::Missed);
    assert_eq!(judge(&label, &read(Certainty::Unknown, &[], None)), Verdict::Missed);
    assert_eq!(judge(&label, &read(Certainty::Family, &["tesla-v100"], Some(4))), Verdict::Wrong);
    assert_eq!(judge(&label, &read(Certainty::Sku, &["tesla-v100-sxm2-16gb"], Some(8))), Verdict::Wrong);
}
