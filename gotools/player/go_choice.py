"""What a player of Go answers: points in place of moves, chances to win in place of values."""

from __future__ import annotations

from dataclasses import dataclass

from gotools.go.as_game import point_of
from gotools.search.choice import Choice


@dataclass(frozen=True, slots=True)
class GoOption:
    """A candidate: points of points.py, PASS for a pass; winrate and prior from 0 to 1; `line` begins with `point`."""

    point: int
    winrate: float
    visits: int
    prior: float
    line: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoChoice:
    """The player's answer; winrate is for the side to play, score_lead in points for it where a count was made."""

    point: int
    winrate: float
    score_lead: float | None
    line: tuple[int, ...]
    nodes: int
    depth: int
    reason: str
    options: tuple[GoOption, ...]


def without_search(point: int, why: str, lead: float | None = None) -> GoChoice:
    """Return a move that no search chose; lead -- by how many points the side is ahead, where that is known."""
    winrate = 0.5 if lead is None else (1.0 if lead > 0 else 0.0)
    return GoChoice(
        point=point,
        winrate=winrate,
        score_lead=lead,
        line=(point,),
        nodes=0,
        depth=0,
        reason=why,
        options=(GoOption(point, winrate, 0, 0.0, (point,)),),
    )


def in_points(choice: Choice, size: int) -> GoChoice:
    """Translate moves to points and values to chances to win."""

    def line(moves: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(point_of(move, size) for move in moves)

    looked_at = [option for option in choice.options if option.visits] or choice.options[:1]
    options = tuple(
        GoOption(point_of(o.move, size), winrate_of(o.value), o.visits, o.prior, line(o.line)) for o in looked_at
    )
    return GoChoice(
        point=point_of(choice.move, size),
        winrate=winrate_of(choice.value),
        score_lead=None,
        line=line(choice.line),
        nodes=choice.nodes,
        depth=choice.depth,
        reason=choice.reason,
        options=options,
    )


def winrate_of(value: float) -> float:
    """Return the chance to win, 0 to 1, of a value from -1 to 1."""
    return (value + 1.0) / 2.0
