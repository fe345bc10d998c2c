//! What goes in: random numbers, idx files (MNIST's format) or a folder of images.

use std::fs;
use std::path::{Path, PathBuf};

use tch::{Device, Kind, Tensor};

use crate::failure::WorkerFailure;

/// Samples and their labels, the samples as bytes on the host.
pub struct LabelledData {
    samples: Samples,
    labels: Tensor,
}

enum Samples {
    /// `[n, channels, height, width]` bytes.
    Loaded(Tensor),
    /// Files, read and decoded when they are needed.
    Files(Vec<PathBuf>),
}

impl LabelledData {
    /// The training part (`train` true) or test part of a folder: idx files by their usual names, or images in one
    /// folder for each class (`train/` and `test/` or `val/` above them where there are parts).
    pub fn open(folder: &Path, train: bool) -> Result<Self, WorkerFailure> {
        let stem = if train { "train" } else { "t10k" };
        let images = folder.join(format!("{stem}-images-idx3-ubyte"));
        if images.exists() {
            let samples = idx(&images)?.unsqueeze(1);
            let labels = idx(&folder.join(format!("{stem}-labels-idx1-ubyte")))?.to_kind(Kind::Int64);
            return Ok(Self { samples: Samples::Loaded(samples), labels });
        }
        let parts = if train { &["train"][..] } else { &["test", "val"] };
        let part = parts.iter().map(|name| folder.join(name)).find(|part| part.is_dir());
        images_of(&part.unwrap_or_else(|| folder.to_owned()))
    }

    /// Samples.
    pub fn len(&self) -> i64 {
        self.labels.size()[0]
    }

    /// A batch in the range 0 to 1, and its labels, on `device`.
    pub fn batch(
        &self,
        rows: &Tensor,
        shape: &[i64],
        kind: Kind,
        device: Device,
    ) -> Result<(Tensor, Tensor), WorkerFailure> {
        let labels = self.labels.index_select(0, rows).to_device(device);
        let samples = match &self.samples {
            Samples::Loaded(all) => all.index_select(0, rows),
            Samples::Files(files) => {
                let wanted = Vec::<i64>::try_from(rows)?;
                let images: Result<Vec<Tensor>, _> = wanted
                    .iter()
                    .map(|&row| tch::vision::image::load_and_resize(&files[row as usize], shape[2], shape[1]))
                    .collect();
                Tensor::stack(&images?, 0)
            }
        };
        if samples.size()[1..] != *shape {
            return Err(WorkerFailure::unsupported(format!(
                "the data has samples of {:?}, the network takes {shape:?}",
                &samples.size()[1..]
            )));
        }
        Ok((samples.to_device(device).to_kind(kind) / 255.0, labels))
    }
}

/// The order of the samples in one pass: shuffled, in batches, the last one smaller.
pub fn shuffled(samples: i64, batch: i64) -> Vec<Tensor> {
    Tensor::randperm(samples, (Kind::Int64, Device::Cpu)).split(batch, 0)
}

/// The order as it stands.
pub fn in_order(samples: i64, batch: i64) -> Vec<Tensor> {
    Tensor::arange(samples, (Kind::Int64, Device::Cpu)).split(batch, 0)
}

/// An idx file of bytes: 0, 0, 8, the number of extents, the extents (big-endian), then the bytes.
fn idx(path: &Path) -> Result<Tensor, WorkerFailure> {
    let wrong = |what: &str| WorkerFailure::crashed(format!("{}: {what}", path.display()));
    let bytes = fs::read(path).map_err(|error| wrong(&error.to_string()))?;
    let [0, 0, 8, rank, ..] = bytes[..] else { return Err(wrong("no idx file of bytes")) };
    let start = 4 + 4 * usize::from(rank);
    let header = bytes.get(4..start).ok_or_else(|| wrong("the file ends in its header"))?;
    let extents: Vec<i64> =
        header.chunks_exact(4).map(|word| word.iter().fold(0, |sum, &byte| sum << 8 | i64::from(byte))).collect();
    let content = &bytes[start..];
    if content.len() as i64 != extents.iter().product::<i64>() {
        return Err(wrong("the file does not have as many bytes as its header says"));
    }
    Ok(Tensor::f_from_data_size(content, &extents, Kind::Uint8)?)
}

fn images_of(folder: &Path) -> Result<LabelledData, WorkerFailure> {
    let wrong = |what: String| WorkerFailure::crashed(format!("{}: {what}", folder.display()));
    let listed = |folder: &Path| -> Result<Vec<PathBuf>, WorkerFailure> {
        let entries = fs::read_dir(folder).and_then(|entries| entries.map(|e| Ok(e?.path())).collect());
        let mut paths: Vec<PathBuf> = entries.map_err(|error: std::io::Error| wrong(error.to_string()))?;
        paths.sort();
        Ok(paths)
    };
    let classes: Vec<PathBuf> = listed(folder)?.into_iter().filter(|path| path.is_dir()).collect();
    let (mut files, mut labels) = (Vec::new(), Vec::new());
    for (class, path) in classes.iter().enumerate() {
        for file in listed(path)? {
            let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            if ["jpg", "jpeg", "png", "bmp"].contains(&extension.as_str()) {
                files.push(file);
                labels.push(class as i64);
            }
        }
    }
    if files.is_empty() {
        return Err(wrong("neither idx files nor a folder of images for each class".to_owned()));
    }
    Ok(LabelledData { samples: Samples::Files(files), labels: Tensor::from_slice(&labels) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idx_file_is_read_and_a_broken_one_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut bytes = vec![0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3];
        bytes.extend([1, 2, 3, 4, 5, 6]);
        fs::write(&path, &bytes).unwrap();
        assert_eq!(idx(&path).unwrap().size(), [2, 3]);
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(idx(&path).unwrap_err().message.contains("as many bytes"));
        fs::write(&path, b"PNG").unwrap();
        assert!(idx(&path).unwrap_err().message.contains("no idx file"));
    }
}
