//! The sample of a rule: a file of a small knowledge base without mistakes, and the one edit that breaks it.

/// A file of a sample: its path in the knowledge base, and its text.
pub type SampleFile = (&'static str, String);

macro_rules! sample_base {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("sample_base/", $path)))),*] };
}

/// The knowledge base that the samples belong to: no rule finds a mistake in it.
pub(in crate::contribute) const SAMPLE_BASE: &[(&str, &str)] = sample_base![
    "catalog/kb.toml",
    "catalog/collections/devices.toml",
    "catalog/datasets/tiny-pictures.toml",
    "catalog/evidence.toml",
    "catalog/hardware-metrics.toml",
    "catalog/devices/core.toml",
    "catalog/devices/core-9.toml",
    "catalog/devices/nova-100.toml",
    "catalog/devices/nova-100-16gb.toml",
    "catalog/devices/nova-100-32gb.toml",
    "catalog/devices/nova-90-laptop.toml",
    "catalog/devices/nova-90.toml",
    "catalog/frameworks/firelight.toml",
    "catalog/networks/deepnet.toml",
    "catalog/networks/deepnet-101.toml",
    "catalog/networks/deepnet-18.toml",
    "catalog/networks/deepnet-34.toml",
    "catalog/networks/deepnet-50.toml",
    "catalog/networks/deepnet-gate.toml",
    "catalog/networks/deeptext.toml",
    "catalog/recipes/imagined-2018.toml",
    "catalog/sources/imagined-2018.toml",
    "measurements/imagined-2018/epochs.toml",
    "measurements/imagined-2018/inference.toml",
    "measurements/imagined-2018/many.toml",
    "measurements/imagined-2018/matrix.toml",
    "measurements/imagined-2018/repeats.toml",
    "measurements/imagined-2018/serving.toml",
    "measurements/imagined-2018/training.toml",
];

/// A file of the sample base that passes a rule, and the edit with which it fails.
#[derive(Debug)]
pub struct Sample {
    path: &'static str,
    edit: Edit,
}

#[derive(Debug)]
enum Edit {
    /// Replaces the first place of a text by another.
    Text { right: &'static str, wrong: &'static str },
    /// Renames the file.
    Path(&'static str),
}

impl Sample {
    /// A file of the sample base in which a text is replaced by a wrong one.
    pub(in crate::contribute) const fn edited(path: &'static str, right: &'static str, wrong: &'static str) -> Self {
        Self { path, edit: Edit::Text { right, wrong } }
    }

    /// A file of the sample base under a wrong path.
    pub(in crate::contribute) const fn renamed(path: &'static str, wrong: &'static str) -> Self {
        Self { path, edit: Edit::Path(wrong) }
    }

    /// The file as it should be.
    pub fn passing(&self) -> SampleFile {
        let text = SAMPLE_BASE.iter().find(|(path, _)| *path == self.path).map_or("", |(_, text)| text);
        (self.path, text.to_owned())
    }

    /// The file with the mistake.
    pub fn failing(&self) -> SampleFile {
        let (path, text) = self.passing();
        match self.edit {
            Edit::Text { right, wrong } => (path, text.replacen(right, wrong, 1)),
            Edit::Path(wrong) => (wrong, text),
        }
    }
}
