"""Add up games by columns, as numbers from the start, into a tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, shown
from gotools.game.table import USUAL
from gotools.ratings.games import ITSELF, GameClass, GameTally
from gotools.ratings.reading.result_text import ANOTHER_GAME, UNCOUNTED_REASONS, WIN

K = TypeVar("K")
V = TypeVar("V")
NO_NAME: Final = "no player name"
_HELD: Final = 1 << 22
"""Games held, 13 bytes each, before they are added up."""
_DENSE: Final = 1 << 23
"""Possible rows up to which games are counted without sorting."""


class Cache(dict[K, V], Generic[K, V]):
    """Remember the value of a function for each key; `map(memo.__getitem__, column)` runs at the speed of a dict."""

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        value = self[key] = self._make(key)
        return value


Game = tuple[bytes, bytes, bytes]
"""Black, white, result, as they are in the file."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Games in the order of their file.

    black, white -- names as they are in the file, in UTF-8
    score        -- int8[n], codes of result_text
    kind         -- int32[n], indexes into classes; classes may grow from batch to batch of a file
    """

    black: Sequence[bytes]
    white: Sequence[bytes]
    score: NDArray[np.int8]
    kind: NDArray[np.int32]
    classes: list[GameClass]


class Batches(Generic[K]):
    """Make batches of a file's columns; each distinct text is interpreted once.

    score -- gives the code of a result
    kind  -- gives the class of a text, or of texts
    """

    def __init__(self, score: Callable[[bytes], int], kind: Callable[[K], GameClass]) -> None:
        self._scores: Cache[bytes, int] = Cache(score)
        self._kinds: Cache[K, int] = Cache(lambda text: self._numbers[kind(text)])
        self._numbers: Cache[GameClass, int] = Cache(self._number)
        self._classes: list[GameClass] = []

    def _number(self, kind: GameClass) -> int:
        self._classes.append(kind)
        return len(self._classes) - 1

    def batch(
        self, black: Sequence[bytes], white: Sequence[bytes], result: Sequence[bytes], kind: Sequence[K]
    ) -> Batch:
        """Return games as a batch; kind -- of each game, or a single one for all."""
        count = len(black)
        score = np.fromiter(map(self._scores.__getitem__, result), np.int8, count)
        if len(kind) == 1:
            numbers = np.full(count, self._kinds[kind[0]], np.int32)
        else:
            numbers = np.fromiter(map(self._kinds.__getitem__, kind), np.int32, count)
        return Batch(black, white, score, numbers, self._classes)

    def of_one_class(self, games: list[Game], kind: K) -> Iterator[Batch]:
        """Yield games of one class as a batch; nothing where there are none."""
        if games:
            black, white, result = zip(*games, strict=True)
            yield self.batch(black, white, result, [kind])


def plain_name(raw: bytes) -> str:
    """Return a player's name in one line without blanks around it, from UTF-8.

    What cannot be printed is replaced by U+FFFD: an escape sequence would reach the terminal.
    """
    name = " ".join(raw.decode("utf-8", "replace").split())
    return name if name.isprintable() else "".join(c if c.isprintable() else "\ufffd" for c in name)


class Ledger:
    """Adds up games, batch by batch; memory is bounded by players, pairs that met, and a fixed number of games."""

    def __init__(self) -> None:
        self.excluded: Counter[str] = Counter()
        self._players: Cache[str, int] = Cache(self._new_player)
        self._names: list[str] = []
        self._ids: Cache[bytes, int] = Cache(self._id)
        self._classes: Cache[GameClass, int] = Cache(lambda kind: len(self._classes))
        self._mapped: list[GameClass] = []
        """The classes of the last batch, mostly those of the next one too; `_numbers`: their indexes in `_classes`."""
        self._numbers = np.empty(0, np.int32)
        self._games: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]] = []
        self._held = 0
        self._rows = np.empty((0, 5), np.int64)
        """Added up: black, white, kind, score, how many."""

    def _new_player(self, name: str) -> int:
        self._names.append(name)
        return len(self._names) - 1

    def _id(self, raw: bytes) -> int:
        name = plain_name(raw)
        return self._players[name] if name else -1

    def _mapping(self, classes: list[GameClass]) -> NDArray[np.int32]:
        """Return the number in `_classes` of each of a batch's classes."""
        if classes is not self._mapped:
            self._mapped, self._numbers = classes, np.empty(0, np.int32)
        if len(classes) > len(self._numbers):
            more = [self._classes[kind] for kind in classes[len(self._numbers) :]]
            self._numbers = np.concatenate([self._numbers, np.array(more, np.int32)])
        return self._numbers

    def add(self, batch: Batch) -> None:
        """Add the games of a batch; count those left out by reason."""
        count = len(batch.black)
        black = np.fromiter(map(self._ids.__getitem__, batch.black), np.int32, count)
        white = np.fromiter(map(self._ids.__getitem__, batch.white), np.int32, count)
        kind = self._mapping(batch.classes)[batch.kind]
        score = batch.score
        nameless, alone, unscored = (black < 0) | (white < 0), black == white, score > WIN
        if (left_out := nameless | alone | unscored).any():
            self.excluded[NO_NAME] += int(nameless.sum())
            self.excluded[ITSELF] += int((alone & ~nameless).sum())
            codes = np.bincount(score[unscored & ~nameless & ~alone], minlength=max(UNCOUNTED_REASONS) + 1).tolist()
            self.excluded.update({reason: codes[code] for code, reason in UNCOUNTED_REASONS.items()})
            black, white, kind, score = (column[~left_out] for column in (black, white, kind, score))
        self._games.append((black, white, kind, score))
        self._held += len(black)
        if self._held > _HELD:
            self._add_up()

    def tally(self) -> GameTally:
        """Return the games added."""
        self._add_up()
        black, white, kind, score, count = self._rows.T
        rows = (black * max(len(self._names), 1) + white) * max(len(self._classes), 1) + kind
        starts = np.flatnonzero(np.diff(rows, prepend=-1))  # the rows are sorted
        place = np.cumsum(np.diff(rows, prepend=-1) != 0) - 1
        losses, draws, wins = (np.zeros(len(starts), np.int64) for _ in range(3))
        for code, column in enumerate((losses, draws, wins)):
            column[place[score == code]] = count[score == code]
        firsts = self._rows[starts].astype(np.int32).T
        excluded = {reason: number for reason, number in self.excluded.items() if number}
        return GameTally(
            players=list(self._names),
            black=firsts[0],
            white=firsts[1],
            kind=firsts[2],
            classes=list(self._classes),
            wins=wins,
            draws=draws,
            losses=losses,
            excluded=excluded,
        )

    def _add_up(self) -> None:
        """Merge the games held into the rows: one for each (black, white, kind, score), sorted."""
        shape = (len(self._names), len(self._names), len(self._classes), WIN + 1)
        if not self._games:
            return
        keys = [np.ravel_multi_index(columns, shape) for columns in self._games]
        key = np.concatenate([np.ravel_multi_index(tuple(self._rows.T[:4]), shape), *keys])
        weight = np.concatenate([self._rows.T[4], np.ones(len(key) - len(self._rows), np.int64)])
        self._games, self._held = [], 0
        if shape[0] * shape[1] * shape[2] * shape[3] <= _DENSE:
            sums = np.bincount(key, weight).astype(np.int64)
            key = np.flatnonzero(sums)
            count = sums[key]
        else:
            order = np.argsort(key, kind="stable")
            starts = np.flatnonzero(np.diff(key[order], prepend=-1))
            count = np.add.reduceat(weight[order], starts) if len(starts) else weight
            key = key[order][starts]
        self._rows = np.column_stack([*np.unravel_index(key, shape), count])


