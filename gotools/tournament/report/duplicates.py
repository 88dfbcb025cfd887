"""Find duplicate games: repetitions carry no information about strength."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError
from gotools.game.game import find_game
from gotools.go.points import PASS, fixed_points, parse_vertex, symmetry_tables, vertex
from gotools.tournament.game.game_result import GameResult

ALIKE: Final = (4, 5)
"""Games are near duplicates when they share this part of the longer one's moves, counted from the start."""
_BATCH: Final = 1024  # games turned in one call: a few MB
_WIDTH: Final = 2  # bytes of a move in a canonical form


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The number of distinct games of a tournament.

    distinct -- groups of similar games: the effective number of games
    exact    -- games with the same moves as a counted one; near -- games with only the same beginning.
        games = distinct + exact + near
    groups   -- the numbers of the similar games, of each group of more than one
    """

    games: int
    distinct: int
    exact: int
    near: int
    groups: tuple[tuple[int, ...], ...]


def effective_games(results: Sequence[GameResult]) -> Duplicates:
    """Count the games that differ by more than a symmetry of the board and their last moves.

    Games of the same black and white, size, handicap, komi and start are sorted by their
    canonical forms, and each is compared with the one before it. They are similar when their moves are the same, when
    those of one begin the other, or when they share at least 80 % of the longer one's moves, counted from the start. In
    that order a game is next to one with which it shares most; but of three games two similar ones may be separated by
    a long one.

    The time is linear in the moves, apart from sorting. Raises ValueError for moves that are not points of their board.
    """
    forms = _canonical_forms(results)
    classes: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for index, result in enumerate(results):
        classes[result.black, result.white, result.size, result.handicap, result.komi, result.setting].append(index)
    exact = near = 0
    groups: list[list[int]] = []
    for members in classes.values():
        members.sort(key=lambda index: (forms[index], results[index].game))
        groups.append([members[0]])
        for before, index in pairwise(members):
            same = forms[before] == forms[index]
            if same or _alike(forms[before], forms[index]):
                exact, near = exact + same, near + (not same)
                groups[-1].append(index)
            else:
                groups.append([index])
    several = sorted(tuple(sorted(results[index].game for index in group)) for group in groups if len(group) > 1)
    return Duplicates(len(results), len(groups), exact, near, tuple(several))


def _alike(one: bytes, other: bytes) -> bool:
    """Return whether two canonical forms are similar: one begins the other, or the shared part is large."""
    shorter, longer = sorted((one, other), key=len)
    part, whole = ALIKE
    needed = -(-len(longer) // _WIDTH * part // whole) * _WIDTH  # rounded up
    return longer.startswith(shorter[:needed])


def _canonical_forms(results: Sequence[GameResult]) -> list[bytes]:
    """Return the moves of every game under the symmetry of the board that sorts first.

    The beginning of a canonical form is the canonical form of the game's beginning, and moves are compared in the order
    of the bytes: so sorted forms have similar ones side by side.
    """
    boards: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    forms = [b""] * len(results)
    for index, result in enumerate(results):
        if result.game_name == "go":
            boards[result.size, result.handicap].append(index)
        else:
            forms[index] = _form_by_images(result)
    for (size, handicap), members in boards.items():
        tables, codes = _turns(size, handicap), _codes(size)
        for first in range(0, len(members), _BATCH):
            batch = members[first : first + _BATCH]
            moves = [_coded(results[index].moves, size, codes) for index in batch]
            for index, form in zip(batch, _least(moves, tables), strict=True):
                forms[index] = form
    return forms


def _form_by_images(result: GameResult) -> bytes:
    """Return the canonical form of a game other than Go, by the images of moves that the game supplies.

    Raises GotoolsError for a move that the game does not know.
    """
    game = find_game(result.game_name).started_from(result.setting)
    try:
        images = [game.images(game.parse_move(word, result.size), result.size) for word in result.moves.split()]
    except ValueError as error:
        raise GotoolsError(f"game {result.game}: {error}") from error
    lines = zip(*images, strict=True)
    return min((b"".join(move.to_bytes(_WIDTH, "big") for move in line) for line in lines), default=b"")


def _codes(size: int) -> dict[str, int]:
    """Return the number of every move by its text; that of a pass is the first after the points."""
    points = {vertex(point, size): point for point in range(size * size)}
    return points | {vertex(PASS, size).upper(): size * size}


def _coded(text: str, size: int, codes: dict[str, int]) -> list[int]:
    words = text.upper().split()
    try:
        return [codes[word] for word in words]
    except KeyError:
        wrong = next(word for word in words if word not in codes)
        parse_vertex(wrong, size)  # raises for all but "-"
        raise ValueError(f"{wrong!r} is not a move") from None


def _turns(size: int, handicap: int) -> NDArray[np.int16]:
    """Return int16[k, size*size + 1]: the images of moves under the symmetries that keep the handicap stones in place.

    If the board has no fixed places for that many stones, nothing is turned.
    """
    tables = symmetry_tables(size)
    if handicap > 1:
        try:
            stones = fixed_points(size, handicap)
            tables = tables[[set(table[stones].tolist()) == set(stones) for table in tables]]
        except GotoolsError:
            tables = tables[:1]
    passes = np.full((len(tables), 1), size * size, np.int16)
    return np.hstack([tables, passes])


def _least(games: Sequence[list[int]], tables: NDArray[np.int16]) -> list[bytes]:
    """Turn every game by every table, and return the least as bytes, the more significant one of a move first."""
    lengths = [len(moves) for moves in games]
    moves = np.full((len(games), max(lengths) + 1), tables.shape[1] - 1, np.int16)  # one column at least
    for row, game in enumerate(games):
        moves[row, : len(game)] = game
    rows = np.arange(len(games))
    least = tables[0][moves]
    for table in tables[1:]:
        turned = table[moves]
        first = (turned != least).argmax(axis=1)  # 0 where they are the same
        before = turned[rows, first] < least[rows, first]
        least[before] = turned[before]
    ordered = least.astype(f">u{_WIDTH}")
    return [row[:length].tobytes() for row, length in zip(ordered, lengths, strict=True)]
