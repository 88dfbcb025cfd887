# What the Makefile of every study includes first. NAME is the name of its folder; results go to $(HERE).
# A study has SEED, of all that it draws by chance, and for `make check`: COMMITTED, the tables that it makes and that
# stand beside its Makefile; ROWS, the columns that name their rows; SHOWN, how the row begins that stands for the study;
# and CHECK, the variables of a run of about a tenth of its size.

BIN := $(wildcard ../../../.venv/bin)
GOTOOLS ?= $(if $(BIN),$(abspath $(BIN))/gotools,gotools)
PYTHON ?= $(if $(BIN),$(abspath $(BIN))/python,python3)
NAME := $(notdir $(CURDIR))
OUT ?= ../../../out/studies
HERE := $(OUT)/$(NAME)
JOBS ?= 1
SEED ?= 1
CHECK_SEED ?= 77
SMALLER := $(OUT)/check-$(CHECK_SEED)
EXAMPLES := ../..
DATA ?= ../../../../shared/data
PLOT = $(PYTHON) ../plot.py

export PATH := $(PATH):/usr/games

.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all
.PHONY: all check

$(HERE):
	mkdir -p $@

check:
	$(MAKE) --no-print-directory $(COMMITTED:%=$(SMALLER)/$(NAME)/%) OUT=$(SMALLER) SEED=$(CHECK_SEED) $(CHECK)
	$(PYTHON) ../check.py compare . $(SMALLER)/$(NAME) --rows '$(ROWS)' --show '$(SHOWN)' -o $(SMALLER)/$(NAME).tsv

# The positions of GAMES; drawn at random with a seed other than 0
$(HERE)/games.tsv: | $(HERE)
	$(GOTOOLS) sgf-to-examples $(GAMES) -q | $(PYTHON) ../shuffled.py $(SEED) > $@
