"""The functions and data that a game supplies to search, learning and players: Game; find_game finds one by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gotools.errors import GotoolsError, nearest, quoted
from gotools.game_names import GAMES, check_game_name


@dataclass(frozen=True, slots=True, eq=False)
class FeatureSet:
    """The inputs of a network for a position: numbers for the side to play, positive where they favour it.

    labels   -- a name for each input, on a board of a size
    scales   -- float64[inputs]: an input times its scale is about 1 at most
    inputs   -- compiled with the signature INPUTS of kernels/seams.py: fills the inputs, not scaled
    evaluate -- compiled with the signature EVALUATE: the value of a network (kernels/network.py) over these inputs
    coarser  -- another feature set of the game, whose inputs are sums of these, or ""; a training can begin with its
                weights
    counted  -- int64[inputs]: the input of that one in which each of these is counted, -1 for none
    """

    name: str
    labels: Callable[[int], tuple[str, ...]]
    scales: Callable[[int], NDArray[np.float64]]
    inputs: Any
    evaluate: Any
    coarser: str = ""
    counted: Callable[[int], NDArray[np.int64]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The board of a game as cells in rows, for local patterns.

    shape      -- rows and columns of a board of a size
    symmetries -- of the rules on it: 8 on a square, 2 where only left and right are alike
    cells, changes -- compiled with the signatures CELLS and CHANGES of kernels/seams.py
    evaluate   -- compiled with the signature EVALUATE: the value by a table of patterns (kernels/windows.py)
    """

    shape: Callable[[int], tuple[int, int]]
    symmetries: int
    cells: Any
    changes: Any
    evaluate: Any


@dataclass(frozen=True, slots=True, eq=False)
class TupleBoard:
    """The board of a game as cells for n-tuples.

    shape      -- rows and columns of a board of a size; cell row * columns + column
    symmetries -- of the rules on it: 8 on a square, 2 where only left and right are alike, 1; they keep groups
    groups     -- int32[groups, cells]: cells whose states depend on each other, such as the columns of Connect-4; each
                  cell of the board is in one group. So that a table holds only patterns that can occur
    patterns   -- uint8[n, cells]: the states of the cells of a group in each state that a group can have. A cell is
                  empty (0), has a stone of side 1 or 2, or what else distinguishes cells (3 and more)
    states     -- compiled with the signature CELLS of kernels/seams.py: writes the state of each group; its
                  result is not used
    evaluate   -- compiled with the signature EVALUATE: the value by a table of n-tuples (kernels/tuples.py)
    """

    shape: Callable[[int], tuple[int, int]]
    symmetries: int
    groups: NDArray[np.int32]
    patterns: NDArray[np.uint8]
    states: Any
    evaluate: Any


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """The board of a game as planes for residual networks (kernels/residual.py).

    names -- of the planes
    shape -- rows and columns of a board of a size; a policy has an output for each point and one for a pass
    symmetries -- of the rules on it: 8 on a square, 2 where only left and right are alike
    fill, place, owners -- compiled with the signatures FILL, PLACE and OWNERS of kernels/seams.py
    judge, order, evaluate -- compiled with the signatures JUDGE, ORDER and EVALUATE of kernels/seams.py: the policy and
                the value of a network over these planes; the numbers of `order` are those of `judge`, as int64
    """

    names: tuple[str, ...]
    shape: Callable[[int], tuple[int, int]]
    symmetries: int
    fill: Any
    place: Any
    owners: Any
    judge: Any
    order: Any
    evaluate: Any

    @property
    def board(self) -> Any:
        """Return the functions that make samples, as the record BOARD of kernels/seams.py."""
        from gotools.jit import as_value
        from gotools.kernels.seams import Board

        return Board(as_value(self.fill), as_value(self.place), as_value(self.owners))

    def points(self, size: int) -> int:
        """Return how many points a board of a size has."""
        rows, columns = self.shape(size)
        return rows * columns


@dataclass(frozen=True, slots=True, eq=False)
class MoveFeatures:
    """The features of a move for an ordering by clusters: small integers, the same for both sides.

    names   -- of the features: names of columns, and words for people
    most    -- the largest value of each; all begin at 0
    stages  -- names of the stages of the game, by the number that `measure` returns
    measure -- compiled with the signature MEASURE of kernels/seams.py
    order   -- compiled with the signature ORDER: scores moves by clusters over these features (kernels/clusters.py)
    """

    names: tuple[str, ...]
    most: tuple[int, ...]
    stages: tuple[str, ...]
    measure: Any
    order: Any


