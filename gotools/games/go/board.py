"""Positions, and games replayed as positions: the checking face of the kernels.

`replay` and `replay_many` give arrays for programs; `Board` is for people, scripts and tests. Rules: captures, simple
ko, superko on request, suicide where the rule set of a record allows it. Passes do not end a game here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.game.records.record import Record
from gotools.game.sides import BLACK, WHITE, side_letter
from gotools.games.go.kernels import rules as k
from gotools.games.go.kernels.replay import replay_games
from gotools.games.go.points import COLUMN_LETTERS, EMPTY, MAX_SIZE, MIN_SIZE, NONE, PASS, vertex
from gotools.games.go.rule_sets import allows_suicide

ILLEGAL_REASONS: Final = {k.OCCUPIED: "occupied", k.IN_KO: "ko", k.SUICIDE: "suicide", k.BAD_SETUP: "setup"}


@dataclass(frozen=True, slots=True)
class Replays:
    """Games one after the other, as the positions before each of their moves; rows end before the first illegal move.

    first   -- int64[g + 1]: game i has the rows first[i] to first[i + 1]
    game    -- int32[k]: the game of each row
    size    -- uint8[k]
    board   -- uint8[k, c] by point number, c the largest size squared; a row uses the first size**2 cells, others are 0
    ko      -- int16[k], the point that this move may not take back, or NONE
    last, last2 -- int16[k], the one and two moves before; NONE at the start and after setup stones
    to_play -- uint8[k], colour of the move
    move    -- int16[k], PASS for a pass
    illegal -- for each game "" when all of it was legal, else e.g. "move 57 (W D4): occupied"; reasons are occupied,
               suicide, ko, setup (stones were put so that a chain has no liberties)
    """

    first: NDArray[np.int64]
    game: NDArray[np.int32]
    size: NDArray[np.uint8]
    board: NDArray[np.uint8]
    ko: NDArray[np.int16]
    last: NDArray[np.int16]
    last2: NDArray[np.int16]
    to_play: NDArray[np.uint8]
    move: NDArray[np.int16]
    illegal: list[str]

    def __len__(self) -> int:
        return len(self.move)


def replay(record: Record) -> Replays:
    """Play a record's moves and keep every position. Simple ko; suicide where its rules allow it."""
    return replay_many((record,))


def replay_many(records: Sequence[Record]) -> Replays:
    """Replay many records in one call; costs about 0.1 us a position, and c bytes each.

    Raises ValueError for a size outside 2..19 or a point off the board (records of `read_games` have none).
    """
    sizes = np.array([record.size for record in records], np.uint8)
    moves = _join([record.moves for record in records])
    first = _offsets([len(record.moves) for record in records])
    setup = np.array([stone for record in records for stone in record.setup], np.int16).reshape(-1, 3)
    setup_first = _offsets([len(record.setup) for record in records])
    _check_points(sizes, moves[:, 1], np.diff(first), setup[:, 2], np.diff(setup_first))
    suicide = np.array([allows_suicide(record.rules) for record in records], np.bool_)
    cells = int(sizes.max(initial=MIN_SIZE)) ** 2
    board = np.zeros((len(moves), cells), np.uint8)
    columns = np.empty((5, len(moves)), np.int16)
    begin, why = replay_games(moves, first, setup, setup_first, sizes, suicide, board, columns)
    rows = int(begin[-1])
    ko, last, last2, to_play, move = columns[:, :rows]
    lengths = np.diff(begin)
    illegal = [""] * len(records)
    for g in np.flatnonzero(why).tolist():
        illegal[g] = _describe(records[g], int(lengths[g]), int(why[g]))
    return Replays(
        first=begin,
        game=np.repeat(np.arange(len(records), dtype=np.int32), lengths),
        size=np.repeat(sizes, lengths),
        board=board[:rows],
        ko=ko,
        last=last,
        last2=last2,
        to_play=to_play.astype(np.uint8),
        move=move,
        illegal=illegal,
    )


def _join(parts: list[NDArray[np.integer]]) -> NDArray[np.int16]:
    """Concatenate the moves into a new, writable array: for read-only ones numba would compile again."""
    return np.concatenate([np.empty((0, 2), np.int16), *parts], dtype=np.int16)


