"""Standings: every game counts once, where it belongs; Elo agrees with what it is defined by."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tournament_results import fault, game, shuffled, tournament

from gotools.game.outcome import End
from gotools.matches.game.game_result import CRASHES, ILLEGAL, TIME_LOSSES, GameResult
from gotools.matches.report.standings import GameScore, StandingsCount, moves_thought_about, standings
from gotools.matches.report.standings_elo import elo_table, pairing_elo
from gotools.ratings import sprt

NAMES = ("a", "b", "c", "d")


@st.composite
def any_results(draw: st.DrawFn) -> list[GameResult]:
    """Draw pairs of games with colours exchanged, some with one game only, in any order."""
    results = []
    for pair in range(1, draw(st.integers(0, 12)) + 1):
        sides = draw(st.permutations(NAMES))[:2]
        for number in range(draw(st.integers(1, 2))):
            black, white = sides if number == 0 else sides[::-1]
            kind = draw(st.sampled_from(("B+3.5", "W+R", "0", "Void", "?", "fault")))
            if kind == "fault":
                end = draw(st.sampled_from([End.crash, End.stall, End.illegal, End.refused, End.time]))
                results.append(fault(2 * pair - 1 + number, black, white, draw(st.sampled_from("bw")), end, "why"))
            else:
                results.append(game(2 * pair - 1 + number, black, white, kind))
    return draw(st.permutations(results))


def points(result: GameResult, name: str) -> float | None:
    if result.score is None:
        return None
    return result.score if result.black == name else 1 - result.score


@given(any_results())
def test_every_engine_has_its_games(results: list[GameResult]) -> None:
    found = standings(results, NAMES)
    assert [engine.name for engine in found.engines] == list(NAMES)
    assert found.played == len(results)
    assert found.void == sum(result.score is None for result in results)
    for engine in found.engines:
        for score, own in ((engine.black, "black"), (engine.white, "white")):
            games = Counter(points(result, engine.name) for result in results if getattr(result, own) == engine.name)
            assert score == GameScore(games[1.0], games[0.5], games[0.0])
        own_faults = Counter(result.end for result in results if result.culprit == engine.name)
        assert engine.crashes == sum(own_faults[end] for end in CRASHES)
        assert engine.illegal == sum(own_faults[end] for end in ILLEGAL)
        assert engine.time_losses == sum(own_faults[end] for end in TIME_LOSSES)
        both = [result for result in results if engine.name in (result.black, result.white)]
        assert engine.void == sum(result.score is None for result in both)
        assert engine.score.games + engine.void == len(both)


@given(any_results())
def test_every_pairing_has_its_games_and_whole_pairs(results: list[GameResult]) -> None:
    found = standings(results, NAMES)
    met = {frozenset((result.black, result.white)) for result in results}
    assert [(x.first, x.second) for x in found.pairings] == sorted(tuple(sorted(sides)) for sides in met)
    for one in NAMES:
        for other in set(NAMES) - {one}:
            both = [result for result in results if {result.black, result.white} == {one, other}]
            pairing = found.pairing(one, other)
            assert pairing.score.points == sum(points(result, one) or 0 for result in both)
            assert pairing.black.games == sum(result.black == one and result.counts for result in both)
            pairs: dict[int, tuple[float | None, ...]] = {}
            for result in both:
                pairs[result.pair] = (*pairs.get(result.pair, ()), points(result, one))
            assert pairing.pairs == sprt.pair_counts(pairs.values())


def counted(results: list[GameResult]) -> StandingsCount:
    count = StandingsCount(NAMES)
    for result in results:
        count.add(result)
    return count


@given(any_results())
def test_the_order_of_games_does_not_matter_and_counting_on_is_the_same(results: list[GameResult]) -> None:
    count = counted(results)
    found = standings(results, NAMES)
    again = standings(shuffled(results), NAMES)
    assert again.pairings == found.pairings
    assert [engine.score for engine in again.engines] == [engine.score for engine in found.engines]
    assert count.standings() == found
    for name in NAMES:
        pairs = [found.pairing(name, other).pairs for other in NAMES if other != name]
        assert count.pair_counts(name) == tuple(map(sum, zip(*pairs, strict=True)))


def test_the_pairs_of_an_engine_against_all_others_are_seen_from_its_side() -> None:
    results = [game(1, "a", "b", "W+R"), game(2, "b", "a", "B+R"), game(3, "b", "c", "B+1.5"), game(4, "c", "b", "0")]
    count, found = counted(results), standings(results, NAMES)
    assert count.pair_counts("b") == (0, 0, 0, 1, 1)
    assert count.pair_counts("a") == (1, 0, 0, 0, 0)
    assert count.pair_counts("d") == (0, 0, 0, 0, 0)
    assert found.engine("b").score.share == 3.5 / 4
    assert found.engine("d").score.share is None


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"moves": "E5 C3 G7 D4", "opening": 2}, (1, 1)),
        ({"moves": "E5 C3 G7", "opening": 2}, (1, 0)),
        ({"moves": "E5 C3 G7", "opening": 1}, (1, 1)),
        ({"moves": "E5 C3", "opening": 0, "handicap": 2}, (1, 1)),
        ({"moves": "E5", "opening": 0, "handicap": 2}, (0, 1)),
        ({"moves": "E5 C3", "opening": 2, "result": "W+R"}, (1, 0)),  # black resigns: an answer, no move
        ({"moves": "E5 C3 D3", "opening": 2, "result": "B+R"}, (1, 1)),
        ({"moves": "E5 C3 D3", "opening": 2, "result": "B+F", "end": End.illegal, "fault": "w"}, (1, 1)),
        ({"moves": "E5 C3", "opening": 2, "result": "W+T", "end": End.time, "fault": "b"}, (1, 0)),
        ({"moves": "E5 C3", "opening": 2, "result": "W+F", "end": End.crash, "fault": "b"}, (0, 0)),
        ({"moves": "", "opening": 0, "result": "W+F", "end": End.setup, "fault": "b"}, (0, 0)),
    ],
)
def test_moves_thought_about(more: dict[str, object], expected: tuple[int, int]) -> None:
    result = str(more.pop("result", "B+3.5"))
    assert moves_thought_about(game(1, "a", "b", result, **more)) == expected


def test_seconds_are_of_the_engine_whatever_its_colour() -> None:
    first = game(1, "a", "b", moves="E5 C3 G7 D4", opening=0, seconds=(4.0, 1.0), slowest=(3.0, 0.6))
    second = game(2, "b", "a", moves="E5 C3", opening=0, seconds=(0.5, 8.0), slowest=(0.5, 8.0))
    a, b = standings([first, second], ("a", "b")).engines
    assert (a.moves, a.seconds, a.seconds_per_move, a.slowest) == (3, 12.0, 4.0, 8.0)
    assert (b.moves, b.seconds, b.seconds_per_move, b.slowest) == (3, 1.5, 0.5, 0.6)


def test_seconds_of_the_contested_part_are_those_of_games_that_say_them() -> None:
    first = game(1, "a", "b", seconds=(9.0, 9.0), contested_moves=(2, 0), contested_seconds=(3.0, 0.0))
    second = game(2, "b", "a", seconds=(9.0, 9.0), contested_moves=(0, 4), contested_seconds=(0.0, 6.0))
    a, b = standings([first, second, game(3, "a", "b", seconds=(9.0, 9.0))], ("a", "b")).engines
    assert (a.contested_moves, a.contested_seconds, a.seconds_per_contested_move) == (6, 9.0, 1.5)
    assert (b.contested_moves, b.seconds_per_contested_move) == (0, None)


def test_elo_of_two_engines_is_that_of_their_pairs() -> None:
    found = standings(list(tournament({"a": 50, "b": 0}, 100)), ("a", "b"))
    table = elo_table(found)
    estimate = sprt.elo_of_pairs(found.pairing("a", "b").pairs)
    for own in (table.of, table.against_others):
        assert (own["a"].elo, own["a"].low, own["a"].high) == (estimate.elo, estimate.low, estimate.high)
        assert (own["b"].elo, own["b"].low, own["b"].high) == (-estimate.elo, -estimate.high, -estimate.low)
    share = found.engine("a").score.share
    assert share is not None and estimate.elo == pytest.approx(sprt.elo_of_score(share), abs=3)


def test_two_engines_without_a_whole_pair_are_rated_by_their_games() -> None:
    table = elo_table(standings([game(1, "a", "b", "B+R")], ("a", "b")))
    assert table.of["a"].elo == pytest.approx(-table.of["b"].elo)
    assert table.of["a"].elo > 0 and table.of["a"].low < 0
    assert pairing_elo(standings([game(1, "a", "b")], ("a", "b")).pairings[0]) is None


def test_elo_of_several_engines_finds_their_strength() -> None:
    strengths = {"a": 150.0, "b": 0.0, "c": -60.0, "d": -90.0}
    table = elo_table(standings(list(tournament(strengths, 400, seed=5)), NAMES))
    assert sum(own.elo for own in table.of.values()) == pytest.approx(0, abs=1e-6)
    assert table.groups == 1
    for name, true in strengths.items():
        found, others = table.of[name], [own.elo for other, own in table.of.items() if other != name]
        assert found.low < true < found.high and found.high - found.low < 40
        against = table.against_others[name]
        assert against.elo == pytest.approx(found.elo - sum(others) / 3, abs=1e-6)
        assert against.high - against.low == pytest.approx(4 / 3 * (found.high - found.low))


def test_groups_that_did_not_meet_have_their_own_zero() -> None:
    results = [game(1, "a", "b", "B+R"), game(2, "b", "a", "W+R"), game(3, "c", "d", "0"), game(4, "d", "c", "0")]
    table = elo_table(standings(results, NAMES))
    assert table.groups == 2
    assert table.of["a"].elo == pytest.approx(-table.of["b"].elo)
    assert table.of["c"].elo == pytest.approx(0, abs=1e-6)


@given(any_results())
def test_elo_is_finite_for_all_who_have_games(results: list[GameResult]) -> None:
    found = standings(results, NAMES)
    table = elo_table(found)
    assert set(table.of) == {engine.name for engine in found.engines if engine.score.games}
    for own in (*table.of.values(), *table.against_others.values()):
        assert -6000 < own.low < own.elo < own.high < 6000
