"""Orders of shogi's moves by clusters, counted in positions searched, beside the article's (bench/move-order.md).

python bench/shogi_orders.py RUN      RUN: the folder of a tournament of shogi, such as examples/shogi makes
                                      without it a small one is played, which takes minutes

Every fourth game is held out: its positions are searched. Clusters are learned from the others: moves of players rated
above the mean who won, and of players rated below it who lost; and, for comparison, moves not played as bad ones.
Artificial positions: kings, some pieces anywhere, some in hand.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from pathlib import Path

from _table import heading, row

import gotools
from gotools.base.errors import GotoolsError
from gotools.cli import run
from gotools.game.game import find_game
from gotools.games.shogi import board as b

SHOGI = find_game("shogi")
PLAYERS = (50, 500, 5000)
"""Positions a move, of the players of the small tournament."""
GAMES = 120
POSITIONS = 40
ARTIFICIAL = 40
JOBS = 2


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        found = Path(sys.argv[1]) if len(sys.argv) > 1 else play(folder / "run")
        learn, test = split(found, folder)
        clusters = cluster(found, learn, folder)
        artificial = folder / "artificial.usi"
        artificial.write_text("".join(f"{line}\n" for line in artificial_positions()), "utf-8")
        heading(f"orders of shogi's moves, positions searched; {POSITIONS} positions of games held out")
        for name, path in clusters.items():
            root = f"{path}@root+captures"
            ratio(f"{name}: at the root, captures below / captures; 4 plies", test, [root], 4, "captures", 0.85)
            ratio(f"{name}: at every depth / killers and history; 4 plies", test, [str(path)], 4, "history", 0.80)
            ratio(f"{name}: ply by ply to 4, then captures", test, [str(path)], 4, "history", None, deepening=1)
            ratio(f"{name}: at every depth, artificial, 3 plies", artificial, [str(path)], 3, "history", 1.05)
            ratio(
                f"{name}: at the root, artificial, 3 plies", artificial, [f"{path}@root+captures"], 3, "captures", 1.05
            )


def ratio(
    what: str, paths: Path, orders: list[str], depth: int, beside: str, target: float | None, deepening: int = 0
) -> None:
    """Print the positions searched in the last order as a share of those in another one, and the same of seconds."""
    named = orders if beside == "history" else [beside, *orders]
    compared = gotools.compare_orders(
        str(paths), named, depth=depth, deepening=deepening, quiescence=6 if deepening else 0, positions=POSITIONS,
        jobs=JOBS, game="shogi", report=lambda _: None,
    )  # fmt: skip
    totals = {total.order: total for total in compared.totals}
    ours, other = totals[orders[-1]], totals[beside]
    share = ours.nodes / other.nodes
    worst = f"{ours.seconds / other.seconds:.2f} of the time"
    row(
        what,
        f"{share:.3f} ({worst})",
        "" if target is None else f"<= {target}",
        None if target is None else share <= target,
    )


def split(found: Path, folder: Path) -> tuple[Path, Path]:
    """Return folders with the games to learn from and those held out."""
    learn, test = folder / "learn", folder / "test"
    learn.mkdir()
    test.mkdir()
    for number, path in enumerate(sorted(found.glob("games/*.sgf"))):
        shutil.copy(path, test if number % 4 == 0 else learn)
    return learn, test


def cluster(found: Path, learn: Path, folder: Path) -> dict[str, Path]:
    """Learn clusters; returns their files by what was learned from."""
    ratings = folder / "ratings.tsv"
    done("elo", str(found), "-o", str(ratings))
    made = {}
    for name, options in (
        ("rated", ("--ratings", str(ratings), "--good-above", "0", "--bad-below", "0")),
        ("unplayed", ()),
    ):
        made[name] = folder / f"{name}.tsv"
        done("cluster-moves", "--game", "shogi", str(learn), "--metric", "euclid", *options, "-o", str(made[name]))
    return made


def play(folder: Path) -> Path:
    """Play a small tournament of our own players."""
    own = f"{sys.executable} -m gotools gtp -q --game shogi --order captures --nodes"
    engines = [word for nodes in PLAYERS for word in ("--engine", f"n{nodes}={own} {nodes}")]
    opening = ("--opening-moves", "4", "--jobs", str(JOBS), "--games", str(GAMES // len(PLAYERS)))
    done("tournament", "--game", "shogi", *engines, *opening, "-o", str(folder), allowed=(0, 3))
    return folder


def artificial_positions() -> list[str]:
    """Return positions with few pieces, and some in hand, as USI lines with a first move."""
    chance, found = random.Random(11), list[str]()
    while len(found) < ARTIFICIAL:
        squares = chance.sample(range(81), 2 + chance.randint(3, 8))
        cells = {squares[0]: "K", squares[1]: "k"}
        for square in squares[2:]:
            letter = chance.choice("LNSGBRSG+P+S")
            letter = "+P" if letter == "+" else letter
            cells[square] = letter if chance.random() < 0.5 else letter.lower()
        hands = "".join(letter * (chance.random() < 0.5) for letter in "RBGSNLP" + "rbgsnlp")
        side = chance.choice("bw")
        try:
            state = b.read_sfen(f"{rows_of(cells)} {side} {hands or '-'} 1")
        except GotoolsError:
            continue
        if len(moves := SHOGI.moves_of(state)) > 1:
            found.append(f"sfen {b.write_sfen(state)} moves {SHOGI.move_text(chance.choice(moves), 9)}")
    return found


def rows_of(cells: dict[int, str]) -> str:
    """Return pieces by their squares as the board of SFEN."""
    rows = []
    for row_number in range(9):
        text, empty = "", 0
        for square in range(9 * row_number, 9 * row_number + 9):
            if square not in cells:
                empty += 1
                continue
            text += (str(empty) if empty else "") + cells[square]
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows)


def done(*arguments: str, allowed: tuple[int, ...] = (0,)) -> None:
    code = run([*arguments, "-q"])
    if code not in allowed:
        sys.exit(code)


if __name__ == "__main__":
    main()
