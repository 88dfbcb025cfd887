"""The traits of games: what a game may supply beyond its rules. `Game.find` finds one by its class."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from gotools.game.goals import Goal, Solvable
from gotools.game.learning import Grid, MoveFeatures, Pieces, Planes, TupleBoard
from gotools.game.trials import Trials
from gotools.game.vocabulary import Vocabulary

# records and start positions ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Records of a game where they are more than moves as text.

    read  -- notations beside SGF and JSON lines, of the content of a file and its name: yields each game as a Record
             (game/records/record.py), and a Problem for each that cannot be read; raises nothing, whatever the content.
             None: there are none
    suffixes -- of files of these notations, of a game of another package; those of ours are in `Place`
    main_line -- makes the Record of the main line of an SGF tree (game/records/mainline.py), of its nodes, the id and
             the name of the file; raises Broken. None: the moves are texts of the game
    fold  -- writes runs of moves in an SGF text in a quicker form, which `main_line` reads. None: there is none
    values -- the properties of a header in SGF beyond those of every game, of a Record
    place_text -- a place on a board of a size in SGF. None: as the game writes the move
    strength -- of the text of a rank (game/records/ranks.py, Strength). None: ratings and ranks have a scale each
    """

    read: Callable[[bytes, str], Iterator[Any]] | None = None
    suffixes: tuple[str, ...] = ()
    main_line: Callable[[list[Any], str, str], Any] | None = None
    fold: Callable[[bytes], bytes] | None = None
    values: Callable[[Any], dict[str, str]] = lambda record: {}
    place_text: Callable[[int, int], bytes] | None = None
    strength: Callable[[str], Any] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows of examples of a game whose positions take less room or time in a form of their own than as states.

    kind    -- the class, an `Examples` (game/examples/examples.py); without the trait it is `States`
    diagram -- lines of text that show people the move of a row
    key     -- explains the signs of a diagram; styles -- of these signs, for rich
    """

    kind: type[Any]
    diagram: Callable[[Any, int], list[str]]
    key: str
    styles: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Moves as text, of a game whose moves are read without its position.

    pattern -- of the moves of a game on a board of a size with blanks between, or none
    place   -- reads a move on a board of a size, in any case; raises ValueError with a message for the user
    """

    pattern: Callable[[int], re.Pattern[str]]
    place: Callable[[str, int], int]


@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """Positions as text, and the start positions and limits that a game may be played with.

    write -- a position on one line of text, by which `started_from` finds it in a game whose settings are positions
    with_setting -- the same `Game` from another start position or with other limits, by a text (`find_game`); None for
             a game without settings
    """

    write: Callable[[NDArray[np.int32]], str]
    with_setting: Callable[[str], Any] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Repetition:
    """The end of a game by a repeated position, for those that know it whole: referees and players over GTP.

    Searches and learners do not see it.

    count     -- a position that comes so often ends the game; 0: never. It is then a draw, except for what comes next
    perpetual -- whether a repetition is lost for a side that made threats (`Game.threatened`) with all of its moves in
                 between
    history   -- the class of `History` (game/history.py) by which the game tells positions apart, and ends; None: the
                 general one, by states
    """

    count: int
    perpetual: bool = False
    history: type[Any] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scoring:
    """How a game is counted that ends by agreement of the players, with komi and by one of several rule sets.

    States are positions, points the places of moves; leads are black's points less white's and less komi.

    rules    -- the rule sets by their names
    usual    -- the rule set of a game over GTP until another is set
    read     -- a rule set from its name, or from a table of settings; raises GotoolsError, ValueError
    parse    -- a rule set of a controller's text; raises GotoolsError
    replayed -- the rule set to replay a record by that names its rules by a text, beside those that are set
    count    -- the lead in a state, by dead stones that are taken off, whole chains, a rule set and komi
    chains   -- the points of the chains of some points in a state, in order; None unless all these points are stones
    estimate -- the lead in a state by komi, and by keyword by `rules` and the `seed` of the playouts that find dead
                stones, where the rules take these off
    status   -- the stones of a state that will be "alive", in "seki" or "dead", by the seed of playouts: the points of
                each chain
    owners   -- of a state and the seed of playouts: rows from the top of who will own each point, 1 black to -1 white
    remarks  -- what a state and komi say beside the board, for people
    longest  -- of games on a board of a size: moves after which they are counted as the board stands
    finished -- a state on a board of a size that can be counted and has a dead stone, for rehearsals
    trials   -- what `tournament check` tries an engine with
    """

    rules: Mapping[str, Any]
    usual: Any
    read: Callable[[Any], Any]
    parse: Callable[[str], Any]
    replayed: Callable[[Any, str], Any]
    count: Callable[[NDArray[np.int32], Sequence[int], Any, float], float]
    chains: Callable[[NDArray[np.int32], Sequence[int]], list[int] | None]
    estimate: Callable[..., float]
    status: Callable[[NDArray[np.int32], int, str], list[list[int]]]
    owners: Callable[[NDArray[np.int32], int], list[list[float]]]
    remarks: Callable[[NDArray[np.int32], float], str]
    longest: Callable[[int], int]
    finished: Callable[[int], NDArray[np.int32]]
    trials: Trials


