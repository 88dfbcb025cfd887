"""Where a network finds the move played and rules do not: kinds of moves, the commonest first, with a board for each.

python bench/finds.py RULES GAMES...      rules.pl or rules.so, records of Go
    --eval EVAL.npz                       the network; that of the package if not given
    --kinds N                             how many kinds are listed; 100

A find is a position where the network's first move is the one played and that of the rules is not; a loss is the other
way round. `gain` is the mean of how much likelier the network makes the moves of a kind, as a logarithm. On the boards
`*` is the move played and `?` the first move of the rules.
"""

from __future__ import annotations

import argparse
import csv
import math
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gotools.games.go.board import Board
from gotools.games.go.points import parse_vertex

Row = dict[str, str]
STAGES = ((10, "opening"), (30, "middle"), (81, "end"))
"""The most stones of each stage on 9x9; on other sizes the same share."""
DISTANCES = ((2, "touches the last move"), (3, "diagonal to the last move"), (5, "near it"), (8, "not far from it"))
"""Names of distances to the last move, up to which distance; docs/vocabulary.md says how it is counted."""
LEAST = 0.00005
"""The smallest probability that `gain` counts: rankings have four decimals, and this much may be 0 there."""


@dataclass(slots=True)
class Kind:
    """The moves of a kind."""

    played: int = 0
    found: int = 0
    lost: int = 0
    by_network: int = 0
    by_rules: int = 0
    gain: float = 0.0
    board: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules")
    parser.add_argument("games", nargs="+")
    parser.add_argument("--eval", default="default")
    parser.add_argument("--kinds", type=int, default=100)
    options = parser.parse_args()
    kinds: defaultdict[str, Kind] = defaultdict(Kind)
    with tempfile.TemporaryDirectory() as folder:
        examples, rules, network = (str(Path(folder, name)) for name in ("e.tsv", "rules.tsv", "network.tsv"))
        run("sgf-to-examples", *options.games, "-o", examples)
        run("rank-moves", examples, "--rules", options.rules, "-o", rules)
        run("rank-moves", examples, "--eval", options.eval, "--symmetries", "-o", network)
        for example, by_rules, by_network in zip(rows(examples), ranked(rules), ranked(network), strict=True):
            count(kinds[kind_of(example)], example, by_rules, by_network)
    summarise(kinds)
    show(kinds, options.kinds)


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "gotools", *arguments, "-q"], check=True)


def rows(path: str) -> Iterator[Row]:
    """Yield the rows of a table."""
    with open(path, encoding="utf-8") as lines:
        yield from csv.DictReader((line for line in lines if not line.startswith("##")), delimiter="\t")


def ranked(path: str) -> Iterator[list[Row]]:
    """Yield the rows of each position, the best move first."""
    found: list[Row] = []
    for row in rows(path):
        if found and row["rank"] == "1":
            yield found
            found = []
        found.append(row)
    if found:
        yield found


def count(kind: Kind, example: Row, by_rules: list[Row], by_network: list[Row]) -> None:
    """Count the move of a position with its kind; draw the kind's first find."""
    move, both = example["move"], (by_rules, by_network)
    rules, network = (next(row for row in ranking if row["point"] == move) for ranking in both)
    right = [ranking[0]["point"] == move for ranking in both]
    kind.played += 1
    kind.by_rules, kind.by_network = kind.by_rules + right[0], kind.by_network + right[1]
    kind.found, kind.lost = kind.found + (right[1] > right[0]), kind.lost + (right[0] > right[1])
    likely = [math.log(max(float(row["probability"]), LEAST)) for row in (rules, network)]
    kind.gain += likely[1] - likely[0]
    if not kind.board and right == [False, True]:
        kind.board = drawn(example, by_rules[0]["point"], f"rank {rules['rank']} by the rules")


