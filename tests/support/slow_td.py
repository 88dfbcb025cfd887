"""The slow, plain twin of values/td/kernels/td.py: temporal differences written out over whole games."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import Game, find_game
from gotools.game.learning import FeatureSet
from gotools.jit.kernels.network import first_weight, network_gradient, network_value
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.values.games.selfplay import GameBatch
from gotools.values.settings import NetworkRates

Numbers = NDArray[np.float64]


class Seen:
    """A position as a side sees it through its leaf: what is known of it, and the events so far."""

    def __init__(
        self,
        game: Game,
        features: FeatureSet,
        size: int,
        state: NDArray[np.int32],
        leaf: NDArray[np.int16],
        side: int,
        events: float,
    ) -> None:
        self.events = events
        self.known: float | None = None
        for move in leaf:
            if move < 0:
                break
            state = game.play(state, int(move))
            if game.outcome(state) != ONGOING:
                value = np.sign(game.outcome(state))
                self.known = value if state[TO_PLAY] == side else -value
        self.sign = 1 if state[TO_PLAY] == side else -1
        self.x = np.zeros(len(features.labels(size)))
        features.inputs(state, self.x)

    def value(self, numbers: Numbers) -> float:
        return self.known if self.known is not None else self.sign * network_value(self.x, numbers)

    def gradient(self, numbers: Numbers) -> Numbers:
        gradient = np.zeros(len(numbers) - first_weight(numbers))
        network_gradient(self.x, numbers, gradient)
        return 0.0 * gradient if self.known is not None else self.sign * gradient


Chain = tuple[list[Seen], list[int], float, float]


def chains(
    game: Game, features: FeatureSet, size: int, games: GameBatch, g: int, rates: NetworkRates, tally: Any
) -> list[Chain]:
    """Return (positions, cuts, last events, result) of each chain that learns from game g, by the order of its end.

    cuts -- the indices of positions before which nothing is learned; len(positions) for the end
    """
    state = game.position(size)
    found: dict[int, tuple[list[Seen], list[int]]] = {}
    events = dict.fromkeys((1, 2), 0.0)
    mover = 1
    for t in range(games.lengths[g]):
        mover, before = int(state[TO_PLAY]), dict(events)
        state = game.play(state, int(games.moves[g, t]))
        if tally is not None:
            seen = tally(state, np.zeros(1))
            events = {int(state[TO_PLAY]): seen, 3 - int(state[TO_PLAY]): -seen}
        side = mover if rates.step == 2 else 1
        if rates.step == 2 and games.learner[g] not in (0, mover):
            continue
        positions, cuts = found.setdefault(side, ([], []))
        if rates.cut and games.explored[g, t]:
            cuts.append(len(positions))
        if game.outcome(state) == ONGOING:
            positions.append(Seen(game, features, size, state, games.leaves[g, t], side, before[side]))
    order = [mover, 3 - mover] if rates.step == 2 else [1]
    signs = {1: games.outcomes[g], 2: -games.outcomes[g]}
    return [(*found[s], events[s], signs[s]) for s in order if s in found and found[s][0]]


def chi(delta: float, kappa: float, kind: str) -> float:
    if kind == "logcosh":
        return delta - kappa * 0.1 * math.log(math.cosh(delta / 0.1))
    return delta * (1 - kappa if delta > 0 else 1 + kappa)


def kappa_in(g: int, rates: NetworkRates) -> float:
    """Return the kappa of game g, the first being 0."""
    if not rates.kappa_games:
        return rates.kappa
    share = min(g, rates.kappa_games) / rates.kappa_games
    return (1 - share) * rates.kappa + share * rates.kappa_end


def differences(chain: Chain, numbers: Numbers, rates: NetworkRates, g: int) -> list[float | None]:
    """Return the weighed differences of a chain of game g with fixed weights, None where nothing is learned."""
    positions, cuts, events, result = chain
    kappa = kappa_in(g, rates)
    values = [p.value(numbers) for p in positions]
    deltas: list[float | None] = []
    for k, position in enumerate(positions):
        last = k + 1 == len(positions)
        reward = rates.reward * ((events if last else positions[k + 1].events) - position.events)
        if rates.reward_at == "end":
            reward = rates.reward * events if last else 0.0
        target = reward + (result if last else rates.gamma * values[k + 1])
        deltas.append(None if k + 1 in cuts else chi(target - values[k], kappa, rates.chi))
    return deltas


def offline(
    game_name: str,
    features: FeatureSet,
    size: int,
    games: GameBatch,
    numbers: Numbers,
    rates: NetworkRates,
    alphas: Numbers,
    tally: Any = None,
) -> Numbers:
    """Return what tiny rates learn: the sum over i of grad_i * sum over k >= i of (gamma lambda)^(k-i) delta_k."""
    game = find_game(game_name)
    moved = np.zeros(len(numbers) - first_weight(numbers))
    for g in range(len(games.lengths)):
        for chain in chains(game, features, size, games, g, rates, tally):
            deltas = differences(chain, numbers, rates, g)
            for i, position in enumerate(chain[0]):
                gradient = position.gradient(numbers)
                for k in range(i, len(deltas)):
                    delta = deltas[k]
                    if delta is None:
                        break
                    moved += gradient * (rates.gamma * rates.lam) ** (k - i) * delta
    return alphas * moved


def online(
    game_name: str,
    features: FeatureSet,
    size: int,
    games: GameBatch,
    numbers: Numbers,
    rates: NetworkRates,
    alphas: Numbers,
    tally: Any = None,
) -> Numbers:
    """Return the numbers of a network after learning in order, each difference by the weights of its time."""
    game = find_game(game_name)
    numbers = numbers.copy()
    weights = numbers[first_weight(numbers) :]
    net, total = np.zeros(len(weights)), np.zeros(len(weights))
    for g in range(len(games.lengths)):
        rate = alphas * (rates.t0 / (rates.t0 + g) if rates.schedule == "decay" else 1.0)
        lists = chains(game, features, size, games, g, rates, tally)
        traces = [np.zeros(len(weights)) for _ in lists]
        for which, k in order_of_learning(games, g, rates, lists):
            if k + 1 in lists[which][1]:
                traces[which][:] = 0.0
                continue
            trace = traces[which]
            trace *= rates.gamma * rates.lam
            trace += lists[which][0][k].gradient(numbers)
            delta = differences(lists[which], numbers, rates, g)[k]
            assert delta is not None
            wanted = delta * trace
            own = rate
            if rates.schedule == "coherence":
                own = rate * np.divide(abs(net), total, out=np.ones(len(net)), where=total > 0)
                net += wanted
                total += abs(wanted)
            weights += own * wanted
    return numbers


def order_of_learning(games: GameBatch, g: int, rates: NetworkRates, lists: list[Chain]) -> Iterator[tuple[int, int]]:
    """Yield (chain, position) in the order in which positions learn: by the ply that tells their target, ends last."""
    if len(lists) == 1:
        yield from ((0, k) for k in range(len(lists[0][0])))
        return
    begins = [0, 1] if games.lengths[g] % 2 == 1 else [1, 0]  # chain 0 is of the side that moved last
    plies = [(begins[c] + 2 * (k + 1), c, k) for c in (0, 1) for k in range(len(lists[c][0]) - 1)]
    yield from ((c, k) for _, c, k in sorted(plies))
    yield from ((c, len(lists[c][0]) - 1) for c in (0, 1))
