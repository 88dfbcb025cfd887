"""A file of each kind that gotools knows, made by gotools where it makes such files."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
from support.random_clusters import random_clusters
from support.small_game_engine import command as small_engine

from gotools.cli import run
from gotools.files.kinds import Kind
from gotools.game.game import find_game
from gotools.values.clusters.clusters_file import write_clusters
from gotools.values.td.shapes import shapes_of
from gotools.values.weights.weights_file import Weights, save_weights

GAME = "(;GM[1]SZ[5]RE[B+R]PB[a]PW[b];B[cc];W[bb];B[dd];W[bd])"
RULES = """%% gotools rules 1
%% sizes=9-9
%% note=\x1b[2J and more
rule(r1, 10, 20, 0.5).
move(A,B,C,D) :- stage(A,open).
rule(r2, 30, 40, -1.25).
move(A,B,C,D) :- line(A,C,D,3).
rule(r3, 5, 0, 0.75).
move(A,B,C,D) :- mine(A,C,D,2), stage(A,middle).
"""
OURS = {
    "eval.npz": Kind.weights,
    "lines.npz": Kind.weights,
    "rules.pl": Kind.rules,
    "plain.pl": Kind.rules,
    "rules.so": Kind.library,
    "rules.c": Kind.c_source,
    "examples.tsv.gz": Kind.examples,
    "examples.parquet": Kind.examples,
    "clusters.tsv": Kind.clusters,
    "ranking.tsv": Kind.ranking,
    "ranking.parquet": Kind.ranking,
    "metrics.json": Kind.metrics,
    "solved.tsv": Kind.solved,
    "orders.tsv": Kind.orders,
    "orders.json": Kind.orders,
    "orders.parquet": Kind.orders,
    "lessons.tsv": Kind.lessons,
    "lessons.json": Kind.lessons,
    "lessons.parquet": Kind.lessons,
    "ratings.tsv": Kind.ratings,
    "ratings.json": Kind.ratings,
    "ratings.parquet": Kind.ratings,
    "los.tsv": Kind.superiorities,
    "log.tsv": Kind.log,
    "summary.json": Kind.summary,
    "run/results.jsonl": Kind.journal,
    "games.tsv": Kind.results_table,
    "games.parquet": Kind.results_table,
}
"""What gotools writes, by name."""
OTHERS = {
    "g.sgf": Kind.games,
    "r.csv": Kind.results,
    "e.csv": Kind.csv,
    "export.pl": Kind.prolog,
    "match.toml": Kind.settings,
    "page.html": Kind.page,
    "a.pdf": Kind.office,
    "empty": Kind.empty,
    "blank.txt": Kind.empty,
    "noise": Kind.binary,
    "twice.gz": Kind.packed,
    "e.parquet.gz": Kind.parquet,
    "a.zip": Kind.zip,
    "a.png": Kind.picture,
    "a.npy": Kind.data,
    "words.txt": Kind.text,
}
TEXTS = {
    "g.sgf": GAME + "(;GM[1]SZ[7]RE[W+R];B[cc];W[dd];B[])",
    "ranked.sgf": "(;SZ[5]BR[9k]WR[1d];B[cc];W[bb];B[dd];W[bd])",
    "rules.pl": RULES,
    "plain.pl": RULES.split("rule(r3")[0],
    "r.csv": "black,white,result\na,b,B+R\nb,a,B+R\na,b,W+R\n",
    "match.toml": "[[engine]]\nname = 'a'\n",
    "page.html": "\n<!DOCTYPE html><p>",
    "a.pdf": "%PDF-1.4\n",
    "empty": "",
    "blank.txt": " \n\n",
    "a.png": "\x89PNG\r\n",
    "words.txt": "hello world\n",
}
MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n"
BENCH = "order-bench g.sgf --depth 1 --positions 1"
LESSONS = "lessons ranked.sgf --rules plain.pl --bands 9k,1d"
EXAMPLES = "sgf-to-examples g.sgf --negatives unplayed=5"
COMMANDS = [
    *(f"{EXAMPLES} -o {name}" for name in ("examples.tsv.gz", "examples.parquet", "e.csv")),
    "sgf-to-examples g.sgf --format prolog -o export.pl",
    "compile-patterns plain.pl -o rules.c",
    "compile-patterns plain.pl -o rules.so",
    "rank-moves g.sgf --rules plain.pl -o ranking.tsv --metrics metrics.json",
    "rank-moves g.sgf --rules plain.pl -o ranking.parquet",
    "rank-moves g.sgf --rules plain.pl --explain --format json -o moves.jsonl",  # these two are no input of commands
    "show rules.pl --json -o shown.json",
    "solve --game shogi mate.sfen -o solved.tsv",
    *(f"{BENCH} -o orders.{ending}" for ending in ("tsv", "json", "parquet")),
    *(f"{LESSONS} -o lessons.{ending}" for ending in ("tsv", "json", "parquet")),
    "elo r.csv -o ratings.tsv --matrix los.tsv",
    "elo r.csv -o ratings.json",
    "elo r.csv -o ratings.parquet",
    "train-eval --game tictactoe --features lines --games 600 --referee-games 10 -o lines.npz --log log.tsv",
]


def write_files(folder: Path) -> None:
    """Write all of them into a folder."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        for name, text in TEXTS.items():
            Path(name).write_text(text, encoding="latin-1")
        Path("mate.sfen").write_text(MATE)
        Path("noise").write_bytes(bytes(range(256)) * 20)
        Path("twice.gz").write_bytes(gzip.compress(gzip.compress(b"x")))
        Path("a.zip").write_bytes(b"PK\x05\x06" + bytes(18))
        np.save("a.npy", np.zeros(3))
        count = shapes_of(find_game("go"), 5).weights
        values = np.random.default_rng(4).normal(size=count)
        save_weights("eval.npz", Weights("go", 5, 7.5, "shapes", "linear", 9, values))
        with open("clusters.tsv", "wb") as out:
            write_clusters(out, random_clusters("manhattan"))
        for line in COMMANDS:
            assert run([*line.split(), "-q"]) == 0, line
        engines = ["--engine", f"a={small_engine(wins=True)}", "--engine", f"b={small_engine(seed=7)}"]
        run(
            [
                "tournament",
                "--game",
                "connect4",
                *engines,
                "--games",
                "8",
                "-q",
                "-o",
                "run",
                "--summary",
                "summary.json",
            ]
        )
        for name in ("games.tsv", "games.parquet"):
            assert run(["tournament", "status", "run", "--results", name]) == 0
        Path("e.parquet.gz").write_bytes(gzip.compress(Path("examples.parquet").read_bytes()))
    finally:
        os.chdir(before)
