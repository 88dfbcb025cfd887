# make demo    learn rules from the games of examples/, compile them, rank moves (needs no Prolog, no GNU Go)
#              make demo GAME=shogi: of another game; abalone, connect4, tictactoe
# make quick   a subset of the tests for the inner loop: every package, under a minute on two cores
# make test    the tests, in five minutes on two cores; installs SWI-Prolog and GNU Go from the system's packages
# make system  the other tests that start commands, engines, browsers and clusters, and the golden chain
# make check   style and types
# make bench   speed and accuracy, as ratios measured in one run (minutes)
# make bench-large  60,000 moves at once: time, memory, growth of the time per seed (some minutes)
# make slow    the tests that take minutes
# make browser the tests of pages in Chromium; installs it from the system's packages where it may
# make lowest  the tests with the lowest versions of the dependencies that pyproject.toml allows, in a fresh clone
# make package sdist and wheel in dist/, each tried in an environment of its own
# make wheel   a wheel in dist/ with compiled kernels, for this system and Python
# make man     man pages in out/man: man -l out/man/gotools-gtp.1
# make site    the documentation as a web site in out/site, with the reports that lie in out/
# make format  put the code into the one format that `make check` asks for
# make clean   remove what the above made
#
# Everything goes into .venv and out/. PYTHON names another Python: make PYTHON=/opt/python3.12/bin/python3 demo

.DEFAULT_GOAL := help
.PHONY: help demo quick test system check bench bench-large slow browser lowest package wheel man site format clean
.DELETE_ON_ERROR:
# Where an environment forbids it, each process would compile gotools and each worker of pytest rewrite the tests.
unexport PYTHONDONTWRITEBYTECODE

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
# Found when it is first needed, then kept: each use would search again.
PYTHON ?= $(eval PYTHON := $(shell for python in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	$$python -c '$(NEW_ENOUGH)' 2>/dev/null && { echo $$python; break; }; done))$(PYTHON)
BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# For the tests: pip would compile Python's files on one core. Some of them are for other versions: no error counts.
# Commands leave their imports compiled, a fifth of all files.
BYTE_COMPILE := $(BIN)/python -m compileall -qq -j 0 .venv/lib || true

help:
	@sed -n 's/^# make /make /p' Makefile

GAME ?= go
LEARN_go := examples/games
LEARN_shogi := examples/shogi/games.sgf
TEST_go := examples/test-games
TEST_shogi := examples/shogi/test-games.sgf
EXPLAINED_go := examples/test-games/gnugo-1001.sgf
SHOWN_go := /^gnugo-1001:14 /
LEARN = $(or $(LEARN_$(GAME)),examples/$(GAME)/learn.tsv)
TEST = $(or $(TEST_$(GAME)),examples/$(GAME)/test.tsv)

demo: .venv/installed
	@mkdir -p out
	$(BIN)/gotools induce-patterns --game $(GAME) $(LEARN) --objective rank --max-rules 100 \
		--test $(TEST) --metrics out/metrics.json -o out/rules.pl
	$(BIN)/gotools compile-patterns out/rules.pl -o out/rules.so
	$(BIN)/gotools rank-moves --game $(GAME) $(or $(EXPLAINED_$(GAME)),$(TEST)) --rules out/rules.so --explain -o out/explained.txt
	@echo && sed -n '$(or $(SHOWN_$(GAME)),1),/^  2\./{/^  2\./!p}' out/explained.txt

# Files that test much in little time; none of them starts an engine, waits for a clock or learns for long.
QUICK := games \
	house/test_layers.py house/test_architecture.py house/test_contributing.py house/test_docs.py \
	house/test_files.py house/test_habits.py house/test_names.py house/test_tables.py \
	go/test_board.py go/test_examples.py go/test_go_game.py go/test_kernels.py go/test_negatives.py go/test_ranks.py \
	search/test_mcts.py \
	rules/test_accuracy.py rules/test_diagrams.py rules/test_rules.py rules/test_sentences.py \
	rules/test_surroundings.py \
	values/test_clusters_file.py values/test_evolution.py values/test_network.py values/test_td.py \
	ratings/test_incremental.py \
	engines/test_clock.py engines/test_gtp.py engines/test_gtp_session.py \
	matches/test_gates.py matches/test_openings.py matches/test_referee.py matches/test_standings.py \
	commands/test_usage.py

