//! dlbench: a qualitative and quantitative benchmark knowledge base for deep learning.
//!
//! The folders are floors; a module imports only from floors below it (a test enforces this).

#![forbid(unsafe_code)]

pub mod values;

pub mod model;

pub mod reading;

pub mod derived;

pub mod questions;

pub use questions::KnowledgeBase;

pub mod cli;
