# Counter-examples for the thesis' tables: moves of a random player against GNU Go at some levels, and against itself.
# Needs gnugo on the PATH, and the games of go9-pro and go9-dan in DATA. About 20 minutes of a core, most of it level 10.

MOVES ?= 840
POOL := $(OUT)/random-player
LEVELS := 1 6 10
FIRST := $(firstword $(sort $(wildcard $(DATA)/go9-pro/train/*.sgf)))
POOLS := $(LEVELS:%=$(POOL)/%.tsv) $(POOL)/self.tsv
TABLE = $(PYTHON) ../draws.py conditions.tsv --train $(DATA)/go9-pro/train --test $(DATA)/go9-pro/valid \
	--other $(DATA)/go9-dan/valid $(foreach pool,self $(LEVELS),--pool $(pool)=$(POOL)/$(pool).tsv)

$(POOL):
	mkdir -p $@

$(LEVELS:%=$(POOL)/%.tsv): $(POOL)/%.tsv: | $(POOL)
	$(GOTOOLS) sgf-to-examples $(FIRST) --negatives random=$(MOVES) --seed $(SEED) --engine 'gnugo --mode gtp --level $*' -o $@

$(POOL)/self.tsv: | $(POOL)
	$(GOTOOLS) sgf-to-examples $(FIRST) --negatives random=$(MOVES) --seed $(SEED) -o $@
