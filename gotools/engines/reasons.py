"""Why a player chose a move, in words: what it compared, which rules speak for it, what its values see."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gotools.base.screen_text import TEXT_WIDTH, wrapped
from gotools.game.choice import Choice
from gotools.game.history import History
from gotools.games.go.board import Board
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import NONE, PASS
from gotools.rules.matching import Matcher
from gotools.rules.rule_ranking import reasons
from gotools.values.weights.evaluator import Evaluator


def choice_lines(choice: Choice, most: int, text: Callable[[int], str]) -> list[str]:
    """Say what was chosen, why, and what it was compared with; most -- options shown; text -- of a move."""
    head = f"{text(choice.move)}: {choice.reason}"
    if choice.nodes:
        head += f"; chance to win {100 * choice.chance:.1f} %"
    lines = [wrapped(head, TEXT_WIDTH - 2, 4)]  # the answer begins with "= "
    if len(choice.line) > 1:
        lines.append(wrapped("expected: " + " ".join(map(text, choice.line)), indent=10))
    for option in choice.options[:most]:
        prior = f", prior {100 * option.prior:.1f} %" if option.prior else ""
        lines.append(f"  {text(option.move):4} chance {100 * option.chance:5.1f} %, {option.visits:,} visits{prior}")
    return lines


def rule_lines(matcher: Matcher, history: History, side: int, point: int) -> list[str]:
    """Say which rules speak for a move of Go or against it."""
    if point == PASS:
        return []
    board = Board.of_state(history.state)
    last = [int(k.unpad(board.state[at], board.side)) for at in (k.LAST, k.LAST2)]
    ko = board.ko if side == board.to_play else NONE
    found = reasons(matcher, board.cells, board.side, side, (ko, last[0], last[1]), point)
    return ["rules:", *found] if found else ["no rule speaks for it or against it"]


def value_lines(evaluator: Evaluator, state: NDArray[np.int32]) -> list[str]:
    """Say what the learned value sees in the position before the move, without any search."""
    chance = 100 * (evaluator.value(state) + 1) / 2
    head = f"{evaluator.weights.features} without search: chance {chance:.1f} %"
    return [head, *(f"        {reason.share:+.3f}  {reason.what}" for reason in evaluator.why(state))]
