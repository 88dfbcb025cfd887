"""A small engine that speaks USI: it moves its rook to and fro, and misbehaves on request.

python -S -E tests/support/usi_engine.py [options]    (`command(...)` below gives these words to tests)

    --how WHAT    at a `go`:   dies (exit code 3)   sleeps (until it is killed)   illegal (7g7a)   garbage   nothing
                  (`bestmove` alone)   floods (a line of 1 MB)   resigns   declares   quits (exit code 0)
                  hangs (sleeps, and ignores `stop`)   late (0.6 s)   multipv   at the start: mute   dumb (no `usiok`)
    --at N        at the Nth `go` of the process; default 1
    --log FILE    appends what it is told

It knows no rules: the first rook's move of its side, and back. Nothing of gotools is imported.
"""

from __future__ import annotations

import sys
import time

ROOKS = {"b": ("2h3h", "3h2h"), "w": ("8b7b", "7b8b")}


def command(*how: str, **options: object) -> list[str]:
    """Return the words that start an engine: `command("illegal", at=3)`."""
    parts = [sys.executable, "-S", "-E", __file__]
    for word in how:
        parts += ["--how", word]
    for name, value in options.items():
        parts += ["--" + name, str(value)]
    return parts


class Engine:
    def __init__(self, words: list[str]) -> None:
        options = dict(zip(words[::2], words[1::2], strict=True))
        self.how, self.at, self.log = options.get("--how", ""), int(options.get("--at", "1")), options.get("--log")
        self.gone = 0
        self.moves: list[str] = []
        self.first = "b"

    def best(self) -> str:
        side = "bw"[(len(self.moves) + (self.first == "w")) % 2]
        there, back = ROOKS[side]
        mine = self.moves[len(self.moves) % 2 :: 2]
        return back if mine.count(there) > mine.count(back) else there

    def go(self) -> None:
        self.gone += 1
        how = self.how if self.gone == self.at else ""
        if how == "dies":
            print("out of pieces", file=sys.stderr)
            sys.exit(3)
        if how == "quits":
            sys.exit(0)
        if how in ("sleeps", "hangs"):
            time.sleep(600)
        if how == "late":
            time.sleep(0.6)
        if how == "floods":
            print("info string " + "x" * 1_000_000)
        best = self.best()
        if how == "multipv":
            print("info depth 7 multipv 2 score mate -3 nodes 900 pv 7g7f 3c3d")
        print("info string hello pv there\ninfo depth 7 seldepth 9 score cp 120 nodes 900 pv " + best + " nonsense")
        answers = {"illegal": " 7g7a", "garbage": " e2e4", "nothing": "", "resigns": " resign", "declares": " win"}
        print("bestmove" + answers.get(how, f" {best} ponder 3c3d"))

    def run(self) -> None:
        for line in sys.stdin:
            if self.log:
                with open(self.log, "a", encoding="utf-8") as file:
                    file.write(line)
            match line.split():
                case ["usi"] if self.how == "dumb":
                    time.sleep(600)
                case ["usi"] if self.how == "mute":
                    sys.exit("no USI today")
                case ["usi"]:
                    print("hello\nid name Rook Shuffler\nid author tests\noption name Skill Level type spin default 3")
                    print("option name USI_Hash type spin default 16\nusiok")
                case ["isready"]:
                    print("readyok")
                case ["position", "startpos", *rest]:
                    self.first, self.moves = "b", rest[1:]
                case ["position", "sfen", _, first, _, _, *rest]:
                    self.first, self.moves = first, rest[1:]
                case ["go", *_]:
                    self.go()
                case ["quit"]:
                    break
            sys.stdout.flush()


if __name__ == "__main__":
    Engine(sys.argv[1:]).run()
