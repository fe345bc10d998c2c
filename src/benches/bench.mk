# Measurements of dlbench itself, which need a quiet machine
.PHONY: bench leave-one-out load intervals same-against-same beside-python under-load

SIZES = 100000 1000000
TOOLS = target/bench/tools

bench:            # times and memory beside other tools; writes src/benches/README.md
	python3 -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --require-hashes --requirement src/benches/rivals/requirements.txt
	cargo build --release --locked --examples
	cargo bench --locked --bench scale -- prepare $(SIZES)
	cargo bench --locked --bench functions
	cargo bench --locked --bench scale -- measure $(SIZES)
	cargo bench --locked --bench scale -- whole
	cargo bench --locked --bench scale -- page

leave-one-out:    # how well effects of candidates predict what was left out; writes src/benches/LEAVE_ONE_OUT.md
	cargo run --release --locked --example leave-one-out > src/benches/LEAVE_ONE_OUT.md

load:             # the server under load, beside Datasette (wrk); writes src/benches/load/README.md
	@command -v wrk > /dev/null || { echo 'wrk is missing; Debian has it as a package of that name' >&2; exit 1; }
	python3 -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --require-hashes --requirement src/benches/rivals/requirements.txt --requirement src/benches/load/requirements.txt
	cargo build --release --locked --bin dlbench --examples
	cargo bench --locked --bench scale -- prepare 1000000
	$(TOOLS)/bin/python -B src/benches/load/load.py --output src/benches/load/README.md

intervals:        # how often the intervals of `run` hold, by simulation; writes INTERVALS.md
	cargo test --release --locked --package dlbench-library --lib measure::interval_coverage::the_long_form -- --exact --ignored

# After `make runner`. 60 runs take three quarters of an hour on 2 cores; RUNS=2 or PAIRS=2 is a trial.
RUNS = 60
PAIRS = 8
PYTHON312 = python3.12
BENCHES = src/benches/runner

same-against-same: # the same, on this machine; writes src/benches/runner/SAME_AGAINST_SAME.md
	python3 -B $(BENCHES)/same_against_same.py --runs $(RUNS) --output $(BENCHES)/SAME_AGAINST_SAME.md

under-load:       # `run` beside a process that computes; writes src/benches/runner/UNDER_LOAD.md
	python3 -B $(BENCHES)/under_load.py --output $(BENCHES)/UNDER_LOAD.md

TORCH = target/torch

beside-python:    # the worker beside PyTorch in Python (3 GB, once); writes src/benches/runner/BESIDE_PYTHON.md
	@$(TORCH)/bin/python -c 'import torchvision' 2>/dev/null || ($(PYTHON312) -m venv $(TORCH) && \
		$(TORCH)/bin/python -m pip install --quiet --require-hashes --find-links .libtorch/wheels --requirement $(BENCHES)/requirements.txt)
	$(TORCH)/bin/python -B $(BENCHES)/beside_python.py --pairs $(PAIRS) --output $(BENCHES)/BESIDE_PYTHON.md
