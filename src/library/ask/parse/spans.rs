//! Tiles the words of a question with pieces: names, phrases of the lexicon, numbers, and unread words.

use std::ops::Range;

use super::lexicon::{LONGEST_PHRASE, Section, Subject, meaning, meanings, nearest_phrase, order_of, quantity};
use super::names::{Reading, nearest_name, read_name};
use super::piece::{Means, Number, Piece, Word};
use super::question::{Is, Key, Quantity, Test};
use super::span::{How, Span};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Lookup, Metric};
use crate::stores::resolve::{boilerplate, is_english, is_product_line, look_up_words, names_within};
use crate::values::text::normalise;

/// Splits a text into words. Signs that link two words (`fp16|fp32`, `K80→V100`, `fp16/bf16`) become separate words.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    for chunk in text.split_whitespace() {
        let start = chunk.as_ptr() as usize - text.as_ptr() as usize;
        match chunk.len() {
            ..=LONGEST_CHUNK => push_chunk(chunk, start, &mut words),
            _ => words.push(Word { text: chunk, from: start, comma: false }),
        }
    }
    words
}

/// A longer chunk without spaces is not split: it is one unread word.
const LONGEST_CHUNK: usize = 256;

fn push_chunk<'t>(chunk: &'t str, start: usize, words: &mut Vec<Word<'t>>) {
    const OPENING: &[char] = &['(', '[', '{', '"', '\'', '“', '‘'];
    const CLOSING: &[char] = &[')', ']', '}', '"', '\'', ',', ';', '?', '!', '.', ':', '”', '’'];
    let without = chunk.trim_start_matches(OPENING);
    let opened = chunk.len() - without.len();
    let stripped = without.trim_end_matches(CLOSING);
    if !stripped.is_empty() {
        push_stripped(stripped, start + opened, words);
    }
    if without[stripped.len()..].contains([',', ';', ':', '.', '?'])
        && let Some(last) = words.last_mut()
    {
        last.comma = true;
    }
}

fn push_stripped<'t>(text: &'t str, start: usize, words: &mut Vec<Word<'t>>) {
    if let Some(at) = divided_at(text) {
        let head = Some(text[..at].trim_end_matches('-')).filter(|head| !head.is_empty());
        words.push(Word { text: head.unwrap_or(&text[..at]), from: start, comma: false });
        return push_chunk(&text[at..], start + at, words);
    }
    let Some(link) = link_in(text).filter(|link| link.len() < text.len()) else {
        return words.push(Word { text, from: start, comma: false });
    };
    if link.start > 0 {
        push_chunk(&text[..link.start], start, words);
    }
    match &text[link.clone()] {
        "," => words.iter_mut().next_back().into_iter().for_each(|last| last.comma = true),
        sign => words.push(Word { text: sign, from: start + link.start, comma: false }),
    }
    if link.end < text.len() {
        push_chunk(&text[link.end..], start + link.end, words);
    }
}

/// Splits `iPhone's`, `-tensorflow`, `non-GPU`, `two-GPU`, `bert-99.9`, `Kepler-based`, `ipu-pod16`, `8xV100`, `2x24GB` in two.
fn divided_at(text: &str) -> Option<usize> {
    match text.find('-') {
        _ if text.ends_with("'s") && is_owner(&text[..text.len() - 2]) => Some(text.len() - 2),
        Some(0) if text[1..].starts_with(char::is_alphabetic) => Some(1),
        Some(3) if text[..3].eq_ignore_ascii_case("non") => Some(3),
        Some(at) if matches!(&text[at..], "-99" | "-99.9") => Some(at + 1),
        Some(at) if at > 2 && ["-based", "-style"].contains(&&*text[at..].to_lowercase()) => Some(at + 1),
        Some(at) if is_number(&text[..at]) && meaning(&normalise(&text[at..]), Section::Kind).is_some() => Some(at + 1),
        Some(at) if text[at + 1..].get(..3).is_some_and(|pod| pod.eq_ignore_ascii_case("pod")) => Some(at + 1),
        Some(at) if matches!(&text[..at], "pre" | "post") && text[at + 1..].starts_with("20") => Some(at + 1),
        _ => {
            let (at, sign) = text.char_indices().find(|(_, c)| matches!(c, 'x' | 'X' | '×'))?;
            let end = at + sign.len_utf8();
            is_times(&text[..at], &text[end..]).then_some(end)
        }
    }
}

/// Whether the word before `'s` is a name, not `what` or `it`: short English words are not names.
fn is_owner(word: &str) -> bool {
    !is_english(&word.to_lowercase())
        || word.len() > 4 && word.starts_with(char::is_uppercase) && word != "There" && word != "Where"
}

