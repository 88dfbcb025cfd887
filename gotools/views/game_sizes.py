"""How large a game is by its records: the length of games, legal moves of a position, the game tree, the positions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError, shown
from gotools.game.game import Game
from gotools.game.records.reading import read_records
from gotools.game.records.replay import played
from gotools.game.traits import Complexity
from gotools.views.contents import Contents
from gotools.views.parts import Table

Say = Callable[[str], None]
Counts = NDArray[np.int64]
"""int64[moves]: the legal moves, passes included, in the position before each move of a game."""

THIRDS: Final = ("first third", "second third", "last third")
_CONFIDENCE: Final = 0.95
_NOTES: Final = (
    "low, high: 95 % intervals of means over games",
    "tree: the legal moves of all positions of a game multiplied (Allis)",
)


def show_games(path: str, game: Game, limit: int, say: Say) -> Contents:
    """Measure the records in a file, an archive, a folder or a glob, on each size of the board apart.

    say -- called for each game that cannot be read, or has an illegal move; it is left out

    A game that repeats another one move by move, as deterministic players repeat them, counts once.

    Raises GotoolsError where there is no game.
    """
    found, seen, repeated = defaultdict[int, list[Counts]](list), set[object](), 0
    for size, moves, counts in _games_of(path, game, say):
        repeated += (size, moves) in seen
        if (size, moves) not in seen:
            seen.add((size, moves))
            found[size].append(counts)
    if not found:
        raise GotoolsError(f"{path}: no game of {game.name} with moves")
    boards = sorted(found.items())
    lengths = [(size, len(games), *_mean([len(one) for one in games])) for size, games in boards]
    legal = [(size, *row) for size, games in boards for row in _moves_of_thirds(games)]
    trees = [(size, *_mean([float(np.log10(one).sum()) for one in games])) for size, games in boards]
    powers = [(*tree, *positions_of(game, tree[0])) for tree in trees]
    columns = ("size", "tree", "low", "high", "positions", "positions are")
    listings = [
        Table("moves of a game", ("size", "games", "mean", "low", "high"), lengths[:limit], total=len(lengths)),
        Table("legal moves of a position", ("size", "in", "mean", "low", "high"), legal[:limit], total=len(legal)),
        Table("powers of ten", columns, powers[:limit], _NOTES, total=len(powers)),
    ]
    facts: dict[str, object] = {"game": game.name, "games": len(seen), **({"repeated": repeated} if repeated else {})}
    return Contents(path, "records of games", facts, listings)


def _games_of(path: str, game: Game, say: Say) -> Iterator[tuple[int, object, Counts]]:
    """Yield the size of the board, what tells a game from others, and its counts."""
    for name, record in read_records([path], game, say):
        history, why = played(record, game)
        if why:
            say(str(FileFormatError(name, None, f"game {record.id}: {shown(why, 200)}; left out")))
        elif history.moves:
            before = zip(history.positions, history.moves, strict=False)
            asked = (replace(history, positions=(state,)).asked(side) for state, (side, _) in before)
            counts = np.array([len(game.moves_of(state)) for state in asked])
            yield record.size, (record.setting, record.setup, record.moves.tobytes()), counts


def _mean(values: Sequence[float]) -> tuple[float, float | None, float | None]:
    """Return a mean with the ends of its interval (Student's t), which a single value does not have."""
    from scipy.stats import t

    mean, count = float(np.mean(values)), len(values)
    if count < 2:
        return round(mean, 2), None, None
    half = float(t.ppf(0.5 + _CONFIDENCE / 2, count - 1) * np.std(values, ddof=1)) / count**0.5
    return round(mean, 2), round(mean - half, 2), round(mean + half, 2)


def _moves_of_thirds(games: Sequence[Counts]) -> Iterator[tuple[object, ...]]:
    """Yield the mean over games of the mean over their positions: all of them, and each third."""
    yield ("the whole game", *_mean([float(one.mean()) for one in games]))
    thirds = [[float(part.mean()) for part in np.array_split(one, 3)] for one in games if len(one) >= 3]
    for name, values in zip(THIRDS, zip(*thirds, strict=True), strict=False):
        yield (name, *_mean(values))


def positions_of(game: Game, size: int) -> tuple[float | None, str]:
    """Return the logarithm of the number of positions of a board, and how it is known; None where it is not."""
    known = game.find(Complexity)
    power, how = known.positions(size) if known else (None, "not known")
    return None if power is None else round(power, 1), how
