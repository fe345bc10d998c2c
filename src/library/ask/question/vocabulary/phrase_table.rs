//! A table of phrases by the form in which they are compared. A program that answers one question makes it of thousands and looks
//! up a few, so that no form is kept: each is made out byte by byte where it is needed.

use std::borrow::Cow;

use super::meaning::Meaning;
use crate::values::spelling::normal_bytes;

/// Phrases and what they mean, in the places that follow from their forms (open addressing: Knuth, The Art of Computer Programming,
/// volume 3, section 6.4, algorithm L).
#[derive(Debug, Default)]
pub(super) struct PhraseTable {
    phrases: Vec<(Cow<'static, str>, Meaning)>,
    /// The index plus one of the phrase at each place; 0 where there is none. A power of two, twice as many as phrases or more.
    places: Vec<u16>,
}

impl PhraseTable {
    /// The table of phrases in ASCII; of two with one form the later counts.
    pub fn of(phrases: Vec<(Cow<'static, str>, Meaning)>) -> Self {
        let mut table = Self { places: vec![0; (2 * phrases.len() + 1).next_power_of_two()], phrases };
        for at in 0..table.phrases.len().min(u16::MAX.into()) {
            let place = table.place(normal_bytes(&table.phrases[at].0));
            table.places[place] = at as u16 + 1;
        }
        table
    }

    /// What the phrase of a form means.
    pub fn get(&self, normal: &str) -> Option<Meaning> {
        let at = *self.places.get(self.place(normal.bytes()))?;
        Some(self.phrases[usize::from(at.checked_sub(1)?)].1)
    }

    /// Where the phrase of a form is, or would be.
    fn place(&self, form: impl Iterator<Item = u8> + Clone) -> usize {
        let last = self.places.len().saturating_sub(1);
        let mut place = spread(form.clone()) as usize & last;
        // Half of all places are free.
        while let Some(at) = self.places.get(place).and_then(|at| at.checked_sub(1)) {
            if normal_bytes(&self.phrases[usize::from(at)].0).eq(form.clone()) {
                break;
            }
            place = (place + 1) & last;
        }
        place
    }
}

/// A number that forms have by all of their bytes (FNV-1a), the upper half of its bits folded onto the lower.
fn spread(form: impl Iterator<Item = u8>) -> u64 {
    let all = form.fold(0xcbf2_9ce4_8422_2325_u64, |all, byte| (all ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    all ^ (all >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::EntityKind;

    #[test]
    fn each_phrase_is_found_by_its_form_and_the_later_of_two_counts() {
        let numbers: Vec<String> = (0..3000).map(|number| format!("Phrase {number}")).collect();
        let mut phrases: Vec<(Cow<'static, str>, Meaning)> =
            numbers.iter().map(|phrase| (phrase.clone().into(), Meaning::Nothing)).collect();
        phrases.push(("phrase-7".into(), Meaning::About(EntityKind::Device)));
        let table = PhraseTable::of(phrases);
        for number in 0..3000 {
            let meaning = table.get(&format!("phrase{number}"));
            match number {
                7 => assert!(matches!(meaning, Some(Meaning::About(EntityKind::Device)))),
                _ => assert!(matches!(meaning, Some(Meaning::Nothing)), "{number}"),
            }
        }
        for other in ["phrase", "phrase3000", "", "phrase 7", "é"] {
            assert!(table.get(other).is_none(), "{other}");
        }
        assert!(PhraseTable::of(Vec::new()).get("").is_none() && PhraseTable::default().get("a").is_none());
    }
}
