"""Count a finished game by our rules, with the dead stones that the engines name. Disputes are not guessed.

both name the same dead stones, or scores    that score
one cannot name any                          the other's
neither can                                  the board as it stands
both agree who won, not by how much          the winner without a margin
they disagree who won                        the referee engine's count, if there is one; else our own, by playouts

Our own count is not believed, and the game without result, if counts with other playouts name another winner, or the
winner is none that an engine names (one of them counts a draw).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gotools.game.outcome import Count, End, score_text
from gotools.game.sides import side_name
from gotools.matches.contestant import Contestant, Fault
from gotools.matches.game.referee import Referee

OWN_COUNTS: Final = 3
"""Counts of our own, each with other playouts, that must name the same winner."""


@dataclass(frozen=True, slots=True)
class _Vote:
    """An engine's count of the game.

    score -- by the dead stones that it names, or else its final_score
    named -- whether it named dead stones: its final_score may then differ
    """

    engine: Contestant
    side: str
    score: float
    named: bool


def count_as_it_stands(referee: Referee, komi: float, end: End = End.score) -> Count:
    """Count with all stones alive."""
    return Count(score_text(referee.score([], komi)), end, "counted as the board stands")


def count_game(
    referee: Referee, komi: float, contestants: Sequence[Contestant], judge: Callable[[], Contestant] | None = None
) -> tuple[Count, list[str]]:
    """Count a game that ended by two passes; returns the count, and the final_scores that name another winner.

    contestants -- black, white
    judge -- sets up the position in a third engine and returns it, in a dispute only; raises Fault
    Raises Fault if an engine stops working.
    """
    given = (_vote(engine, side_name(colour), referee, komi) for colour, engine in enumerate(contestants, 1))
    votes = [vote for vote in given if vote is not None]
    count = _count(votes, referee, komi, judge)
    return count, _contradictions(count, votes)


def _count(votes: list[_Vote], referee: Referee, komi: float, judge: Callable[[], Contestant] | None) -> Count:
    if not votes:
        return count_as_it_stands(referee, komi)
    if len(votes) == 1:
        return Count(score_text(votes[0].score), End.score, f"counted by {votes[0].side} alone")
    black, white = votes
    if black.score == white.score:
        return Count(score_text(black.score), End.score, "counted as both agree")
    text = f"black counts {score_text(black.score)}, white {score_text(white.score)}"
    named = {_winner(vote.score) for vote in votes}
    if len(named) == 1:
        return Count(f"{named.pop()}+", End.score, text)
    verdict = None if judge is None else _judged(judge, referee, komi)
    if verdict is None:
        return _settled(named, text, referee, komi)
    return Count(score_text(verdict.score), End.score, f"{text}; the referee counts {score_text(verdict.score)}")


def _settled(named: set[str], text: str, referee: Referee, komi: float) -> Count:
    """Settle a dispute by our own count. named -- the winners that the engines name; text -- their counts."""
    leads = dict.fromkeys(referee.estimate(komi, seed) for seed in range(OWN_COUNTS))
    how = f"{text}; gotools counts {' or '.join(map(score_text, leads))}"
    winners = {_winner(lead) for lead in leads}
    if len(winners) > 1 or not winners <= named:
        return Count("?", End.dispute, how)
    return Count(score_text(*leads) if len(leads) == 1 else f"{winners.pop()}+", End.score, how)


def _winner(lead: float) -> str:
    """Return the winner as results begin: B, W, or 0 for a draw."""
    return score_text(lead)[0]


def _contradictions(count: Count, votes: list[_Vote]) -> list[str]:
    """List final_scores that name another winner than the count; margins may differ with the rules."""
    notes = []
    for vote in votes:
        try:
            score = vote.engine.final_score() if vote.named else vote.score
        except Fault as fault:  # the game is over: the result stands
            notes.append(f"{vote.side}: {fault.what} after the game")
            continue
        if score is not None and _winner(score) != count.result[:1] and count.end is End.score:
            notes.append(f"{vote.side}: final_score is {score_text(score)}")
    return notes


def _judged(judge: Callable[[], Contestant], referee: Referee, komi: float) -> _Vote | None:
    """Ask the third engine; if it fails it does not count."""
    try:
        return _vote(judge(), "the referee", referee, komi)
    except Fault:
        return None


def _vote(engine: Contestant, side: str, referee: Referee, komi: float) -> _Vote | None:
    dead = engine.dead_stones()
    chains = None if dead is None else referee.chains_of(dead)
    if chains is not None:
        return _Vote(engine, side, referee.score(chains, komi), True)
    score = engine.final_score()
    return None if score is None else _Vote(engine, side, score, False)
