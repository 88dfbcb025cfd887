"""Connect-4: how often rules choose a right move by the exact solver (package bitbully, for measuring only).

usage: bench/connect4_rules.py [--max-rules 200] [--folder out/connect4]

Makes the table of all positions of 8 plies with a wrong move (examples/graded.py), learns from four fifths
(two minutes of CPU), and measures on positions not learned from, mirrored ones neither: the other fifth, and the 2,000
of bench/connect4_perfect.py, which random play draws and which are taken out of the four fifths. Tables and rules of
--folder that are there are taken as they are.
Needs `pip install -e '.[measure]'`: bitbully and bitbully-databases (AGPL-3).
"""

import argparse
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
from _table import ROOT, heading, row
from connect4_perfect import Solver, positions

from gotools.game.examples.states import States
from gotools.game.examples.table import stream_examples
from gotools.game.game import find_game
from gotools.rules.clauses.rules import load_rules
from gotools.rules.weigh.accuracy import Choices, Scores, choices_of, measure, rule_scores

GAME = find_game("connect4")
PLIES, DRAWN = 8, 2000
TARGET = 0.9
"""Of the issue, with at most 200 rules."""


def mirrored(text: str) -> str:
    """Return the lesser of a position's text and that of its mirror image."""
    return min(text, "/".join(line[::-1] for line in text.split("/")))


def drawn_by_random_play() -> tuple[Choices, set[str]]:
    """Return the positions of connect4_perfect.py, and their texts."""
    solver, known = Solver(), set()
    rows = ["##gotools examples 2", "##game=connect4", "#id\tto_play\tposition\tmove"]
    for number, moves in enumerate(positions(PLIES, DRAWN, solver, random.Random(PLIES))):
        state = GAME.position()
        for move in moves:
            state = GAME.play(state, move)
        text = GAME.text_of(state)
        known.add(mirrored(text))
        rows += [f"p{number}:{PLIES + 1}\tb\t{text}\t{move + 1}" for move in solver.best(moves, False)]
    parts = States.read(["\n".join([*rows, ""]).encode()], "positions", GAME, False)
    return choices_of(States.concat(list(parts))), known


def without(table: Path, known: set[str]) -> str:
    """Return a table without the positions that are known."""
    lines = table.read_text().splitlines(keepends=True)
    return "".join(line for line in lines if line[0] == "#" or mirrored(line.split("\t")[2]) not in known)


def centre_first(choices: Choices) -> Scores:
    return -np.abs(choices.points.place - 3.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--max-rules", type=int, default=200)
    parser.add_argument("--folder", type=Path, default=Path("out/connect4"))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    learn, test, rules = (given.folder / name for name in ("learn.tsv", "test.tsv", f"rules{given.max_rules}.pl"))
    if not test.exists():
        subprocess.run([sys.executable, str(ROOT / "examples/graded.py"), learn, test], check=True)
    drawn, known = drawn_by_random_play()
    if not rules.exists():
        apart = given.folder / "apart.tsv"
        apart.write_text(without(learn, known))
        command = [sys.executable, "-m", "gotools", "induce-patterns", "--game", "connect4", "--objective", "rank"]
        subprocess.run([*command, apart, "--max-rules", str(given.max_rules), "-o", rules], check=True)
    learned = load_rules(rules)
    heading(f"Connect-4: right moves chosen by {len(learned.rules):,} rules, in positions with a wrong one")
    held_out = choices_of(States.concat(list(stream_examples(test, GAME))))
    for what, choices in (
        ("all of 8 plies", held_out),
        ("random play", drawn),
    ):
        scores, _ = rule_scores(learned, choices)
        chance, centre, ours = (
            measure(one, choices)["top1"] for one in (np.zeros(len(scores)), centre_first(choices), scores)
        )
        row(f"{what}, held out: {len(choices):,} positions", f"{ours:.1%}", f">= {TARGET:.0%}", ours >= TARGET)
        row("    centre first; chance", f"{centre:.1%}; {chance:.1%}")


if __name__ == "__main__":
    main()
