//! A question as chips: each part of its canonical form can be removed or replaced individually.

use maud::{Markup, html};

use super::links::about;
use dlbench::ask::answer::{Answer, Words, key_name};
use dlbench::ask::parse::{Filter, How, Question, Term, print, print_filter};
use dlbench::rows::EntityCache;

/// A keyword of the explicit language: its prefix, its label, and how to remove it from a question.
type Directive = (&'static str, &'static str, fn(&mut Question));

/// A part of a question.
struct Chip {
    /// Its label.
    label: String,
    /// Its value.
    value: String,
    /// Its canonical form.
    canonical: String,
    /// The question without it.
    rest: String,
}

/// The chips of a question; `can_change` says whether a server answers the forms that replace one.
pub(super) fn chips(answer: &Answer, can_change: bool) -> Markup {
    let names = EntityCache::of_catalog(&answer.catalog).with_names(&answer.names);
    let words = Words { names: &names, typed: &answer.read_as };
    let unread = answer.read_as.iter().filter(|span| span.how.is_unread());
    let nearest = answer.read_as.iter().filter(|span| span.how == How::Nearest);
    html! {
        ul.chips aria-label="The question, part by part" {
            @for chip in parts(&answer.asked, words) {
                li.chip {
                    @if can_change {
                        details {
                            summary { span.label { (chip.label) } (chip.value) }
                            form action="/query/change" {
                                input type="hidden" name="question" value=(chip.rest);
                                input name="with" value=(chip.canonical) aria-label={ "Replace " (chip.value) };
                                button { "Change" }
                            }
                        }
                    } @else {
                        span { span.label { (chip.label) } (chip.value) }
                    }
                    @if !chip.rest.is_empty() {
                        a.remove href=(about("/query", &chip.rest)) aria-label={ "Remove " (chip.value) } { "×" }
                    }
                }
            }
            @for span in unread { li.chip.unread { span { span.label { "not read" } (span.text) } } }
            @for span in nearest { li.chip.near { span { span.label { "read as nearest" } (span.text) } } }
        }
    }
}

/// The canonical question without its `ask:` keyword, which follows from the rest.
fn without_kind(question: &Question) -> String {
    let kind = format!("ask:{}", question.ask);
    let text = print(question);
    text.split(' ').filter(|part| *part != kind).collect::<Vec<_>>().join(" ")
}

/// The parts of a question, in the order of its canonical form.
fn parts(question: &Question, words: Words<'_>) -> Vec<Chip> {
    let mut chips = Vec::new();
    for at in 0..question.sides.len() {
        let mut rest = question.clone();
        let side = rest.sides.remove(at);
        // A single remaining side becomes the subject of the question.
        let is_compared = rest.sides.len() > 1;
        if !is_compared {
            let terms = rest.sides.drain(..).flat_map(|side| side.terms);
            rest.subject.terms = terms.chain(rest.subject.terms.clone()).collect();
            rest.holds = false;
        }
        chips.push(Chip {
            label: if at == 0 { "compare" } else { "with" }.to_owned(),
            value: words.filter(&side),
            canonical: print_filter(&side),
            rest: if is_compared { print(&rest) } else { without_kind(&rest) },
        });
    }
    for at in 0..question.subject.terms.len() {
        let mut rest = question.clone();
        let term = rest.subject.terms.remove(at);
        let label = label_of(&term);
        let filter = Filter { terms: vec![term] };
        chips.push(Chip { label, value: words.filter(&filter), canonical: print_filter(&filter), rest: print(&rest) });
    }
    // The other parts are single keywords of the explicit language.
    let printed = print(question);
    let directives: [Directive; 9] = [
        ("show:", "show", |rest| rest.wants.clear()),
        ("best:", "best by", |rest| (rest.order, rest.of) = (None, None)),
        ("worst:", "worst by", |rest| (rest.order, rest.of) = (None, None)),
        ("most:", "most", |rest| (rest.order, rest.of) = (None, None)),
        ("least:", "least", |rest| (rest.order, rest.of) = (None, None)),
        ("along:", "along", |rest| rest.along = None),
        ("reach:", "evidence of", |rest| rest.reach = Default::default()),
        ("take:", "first", |rest| rest.take = None),
        ("sort:", "in order of", |rest| rest.sort = None),
    ];
    for (prefix, label, without) in directives {
        let Some(part) = printed.split(' ').find(|part| part.starts_with(prefix)) else { continue };
        let mut rest = question.clone();
        without(&mut rest);
        let value = match part[prefix.len()..].strip_prefix('-') {
            Some(key) => format!("{}, largest first", key_name(key)),
            None => part[prefix.len()..].split(',').map(key_name).collect::<Vec<_>>().join(", "),
        };
        let keeps_kind = matches!(prefix, "take:" | "sort:" | "reach:");
        let rest = if keeps_kind { print(&rest) } else { without_kind(&rest) };
        chips.push(Chip { label: label.to_owned(), value, canonical: part.to_owned(), rest });
    }
    // Without its only part, the question would be empty.
    if let [only] = chips.as_mut_slice() {
        only.rest.clear();
    }
    chips
}

/// The label of a filter's term.
fn label_of(term: &Term) -> String {
    match term {
        Term::Test(test) => key_name(test.key.key()).to_owned(),
        Term::Not(_) => "without".to_owned(),
        Term::Any(filters) => {
            filters.first().and_then(|filter| filter.terms.first()).map_or_else(String::new, label_of)
        }
    }
}
