# Two commands matter: `make demo` and `make test`. They need Python 3.11 or newer, make and pip.

PYTHON ?= python3
BIN := .venv/bin
# each worker starts with a stretch of the tests, so that files keep their fixtures; then it steals
ON_ALL_CORES := --numprocesses auto --dist worksteal

# the tests start some hundred programs: each would compile the package again
unexport PYTHONDONTWRITEBYTECODE
# each core has a worker: more threads of linear algebra would only spin while they wait
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1

.PHONY: demo test soon test-all slow core check lint study docs clean
.DEFAULT_GOAL := demo

demo: .venv/ready-run
	@$(BIN)/rocsolid demo --html report.html
	@echo "(rocsolid is $(BIN)/rocsolid)"

# all that is soon done and needs no package of the system; pytest says how long each of the slowest
# took, and what was skipped or left out. Types are checked meanwhile, which takes one core a minute
test: .venv/ready-test
	$(MAKE) --jobs=2 lint soon

soon: .venv/ready-test
	$(BIN)/python benchmarks/import_time.py
	$(BIN)/python -m pytest -q -rs -m "not slow" $(ON_ALL_CORES)

# what `make test` leaves out
test-all: slow core

slow: .venv/ready-test
	$(BIN)/python -m pytest -q -rs -m slow $(ON_ALL_CORES)

# unit tests where the two parts are not: of the core's modules that import `rocsolid.parts`, and of
# the command line. Without a part no other module differs: import-linter keeps the parts out of
# the core, and tests/unit/test_parts.py out of these tests. `docs` describes all three
core: .venv/ready-test
	folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT \
		&& cp -r src tests docs benchmarks examples recipe .ci .github Makefile *.* "$$folder" && cp LICENSE "$$folder" \
		&& cd "$$folder" && rm -r src/rocsolid/board src/rocsolid/theory tests/parts \
		&& PYTHONPATH="$$folder/src" $(CURDIR)/$(BIN)/python -m pytest -q $(ON_ALL_CORES) -m "not slow" \
			tests/unit/*.py tests/unit/cli tests/unit/results tests/unit/evaluation/test_evaluate_queries.py

# the inner loop: no simulations, no numbers of other programs, no browser, no docs
check: lint
	$(BIN)/python -m pytest -q $(ON_ALL_CORES) -m "not slow" tests/unit tests/parts/*/unit src

lint: .venv/ready-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# the large simulations, on demand: they take minutes
study: .venv/ready-test
	$(BIN)/python benchmarks/coverage_study.py
	$(BIN)/python benchmarks/uneven_study.py
	$(BIN)/python benchmarks/size_study.py
	$(BIN)/python benchmarks/folds_study.py
	$(BIN)/python benchmarks/bootstrap_study.py
	$(BIN)/python benchmarks/referee_study.py
	$(BIN)/python benchmarks/public_study.py

docs: .venv/ready-test
	$(BIN)/python docs/build.py site

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "rocsolid needs Python 3.11 or newer; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
		|| { echo "This Python has no venv; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/ready-run: .venv/bin/python pyproject.toml
	$(BIN)/pip install -q -e .
	touch $@

.venv/ready-test: .venv/bin/python pyproject.toml
	$(BIN)/pip install -q -e '.[test]'
	touch $@ .venv/ready-run

clean:
	rm -rf .venv site study report.html .mypy_cache .ruff_cache .import_linter_cache .hypothesis
