//! Words for what is run: stages, tasks and families of precisions.

use crate::ask::question::vocabulary::meaning::Meaning;
use crate::model::{Facet, LANGUAGE_TASKS};

use Meaning::{Names, NamesAny};

/// The stages in which a network is asked for its result.
pub(in crate::ask::question) const INFERENCE: &[&str] = &["eval", "prefill", "decode"];

/// Words in the name of a quantity that say of which stage it is: `forward time`, `cost to train`; a word that does so only
/// beside another one has that behind it.
pub(in crate::ask::question) const STAGE_OF_QUANTITY: &[(&str, Option<&str>, &[&str])] = &[
    ("inference", None, INFERENCE),
    ("fwd+bwd", None, &["train"]),
    ("fwd/bwd", None, &["train"]),
    ("forward+backward", None, &["train"]),
    ("backward", Some("and"), &["train"]),
    ("forward", None, &["forward"]),
    ("backward", None, &["backward"]),
    ("train", Some("cost"), &["train"]),
    ("training", Some("cost"), &["train"]),
];

/// The families of networks that are convolutional: a kind of network, of which some are also called CNN and nothing else.
const CONVOLUTIONAL: &[&str] = &[
    "cnn",
    "lenet",
    "alexnet",
    "alexnet-owt",
    "overfeat",
    "vgg",
    "googlenet",
    "inception",
    "xception",
    "resnet",
    "resnext",
    "wide-resnet",
    "densenet",
    "squeezenet",
    "mobilenet",
    "shufflenet",
    "shufflenet-v2",
    "mnasnet",
    "nasnet",
    "efficientnet",
    "regnet",
    "nfnet",
    "convnext",
    "ssd",
    "yolo",
    "unet",
];

/// Phrases and what they mean.
pub(super) const PHRASES: &[(Meaning, &[&str])] = &[
    (
        Names(Facet::Stage, "train"),
        &[
            "fine-tuning",
            "fine tuning",
            "finetuning",
            "finetune",
            "fine-tune",
            "fine tune",
            "trained",
            "trains",
            "pretrain",
            "pre-train",
            "pretraining",
            "pre-training",
            "fwd+bwd",
            "fwd/bwd",
            "fwd bwd",
            "fwd and bwd",
            "forward+backward",
            "fprop+bprop",
        ],
    ),
    (Names(Facet::Stage, "forward"), &["fwd", "fwd pass", "fprop"]),
    (Names(Facet::Stage, "backward"), &["bwd", "bwd pass", "bprop"]),
    (NamesAny(Facet::Stage, INFERENCE), INFERENCE_WORDS),
    (NamesAny(Facet::Task, &["language-model", "text-generation"]), &["language model", "language models"]),
    // What writes: nobody calls a BERT large today.
    (
        NamesAny(Facet::Task, &["text-generation"]),
        &["llm", "llms", "large language model", "large language models", "generative language models"],
    ),
    (
        NamesAny(Facet::Task, LANGUAGE_TASKS),
        &["nlp", "natural language processing", "natural language", "language processing"],
    ),
    (
        NamesAny(Facet::Task, &["speech-recognition", "speech-synthesis", "keyword-spotting"]),
        &["speech", "audio", "speech processing"],
    ),
    (
        Names(Facet::Task, "object-detection"),
        &["object detector", "object detectors", "detector", "detectors", "detection network", "detection networks"],
    ),
    (
        Names(Facet::Task, "image-classification"),
        &["image classifier", "image classifiers", "classifier", "classifiers"],
    ),
    (
        Names(Facet::Task, "image-generation"),
        &[
            "diffusion model",
            "diffusion models",
            "diffusion network",
            "diffusion networks",
            "text to image",
            "text-to-image",
        ],
    ),
    (Names(Facet::Task, "speech-recognition"), &["asr", "speech to text", "speech-to-text"]),
    (Names(Facet::Task, "speech-synthesis"), &["tts", "text to speech", "text-to-speech"]),
    (
        NamesAny(
            Facet::Task,
            &[
                "image-classification",
                "object-detection",
                "semantic-segmentation",
                "instance-segmentation",
                "panoptic-segmentation",
                "pose-estimation",
                "face-detection",
                "face-recognition",
                "depth-estimation",
                "super-resolution",
            ],
        ),
        &[
            "vision",
            "computer vision",
            "image recognition",
            "vision models",
            "image models",
            "image networks",
            "image nets",
        ],
    ),
    (
        Names(Facet::Task, "recommendation"),
        &["recommender", "recommenders", "recommender system", "recommender systems", "recommendation systems"],
    ),
    (
        NamesAny(Facet::Network, CONVOLUTIONAL),
        &[
            "cnn",
            "cnns",
            "convnet",
            "convnets",
            "conv net",
            "conv nets",
            "convolutional",
            "convolutional network",
            "convolutional networks",
            "convolutional net",
            "convolutional nets",
            "convolutional model",
            "convolutional models",
            "convolutional neural network",
            "convolutional neural networks",
        ],
    ),
    (
        NamesAny(Facet::Network, &["rnn", "lstm", "gru", "rnn-t"]),
        &[
            "rnn",
            "recurrent",
            "recurrent network",
            "recurrent networks",
            "recurrent net",
            "recurrent nets",
            "recurrent model",
            "recurrent models",
            "recurrent neural network",
            "recurrent neural networks",
            "rnns",
        ],
    ),
    (NamesAny(Facet::Network, &["vit"]), &["vision transformers", "vits"]),
    (
        Meaning::NamesLike(Facet::Network, &["sam", "sam2", "sam2-*", "mobilesam*", "efficientvit-sam*"]),
        &["segment anything", "segment-anything", "segment anything model", "segment anything models"],
    ),
    (
        Meaning::NamesLike(Facet::Network, &["sam2", "sam2-*"]),
        &["segment anything 2", "segment-anything-2", "segment anything model 2"],
    ),
    // Whether somebody is there, and where.
    (
        NamesAny(Facet::Network, &["mlperf-tiny-vww", "esp-pico-pedestrian"]),
        &["person detection", "person detector", "pedestrian detection", "pedestrian detector", "people detection"],
    ),
    (Names(Facet::Task, "forecasting"), &["time series", "time-series"]),
    (NamesAny(Facet::Precision, &["int4", "uint4"]), &["4 bit", "4-bit", "four bit", "four-bit"]),
    (NamesAny(Facet::Precision, &["int8", "uint8"]), &["8 bit", "8-bit", "eight bit", "eight-bit"]),
    (
        NamesAny(
            Facet::Precision,
            &["int8", "uint8", "int4", "uint4", "fp8", "mxfp8", "fp4", "mxfp4", "nvfp4", "binary"],
        ),
        &["low-bit", "low bit", "low-precision", "low precision", "reduced precision", "quantized", "quantised"],
    ),
];

/// Words for them, the usual one also a name of the first.
const INFERENCE_WORDS: &[&str] =
    &["inference", "infer", "inferencing", "inferences", "serving", "deployment", "predict", "prediction"];
