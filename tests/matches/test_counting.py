"""Who is asked for the count of a finished game, and when; the engines are stand-ins."""

from __future__ import annotations

from typing import Any

import pytest

from gotools.game.game import find_game
from gotools.game.outcome import End
from gotools.game.sides import BLACK
from gotools.games.go.rule_sets import rule_set
from gotools.matches.counting import count_game
from gotools.matches.game.referee import Referee

KOMI = 7.5


class Voter:
    """An engine that answers with a list of dead stones, with a score, or not at all."""

    def __init__(self, dead: list[int] | None = None, score: float | None = None) -> None:
        self.dead, self.score = dead, score
        self.scores_asked = 0

    def dead_stones(self) -> list[int] | None:
        return self.dead

    def final_score(self) -> float | None:
        self.scores_asked += 1
        return self.score


def finished() -> Referee:
    """Return a 5x5 board that is all black's."""
    referee = Referee(find_game("go"), 5, rule_set("chinese"))
    referee.play(BLACK, 12)
    return referee


def counted(*voters: Any, judge: Any = None, board: Referee | None = None) -> Any:
    return count_game(board or finished(), KOMI, voters, judge)


class Played(Referee):
    """A board with given counts by playouts, one for each seed."""

    def __init__(self, leads: tuple[float, ...]) -> None:
        super().__init__(find_game("go"), 5, rule_set("chinese"))
        self.leads = leads

    def estimate(self, komi: float, seed: int) -> float:
        return self.leads[seed]


@pytest.mark.parametrize(
    "voters", [(Voter([]), Voter([])), (Voter([]), Voter()), (Voter(), Voter()), (Voter(score=2), Voter(score=9))]
)
def test_the_third_engine_is_not_bothered_where_the_winner_is_agreed(voters: tuple[Voter, Voter]) -> None:
    assert counted(*voters, judge=lambda: pytest.fail("nothing to judge"))[0].end is End.score


def test_the_third_engine_decides_a_dispute() -> None:
    disputed = Voter(score=2.5), Voter(score=-1.5)
    count, _ = counted(*disputed, judge=lambda: Voter(score=-3.5))
    assert (count.result, count.end) == ("W+3.5", End.score)
    assert count.how == "black counts B+2.5, white W+1.5; the referee counts W+3.5"


@pytest.mark.parametrize(
    ("scores", "leads", "result", "how"),
    [
        ((2.5, -1.5), None, "B+17.5", "black counts B+2.5, white W+1.5; gotools counts B+17.5"),
        ((2.5, -1.5), (-4.0,) * 3, "W+4", "black counts B+2.5, white W+1.5; gotools counts W+4"),
        ((2.5, -1.5), (2.5, 4.5, 2.5), "B+", "black counts B+2.5, white W+1.5; gotools counts B+2.5 or B+4.5"),
        ((2.5, -1.5), (2.5, 2.5, -0.5), "?", "black counts B+2.5, white W+1.5; gotools counts B+2.5 or W+0.5"),
        ((2.5, -1.5), (0.0, 0.0, -0.5), "?", "black counts B+2.5, white W+1.5; gotools counts 0 or W+0.5"),
        ((2.0, 0.0), (0.0,) * 3, "0", "black counts B+2, white 0; gotools counts 0"),
        ((2.0, 0.0), (-3.0,) * 3, "?", "black counts B+2, white 0; gotools counts W+3"),
    ],
)
def test_our_own_count_settles_a_dispute_where_it_can_be_believed(
    scores: tuple[float, float], leads: tuple[float, ...] | None, result: str, how: str
) -> None:
    board = finished() if leads is None else Played(leads)
    count, remarks = counted(*(Voter(score=score) for score in scores), board=board)
    assert (count.result, count.how) == (result, how)
    assert (count.end is End.dispute) == (result == "?") == (not remarks)


def test_a_final_score_is_requested_once_and_reported_for_another_winner() -> None:
    voters = Voter([], -3.5), Voter(score=1.5)
    count, remarks = counted(*voters)
    assert (count.result, remarks) == ("B+", ["black: final_score is W+3.5"])
    assert [voter.scores_asked for voter in voters] == [1, 1]


def test_a_final_score_that_was_the_vote_is_reported_where_the_third_engine_decides_against_it() -> None:
    voters = Voter([]), Voter(score=-1.5)
    count, remarks = counted(*voters, judge=lambda: Voter([]))
    assert (count.result, remarks) == ("B+17.5", ["white: final_score is W+1.5"])
    assert [voter.scores_asked for voter in voters] == [1, 1]
