"""The literals of the full vocabulary, about the move and the points around it: read from a clause and described."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from gotools.base.errors import GotoolsError
from gotools.games.go.shapes import Shape, parse_shape
from gotools.games.go.vocabulary import MEASURE_OF
from gotools.rules.clauses.rules import Literal, Var

Offset = tuple[int, int]
UNBOUNDED = 361
"""No chain has more stones or liberties (19x19): the open end of an interval."""
MOVES = {"last_on_pos": "the last move", "last2_on_pos": "its own previous move"}
AT_OFFSETS = ("empty_on_pos", "outside_on_pos", *MOVES)
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class Measurement(NamedTuple):
    """One measure of a stone at the point.

    side -- "own", "opponent", "either" for a colour left open, "" if no colour matters
    colour -- the variable of a colour left open: two of them may be two colours
    low, high -- of a number; outcome -- works, fails, real, false or ""
    """

    name: str
    side: str
    colour: str = ""
    low: int = 0
    high: int = UNBOUNDED
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Offsets that are empty or off the board, those of the last moves, the measures of the point, and shapes."""

    empty: tuple[Offset, ...] = ()
    outside: tuple[Offset, ...] = ()
    moves: tuple[tuple[str, Offset], ...] = ()
    measured: tuple[Measurement, ...] = ()
    shapes: tuple[Shape, ...] = ()


@dataclass(slots=True)
class SurroundingsReader:
    """Collects the literals of one clause; numbers and colours are solved at the end."""

    empty: list[Offset] = field(default_factory=list)
    outside: list[Offset] = field(default_factory=list)
    moves: dict[str, Offset] = field(default_factory=dict)
    numbers: list[tuple[str, str, int | str]] = field(default_factory=list)
    others: list[tuple[str, str, str]] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    consistent: bool = True

    def read(self, literal: Literal, in_frame: Callable[[str], bool], is_colour: Callable[[str], bool]) -> bool:
        """Take in a literal; returns False for one of another vocabulary."""
        name, args = literal
        if args[:3] != (Var("A"), Var("C"), Var("D")):
            return False
        measure = MEASURE_OF.get(name)
        match args[3:]:
            case (int(dx), int(dy), Var(frame)) if name in AT_OFFSETS and (dx, dy) != (0, 0):
                return in_frame(frame) and self._read_offset(name, (dx, dy))
            case (number,) if measure and measure.is_number and not measure.coloured and _is_number(number):
                self.numbers.append((name, "", _number_of(number)))
            case (Var(colour), number) if measure and measure.is_number and is_colour(colour) and _is_number(number):
                self.numbers.append((name, colour, _number_of(number)))
            case (Var(colour), str(word)) if measure and word in measure.words and is_colour(colour):
                self.others.append((name, colour, word))
            case (Var("B"), str(text)) if name == "shape":
                return self._read_shape(text)
            case (Var(colour),) if measure and not measure.last and is_colour(colour):
                self.others.append((name, colour, ""))
            case _:
                return False
        return True

    def _read_offset(self, name: str, offset: Offset) -> bool:
        if name in MOVES:
            self.consistent &= self.moves.setdefault(name, offset) == offset
        else:
            mine = self.empty if name == "empty_on_pos" else self.outside
            if offset not in mine:
                mine.append(offset)
        self.consistent &= not set(self.empty) & set(self.outside)
        return True

    def _read_shape(self, text: str) -> bool:
        try:
            self.shapes.append(parse_shape(text))
        except GotoolsError:
            return False
        return True

    def variables(self) -> set[str]:
        """Return the number variables that are bound here."""
        return {number for _, _, number in self.numbers if isinstance(number, str)}

    def solved(self, side: Callable[[str], str], ranges: Iterable[tuple[str, int, int]]) -> Surroundings:
        """Return what was read, with the numbers narrowed by the ranges of their variables."""
        known = list(ranges)

        def whose(colour: str) -> tuple[str, str]:
            who = side(colour) if colour else ""
            return who, colour if who == "either" else ""

        spans: dict[tuple[str, tuple[str, str]], tuple[int, int]] = {}
        for name, colour, number in self.numbers:
            key = name, whose(colour)
            limits = [(number, number)] if isinstance(number, int) else [(a, b) for n, a, b in known if n == number]
            low, high = spans.get(key, (MEASURE_OF[name].least, UNBOUNDED))
            spans[key] = max([low, *(a for a, _ in limits)]), min([high, *(b for _, b in limits)])
        self.consistent &= all(low <= high for low, high in spans.values())
        measured = [Measurement(name, *who, low, high) for (name, who), (low, high) in spans.items()]
        measured += [Measurement(name, *whose(colour), outcome=outcome) for name, colour, outcome in self.others]
        return Surroundings(
            tuple(sorted(self.empty, key=_nearest)),
            tuple(sorted(self.outside, key=_nearest)),
            tuple(self.moves.items()),
            tuple(dict.fromkeys(measured)),
            tuple(dict.fromkeys(self.shapes)),
        )


