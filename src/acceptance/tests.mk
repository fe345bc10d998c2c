# Longer tests, which need more than Rust
.PHONY: test-workers test-slurm test-papers test-page test-python attack fuzz

# Their packages take 7.9 GB of disk; libtorch is tested as well if it is there.
FRAMEWORKS = pytorch,onnxruntime,openvino,jax,tensorflow,tract

test-workers:     # the workers of other frameworks, on the CPU (Python 3.11 to 3.13; 3.4 GB, once)
	@flags=--locked; \
	if $(MAKE) --no-print-directory libtorch; then flags='--locked --workspace --features libtorch'; export $(WITH_LIBTORCH); fi; \
	cargo test $$flags --no-run || exit 1; \
	if DLBENCH_CACHE="$(CURDIR)/target/workers" target/debug/dlbench workers --install=$(FRAMEWORKS); then \
		DLBENCH_TEST_WORKERS=1 cargo test $$flags --test acceptance -- real_workers --nocapture --test-threads=1; \
	else \
		printf '\n%s\n\n' '*** NOT TESTED: the workers of other frameworks, because their packages could not be had (see above).' >&2; \
	fi

test-slurm:       # jobs on a Slurm of two nodes that it starts and ends (slurmctld, slurmd, munge)
	DLBENCH_TEST_SLURM=1 cargo test --locked --test acceptance -- slurm::real --nocapture --test-threads=1

test-papers:      # tables and figures in five LaTeX classes (pdflatex); pages in target/papers
	DLBENCH_TEST_PAPERS=1 cargo test --locked --test acceptance -- typeset latex paper catalog figures hostile compare

PAGE = target/page

test-page: build  # page and site in Chromium (Node.js; 70 MB, once); pictures in target/page/pictures
	@mkdir -p $(PAGE) && cp src/acceptance/page/* $(PAGE)
	@if npm ci --prefix $(PAGE) --no-audit --no-fund; then \
		node $(PAGE)/check.mjs target/release/dlbench . 'fastest GPU for training resnet50' resn $(PAGE)/pictures; \
	else \
		printf '\n%s\n\n' '*** NOT TESTED: the page in a browser, because Chromium or Node.js could not be had (see above).' >&2; \
	fi

PYTHON = target/python
# The profile of the wheel that is tested: `make test-python PYTHON_PROFILE=release` tests what users get.
PYTHON_PROFILE = dev

test-python:      # the Python wheel in a fresh environment (Python 3.11; 150 MB, once)
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

# How many of each: a quarter of an hour on two processors, the build aside. INPUTS=1000000 takes hours.
INPUTS = 60000
KILLS = 270
CACHES = 300
WORKERS = 20
REQUESTS = 2000
# `make attack ONLY=kills` runs what has this in its name.
ONLY =

attack:           # made-up input, kills, damaged caches, hostile workers, requests and frames (15 minutes)
	DLBENCH_ATTACK_INPUTS=$(INPUTS) DLBENCH_ATTACK_KILLS=$(KILLS) DLBENCH_ATTACK_CACHES=$(CACHES) DLBENCH_ATTACK_WORKERS=$(WORKERS) \
		DLBENCH_ATTACK_REQUESTS=$(REQUESTS) DLBENCH_ATTACK_ONLY='$(ONLY)' \
		cargo test --release --locked --test acceptance attack::the_long_form -- --exact --ignored --nocapture

TARGET = parser question reader import snapshot
SECONDS = 300
MOST_RUNS = 1000000

fuzz:             # questions, files, imports, snapshots: a million inputs or five minutes each (a C++ compiler)
	cd .fuzz && host=$$(rustc -vV | sed -n 's/^host: //p') && \
	RUSTC_WRAPPER="$$PWD/instrument" cargo build --release --target-dir target --target $$host $(TARGET:%=--bin %) && for target in $(TARGET); do \
		mkdir -p corpus/$$target && dict=$$(ls $$target.dict 2>/dev/null) ; \
		RAYON_NUM_THREADS=1 target/$$host/release/$$target corpus/$$target seeds/$$target \
			$${dict:+-dict=$$dict} -timeout=10 -runs=$(MOST_RUNS) -max_total_time=$(SECONDS) || exit 1; \
	done
