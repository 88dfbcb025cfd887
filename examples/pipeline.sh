#!/usr/bin/env bash
# From games to a compiled library of rules, from self-play to a value, and to the moves both would play, each step
# leaving a plain file in out/.
# usage: examples/pipeline.sh [FOLDER WITH GAMES [FOLDER WITH TEST GAMES]]
set -euo pipefail
cd "$(dirname "$0")/.."
PATH="$PWD/.venv/bin:$PATH"
games=${1:-examples/games}
tests=${2:-examples/test-games}
mkdir -p out

gotools sgf-to-examples "$games" -o out/examples.tsv.gz
gotools induce-patterns out/examples.tsv.gz --objective rank --max-rules 100 -o out/rules.pl
gotools compile-patterns out/rules.pl -o out/rules.so
gotools rank-moves "$tests" --rules out/rules.so --metrics out/metrics.json -o out/ranking.tsv

gotools train-eval --games 4000 --seed 1 --referee-games 50 --resume -o out/eval.npz --log out/log.tsv
gotools show out/eval.npz -o out/eval.md  # the patterns that count most

# an order of moves, from those of winners and those that they left alone
gotools cluster-moves "$games" -o out/clusters.tsv
gotools order-bench "$tests" --positions 20 --order out/clusters.tsv --order out/rules.so+out/clusters.tsv -o out/orders.tsv

# one move of a game, and why: by Monte-Carlo tree search, and by alpha-beta with the learned value
printf 'loadsgf %s 15\ngenmove w\ngotools-explain\nquit\n' "$(ls "$tests"/*.sgf | head -n 1)" > out/commands.txt
gotools gtp --rules out/rules.so --nodes 2000 -q < out/commands.txt > out/move.txt
gotools gtp --rules out/rules.so --eval out/eval.npz --nodes 20000 -q < out/commands.txt >> out/move.txt
gotools gtp --order out/clusters.tsv --depth 3 -q < out/commands.txt >> out/move.txt

# problems of life and death
gotools solve examples/problems.sgf -o out/solved.tsv

# the same player with the rules and without, and how much they are worth
gotools tournament --engine rules=gotools:rules=out/rules.so,nodes=200 --engine plain=gotools:rules=none,eval=none,nodes=200 \
    --games 8 --size 9 --jobs 2 -o out/match
gotools elo out/match -o out/ratings.tsv

# habits of the strong and the weak; levels of GNU Go stand for ranks, which the records of examples/ do not have
mkdir -p out/ranked
for game in examples/games/*.sgf; do
    sed -E 's/P([BW])\[GNU Go level ([0-9]+)\]/&\1R[\2d]/g' "$game" > "out/ranked/$(basename "$game")"
done
gotools lessons out/ranked --rules out/rules.so --bands 1d-3d,5d-8d -o out/lessons.tsv

# all of it to look at: four web pages
gotools report out/match out/ratings.tsv -o out/match.html
gotools report out/rules.pl out/lessons.tsv out/eval.npz "$tests" -o out/rules.html
gotools report out/log.tsv out/eval.npz -o out/training.html
gotools report out/clusters.tsv out/orders.tsv -o out/orders.html

grep -c '^rule(' out/rules.pl | sed 's/$/ rules in out\/rules.pl/'