def _is_number(term: object) -> bool:
    return isinstance(term, int | Var)


def _number_of(term: object) -> int | str:
    return term.name if isinstance(term, Var) else int(str(term))


def _nearest(offset: Offset) -> tuple[int, int, int]:
    return offset[0] ** 2 + offset[1] ** 2, -offset[1], offset[0]


# ---- words ----


def action_words(around: Surroundings, step: Callable[[Offset], str]) -> list[str]:
    """Return verb phrases for the last moves and the measures; step -- gives the name of an offset."""
    actions = [f"plays {_from(step(offset), MOVES[name])}" for name, offset in around.moves]
    return actions + [_measured_words(m) for m in around.measured]


def _from(name: str, what: str) -> str:
    if name == "next":
        return f"next to {what}"
    if name == "diagonal move":
        return f"diagonally next to {what}"
    return f"{'a ' if name.endswith(('jump', 'move')) else ''}{name} from {what}"


def pattern_words(around: Surroundings, away: Callable[[Offset], str]) -> list[str]:
    """Return clauses for shapes, empty points and those off the board; away -- describes the place of an offset."""
    said = [_shape_words(shape) for shape in around.shapes]
    if around.empty:
        said.append(f"{_points(around.empty, away)} empty")
    if around.outside:
        said.append(f"{_points(around.outside, away)} off the board")
    return said


def _shape_words(shape: Shape) -> str:
    """Say how large a shape is, and what it holds."""
    signs = list(shape.points().values())
    held = [
        f"{signs.count(sign)} {whose} stone{'s' * (signs.count(sign) > 1)}"
        for sign, whose in (("x", "own"), ("o", "opponent's"))
        if sign in signs
    ]
    where = " at the edge" if "#" in signs else ""
    return f"the {len(signs)} nearest points form a known shape{where} with {' and '.join(held) or 'no stones'}"


def _points(offsets: tuple[Offset, ...], away: Callable[[Offset], str]) -> str:
    if len(offsets) == 1:
        return f"a point {away(offsets[0])} is"
    return f"{len(offsets)} points nearby are"


_IN_WORDS = re.compile(r"\{(.+?)\}")


def _measured_words(m: Measurement) -> str:
    measure = MEASURE_OF[m.name]
    phrase = measure.phrases[m.side][measure.words.index(m.outcome) if m.outcome else 0]
    return _IN_WORDS.sub(lambda found: _number_words(m, found[1]), phrase)


def _number_words(m: Measurement, kind: str) -> str:
    """Return a number, or an interval, as a phrase of the vocabulary wants it: a line, a distance, or with a noun."""
    if kind == "line":
        return _line_words(m)
    if kind == "distance":
        return _distance_words(m)
    return _amount(m, *kind.split("|"))


def _amount(m: Measurement, one: str, many: str) -> str:
    if m.low == m.high:
        return f"{('no', 'one')[m.low] if m.low < 2 else m.low} {one if m.low < 2 else many}"
    if m.high >= 99:
        return f"{m.low} or more {many}" if m.low else f"any number of {many}"
    return f"{m.low} {'or' if m.high == m.low + 1 else 'to'} {m.high} {many}"


def _distance_words(m: Measurement) -> str:
    """Say a distance (across + up + the larger of the two) by the steps that have a name: 4 is a one-point jump."""
    low, high = m.low + (m.low == 1), m.high  # nothing is at distance 1
    if low == high and low in _STEPS:
        return f"{_STEPS[low]} {'to' if low < 4 else 'from'}"
    if low <= 2 and high == 3:
        return "next or diagonally next to"
    if low <= 2 and high in _STEPS:
        return f"within {_STEPS[high]} of"
    if high >= 99:
        return f"{_STEPS.get(low, f'distance {low}')} or more from" if low > 2 else "anywhere after"
    return f"at distance {low} from" if low == high else f"at distance {low} to {high} from"


_STEPS = {2: "next", 3: "diagonally next", 4: "a one-point jump", 5: "a knight's move"}


def _line_words(m: Measurement) -> str:
    low, high = max(m.low, 1), m.high
    if low == high:
        return f"on the {ordinal(low)} line"
    if high >= 99:
        return f"on the {ordinal(low)} line or above" if low > 1 else "on any line"
    return f"on the {ordinal(low)} {'or' if high == low + 1 else 'to'} {ordinal(high)} line"


def ordinal(number: int) -> str:
    """Return the word for a place in an order: "first", "second", "11th"."""
    return ORDINALS[number] if number < len(ORDINALS) else f"{number}th"
