//! What holds of the spans of every question.

use dlbench::ask::parse::Span;

/// What was read lies in the question one behind the other, and nothing between has a letter or a digit.
pub fn tiles(question: &str, spans: &[Span]) {
    let gap = |text: &str| assert!(!text.contains(char::is_alphanumeric), "{question:?}: {text:?} lies in no span");
    let mut behind = 0;
    for span in spans {
        assert!(span.from >= behind, "{question:?}: {spans:?}");
        assert_eq!(question.get(span.from..span.to), Some(span.text.as_str()), "{question:?}: {spans:?}");
        gap(&question[behind..span.from]);
        behind = span.to;
    }
    gap(&question[behind..]);
}
