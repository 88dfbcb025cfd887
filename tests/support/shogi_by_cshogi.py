"""Shogi beside the package cshogi: positions of many games, in each of which both must agree.

    PYTHONPATH=tests nice .venv/bin/python tests/support/shogi_by_cshogi.py 1000000

compares as many positions, and says what they were. Games begin at the usual position, in positions of real openings
where ../shared has them, and in positions of pieces put at random, whose kings often stand where they may declare.
"""

from __future__ import annotations

import gzip
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from support.needs import SHARED

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.games.shogi.board import read_sfen, write_sfen
from gotools.games.shogi.kernels import attacks
from gotools.games.shogi.kernels import pieces as p
from gotools.games.shogi.kernels import shogi as k
from gotools.jit.kernels.seams import ONGOING

OPENINGS: Final = SHARED / "shogi/openings-24.sfen.gz"
KINDS: Final = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}
SHOGI: Final = find_game("shogi")
_TEXTS: Final = [SHOGI.move_text(move, 9) for move in range(p.MOVES)]
_PLIES: Final = {"start": 300, "opening": 150, "random pieces": 30}


@cache
def openings() -> list[str]:
    """Return lines of moves of real games; none where ../shared has none."""
    if not OPENINGS.exists():
        return []
    with gzip.open(OPENINGS, "rt", encoding="ascii") as file:
        return [line.removeprefix("startpos moves ").strip() for line in file]


def random_pieces(rng: random.Random) -> str:
    """Return the SFEN of a position with all 40 pieces, on squares or in hand at random."""
    while True:
        try:
            return write_sfen(read_sfen(_random_pieces(rng)))
        except GotoolsError:
            continue  # a piece that cannot move, a check


def _random_pieces(rng: random.Random) -> str:
    board: dict[tuple[int, int], str] = {}
    hands: Counter[str] = Counter()
    entering, in_hand, promoted, uneven = rng.random() < 0.7, rng.random() ** 2, rng.random(), rng.uniform(0.2, 0.8)
    shares = {"b": 0.9 * entering, "w": 0.9 * (entering and rng.random() < 0.5)}

    def put(piece: str, side: str) -> bool:
        """Put a piece into the zone where a side promotes, or anywhere."""
        zone = range(9) if rng.random() > shares[side] else range(3) if side == "b" else range(6, 9)
        row, column = rng.choice(zone), rng.randrange(9)
        sided = piece if side == "b" else piece.lower()
        if (row, column) in board or (piece == "P" and any(board.get((other, column)) == sided for other in range(9))):
            return False
        board[row, column] = sided
        return True

    put("K", "b")
    while not put("K", "w"):
        pass
    for kind, count in KINDS.items():
        for _ in range(count):
            side = "b" if rng.random() < uneven else "w"
            piece = "+" * (kind != "G" and rng.random() < promoted) + kind
            if rng.random() < in_hand or not put(piece, side):
                hands[kind if side == "b" else kind.lower()] += 1
    rows = ("".join(board.get((row, column), "1") for column in range(9)) for row in range(9))
    held = "".join(f"{n}{piece}" for piece, n in hands.items())
    return f"{'/'.join(rows)} {rng.choice('bw')} {held or '-'} 1"


def stripped(texts: set[str], board: Any) -> set[str]:
    """Return moves with those that do not promote where they may: cshogi leaves some of them out."""
    found = set(texts)
    for text in texts:
        if text[-1] == "+":
            rows_ahead = ord(text[3]) - ord("a") if board.turn == 0 else ord("i") - ord(text[3])
            kind = board.piece_type(9 * (int(text[0]) - 1) + ord(text[1]) - ord("a"))
            if rows_ahead >= {1: 1, 2: 1, 3: 2}.get(kind, 0):  # pawn, lance, knight
                found.add(text[:-1])
    return found


def difference(state: Any, board: Any, usi: Callable[[int], str], read: bool) -> str:
    """Return in what a position of ours and one of cshogi differ; "" if they agree.

    usi -- the text of a move of cshogi; read -- read the SFEN back, which takes the most time
    """
    mine = {_TEXTS[move] for move in SHOGI.moves_of(state)}
    theirs = {usi(move) for move in board.legal_moves}
    expected = stripped(theirs, board) | ({"win"} if board.is_nyugyoku() else set())
    if mine != expected:
        return f"moves {sorted(mine ^ expected)}"
    if not all(board.is_legal(board.move_from_usi(text)) for text in mine - theirs - {"win"}):
        return "moves that are not legal"
    if board.sfen() != write_sfen(state) or (read and not (read_sfen(board.sfen()) == state).all()):
        return f"SFEN {board.sfen()} {write_sfen(state)}"
    if bool(attacks.in_check(state)) != bool(board.is_check()):
        return "check"
    if (SHOGI.outcome(state) == ONGOING) != bool(mine):
        return "the end"
    return ""


def games(seed: int) -> Iterator[tuple[str, list[str], random.Random]]:
    """Yield games without end: the kind, the SFEN of the start behind which moves may follow, chance for the rest."""
    rng = random.Random(seed)
    while True:
        yield "start", [], rng
        for _ in range(6):
            yield "random pieces", [random_pieces(rng)], rng
        if openings():
            moves = rng.choice(openings()).split()
            yield "opening", ["", *moves[: rng.randrange(len(moves) + 1)]], rng


def compare(positions: int, seed: int = 0) -> Counter[str]:
    """Compare positions of random games; returns how many there were of each kind, and with check, declaration, end.

    Raises AssertionError with the position where the two differ.
    """
    import cshogi

    usi = cache(cshogi.move_to_usi)
    counts: Counter[str] = Counter()
    for kind, begin, rng in games(seed):
        board, state = cshogi.Board(), SHOGI.position()
        if begin and begin[0]:
            board.set_sfen(begin[0])
            state = read_sfen(begin[0])
        for text in begin[1:]:
            board.push_usi(text)
            state = SHOGI.play(state, SHOGI.parse_move(text, 9))
        for _ in range(_PLIES[kind]):
            if counts["all"] >= positions:
                return counts
            wrong = difference(state, board, usi, counts["all"] % 8 == 0)
            assert not wrong, (write_sfen(state), wrong)
            moves = [move for move in SHOGI.moves_of(state) if move != p.DECLARE]
            counts["all"] += 1
            counts[kind] += 1
            counts["checks"] += bool(attacks.in_check(state))
            counts["declarations"] += bool(k.can_declare(state))
            if not moves:
                counts["ends"] += 1
                break
            move = rng.choice(moves)
            state = SHOGI.play(state, move)
            board.push_usi(_TEXTS[move])
    return counts


if __name__ == "__main__":
    began = time.process_time()
    print(dict(compare(int(sys.argv[1]), int((sys.argv[2:] or ["0"])[0]))), f"{time.process_time() - began:.0f} s")
