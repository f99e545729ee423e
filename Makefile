# `make` sets everything up; `make help` lists the rest. Nothing here needs the network once .venv is up to date.
PYTHON ?= python3
GAME ?=
FUZZ_SECONDS ?= 600
SOAK_ROUNDS ?= 400
SOAK_SEED ?= 1
BIN := .venv/bin
READY := .venv/ready
PACKAGES := tablectl drivers/tablectl_drivers hil/tablectl_hil
export PYTHON

.DEFAULT_GOAL := setup
.PHONY: help setup prepare lint lint-quick lint-types format test test-tables test-engine test-core test-usb run explore hil soak bench fuzz lock clean

help:
	@echo 'make              set up .venv (and, as root, the Debian packages that are missing)'
	@echo 'make run          a table that deals by itself, in this terminal; GAME=three_card_poker chooses the game'
	@echo 'make test         every check, as CI runs it: lint, then the tests'
	@echo 'make test-usb     USB on a real kernel in a virtual machine; installs QEMU, as root on Debian'
	@echo 'make lint         ruff, mypy and the import layers'
	@echo 'make format       let ruff rewrite what it can'
	@echo 'make explore      every way through the rounds and a crash at every moment, where make test takes some of each kind'
	@echo 'make hil          every scenario file at a real table with emulated equipment, with both sets of sensors'
	@echo 'make soak         days at a table of SOAK_ROUNDS=400 rounds each, with everything that may go wrong; SOAK_SEED=1'
	@echo 'make bench        the benchmarks, printed as ratios; fetches the hand evaluators to compare with once'
	@echo 'make fuzz         coverage-guided fuzzing of the decoders, for FUZZ_SECONDS=600; fetches atheris once'
	@echo 'make lock         resolve all dependencies anew into requirements.lock'
	@echo 'make clean        remove .venv, caches and builds'
	@echo 'PYTHON=python3.12 chooses the interpreter for a new .venv'

setup: $(READY)
	@echo 'Ready: make run, make test, make help.'

prepare:
	@.ci/prepare $(BROKER)

# A virtual environment does not survive being moved, so its stamp holds the folder that it was made in.
ifneq ($(shell cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif

# uv comes first, by pip, from its own hashed lines of the lock. Bytecode is compiled here, as uv leaves that out
# where PYTHONDONTWRITEBYTECODE is set and every start would pay for it. The project itself is built by the locked
# hatchling, without the network.
$(READY): requirements.lock pyproject.toml | prepare
	@[ "$$(cat $@ 2>/dev/null)" = '$(CURDIR)' ] || rm -rf .venv
	@[ -x $(BIN)/python ] || { echo 'Making .venv'; $(PYTHON) -m venv .venv; }
	@awk '/^[^ ]/ { mine = /^uv==/ } mine' requirements.lock > .venv/uv.txt
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r .venv/uv.txt
	@$(BIN)/uv pip install -q -p .venv --compile-bytecode --require-hashes -r requirements.lock
	@$(BIN)/uv pip install -q -p .venv --no-deps --no-build-isolation -e .
	@printf '%s\n' '$(CURDIR)' > $@

lint: lint-quick lint-types

lint-quick: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo

lint-types: setup
	$(BIN)/mypy $(PACKAGES) tests

format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# Tests at whole tables wait for other processes much of the time, so the rest runs beside them, in parts that take about
# as long. They start hundreds of processes: each would compile all that it imports anew where PYTHONDONTWRITEBYTECODE
# is set.
SCENARIOS_AT_TABLES := tests/daemon/test_hil_run.py tests/daemon/test_hil_faults.py
test: lint-quick
	$(MAKE) -k -j4 --output-sync=target test-tables lint-types test-engine test-core

test-tables test-engine test-core explore hil soak: export PYTHONDONTWRITEBYTECODE :=

test-tables:
	$(BIN)/python -m pytest -o cache_dir=.pytest_cache/tables tests/daemon $(addprefix --ignore=,$(SCENARIOS_AT_TABLES))

test-engine:
	$(BIN)/python -m pytest -o cache_dir=.pytest_cache/engine tests/engine tests/hil $(SCENARIOS_AT_TABLES)

test-core:
	$(BIN)/python -m pytest --ignore=tests/daemon --ignore=tests/hil --ignore=tests/engine

test-usb: setup
	tests/usb/prepare .venv/usb-kernel
	$(BIN)/python -m pytest -s --timeout=600 -o python_files='qemu_*.py' tests/usb

run: BROKER := optional-broker
run: $(READY)
	@$(BIN)/tablectl demo $(GAME)

explore: setup
	TABLECTL_EXPLORE_ALL=1 $(BIN)/python -m pytest -k 'every_way or crash or wherever' tests/procedure tests/games tests/engine

hil: setup
	TABLECTL_HIL_ALL=1 $(BIN)/python -m pytest tests/daemon/test_hil_run.py tests/engine/test_live_scenarios.py

soak: setup
	TABLECTL_DAY_ROUNDS=$(SOAK_ROUNDS) TABLECTL_DAY_SEED=$(SOAK_SEED) $(BIN)/python -m pytest tests/daemon/test_day.py

bench: setup
	@$(BIN)/python -c 'import treys, phevaluator, eval7, pokerkit' 2>/dev/null || $(BIN)/uv pip install -q -p .venv treys phevaluator eval7 pokerkit
	$(BIN)/python -m pytest -s --timeout=0 -o python_files='bench_*.py' tests/benchmarks

fuzz: setup
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/uv pip install -q -p .venv 'atheris>=3,<4'
	$(BIN)/python -m tests.fuzz.fuzz_decoders -max_total_time=$(FUZZ_SECONDS) -max_len=1200 -artifact_prefix=.venv/fuzz-

lock: setup
	$(BIN)/uv lock -q --upgrade
	$(BIN)/uv export -q --all-extras --no-emit-project --no-annotate --no-header --format requirements-txt -o requirements.lock
	rm uv.lock

clean:
	rm -rf .venv dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find $(PACKAGES) tests -name __pycache__ -prune -exec rm -rf {} +
