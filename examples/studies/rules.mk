# Rules that rank moves, for the studies that search by them: learned from TRAIN once for all, unless RULES names others.

TRAIN ?= $(EXAMPLES)/games
MAX_RULES ?= 100
RULES ?= $(OUT)/rules.so

$(OUT)/rules.pl: | $(HERE)
	$(GOTOOLS) induce-patterns $(TRAIN) --objective rank --max-rules $(MAX_RULES) -q -o $@

$(OUT)/rules.so: $(OUT)/rules.pl
	$(GOTOOLS) compile-patterns $< -o $@
