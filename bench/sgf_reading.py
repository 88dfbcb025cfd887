"""sgf-to-examples against loops over sgfmill's parser and boards, and its rows a second on one core."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

from _table import ROOT, SHARED, cpu_seconds, heading, medians, row
from sgfmill import boards, sgf

from gotools.game.examples.examples import write_header
from gotools.game.examples.gather import Gathering
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.go import GO

TIMES = 3
COPIES = 4
RATIO, ROWS = 8, 60_000
LETTERS = "ABCDEFGHJKLMNOPQRST"


def ours(folders: list[Path], out: BinaryIO) -> int:
    """Do what the command does between its start and its end; returns the rows written."""
    rows = 0
    write_header(out, GoExamples.none())
    for examples in Gathering(folders, GO, Selection()).batches():
        out.write(examples.text())
        rows += len(examples)
    return rows


def bare_loop(folders: list[Path]) -> int:
    """Parse and replay with sgfmill; returns the moves."""
    moves = 0
    for path in games_of(folders):
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        board = boards.Board(game.get_size())
        for node in game.get_main_sequence():
            if node.has_setup_stones():
                board.apply_setup(*node.get_setup_stones())
            colour, move = node.get_move()
            if move is not None:
                board.play(*move, colour)
                moves += 1
    return moves


def loop_with_rows(folders: list[Path], out: BinaryIO) -> int:
    """Parse and replay with sgfmill, and write the same rows."""
    rows = 0
    write_header(out, GoExamples.none())
    for path in games_of(folders):
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        size = game.get_size()
        board = boards.Board(size)
        ko, last, last2 = None, "-", "-"
        ply = 0
        for node in game.get_main_sequence():
            if node.has_setup_stones():
                board.apply_setup(*node.get_setup_stones())
            colour, move = node.get_move()
            if colour is None:
                continue
            ply += 1
            if move is not None:
                cells = [[".bw".index(board.get(y, x) or ".") for x in range(size)] for y in range(size)]
                position = "/".join("".join(".XO"[cell] for cell in line) for line in reversed(cells))
                fields = (f"{path.stem}:{ply}", colour, position, vertex(ko), last, last2, vertex(move), "1", "played")
                out.write(("\t".join(fields) + "\n").encode())
                ko = board.play(*move, colour)
                rows += 1
            else:
                ko = None
            last, last2 = "pass" if move is None else vertex(move), last
    return rows


def vertex(move: tuple[int, int] | None) -> str:
    return "-" if move is None else f"{LETTERS[move[1]]}{move[0] + 1}"


def games_of(folders: list[Path]) -> list[Path]:
    return [path for folder in folders for path in sorted(folder.rglob("*.sgf"))]


def main() -> None:
    small = [SHARED / "data/go9-pro/train"]
    large = [*small, SHARED / "data/go9-dan/train"]
    if not all(folder.is_dir() for folder in large):
        small = large = [ROOT / "examples/games"]
    names = " + ".join(str(folder.relative_to(folder.parents[1])) for folder in large)
    heading(f"sgf-to-examples ({names}), CPU seconds in one process")
    against_sgfmill(small)
    rows_a_second(large, names)


def against_sgfmill(folders: list[Path]) -> None:
    mine, theirs = io.BytesIO(), io.BytesIO()
    rows = ours(folders, mine)  # compiles what has to be compiled
    loop_with_rows(folders, theirs)
    same = "the same bytes" if mine.getvalue() == theirs.getvalue() else "OTHER BYTES"
    own, full, bare = medians(
        [
            lambda: cpu_seconds(lambda: ours(folders, io.BytesIO())),
            lambda: cpu_seconds(lambda: loop_with_rows(folders, io.BytesIO())),
            lambda: cpu_seconds(lambda: bare_loop(folders)),
        ],
        TIMES,
    )
    per_row = f"{own / rows * 1e6:.2f} us against {{:.1f}} us a row"
    how = f"{rows:,} rows of {folders[0].parent.name}/{folders[0].name}; medians of {TIMES} in turn; {same}"
    full_ratio, bare_ratio = full / own, bare / own
    against = per_row.format(full / rows * 1e6)
    what, good = "a loop over sgfmill that makes the same rows / ours", full_ratio >= RATIO
    row(what, f"{full_ratio:.1f} x  ({against})", f">= {RATIO} x", good, how)
    against = per_row.format(bare / rows * 1e6)
    how = "the same loop without the rows: sgfmill parses and plays, we write rows too"
    row("a loop over sgfmill's parser and boards alone / ours", f"{bare_ratio:.1f} x  ({against})", how=how)


def rows_a_second(folders: list[Path], names: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for copy in range(COPIES):
            for number, path in enumerate(games_of(folders)):
                shutil.copyfile(path, Path(scratch) / f"copy{copy}-{number}.sgf")
        with open(Path(scratch) / "examples.tsv", "wb") as out:
            rows = 0

            def work() -> None:
                nonlocal rows
                rows = ours([Path(scratch)], out)

            seconds = cpu_seconds(work)
    speed = rows / seconds
    how = f"{rows:,} rows of {COPIES} copies of {names}, files read and one file written"
    row("rows a second on one core", f"{speed:,.0f}", f">= {ROWS:,}", speed >= ROWS, how)


if __name__ == "__main__":
    main()
