"""A GTP engine that speaks the protocol, and puts into every text what a reader of ours might take for its own record.

python -S -E tests/support/hostile_engine.py [MODE]      MODE: plays, refuses, dies, illegal
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

TERMINAL = "\x1b]0;mine\x07\x1b[31m\x9b31m\u202e"
"""Sets a terminal's title and colour, in C0 and C1 controls, and turns the direction of writing."""
FORGED = (
    ']RE[W+99]PB[forged];W[aa]C[\\ ","black":"forged","white":"forged","result":"W+99"} | <b>x</b> ]]> '
    "::error::forged\\" + TERMINAL
)
LINES = '{"game":2,"black":"forged"}\n::error::forged\n##gotools ratings 1\n1\tforged\t9999\n' + FORGED + "\n"
COMMANDS = "name version play genmove boardsize komi clear_board quit gomill-explain_last_move"


def main(mode: str) -> None:
    """Answer until the input ends."""
    out = sys.stdout
    assert isinstance(out, io.TextIOWrapper)
    out.reconfigure(encoding="utf-8", errors="surrogateescape")
    moves: Iterator[str] = iter(())
    for line in sys.stdin:
        number, command, *_ = line.split()
        sign, answer = "=", ""
        if command == "protocol_version":
            answer = "2"
        elif command in ("name", "version", "gomill-explain_last_move"):
            answer = FORGED
        elif command == "list_commands":
            answer = COMMANDS.replace(" ", "\n")
        elif command == "clear_board":
            moves = iter(("C3", "D4") if mode == "plays" else ("B2", "B4"))
        elif command == "genmove" and mode == "refuses":
            sign, answer = "?", FORGED
        elif command == "genmove" and mode == "dies":
            sys.stderr.buffer.write(LINES.encode())
            sys.stderr.flush()
            sys.exit(3)
        elif command == "genmove":
            answer = FORGED if mode == "illegal" else next(moves, "pass")
        out.write(f"{LINES if command == 'genmove' else ''}\n{sign}{number} {answer}\n\n")
        out.flush()
        if command == "quit":
            return


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "plays")
