"""Write games of a tournament without what the engines said: records.py FILE.sgf ... > games.sgf"""

from __future__ import annotations

import re
import sys
from pathlib import Path

COMMENT = re.compile(r"C\[(?:\\.|[^\]\\])*\]", re.DOTALL)
KEPT = re.compile(r"(?<![A-Z])(?:PB|PW|RE)\[[^\]]*\]")
MOVE = re.compile(r"(?<![A-Z])[BW]\[[^\]]*\]")


def main() -> None:
    for path in sys.argv[1:]:
        text = COMMENT.sub("", Path(path).read_text(encoding="utf-8"))
        known, moves = "".join(KEPT.findall(text)), [f";{move}" for move in MOVE.findall(text)]
        lines = ["".join(moves[begin : begin + 12]) for begin in range(0, len(moves), 12)]
        print("\n".join([f"(;FF[4]GM[8]SZ[9]{known}", *lines]) + ")")


if __name__ == "__main__":
    main()
