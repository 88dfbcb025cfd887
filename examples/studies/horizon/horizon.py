"""Count right moves in tables of order-bench: by depth, and by what goes on at the horizon.

    python horizon.py ladders-plain-2-0.tsv games-rules-2-6.tsv ... --positions ladders.tsv games.tsv -o horizon.tsv

Names of tables are SET-HOW-DEPTH-QUIESCENCE.tsv, HOW one of HOWS. Of ladders, chases and ataris the move of the row is
right in half of the positions, and wrong in those whose names begin as those of WRONG: there any other move is right.
In a game the move that was played is right. Ladders and chases are counted by their plies to the capture. Of a table of
rules those rows count, else those of history. low and high are the ends of Wilson's interval of 95 %, in percent; wrong
and right are the right moves of both halves. nodes are per position.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from pathlib import Path

COLUMNS = ("set", "search", "depth", "positions", "percent", "low", "high", "wrong", "right", "nodes")

HOWS = {
    "plain": "quiescence {}",
    "extended": "quiescence {}, extensions",
    "rules": "rules, 6 candidates",
    "both": "rules, 6 candidates, extensions",
}
WRONG = ("caught-", "fails-")


def rows_of(path: Path) -> list[dict[str, str]]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("##")]
    names = lines[0].lstrip("#").split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]


def wilson(right: int, count: int) -> tuple[float, float, float]:
    """Return a share with the ends of its interval of 95 %, in percent."""
    z, share = 1.96, right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return 100 * share, 100 * (middle - half), 100 * (middle + half)


def set_of(name: str, kind: str) -> str:
    """Return the set of a position: ladders and chases by their length, else the kind of the table."""
    if kind not in ("ladders", "chases"):
        return kind
    plies = int(name.split("-")[1])
    return f"{kind}-" + ("4" if plies <= 4 else "6-8" if plies <= 8 else "10-12")


def main() -> None:
    parser = argparse.ArgumentParser(description="Count right moves.")
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--positions", type=Path, nargs="+", required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    moves = {path.stem: {row["id"]: row["move"] for row in rows_of(path)} for path in words.positions}
    found = defaultdict[tuple[str, str, int], list[tuple[str, bool, int]]](list)
    for path in words.tables:
        kind, how, depth, quiescence = path.stem.split("-")
        by_rules = how in ("rules", "both")
        search = HOWS[how].format(quiescence)
        for row in rows_of(path):
            if row["id"] == "all" or (row["order"] == "history") == by_rules:
                continue
            right = (row["move"] == moves[kind][row["id"]]) != row["id"].startswith(WRONG)
            found[set_of(row["id"], kind), search, int(depth)].append((row["id"], right, int(row["nodes"])))
    lines = ["\t".join(COLUMNS)]
    for (kind, search, depth), each in sorted(found.items()):
        shares = [f"{x:.1f}" for x in wilson(sum(right for _, right, _ in each), len(each))]
        for half in (True, False):
            some = [right for name, right, _ in each if name.startswith(WRONG) == half]
            shares.append(f"{100 * sum(some) / len(some):.1f}" if some and kind != "games" else "-")
        nodes = sum(count for _, _, count in each) // len(each)
        lines.append("\t".join([kind, search, str(depth), str(len(each)), *shares, str(nodes)]))
    words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
