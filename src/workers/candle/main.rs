//! The worker of candle: networks of ONNX files, each operation as its call comes, on the CPU.

mod greeting;
mod network;
mod onnx_file;
mod operations;
mod serve;
mod workload;

fn main() {
    serve::serve();
}
