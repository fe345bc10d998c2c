# The two commands a newcomer needs are `make test` and `cargo run --release -- query "…"`; the others save typing.

.PHONY: build test lint docs schemas fuzz bench

build:            # the program, as users run it
	cargo build --release --locked

test:             # every test: units, acceptance on both knowledge bases, the examples in the documents
	cargo test --locked

lint:             # formatting and lints, as the gate checks them
	cargo fmt --check
	cargo clippy --all-targets --locked -- --deny warnings

docs:             # writes the current output into README.md and CONTRIBUTING.md, and the schema of answers
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --lib the_published_schema_is_current
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --test acceptance documents

schemas:          # writes the JSON Schemas that editors read, with the ids there are
	cargo run --release --locked -- schema --write

fuzz:             # feeds the strict reader with made-up files (needs a nightly toolchain and cargo-fuzz)
	cargo +nightly fuzz run --fuzz-dir .fuzz reader

SIZES = 100000 1000000
TOOLS = target/bench/tools

bench:            # times and memory against other tools, and the page src/benches/README.md; SIZES=10000000 adds a size
	python3 -m venv $(TOOLS)
	$(TOOLS)/bin/pip install --quiet --requirement src/benches/rivals/requirements.txt
	cargo build --release --locked --examples
	cargo bench --locked --bench scale -- prepare $(SIZES)
	cargo bench --locked --bench functions
	cargo bench --locked --bench scale -- measure $(SIZES)
	cargo bench --locked --bench scale -- page
