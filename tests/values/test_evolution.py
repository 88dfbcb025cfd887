"""Evolution and hill climbing against closed forms, slow twins, and games whose truth is known."""

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gotools.base.errors import GotoolsError
from gotools.game.game import find_game
from gotools.values.games.match import Searcher, play_pairs, play_series, ways_to_lose
from gotools.values.methods import ClimbingSettings, EvolutionSettings
from gotools.values.population.coevolution import Climbing
from gotools.values.population.evolution import (
    Evolution,
    HallOfFame,
    best_of,
    draw_opponents,
    fitness_of,
    mutate,
    points_of,
    tally_of,
)
from gotools.values.td.perceptrons import parse_architecture, weights_of

TICTACTOE, CONNECT4 = find_game("tictactoe"), find_game("connect4")
RAW, LINES = TICTACTOE.find_features("raw"), TICTACTOE.find_features("lines")
SMALL = parse_architecture("mlp:4+bias")
SEED: dict[str, Any] = {
    "children_of": "one",
    "credit": "own",
    "memory": 0.0,
    "first_step": 0.05,
    "largest_step": 0.0,
    "opening": 0,
}
"""The settings of the sources."""
FULL: dict[str, Any] = {"dilution": 0.2, "hall_of_fame": 3}
"""All that there is beyond them."""


def tictactoe(seed=0, **chosen):
    return Evolution(TICTACTOE, RAW, SMALL, EvolutionSettings(parents=4, matches=5, **chosen), seed)


# evolution ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [0.2, 1.0])
def test_step_sizes_and_weights_change_as_the_rule_says(a):
    """ln(s'/s) is N(0, a^2); (w' - w) / s' is N(0, 1), with the changed step; the draws are independent."""
    rng = np.random.default_rng(5)
    steps = rng.uniform(0.01, 2.0, (15, 4000))
    weights = rng.normal(size=steps.shape)
    children, changed = mutate(weights, steps, a, 0.0, np.random.default_rng(6))
    turned, moved = np.log(changed / steps) / a, (children - weights) / changed
    n = steps.size
    for draws in (turned, moved):
        assert abs(draws.mean()) < 4 / n**0.5
        assert abs(draws.var() - 1) < 4 * (2 / n) ** 0.5
        assert stats.kstest(draws.ravel(), "norm").pvalue > 0.001
    assert abs(np.corrcoef(turned.ravel(), moved.ravel())[0, 1]) < 4 / n**0.5
    before = ((children - weights) / steps).var()  # with the old step: E exp(2 a N) = exp(2 a^2)
    assert before == pytest.approx(np.exp(2 * a * a), rel=0.1 if a < 1 else 0.5)
    limited = mutate(weights, steps, a, 0.5, np.random.default_rng(6))[1]
    assert np.array_equal(limited, np.minimum(changed, 0.5))


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 4)), min_size=1, max_size=30), st.data())
def test_the_best_are_kept_and_ties_go_to_the_older(individuals, data):
    count = data.draw(st.integers(1, len(individuals)))
    points, born = np.array([i[0] for i in individuals], float), np.array([i[1] for i in individuals])
    slow = sorted(range(len(individuals)), key=lambda i: (-individuals[i][0], individuals[i][1], i))
    assert best_of(points, born, count).tolist() == slow[:count]


@given(st.integers(2, 12), st.integers(1, 40), st.integers(0, 1000))
def test_opponents_are_others_and_nobody_comes_twice_before_all_came_once(count, games, seed):
    pairs = draw_opponents(count, games, np.random.default_rng(seed))
    assert pairs[:, 0].tolist() == [i for i in range(count) for _ in range(games)]
    for i in range(count):
        others = pairs[pairs[:, 0] == i, 1].tolist()
        for begin in range(0, games, count - 1):
            part = others[begin : begin + count - 1]
            assert len(set(part)) == len(part) and i not in part and set(part) <= set(range(count))