/// Whether a multiplication sign follows a count and precedes a name or a size: `8x` of `8xV100`, `2x` of `2x4090`.
fn is_times(count: &str, rest: &str) -> bool {
    // The 7900 of `7900xtx` is not a count.
    const MOST_DIGITS: usize = 3;
    const DIGITS_OF_PRODUCTS: usize = 4;
    let is_count = (1..=MOST_DIGITS).contains(&count.len()) && count.bytes().all(|byte| byte.is_ascii_digit());
    let is_product = count.len() == 1 && rest.len() == DIGITS_OF_PRODUCTS;
    let is_shape = !is_product && rest.split('x').all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_size = rest.starts_with(|c: char| c.is_ascii_digit()) && rest.ends_with(char::is_alphabetic);
    is_count
        && rest.len() > 1
        && !rest.ends_with("large")
        && !is_shape
        && (rest.starts_with(char::is_alphabetic) || is_size || is_product)
}

/// The first sign within a word that links its two parts.
fn link_in(word: &str) -> Option<Range<usize>> {
    for sign in ["->", "=>", "→", "|", ">=", "<=", "<", ">"] {
        if let Some(at) = word.find(sign) {
            return Some(at..at + sign.len());
        }
    }
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let comma = word.find(',').filter(|at| !(word.len() - at == 4 && is_number(&word[at + 1..])));
    if let Some(at) = comma {
        return Some(at..at + 1);
    }
    // `fp16/bf16`, not `images/s` or `FT-2000/4`.
    let at = word.find('/')?;
    let (left, right) = (&word[..at], &word[at + 1..]);
    let is_unit =
        right.len() < 3 || left.len() < 2 || items_per(word).is_some() || !meanings(&normalise(word)).is_empty();
    (!is_unit).then_some(at..at + 1)
}

/// Splits names from what file names and model hubs append to them: `Q4_K_M` of `llama-2-13b-chat.Q4_K_M.gguf`.
///
/// # Errors
///
/// When the lookup fails.
pub(super) fn names_apart<'t, L: Lookup>(words: Vec<Word<'t>>, names: &L) -> Result<Vec<Word<'t>>, L::Error> {
    let mut apart = Vec::with_capacity(words.len());
    for word in words {
        let mut name = None;
        if !word.text.contains(['*', '=']) && look_up_words(&[word.text], names)?.is_empty() {
            for within in names_within(word.text) {
                if name.is_none() && !look_up_words(&[within.0], names)?.is_empty() {
                    name = Some(within);
                }
            }
        }
        let Some((name, behind)) = name else {
            apart.push(word);
            continue;
        };
        apart.push(Word { text: name, comma: false, ..word });
        let of =
            |place: Range<usize>| Word { text: &word.text[place.clone()], from: word.from + place.start, comma: false };
        apart.extend(behind.into_iter().map(of));
        apart.iter_mut().last().into_iter().for_each(|last| last.comma = word.comma);
    }
    Ok(apart)
}

