"""The vocabulary of a game: what rules of where good players move may say about a move, and how it is said.

A measure of a move is a number, a word or a condition; a window shows what stands around the move, as the player who
moves sees it. Both are filled by compiled functions of the game, and their meaning in Prolog is in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

UNDEFINED: Final = -32768
"""Value of a number where the move has none: no condition on it holds then."""
FROM_HERE: Final = 99
"""A sentence says "or more" for an interval that ends here or above."""
Words = Mapping[str, tuple[str, ...]]


class Predicate(NamedTuple):
    """One predicate of a vocabulary: `modes` are its arguments with their direction, `meaning` a line for people.

    topic -- what a rule with it speaks of, in a few words; "" for one that only joins others
    level -- the smallest vocabulary that has it: its place in the levels of the game
    """

    name: str
    modes: tuple[str, ...]
    meaning: str
    topic: str = ""
    level: int = 0

    @property
    def arity(self) -> int:
        return len(self.modes)

    @property
    def variants(self) -> tuple[tuple[str, ...], ...]:
        """Its modes as a bottom clause has them: a number comes as a constant, and then as a variable."""
        if "-nat" not in self.modes:
            return (self.modes,)
        return tuple(tuple(nat if mode == "-nat" else mode for mode in self.modes) for nat in ("#nat", "-nat"))


class Measure(NamedTuple):
    """One measure of a move, and how it is explained.

    meaning -- a line for people; topic -- what a rule with it speaks of, in a few words
    phrases -- for the "own" side, the "opponent" (as if the other side made this move) and "either" (a side left open,
               in Go alone), or for "" if it has no side: a verb phrase for each word, otherwise one, and of a number
               perhaps a second, for 0. {one|many} in them stands for the number with a noun, {n} for the number alone
    coloured -- it depends on the side that makes the move; such a measure has a column for each side
    last    -- type of its last argument: "nat", that of `words`, or "" for a condition that holds or not
    words   -- what it may say, if that is a word: the column then holds 1, 2, ... or 0 for none of them; that of a
               condition holds 1 or 0
    least   -- smallest number; tried, intervals -- constants that --objective rank tries, and ranges
    level   -- the smallest vocabulary that has it: its place in the levels of the game
    row     -- the name of a constant of rules/clauses/kernels/measures.py, for Go
    at      -- the arguments before
    """

    name: str
    meaning: str
    topic: str
    phrases: Words
    coloured: bool = False
    last: str = ""
    words: tuple[str, ...] = ()
    least: int = 0
    tried: Sequence[int] = ()
    intervals: tuple[tuple[int, int], ...] = ()
    level: int = 0
    row: str = ""
    at: tuple[str, ...] = ("+board", "+move")

    @property
    def is_number(self) -> bool:
        return self.last == "nat"

    @property
    def columns(self) -> int:
        """The number of its columns: that of the own side comes first."""
        return 1 + self.coloured

    @property
    def predicate(self) -> Predicate:
        last = (f"-{self.last}" if self.is_number else f"#{self.last}",) if self.last else ()
        colour = ("+color",) if self.coloured else ()
        return Predicate(self.name, (*self.at, *colour, *last), self.meaning, self.topic, self.level)


class Window(NamedTuple):
    """The places around a move that rules may speak of, in the frames in which the game looks the same.

    offsets -- (dx, dy) from the place that the move comes to, as the mover sees it: dx to the right, dy ahead
    frames  -- the number of frames, at most 8; in each the places are turned or mirrored
    classes -- what may stand there, each with its words: "own" -> "an own stone". A place may be of several. Drawings
               know "own", "other", "empty" and "outside"; "own_..." and "other_..." are kinds of pieces
    tried   -- the classes that --objective rank tries
    words   -- the place of an offset, as "two squares ahead"; without left and right where frames are mirrored
    signs   -- a letter for each class, for diagrams
    hexagonal -- offsets are half steps on a board of hexagons: (0, 2) is the next place ahead
    """

    offsets: tuple[tuple[int, int], ...]
    frames: int
    classes: Mapping[str, str]
    tried: tuple[str, ...]
    words: Callable[[int, int], str]
    signs: Mapping[str, str]
    hexagonal: bool = False

    @property
    def staggered(self) -> bool:
        """Whether each row has every second place only: hexagons, the dark squares of a board."""
        return all((dx + dy) % 2 == 0 for dx, dy in self.offsets)

    def side_of(self, name: str) -> str:
        """Return whose a class of pieces is: "own", "opponent", or "" for another class."""
        return {"own": "own", "other": "opponent"}.get(name.partition("_")[0], "")


class Pruning(NamedTuple):
    """How alpha-beta follows rules unless its settings say otherwise: by default they order moves and leave none out.

    widths     -- the best moves that are searched, by plies left, as in search/alphabeta.py; 0: all
    penalty    -- value that a unit of score below the best move costs: 1 / e of its probability
    order_from -- plies left from which on moves are scored: a score must cost less than what it saves
    """

    widths: tuple[int, ...] = (0,)
    penalty: float = 0.0
    order_from: int = 1


ORDER_ALONE: Final = Pruning()

HEAD: Final = ("board", "color", "move")
"""Types of the arguments of move(A,B,C), the head of rules."""
BOARD, FRAME = "+board", "+pos"


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The predicates by which rules speak of a game's moves.

    background -- of the package's file, in the folder of the game, that defines them in Prolog
    points   -- whether rules speak of points, chains and shapes, as in Go, whose vocabulary has modules of its own; its
                window and its functions are there
    given    -- these predicates
    head     -- types of the arguments of the head of rules
    levels   -- names of the vocabularies, the smallest first
    version  -- it rises when a meaning changes, or a measure goes
    measures -- in the order of their columns
    stages   -- of a game, by the number that `measure` returns, each with its words: "opening" -> "in the opening"
    window   -- what stands around a move
    measure  -- compiled with the signature MEASURE of jit/kernels/seams.py: fills all columns, returns the stage
    look     -- compiled with the signature LOOK: fills the classes of each place in each frame, a bit each
    order    -- compiled with the signature ORDER: scores moves by rules (jit/kernels/rule_table.py)
    pruning  -- by scores of rules, and of the policy of a network
    facts    -- of a position and the name of its board: lines of Prolog that say what the file of meanings asks for;
                `--background` needs them
    """

    background: str
    points: bool = False
    given: tuple[Predicate, ...] = ()
    head: tuple[str, ...] = HEAD
    levels: tuple[str, ...] = ("full",)
    version: int = 1
    measures: tuple[Measure, ...] = ()
    stages: Mapping[str, str] = field(default_factory=dict)
    window: Window | None = None
    measure: Any = None
    look: Any = None
    order: Any = None
    pruning: Pruning = ORDER_ALONE
    facts: Callable[[NDArray[np.int32], str], list[str]] | None = None

    @property
    def head_text(self) -> str:
        """The head of rules, as move(A,B,C)."""
        return f"move({','.join(chr(65 + at) for at in range(len(self.head)))})"

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        """The predicates that rules may use."""
        if self.points:
            return self.given
        found = [Predicate("opposite", ("+color", "-color"), "the other side")]
        if self.window is not None:
            cell = (BOARD, "+move", "#disp", "#disp", "#class", FRAME)
            found.append(Predicate("pos_gen", ("-pos",), "a frame in which the board is seen"))
            found.append(Predicate("cell", cell, "what stands at an offset from the move", "what stands nearby"))
        if self.stages:
            found.append(Predicate("stage", (BOARD, "#stage"), ", ".join(self.stages), "stage of the game"))
        if any(m.is_number for m in self.measures):
            found.append(Predicate("range", ("+nat", "#nat", "#nat"), "a number lies in a closed interval"))
        return (*found, *(m.predicate for m in self.measures))

    @property
    def words(self) -> Words:
        """What the arguments may say whose types have words."""
        classes = () if self.window is None else tuple(self.window.classes)
        return {"stage": tuple(self.stages), "class": classes} | {m.last: m.words for m in self.measures if m.words}

    def names(self, level: str) -> tuple[str, ...]:
        """Return the names of the predicates of a level."""
        most = self.levels.index(level)
        return tuple(p.name for p in self.predicates if p.level <= most)

    @property
    def column_of(self) -> Mapping[str, int]:
        """The first column of each measure, by name."""
        starts = accumulate((m.columns for m in self.measures), initial=0)
        return {m.name: at for m, at in zip(self.measures, starts, strict=False)}

    @property
    def columns(self) -> int:
        """The number of all columns."""
        return sum(m.columns for m in self.measures)
