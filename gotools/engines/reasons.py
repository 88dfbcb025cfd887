"""Why a player chose a move, in words: what it compared, which rules speak for it, what its values see."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gotools.base.screen_text import TEXT_WIDTH, wrapped
from gotools.game.choice import Choice
from gotools.game.game import vocabulary_of
from gotools.game.history import History
from gotools.games.go.board import Board
from gotools.games.go.kernels import rules as k
from gotools.games.go.points import NONE, PASS
from gotools.rules.clauses.points import StateMoves
from gotools.rules.matching import Matcher
from gotools.rules.rule_ranking import reasons
from gotools.rules.weigh.accuracy import one_choice, one_position
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
        facts = []
        if option.visits:
            visits = f"{option.visits:,} visit{'s' * (option.visits != 1)}"
            facts.append(f"chance {100 * option.chance:5.1f} %, {visits}")
        if option.prior:
            facts.append(f"prior {100 * option.prior:.1f} %")
        if facts:
            lines.append(f"  {text(option.move):4} {', '.join(facts)}")
    return lines


def rule_lines(matcher: Matcher, history: History, side: int, point: int) -> list[str]:
    """Say which rules speak for a move or against it."""
    game, asked = history.game, np.array([point], np.int16)
    if not vocabulary_of(game.name).points:
        choices = one_position(
            StateMoves(game, history.state[None], np.array([history.size], np.uint8), np.zeros(1, np.int32), asked)
        )
    elif point == PASS:
        return []
    else:
        board = Board.of_state(history.state)
        last = [int(k.unpad(board.state[at], board.side)) for at in (k.LAST, k.LAST2)]
        ko = board.ko if side == board.to_play else NONE
        choices = one_choice(board.cells, board.side, side, (ko, last[0], last[1]), asked)
    found = reasons(matcher, choices, history.size)
    return ["rules:", *found] if found else ["no rule speaks for it or against it"]


def value_lines(evaluator: Evaluator, state: NDArray[np.int32]) -> list[str]:
    """Say what the learned value sees in the position before the move, without any search."""
    chance = 100 * (evaluator.value(state) + 1) / 2
    head = f"{evaluator.weights.features} without search: chance {chance:.1f} %"
    return [head, *(f"        {reason.share:+.3f}  {reason.what}" for reason in evaluator.why(state))]