def sequence(batches: Iterable[Batch], excluded: Counter[str]) -> Iterator[tuple[str, str, float]]:
    """Yield the games that count, in their order: black, white, black's score; count the others by reason."""
    names: Cache[bytes, str] = Cache(plain_name)
    for batch in batches:
        for black, white, score in zip(
            map(names.__getitem__, batch.black), map(names.__getitem__, batch.white), batch.score.tolist(), strict=True
        ):
            if not black or not white:
                excluded[NO_NAME] += 1
            elif black == white:
                excluded[ITSELF] += 1
            elif score > WIN:
                excluded[UNCOUNTED_REASONS[score]] += 1
            else:
                yield black, white, score / 2


# one game -------------------------------------------------------------------------------------------------------------


_REASON: Final = UNCOUNTED_REASONS[ANOTHER_GAME]


class OneGame:
    """Leave out the results of all games but one: a given one, or the first that comes, after which others are errors.

    Games that gotools does not know (GameClass.game is "") pass: they do not count anyway.
    """

    def __init__(self, game: str | None) -> None:
        self._wanted, self._first = game, ""

    @property
    def name(self) -> str:
        """Return the game: the given one, else the first that came; "" before."""
        return self._wanted or self._first

    def of(self, batch: Batch, excluded: Counter[str]) -> Batch:
        """Return the results of the game in a batch; count the others by reason.

        Raises GotoolsError for results of a second game if none was given.
        """
        if self._wanted is None:
            self._check(batch)
            return batch
        if all(self._passes(kind) for kind in batch.classes):
            return batch
        return self._filtered(batch, excluded)

    def _check(self, batch: Batch) -> None:
        if self._first == USUAL and all(kind.game == USUAL for kind in batch.classes):
            return
        for number in np.flatnonzero(np.bincount(batch.kind, minlength=len(batch.classes))):
            game = batch.classes[number].game
            self._first = self._first or game
            if game not in ("", self._first):
                one, other = shown(self._first), shown(game)
                raise GotoolsError(f"results of {one} and of {other}: choose with --game {one} or --game {other}")

    def _passes(self, kind: GameClass) -> bool:
        return kind.game in ("", self._wanted)

    def _filtered(self, batch: Batch, excluded: Counter[str]) -> Batch:
        passing = np.array([self._passes(kind) for kind in batch.classes])
        numbers = np.cumsum(passing) - 1
        kept = np.flatnonzero(passing[batch.kind]).tolist()
        excluded[_REASON] += len(batch.black) - len(kept)
        return Batch(
            [batch.black[place] for place in kept],
            [batch.white[place] for place in kept],
            batch.score[kept],
            numbers[batch.kind[kept]].astype(np.int32),
            [kind for kind in batch.classes if self._passes(kind)],
        )
