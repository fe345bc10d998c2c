//! What is asked for where nothing states it.

use super::kind::NewKind;

impl NewKind {
    /// How the name is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Measurement => "of the batch, one file of the source: inference-v100",
            Self::Source => "the title of the paper or page",
            _ => "as its makers write it",
        }
    }

    /// The keys that are asked for, each with an example.
    pub fn questions(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Framework => &[
                ("license", "SPDX, such as Apache-2.0"),
                ("status", "mature, developing or inactive"),
                ("core-languages", "C++, Python"),
                ("api-languages", "Python, C++"),
                ("hardware", "cpu, gpu, fpga, asic, tpu, mobile"),
                ("multi-server", "true or false"),
                ("repository", "https://…"),
                ("aliases", "other spellings, with commas between them"),
            ],
            Self::Device => &[
                ("variant-of", "the id of its family, if it has one"),
                ("class", "gpu, fpga, asic or cpu"),
                ("vendor", "NVIDIA"),
                ("architecture", "Volta"),
                ("memory-gib", "16"),
                ("bandwidth-gb-per-s", "900"),
                ("tdp-w", "250"),
                ("release-date", "2017-06-21, or 2017-06 or 2017"),
                ("peak-tflops.fp32", "dense, TFLOP/s: 15.67"),
                ("peak-tflops.fp16-tensor", "dense, TFLOP/s: 125.0"),
                ("aliases", "other spellings, with commas between them"),
            ],
            Self::Network => &[
                ("family", "the id of its family, if it has one"),
                ("task", "image-classification"),
                ("input-shape", "one sample, channels first: 3x224x224"),
                ("parameters-m", "millions: 25.6"),
                ("active-parameters-m", "millions that one token passes, of a mixture of experts"),
                ("multiply-adds-g", "10^9, one sample, forward: 4.1"),
                ("paper", "https://…"),
                ("year", "2015"),
                ("aliases", "other spellings, with commas between them"),
            ],
            Self::Dataset => &[
                ("task", "image-classification"),
                ("classes", "1000"),
                ("train-size", "1281167"),
                ("test-size", "50000"),
                ("homepage", "https://…"),
                ("aliases", "other spellings, with commas between them"),
            ],
            Self::Source => &[
                ("authors", "Family, Given; several with a semicolon between them"),
                ("type", "BibTeX type: article, inproceedings, misc, online"),
                ("year", "2024"),
                ("url", "https://…"),
                ("license", "MIT"),
                ("method.timed", "what was timed: one forward pass"),
            ],
            Self::Suite => &[
                ("networks", "ResNet-50, VGG-16"),
                ("stages", "eval, train, forward, backward, prefill, decode"),
                ("precisions", "fp32, amp-fp16"),
                ("batch-sizes", "1, 16, 64"),
            ],
            Self::Measurement => &[
                ("framework", "PyTorch 2.4.0"),
                ("framework-version", "2.4.0"),
                ("device", "as the source spells it: V100 16GB"),
                ("network", "ResNet-50"),
                ("stage", "eval, train, forward, backward, prefill or decode"),
                ("precision", "fp32, amp-fp16 …"),
                ("batch-size", "per device: 16"),
                ("counts", "image, sample, token, sequence, query, frame or inference"),
                ("statistic", "mean, median, min, max, p90 …"),
                ("latency-ms", "for one batch, in milliseconds"),
                ("throughput-per-s", "items a second"),
            ],
        }
    }
}
