# The two commands a newcomer needs are `make test` and `cargo run --release -- query "…"`; the others save typing.

.PHONY: build test lint docs

build:            # the program, as users run it
	cargo build --release --locked

test:             # every test: units, acceptance on both knowledge bases, the examples in the documents
	cargo test --locked

lint:             # formatting and lints, as the gate checks them
	cargo fmt --check
	cargo clippy --all-targets --locked -- --deny warnings

docs:             # writes the current output into README.md and CONTRIBUTING.md
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --test acceptance documents
