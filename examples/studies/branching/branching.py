"""Join what `gotools show --game GAME --json` says of records with the figures of the sources, in one table.

    python branching.py go9-self-play.json GO9-records.json --sources sources.tsv -o branching.tsv

A row for each file and size of board; the source is the end of the file's name. first, second and last are the legal
moves in each third of a game, tree and positions powers of ten.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path


def rows_of(path: Path) -> Iterator[list[object]]:
    """Yield the cells of each size of board in a file of `show`."""
    found = json.loads(path.read_text(encoding="utf-8"))
    length, moves, powers = (found[name]["rows"] for name in list(found)[-3:])
    for row, power in zip(length, powers, strict=True):
        whole, *thirds = [one for one in moves if one["size"] == row["size"]]
        plies = [row[name] for name in ("mean", "low", "high")]
        legal = [whole[name] for name in ("mean", "low", "high")]
        board = f"{found['game']} {row['size']}"
        source = path.stem.partition("-")[2]
        yield [
            board,
            source,
            row["games"],
            *plies,
            *legal,
            *(one["mean"] for one in thirds),
            power["tree"],
            power["positions"],
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Join what gotools show says of records with figures of the sources.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    rows = ["\t".join(map(str, row)) for path in words.files for row in rows_of(path)]
    words.output.write_text(words.sources.read_text(encoding="utf-8") + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
