"""Turn examples into questions for a user's predicates, and SWI-Prolog's answers into rows of arrays.

A question is one int64, so that equal ones are found by sorting:

    | place 31 | predicate 10 | colour 2 | x 5 | y 5 | block 9 |     0 where the predicate does not ask for it
      position, or positions + size for the empty board of that size; in other games than Go the last 16 bits are a move
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gotools.game.game import vocabulary_of
from gotools.game.vocabulary import Predicate
from gotools.jit.kernels.seams import TO_PLAY
from gotools.rules.clauses.kernels.conditions import Facts
from gotools.rules.clauses.points import Points, StateMoves
from gotools.rules.clauses.rules import MAX_INTEGER

OUTPUT = "-block"
"""The one type of output argument: the predicate binds a block."""

Constants = tuple[int | str, ...]

MOST_PREDICATES = 1000
_WIDTHS = (31, 10, 2, 5, 5, 9)
_BLOCK_BITS, _PREDICATE_SHIFT = _WIDTHS[-1], sum(_WIDTHS[2:])
_BLOCK_MASK = (1 << _BLOCK_BITS) - 1
_ATOM = re.compile(r"[a-z][A-Za-z0-9_]{0,39}")
_MOVE_MASK = 0xFFFF
_LETTERS = bytes.maketrans(b"\0\1\2", b"ebw")

MOST_TEXT = 1 << 21
"""Characters of questions in one call, beyond which no further position is asked about: Prolog reads them at once."""


class Asking(NamedTuple):
    """The questions to one predicate about a table: one per example, or one per block if it has a +block.

    acting -- the colour of the question: 1 own, 2 opponent's, 0 if the predicate has no +color
    questions -- int64[...]: as numbers; after `np.unique` their indices among the distinct ones
    """

    predicate: int
    acting: int
    questions: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answers:
    """Prolog's answers: parallel arrays, an entry per answer.

    question -- index among the distinct questions; frame -- 0..7; block -- as in Prolog, from 1
    constants -- index into `values`
    """

    question: NDArray[np.int64]
    frame: NDArray[np.uint8]
    block: NDArray[np.int64]
    constants: NDArray[np.int64]
    values: list[Constants]

    def of(self, predicate: int, questions: NDArray[np.int64]) -> Answers:
        """Return the answers that one predicate gave; questions -- the distinct ones."""
        number = questions[self.question] >> _PREDICATE_SHIFT & ((1 << _WIDTHS[1]) - 1)
        here = np.flatnonzero(number == predicate)
        return Answers(self.question[here], self.frame[here], self.block[here], self.constants[here], self.values)


def has_block(predicate: Predicate) -> bool:
    """Return whether the truth of a predicate is a property of blocks."""
    return OUTPUT in predicate.modes or "+block" in predicate.modes


def askings(predicate: Predicate, number: int, points: Points | StateMoves, facts: Facts) -> Iterator[Asking]:
    """Yield the questions to a predicate. One without +board is evaluated on an empty board of the size, in Go."""
    modes = predicate.modes
    if isinstance(points, StateMoves):
        own = points.state[points.position, TO_PLAY].astype(np.int64)
        move = points.place.astype(np.int64) & _MOVE_MASK if "+move" in modes else 0
        for acting, colour in enumerate((own, 3 - own), 1) if "+color" in modes else ((0, 0),):
            yield Asking(number, acting, _packed(points.position.astype(np.int64), number, colour, 0, 0, 0) | move)
        return
    example = np.arange(len(points))
    if "+block" in modes:
        example = np.repeat(example, np.diff(facts.start))
    position = points.position[example].astype(np.int64)
    size, point = points.size[position].astype(np.int64), points.point[example].astype(np.int64)
    place = position if "+board" in modes else len(points.size) + size
    x = point % size + 1 if "+coord_x" in modes else 0
    y = point // size + 1 if "+coord_y" in modes else 0
    block = facts.number[3].astype(np.int64) + 1 if "+block" in modes else 0
    own = points.to_play[position].astype(np.int64)
    for acting in (1, 2) if "+color" in modes else (0,):
        colour = own if acting == 1 else 3 - own if acting == 2 else 0
        yield Asking(number, acting, _packed(place, number, colour, x, y, block))


def _packed(*parts: NDArray[np.int64] | int) -> NDArray[np.int64]:
    out = np.asarray(parts[0], np.int64)
    for part, width in zip(parts[1:], _WIDTHS[1:], strict=True):
        out = out << width | part
    return out


def items(points: Points | StateMoves, questions: NDArray[np.int64]) -> Iterator[str]:
    """Yield distinct, sorted questions as the terms that run/3 of background_loader.pl takes, each position first.

    Stops at a position after MOST_TEXT.
    """
    columns = [(questions >> sum(_WIDTHS[k + 1 :]) & ((1 << width) - 1)).tolist() for k, width in enumerate(_WIDTHS)]
    if isinstance(points, StateMoves):
        move, nothing = (questions & _MOVE_MASK).astype(np.int16), [0] * len(questions)
        columns[3:] = points.game.moves_at(move, points.size[columns[0]]).tolist(), nothing, nothing
    current, length = -1, 0
    for place, predicate, colour, x, y, block in zip(*columns, strict=True):
        if place != current:
            if length > MOST_TEXT:
                return
            current, facts = place, ",".join(_position(points, place))
            length += len(facts)
            yield f"p([{facts}])"
        yield f"c({predicate + 1},{'ebw'[colour]},{x},{y},{block})"


def _position(points: Points | StateMoves, place: int) -> list[str]:
    """Return the facts of a position."""
    if isinstance(points, StateMoves):
        tell = vocabulary_of(points.game.name).facts
        assert tell is not None
        return [line.rstrip(".") for line in tell(points.state[place].astype(np.int32), "here")]
    positions = len(points.size)
    if place >= positions:
        size = place - positions
        return [f"position(here,{size},cells({','.join('e' * size**2)}))", "to_play(here,b)"]
    size = int(points.size[place])
    cells = ",".join(points.board[place, : size**2].tobytes().translate(_LETTERS).decode())
    columns = (("ko", points.ko), ("last_move", points.last), ("last_but_one", points.last2))
    known = [(name, int(column[place])) for name, column in columns if column[place] >= 0]
    facts = [f"position(here,{size},cells({cells}))", f"to_play(here,{'ebw'[points.to_play[place]]})"]
    return facts + [f"{name}(here,{p % size + 1},{p // size + 1})" for name, p in known]


def read_answers(
    rows: list[list[int | str]], first: int, questions: int, index: dict[Constants, int]
) -> NDArray[np.int64]:
    """Return answers of run/3, each [question, frame, block, constants...], as int64[n, 4]: last the constants' number.

    first -- number of the first question of the batch; questions -- how many there are in all
    index -- numbers of constants; new ones are added

    Raises ValueError for anything but numbers in range and plain constants.
    """
    if not all(type(row) is list and len(row) > 2 for row in rows):
        raise ValueError("not a list of answers")
    if not {type(number) for row in rows for number in row[:3]} <= {int}:
        raise ValueError("no numbers")
    if not {type(value) for row in rows for value in row[3:]} <= {int, str}:
        raise ValueError("no constant")
    keys = [tuple(row[3:]) for row in rows]
    for key in dict.fromkeys(keys):
        if not all(map(_is_constant, key)):
            raise ValueError("no constant")
        index.setdefault(key, len(index))
    found = np.array([(*row[:3], index[key]) for row, key in zip(rows, keys, strict=True)], np.int64).reshape(-1, 4)
    found[:, 0] += first
    if (found < 0).any() or (found[:, :3] >= (questions, 8, 1 << _BLOCK_BITS)).any():
        raise ValueError("a number out of range")
    return found


def _is_constant(value: int | str) -> bool:
    return abs(value) <= MAX_INTEGER if isinstance(value, int) else _ATOM.fullmatch(value) is not None


def row_of_truth(
    predicate: Predicate, facts: Facts, asking: Asking, answers: Answers, constants: int
) -> NDArray[np.uint8]:
    """Return a row of `given` or `properties` (see Facts): where a predicate holds with these constants."""
    here = np.flatnonzero(answers.constants == constants)
    question = answers.question[here]
    if OUTPUT in predicate.modes:
        pairs = _pairs(question, answers.block[here])
        return np.isin(_chains(facts, asking), pairs).astype(np.uint8)
    bits = np.zeros(max(asking.questions.max(initial=-1), question.max(initial=-1)) + 1, np.uint8)
    if "+pos" in predicate.modes:
        np.bitwise_or.at(bits, question, np.uint8(1) << answers.frame[here])
    else:
        bits[question] = 1 if has_block(predicate) else 255
    return bits[asking.questions]


def strange_block(facts: Facts, asking: Asking, answers: Answers) -> int | None:
    """Return a block among the answers that is not a chain of its position, or None."""
    mine = np.isin(answers.question, asking.questions)
    question, block = answers.question[mine], answers.block[mine]
    wrong = np.flatnonzero(~np.isin(_pairs(question, block), _chains(facts, asking)))
    return int(block[wrong[0]]) if len(wrong) else None


def _pairs(question: NDArray[np.int64], block: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each question with a block; an invalid block becomes 0, which is no block."""
    return question << _BLOCK_BITS | np.where((block > 0) & (block <= _BLOCK_MASK), block, 0)


def _chains(facts: Facts, asking: Asking) -> NDArray[np.int64]:
    """Return the pair of every block with the question of its example."""
    return _pairs(np.repeat(asking.questions, np.diff(facts.start)), facts.number[3].astype(np.int64) + 1)