@dataclass(frozen=True, slots=True, eq=False)
class Notations:
    """The notations of a game's records beside SGF and JSON lines.

    suffixes -- of their files
    read     -- of the content of a file and its name: yields each game as a TextGame (games/text_games.py), and an
                SgfProblem for each that cannot be read; raises nothing, whatever the content
    """

    suffixes: tuple[str, ...]
    read: Callable[[bytes, str], Iterator[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Heuristic:
    """A fixed evaluation to learn against: a function of the signature EVALUATE, and its numbers."""

    name: str
    evaluate: Any
    numbers: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """The functions and data of a game of two players who alternate (a pass is a move).

    The functions are compiled with the signatures of kernels/seams.py, which defines their meaning. A position is one
    int32 array; a move is an int from 0 to moves - 1.

    cells    -- length of a position
    moves    -- one more than the largest move
    longest  -- most moves that one position may offer, passes included
    sizes    -- board sizes; the first is the usual one
    legal    -- lists all legal moves
    worthy   -- lists those worth searching: Go leaves out own eyes; others list all
    noisy    -- lists moves to be searched before a position is valued (quiescence); may list none
    playout  -- plays to the end at random, with the game's heuristics against bad moves
    decided  -- a finished game that is not drawn is worth this much at least; alpha-beta scales evaluations to it, so
                that a victory in sight is preferred to hope. Below 1, a victory is worth less the later it comes
    images   -- the images of a move under the symmetries of a board of a size, the move itself first
    sgf_number -- GM of its records: assigned by the specification of SGF, or above 1000 (docs/records.md)
    plies    -- moves after which the rules make it a draw; 0: no limit
    counter  -- the entry of a position that counts the moves, -1 if there is none
    repetition -- a position that comes so often ends the game for those that know it whole (referees, players over
                GTP), not for searches and learners; 0: never. It is then a draw, except for what comes next
    threatened -- compiled with the signature THREATENED: whether the side to play must answer a threat, a check or an
                atari by the last move. None where the game has none; alpha-beta then extends no lines
    perpetual -- whether a repetition is lost for a side that made such threats with all of its moves in between
    with_setting -- the same game from another start position or with other limits, by a text (`find_game`); None where
                there is none
    write_position -- a position on one line of text, by which `started_from` finds it in a game whose settings are
                positions; None: the lines of `draw`, joined by `/`
    why_illegal -- says in words why a move is not legal in a position; "" where it has nothing to say
    setting  -- the text that made this one; "" for the game as it usually is
    records  -- "module:ATTRIBUTE" of Notations; "" for a game whose records are SGF and JSON lines only

    For learning, where a game has them; modules are imported on demand:
    komi      -- the entry of a position that holds twice the komi, -1 without komi
    pass_move -- the move that passes, -1 without passes; self-play passes only if it is the only worthy move
    features  -- "module:ATTRIBUTE" of each FeatureSet, by its name
    mixed     -- "module:ATTRIBUTE" of a function that makes a FeatureSet of a text that is no such name; raises
                 GotoolsError
    grid      -- "module:ATTRIBUTE" of a Grid
    tuples    -- "module:ATTRIBUTE" of a TupleBoard
    planes    -- "module:ATTRIBUTE" of Planes
    heuristic -- "module:ATTRIBUTE" of a Heuristic
    heuristics -- "module:ATTRIBUTE" of further ones, by their names
    tally     -- "module:ATTRIBUTE" of a function of the signature EVALUATE (it leaves its numbers alone): the
                 lead of the side to play in events that may be rewarded, in Go prisoners
    move_features -- "module:ATTRIBUTE" of MoveFeatures
    orders    -- "module:ATTRIBUTE" of functions of the signature ORDER that say which moves to try first, by their
                 names
    """

    name: str
    cells: int
    moves: int
    longest: int
    sizes: tuple[int, ...]
    start: Any
    legal: Any
    worthy: Any
    after: Any
    outcome: Any
    key: Any
    noisy: Any
    playout: Any
    move_text: Callable[[int, int], str]
    """Text of a move on a board of a size: move_text(move, size)."""
    parse_move: Callable[[str, int], int]
    """Move of a text; raises ValueError with a message for the user."""
    draw: Callable[[NDArray[np.int32]], str]
    """A position as lines of text."""
    decided: float = 1.0
    images: Callable[[int, int], Sequence[int]] = lambda move, size: (move,)
    sgf_number: int = 0
    plies: int = 0
    counter: int = -1
    repetition: int = 0
    threatened: Any = None
    perpetual: bool = False
    with_setting: Callable[[str], Game] | None = None
    setting: str = ""
    write_position: Callable[[NDArray[np.int32]], str] | None = None
    why_illegal: Callable[[NDArray[np.int32], int], str] = lambda state, move: ""
    records: str = ""
    komi: int = -1
    pass_move: int = -1
    features: Mapping[str, str] = field(default_factory=dict)
    mixed: str = ""
    grid: str = ""
    tuples: str = ""
    planes: str = ""
    heuristic: str = ""
    heuristics: Mapping[str, str] = field(default_factory=dict)
    tally: str = ""
    move_features: str = ""
    orders: Mapping[str, str] = field(default_factory=dict)

    def find_features(self, name: str) -> FeatureSet:
        """Return a feature set by its name, or one mixed of several inputs.

        Raises GotoolsError for a name that the game does not have.
        """
        if name not in self.features and self.mixed:
            some: FeatureSet = _import(self.mixed)(name)
            return some
        if name not in self.features:
            raise GotoolsError(f"{self.name} has no features {quoted(name)}{nearest(name, list(self.features))}")
        features: FeatureSet = _import(self.features[name])
        return features

    def _find(self, place: str, what: str) -> Any:
        if not place:
            raise GotoolsError(f"{self.name} has no {what}")
        return _import(place)

    def find_grid(self) -> Grid:
        """Return the board as a grid. Raises GotoolsError if the game has none."""
        grid: Grid = self._find(self.grid, "shapes: its board is no grid of cells")
        return grid

    def find_tuple_board(self) -> TupleBoard:
        """Return the board for n-tuples. Raises GotoolsError if the game has none."""
        board: TupleBoard = self._find(self.tuples, "tuples")
        return board

    def find_planes(self) -> Planes:
        """Return the board as planes. Raises GotoolsError if the game has none."""
        planes: Planes = self._find(self.planes, "features planes")
        return planes

    def find_notations(self) -> Notations | None:
        """Return the notations of records, None if they are SGF and JSON lines only."""
        return _import(self.records) if self.records else None

    def find_heuristic(self, name: str = "") -> Heuristic | None:
        """Return a fixed evaluation by its name, without one the game's first; None if the game has none.

        Raises GotoolsError for a name that the game does not have.
        """
        if name and name not in self.heuristics:
            near = nearest(name, list(self.heuristics)) if self.heuristics else "; it has no names of heuristics"
            raise GotoolsError(f"{self.name} has no heuristic {quoted(name)}{near}")
        place = self.heuristics[name] if name else self.heuristic
        return _import(place) if place else None

    def find_tally(self) -> Any:
        """Return the function that counts events, None if the game has none."""
        return _import(self.tally) if self.tally else None

    def find_move_features(self) -> MoveFeatures:
        """Return the features of moves. Raises GotoolsError if the game has none."""
        found: MoveFeatures = self._find(self.move_features, "features of moves, which clusters are made of")
        return found

    def find_order(self, name: str) -> Any:
        """Return the function that scores moves, of a name in `orders`."""
        return _import(self.orders[name])

    def repetition_value(self, positions: Sequence[NDArray[np.int32]]) -> float | None:
        """Return what the last of some positions is worth to the side to play by repetition; None: the game goes on."""
        if not self.repetition:
            return None
        texts = [self._without_counter(state) for state in positions]
        if texts.count(texts[-1]) < self.repetition:
            return None
        if not self.perpetual:
            return 0.0
        side, repeated = positions[-1][_TO_PLAY], positions[texts.index(texts[-1]) + 1 :]
        for value, threatened in ((1.0, side), (-1.0, 3 - side)):
            found = [bool(self.threatened(state)) for state in repeated if state[_TO_PLAY] == threatened]
            if found and all(found):
                return value
        return 0.0

    def moves_to_new_positions(self, positions: Sequence[NDArray[np.int32]]) -> list[int]:
        """List the moves from the last of some positions that lead to none of them."""
        known, last = {self._without_counter(state) for state in positions}, positions[-1]
        return [move for move in self.moves_of(last) if self._without_counter(self.play(last, move)) not in known]

    def _without_counter(self, state: NDArray[np.int32]) -> bytes:
        """Return what positions have in common that are the same at different times."""
        return (state if self.counter < 0 else np.delete(state, self.counter)).tobytes()

    def started_from(self, setting: str) -> Game:
        """Return this game with a further setting, which counts where the two contradict each other.

        Raises GotoolsError for a setting that the game does not have.
        """
        return find_game(f"{self.name}:{','.join(filter(None, (self.setting, setting)))}") if setting else self

    @property
    def full_name(self) -> str:
        """Return the text by which `find_game` finds this game: its name, and its setting if it has one."""
        return f"{self.name}:{self.setting}" if self.setting else self.name

    @property
    def rules(self) -> Any:
        """Return the functions that every kernel needs, and the pass, as the record RULES of kernels/seams.py."""
        from gotools.jit import as_value
        from gotools.kernels.seams import Rules

        worthy, after, outcome = (as_value(function) for function in (self.worthy, self.after, self.outcome))
        return Rules(worthy, after, outcome, self.pass_move, self.longest)

    def position(self, size: int | None = None, komi: float = 0.0) -> NDArray[np.int32]:
        """Return the position at the start.

        Raises GotoolsError for komi as `check_komi` does.
        """
        self.check_komi(komi)
        state = np.zeros(self.cells, np.int32)
        self.start(state, size or self.sizes[0])
        if komi:
            state[self.komi] = round(2 * komi)
        return state

    def text_of(self, state: NDArray[np.int32]) -> str:
        """Return a position on one line of text."""
        return "/".join(self.draw(state).splitlines()) if self.write_position is None else self.write_position(state)

    def check_komi(self, komi: float) -> None:
        """Raise GotoolsError for komi in a game that has none, and for one that is no multiple of 0.5."""
        if komi and self.komi < 0:
            raise GotoolsError(f"{self.name} has no komi")
        if 2 * komi != round(2 * komi):
            raise GotoolsError(f"komi is a multiple of 0.5, not {komi:g}")

    def moves_of(self, state: NDArray[np.int32]) -> list[int]:
        """List the legal moves."""
        moves = np.empty(self.longest, np.int32)
        found: list[int] = moves[: self.legal(state, moves)].tolist()
        return found

    def worthy_moves_of(self, state: NDArray[np.int32]) -> list[int]:
        """List the legal moves worth searching."""
        moves = np.empty(self.longest, np.int32)
        found: list[int] = moves[: self.worthy(state, moves)].tolist()
        return found

    def play(self, state: NDArray[np.int32], move: int) -> NDArray[np.int32]:
        """Return the position after a legal move."""
        target = np.empty(self.cells, np.int32)
        self.after(state, move, target)
        return target


SGF_NUMBER_OF_GO = 1
_TO_PLAY = 1
"""The entry TO_PLAY of a position: kernels/seams.py, and with it numba, is imported on demand."""


def find_game(name: str) -> Game:
    """Return a game by its name, and behind a colon its setting: abalone, abalone:belgian-daisy.

    Raises GotoolsError for a name that is not in GAMES, and for a setting that the game does not have.
    """
    plain = check_game_name(name)
    _, colon, setting = name.partition(":")
    game: Game = _import(GAMES[plain])
    if not colon:
        return game
    if game.with_setting is None:
        raise GotoolsError(f"{plain} has no settings; it is played as it is")
    return game.with_setting(setting)


def game_of_sgf_number(number: int) -> str:
    """Return the name of the game whose records have this GM, "" for a game that is not in GAMES.

    Go is known; all games are imported, and with them numba, for another number.
    """
    if number == SGF_NUMBER_OF_GO:
        return "go"
    return next((name for name in GAMES if number and find_game(name).sgf_number == number), "")


def _import(place: str) -> Any:
    """Import what "module:ATTRIBUTE" names."""
    module, attribute = place.split(":")
    return getattr(import_module(module), attribute)
