"""Why a player of Go chose a move, in some lines of words: value, what was compared, what rules and values say."""

from __future__ import annotations

from typing import Final

from gotools.go.board import Board
from gotools.go.kernels import rules as k
from gotools.go.points import NONE, PASS, vertex
from gotools.learn.weights.evaluator import Evaluator
from gotools.patterns.matching import Matcher
from gotools.patterns.rule_ranking import reasons
from gotools.player.go_choice import GoChoice, winrate_of
from gotools.player.state import search_state
from gotools.screen_text import TEXT_WIDTH, wrapped

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
