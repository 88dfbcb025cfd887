"""Find duplicate games: repetitions carry no information about strength."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game, find_trait
from gotools.game.traits import SetUp, Symmetry, Texts
from gotools.matches.game.game_result import GameResult

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

    The time is linear in the moves, apart from sorting. Raises GotoolsError for a move that the game does not know.
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
    boards: defaultdict[tuple[str, int, int, str], list[int]] = defaultdict(list)
    for index, result in enumerate(results):
        boards[result.game_name, result.size, result.handicap, result.setting].append(index)
    forms = [b""] * len(results)
    for board, members in boards.items():
        for index, form in zip(members, _forms(*board, [results[index] for index in members]), strict=True):
            forms[index] = form
    return forms


def _forms(name: str, size: int, handicap: int, setting: str, results: Sequence[GameResult]) -> Iterator[bytes]:
    """Yield the canonical forms of games that begin alike. Raises GotoolsError for a move that the game does not know.

    Symmetries that do not keep the handicap stones in place are left out; if the board has no fixed places for that
    many stones, nothing is turned.
    """
    codes = _Codes(_images(name, size, setting))
    for first in range(0, len(results), _BATCH):
        moves = []
        for result in results[first : first + _BATCH]:
            try:
                moves.append([codes[word] for word in result.moves.split()])
            except ValueError as error:
                raise GotoolsError(f"game {result.game}: {error}") from error
        tables = np.array(codes.images or [[0]]).astype(np.uint16).T.copy()  # in order for `_least`
        yield from _least(moves, tables[_keeping(name, size, handicap)] if handicap > 1 else tables)


class _Codes(dict[str, int]):
    """Numbers of moves by their texts, and the images of each under the symmetries: `images`, in the same order."""

    def __init__(self, images_of: Callable[[str], Sequence[int]]) -> None:
        self.images: list[Sequence[int]] = []
        self._images_of = images_of

    def __missing__(self, word: str) -> int:
        self.images.append(self._images_of(word))
        self[word] = len(self)
        return self[word]


def _images(name: str, size: int, setting: str) -> Callable[[str], Sequence[int]]:
    """Return what finds the images of a move by its text: where the table of games suffices, nothing is compiled."""
    texts, symmetry = find_trait(name, Texts), find_trait(name, Symmetry)
    if texts is not None and symmetry is not None:
        return lambda word: symmetry.images(texts.place(word, size), size)
    game = find_game(name).started_from(setting)
    return lambda word: game.images(game.place_of(game.parse_move(word, size), size), size)


def _keeping(name: str, size: int, handicap: int) -> list[int]:
    """List the symmetries of a board that keep its handicap stones in place."""
    set_up, symmetry = find_trait(name, SetUp), find_trait(name, Symmetry)
    if set_up is None or symmetry is None or handicap > set_up.most(size):
        return [0]
    stones = set_up.fixed(size, handicap)
    turned = zip(*(symmetry.images(stone, size) for stone in stones), strict=True)
    return [number for number, places in enumerate(turned) if set(places) == set(stones)]


def _least(games: Sequence[list[int]], tables: NDArray[np.uint16]) -> list[bytes]:
    """Turn every game by every table, and return the least as bytes, the more significant one of a move first."""
    lengths = [len(moves) for moves in games]
    moves = np.zeros((len(games), max(lengths) + 1), np.uint16)  # one column at least
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
