//! Arbitrary text as a question: it is answered, or refused with an error location inside it; and its reading, asked again as
//! filters, finds the same.

use dlbench::KnowledgeBase;
use dlbench::ask::parse::{QueryError, Span};

use super::{Target, Verdict, bytes};
use crate::attack::workshop::Workshop;

pub fn target() -> Target {
    let questions = [
        "fp16 nova deepnet",
        "fastest device for training deepnet-50 on tiny-pictures",
        "nova 100 vs weave 9 deepnet eval batch 16",
        "speed-up of fp16 over fp32 on nova",
        "device:nova-100 batch>=32 latency<40 stage:train,eval -framework:gridflow sort:-throughput",
        "\"ran beside\" (firelight OR gridflow) year:2018..2020 n:10",
        "frameworks with a java api under apache license, not inactive",
        "which hardware class is best at energy efficiency",
        "how many devices have more than 16 GB of memory",
        "images per watt of the weave 9 under 30 W in int8",
        "deepnet50 scaling 1 to 8 nova 100",
        "has anybody measured oom on nova-100-16gb before 2020-01-01?",
    ];
    Target::new("question", bytes(&questions), || {
        let workshop = Workshop::new();
        move |input| read(&workshop.kb, &String::from_utf8_lossy(input))
    })
}

/// Checks that the spans lie in the question in order, and that the gaps have no letter or digit.
fn tiles(question: &str, spans: &[Span]) -> Result<(), String> {
    let mut behind = 0;
    for span in spans {
        let Some(text) = question.get(span.from..span.to).filter(|_| span.from >= behind) else {
            return Err(format!("{}..{} lies wrong: {spans:?}", span.from, span.to));
        };
        if text != span.text {
            return Err(format!("{text:?} is read as {:?}", span.text));
        }
        gap(&question[behind..span.from])?;
        behind = span.to;
    }
    gap(&question[behind..])
}

fn gap(text: &str) -> Result<(), String> {
    if text.chars().any(char::is_alphanumeric) { Err(format!("{text:?} lies in no span")) } else { Ok(()) }
}

/// Asks a question and judges the answer.
pub fn read(kb: &KnowledgeBase, question: &str) -> Verdict {
    match kb.query(question) {
        Ok(answer) => {
            let json = serde_json::to_string(&answer).map_err(|error| error.to_string())?;
            if json.contains("null,\"value\":0,") {
                return Err(format!("a value of nothing: {json}"));
            }
            tiles(question, &answer.read_as)?;
            // Unknown words may stop a question; what was understood would then find more.
            if answer.is_stopped {
                let is_told = answer.total == 0 && !answer.unread.is_empty();
                return if is_told { Ok(true) } else { Err(format!("stopped by no word: {} rows", answer.total)) };
            }
            match kb.query(&answer.question) {
                Ok(again) if again.total == answer.total => Ok(true),
                Ok(again) => Err(format!("{} rows, and {} to {:?}", answer.total, again.total, answer.question)),
                Err(error) => Err(format!("its equivalent {:?}: {error}", answer.question)),
            }
        }
        Err(QueryError::Grammar(mistake)) => match question.get(mistake.span.clone()) {
            Some(_) if !mistake.message.is_empty() && !mistake.label.is_empty() => Ok(false),
            place => Err(format!("{mistake:?} at {place:?}")),
        },
        Err(failure) => Err(failure.to_string()),
    }
}
