"""What a player of Go answers: points in place of moves, chances to win in place of values; and why, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gotools.go.as_game import point_of, search_state
from gotools.go.board import Board
from gotools.go.kernels import rules as k
from gotools.go.points import NONE, PASS, vertex
from gotools.learn.weights.evaluator import Evaluator
from gotools.patterns.matching import Matcher
from gotools.patterns.rule_ranking import reasons
from gotools.screen_text import TEXT_WIDTH, wrapped
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


SHOWN: Final = 5
"""Moves that an explanation compares."""


def choice_lines(choice: GoChoice, size: int) -> list[str]:
    """Say what was chosen, why, and what it was compared with."""
    head = f"{vertex(choice.point, size)}: {choice.reason}"
    if choice.nodes:
        head += f"; chance to win {100 * choice.winrate:.1f} %"
    lines = [wrapped(head, TEXT_WIDTH - 2, 4)]  # the answer begins with "= "
    if len(choice.line) > 1:
        lines.append(wrapped("expected: " + " ".join(vertex(p, size) for p in choice.line), indent=10))
    for option in choice.options[:SHOWN]:
        prior = f", prior {100 * option.prior:.1f} %" if option.prior else ""
        chance = f"chance {100 * option.winrate:5.1f} %"
        lines.append(f"  {vertex(option.point, size):4} {chance}, {option.visits:,} visits{prior}")
    return lines


def rule_lines(matcher: Matcher, board: Board, colour: int, point: int) -> list[str]:
    """Say which rules speak for a move or against it."""
    if point == PASS:
        return []
    last = [int(k.unpad(board.state[at], board.side)) for at in (k.LAST, k.LAST2)]
    ko = board.ko if colour == board.to_play else NONE
    found = reasons(matcher, board.cells, board.side, colour, (ko, last[0], last[1]), point)
    return ["rules:", *found] if found else ["no rule speaks for it or against it"]


def value_lines(evaluator: Evaluator, board: Board, colour: int, komi: float) -> list[str]:
    """Say what the learned value sees in the position before the move, without any search."""
    state = search_state(board, colour, komi)
    head = f"{evaluator.weights.features} without search: chance {100 * winrate_of(evaluator.value(state)):.1f} %"
    return [head, *(f"        {reason.share:+.3f}  {reason.what}" for reason in evaluator.why(state))]