/// Parts of a name to skip: the owner on a model hub (`google-bert/`), and boilerplate in the names of processors.
fn beside_name<L: Lookup>(words: &[Word<'_>], at: usize, names: &L) -> Result<Option<Piece>, L::Error> {
    let line: Vec<&str> = words[at..].iter().take(3).map(|word| word.text).collect();
    let said = boilerplate(&line.join(" "));
    let (Some(slash), Some(name)) = (words.get(at + 1), words.get(at + 2)) else {
        return Ok((said > 0).then(|| Piece::new(at..at + said, Means::Filler, How::Filler)));
    };
    let is_joined = slash.text == "/" && words[at].to() == slash.from && slash.to() == name.from;
    let has = |text: &str, facets: &[Facet]| -> Result<bool, L::Error> {
        Ok(look_up_words(&[text], names)?.iter().any(|name| facets.contains(&name.facet)))
    };
    use Facet::{Dataset, Device, Framework, Network, Precision, Stage};
    let is_owner = is_joined
        && has(name.text, &[Network])?
        && !has(words[at].text, &[Dataset, Device, Framework, Network, Precision, Stage])?;
    let many = if is_owner { 2 } else { said };
    Ok((many > 0).then(|| Piece::new(at..at + many, Means::Filler, How::Filler)))
}

/// Tiles the words with pieces, each the longest that can be read there. Looks up names, but never rows.
///
/// # Errors
///
/// When the lookup fails.
pub(super) fn tile<L: Lookup>(words: &[Word<'_>], names: &L) -> Result<Vec<Piece>, L::Error> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let beside = beside_name(words, at, names)?;
        let found = if beside.is_some() { beside } else { continued(&pieces, words, at, names)? };
        let piece = if let Some(piece) = found { piece } else { piece_at(words, at, pieces.last(), names)? };
        at = piece.words.end;
        pieces.push(piece);
    }
    in_laptops(&mut pieces, names)?;
    Ok(pieces)
}

/// Replaces a device in a laptop by its laptop variant: `my laptop has an RTX 4060`.
fn in_laptops<L: Lookup>(pieces: &mut [Piece], names: &L) -> Result<(), L::Error> {
    let is_laptop =
        |piece: &Piece| piece.test().is_some_and(|test| test.values().iter().any(|id| id.contains("laptop")));
    let Some(laptop) = pieces.iter().position(|piece| is_laptop(piece) && piece.how == How::Lexicon) else {
        return Ok(());
    };
    for at in 0..pieces.len() {
        let Means::Test(test) = &mut pieces[at].means else { continue };
        let (Key::Facet(Facet::Device), Is::OneOf(ids)) = (&test.key, &mut test.is) else { continue };
        let [id] = ids.as_slice() else { continue };
        let portable = look_up_words(&[&format!("{id}-laptop")], names)?;
        if let Some(own) = portable.into_iter().find(|name| name.facet == Facet::Device) {
            *ids = vec![own.value];
            pieces[laptop].means = Means::Filler;
        }
    }
    Ok(())
}

fn piece_at<L: Lookup>(words: &[Word<'_>], at: usize, before: Option<&Piece>, names: &L) -> Result<Piece, L::Error> {
    let mut phrase = phrase_of(words, at, LONGEST_PHRASE);
    // In `on the edge tpu` a longer name begins with the last word of the phrase.
    if let Some(Piece { words: long, means: Means::Test(_), .. }) = &phrase
        && long.len() > 1
        && read_name(words, long.end - 1, 2, names)?.is_some_and(|name| name.len() > 1)
    {
        phrase = phrase_of(words, at, long.len() - 1);
    }
    // The 780M of a `Radeon 780M` is not a number of parameters.
    let is_product = at > 0 && is_product_line(&words[at - 1].text.to_lowercase());
    let number =
        number_at(words, at).filter(|_| !is_product || words[at].text.bytes().all(|byte| byte.is_ascii_digit()));
    let name = read_name(words, at, phrase.as_ref().map_or(0, |phrase| phrase.words.len()), names)?;
    let length = |piece: &Option<Piece>| piece.as_ref().map_or(0, |piece| piece.words.len());
    // `4090 tokens/s` is a name and a unit, unless a bound precedes it.
    let is_named = number.as_ref().is_some_and(|number| number.words.len() > 1)
        && name.as_ref().is_some_and(|name| name.len() == 1);
    let is_bound = before.is_some_and(|piece| matches!(piece.means, Means::Bound(_)));
    if let Some(number) = number
        && (!is_named || is_bound)
        && number.words.len() > name.as_ref().map_or(0, Reading::len)
        && number.words.len() >= length(&phrase)
    {
        return Ok(number);
    }
    let is_weak = phrase
        .as_ref()
        .is_none_or(|phrase| matches!(phrase.means, Means::Filler | Means::Ask(_) | Means::Axis(_) | Means::Bound(_)));
    if let Some(name) = name.filter(|name| name.len() > length(&phrase) || is_weak && name.len() == length(&phrase)) {
        return Ok(name.piece());
    }
    let number = || number_at(words, at).filter(|_| !is_product).or_else(|| version_at(words, at, before));
    if let Some(read) = phrase.or_else(number) {
        return Ok(read);
    }
    let nearest = nearest_name(words, at, names)?.map(Reading::piece);
    Ok(nearest.or_else(|| misspelt_at(words, at)).unwrap_or_else(|| unread_at(words, at)))
}

/// A version after a quantity: `cudnn v3`.
fn version_at(words: &[Word<'_>], at: usize, before: Option<&Piece>) -> Option<Piece> {
    let text = words[at].text.strip_prefix(['v', 'V'])?;
    let value = text.split('.').next()?.parse().ok()?;
    before.filter(|piece| matches!(piece.means, Means::Quantity(_)))?;
    Some(Piece::new(at..at + 1, Means::Number(Number::of(value, text)), How::Number))
}

/// A misspelt phrase of the lexicon.
fn misspelt_at(words: &[Word<'_>], at: usize) -> Option<Piece> {
    let normal = normalise(words[at].text);
    let phrase = nearest_phrase(&normal).filter(|_| !is_english(&normal))?;
    let meant = [Word { text: phrase, ..words[at] }];
    let piece = phrase_of(&meant, 0, 1)?;
    Some(Piece::new(at..at + 1, piece.means, How::Nearest))
}

fn unread_at(words: &[Word<'_>], at: usize) -> Piece {
    if let Some(test) = short_form(words[at].text) {
        return Piece::new(at..at + 1, Means::Test(test), How::Number);
    }
    let is_sign = normalise(words[at].text).is_empty();
    let (means, how) = if is_sign { (Means::Filler, How::Filler) } else { (Means::Unread, How::Unread) };
    Piece::new(at..at + 1, means, how)
}

/// A field and its value in one word: `b32`, `tp8`, `Q4_K_M`, `bs=64`.
fn short_form(text: &str) -> Option<Test> {
    let lower = text.to_lowercase();
    let is_quantization = (lower.starts_with('q') || lower.starts_with("iq"))
        && lower.contains('_')
        && lower.contains(|c: char| c.is_ascii_digit());
    if is_quantization {
        return Some(Test::one(Key::from(Field::Quantization), text));
    }
    // `1024x1024`
    let is_side = |side: &str| side.len() > 1 && side.bytes().all(|byte| byte.is_ascii_digit());
    if lower.split_once('x').is_some_and(|(height, width)| is_side(height) && is_side(width)) {
        return Some(Test::one(Key::from(Field::InputShape), format!("*{lower}")));
    }
    let fields = [
        ("bs", Field::BatchSize),
        ("b", Field::BatchSize),
        ("pod", Field::DeviceCount),
        ("tp", Field::TensorParallel),
        ("pp", Field::PipelineParallel),
        ("ep", Field::ExpertParallel),
    ];
    let (field, rest) = fields.into_iter().find_map(|(short, field)| Some((field, lower.strip_prefix(short)?)))?;
    let value: f64 = rest.strip_prefix('=').unwrap_or(rest).parse().ok()?;
    // Only powers of two count, because a B100 is a product.
    let is_power = value > 0.0 && value.log2().fract() == 0.0;
    is_power.then_some(Test { key: Key::from(field), is: Is::exactly(value) })
}

/// The words joined without spaces.
fn joined(words: &[Word<'_>]) -> String {
    words.iter().map(|word| word.text).collect()
}

/// Whether a comma separates the words.
fn has_comma(words: &[Word<'_>]) -> bool {
    words[..words.len() - 1].iter().any(|word| word.comma)
}

/// The longest phrase of at most `longest` words that begins at word `at`.
fn phrase_of(words: &[Word<'_>], at: usize, longest: usize) -> Option<Piece> {
    let longest = longest.min(words.len() - at);
    (1..=longest).rev().find_map(|length| {
        let run = &words[at..at + length];
        // A phrase has no sign at its ends (`latency < 10 ms`) or letter as its first word (`a pi` is not `api`); a comma ends it.
        let is_sign = |word: &Word<'_>| normalise(word.text).is_empty();
        let is_letter = run[0].text.len() == 1 && run[0].text.starts_with(char::is_alphabetic);
        if length > 1 && (is_sign(&run[0]) || is_sign(&run[length - 1]) || is_letter || has_comma(run)) {
            return None;
        }
        let joined = joined(run);
        let normal = normalise(&joined);
        let found = meanings(if normal.is_empty() { &joined } else { &normal });
        let next = words.get(at + length);
        let is_before_number = next.is_some_and(|next| is_number(next.text));
        let is_bound = |section: Section, meaning: &str| {
            section == Section::Bound
                && (is_before_number || meaning.starts_with("or ") || meaning.starts_with("grade"))
        };
        let bound = found.iter().find(|(_, section, meaning)| is_bound(*section, meaning));
        let plain = || {
            found.iter().find(|(_, section, _)| {
                // `it/s` is not `its`.
                !matches!(section, Section::Bound | Section::Unit | Section::Number | Section::Baseline)
                    && (*section != Section::Filler || !joined.trim_matches('/').contains('/'))
            })
        };
        // `more than` without a number is read as two words, as in `more memory than`.
        let unnumbered =
            || found.iter().find(|(phrase, section, _)| *section == Section::Bound && !phrase.ends_with("than"));
        let means = match bound.or_else(plain).or_else(unnumbered) {
            Some((_, section, meaning)) => means(*section, meaning)?,
            None => Means::Quantity(items_per(&joined)?),
        };
        let how = if means == Means::Filler { How::Filler } else { How::Lexicon };
        Some(Piece::new(at..at + length, means, how))
    })
}

fn means(section: Section, meaning: &'static str) -> Option<Means> {
    Some(match section {
        Section::Value => Means::Test(value_of(meaning)?),
        Section::Quantity => Means::Quantity(meaning),
        Section::Order => order_of(meaning).map(|(end, by)| Means::Order(end, by))?,
        Section::Comparative => order_of(meaning).map(|(end, by)| Means::Comparative(end, by))?,
        Section::Kind => match meaning.split_once(' ') {
            Some((of, test)) => Means::Kind(of.parse().ok()?, value_of(test)),
            None => Means::Kind(meaning.parse().ok()?, None),
        },
        Section::Link => Means::Link(meaning),
        Section::Axis => Means::Axis(meaning),
        Section::Bound => Means::Bound(meaning),
        Section::Not => Means::Not,
        Section::Ask => Means::Ask(meaning),
        Section::NotKept => Means::NotKept,
        Section::Filler => Means::Filler,
        Section::Unit | Section::Number | Section::Baseline => return None,
    })
}

/// Parses a filter value of the lexicon: `stage:eval`, `device-count:2..`.
fn value_of(meaning: &str) -> Option<Test> {
    use std::ops::Bound;
    let (key, value) = meaning.split_once(':')?;
    let key = super::lexicon::key_called(key)?;
    let number = |text: &str| text.parse::<f64>().ok();
    if value == "*" {
        return Some(Test { key, is: Is::Stated });
    }
    let is = match value.split_once("..") {
        Some((low, high)) => {
            let bound = |text: &str| number(text).map_or(Bound::Unbounded, Bound::Included);
            Is::Within(bound(low), bound(high))
        }
        None if matches!(key, Key::Aspect(aspect) if aspect.is_numeric()) => Is::exactly(number(value)?),
        None => Is::OneOf(value.split(',').map(str::to_owned).collect()),
    };
    Some(Test { key, is })
}

fn is_number(text: &str) -> bool {
    text.trim_start_matches(['$', '€', '~']).starts_with(|c: char| c.is_ascii_digit())
        || meaning(&normalise(text), Section::Number).is_some()
}

/// Reads a number and its unit: `24GB`, `24 GB`, `$500`, `8x`, `1k`, `16-32 GB`, `4 gpus`. `X900` is a product.
pub(super) fn number_at(words: &[Word<'_>], at: usize) -> Option<Piece> {
    let word = words[at].text;
    // `H100 x 8`, `H100 x8`
    let behind_sign = match word.strip_prefix(['x', 'X', '×']) {
        Some("") => words.get(at + 1).map(|next| (next.text, 2)),
        rest => rest.map(|rest| (rest, 1)),
    };
    if let Some((count, taken)) = behind_sign.filter(|(count, _)| at > 0 && count.len() < 5 && word != "x86") {
        let value = count.parse::<u16>().ok().filter(|value| taken == 2 || *value <= 256 || value.is_power_of_two())?;
        let number = Number { dimension: Some("count"), ..Number::of(f64::from(value), count) };
        return Some(Piece::new(at..at + taken, Means::Number(number), How::Number));
    }
    // `under an hour`
    let is_bound = |run: &[Word<'_>]| meaning(&normalise(&joined(run)), Section::Bound).is_some();
    let is_one = matches!(word, "a" | "an") && (1..=at.min(2)).any(|back| is_bound(&words[at - back..at]));
    if let Some(value) = meaning(&normalise(word), Section::Number).or(is_one.then_some("1")) {
        let mut number = Number::of(value.parse().ok()?, value);
        let taken = if words.len() > at + 1 { unit_behind(words, at + 1, &mut number) } else { 0 };
        if is_one && taken == 0 {
            return None;
        }
        return Some(Piece::new(at..at + 1 + taken, Means::Number(number), How::Number));
    }
    let money = ["$", "€"].into_iter().find(|sign| word.starts_with(sign));
    let signed = &word[money.map_or(0, str::len)..];
    let plain = signed.strip_suffix('+').unwrap_or(signed);
    let digits = plain.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(plain.len());
    let digits = plain.find("..").map_or(digits, |range| digits.min(range));
    let text = plain[..digits].trim_end_matches(['.', ',']);
    let value: f64 =
        text.replace(',', "").parse().or_else(|_| text.split('.').next().unwrap_or_default().parse()).ok()?;
    let mut rest = &plain[text.len()..];
    let mut upper = None;
    let range = rest.strip_prefix("..").or_else(|| rest.strip_prefix('-')).or_else(|| rest.strip_prefix('–'));
    if let Some(behind) = range {
        let end = behind.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(behind.len());
        // `2018..2` is not a range.
        upper = Some(behind[..end].parse().ok().filter(|end: &f64| *end >= value)?);
        rest = &behind[end..];
    }
    let mut number = Number { upper, or_more: plain != signed, ..Number::of(value, plain) };
    let mut taken = 0;
    match (rest, money) {
        // `batch 256 img/s`: the value of a field has no unit, and the unit after it is a requested quantity.
        ("" | ".x", None) if is_behind_field(words, at) => {}
        ("" | ".x", None) => taken = unit_behind(words, at + 1, &mut number),
        ("", Some(sign)) => {
            // `$1 per million images`
            let longer = words.get(at + 1..at + 4).and_then(|run| meaning(&normalise(&joined(run)), Section::Unit));
            taken = if longer.is_some() { 3 } else { 0 };
            number.in_unit(longer.or(meaning(sign, Section::Unit))?);
        }
        ("x" | "×", None) => number.dimension = Some("count"),
        (unit, _) => {
            // `93% top-5`
            let behind = |more| Some(format!("{unit}{}", joined(words.get(at + 1..at + 1 + more)?)));
            let longer = (1..=2).rev().find_map(|more| Some((more, unit_called(&behind(more)?)?)));
            let (more, unit) = longer.filter(|_| unit == "%").unwrap_or((0, unit_called(unit)?));
            taken = more;
            number.in_unit(unit);
            number.text = format!("{}", number.value);
        }
    }
    Some(Piece::new(at..at + 1 + taken, Means::Number(number), How::Number))
}

/// Whether the word before `at` is a field of rows, such as `batch`.
fn is_behind_field(words: &[Word<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| meaning(&normalise(words[before].text), Section::Quantity));
    matches!(before.and_then(|meaning| quantity(meaning, Subject::Rows)), Some(Quantity::Field(_)))
}

impl Number {
    /// A number without a unit.
    pub(super) fn of(value: f64, text: &str) -> Self {
        Self { value, upper: None, dimension: None, or_more: false, text: text.to_owned() }
    }

    /// Converts the number by a unit of the lexicon, given as dimension and factor: `memory 1024`.
    fn in_unit(&mut self, unit: &'static str) {
        let Some((dimension, factor)) = unit.split_once(' ') else { return };
        let factor: f64 = factor.parse().unwrap_or(1.0);
        self.value *= factor;
        self.upper = self.upper.map(|upper| upper * factor);
        self.dimension = Some(dimension);
    }
}

fn unit_called(text: &str) -> Option<&'static str> {
    let normal = normalise(text);
    // Normalising leaves nothing of punctuation alone: `%`.
    meaning(if normal.is_empty() { text } else { &normal }, Section::Unit)
        .or((items_per(text) == Some(RATE)).then_some("rate 1"))
}

/// Items per second.
const RATE: &str = "any:throughput-per-s";

/// Items per second per dollar of launch price, which `price per image/s` asks for.
pub(super) const PER_RATE: &str = "any:rate-per-launch-usd";

/// The quantity of a word for items per something, or something per item: `images/s`, `tokenspersec`, `joulesperimage`.
fn items_per(text: &str) -> Option<&'static str> {
    let lower = text.to_lowercase().replace("asec", "persec");
    match lower.strip_prefix("per") {
        Some(rate) => (divided(rate) == Some(RATE)).then_some(PER_RATE),
        None => divided(&lower),
    }
}

fn divided(lower: &str) -> Option<&'static str> {
    const EACH_DEVICE: [&str; 5] = ["gpu", "chip", "card", "device", "accelerator"];
    const ITEMS: &str = " image img frame sample sequence token tok word query querie inference item it iteration fps ";
    const FOR_EACH: [(&str, &[&str]); 3] = [
        (RATE, &["second", "sec", "s"]),
        ("any:items-per-joule", &["joule", "j", "watt", "w"]),
        ("any:items-per-dollar", &["dollar", "usd", "$"]),
    ];
    const OF_EACH: [(&str, &[&str]); 2] = [
        ("any:energy-per-item-j", &["energy", "joules", "joule"]),
        ("any:items-per-dollar", &["price", "cost", "dollars"]),
    ];
    // `tokens per second per gpu`
    let of_one = EACH_DEVICE
        .iter()
        .find_map(|one| lower.strip_suffix(one)?.strip_suffix("per").or(lower.strip_suffix(one)?.strip_suffix('/')));
    if let Some(rate) = of_one {
        return (divided(rate) == Some(RATE)).then_some("any:device-throughput-per-s,throughput-per-device");
    }
    let (divided, by) = lower.split_once('/').or_else(|| lower.split_once("per"))?;
    // `images/s/W`
    let by = by.strip_prefix("s/").or_else(|| by.strip_prefix("secondper")).unwrap_or(by);
    let is_one = |word: &str| ITEMS.split(' ').any(|item| item == word);
    let is_item = |word: &str| is_one(word) || word.strip_suffix('s').is_some_and(is_one);
    let found = |table: &[(&'static str, &[&str])], word: &str| {
        table.iter().find(|(_, words)| words.contains(&word)).map(|(meaning, _)| *meaning)
    };
    if is_item(divided) { found(&FOR_EACH, by) } else { found(&OF_EACH, divided).filter(|_| is_item(by)) }
}

/// Applies the unit in the words after a number, longest first, and returns how many words it has.
fn unit_behind(words: &[Word<'_>], at: usize, number: &mut Number) -> usize {
    if words[at - 1].comma {
        return 0;
    }
    if words.get(at).is_some_and(|word| matches!(word.text, "x" | "X" | "×" | "*"))
        && words.get(at + 1).is_some_and(|next| !is_number(next.text) || next.text.len() > 2)
    {
        number.dimension = Some("count");
        return 1;
    }
    for length in (1..=4.min(words.len().saturating_sub(at))).rev() {
        let run = &words[at..at + length];
        if has_comma(run) {
            continue;
        }
        let text = joined(run);
        let (typed, text) = (text.len(), text.strip_suffix('+').unwrap_or(&text));
        // A single letter after a space is a unit only if it is unambiguous.
        if let Some(unit) = unit_called(text)
            .filter(|_| text.len() > 1 || matches!(text, "%" | "W" | "w" | "s" | "h" | "$" | "k" | "K"))
        {
            number.in_unit(unit);
            number.or_more |= text.len() < typed;
            // `5 million images`
            let is_image = |word: &Word<'_>| matches!(normalise(word.text).as_str(), "images" | "samples");
            let is_many = length == 1 && matches!(number.dimension, Some("million" | "thousand" | "billion"));
            if is_many && words.get(at + 1).is_some_and(is_image) {
                number.dimension = Some("images");
                return 2;
            }
            return length;
        }
    }
    0
}

/// A name of which only the last part follows a link: `resnet 50 vs 101`, `V100 16GB vs 32GB`, `mobilenet v1 and v2`.
fn continued<L: Lookup>(pieces: &[Piece], words: &[Word<'_>], at: usize, names: &L) -> Result<Option<Piece>, L::Error> {
    let is_link = |piece: &Piece| matches!(piece.means, Means::Link(_) | Means::Not);
    let mut before = pieces.iter().rev().skip_while(|piece| piece.is_filler());
    let goes_on = |piece: &Piece| words[piece.words.end - 1].comma || piece.rule == "continued";
    let is_linked = before.next().is_some_and(|piece| is_link(piece) || goes_on(piece));
    // The name that begins the series: `mobilenet v1, v2 and v3`.
    let may_name = |piece: &&Piece| !piece.is_filler() && !is_link(piece) && piece.rule != "continued";
    let named = pieces.iter().rev().find(may_name).filter(|piece| matches!(piece.how, How::Exact | How::Alias));
    let Some((named, facet)) = named.and_then(|named| Some((named, named.facet()?))) else { return Ok(None) };
    let own = read_name(words, at, 0, names)?;
    let text = words[at].text;
    // `cortex-m4 m7`
    let letters = |text: &str| text.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
    let (head, tail) = words[named.words.end - 1].text.rsplit_once('-').unwrap_or_default();
    let is_alike = letters(tail).len() == 1 && letters(tail) == letters(text) && letters(text).len() < text.len();
    let follows = named.words.end == at && (is_alike || text.len() < 3 && text.starts_with(['v', 'b']));
    let is_part = text.contains(|c: char| c.is_ascii_digit())
        || meanings(&normalise(text)).is_empty()
        || matches!(text.to_lowercase().as_str(), "pcie" | "sxm" | "large" | "base" | "small" | "tiny");
    // `resnet50, 8 gpus`
    let counts = words
        .get(at + 1)
        .is_some_and(|next| !words[at].comma && meaning(&normalise(next.text), Section::Kind).is_some());
    if counts
        || !(is_linked || follows)
        || !is_part
        || !matches!(facet, Facet::Device | Facet::Network | Facet::Source | Facet::Architecture)
        || own.is_some_and(|own| own.has(Facet::Precision) || own.has(facet) && !own.is_group())
    {
        return Ok(None);
    }
    let parts: Vec<&str> = words[named.words.clone()].iter().map(|word| word.text).collect();
    let last = parts.last().copied().unwrap_or_default();
    let stem = last.trim_end_matches(|c: char| c.is_ascii_digit());
    let beginnings = (1..parts.len()).rev().map(|length| parts[..length].concat());
    let beginnings =
        beginnings.chain((stem.len() < last.len() && parts.len() == 1 && stem.len() > 1).then(|| stem.to_owned()));
    // `vgg not 16`
    let whole = (!parts.concat().contains(|c: char| c.is_ascii_digit())).then(|| parts.concat());
    let beginnings = beginnings.chain(whole).chain(is_alike.then(|| format!("{head}-")));
    for beginning in beginnings {
        for length in (1..=2.min(words.len() - at)).rev() {
            let text = beginning.clone() + &joined(&words[at..at + length]);
            let word = [Word { text: &text, from: 0, comma: false }];
            if let Some(reading) = read_name(&word, 0, 0, names)?.filter(|reading| reading.has(facet)) {
                return Ok(Some(Piece { words: at..at + length, rule: "continued", ..reading.piece() }));
            }
        }
    }
    Ok(None)
}

/// Whether a word could be a name: it has a digit, is all capitals, or has a capital and is not English.
pub(super) fn looks_like_name(word: &str, is_first: bool) -> bool {
    let capital = word.chars().skip(usize::from(is_first)).any(char::is_uppercase);
    word.contains(|c: char| c.is_ascii_digit())
        || capital && !is_english(&word.to_lowercase())
        || word.len() > 1 && word.chars().all(char::is_uppercase)
}

/// The key that a number of this dimension tests, and the factor to the key's unit; `None` if no key has the dimension.
pub(super) fn key_of_dimension(number: &Number) -> Option<(Key, f64)> {
    let (fact, field, metric) = (Key::from, Key::from, Key::from);
    Some(match number.dimension? {
        "memory" => (fact(Fact::Memory), 1.0),
        "power" => (fact(Fact::Tdp), 1.0),
        // A minute or more is too long for one batch.
        "time" if number.value >= 60.0 => (metric(Metric::TimeToAccuracyS), 1.0),
        "time" => (metric(Metric::LatencyMs), 1000.0),
        "rate" => (metric(Metric::ThroughputPerS), 1.0),
        "money" => (fact(Fact::LaunchPrice), 1.0),
        "rent" => (fact(Fact::Price), 1.0),
        // The price per item is the inverse of items per dollar.
        "item-cost" => (Key::Aspect(Aspect::Derived(Derived::ItemsPerDollar)), 1.0),
        "length" => (fact(Fact::Process), 1.0),
        "operations" => (fact(Fact::MultiplyAdds), 1.0),
        "peak" => (fact(Fact::PeakFp32), 1.0),
        "bandwidth" => (fact(Fact::Bandwidth), 1.0),
        "parameters" => (fact(Fact::Parameters), 1.0),
        "billion" | "million" => (fact(Fact::Parameters), 1e-6),
        "clock" => (fact(Fact::BoostClock), 1.0),
        "count" => (field(Field::DeviceCount), 1.0),
        "hosts" => (field(Field::Hosts), 1.0),
        "threads" => (field(Field::Threads), 1.0),
        "epochs" => (field(Field::Epochs), 1.0),
        "cores" => (fact(Fact::Cores), 1.0),
        "classes" => (fact(Fact::Classes), 1.0),
        "images" => (fact(Fact::TrainSize), 1.0),
        "percent" => (metric(Metric::Accuracy), 0.01),
        _ => return None,
    })
}

/// Converts a piece to the span that answers show.
pub(super) fn span(piece: &Piece, words: &[Word<'_>], text: &str) -> Span {
    let from = words[piece.words.start].from;
    let to = words[piece.words.end - 1].to();
    let facet = match piece.test() {
        _ if piece.how.is_unread() => "",
        Some(test) => test.key.key(),
        None => (&piece.means).into(),
    };
    let values = match &piece.means {
        _ if piece.how.is_unread() => Vec::new(),
        Means::Test(Test { is, .. }) | Means::Kind(_, Some(Test { is, .. })) => match is {
            Is::OneOf(values) => values.clone(),
            Is::Stated => vec!["*".to_owned()],
            Is::Within(low, high) => vec![super::number::alternative(*low, *high)],
        },
        Means::Kind(facet, None) => vec![facet.key().to_owned()],
        Means::Quantity(said) | Means::Link(said) | Means::Axis(said) | Means::Bound(said) | Means::Ask(said) => {
            vec![(*said).to_owned()]
        }
        Means::Order(end, _) | Means::Comparative(end, _) => vec![end.to_string()],
        Means::Number(number) => vec![number.text.clone()],
        Means::Not | Means::Filler | Means::NotKept | Means::Unread => Vec::new(),
    };
    let facet = facet.to_owned();
    Span { text: text[from..to].to_owned(), from, to, facet, values, how: piece.how, rule: piece.rule }
}
