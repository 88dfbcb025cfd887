# Networks trained under the conditions of conditions.tsv, and the games that they win: NAME.tsv and NAME.svg.
# TRAINING is the number of games of a training; NETS, more options of nets.py; TITLE, that of the plot.

SEEDS ?= 5
MATCH ?= 200
TITLE ?= Won against the built-in evaluation, %, of $(SEEDS) seeds
TRAIN_NETS = $(PYTHON) ../nets.py $< --seeds $(SEEDS) --seed $(SEED) --referee-games $(MATCH) --jobs $(JOBS)

all: $(HERE)/$(NAME).svg

$(HERE)/$(NAME).tsv: conditions.tsv ../nets.py | $(HERE)
	$(TRAIN_NETS) --games $(TRAINING) $(NETS) --into $(HERE)/nets -o $@

$(HERE)/$(NAME).svg: $(HERE)/$(NAME).tsv
	$(PLOT) $< --x condition --y share --low low --high high --title "$(TITLE)" -o $@
