"""A small engine of the dialect that examples/abalone_uci.py drives; it plays at random, and misbehaves on request.

python -S -E tests/support/abalone_uci_engine.py [options]    (`command(...)` below gives these words to tests)

    --seed N      of its moves
    --how WHAT    misbehave at a `go`:   dies (exit code 3)   silent (only `readyok`)   sleeps (60 s)
                  illegal (a move of the other side)   garbage (`bestmove e2e4`)   off-board   floods (2 MB)
    --at N        at the Nth `go` of the process; default 1

Like an engine that holds a position for drawn when it comes for the second time, it does not move there. The rules
stand here once more, on a dictionary with the engine's own coordinates: nothing of gotools is imported.
"""

from __future__ import annotations

import random
import sys
import time

Cell = tuple[int, int]
Line = tuple[Cell, ...]
"""One cell in line, the last marble; both ends broadside."""
Changes = dict[Cell, int]
"""What each cell holds after a move: 0, or a side."""

DIRECTIONS = {
    "LEFT": (0, -1), "RIGHT": (0, 1), "UP_LEFT": (1, -1), "UP_RIGHT": (1, 0), "DOWN_LEFT": (-1, 0),
    "DOWN_RIGHT": (-1, 1),
}  # fmt: skip
CELLS = [(r, q) for r in range(-4, 5) for q in range(-4, 5) if abs(r + q) <= 4]
START = "**.oo ***ooo .**.oo. ........ ......... ........ .oo.**. ooo*** oo.**"
"""Rows a to i, each from its first cell; * is black."""


def command(*words: str, **options: object) -> list[str]:
    """Return the words that start an engine: `command("illegal", at=3)`."""
    parts = [sys.executable, "-S", "-E", __file__]
    for word in words:
        parts += ["--how", word]
    for name, value in options.items():
        parts += ["--" + name, str(value)]
    return parts


def step(cell: Cell, way: Cell, times: int = 1) -> Cell:
    return cell[0] + times * way[0], cell[1] + times * way[1]


def row(number: int) -> list[Cell]:
    """Return the cells of a row, 0 for a, in the order of their numbers."""
    return sorted((cell for cell in CELLS if cell[0] == 4 - number), key=lambda cell: -cell[1])


LABELS = {f"{'abcdefghi'[y]}{x + 1}": cell for y in range(9) for x, cell in enumerate(row(y))}


class Board:
    """Marbles by cell, 1 is black; who is to play."""

    def __init__(self) -> None:
        marks = START.replace(" ", "")
        pairs = zip(LABELS.values(), marks, strict=True)
        self.marbles = {cell: 1 if mark == "*" else 2 for cell, mark in pairs if mark != "."}
        self.to_play = 1

    def key(self) -> object:
        return frozenset(self.marbles.items()), self.to_play

    def moves(self) -> dict[tuple[Line, Cell], Changes]:
        """Return the legal moves, broadside ones by both orders of their ends."""
        found: dict[tuple[Line, Cell], Changes] = {}
        for cell in [cell for cell, side in self.marbles.items() if side == self.to_play]:
            for way in DIRECTIONS.values():
                if changes := self.in_line(cell, way):
                    found[(cell,), way] = changes
                for axis in DIRECTIONS.values():
                    if axis not in (way, (-way[0], -way[1])):
                        for line in ([step(cell, axis, i) for i in range(length)] for length in (2, 3)):
                            if changes := self.broadside(line, way):
                                found[(line[0], line[-1]), way] = changes
        return found

    def broadside(self, line: list[Cell], way: Cell) -> Changes:
        """Return what a move of a line of marbles changes, nothing if it is illegal."""
        targets = [step(cell, way) for cell in line]
        mine = all(self.marbles.get(cell) == self.to_play for cell in line)
        if not mine or any(cell not in CELLS or cell in self.marbles for cell in targets):
            return {}
        return {**dict.fromkeys(line, 0), **dict.fromkeys(targets, self.to_play)}

    def in_line(self, cell: Cell, way: Cell) -> Changes:
        """Return what a move by the line whose last marble stands on a cell changes, nothing if it is illegal."""
        walk = [cell]
        while (after := step(walk[-1], way)) in self.marbles:
            walk.append(after)
        sides = [self.marbles[one] for one in walk]
        mine = next((i for i, side in enumerate(sides) if side != self.to_play), len(sides))
        others = len(sides) - mine
        pushes = mine <= 3 and others < mine and self.to_play not in sides[mine:]
        if not pushes or (after not in CELLS and not others):
            return {}
        moved = {to: side for to, side in zip([*walk[1:], after], sides, strict=True) if to in CELLS}
        return {cell: 0, **moved}

    def play(self, changes: Changes) -> None:
        for cell, side in changes.items():
            if side:
                self.marbles[cell] = side
            else:
                del self.marbles[cell]
        self.to_play = 3 - self.to_play


def read_move(text: str) -> tuple[Line, Cell]:
    """Return the ends of the line that a text moves, and the direction."""
    first, enters, *last = (LABELS[text[i : i + 2]] for i in range(0, len(text), 2))
    return (first, *last), (enters[0] - first[0], enters[1] - first[1])


class Engine:
    def __init__(self, words: list[str]) -> None:
        options = dict(zip(words[::2], words[1::2], strict=True))
        self.how, self.at = options.get("--how"), int(options.get("--at", "1"))
        self.random = random.Random(int(options.get("--seed", "0")))
        self.gone = 0
        self.begin()

    def begin(self) -> None:
        self.board = Board()
        self.played: list[str] = []
        self.keys: list[object] = []

    def position(self, texts: list[str]) -> None:
        if texts[: len(self.played)] != self.played:
            self.begin()
        for text in texts[len(self.played) :]:
            changes = self.board.moves().get(read_move(text))
            if changes is None:
                print("invalid move")
                return
            self.board.play(changes)
            self.played.append(text)
            self.keys.append(self.board.key())

    def go(self) -> None:
        self.gone += 1
        how = self.how if self.gone == self.at else ""
        if how == "dies":
            print("out of marbles", file=sys.stderr)
            sys.exit(3)
        if how == "sleeps":
            time.sleep(60)
        if how == "floods":
            print("info depth 1 nodes 1\n" * 100_000)
        if self.keys.count(self.board.key()) > 1:
            print("REPETITION 0.5-0.5")
        elif how != "silent":
            print(f"best so far: Move: (0,0) LEFT\nbestmove {self.choose(how or '')} \n eval: 0.25")

    def choose(self, how: str) -> str:
        if how == "garbage":
            return "e2e4"
        if how == "illegal":
            self.board.to_play = 3 - self.board.to_play
        ends, way = self.random.choice(sorted(self.board.moves()))
        if how == "illegal":
            self.board.to_play = 3 - self.board.to_play
        cells = [(4, 4)] if how == "off-board" else ends
        word = next(word for word, step in DIRECTIONS.items() if step == way)
        return f"Move: {''.join(f'({r},{q})' for r, q in cells)} {word}"

    def run(self) -> None:
        for line in sys.stdin:
            match line.split():
                case ["isready"]:
                    print("readyok")
                case ["uci"]:
                    print("id name small\nuciok")
                case ["ucinewgame", *depths]:
                    assert [len(depth) for depth in depths] == [1, 1]
                    self.begin()
                case ["position", "startpos", *moves]:
                    self.position(moves[1:])
                case ["go"]:
                    self.go()
                case ["quit"]:
                    break
            sys.stdout.flush()


if __name__ == "__main__":
    Engine(sys.argv[1:]).run()
