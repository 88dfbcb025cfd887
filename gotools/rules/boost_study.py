"""A study of rules for ranking: games in, weighted rules out that together predict the move played."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.files.opening import open_output, read_bytes
from gotools.files.writing import whole_writes
from gotools.jit.compiling import working_time
from gotools.rules.boosting.boost import Boosting, BoostingState, BoostSettings, SearchState, spread
from gotools.rules.boosting.candidates import conditions_of
from gotools.rules.boosting.drawing import Packed
from gotools.rules.boosting.memory import DEFAULT_MEMORY, MemoryPlan
from gotools.rules.clauses.rules import Rule, RuleSet
from gotools.rules.study import Study, header_of
from gotools.rules.task.sampling import held_apart
from gotools.rules.weigh.accuracy import choices_of
from gotools.rules.weigh.weights import DIGITS, MOST_STEPS, Block, Weights, fit, regress, worth
from gotools.work.workers import Workers, threads

LEAST_WORTH = 0.5
"""Log-likelihood over all training moves below which a rule is dropped."""

MOST_MOVES = 24.0
"""Moves of a position, beside the one played, that the last fit draws at most where it cannot take all."""

AT_ONCE = 20_000
"""Positions whose legal moves are found together."""

KIND, VERSION = "search", 1
_LONGEST = 255
"""Bytes of the name of a file."""


def run_boost_study(
    train: Packed,
    settings: BoostSettings,
    on_round: Callable[[BoostingState], None],
    seed: int = 0,
    jobs: int = 1,
    memory: int = DEFAULT_MEMORY,
    watch: Watch = UNWATCHED,
    saved: SavedSearch | None = None,
    workers: Workers | None = None,
) -> Study:
    """Induce rules that rank the legal moves of the positions of `train`, and weigh them together.

    train -- learned from, each move against the other legal ones
    on_round -- called after every batch of seeds
    jobs -- threads; they never change a result
    memory -- bytes that the process may take at its peak, from some 500 MiB: it sets the size of the samples
    watch -- receives the phases; that of the rounds has a step for each rule
    saved -- where the state of the search is kept, and may be taken from; the caller removes it
    workers -- of a cluster, to draw moves; they never change a result either

    A tenth of the games is held out from the search; it chooses the number of rules and the ridge of the
    weights. The final weights are fitted on all games, and rules that turn out nearly worthless are dropped.
    Rules come in the order of their worth. A KeyboardInterrupt ends the search; the rules found are weighed and kept.

    Raises GotoolsError without any legal move to learn from, where the memory is too small for one sample, and where
    the state is that of another search.
    """
    began = working_time()
    train, right, moves = _legal(train)
    learned, held = _held_apart(train, seed)
    study = Study(seed, positives=right, negatives=moves - right, by_worth=True)
    plan = MemoryPlan(memory)
    decisions = 2 * train.nbytes  # those learned from and those held out are copies
    settings = settings.of_positions(len(train), held is not None)
    about = _rank_header(train, right, settings, seed)
    del train
    conditions = conditions_of(settings.predicates, game=settings.game)
    settings, jobs = plan.settings(settings, decisions, len(conditions), jobs)
    with threads(jobs) as pool:
        boosting = Boosting(learned, held, settings, seed, pool, watch, workers)
        rounds = _rounds(boosting, saved)
        try:
            while True:
                with whole_writes():  # Ctrl-C between two rounds: in compiled code it might come out as another error
                    if (found := next(rounds, None)) is None:
                        break
                    study.searched, study.seeds = found.tried, found.seeds
                    on_round(found)
        except KeyboardInterrupt:
            study.whole = False
        try:
            with whole_writes():  # Ctrl-C that comes late does not lose the rules
                final = _Weighing(boosting, learned, held, settings, seed, pool, plan.entries(decisions), watch)
                rules, header = final.rules()
        except KeyboardInterrupt:
            study.whole = False
    study.rules = RuleSet(rules, {**about, **header})
    study.seconds = working_time() - began
    return study


def _legal(train: Packed) -> tuple[Packed, int, int]:
    """Return the decisions whose move is legal, how many moves are right there, and how many are legal.

    Raises GotoolsError without any.
    """
    kept, right, moves = [], 0, 0
    for begin in range(0, len(train), AT_ONCE):
        end = min(begin + AT_ONCE, len(train))
        choices = choices_of(train.take(np.arange(begin, end)))
        moves += len(choices.points)
        right += len(choices.played) + len(choices.also)
        kept.append(np.searchsorted(train.first[begin:end], choices.decision + train.first[begin]) + begin)
    rows = np.concatenate([np.zeros(0, np.int64), *kept])
    if not len(rows):
        raise GotoolsError("no examples: no legal move of label 1")
    return (train if len(rows) == len(train) else train.only(rows)), right, moves


def _held_apart(train: Packed, seed: int) -> tuple[Packed, Packed | None]:
    held = held_apart(train.rows, seed)
    if held is None:
        return train, None
    held = held[train.first[:-1]]
    return train.only(np.flatnonzero(~held)), train.only(np.flatnonzero(held))


def _rank_header(train: Packed, right: int, settings: BoostSettings, seed: int) -> dict[str, str]:
    search = (
        f"objective=rank rules={settings.rules} conditions={settings.longest} beam={settings.beam} "
        f"least={settings.least} l2={settings.l2:g} seed={seed}"
    )
    return header_of(train.rows, right, "every other legal move", settings.predicates, search)


def _rounds(boosting: Boosting, saved: SavedSearch | None) -> Iterator[BoostingState]:
    """Return the rounds of a search, which goes on from a saved state and keeps its own, where asked."""
    if saved is None:
        return boosting.rounds()
    key = boosting.key()
    if (state := saved.load(key)) is not None:
        with saved.errors():
            boosting.restore(state)
    return boosting.rounds(lambda state: saved.save(key, state))


@dataclass(frozen=True, slots=True)
class _Weighing:
    """The last fit of the weights, on samples of the moves of all positions, as far as the memory goes."""

    boosting: Boosting
    learned: Packed
    held: Packed | None
    settings: BoostSettings
    seed: int
    pool: Executor
    most_entries: int
    watch: Watch

    def rules(self) -> tuple[tuple[Rule, ...], dict[str, str]]:
        """Return the rules, best first, and what the header says of the weights."""
        total = len(self.learned) + (0 if self.held is None else len(self.held))
        moves, share = self._moves_that_fit(total)
        counts = np.zeros((2, len(self.boosting.sets)), np.int64)
        self.watch.phase("drawing moves", round(share * total))
        learned = self._drawn(self.learned, moves, share, counts)
        held = [] if self.held is None else self._drawn(self.held, moves, share, counts)
        self.watch.phase("fitting weights")
        weight, l2, origin = regress(learned, held, self.boosting.weight, self.settings.l2, self.pool)
        data = [*learned, *held]
        del learned, held
        if share < 1:
            origin = f"{origin}; on {sum(map(len, data)):,} positions, which fill the memory allowed"
        value = worth(data, weight, self.pool)
        kept = np.flatnonzero(value >= LEAST_WORTH)
        kept = kept[np.argsort(-value[kept], kind="stable")]
        for k in range(len(data)):
            data[k] = data[k].only(kept)
        weight = fit(data, weight[kept], l2, MOST_STEPS, self.pool)
        return self._named(kept, counts[:, kept], weight), {"weights": f"logistic regression, l2={l2:g} ({origin})"}

    def _moves_that_fit(self, positions: int) -> tuple[float, float]:
        """Return how many moves of a position to draw, and the share of the positions, so that the table is filled."""
        tried = _every(self.learned, min(1.0, 400 / len(self.learned)))
        sampler = self.boosting.sampler(self.settings.moves)
        entries = rows = 0
        for one in sampler.draw(self.learned, tried, [self.seed, 4], self.pool):
            entries += len(one.block.row)
            rows += len(one.points)
        a_row = max(entries / max(rows, 1), 1.0) + 2.0  # 4 bytes of offsets
        moves = self.most_entries / (a_row * positions) - 1
        if moves >= self.learned.cells:
            return float("inf"), 1.0
        least = self.settings.moves
        return min(max(moves, least), MOST_MOVES), min(1.0, (moves + 1) / (least + 1))

    def _drawn(self, data: Packed, moves: float, share: float, counts: NDArray[np.int64]) -> list[Block]:
        blocks = []
        for one in self.boosting.draw(moves, data, _every(data, share), [self.seed, 5]):
            counts += one.plays, one.fires
            self.watch.advance(len(one.block))
            blocks.append(one.block)
        return blocks

    def _named(self, kept: NDArray[np.int64], counts: NDArray[np.int64], weight: Weights) -> tuple[Rule, ...]:
        rules = []
        for number, k in enumerate(kept.tolist()):
            plays, fires = (int(count) for count in counts[:, number])
            value, game = round(float(weight[number]), DIGITS), self.settings.game
            rules.append(Rule(f"r{number + 1}", self.boosting.body(k), plays, fires - plays, value, game))
        return tuple(rules)


def _every(data: Packed, share: float) -> NDArray[np.int64]:
    """Return a share of the rows, evenly spread."""
    return spread(len(data), round(share * len(data)))


# the state of a search, kept in a file beside the rules: one that was cut off can go on -------------------------------


def state_path(rules: str | Path) -> Path:
    """Return the file with the state of the search whose rules go to a file; a name too long for it is a digest."""
    path = Path(f"{rules}.search")
    name = os.fsencode(path.name)
    return path if len(name) <= _LONGEST else path.with_name(f"{hashlib.sha256(name).hexdigest()}.search")


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """Where the state of a search is kept.

    go_on -- begin with the state that the file holds, if there is the file
    """

    path: Path
    go_on: bool = False

    def load(self, key: str) -> SearchState | None:
        """Return the state, None without one. Raises FileFormatError for the state of another search."""
        if not self.go_on or not self.path.exists():
            return None
        with self.errors():
            found: dict[str, Any] = json.loads(read_bytes(self.path))
            kind, version = found["gotools"]
            state: SearchState = found["state"]
        if kind != KIND or version != VERSION:
            raise FileFormatError(self.path, None, "is not the state of a search that this program can go on with")
        if found.get("key") != key:
            raise FileFormatError(self.path, None, "is the state of a search on other games or with other options")
        return state

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn the errors of a file that is damaged into one for people."""
        try:
            yield
        except (ValueError, KeyError, TypeError) as error:
            raise FileFormatError(self.path, None, "is not the state of a search") from error

    def save(self, key: str, state: SearchState) -> None:
        """Write the state; the file holds the old one or the new one at any moment."""
        with open_output(self.path) as out:
            out.write(json.dumps({"gotools": [KIND, VERSION], "key": key, "state": state}).encode())

    def remove(self) -> None:
        """Remove the file: the search is over."""
        self.path.unlink(missing_ok=True)
