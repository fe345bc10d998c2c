//! Words of everyday English, and of the field, that constrain nothing.

/// Words, each line a kind of them.
pub(super) const FILLERS: &[&str] = &[
    // Articles, pronouns, prepositions, conjunctions.
    "a an the this that these those it its itself they them their there here one's i i'm i've me my mine we us our you your",
    "he she his her who whom whose what which's where when why and but if then so because while though although",
    "of on in at by for from to into onto with within over under about between among through during per via as like",
    "according across around near up down out off out-of else either each every any some all other others another same such just",
    // Verbs that carry a question.
    "be been being was were had am would should shall may might must did doing done wins win",
    "get gets got getting give gives go goes going gonna make makes made take takes took need needs needed want wants",
    "timing timings know think tell show shows find see say says said look looking please thanks thank hi hello ask asking wonder",
    "wondering try trying tried use uses used using run runs ran running work works working happen happens seem seems",
    "expect expected get's reach reaches achieve achieves perform performs performed observe observed able unable exist",
    "stated submitted produced performed developed built draw draws drawing consume consumes consuming",
    "contain contains containing include includes including consist consists",
    "given gave something anything everything that's there's exists come comes keep keeps let lets put choose pick select recommend recommended suggest measure measured",
    "measuring reported report test tests testing benchmarked benchmarking compute computes beginners beginner noob",
    // How much and how many.
    "much many more less few lot lots several bit very really quite too also even still yet already ever nearly",
    "almost about approximately roughly around exactly maybe perhaps probably actually currently now today often usually",
    "typical typically average total overall general generally kind kinds sort type types way ways thing things stuff",
    "times time long short big small large high low higher lower bigger smaller larger greater longer shorter fast slow",
    "quick quickly well okay ok real-world real world practical practice number numbers amount value values figure figures",
    // Words of the field.
    "deep learning dl batch machine ml ai artificial intelligence neural benchmark benchmarks performance performances",
    "result results row rows score scores data model rate rates setup setups configuration config settings setting usage",
    "workload workloads application applications task's rig server's machine's computer pc workstation home budget's",
    "until till production included measurement measurements project research hobby purposes purpose case cases scenario scenarios comparison's efficient's second seconds sec minute minutes hour hours",
    "chip chips card cards board boards accelerator accelerators hardware software system systems platform platforms processing calculation calculations op ops operation operations",
    "backend support supports image images token tokens sample samples frame frames video sequence sequences inputs input",
    "output outputs layer model's run's cloud instance instances online paper instruct chat amount's public open source available nowadays version edge-ai",
    "class modern common state art sota dependence depends depend",
    "increase increases decrease decreases reduce reduces change changes affect affects grow grows drop drops",
    "mean means meaning advantage matter matters linear linearly proportionally badly poorly soc socs way's",
    "generation one ones once own five six seven nine ten eleven twelve pls plz lol btw hey thx etc year years database databases db catalog catalogue powerful",
    "piece pieces pcs bad poor table column generate generates generated i'd i'll we'd you'd shouldn't wouldn't couldn't normal true confirm offer offers offered",
    "factor factors gap gaps percent percentage ratio cluster clusters box boxes target targets",
    "halve halves halved halving double doubles doubled doubling twice triple triples tripled",
    "pixels px recorded whatever whatsoever anyone's",
    "info information details mark marks marked manage manages managed cover covers covered occur occurs occurring appear appears kb lib",
    "hold holds saturate saturates saturated maximize maximizes maximise maximises",
    "geometric geomean plain vanilla stock raw mostly difference's vs.' user users people anyone someone somebody question answer",
];

/// Those of them that narrow what stands beside them: `fast`, `cloud`, `small`. They constrain nothing by themselves, and where
/// nothing is made of one that is told.
const QUALIFIERS: &[&str] = &[
    "long short big small large high low higher lower bigger smaller larger greater longer shorter fast slow quick quickly",
    "powerful modern cloud online workstation pc video layer user users geometric geomean",
    "bad poor table column same minute minutes hour hours",
];

