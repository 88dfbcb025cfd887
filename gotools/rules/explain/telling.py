"""Rules of a game whose vocabulary is measures and a window, as a sentence and as a small board."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from gotools.game.game import vocabulary_of
from gotools.game.vocabulary import FROM_HERE, Measure, Vocabulary, Window
from gotools.rules.clauses.rules import Literal, Rule, Var

MAX_WORDS = 30
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOVE, ANYTHING = "*", "."
_IN_WORDS = re.compile(r"\{(.+?)\}")
Offset = tuple[int, int]


@dataclass(slots=True)
class Said:
    """A measure in a rule: for which side ("" without one), in which interval, or which word."""

    measure: Measure
    side: str
    low: int = -9999
    high: int = 9999
    word: str = ""

    @property
    def text(self) -> str:
        """Return the verb phrase."""
        phrases = self.measure.phrases[self.side]
        phrase = phrases[self.measure.words.index(self.word) if self.word else -1 if self._is_none else 0]
        return _IN_WORDS.sub(lambda found: self._number(found[1]), phrase)

    @property
    def _is_none(self) -> bool:
        """Whether it is a number that is 0."""
        return self.measure.is_number and max(self.low, self.measure.least) == self.high == 0

    def _number(self, nouns: str) -> str:
        one, _, many = nouns.partition("|")
        if nouns == "n":
            one = many = ""
        low, high = max(self.low, self.measure.least), self.high
        if low == high:
            return f"{_word(low)} {one if low == 1 else many}".strip()
        if high >= FROM_HERE or high == 9999:
            return f"{_word(low)} or more {many}".strip()
        if low == self.measure.least == 0:
            return f"at most {_word(high)} {one if high == 1 else many}".strip()
        joined = "or" if high == low + 1 else "to"
        return f"{_word(low)} {joined} {_word(high)} {many}".strip()


def _word(number: int) -> str:
    if number < 0:
        return f"minus {_word(-number)}"
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


@dataclass
class Telling:
    """What a rule says: its stage, its measures in the order of the clause, what stands where, a user's conditions."""

    rule: Rule
    stage: str = ""
    said: list[Said] = field(default_factory=list)
    held: list[tuple[Offset, str]] = field(default_factory=list)
    unread: list[Literal] = field(default_factory=list)
    contradictory: bool = False

    def __post_init__(self) -> None:
        sides, numbers = {"B": "own"}, dict[str, Said]()
        for literal in self.rule.body:
            if literal.predicate == "opposite":
                sides[str(literal.args[1])] = "opponent"
        known = {predicate.name for predicate in self.vocabulary.predicates}
        for literal in self.rule.body:
            self._read(literal, sides, numbers)
            if literal.predicate not in known:
                self.unread.append(literal)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return vocabulary_of(self.rule.game)

    @property
    def cells(self) -> dict[Offset, str]:
        """What is drawn at each offset: the last class that the rule names there."""
        return dict(self.held)

    def _read(self, literal: Literal, sides: dict[str, str], numbers: dict[str, Said]) -> None:
        name, args = literal.predicate, literal.args
        if name == "stage":
            self.contradictory |= self.stage not in ("", str(args[1]))
            self.stage = str(args[1])
        elif name == "cell":
            self.held.append(((int(str(args[2])), int(str(args[3]))), str(args[4])))
        elif name == "range" and str(args[0]) in numbers:
            one = numbers[str(args[0])]
            one.low, one.high = max(one.low, int(str(args[1]))), min(one.high, int(str(args[2])))
            self.contradictory |= one.low > one.high
        for measure in self.vocabulary.measures:
            if measure.name == name:
                self._measure(measure, literal, sides, numbers)

    def _measure(self, measure: Measure, literal: Literal, sides: dict[str, str], numbers: dict[str, Said]) -> None:
        one = Said(measure, sides.get(str(literal.args[2]), "own") if measure.coloured else "")
        self.said.append(one)
        if measure.is_number and isinstance(literal.args[-1], Var):
            numbers[literal.args[-1].name] = one
        elif measure.is_number:
            one.low = one.high = int(str(literal.args[-1]))
        elif measure.words:
            one.word = str(literal.args[-1])

    def sentence(self) -> str:
        """Return the rule in one sentence; what does not fit in MAX_WORDS is counted."""
        if self.contradictory:
            return "Can never apply."
        begin = f"{self.vocabulary.stages[self.stage]}, " if self.stage else ""
        actions, places = [one.text for one in self.said], self._places()
        quoted = [f"{literal} holds" for literal in self.unread]
        for kept in range(len(actions) + len(places) + len(quoted), -1, -1):
            first, rest = actions[:kept] or ["plays"], places[: max(0, kept - len(actions))]
            last = quoted[: max(0, kept - len(actions) - len(places))]
            text = begin + joined(first)
            if rest:
                text += f"{', ' if actions[:kept] else ' '}with {joined(rest)}"
            if last:
                text += f", and {joined(last)}"
            left_out = len(actions) + len(places) + len(quoted) - kept
            if left_out:
                text += f"; {left_out} more condition{'s' * (left_out > 1)}"
            if len(text.split()) <= MAX_WORDS:
                break
        return text[0].upper() + text[1:] + "."

    def _places(self) -> list[str]:
        window = self.vocabulary.window
        if window is None:
            return []
        return [f"{window.classes[held]} {window.words(*offset)}" for offset, held in self.held]