def _offsets(lengths: list[int]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))).astype(np.int64)


def _check_points(
    sizes: NDArray[np.uint8],
    moves: NDArray[np.int16],
    move_counts: NDArray[np.int64],
    setup: NDArray[np.int16],
    setup_counts: NDArray[np.int64],
) -> None:
    """Raise ValueError for a record that would make the kernels write outside the board."""
    if ((sizes < MIN_SIZE) | (sizes > MAX_SIZE)).any():
        raise ValueError(f"board sizes are {MIN_SIZE} to {MAX_SIZE}")
    area = sizes.astype(np.int16) ** 2
    off_moves = ((moves < 0) & (moves != PASS)) | (moves >= np.repeat(area, move_counts))
    off_setup = (setup < 0) | (setup >= np.repeat(area, setup_counts))
    if off_moves.any() or off_setup.any():
        raise ValueError("a record holds a point off its board")


def _describe(record: Record, ply: int, why: int) -> str:
    """Describe why a replay stopped at move number `ply`, counted from 0."""
    if why == k.BAD_SETUP:
        return f"before move {ply + 1}: setup leaves a chain without liberties"
    colour, point = (int(value) for value in record.moves[ply])
    return f"move {ply + 1} ({side_letter(colour).upper()} {vertex(point, record.size)}): {ILLEGAL_REASONS[why]}"


def legal_points(board: NDArray[np.uint8], size: int, to_play: int, ko: int = NONE) -> NDArray[np.bool_]:
    """Return bool[size*size]: where a stone may be played in one position. No suicide, simple ko.

    board -- uint8[>= size*size] by point number
    """
    row = np.array(board[: size * size], np.uint8).reshape(1, -1)
    mask: NDArray[np.bool_] = k.legal_mask(
        row, np.array([size], np.uint8), np.array([to_play], np.uint8), np.array([ko], np.int16)
    )
    first: NDArray[np.bool_] = mask[0]
    return first


def legal_mask(
    board: NDArray[np.uint8], size: NDArray[np.uint8], to_play: NDArray[np.uint8], ko: NDArray[np.int16]
) -> NDArray[np.bool_]:
    """Return bool[n, c] for the rows of uint8[n, c]: `legal_points` of many positions in one call."""
    mask: NDArray[np.bool_] = k.legal_mask(
        np.require(board, np.uint8, ("C", "W")),
        np.require(size, np.uint8, ("C", "W")),
        np.require(to_play, np.uint8, ("C", "W")),
        np.require(ko, np.int16, ("C", "W")),
    )
    return mask