def test_opponents_are_all_alike():
    pairs = np.concatenate([draw_opponents(6, 2, np.random.default_rng(seed)) for seed in range(3000)])
    counts = np.bincount(pairs[:, 0] * 6 + pairs[:, 1], minlength=36).reshape(6, 6)
    assert counts.diagonal().sum() == 0
    expected = 3000 * 2 / 5
    assert np.abs(counts[~np.eye(6, dtype=bool)] - expected).max() < 4.5 * expected**0.5


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([-1.0, 0.0, 1.0])), min_size=1), st.data())
def test_points_are_counted_as_by_hand(games, data):
    win, draw, loss = (data.draw(st.integers(-9, 9)) for _ in range(3))
    slow = [0.0] * 5
    for own, result in games:
        slow[own] += {1.0: win, 0.0: draw, -1.0: loss}[result]
    owners, results = np.array([own for own, _ in games]), np.array([result for _, result in games])
    chosen = EvolutionSettings(win=win, draw=draw, loss=loss)
    assert points_of(owners, results, 5, chosen).tolist() == slow


def bits(evolution):
    return {name: array.tobytes() for name, array in evolution.memory.items()} | {
        "numbers": evolution.numbers.tobytes()
    }


@pytest.mark.parametrize("chosen", [SEED, FULL])
def test_the_number_of_threads_changes_nothing(chosen):
    alone, together = tictactoe(3, **chosen), tictactoe(3, **chosen)
    for _ in range(4):
        assert alone.generation(1) == together.generation(5)
    assert bits(alone) == bits(together)
    assert bits(alone) != bits(tictactoe(4, **chosen))


def through_a_file(memory):
    file = io.BytesIO()
    np.savez(file, **memory)
    file.seek(0)
    with np.load(file) as stored:
        return dict(stored)


@pytest.mark.parametrize("chosen", [SEED, FULL])
def test_a_run_that_goes_on_from_its_memory_equals_one_never_broken_off(chosen):
    whole = tictactoe(8, **chosen)
    seen = [(bits(whole), whole.games, through_a_file(whole.memory))]
    for _ in range(6):
        whole.generation()
        seen.append((bits(whole), whole.games, through_a_file(whole.memory)))
    for at in range(6):
        resumed = tictactoe(8, **chosen)
        resumed.memory = seen[at][2]
        assert (bits(resumed), resumed.games) == seen[at][:2]
        resumed.generation(2)
        assert (bits(resumed), resumed.games) == seen[at + 1][:2]


def test_asking_for_the_champion_changes_nothing():
    looked_at, left_alone = (tictactoe(2, **{**SEED, "opening": 1}) for _ in range(2))
    for _ in range(3):
        looked_at.numbers.copy()
        looked_at.generation()
        left_alone.generation()
    assert bits(looked_at) == bits(left_alone)
    champion = weights_of(looked_at.numbers)
    assert any(np.array_equal(champion, weights) for weights in looked_at.memory["weights"])


def mean_of_rows(rows):
    total = np.zeros(len(rows[0]))
    for row in rows:
        total = total + row
    return total / len(rows)


def test_the_champion_of_children_of_the_mean_is_the_average_mean_of_ten_generations():
    evolution = tictactoe(4)
    means = []
    for generation in range(1, 16):
        evolution.generation()
        means.append(mean_of_rows(evolution.memory["weights"]))
        if generation <= 10:
            expected = mean_of_rows(means)
        else:
            expected = 0.9 * expected + 0.1 * means[-1]
        assert weights_of(evolution.numbers) == pytest.approx(expected, abs=1e-12)


def test_children_of_the_mean_lie_around_it_by_their_steps(monkeypatch):
    """With a of 0 all steps stay what they are: (child - mean) / step is N(0, 1)."""
    evolution = tictactoe(4, mutation=0.0, first_step=0.3, largest_step=0.0)
    draws = []
    for _ in range(40):
        mean, before = mean_of_rows(evolution.memory["weights"]), evolution.memory["weights"]
        evolution.generation()
        children = [row for row in evolution.memory["weights"] if not (row == before).all(1).any()]
        draws += [(child - mean) / 0.3 for child in children]
    deviates = np.array(draws)
    assert len(deviates) > 40  # those that survived, which their few games hardly select
    assert abs(deviates.mean()) < 0.1 and deviates.std() == pytest.approx(1.0, abs=0.05)


