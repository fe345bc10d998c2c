//! Numbers that stand on the axis which is named in front of them: `resnet50 at 256x256`, `input size other than 224`, `batch sizes
//! other than 32`.

use crate::ask::question::clause::{Clause, quoted};
use crate::ask::question::error::QueryError;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::question::Wanted;
use crate::ask::question::sentence::Sentence;
use crate::ask::question::vocabulary::plain;
use crate::model::{Aspect, Fact, Field, Lookup as _};
use crate::stores::index::{Condition, DocumentKind};
use crate::values::spelling::normalise;
use crate::values::text::or_list;

/// Sides of pictures in pixels that networks take.
const SIDES: std::ops::RangeInclusive<u32> = 8..=8192;

impl Interpreter<'_> {
    /// The number that these words begin with, as a place on the axis in front of it.
    pub(in crate::ask::question) fn number_on_axis(
        &mut self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        let Some(first) = words.first().map(|word| plain(word)) else { return Ok(None) };
        if let Some(sides) = sides_of(&first)
            && self.stores.database.exact(&normalise(&first))?.is_empty()
        {
            return self.of_shape(words[0], sides).map(|clause| Some((1, clause)));
        }
        // `other than 32`: alone a number behind an axis asks for the place; it is excluded where that is said.
        let Ok(number) = first.parse::<u32>() else { return Ok(None) };
        let goes_on = words.get(1).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        if sentence.without.is_none() || !sentence.names.is_empty() || goes_on || self.names_product(&words[..1])? {
            return Ok(None);
        }
        let axis = self.hints.along.last().map(|(_, aspect)| *aspect);
        let asks_shape = self.hints.mentions.last().is_some_and(|mention| {
            let asked = mention
                .asked
                .quantities(crate::ask::question::mentions::Context { networks: true, ..Default::default() });
            asked.contains(&crate::ask::question::question::Quantity::Fact(Fact::InputShape))
        });
        match axis {
            Some(Aspect::Field(Field::InputShape)) => {}
            Some(Aspect::Field(field)) if Aspect::Field(field).is_numeric() => {
                return self.any_count(words[0], field, &[i64::from(number)]).map(|clause| Some((1, clause)));
            }
            _ if asks_shape => {}
            _ => return Ok(None),
        }
        match SIDES.contains(&number) {
            true => self.of_shape(words[0], (number, number)).map(|clause| Some((1, clause))),
            false => Ok(None),
        }
    }

    /// The rows of square pictures of any of these sides, which people call by one number; none where no row has such.
    pub(in crate::ask::question) fn of_sides(&self, text: &str, sides: &[i64]) -> Result<Option<Clause>, QueryError> {
        let field = Field::InputShape;
        let is_one = |(height, width): (u32, u32)| height == width && sides.contains(&i64::from(height));
        let (condition, _) = self.with_value(field, |stated| sides_of_shape(stated).is_some_and(is_one))?;
        if condition == Condition::Any(Vec::new()) {
            return Ok(None);
        }
        let patterns: Vec<String> = sides.iter().map(|side| format!("*x{side}x{side}")).collect();
        let filter = format!("{field}:{}", patterns.join(","));
        Ok(Some(Clause::of(text, field.key(), patterns, filter, condition)))
    }

    /// `efficientnet at 224 vs 300 pixels`: says which of the sizes no row has that meets the rest.
    pub(in crate::ask::question) fn note_missing_sides(
        &self,
        clauses: &[Clause],
        wanted: &mut Wanted,
    ) -> Result<(), QueryError> {
        let field = Field::InputShape;
        let is_it = |clause: &&Clause| clause.plain_kind() == Some(field.key());
        let Some(sizes) = clauses.iter().find(is_it).filter(|_| wanted.along == Some(Aspect::Field(field))) else {
            return Ok(());
        };
        let rest: Vec<Condition> = clauses.iter().filter(|one| !is_it(one)).map(|one| one.condition.clone()).collect();
        let mut missing: Vec<String> = Vec::new();
        for pattern in sizes.readings.iter().flat_map(|reading| &reading.read_as.values) {
            let (condition, _) = self.with_value(field, |stated| stated.ends_with(pattern.trim_start_matches('*')))?;
            let all = rest.iter().cloned().chain([condition]).collect();
            if self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? == 0 {
                missing.push(pattern.trim_start_matches("*x").to_owned());
            }
        }
        if !missing.is_empty() {
            wanted.leads.push(format!("No row that meets the rest is of {} pixels.", or_list(&missing)));
        }
        Ok(())
    }

    /// The rows of pictures with these sides.
    fn of_shape(&self, text: &str, (height, width): (u32, u32)) -> Result<Clause, QueryError> {
        let field = Field::InputShape;
        let (condition, _) = self.with_value(field, |stated| sides_of_shape(stated) == Some((height, width)))?;
        let pattern = format!("*x{height}x{width}");
        let filter = format!("{field}:{}", quoted(&pattern));
        Ok(Clause::of(text, field.key(), vec![pattern], filter, condition))
    }
}

/// The sides of a picture as a question has them: `256x256`, `224x224x3`, `3x224x224`.
fn sides_of(word: &str) -> Option<(u32, u32)> {
    let parts: Vec<u32> = word.split(['x', '×']).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let sides = match parts.as_slice() {
        &[height, width] => (height, width),
        // Channels stand first or last.
        &[1 | 3, height, width] | &[height, width, 1 | 3] => (height, width),
        _ => return None,
    };
    (SIDES.contains(&sides.0) && SIDES.contains(&sides.1)).then_some(sides)
}

/// The sides of a shape with its channels first.
fn sides_of_shape(shape: &str) -> Option<(u32, u32)> {
    let parts: Vec<&str> = shape.split('x').collect();
    let [.., height, width] = parts.as_slice() else { return None };
    (parts.len() > 2).then_some((height.parse().ok()?, width.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["batch-size", "input-shape", "latency-ms"]
rows = [[1, "3x64x64", 2], [8, "3x64x64", 10], [8, "3x96x128", 20]]
"#;

    #[test]
    fn sides_of_pictures_are_read_with_or_without_channels() {
        for (word, sides) in [
            ("256x256", Some((256, 256))),
            ("224x224x3", Some((224, 224))),
            ("3x96x128", Some((96, 128))),
            ("4x4", None),
            ("8x22b", None),
            ("2x", None),
        ] {
            assert_eq!(sides_of(word), sides, "{word}");
        }
    }

    #[test]
    fn a_number_is_excluded_from_the_axis_in_front_of_it() {
        let sample = Sample::without("batch-size = 16\n", &[("paper-2020", ROWS)]);
        for (question, filter, rows) in [
            ("deepnet-50 at 96x128", "input-shape:*x96x128", 1),
            ("deepnet-50 with batch sizes other than 8", "-batch-size:8", 1),
            ("deepnet-50 with an input size other than 64", "-input-shape:*x64x64", 1),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            let filters: Vec<&str> = read.clauses.iter().map(|clause| clause.equivalent.as_str()).collect();
            assert!(filters.contains(&filter), "{question}: {filters:?}, {:?}", read.ignored);
            let found = sample.stores.index.measurements(&read.condition_without(None), None, &[], 0, 0).unwrap();
            assert_eq!(found.total, rows, "{question}: {filters:?}");
        }
    }
}
