"""Let GNU Shogi (`apt-get install gnushogi`), which does not know USI, play in `gotools tournament` and `play`.

    gotools tournament --game shogi --engine gnu="usi:python examples/gnushogi_usi.py --depth 2" --engine ...

Each move is asked of a new process, which is told the game so far; games begin with the usual position. Its commands
are a line each: `new`, `depth` with its number on the next line, `force` (do not answer), moves as USI writes them,
`go`. A line with `1. ... 7g7f` holds its move. What it does not know it calls an illegal move, which tells that it has
answered all that came before; after a mate it says nothing more.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys

ANSWER = re.compile(r"\b\d+\. \.\.\. (\S+)")
END = "end-of-answer"
ILLEGAL = "Illegal move"


def ask(program: str, depth: int, moves: list[str]) -> str:
    """Return the program's move after some moves of a game, "resign" if it makes none.

    depth -- plies that it searches at most

    Raises ValueError if it refuses one of them, EOFError if it ends, OSError if it cannot be started.
    """
    lines = ["new", "depth", str(depth), "force", *moves, "go", END]
    try:
        with subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        ) as running:
            assert running.stdin is not None and running.stdout is not None
            try:
                for line in lines:
                    running.stdin.write(f"{line}\n")
                for line in running.stdout:
                    if answer := ANSWER.search(line):
                        return answer[1]
                    if ILLEGAL in line and END in line:
                        return "resign"
                    if ILLEGAL in line:
                        raise ValueError(f"GNU Shogi says: {line[line.index(ILLEGAL) :].strip()}")
            finally:
                running.kill()
    except BrokenPipeError:  # while it was written to, or when what was left was sent at the end
        pass
    raise EOFError("GNU Shogi ended")


def main() -> None:
    """Speak USI on stdin and stdout until `quit` or the end of stdin."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--depth", type=int, default=4, metavar="N", help="plies that it searches at most; 4")
    parser.add_argument("--program", default="gnushogi", metavar="PROGRAM", help="gnushogi")
    chosen = parser.parse_args()
    moves: list[str] = []
    try:
        for line in sys.stdin:
            words = line.split() or [""]
            if words[0] == "usi":
                print(f"id name GNU Shogi, depth {chosen.depth}\nid author its authors\nusiok", flush=True)
            elif words[0] == "isready":
                print("readyok", flush=True)
            elif words[0] == "position" and words[1:2] == ["startpos"]:
                moves = words[3:]
            elif words[0] == "position":
                raise ValueError("it plays games that begin with the usual position alone")
            elif words[0] == "go":
                print("bestmove", ask(chosen.program, chosen.depth, moves), flush=True)
            elif words[0] == "quit":
                break
    except (ValueError, EOFError) as error:
        sys.exit(f"gnushogi_usi.py: {error}")
    except OSError as error:
        sys.exit(f"gnushogi_usi.py: cannot start {chosen.program}: {error.strerror}")


if __name__ == "__main__":
    main()