@given(st.integers(0, 6), st.integers(0, 70))
def test_the_hall_of_fame_holds_champions_spread_over_all_generations(size, generations):
    """Slow twin: all champions are there to choose from; at most `size` are held, as many as a power of two leaves."""
    hall = HallOfFame(size, 2)
    for generation in range(1, generations + 1):
        hall.add(generation, np.array([generation, -generation], float))
    every = 1
    while size and len(range(every, generations + 1, every)) > size:
        every *= 2
    expected = list(range(every, generations + 1, every)) if size else []
    held = hall.held(generations)
    assert held[:, 0].tolist() == expected and (-held[:, 1]).tolist() == expected
    assert len(held) <= size and (generations < size or 2 * len(held) >= size - 1)
    assert not hall.rows[len(held) :].any()


class Recorded(Evolution):
    """An evolution that writes down who played whom, by their weights."""

    def __init__(self, *given, **chosen):
        super().__init__(*given, **chosen)
        self.played = []

    def _play(self, pool, pairs, dilution, purpose):
        results = super()._play(pool, pairs, dilution, purpose)
        names = [row.tobytes() for row in pool]
        games = [(names[a], names[b], result) for (a, b, _), result in zip(pairs, results, strict=True)]
        self.played.append((games, names))
        return results


@pytest.mark.parametrize("memory", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("credit", ["own", "both"])
def test_points_and_games_are_remembered_as_by_hand(memory, credit):
    chosen = EvolutionSettings(parents=4, matches=5, memory=memory, credit=credit, hall_of_fame=2)
    evolution = Recorded(TICTACTOE, RAW, SMALL, chosen, 6)
    worth = {1.0: 1.0, 0.0: 0.0, -1.0: -2.0}
    oldest = 0
    for generation in range(1, 13):
        found = evolution.generation()
        games, names = evolution.played[-1]
        assert len(games) == found.games == 40 and sum(names.index(b) >= 8 for _, b, _ in games) == 8 * (generation > 1)
        for i, weights in enumerate(evolution.memory["weights"]):
            life, remembered = np.zeros(2), np.zeros(2)
            for games, _ in evolution.played:
                own = [worth[result] for a, _, result in games if a == weights.tobytes()]
                if credit == "both":
                    own += [worth[-result] for _, b, result in games if b == weights.tobytes()]
                life += (sum(own), len(own))
                remembered = remembered * memory + (sum(own), len(own))
            assert evolution.memory["life"][i].tolist() == life.tolist()
            assert evolution.memory["remembered"][i] == pytest.approx(remembered)
            if i == 0:
                assert found.points_per_game == life[0] / life[1]
                assert found.age == generation - evolution.memory["born"][0]
                oldest = max(oldest, found.age)
    assert oldest > 0


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.sampled_from([-1.0, 0.0, 1.0])), min_size=1))
def test_a_game_counts_for_both_or_for_its_own_player(games):
    for credit in ("own", "both"):
        slow = np.zeros((4, 2))
        for own, other, result in games:
            slow[own] += ({1.0: 1.0, 0.0: 0.0, -1.0: -2.0}[result], 1)
            if credit == "both" and other < 4:
                slow[other] += ({-1.0: 1.0, 0.0: 0.0, 1.0: -2.0}[result], 1)
        pairs = np.array([(own, other, 0) for own, other, _ in games])
        results = np.array([result for _, _, result in games])
        assert tally_of(pairs, results, 4, EvolutionSettings(credit=credit)).tolist() == slow.tolist()


def test_fitness_is_the_newcomers_mean_without_games_and_ones_own_after_many():
    newcomers = np.array([[3.0, 10.0], [-9.0, 20.0]])  # -0.2 a game
    record = np.array([[0.0, 0.0], [15.0, 15.0], [1e9, 1e9], [-30.0, 15.0]])
    assert fitness_of(record, newcomers, 15) == pytest.approx([-0.2, 0.4, 1.0, -1.1])
    same = np.column_stack((np.arange(-30.0, 16.0), np.full(46, 15.0)))  # of as many games, the order is that of points
    assert (np.diff(fitness_of(same, newcomers, 15)) > 0).all()


@given(st.integers(2, 8), st.integers(2, 20), st.integers(1, 5), st.integers(0, 1000))
def test_some_opponents_are_of_the_hall_of_fame(count, games, hall, seed):
    famous = games // 3
    pairs = draw_opponents(count, games, np.random.default_rng(seed), hall, famous).reshape(count, games, 2)
    for i in range(count):
        assert (pairs[i, :, 0] == i).all()
        pool, others = pairs[i, : games - famous, 1], pairs[i, games - famous :, 1] - count
        assert (pool < count).all() and (pool != i).all()
        counts = np.bincount(others, minlength=hall) if famous else np.zeros(hall)
        assert len(counts) == hall and counts.max() - counts.min() <= 1


