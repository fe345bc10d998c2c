//! Measuring on this machine.

pub mod protocol;
