"""Monte-Carlo tree search behind the `Search` interface: limits, reports, an early end where nothing can change.

TreeSearch is what its two forms share: MonteCarlo, by playouts alone, and Puct, by a policy and a value.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.choice import Choice, Limits, Option, Report
from gotools.game.game import Game
from gotools.jit import as_value
from gotools.jit.kernels.basics import seed_random
from gotools.search.kernels import mcts as k
from gotools.search.kernels import puct as p
from gotools.search.knowledge import NO_ORDERING, Judgement, Ordering

ROOM = 4_000_000
"""Nodes of a tree; a node takes 48 bytes, but only those in use take memory."""
SLICE = 0.01
"""Seconds between looks at the clock."""
REPORT = 0.1
"""Seconds between reports."""
LOOKS = 1000
"""Playouts between looks whether the search is decided, where their number is limited: it must not depend on time."""
USUAL: Final = k.SelectionSettings(explore=2.5, equivalence=300.0, expand_at=2, sharpness=1.0)
"""Of MonteCarlo, chosen by matches (bench/strength.md)."""
USUAL_PUCT: Final = p.PuctSelectionSettings(explore=1.2, reduction=0.2, trust=1.0, sharpness=1.0, mix=0.3)
"""Of Puct: the trust is that of the judgement; nothing is mixed without an ordering."""


class TreeSearch(ABC):
    """Simulations on a tree until a limit; subclasses say how a root begins and what a simulation is.

    A search with a limit of playouts begins with an empty tree and the same random numbers: the same position gives the
    same answer, whatever was searched before. A search with a limit of time alone, or none, goes on with what the last
    one found below its position.

    keep -- True: go on with the last tree whatever the limits, False: never
    """

    def __init__(self, game: Game, ordering: Ordering, seed: int, room: int, keep: bool | None = None) -> None:
        self._game, self._ordering, self._seed, self._keep = game, ordering, seed, keep
        self._room = max(room, game.longest + 1)  # the root always has its children
        self._tree = k.new_tree(self._room)
        self._spare: k.Tree | None = None
        self._root: NDArray[np.int32] | None = None
        self._work = k.new_work(game.moves, game.longest)

    @abstractmethod
    def _score(self, state: NDArray[np.int32], moves: NDArray[np.int32], scores: NDArray[np.float64]) -> float:
        """Fill in the scores of the moves of the root; return their sharpness."""

    @abstractmethod
    def _simulate(self, state: NDArray[np.int32], count: int) -> int:
        """Play some simulations; return how many, fewer where the search was stopped."""

    def stop(self) -> None:
        self._work.stop[0] = 1

    def forget(self) -> None:
        """Forget the last tree."""
        self._root = None

    def choose(
        self, state: NDArray[np.int32], moves: Sequence[int], limits: Limits, report: Report | None = None
    ) -> Choice:
        """Play simulations until a limit is reached, or until no other move can catch up; see `Search`."""
        self._work.stop[0] = 0
        keep = limits.nodes is None if self._keep is None else self._keep
        if not (keep and self._go_on(state, moves)):
            self._begin(state, moves)
        self._root = state.copy()
        began = reported = time.monotonic()
        done, pace = 0, 100
        while True:
            left = _left(limits, done, time.monotonic() - began)
            looks = report is None and (done > 0 if limits.nodes is None else done % LOOKS == 0)
            if left <= 0 or (looks and self._decided(left)):
                break
            batch = int(min(pace, left, LOOKS - done % LOOKS))
            before = time.monotonic()
            played = self._simulate(state, batch)
            done += played
            now = time.monotonic()
            if played < batch:
                break
            # a batch takes about SLICE seconds; it grows slowly, so that a slow first one overruns no clock
            pace = max(1, min(int(batch * SLICE / max(now - before, 1e-6)), 4 * pace))
            if report is not None and now - reported >= REPORT:
                reported = now
                report(self._choice(done, now - began))
        self._ordering.check()
        return self._choice(done, time.monotonic() - began)

    def _begin(self, state: NDArray[np.int32], moves: Sequence[int]) -> None:
        """Make the root and its children."""
        seed_random(self._work.random, (self._seed ^ int(self._game.key(state))) & (1 << 63) - 1)
        tree = self._tree
        tree.used[0], tree.first[0], tree.children[0], tree.visits[0], tree.wins[0] = 1, 0, 0, 0, 0.0
        root, scores = np.array(moves, np.int32), np.zeros(len(moves))
        k.add_children(tree, 0, root, len(root), scores, self._score(state, root, scores))

    def _go_on(self, state: NDArray[np.int32], moves: Sequence[int]) -> bool:
        """Make a node of the last tree the root, if one is the position and has these children."""
        node = None if self._root is None else self._node_of(self._root, state)
        if node is None:
            return False
        tree: k.Tree = self._tree
        first, count = int(tree.first[node]), int(tree.children[node])
        if count <= 0 or sorted(tree.move[first : first + count].tolist()) != sorted(moves):
            return False
        if node:
            self._spare = self._spare or k.new_tree(self._room)
            k.copy_below(tree, node, self._spare)
            self._tree, self._spare = self._spare, tree
        return True

    def _node_of(self, root: NDArray[np.int32], wanted: NDArray[np.int32]) -> int | None:
        """Return the node of a position, at most two moves below the root."""
        tree: k.Tree = self._tree
        level = [(0, root)]
        for depth in range(3):
            for node, state in level:
                if self._same(state, wanted):
                    return node
            if depth < 2:
                level = [
                    (child, self._game.play(state, int(tree.move[child])))
                    for node, state in level
                    for child in range(int(tree.first[node]), int(tree.first[node] + tree.children[node]))
                    if tree.visits[child] > 0
                ]
        return None

    def _same(self, state: NDArray[np.int32], other: NDArray[np.int32]) -> bool:
        """Return whether two positions are one, with the same komi."""
        komi = self._game.komi
        return (komi < 0 or state[komi] == other[komi]) and bool(self._game.key(state) == self._game.key(other))

    def _decided(self, left: float) -> bool:
        """Return whether no other move can overtake the first in `left` simulations."""
        visits = np.sort(self._visits(0))
        return len(visits) > 1 and bool(visits[-1] - visits[-2] > left)

    def _visits(self, node: int) -> NDArray[np.int32]:
        tree: k.Tree = self._tree
        return tree.visits[tree.first[node] : tree.first[node] + tree.children[node]]

    def _choice(self, done: int, seconds: float) -> Choice:
        tree = self._tree
        order = int(tree.first[0]) + np.argsort(-self._visits(0), kind="stable")
        options = []
        for node in order.tolist():
            visits = int(tree.visits[node])
            value = float(tree.wins[node]) / visits if visits else 0.0
            line = self._line(node) if visits else (int(tree.move[node]),)
            options.append(Option(int(tree.move[node]), value, visits, float(tree.prior[node]), line))
        best = options[0]
        if not best.visits:
            best = max(options, key=lambda option: option.prior)
        why = f"{done:,} playout{'s' * (done != 1)} in {seconds:.2f} s, {best.visits:,} for this move"
        return Choice(
            move=best.move,
            value=best.value,
            line=best.line,
            nodes=done,
            depth=len(best.line),
            reason=why,
            options=tuple(options),
        )

    def _line(self, node: int) -> tuple[int, ...]:
        """Follow the most visited moves."""
        line = [int(self._tree.move[node])]
        while self._tree.children[node] and int(self._visits(node).max()) > 0:
            node = int(self._tree.first[node]) + int(np.argmax(self._visits(node)))
            line.append(int(self._tree.move[node]))
        return tuple(line)


class MonteCarlo(TreeSearch):
    """UCT with RAVE; the ordering's scores are the priors, the game's playouts the values."""

    def __init__(
        self, game: Game, ordering: Ordering, seed: int = 0, settings: k.SelectionSettings = USUAL,
        room: int = ROOM, keep: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__(game, ordering, seed, room, keep)
        self._settings = settings

    def _score(self, state: NDArray[np.int32], moves: NDArray[np.int32], scores: NDArray[np.float64]) -> float:
        self._ordering.order(state, moves, len(moves), scores, self._ordering.numbers)
        return self._settings.sharpness

    def _simulate(self, state: NDArray[np.int32], count: int) -> int:
        rules, playout = self._game.rules, as_value(self._game.playout)
        return int(
            k.simulate(self._tree, self._work, state, count, self._settings, rules, playout, self._ordering.scorer)
        )


class Puct(TreeSearch):
    """PUCT: the judgement's policy gives the priors; its value, mixed with a playout's, the values.

    threads  -- that grow the tree; with more than one the answer depends on chance
    ordering -- its scores are added to the policy's, times `settings.mix`
    """

    def __init__(
        self, game: Game, judgement: Judgement, seed: int = 0, settings: p.PuctSelectionSettings = USUAL_PUCT,
        room: int = ROOM, threads: int = 1, keep: bool | None = None, ordering: Ordering = NO_ORDERING,
    ) -> None:  # fmt: skip
        super().__init__(game, ordering, seed, room, keep)
        self._judgement = judgement
        others = [k.new_work(game.moves, game.longest) for _ in range(threads - 1)]
        self._works = [self._work, *(work._replace(stop=self._work.stop) for work in others)]
        for number, work in enumerate(others, 1):  # the first is seeded for each position
            seed_random(work.random, (seed + number) & (1 << 63) - 1)
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        mix = 0.0 if ordering is NO_ORDERING else settings.mix
        self._settings = settings._replace(trust=float(judgement.trust), mix=mix)

    def _score(self, state: NDArray[np.int32], moves: NDArray[np.int32], scores: NDArray[np.float64]) -> float:
        judgement = self._judgement
        if judgement.root is None:
            value = judgement.judge(state, moves, len(moves), scores, judgement.numbers)
        else:
            scores[:], value = judgement.root(state, moves)
        if self._settings.mix:
            others = np.zeros(len(moves))
            self._ordering.order(state, moves, len(moves), others, self._ordering.numbers)
            scores += self._settings.mix * others
        self._tree.visits[0], self._tree.wins[0] = 1, -value
        return self._settings.sharpness

    def _simulate(self, state: NDArray[np.int32], count: int) -> int:
        rules, playout, judge = self._game.rules, as_value(self._game.playout), self._judgement.record
        scorer = self._ordering.scorer

        def simulate(number: int) -> int:
            part = count // len(self._works) + (number < count % len(self._works))
            work = self._works[number]
            return int(p.simulate(self._tree, work, state, part, self._settings, rules, playout, judge, scorer))

        if self._pool is None:
            return simulate(0)
        others = [self._pool.submit(simulate, number) for number in range(1, len(self._works))]
        return simulate(0) + sum(other.result() for other in others)


def _left(limits: Limits, done: int, seconds: float) -> float:
    """Estimate how many simulations the limits still allow; inf without limits."""
    left = float("inf")
    if limits.nodes is not None:
        left = limits.nodes - done
    if limits.seconds is not None:
        pace = done / seconds if done else 0.0
        time_left = limits.seconds - seconds
        left = min(left, max(1.0, pace * time_left) if time_left > 0 else 0.0)
    return left
