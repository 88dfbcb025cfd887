"""Gates and exit codes: what passes, what fails, what cannot be decided yet."""

from __future__ import annotations

import pytest
from support.tournament_results import fault, game, tournament

from gotools.game.outcome import End
from gotools.matches.report.gates import GateResult, Gates, check_gates, exit_code
from gotools.matches.report.standings import Standings, standings
from gotools.matches.report.standings_elo import EngineElo, SprtState
from gotools.ratings.sprt import PairCounts, Sprt, elo_after_stop, elo_of_pairs

TEST = Sprt(0, 50)
WON: PairCounts = (1, 5, 40, 30, 40)
LOST: PairCounts = (40, 30, 40, 5, 1)
EVEN: PairCounts = (2, 2, 4, 2, 2)
FAULTS = [
    fault(1, "a", "b", "b", End.crash, "died"),
    fault(2, "b", "a", "b", End.stall, "hung"),
    fault(3, "a", "b", "b", End.illegal, "A1 is taken"),
    fault(4, "b", "a", "b", End.time, "late"),
    game(5, "a", "b", "Void", end=End.flood, fault="w", what="50 MB"),
]


def check(gates: Gates, table: Standings, state: SprtState | None = None, complete: bool = True) -> list[GateResult]:
    return check_gates(gates, table, state, complete, "a")


def even_games(count: int = 4) -> Standings:
    return standings([game(n, *(("a", "b") if n % 2 else ("b", "a"))) for n in range(1, count + 1)], ("a", "b"))


def test_what_is_not_wanted_is_not_checked() -> None:
    assert check(Gates(), standings(FAULTS, ("a", "b"))) == []


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(
    ("wanted", "counts", "passed"),
    [
        ("h1", WON, True),
        ("h1", LOST, False),
        ("h1", EVEN, None),
        ("h0", WON, False),
        ("h0", LOST, True),
        ("h0", EVEN, None),
        ("h1", (0, 0, 0, 0, 50), True),
        ("h0", (50, 0, 0, 0, 0), True),
    ],
)
def test_require(wanted: str, counts: PairCounts, passed: bool | None, complete: bool) -> None:
    gates = Gates(require="h1" if wanted == "h1" else "h0")
    (found,) = check(gates, even_games(), SprtState(TEST, counts), complete)
    assert found.passed is passed
    assert found.name == f"--require {wanted}"
    assert f"{sum(counts)} pairs" in found.text
    if passed is not None:
        accepted = "H1 (Elo 50)" if (wanted == "h1") == passed else "H0 (Elo 0)"
        assert found.text.startswith(f"accepts {accepted} over")


def test_require_without_a_test_cannot_be_decided() -> None:
    assert check(Gates(require="h1"), even_games())[0].passed is None


def test_min_elo_is_decided_by_the_estimate_when_all_is_played() -> None:
    even = even_games()
    assert [check(Gates(min_elo=least), even)[0].passed for least in (-10, 0, 10)] == [True, True, False]
    assert [check(Gates(min_elo=least), even, complete=False)[0].passed for least in (-10, 10)] == [None, None]
    assert check(Gates(min_elo=-10), standings([], ("a", "b")))[0].passed is None
    void_only = standings([game(1, "a", "b", "Void"), game(2, "b", "a", "?")], ("a", "b"))
    assert check(Gates(min_elo=-10), void_only)[0].passed is None


def test_min_elo_among_several_is_against_the_mean_of_the_others() -> None:
    table = standings(list(tournament({"b": 0, "a": 150, "c": -60, "d": -90}, 400, seed=5)), ("b", "a", "c", "d"))
    assert [check(Gates(min_elo=least), table)[0].passed for least in (150, 250)] == [True, False]  # 200 is true
    assert "a against the mean of the others" in check(Gates(min_elo=0), table)[0].text


def test_a_test_without_verdict_leaves_min_elo_to_all_games() -> None:
    state = SprtState(TEST, (0, 0, 0, 1, 1))
    assert state.verdict is None
    assert check(Gates(min_elo=10), even_games(), state)[0].passed is False


def test_the_estimate_is_corrected_only_after_a_stop() -> None:
    for counts, expected in ((WON, elo_after_stop(TEST, WON)), (EVEN, elo_of_pairs(EVEN))):
        found = SprtState(TEST, counts).estimate
        assert found == EngineElo(expected.elo, expected.low, expected.high)
    assert elo_after_stop(TEST, WON).elo != elo_of_pairs(WON).elo
    assert SprtState(TEST, (0, 0, 0, 0, 0)).estimate is None


def test_min_elo_after_a_stop_is_the_corrected_estimate() -> None:
    state = SprtState(TEST, WON)
    estimate = state.estimate
    assert estimate is not None and estimate.elo > 30
    assert check(Gates(min_elo=estimate.elo - 0.1), even_games(), state)[0].passed is True
    assert check(Gates(min_elo=estimate.elo + 0.1), even_games(), state)[0].passed is False


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize(
    ("gates", "count", "enough"),
    [
        (Gates(max_crashes=3), "3 crashes (a 1, b 2)", True),
        (Gates(max_crashes=2), "3 crashes (a 1, b 2)", False),
        (Gates(max_illegal=1), "1 illegal move (b 1)", True),
        (Gates(max_illegal=0), "1 illegal move (b 1)", False),
        (Gates(max_time_losses=1), "1 loss on time (b 1)", True),
        (Gates(max_time_losses=0), "1 loss on time (b 1)", False),
    ],
)
def test_limits(gates: Gates, count: str, enough: bool, complete: bool) -> None:
    faults = [*FAULTS[:4], game(5, "b", "a", "Void", end=End.flood, fault="w", what="50 MB")]
    faults[0] = fault(1, "a", "b", "w", End.crash, "died")
    faults[2] = fault(3, "a", "b", "w", End.illegal, "A1 is taken")
    (found,) = check(gates, standings(faults, ("a", "b")), complete=complete)
    assert found.text.startswith(f"{count} in 5 games, ")
    assert found.passed is (False if not enough else True if complete else None)  # too many stay too many


@pytest.mark.parametrize(
    ("passed", "complete", "interrupted", "code"),
    [
        ([], True, False, 0),
        ([], False, False, 3),
        ([True, True], True, False, 0),
        ([True], False, False, 3),
        ([True, None], True, False, 3),
        ([None, False], True, False, 1),
        ([False], False, False, 1),
        ([False], False, True, 130),
        ([], False, True, 130),
    ],
)
def test_exit_codes(passed: list[bool | None], complete: bool, interrupted: bool, code: int) -> None:
    assert exit_code([GateResult("gate", one, "") for one in passed], complete, interrupted) == code