def test_where_all_score_alike_the_older_stay():
    """Whoever sees to the end draws every game, so that the points of all are 0."""
    evolution = tictactoe(1, depth=8, opening=0)
    before = evolution.memory["weights"].copy()
    result = evolution.generation()
    assert (result.best, result.mean, result.children) == (0.0, 0.0, 0)
    assert np.array_equal(evolution.memory["weights"], before)


@pytest.mark.parametrize("a", [50.0, 1e4])
def test_weights_that_run_away_stop_the_run_and_leave_it_as_it_was(a):
    evolution = tictactoe(1, mutation=a, largest_step=0.0)
    before = bits(evolution)
    with pytest.raises(GotoolsError, match="run away"):
        for _ in range(20):
            before = bits(evolution)
            evolution.generation()
    assert bits(evolution) == before
    limited = tictactoe(1, mutation=5.0, largest_step=1.0)
    for _ in range(3):
        limited.generation()
    assert limited.memory["steps"].max() == 1.0
    with pytest.raises(GotoolsError, match="shrunk to nothing"):
        tictactoe(1, mutation=1e4, largest_step=1.0).generation()


def test_what_cannot_be_is_refused():
    for wrong in ({"parents": 1}, {"matches": 0}, {"depth": 0}, {"mutation": -1.0}, {"first_step": 0.0},
                  {"dilution": 2.0}, {"memory": 1.5}, {"hall_of_fame": -1}, {"credit": "none"},
                  {"children_of": "two"}):  # fmt: skip
        with pytest.raises(GotoolsError):
            EvolutionSettings(**wrong)
    for wrong in ({"matches": 0}, {"rate": 0.0}, {"sigma": float("nan")}, {"epsilon": 1.5}):
        with pytest.raises(GotoolsError):
            ClimbingSettings(**wrong)
    learners: list[tuple[Any, Any]] = [(Evolution, EvolutionSettings()), (Climbing, ClimbingSettings())]
    for learner, settings in learners:
        with pytest.raises(GotoolsError, match="komi"):
            learner(TICTACTOE, RAW, SMALL, settings, komi=7.5)
        with pytest.raises(GotoolsError, match="seed"):
            learner(TICTACTOE, RAW, SMALL, settings, seed=-1)
    evolution = tictactoe(**FULL)
    for name, array in evolution.memory.items():
        for wrong in (array[:-1], array.astype(np.float32)):
            with pytest.raises(GotoolsError, match=name):
                evolution.memory = {**evolution.memory, name: wrong}
    for name in ("weights", "remembered", "life", "average", "hall"):
        broken = evolution.memory[name].copy()
        broken.flat[0] = np.nan
        with pytest.raises(GotoolsError, match=name):
            evolution.memory = {**evolution.memory, name: broken}


def test_connect4_has_the_weights_of_the_seed():
    evolution = Evolution(
        CONNECT4, CONNECT4.find_features("raw"), parse_architecture("mlp:42+bias"), EvolutionSettings(), 1
    )
    assert evolution.memory["weights"].shape == evolution.memory["steps"].shape == (15, 1848)
    assert evolution.generation(2).games == evolution.games == 450


def shares_against_random(evolution, depth):
    """Return the shares of games that the parents win and lose against random moves, 400 games each."""
    header = evolution.numbers[: -evolution.memory["weights"].shape[1]]
    pool = np.array([np.concatenate((header, weights)) for weights in evolution.memory["weights"]])
    pairs = np.array([[i, i, game % 2] for i in range(len(pool)) for game in range(400)])
    seeds = np.arange(len(pairs), dtype=np.uint64)
    results = play_pairs(TICTACTOE, RAW.evaluate, pool, pairs, seeds, 2, depth, dilution=1.0)
    return (results > 0).mean(), (results < 0).mean()