/// Those of them that ask what one thing does to another.
const CHANGES: &[&str] =
    &["increase increases decrease decreases reduce reduces change changes affect affects grow grows drop drops"];

/// Phrases that say nothing although a part of them might.
pub(super) const PHRASES: &[&str] = &[
    "deep learning",
    // Pairs are of as many devices anyway.
    "same number of gpus",
    "same number of devices",
    "same number of chips",
    "same number of accelerators",
    "same gpu count",
    "same device count",
    "same chip count",
    "equal number of gpus",
    "equal number of devices",
    "equal number of chips",
    "equal chip count",
    "equal gpu count",
    "equal device count",
    "machine learning",
    "neural network",
    "neural networks",
    "deep neural network",
    "deep neural networks",
    "deep learning benchmark",
    "deep learning benchmarks",
    "open source",
    "open-source",
    "real world",
    "per gpu hour",
    "per gpu-hour",
    "on device",
    "on-device",
    "state of the art",
    "most often",
    "most frequently",
    "most of the time",
    "right now",
    "at least one",
    "at most",
    "at the most",
    "what kind of",
    "what type of",
    "do you know",
    "does anyone know",
    "in terms of",
    "when it comes to",
    "with respect to",
    "as much as",
    "out there",
    "a lot",
    "no idea",
    "of developing",
    "to develop",
    "to design",
    "you have numbers for",
    "you know of",
    "you know",
    "at once",
    "at the same time",
    "in practice",
    "based solution",
    "based solutions",
    "any hardware",
    "on any hardware",
    "not only",
    "not just",
    "or not",
    "if not",
    "why not",
    "whether or not",
    "no. of",
    "at the core",
    "at its core",
    "at their core",
    "at heart",
    "no results",
    "any evidence",
    "evidence for it",
    "evidence for this",
    "back it up",
    "backs it up",
    "back up",
    "backed up by",
    "backed by",
    "no data",
    "no numbers",
    "no benchmarks",
    "no measurements",
    "no problem",
    "no matter",
    "is that normal",
    "is this normal",
    "is it normal",
    "true or not",
    "true or false",
    "is that true",
    "is it true",
    "is it true that",
    "is that right",
    "is that so",
    "right or wrong",
    "is it right",
    "is it right today",
    "is that correct",
    "can you confirm",
    "can you confirm that",
    "can anyone confirm",
    "say so too",
    "do you see that",
    "do you see that too",
    "do you see that in the data",
    "what do your numbers say",
    "what does your data say",
    "as expected",
    "what was published",
    "what has been published",
    "was published for",
    "what got published",
    "papers say",
    "do papers say",
    "do some papers say",
    "some papers say",
    "some papers state",
    "papers state",
    "papers claim",
    "some sources say",
    "have anything to do with",
    "how sure is that",
    "how sure is this",
    "how certain is that",
    "in that table",
    "in this table",
    "on board",
    "on-board",
    "names of",
];

/// Whether a word in lower case is one of them.
pub(super) fn is_filler(word: &str) -> bool {
    is_among(FILLERS, word)
}

/// Whether a word in lower case narrows what stands beside it.
pub(in crate::ask::question) fn is_qualifier(word: &str) -> bool {
    is_among(QUALIFIERS, word)
}

/// Whether a word in lower case asks what one thing does to another.
pub(in crate::ask::question) fn is_of_change(word: &str) -> bool {
    is_among(CHANGES, word)
}

fn is_among(lines: &[&str], word: &str) -> bool {
    lines.iter().any(|line| line.split(' ').any(|one| one == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_narrows_or_asks_for_a_change_constrains_nothing_by_itself() {
        for word in QUALIFIERS.iter().chain(CHANGES).flat_map(|line| line.split(' ')) {
            assert!(is_filler(word), "{word}");
        }
    }
}