def joined(parts: list[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


@dataclass
class MoveDrawing:
    """A rule as a small board: the move in the middle, a sign for what the rule says of a place."""

    telling: Telling

    @property
    def signs(self) -> dict[Offset, str]:
        """The sign at each offset."""
        window = self.telling.vocabulary.window
        held = {} if window is None else {at: window.signs[one] for at, one in self.telling.cells.items()}
        return {**held, (0, 0): MOVE} if (0, 0) not in held else held

    def edges(self) -> tuple[int | None, int | None, int | None, int | None]:
        """See `Drawing`: a rule does not place edges."""
        return None, None, None, None

    def extent(self) -> tuple[range, range]:
        """Return the offsets of the columns and of the rows that are drawn."""
        xs, ys = ([at[k] for at in self.signs] for k in (0, 1))
        high = 2 if self.hexagonal else 1
        return range(min(-1, *xs), max(1, *xs) + 1), range(min(-high, *ys), max(high, *ys) + 1)

    @property
    def hexagonal(self) -> bool:
        """Whether offsets are half steps on a board of hexagons."""
        window = self.telling.vocabulary.window
        return window is not None and window.hexagonal

    def places(self) -> list[Offset]:
        """Return the offsets that are drawn, from the top."""
        columns, rows = self.extent()
        window = self.telling.vocabulary.window
        every = 2 if window is not None and window.staggered else 1
        return [(x, y) for y in reversed(rows) for x in columns if (x + y) % every == 0]

    def board(self) -> list[str]:
        """Draw the places around the move, from the top; straight ahead is up."""
        columns, rows = self.extent()
        signs = dict.fromkeys(self.places(), ANYTHING) | self.signs
        return [" ".join(signs.get((x, y), " ") for x in columns) for y in reversed(rows)]

    def legend(self) -> list[str]:
        """The sentence says the rest."""
        return []

    def side_of(self, sign: str) -> str:
        """Return whose the piece of a sign is: "own", "opponent", or "" for another sign."""
        window = self.telling.vocabulary.window
        names = [] if window is None else [name for name, one in window.signs.items() if one == sign]
        return window.side_of(names[0]) if window is not None and names else ""


def key_of(vocabulary: Vocabulary, rules: Iterable[Rule]) -> str:
    """Return the line that explains the signs in the drawings of some rules."""
    window = vocabulary.window
    signs = [] if window is None else [f"{window.signs[name]} {window.classes[name]}" for name in drawn(window, rules)]
    return "  ".join([f"{MOVE} the move", *signs, f"{ANYTHING} anything"])


def drawn(window: Window, rules: Iterable[Rule]) -> list[str]:
    """Return the classes that the drawings of some rules show, in the order of the window."""
    shown = {str(literal.args[4]) for rule in rules for literal in rule.body if literal.predicate == "cell"}
    return [name for name in window.classes if name in shown]