def test_some_generations_are_enough_to_beat_random_moves_at_tictactoe():
    chosen = EvolutionSettings(**SEED | {"first_step": 0.2}, matches=30, dilution=1.0, depth=1, spread=1.0)
    evolution = Evolution(TICTACTOE, RAW, SMALL, chosen, 1)
    won, lost = shares_against_random(evolution, 1)
    for _ in range(20):
        evolution.generation(2)
    later_won, later_lost = shares_against_random(evolution, 1)
    assert won < 0.7 and later_won > 0.8
    assert lost > 0.25 and later_lost < 0.16


# hill climbing --------------------------------------------------------------------------------------------------------


def climb(seed=0, **chosen):
    return Climbing(TICTACTOE, LINES, parse_architecture("linear"), ClimbingSettings(**chosen), seed)


def test_the_champion_moves_part_of_the_way_to_a_mutant_that_wins_more_than_half():
    climbing = Climbing(TICTACTOE, RAW, SMALL, ClimbingSettings(sigma=0.3, rate=0.05, matches=4, epsilon=0.3), 1)
    draws, moves = [], 0
    for _ in range(200):
        before = weights_of(climbing.numbers).copy()
        challenge = climbing.generation()
        assert challenge.moved == (challenge.won > 2) and challenge.won + challenge.lost <= challenge.games == 4
        change = weights_of(climbing.numbers) - before
        assert challenge.moved == change.any()
        if challenge.moved:
            moves += 1
            draws += (change / (0.05 * 0.3)).tolist()
    assert 10 < moves < 190
    assert np.std(draws) == pytest.approx(1.0, abs=0.1)


def test_climbing_finds_that_open_lines_are_good():
    """From weights of 0, the network learns what a hand-written evaluation of these inputs knows: both are good."""
    climbing = climb(3, rate=0.5, matches=10, epsilon=0.3, opening=1)
    start = climbing.numbers.copy()
    for _ in range(150):
        climbing.generation()
    assert (weights_of(climbing.numbers) > 0).all()
    knowing, ignorant = (Searcher(1, LINES.evaluate, numbers) for numbers in (climbing.numbers, start))
    scores = play_series(TICTACTOE, knowing, ignorant, 300, 4)
    assert sum(s.won for s in scores) > 2 * sum(s.lost for s in scores)


def test_climbing_is_equal_for_any_number_of_threads_and_resumes():
    whole = climb(5)
    for i in range(30):
        if i == 12:
            stored = through_a_file(whole.memory)
        whole.generation(1)
    resumed = climb(5)
    resumed.memory = stored
    assert resumed.games == 12 * 4
    for _ in range(18):
        resumed.generation(3)
    assert resumed.numbers.tobytes() == whole.numbers.tobytes() and resumed.games == whole.games
    with pytest.raises(GotoolsError, match="weights"):
        resumed.memory = {**stored, "weights": stored["weights"][:1]}


# the whole way --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_evolution_learns_never_to_lose_tictactoe():
    """All replies are walked: so it loses to no player at all, a perfect one and random moves included."""
    chosen = EvolutionSettings(**SEED | {"first_step": 0.1}, matches=60, win=0.0, loss=-1.0, dilution=0.5, spread=1.0)
    evolution = Evolution(TICTACTOE, RAW, parse_architecture("mlp:9+bias"), chosen, 1)
    for _ in range(250):
        evolution.generation(2)
    player = Searcher(2, RAW.evaluate, evolution.numbers)
    assert ways_to_lose(TICTACTOE, player) == []
    pairs = np.array([[0, 0, game % 2] for game in range(4000)])
    seeds = np.arange(4000, dtype=np.uint64)
    pool = evolution.numbers[None, :]
    results = play_pairs(TICTACTOE, RAW.evaluate, pool, pairs, seeds, 2, 2, dilution=1.0)
    assert results.min() == 0.0 and (results > 0).mean() > 0.5


@pytest.mark.slow
def test_evolution_on_connect4_loses_fewer_than_three_of_ten_to_a_player_of_six_plies():
    """75 games as first and 75 as second player against one who sees what is decided within 6 plies."""
    features = CONNECT4.find_features("raw")
    evolution = Evolution(CONNECT4, features, parse_architecture("mlp:42+bias"), EvolutionSettings(), 2)
    for _ in range(100):
        evolution.generation(2)
    player = Searcher(2, features.evaluate, evolution.numbers)
    scores = play_series(CONNECT4, player, Searcher(6), 75, 7, jobs=2)
    assert sum(score.lost for score in scores) < 45
