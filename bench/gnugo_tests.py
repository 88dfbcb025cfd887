"""GNU Go's own tests of single moves, answered by a player: how many of its moves are among those that a test allows.

python bench/gnugo_tests.py FILE.tst...      files of the folder `regression` of GNU Go's sources
    --engine COMMAND                         a player by GTP; without it the player of the package, 1,000 playouts

A line `#? [C3|D4]` after a question names the moves allowed, `#? [!C3]` those that are wrong; a `*` behind it says that
GNU Go itself failed. Questions of other kinds are left out.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from _table import heading, row

from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure

ENGINE = "gotools gtp -q --nodes 1000"
QUESTION = re.compile(r"\d+\s+(reg_genmove\s+\w+)$")
ANSWER = re.compile(r"#\?\s*\[(!?)\(?([^])]*)\)?\](\*?)")


@dataclass(frozen=True, slots=True)
class Question:
    """A position, by the commands that set it up, and what to ask there; the moves that are allowed, or wrong."""

    setup: tuple[str, ...]
    command: str
    moves: frozenset[str]
    wrong: bool
    failed: bool

    def passes(self, move: str) -> bool:
        return (move.upper() in self.moves) != self.wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--engine", default=ENGINE)
    options = parser.parse_args()
    heading(f"moves of `{options.engine}` that GNU Go's own tests allow")
    if not options.files:
        print("  skipped: name files of the folder `regression` of GNU Go's sources")
    for path in options.files:
        questions = list(read(path))
        with GtpEngine(options.engine, folder=str(path.parent)) as engine:
            right = sum(asked(engine, one) for one in questions)
        known = sum(not one.failed for one in questions)
        row(path.name, f"{right} of {len(questions)}, GNU Go {known}")


def read(path: Path) -> Iterator[Question]:
    """Yield the questions for a move."""
    setup: list[str] = []
    command = ""
    for line in map(str.strip, path.read_text("latin-1").splitlines()):
        if line.startswith("loadsgf"):
            setup, command = [line], ""
        elif found := QUESTION.match(line):
            command = found[1]
        elif (answer := ANSWER.match(line)) and command:
            wrong, moves, failed = answer.groups()
            yield Question(tuple(setup), command, frozenset(moves.upper().split("|")), bool(wrong), bool(failed))
            command = ""
        elif line and not line.startswith("#"):
            command = ""
            if not line[0].isdigit():
                setup.append(line)


def asked(engine: GtpEngine, question: Question) -> bool:
    """Return whether an engine passes; it fails where it refuses the position. Raises GtpFailure if it dies."""
    try:
        for command in question.setup:
            engine.ask(command)
        return question.passes(engine.ask(question.command))
    except GtpFailure as failure:
        if failure.kind is not FailureKind.refused:
            raise
        return False


if __name__ == "__main__":
    main()
