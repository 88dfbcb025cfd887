"""Induce rules under each condition of a table, many draws each, and measure them: a row for each condition.

    python draws.py conditions.tsv --train TRAIN --test TEST [--other TEST2] --pool NAME=examples.tsv ... -o table.tsv

A condition is a name and its settings, KEY=VALUE with spaces between; those of `Condition` have the defaults of the
thesis' experiment B. A pool is a table of examples whose counter-examples are those of a random player. The columns of
the result are explained in its first lines.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gotools import read_examples
from gotools.game.examples.negatives import suicide_points
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.vocabulary import VOCABULARIES
from gotools.rules.clauses.rules import RuleSet
from gotools.rules.cover.induce import CoverSettings, SeedResult
from gotools.rules.study import run_study, scorer_of
from gotools.rules.weigh.accuracy import BASELINES, Choices, choices_of

TOP = 20
LITTLE = 1e-6
"""A share of a score that only decides between equal ones."""
SMALL = 450
"""Moves of the thesis' test."""
T_95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26, 12: 2.20, 20: 2.09, 40: 2.02}
"""Student's t of a 95 % interval, by the number of draws."""
COLUMNS = (
    *("condition", "vocabulary", "draws", "rules", "top20", "low", "high", "least", "most"),
    *("small_least", "small_most", "ties_for", "ties_against", "top1", "silent", "centre_first"),
    *("above_a", "above_low", "above_high", "above_least", "above_most", "seconds"),
)
LEGEND = f"""\
top20      share of test moves among the best {TOP}, mean of the draws; low, high: 95 % interval of this mean
least,most of the draws; small_least, small_most: the same, each draw tested on {SMALL} moves of whole games only
ties_for   top20 if among equal scores the move played came first; ties_against: last
silent     share of test positions where no rule fires
centre_first  top20 on the same tests without any rule, the nearest to the centre first
above_a    top20 less that of the same draw with `basic`, mean; above_low, above_high: its 95 % interval
above_least, above_most: of the draws, each tested on {SMALL} moves only
seconds    of an induction, mean"""


@dataclass(frozen=True, slots=True)
class Condition:
    """What one row of the table varies; the defaults are those of the thesis' experiment B.

    moves -- of whole games in their order; drawn=1: of all games at random; whole=1: so are the counter-examples
    new -- 1: P and N of a rule are those of the moves that no earlier rule covers, as Aleph prints them
    player -- 1: all games, of the test too, are of one player; test -- valid, other, or train: the moves learned from
    nearest -- 1: the line from the nearest edge in the place of edge_ver and edge_hor
    centre -- 1: of moves with equal scores the nearest to the centre is the better
    """

    vocabulary: str = "advanced"
    moves: int = 150
    drawn: int = 0
    whole: int = 0
    pool: str = "10"
    negatives: int = 70
    suicides: int = 0
    noise: int = 10
    nodes: int = 5000
    score: str = "coverage"
    after_opening: str = "chain"
    without: str = ""
    new: int = 0
    player: int = 0
    nearest: int = 0
    centre: int = 0
    test: str = "valid"

    @property
    def predicates(self) -> tuple[str, ...]:
        """Return the predicates of rules."""
        names = VOCABULARIES[self.vocabulary] + (("line",) if self.nearest else ())
        edges = ("edge_ver", "edge_hor") if self.nearest else ()
        return tuple(name for name in names if name not in (*edges, *self.without.split(",")))


def read_conditions(path: Path) -> dict[str, Condition]:
    """Return the conditions of a file by name."""
    kinds = {field.name: type(field.default) for field in fields(Condition)}
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, words = line.partition("\t")
            pairs = (word.split("=", 1) for word in words.split())
            found[name] = Condition(**{key: kinds[key](value) for key, value in pairs})
    return found


@dataclass(slots=True)
class Games:
    """Games by number: their rows, and who played them."""

    rows: GoExamples
    players: list[frozenset[str]]

    @classmethod
    def read(cls, folder: Path) -> Games:
        """Read the games of a folder, in the order of their names."""
        rows, players = read_examples(str(folder)), {}
        for path in folder.rglob("*.sgf"):
            text = path.read_text(encoding="utf-8", errors="replace")
            players[path.stem] = frozenset(re.findall(r"P[BW]\[([^]]+)\]", text))
        return cls(rows, [players.get(name.rsplit("/")[-1], frozenset()) for name in rows.names])

    def moves(self, games: NDArray[np.int64], most: int) -> GoExamples:
        """Return the first moves of some games, game by game, at most so many."""
        number = self.rows.game_numbers()
        order = np.concatenate([np.flatnonzero(number == game) for game in games])
        return self.rows.take(order[:most])


@dataclass(slots=True)
class Data:
    """All that the draws draw from."""

    train: Games
    tests: dict[str, GoExamples]
    pools: dict[str, GoExamples]


def one_draw(condition: Condition, data: Data, seed: int) -> dict[str, float]:
    """Return the measures of one draw."""
    rng = np.random.default_rng(seed)
    played, test = drawn_games(condition, data, rng)
    pool = data.pools[condition.pool]
    chosen = np.sort(rng.permutation(len(pool))[: condition.negatives])
    if condition.whole:
        begins = np.flatnonzero(np.diff(pool.game_numbers(), prepend=-1))
        begins = begins[begins + condition.negatives <= len(pool)]
        chosen = np.arange(condition.negatives) + begins[rng.integers(len(begins))]
    parts = [played, pool.take(chosen)]
    if condition.suicides:
        parts.append(suicide_points(played, condition.suicides, rng))
    train = GoExamples.concat(parts)
    settings = CoverSettings(
        predicates=condition.predicates,
        noise=condition.noise,
        nodes=condition.nodes,
        score=condition.score,
        after_opening=condition.after_opening,
    )
    found: list[SeedResult] = []
    study = run_study(train, settings, found.append)
    rules = study.rules
    if condition.new:
        worth = [one.positives - one.negatives for one in found if one.body]
        rules = RuleSet(
            tuple(replace(r, weight=float(w)) for r, w in zip(rules.rules, worth, strict=True)), rules.header
        )
    return {"rules": len(rules.rules), "seconds": study.seconds, **measures(rules, test, rng, bool(condition.centre))}