class Board:
    """A position, and how often it and those before it have come.

    Offers what sgfmill.boards.Board offers (rows and columns from the bottom left, "b" and "w"), so sgfmill can fill
    and read it, and the same by point numbers and colours 1 and 2.

    Public attributes:
      side  -- board size, 2 to 19
      state -- int32[STATE], the array that kernels take (kernels/rules.py)
    """

    def __init__(self, side: int) -> None:
        if not MIN_SIZE <= side <= MAX_SIZE:
            raise ValueError(f"board sizes are {MIN_SIZE} to {MAX_SIZE}, not {side}")
        self.side = side
        self.state: NDArray[np.int32] = np.zeros(k.STATE, np.int32)
        k.start(self.state, side)
        self._seen = self._history()

    @classmethod
    def from_cells(cls, cells: NDArray[np.uint8], size: int, to_play: int = BLACK, ko: int = NONE) -> Board:
        """Make a board of uint8[>= size*size] cells by point number.

        Raises ValueError if a chain has no liberties.
        """
        board = cls(size)
        if k.load(board.state, np.array(cells[: size * size], np.uint8), size):
            raise ValueError("a chain has no liberties")
        board.state[k.TO_PLAY] = to_play
        board.state[k.KO] = k.pad(ko, size)
        board.state[k.KO_COLOUR] = to_play
        board._seen = board._history()
        return board

    @classmethod
    def of_state(cls, state: NDArray[np.int32]) -> Board:
        """Make a board of a state (kernels/rules.py), which is copied; its history begins here."""
        board = cls(int(state[k.SIZE]))
        board.state[:] = state
        board._seen = board._history()
        return board

    def copy(self) -> Board:
        """Return an independent copy, with the history."""
        board = Board(self.side)
        board.state[:] = self.state
        board._seen = self._seen.copy()
        return board

    @property
    def seen(self) -> frozenset[tuple[int, int]]:
        """The positions of the history: hash and side to play."""
        return frozenset(self._seen)

    # by point numbers ------------------------------------------------------------------------------------------------

    @property
    def hash(self) -> int:
        """The Zobrist hash of the stones, 64 bits."""
        low, high = self.state[[k.HASH_LOW, k.HASH_HIGH]].view(np.uint32)
        return int(high) << 32 | int(low)

    @property
    def to_play(self) -> int:
        """The colour to play: the opponent of the last move's colour, black at the start."""
        return int(self.state[k.TO_PLAY])

    @property
    def ko(self) -> int:
        """The point where ko forbids the side to play to recapture, or NONE."""
        blocked = self.state[k.KO_COLOUR] == self.state[k.TO_PLAY]
        return int(k.unpad(self.state[k.KO], self.side)) if blocked else NONE

    @property
    def taken(self) -> tuple[int, int]:
        """How many stones black and white have taken; those lost by suicide count for the other side."""
        return int(self.state[k.TAKEN_WHITE]), int(self.state[k.TAKEN_BLACK])

    @property
    def cells(self) -> NDArray[np.uint8]:
        """A new uint8[side*side] of colours by point number."""
        cells = np.empty(self.side**2, np.uint8)
        k.cells_of(self.state, cells)
        return cells

    def colour(self, point: int) -> int:
        """Return 0 empty, 1 black, 2 white."""
        return int(self.state[k.COLOUR + self._pad(point)])

    def why_illegal(self, point: int, colour: int, *, ko: str = "simple", suicide: bool = False) -> str:
        """Return "" when a move is legal, else "occupied", "ko", "suicide" or "superko"; PASS is always legal.

        ko -- "positional": also forbid to repeat a position of this board's history; "situational": only one with the
            same side to move
        suicide -- allow suicide
        """
        if point == PASS:
            return ""
        p = self._pad(point)
        if verdict := int(k.why_illegal(self.state, p, colour, suicide)):
            return ILLEGAL_REASONS[verdict]
        if ko != "simple":
            after = Board(self.side)
            after.state[:] = self.state
            k.put(after.state, p, colour)
            movers = (3 - colour,) if ko == "situational" else (BLACK, WHITE)
            if any((after.hash, mover) in self._seen for mover in movers):
                return "superko"
        return ""

    def is_legal(self, point: int, colour: int, *, ko: str = "simple", suicide: bool = False) -> bool:
        """Return whether a move is legal; see `why_illegal`."""
        return not self.why_illegal(point, colour, ko=ko, suicide=suicide)

    def legal_points(self, colour: int) -> list[int]:
        """List the points where a colour may play: no suicide, simple ko."""
        return [point for point in range(self.side**2) if self.is_legal(point, colour)]

    def play_point(self, point: int, colour: int) -> None:
        """Make a move, PASS included, with its captures; keep the new position in the history.

        Raises ValueError if the point is occupied. Allows suicide and ignores ko: call `is_legal` first.
        """
        if point == PASS:
            k.pass_turn(self.state, colour)
        else:
            p = self._pad(point)
            if self.state[k.COLOUR + p] != EMPTY:
                raise ValueError(f"{vertex(point, self.side)} is occupied")
            k.put(self.state, p, colour)
        self._seen[self.hash, self.to_play] += 1

    @property
    def occurrences(self) -> int:
        """How often this position has come in the board's history with this side to play, now counted."""
        return self._seen[self.hash, self.to_play]

    def _history(self) -> Counter[tuple[int, int]]:
        """Return a history of this position alone: (hash, side to play) and how often."""
        return Counter([(self.hash, self.to_play)])

    def chain(self, point: int) -> list[int]:
        """List the stones of the chain at a point in order; empty for an empty point."""
        return self._listed(k.chain_of, point)

    def liberties(self, point: int) -> list[int]:
        """List the liberties of the chain at a point in order; empty for an empty point."""
        return self._listed(k.liberties_of, point)

    def _listed(self, kernel: object, point: int) -> list[int]:
        p = self._pad(point)
        if self.state[k.COLOUR + p] == EMPTY:
            return []
        found = np.empty(MAX_SIZE**2, np.int16)
        count = kernel(self.state, p, found)  # type: ignore[operator]
        return sorted(found[:count].tolist())

    def _pad(self, point: int) -> int:
        if not 0 <= point < self.side**2:
            raise IndexError(f"{point} is not a point of a board of size {self.side}")
        return int(k.pad(point, self.side))

    # sgfmill's interface ---------------------------------------------------------------------------------------------

    @property
    def board(self) -> list[list[str | None]]:
        """A new list of rows from the bottom, each a list of "b", "w" or None."""
        names = (None, "b", "w")
        return [[names[cell] for cell in row] for row in self.cells.reshape(self.side, self.side)]

    def is_empty(self) -> bool:
        """Return whether there is no stone."""
        return not self.cells.any()

    def get(self, row: int, col: int) -> str | None:
        """Return "b", "w" or None. Raises IndexError off the board."""
        return (None, "b", "w")[self.colour(self._point(row, col))]

    def play(self, row: int, col: int, colour: str) -> tuple[int, int] | None:
        """Make a move with its captures. Allows suicide and ignores ko.

        Returns the point forbidden by simple ko, or None.
        Raises IndexError off the board, ValueError if the point is occupied.
        """
        self.play_point(self._point(row, col), BLACK if colour == "b" else WHITE)
        ko = self.ko
        return None if ko == NONE else divmod(ko, self.side)

    def apply_setup(
        self,
        black_points: Iterable[tuple[int, int]],
        white_points: Iterable[tuple[int, int]],
        empty_points: Iterable[tuple[int, int]],
    ) -> bool:
        """Put and remove stones by hand, then remove all chains without liberties. Starts a new history.

        Returns whether the position was legal as given. Raises IndexError off the board.
        """
        cells = self.cells
        for colour, points in ((BLACK, black_points), (WHITE, white_points), (EMPTY, empty_points)):
            for row, col in points:
                cells[self._point(row, col)] = colour
        legal = k.load(self.state, cells, self.side) == 0
        if not legal:
            dead = [p for p in range(self.side**2) if cells[p] and not self.liberties(p)]
            cells[dead] = EMPTY
            k.load(self.state, cells, self.side)
        self._seen = self._history()
        return bool(legal)

    def list_occupied_points(self) -> list[tuple[str, tuple[int, int]]]:
        """List (colour, (row, col)) of all stones."""
        cells = self.cells
        return [(side_letter(cells[p]), divmod(int(p), self.side)) for p in np.flatnonzero(cells)]

    def area_score(self) -> int:
        """Return black's area minus white's (Tromp-Taylor, Chinese): no stone counts as dead, no komi."""
        return int(k.area_score(self.state))

    def _point(self, row: int, col: int) -> int:
        if not (0 <= row < self.side and 0 <= col < self.side):
            raise IndexError(f"row {row}, column {col} is off a board of size {self.side}")
        return row * self.side + col

    # drawing ---------------------------------------------------------------------------------------------------------

    def diagram(self) -> str:
        """Draw the position with coordinates; see `draw`."""
        return draw(self.cells, self.side)

    def __str__(self) -> str:
        return self.diagram()

    def __repr__(self) -> str:
        return f"Board({self.side}, stones={np.count_nonzero(self.cells)}, to_play={self.to_play})"


def draw(cells: NDArray[np.uint8], size: int) -> str:
    """Draw uint8[>= size*size] cells with coordinates, row 1 at the bottom; "X" black, "O" white."""
    rows = cells[: size * size].reshape(size, size)
    lines = [f"{y + 1:2d}  " + " ".join(".XO"[cell] for cell in rows[y]) for y in range(size - 1, -1, -1)]
    return "\n".join([*lines, "    " + " ".join(COLUMN_LETTERS[:size])])