@dataclass(frozen=True, slots=True, eq=False)
class SetUp:
    """Stones that are put on the board by hand, in a game in which either side may move at any time.

    put    -- a position with stones put on it, (side, place) each, or taken off it (side 0), and a side to play; what
              came before is not known. Raises ValueError for an illegal position
    stones -- the places of a side's stones in a state, in order
    fixed  -- the usual places of handicap stones on a board of a size, by their number; raises GotoolsError
    most   -- of these on a board of a size, 0 for none
    free   -- places of handicap stones that a player likes; raises GotoolsError
    """

    put: Callable[[NDArray[np.int32], Sequence[tuple[int, int]], int], NDArray[np.int32]]
    stones: Callable[[NDArray[np.int32], int], list[int]]
    fixed: Callable[[int, int], list[int]]
    most: Callable[[int], int]
    free: Callable[[int, int], list[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Symmetry:
    """The symmetries of a game's rules and start position.

    images -- of a place on a board of a size, the place itself first
    """

    images: Callable[[int, int], Sequence[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Openings:
    """Openings of a tournament, where they are not found by the game's rules alone.

    generated -- openings as places, for a board of a size, in an order drawn by a seed
    unfit     -- why the first moves of a record, int[k, 2] of side and place, are no opening; "" where they may be one
    position  -- what a position has in common with its images under the symmetries of the board
    """

    generated: Callable[[int, int], list[list[int]]]
    unfit: Callable[[NDArray[np.integer]], str]
    position: Callable[[NDArray[np.int32]], Hashable]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """The board of a game as a drawing, in steps from one place to the next.

    places -- of a board of a size: column and row of each place, from 0, the rows from the top
    ground -- what an empty board shows: lines through its places, squares around them, or holes
    names  -- of a board of a size: the coordinates, as column, row and text; those before column 0 end there
    signs  -- of a position, for each place: "." nothing, X and O stones of black and white, others pieces by their
              letters, capitals black's and small ones white's
    stars  -- of a board of a size: columns and rows of its dots
    below  -- of a position: lines to write below the board, the same number for all: pieces in hand
    script -- whether the script of pages plays the moves itself: stones put on places and captured as in Go. Else the
              page holds all positions
    """

    places: Callable[[int], Sequence[tuple[float, float]]]
    ground: Literal["lines", "squares", "holes"]
    names: Callable[[int], Sequence[tuple[float, float, str]]]
    signs: Callable[[NDArray[np.int32]], Sequence[str]]
    stars: Callable[[int], Sequence[tuple[int, int]]] = lambda size: ()
    below: Callable[[NDArray[np.int32]], Sequence[str]] = lambda state: ()
    script: bool = False


def in_rows(rows: int, columns: int) -> list[tuple[float, float]]:
    """Return the places of a board of rows and columns, row by row from the top."""
    return [(float(x), float(y)) for y in range(rows) for x in range(columns)]


# for players ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Passing:
    """The end of a game by agreement: when a player passes, and when it does not.

    judge -- of the history, the side, the limits, and by keyword `seed`, `cleanup` and `alive` of `Player.choose`:
             returns what a player asks before and after its search (games/go/estimate/passing.py, Judge)
    """

    judge: Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class Usual:
    """What a player uses and shows where its settings say nothing.

    search     -- of a player without learned values
    any_size   -- whether one player plays on boards of all sizes
    shown      -- moves that an explanation compares
    move_word  -- what messages of GTP call a move
    board      -- how people write the size of a board
    """

    search: Literal["mcts", "alphabeta"] = "alphabeta"
    any_size: bool = False
    shown: int = 7
    move_word: str = "MOVE"
    board: str = "size {0}"


@dataclass(frozen=True, slots=True, eq=False)
class Selective:
    """What alpha-beta may leave out in a game; players search so where their settings say nothing.

    skip   -- the move by which `Game.after` changes the side to play and nothing else; -1 where whoever need not move
              may be better off for it (zugzwang)
    margin -- what a ply may change in the value of a position; 0: anything
    extensions -- most plies by which threats in a line (`Game.threatened`) deepen its search, one for each
    """

    skip: int = -1
    margin: float = 0.0
    extensions: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Complexity:
    """How large a game is.

    positions -- the logarithm, to base 10, of the number of positions on a board of a size, and how it is known. A
                 position is what lies on the board and in the hands
    """

    positions: Callable[[int], tuple[float, str]]


WORDS: Final[dict[type, str]] = {
    Goal: "goal that a side may force, such as mate",
    Solvable: "exact scores of positions",
    Grid: "shapes: its board is no grid of cells",
    TupleBoard: "tuples",
    Planes: "features planes",
    Pieces: "features pieces",
    MoveFeatures: "features of moves, which clusters are made of",
    Vocabulary: "vocabulary of rules",
}
"""What a game lacks without a trait, in words, of those that `Game.need` is asked for."""
