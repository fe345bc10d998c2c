//! The key below a figure's panels: names that have no room beside their marks, by the numbers that stand there.

/// More numbers than this nobody looks up.
const MOST: usize = 40;

/// Names by their numbers, which all panels of a figure share.
#[derive(Debug, Clone, Default)]
pub(super) struct NameKey {
    names: Vec<String>,
    left_out: usize,
    /// What the numbers are that stand beside marks as their names: `batch`.
    unit: Option<String>,
}

impl NameKey {
    /// The number that stands for a name, `(3)`; nothing where there would be too many: then the name is counted.
    pub fn number_of(&mut self, name: &str) -> Option<String> {
        let known = self.names.iter().position(|known| known == name);
        let number = known.or_else(|| (self.names.len() < MOST).then_some(self.names.len()));
        if number.is_none() {
            self.left_out += 1;
        }
        number.map(|at| format!("({})", at + 1))
    }

    /// Keeps a name whose number is drawn.
    pub fn take(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// Says what the numbers are that stand beside marks.
    pub fn say_unit(&mut self, unit: &str) {
        self.unit = Some(unit.to_owned());
    }

    /// Counts a name that has no room even as a number.
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// How many marks are not named.
    #[cfg(test)]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// What is printed below the panels; nothing where every mark has its name. `kept_together` sets an entry so that no line
    /// ends in it.
    pub fn text(&self, kept_together: impl Fn(&str) -> String) -> Option<String> {
        let named = (1..).zip(&self.names).map(|(number, name)| kept_together(&format!("({number}) {name}")));
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.unit.as_ref().map(|unit| format!("Numbers beside marks: {unit}.")));
        let named: Vec<String> = named.collect();
        parts.extend((!named.is_empty()).then(|| format!("{}.", named.join(", "))));
        parts.extend(match self.left_out {
            0 => None,
            1 => Some("1 mark has no room for its name.".to_owned()),
            many => Some(format!("{many} marks have no room for their names.")),
        });
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(key: &NameKey) -> Option<String> {
        key.text(str::to_owned)
    }

    #[test]
    fn a_name_has_one_number_and_what_is_not_named_is_counted() {
        let mut key = NameKey::default();
        assert_eq!(text(&key), None);
        for name in ["a b", "c", "a b"] {
            assert!(key.number_of(name).is_some());
            key.take(name);
        }
        assert_eq!(key.number_of("c").as_deref(), Some("(2)"));
        key.leave_out();
        assert_eq!(text(&key).as_deref(), Some("(1) a b, (2) c. 1 mark has no room for its name."));
    }
}
