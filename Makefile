# The two commands a newcomer needs are `make test` and `cargo run --release -- query "…"`; the others save typing.

# Another installation of libtorch 2.11.0 may stand in place of the one that `make libtorch` fetches.
LIBTORCH_DIR = $(or $(DLBENCH_LIBTORCH),$(CURDIR)/.libtorch/torch)
WITH_LIBTORCH = LIBTORCH="$(LIBTORCH_DIR)" LD_LIBRARY_PATH="$(LIBTORCH_DIR)/lib:$$LD_LIBRARY_PATH"

.PHONY: build libtorch mnist runner candle test test-workers test-slurm test-papers test-page test-python format-check lint lint-variants deny docs schemas attack intervals same-against-same beside-python under-load fuzz bench load

build:            # the program, as users run it
	cargo build --release --locked

libtorch:         # what the worker of `dlbench run` is built with, into .libtorch/ (530 MB to fetch, once)
	@test -n "$(DLBENCH_LIBTORCH)" || .ci/libtorch.sh

mnist:            # the MNIST images, into .mnist/ (11 MB to fetch, once)
	@.ci/mnist.sh

runner: libtorch  # the program and its worker, ready for `dlbench run`
	DLBENCH_COMMIT="$$(git describe --always --abbrev=40 --dirty 2>/dev/null)" $(WITH_LIBTORCH) cargo build --release --locked --package dlbench --package dlbench-runner

# A Python with DuckDB, which reads back what is exported, and Typst, which sets tables; without them those tests say that
# they were skipped.
READER = target/tools

test:             # every test: units, acceptance on both knowledge bases, the documents, and the worker on the CPU
	-@$(READER)/bin/python -c 'import duckdb, typst' 2>/dev/null || (python3 -m venv $(READER) && $(READER)/bin/python -m pip install --quiet --require-hashes --requirement .ci/reader.txt)
	@if $(MAKE) --no-print-directory libtorch; then \
		echo '$(WITH_LIBTORCH) cargo test --locked --workspace --features libtorch'; \
		$(WITH_LIBTORCH) cargo test --locked --workspace --features libtorch; \
	else \
		cargo test --locked && \
		printf '\n%s\n%s\n\n' '*** NOT TESTED: the worker dlbench-runner, because libtorch could not be had (see above).' \
			'*** Everything else passed. `make libtorch` fetches it; DLBENCH_LIBTORCH names another installation.' >&2; \
	fi


# The real workers and what they need, which is kept: 3.4 GB to fetch and 7.9 GB on the disk, once. libtorch is among them where it is at
# hand (530 MB more).
FRAMEWORKS = pytorch,onnxruntime,openvino,jax,tensorflow,tract

candle:           # the worker of candle, beside the program (compiles for ten minutes, once)
	cargo build --release --locked --manifest-path src/workers/candle/Cargo.toml --target-dir target/candle
	@for at in release debug; do mkdir -p target/$$at && cp target/candle/release/dlbench-candle target/$$at/ || exit 1; done

test-workers:     # the workers of other frameworks, on the CPU: that they agree, and that one with a mistake is refused (needs Python 3.11 to 3.13)
	@flags=--locked; \
	if $(MAKE) --no-print-directory libtorch; then flags='--locked --workspace --features libtorch'; export $(WITH_LIBTORCH); fi; \
	cargo test $$flags --no-run || exit 1; \
	if DLBENCH_CACHE="$(CURDIR)/target/workers" target/debug/dlbench workers --install=$(FRAMEWORKS); then \
		DLBENCH_TEST_WORKERS=1 cargo test $$flags --test acceptance -- real_workers --nocapture --test-threads=1; \
	else \
		printf '\n%s\n\n' '*** NOT TESTED: the workers of other frameworks, because their packages could not be had (see above).' >&2; \
	fi

test-slurm:       # jobs on a real Slurm of two nodes, which it starts in this machine (needs slurmctld, slurmd, slurm-client, munge; ends what it started)
	DLBENCH_TEST_SLURM=1 cargo test --locked --test acceptance -- slurm::real --nocapture --test-threads=1

