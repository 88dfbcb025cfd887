# What the Makefile of every study includes first. NAME is the name of its folder; results go to $(HERE).

BIN := $(wildcard ../../../.venv/bin)
GOTOOLS ?= $(if $(BIN),$(abspath $(BIN))/gotools,gotools)
PYTHON ?= $(if $(BIN),$(abspath $(BIN))/python,python3)
NAME := $(notdir $(CURDIR))
OUT ?= ../../../out/studies
HERE := $(OUT)/$(NAME)
JOBS ?= 1
EXAMPLES := ../..
PLOT = $(PYTHON) ../plot.py

.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all
.PHONY: all

$(HERE):
	mkdir -p $@
