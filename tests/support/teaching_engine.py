"""A small GTP engine that analyses: scripted_engine.py with kata-analyze and lz-analyze, and with mischief of theirs.

python -S -E tests/support/teaching_engine.py [options]      options are those of scripted_engine.py, and

    --analyses X    kata, lz, both or none: which of the commands it has; default kata
    --line TEXT     what it reports, again and again; {n} stands for the number of the report
    --reports N     no more than so many in an analysis
    --points X      corners, or all: of which that is said; default corners
    --policy FILE   it knows kata-raw-nn, and answers it by the text of the file
    --winner X      black, or mover: the side to play; default black
    --mortal FILE   while there is such a file: exit code 3 where the game after the 16th begins

Without --line each corner that the side to play may take has ten visits a report, a pass where there is none, and the
winner wins nine times in ten. `empty_lines` answers how many it was sent. --how in an analysis:

    refuses-analysis  `? not now`           ends-analysis   ends its answer after --reports by itself
    dies-in-analysis  at report --at        dies-at-empty   when something comes in
    deaf-in-analysis  goes on for ever      floods-in-analysis  at report --at, by a line of 50 MB

at play: hangs-at-play, at the --at-th of a game. --delay is also what an analysis waits before its first report.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Sequence

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from support.scripted_engine import Engine, Refusal, Silence

KATA, LZ, RAW = "kata-analyze", "lz-analyze", "kata-raw-nn"
ANALYSES = {"kata": [KATA], "lz": [LZ], "both": [KATA, LZ], "none": []}
OWN_OPTIONS = {
    "analyses": "kata",
    "line": "",
    "reports": "1000000000",
    "points": "corners",
    "policy": "",
    "winner": "black",
    "mortal": "",
}
PAUSE = 0.002
"""Seconds between reports."""
GAMES = 16


def command(*words: str, **options: object) -> str:
    """Return the command line of an engine: `command("ends-analysis", reports=5)`, words being misbehaviours."""
    parts = [sys.executable, "-S", "-E", __file__]
    for word in words:
        parts += ["--how", word]
    for name, value in options.items():
        parts += ["--" + name.replace("_", "-"), str(value)]
    return " ".join("'" + part.replace("'", "'\\''") + "'" for part in parts)


class TeachingEngine(Engine):
    """The commands, a method each."""

    def __init__(self, words: list[str]) -> None:
        pairs = list(zip(words[::2], words[1::2], strict=True))
        self.own = OWN_OPTIONS | {option[2:]: value for option, value in pairs if option[2:] in OWN_OPTIONS}
        self.games = self.empty = 0
        super().__init__([word for pair in pairs if pair[0][2:] not in OWN_OPTIONS for word in pair])

    def known(self) -> Sequence[str]:
        ours = [*ANALYSES[self.own["analyses"]], *([RAW] if self.own["policy"] else [])]
        return [*(name for name in super().known() if name not in (KATA, LZ, RAW)), *ours]

    def handle(self, line: str) -> None:
        self.empty += not line.strip()
        super().handle(line)

    def do_empty_lines(self) -> str:
        return str(self.empty)

    def do_clear_board(self) -> None:
        self.games += 1
        if self.games > GAMES and self.own["mortal"] and os.path.exists(self.own["mortal"]):
            self.at_dies(0)
        super().do_clear_board()

    def do_play(self, colour: str, vertex: str) -> None:
        if "hangs-at-play" in self.how and self.plays + 1 >= self.at:
            self.at_hangs(0)
        super().do_play(colour, vertex)

    def policy(self, symmetry: str) -> str:
        with open(self.own["policy"], encoding="utf-8") as text:
            return text.read().rstrip()

    def analyse(self, sure: float, colour: str, interval: str) -> None:
        """Report until something comes in."""
        side, number = self.colour(colour), 0
        if "refuses-analysis" in self.how:
            raise Refusal("not now")
        self.write(f"={'' if 'no-id' in self.how else self.id}\n")
        time.sleep(float(self.options["delay"]))
        while True:
            number += 1
            if "dies-in-analysis" in self.how and number >= self.at:
                self.at_dies(side)
            if "floods-in-analysis" in self.how and number >= self.at:
                self.at_long_line(side)
            if number <= int(self.own["reports"]):
                self.write((self.own["line"].replace("{n}", str(number)) or self.report(side, sure, number)) + "\n")
            elif "ends-analysis" in self.how:
                break
            if "deaf-in-analysis" in self.how:
                time.sleep(PAUSE)
            elif select.select([0], [], [], PAUSE)[0]:
                if "dies-at-empty" in self.how:
                    self.at_dies(side)
                break
        self.write("\n")
        raise Silence

    def report(self, side: int, sure: float, number: int) -> str:
        size = self.position.size
        lines = range(1, size + 1, 1 if self.own["points"] == "all" else size - 1)
        points = [(x, y) for x in lines for y in lines if not self.position.why_illegal((x, y), side)]
        winrate = f"{(0.9 if side == 1 or self.own['winner'] == 'mover' else 0.1) * sure:g}"
        moves = [self.text(point) for point in points] or ["pass"]
        values = f"visits {10 * number} winrate {winrate} prior 0 lcb 0"
        return " ".join(f"info move {move} {values} order {i} pv {move}" for i, move in enumerate(moves))


setattr(TeachingEngine, "do_" + KATA, lambda self, *words: self.analyse(1.0, *words))
setattr(TeachingEngine, "do_" + RAW, TeachingEngine.policy)
setattr(TeachingEngine, "do_" + LZ, lambda self, *words: self.analyse(10_000.0, *words))


if __name__ == "__main__":
    try:
        TeachingEngine(sys.argv[1:]).run()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)