test-papers:      # tables and figures set by LaTeX in five classes, without a warning (needs pdflatex, bibtex, IEEEtran, acmart, llncs); pages in target/papers
	DLBENCH_TEST_PAPERS=1 cargo test --locked --test acceptance -- typeset latex paper tables figures hostile compare

PAGE = target/page

test-page: build  # the page and the site in a real Chromium, by axe-core too (needs Node.js; 70 MB to fetch, once); pictures in target/page/pictures
	@mkdir -p $(PAGE) && cp src/acceptance/page/* $(PAGE)
	@if npm ci --prefix $(PAGE) --no-audit --no-fund; then \
		node $(PAGE)/check.mjs target/release/dlbench . 'fastest GPU for training resnet50' resn $(PAGE)/pictures; \
	else \
		printf '\n%s\n\n' '*** NOT TESTED: the page in a browser, because Chromium or Node.js could not be had (see above).' >&2; \
	fi

PYTHON = target/python
# The profile of the wheel that is tested: `make test-python PYTHON_PROFILE=release` tests what users get.
PYTHON_PROFILE = dev

test-python:      # the Python module: its wheel as pip makes it of a clone, in a fresh environment; types, a notebook (needs Python 3.11; 150 MB to fetch, once)
	@mkdir -p $(PYTHON)
	@if $(PYTHON)/tools/bin/python -c 'import maturin, ipykernel, mypy, nbclient, pandas, polars, pyarrow' 2>/dev/null || (python3 -m venv $(PYTHON)/tools && \
		$(PYTHON)/tools/bin/python -m pip install --quiet --require-hashes --requirement .ci/maturin.txt --requirement src/acceptance/python/requirements.txt); then \
		rm -rf $(PYTHON)/wheels && \
		MATURIN_PEP517_ARGS="--profile $(PYTHON_PROFILE)" PATH="$(CURDIR)/$(PYTHON)/tools/bin:$$PATH" \
			$(PYTHON)/tools/bin/python -m pip wheel --no-index --no-deps --no-build-isolation --wheel-dir $(PYTHON)/wheels . && \
		$(PYTHON)/tools/bin/python src/acceptance/python/check.py $(PYTHON)/wheels; \
	else \
		printf '\n%s\n\n' '*** NOT TESTED: the Python module, because its packages could not be had (see above).' >&2; \
	fi

# The systems beside Linux that the program is built for.
OTHER_SYSTEMS = aarch64-apple-darwin x86_64-pc-windows-msvc

format-check:     # whether all of it is formatted
	cargo fmt --check

lint: format-check lint-variants  # formatting and lints
	cargo clippy --workspace --all-targets --locked --features dlbench-runner/without-libtorch -- --deny warnings

lint-variants:    # what the tests do not compile: without the optional features, the Python module, and for other systems where the toolchain has them
	RUSTC_WORKSPACE_WRAPPER="$(CURDIR)/.ci/clippy" cargo check --locked --no-default-features
	RUSTC_WORKSPACE_WRAPPER="$(CURDIR)/.ci/clippy" cargo check --locked --no-default-features --package dlbench-python
	@for system in $(OTHER_SYSTEMS); do \
		if [ -d "$$(rustc --print target-libdir --target $$system)" ]; then \
			echo "cargo check --locked --target $$system" && cargo check --locked --target $$system || exit 1; \
		else \
			printf '*** NOT CHECKED for %s: `rustup target add %s` brings what it needs.\n' $$system $$system >&2; \
		fi; \
	done

deny:             # known flaws, licences and origins of all crates (needs cargo-deny)
	cargo deny --locked --config .ci/deny.toml check

docs:             # writes the current output into README.md and CONTRIBUTING.md, and the schema of answers
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --lib the_published_schema
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --lib the_reference_has_every_key
	DLBENCH_UPDATE_DOCS=1 cargo test --locked --test acceptance documents

schemas:          # writes the JSON Schemas that editors read, with the ids there are
	cargo run --release --locked -- schema --write

# Made-up inputs over all targets together, kills at writes, damaged caches, hostile workers.
INPUTS = 1000000
KILLS = 1000
CACHES = 2000
WORKERS = 60

attack:           # made-up inputs, kills, damaged caches, hostile workers, within time and memory; writes src/acceptance/attack/FIGURES.md
	DLBENCH_ATTACK_INPUTS=$(INPUTS) DLBENCH_ATTACK_KILLS=$(KILLS) DLBENCH_ATTACK_CACHES=$(CACHES) DLBENCH_ATTACK_WORKERS=$(WORKERS) \
		cargo test --release --locked --test acceptance attack::the_long_form -- --exact --ignored --nocapture

intervals:        # how often the intervals of `dlbench run` hold, by simulation; writes src/library/measure/INTERVALS.md
	cargo test --release --locked --package dlbench-library --lib measure::interval_coverage::the_long_form -- --exact --ignored

# What is measured on a real machine, which has to be quiet; `make runner` comes first. 60 runs take three quarters of an
# hour on 2 cores; RUNS=2 or PAIRS=2 tries it out.
RUNS = 60
PAIRS = 8
PYTHON312 = python3.12
BENCHES = src/benches/runner

same-against-same: # complete runs of the same configurations: how often their intervals hold; writes src/benches/runner/SAME_AGAINST_SAME.md
	python3 -B $(BENCHES)/same_against_same.py --runs $(RUNS) --output $(BENCHES)/SAME_AGAINST_SAME.md

under-load:       # the same configurations beside a process that computes, with and without waiting; writes src/benches/runner/UNDER_LOAD.md
	python3 -B $(BENCHES)/under_load.py --output $(BENCHES)/UNDER_LOAD.md

TORCH = target/torch

beside-python:    # the worker beside PyTorch in Python (3 GB to fetch, once; Python 3.12); writes src/benches/runner/BESIDE_PYTHON.md
	@$(TORCH)/bin/python -c 'import torchvision' 2>/dev/null || ($(PYTHON312) -m venv $(TORCH) && \
		$(TORCH)/bin/python -m pip install --quiet --require-hashes --find-links .libtorch/wheels --requirement $(BENCHES)/requirements.txt)
	$(TORCH)/bin/python -B $(BENCHES)/beside_python.py --pairs $(PAIRS) --output $(BENCHES)/BESIDE_PYTHON.md

TARGET = question reader
SECONDS = 300

fuzz:             # made-up questions and made-up files, so long each (needs a nightly toolchain and cargo-fuzz)
	cd .fuzz && for target in $(TARGET); do \
		mkdir -p corpus/$$target && RAYON_NUM_THREADS=1 cargo +nightly fuzz run --fuzz-dir . --sanitizer none $$target corpus/$$target seeds/$$target \
			-- -dict=$$target.dict -timeout=10 -max_total_time=$(SECONDS) || exit 1; \
	done

SIZES = 100000 1000000
TOOLS = target/bench/tools

bench:            # times and memory against other tools, and the page src/benches/README.md; SIZES=10000000 adds a size
	python3 -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --require-hashes --requirement src/benches/rivals/requirements.txt
	cargo build --release --locked --examples
	cargo bench --locked --bench scale -- prepare $(SIZES)
	cargo bench --locked --bench functions
	cargo bench --locked --bench scale -- measure $(SIZES)
	cargo bench --locked --bench scale -- whole
	cargo bench --locked --bench scale -- page

load:             # the server under load, beside Datasette on the same rows (needs wrk; a quarter of an hour on 2 cores, which have to be quiet); writes src/benches/load/README.md
	@command -v wrk > /dev/null || { echo 'wrk is missing; Debian has it as a package of that name' >&2; exit 1; }
	python3 -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --require-hashes --requirement src/benches/rivals/requirements.txt --requirement src/benches/load/requirements.txt
	cargo build --release --locked --bin dlbench --examples
	cargo bench --locked --bench scale -- prepare 1000000
	$(TOOLS)/bin/python -B src/benches/load/load.py --output src/benches/load/README.md