def kind_of(example: Row) -> str:
    """Say what a move does, in the words of the vocabulary."""
    board, own = board_of(example), 1 + (example["to_play"] == "w")
    side, point = board.side, parse_vertex(example["move"], board.side)
    x, y = point % side, point // side
    line = 1 + min(x, y, side - 1 - x, side - 1 - y)
    stones = np.count_nonzero(board.cells)
    after = board.copy()
    after.play_point(point, own)
    stage = next(name for most, name in STAGES if stones * 81 <= most * side * side)
    parts = [stage, f"line {min(line, 4)}", last_of(example, point, side)]
    for colour, name in ((own, "own"), (3 - own, "other")):
        touched = {tuple(board.chain(q)) for q in neighbours(point, side) if board.colour(q) == colour}
        if touched:
            fewest = min(len(board.liberties(chain[0])) for chain in touched)
            parts.append(f"touches {len(touched)} {name}, fewest liberties {min(fewest, 4)}{'+' * (fewest > 3)}")
    liberties = len(after.liberties(point))
    return "; ".join([*parts, f"{min(liberties, 5)}{'+' * (liberties > 4)} liberties after"])


def last_of(example: Row, point: int, side: int) -> str:
    """Say how far a move is from the last one."""
    if example["last"] in ("-", "pass"):
        return "no last move"
    last = parse_vertex(example["last"], side)
    across, up = abs(point % side - last % side), abs(point // side - last // side)
    distance = across + up + max(across, up)
    return next((name for most, name in DISTANCES if distance <= most), "far from it")


def neighbours(point: int, side: int) -> list[int]:
    x, y = point % side, point // side
    beside = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return [v * side + u for u, v in beside if 0 <= u < side and 0 <= v < side]


def board_of(example: Row) -> Board:
    lines = example["position"].split("/")[::-1]
    cells = np.array([".XO".index(sign) for line in lines for sign in line], np.uint8)
    return Board.from_cells(cells, len(lines), 1 + (example["to_play"] == "w"))


def drawn(example: Row, wrong: str, text: str) -> str:
    """Draw a position with the move played and another one."""
    board = board_of(example)
    lines = [list(line) for line in board.diagram().splitlines()]
    for sign, name in (("*", example["move"]), ("?", wrong)):
        row, column = divmod(parse_vertex(name, board.side), board.side)
        lines[board.side - 1 - row][4 + 2 * column] = sign
    head = f"{example['id']}, {'XO'[example['to_play'] == 'w']} to play after {example['last']}: {text}"
    return "\n".join([head, *("".join(line) for line in lines)])


def summarise(kinds: dict[str, Kind]) -> None:
    """Print the figures by the stage, the line and the distance to the last move, and of all moves."""
    parts = *(name for _, name in STAGES), *(f"line {n}" for n in range(1, 5)), *(name for _, name in DISTANCES)
    everything = f"all, of {len(kinds):,} kinds"
    groups = {part: Kind() for part in (*parts, "far from it", "no last move", everything)}
    for name, kind in kinds.items():
        for part in (*name.split("; ")[:3], everything):
            group = groups[part]
            group.played, group.gain = group.played + kind.played, group.gain + kind.gain
            group.found, group.lost = group.found + kind.found, group.lost + kind.lost
    for part, group in groups.items():
        print(f"{part:28} {group.played:6} moves {group.found:5} finds {group.lost:5} losses", end=" ")
        print(f"gain {group.gain / max(1, group.played):6.3f}")


def show(kinds: dict[str, Kind], most: int) -> None:
    """Print the kinds with the most finds beyond losses."""
    ordered = sorted(kinds.items(), key=lambda item: (item[1].lost - item[1].found, item[0]))
    for number, (name, kind) in enumerate(ordered[:most], 1):
        print(f"\n{number}. {name}: {kind.found} finds, {kind.lost} losses, gain {kind.gain / kind.played:.2f}")
        print(f"of {kind.played} moves the rules rank {kind.by_rules} first, the network {kind.by_network}")
        print(f"\n{kind.board}" if kind.board else "")


if __name__ == "__main__":
    main()