quick: .venv/installed-dev
	$(BIN)/pytest -q -n 2 --dist worksteal -m 'not slow and not system' $(addprefix tests/,$(QUICK))

test: .venv/installed-dev
	@scripts/system-packages swipl gnugo
	@$(BIN)/gotools warm-up >/dev/null
	$(BIN)/pytest -n 2 --dist worksteal -m 'not slow and (smoke or not system)'

system: .venv/installed-dev
	@scripts/system-packages swipl gnugo
	@$(BIN)/gotools warm-up >/dev/null
	$(BIN)/pytest -n 2 --dist worksteal -m 'system and not smoke and not slow'

check: .venv/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/installed-dev
	@scripts/system-packages swipl gnugo
	@for script in bench/[a-z]*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

bench-large: .venv/installed-dev
	$(BIN)/python bench/induction.py large

slow: .venv/installed-dev
	@scripts/system-packages swipl gnugo
	$(BIN)/pytest -m slow

browser: .venv/installed-dev
	@scripts/system-packages chromium
	$(BIN)/pytest -q tests/commands/test_report_in_browser.py

LOWEST := import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	print(*(one.replace(">=", "==") for one in project["dependencies"]), sep="\n")

lowest:
	@mkdir -p out
	@$(PYTHON) -c '$(LOWEST)' > out/lowest.txt
	PIP_CONSTRAINT=$(abspath out/lowest.txt) $(MAKE) test

package: .venv/installed-dev
	rm -rf dist
	$(PIP_INSTALL) build
	$(BIN)/python -m build
	@for package in dist/*; do PYTHON=$(PYTHON) scripts/try-package $$package || exit 1; done

wheel: .venv/installed-dev
	scripts/wheel dist
	PYTHON=$(PYTHON) scripts/try-package $$(ls -t dist/*.whl | head -n 1)

man: .venv/installed
	$(BIN)/python docs/make_man.py out/man

site: .venv/installed-dev
	$(PIP_INSTALL) mkdocs-material
	NO_MKDOCS_2_WARNING=1 $(BIN)/python docs/make_site.py out/site $(wildcard out/*.html)

format: .venv/installed-dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf .venv out build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find gotools tests -name __pycache__ -prune -exec rm -rf {} +

# The environment. A stamp file says what .venv holds, so that a second call costs nothing.
# Some systems have a Python without the means to put pip into a new environment: there the system's pip does it.

.venv/bin/python:
	@$(if $(PYTHON),:,echo "gotools needs Python 3.11 or newer, and none was found. Install one, or name it: make PYTHON=/path/to/python3 ..." >&2; exit 1)
	@$(PYTHON) -c '$(NEW_ENOUGH)' || { echo "gotools needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1)." >&2; exit 1; }
	@echo "Making .venv with $(PYTHON) ..."
	@$(PYTHON) -m venv .venv >/dev/null || { $(PYTHON) -m venv --without-pip --clear .venv && \
		$(PYTHON) -m pip --quiet --python .venv/bin/python install pip; }
	@$(BIN)/python -m pip uninstall --quiet --disable-pip-version-check --yes setuptools 2>/dev/null # of Python 3.11

.venv/installed: pyproject.toml | .venv/bin/python
	@echo "Installing gotools and what it needs into .venv (a few minutes the first time) ..."
	@$(PIP_INSTALL) -e .
	@touch $@

.venv/installed-dev: pyproject.toml | .venv/bin/python
	@echo "Installing gotools and its development tools into .venv (a few minutes the first time) ..."
	@$(PIP_INSTALL) -e '.[dev]'
	@$(BYTE_COMPILE)
	@touch .venv/installed $@
