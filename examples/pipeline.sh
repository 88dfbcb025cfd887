#!/usr/bin/env bash
# From games to rules in two steps, each leaving a plain file in out/.
# usage: examples/pipeline.sh [FOLDER WITH GAMES [FOLDER WITH TEST GAMES]]
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PWD/.venv/bin:$PATH"
games=${1:-examples/games}
tests=${2:-examples/test-games}
mkdir -p out

gotools sgf-to-examples "$games" --negatives unplayed=1500 -o out/examples.tsv.gz
gotools induce-patterns out/examples.tsv.gz --test "$tests" --metrics out/metrics.json -o out/rules.pl

grep -c '^rule(' out/rules.pl | sed 's/$/ rules in out\/rules.pl/'