def drawn_games(condition: Condition, data: Data, rng: np.random.Generator) -> tuple[GoExamples, GoExamples]:
    """Return the moves to learn from, and those to test on."""
    train = data.train
    order = rng.permutation(len(train.players))
    if condition.player:
        names = [name for some in train.players for name in some]
        often = sorted({name for name in names if names.count(name) >= 8})
        name = often[rng.integers(len(often))]
        order = np.array([game for game in order if name in train.players[game]])
        return train.moves(order[:3], condition.moves), train.moves(order[3:], len(train.rows))
    if condition.drawn:
        played = train.rows.take(rng.permutation(len(train.rows))[: condition.moves])
    else:
        played = train.moves(order, condition.moves)
    return played, played if condition.test == "train" else data.tests[condition.test]


def measures(rules: RuleSet, test: GoExamples, rng: np.random.Generator, centre: bool) -> dict[str, float]:
    """Return how many test moves are among the best, and what ties do to it."""
    choices = choices_of(test)
    scores, fired = scorer_of(rules)(choices)
    if centre:
        scores = scores + LITTLE * BASELINES["centre_first"](choices)
    better, equal = places(scores, choices)
    expected = np.clip((TOP - better) / equal, 0, 1)
    game = test.take(choices.decision).game_numbers()
    kept = np.zeros(len(game), np.bool_)
    for number in rng.permutation(np.unique(game)):
        if kept.sum() < SMALL:
            kept |= game == number
    centre_better, centre_equal = places(BASELINES["centre_first"](choices), choices)
    return {
        "top20": float(expected.mean()),
        "small": float(expected[kept].mean()),
        "ties_for": float((better < TOP).mean()),
        "ties_against": float((better + equal <= TOP).mean()),
        "top1": float(np.clip((1 - better) / equal, 0, 1).mean()),
        "silent": float((~np.logical_or.reduceat(fired, choices.first[:-1])).mean()),
        "centre_first": float(np.clip((TOP - centre_better) / centre_equal, 0, 1).mean()),
    }


def places(scores: NDArray[np.float64], choices: Choices) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how many moves of each position score more than the one played, and how many as much, it included."""
    own = np.repeat(scores[choices.played], np.diff(choices.first))
    better = np.add.reduceat((scores > own).astype(np.int64), choices.first[:-1])
    return better, np.add.reduceat((scores == own).astype(np.int64), choices.first[:-1])


def row_of(name: str, condition: Condition, draws: list[dict[str, float]], basic: list[dict[str, float]]) -> str:
    """Return a row of the table."""
    each = {key: np.array([draw[key] for draw in draws]) for key in draws[0]}
    top, small = each["top20"], each["small"]
    above = [np.nan] * 5
    if basic:
        paired = top - np.array([draw["top20"] for draw in basic])
        on_small = small - np.array([draw["small"] for draw in basic])
        above = [*with_interval(paired), on_small.min(), on_small.max()]
    rest = [each[key].mean() for key in ("ties_for", "ties_against", "top1", "silent", "centre_first")]
    shares = (*with_interval(top), top.min(), top.max(), small.min(), small.max(), *rest, *above)
    percent = ["-" if np.isnan(share) else f"{100 * share:.1f}" for share in shares]
    cells = (name, condition.vocabulary, str(len(draws)), f"{each['rules'].mean():.0f}", *percent)
    return "\t".join((*cells, f"{each['seconds'].mean():.2f}"))


def with_interval(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the mean, and its 95 % interval by Student's t."""
    if len(values) < 2:
        return float(values.mean()), np.nan, np.nan
    half = T_95.get(len(values), 1.96) * values.std(ddof=1) / len(values) ** 0.5
    return float(values.mean()), float(values.mean() - half), float(values.mean() + half)


def main() -> None:
    parser = argparse.ArgumentParser(description="Induce rules under conditions, many draws each.")
    parser.add_argument("conditions", type=Path)
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--test", required=True)
    parser.add_argument("--other")
    parser.add_argument("--pool", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the first draw")
    parser.add_argument("--basic", action="store_true", help="a row for the basic vocabulary before each condition's")
    parser.add_argument("-o", "--output", type=Path, required=True)
    words = parser.parse_args()
    tests = {"valid": read_examples(words.test), **({"other": read_examples(words.other)} if words.other else {})}
    pools = {}
    for pair in words.pool:
        name, _, path = pair.partition("=")
        rows = read_examples(path)
        pools[name] = rows.take(rows.label == 0)
    data = Data(Games.read(words.train), {**tests, "train": tests["valid"]}, pools)
    lines = [f"# {line}" for line in LEGEND.splitlines()] + ["# " + "\t".join(COLUMNS)]
    seeds = range(words.seed, words.seed + words.draws)
    for name, condition in read_conditions(words.conditions).items():
        basic: list[dict[str, float]] = []
        if words.basic:
            alike = replace(condition, vocabulary="basic")
            basic = [one_draw(alike, data, seed) for seed in seeds]
            lines.append(row_of(name, alike, basic, []))
        lines.append(row_of(name, condition, [one_draw(condition, data, seed) for seed in seeds], basic))
        print(lines[-1], file=sys.stderr, flush=True)
        words.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
