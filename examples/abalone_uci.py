"""Let an Abalone engine that speaks a dialect of UCI play over GTP: in `gotools tournament`, `play`, `elo`.

    gotools tournament check --game abalone:belgian-daisy "python examples/abalone_uci.py --depth 4 -- ENGINE"

The dialect is a command a line on the engine's stdin:

    isready                         answered by a line `readyok`
    ucinewgame 4 4                  plies that it searches as black and as white, a digit each
    position startpos moves M M     set up the start position and make these moves
    go                              think; a line of the answer begins with `bestmove`
    quit

Cells in M: a letter for the row, a to i, and a number within the row, which begins at 1 in every row (in gotools the
number is that of the diagonal: the first cell of row G is g1 to the engine, G3 here). In line, M is the last marble and
the cell that it enters, a1b2. Broadside it is the first marble, the cell that this enters, and the last marble: c3d3c5.

    bestmove Move: (4,0) UP_LEFT            in line: the last marble of the line, and where it goes
    bestmove Move: (2,0)(2,-2) UP_LEFT      broadside: both ends of the line

(0,0) is E5. The first number counts rows towards A, the second cells towards the first of the row. A is at the top and
each row runs from right to left, which gives the six directions their names.

The engine's start position may be turned or mirrored against that of the game (`--start`); moves are turned too. An
engine that holds a game for drawn when a position comes for the second time would not move there, so it gets the moves
up to the first time. If it ends games after a number of plies, say so in the game: abalone:belgian-daisy,moves=300.
"""

from __future__ import annotations

import argparse
import inspect
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

from gotools import __version__
from gotools.base.errors import EngineError, GotoolsError, shown
from gotools.engines.gtp.arguments import read_colour
from gotools.game.game import Game, find_game
from gotools.game.history import History
from gotools.game.records.replay import legal_move
from gotools.games.abalone import board
from gotools.gtp_client.process import EngineProcess, split_command
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

BELGIAN_DAISY: Final = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss b"
"""With black at A1, which in gotools is white's."""
STEPS: Final = {
    "LEFT": (1, 0),
    "RIGHT": (-1, 0),
    "UP_LEFT": (0, -1),
    "UP_RIGHT": (-1, -1),
    "DOWN_LEFT": (1, 1),
    "DOWN_RIGHT": (0, 1),
}
"""What each direction adds to the diagonal and the row of a cell."""
BEST_MOVE: Final = re.compile(rb"^bestmove\s+Move: ((?:\(-?\d,-?\d\)){1,2}) ([A-Z_]+)\s*$", re.MULTILINE)
MOST_OUTPUT: Final = 1 << 20
"""Bytes of one answer."""
READ_AT_ONCE: Final = 0.2
"""Seconds after which a silent engine is looked at."""


# moves ----------------------------------------------------------------------------------------------------------------


def turned(start: tuple[tuple[int, int], int], wanted: tuple[tuple[int, int], int]) -> list[int]:
    """Return the image of each cell under a symmetry that turns one position into another; see `board.read_fen`.

    Raises GotoolsError if there is none.
    """
    for image in board.SYMMETRIES:
        sides = [board.bits_of([image[cell] for cell in range(len(image)) if bits >> cell & 1]) for bits in start[0]]
        if (tuple(sides), start[1]) == wanted:
            return image
    raise GotoolsError("the engine begins from another position than the game; no rotation or reflection makes it so")


def label(cell: int) -> str:
    """Return a cell as the engine writes it."""
    row, number = board.NAMES[cell][0], int(board.NAMES[cell][1])
    return f"{row.lower()}{number - max(0, ord(row) - ord('E'))}"


def cell_at(diagonal: int, row: int) -> int:
    """Return the cell at a diagonal and a row, both counted from 0. Raises ValueError if the board has none."""
    name = f"{chr(ord('A') + row)}{diagonal + 1}"
    if name not in board.CELL_OF:
        raise ValueError(f"the board has no cell {name}")
    return board.CELL_OF[name]


def cells_in(text: str) -> list[int]:
    """Return the cells of a move of gotools."""
    return [board.CELL_OF[text[i : i + 2].upper()] for i in range(0, len(text), 2)]


class Translator:
    """Moves of gotools to moves of the engine and back; image -- of each cell on the engine's board."""

    def __init__(self, image: Sequence[int]) -> None:
        self._image = image
        self._back = {there: here for here, there in enumerate(image)}

    def to_engine(self, text: str) -> str:
        """Return a move of gotools as the engine reads it."""
        first, *middle, last = (label(self._image[cell]) for cell in cells_in(text))
        return "".join((first, last, *middle))

    def from_engine(self, answer: bytes) -> str:
        """Return the move in the answer to `go`. Raises ValueError if there is none."""
        found = BEST_MOVE.search(answer)
        if found is None:
            lines = [line.strip() for line in answer.decode("utf-8", "replace").splitlines() if line.strip()]
            says = next((line for line in lines if line.startswith("bestmove")), lines[0] if lines else "nothing")
            raise ValueError(f"the engine names no move that can be read; it says {shown(says, 100)}")
        pairs = re.findall(rb"(-?\d),(-?\d)", found[1])
        step = STEPS.get(found[2].decode())
        if step is None:
            raise ValueError(f"the engine names no direction {found[2].decode()}")
        places = [(4 - int(q) - int(r), 4 - int(r)) for r, q in pairs]
        entered = (places[0][0] + step[0], places[0][1] + step[1])
        return "".join(board.NAMES[self._back[cell_at(*place)]] for place in (*places, entered))


# the engine -----------------------------------------------------------------------------------------------------------


class Engine:
    """A process that speaks the dialect.

    words   -- program and arguments; no shell is involved
    timeout -- seconds that an answer may take
    """

    def __init__(self, words: Sequence[str], timeout: float) -> None:
        self._words, self.name = split_command(words)
        self.timeout = timeout
        self._process: EngineProcess | None = None

    def ask(self, *lines: str) -> bytes:
        """Send commands, starting the engine if it does not run; return all that it says until it is ready.

        Raises EngineError if it cannot be started, ends, is late or writes too much; it has ended then.
        """
        if self._process is None:
            self._process = EngineProcess(self._words, self.name)
        self._process.send("".join(f"{line}\n" for line in (*lines, "isready")).encode())
        deadline, answer = time.monotonic() + self.timeout, b""
        while not re.search(rb"^readyok\s*$", answer, re.MULTILINE):
            left = deadline - time.monotonic()
            gone = self._process.exited()
            data, _, _ = self._process.read(min(left, READ_AT_ONCE))
            answer += data
            if not data and (gone or self._process.ended):
                raise self._failure(f"ended at `{lines[-1]}`")
            if left <= 0:
                raise self._failure(f"did not answer `{lines[-1]}` within {self.timeout:g} s")
            if len(answer) > MOST_OUTPUT:
                raise self._failure(f"wrote more than {MOST_OUTPUT} bytes at `{lines[-1]}`")
        return answer

    def start(self) -> None:
        """Start the engine, and take the name that it gives itself. Raises MissingTool, EngineError."""
        if given := re.search(rb"^id name (.+)$", self.ask("uci"), re.MULTILINE):
            self.name = shown(given[1].decode("utf-8", "replace").strip(), 60)

    def close(self) -> None:
        """End the engine; the next command starts it again."""
        if self._process is not None:
            self._process.send(b"quit\n")
            self._process.wait(1.0)
            self._process.finish()
            self._process = None

    def _failure(self, what: str) -> EngineError:
        assert self._process is not None
        self._process.finish()
        said = self._process.tail.strip().splitlines()
        self._process = None
        return EngineError(self.name, what + (f"; it last said: {shown(said[-1], 200)}" if said else ""))


# GTP ------------------------------------------------------------------------------------------------------------------


class Bridge:
    """A game of Abalone over GTP: a method `do_NAME` for each command; its errors are refusals."""

    def __init__(self, game: Game, translator: Translator, engine: Engine, depth: int) -> None:
        self._game, self._translator, self._engine = game, translator, engine
        self._newgame = f"ucinewgame {depth} {depth}"
        self._depth = depth
        self._size = game.sizes[0]
        self.is_over = False
        self._clear()
        self._commands: dict[str, Callable[..., str]] = {
            name[3:].replace("gogui_", "gogui-"): getattr(self, name) for name in dir(self) if name.startswith("do_")
        }

    def obey(self, line: str) -> str | None:
        """Return the whole answer to a line, None for an empty one."""
        words = line.partition("#")[0].split()
        if not words:
            return None
        number = words.pop(0) if words[0].isdigit() else ""
        command = self._commands.get(words[0]) if words else None
        try:
            if command is None:
                raise ValueError("unknown command")
            if len(words) - 1 != len(inspect.signature(command).parameters):
                raise ValueError("syntax error")
            sign, text = "=", command(*words[1:])
        except (GotoolsError, ValueError) as error:
            sign, text = "?", str(error)
        return f"{sign}{number} {text}".rstrip() + "\n\n"

    def do_protocol_version(self) -> str:
        return "2"

    def do_name(self) -> str:
        return f"{self._engine.name} at depth {self._depth}"

    def do_version(self) -> str:
        return __version__

    def do_list_commands(self) -> str:
        return "\n".join(self._commands)

    def do_known_command(self, name: str) -> str:
        return "true" if name in self._commands else "false"

    def do_quit(self) -> str:
        self.is_over = True
        return ""

    def do_boardsize(self, size: str) -> str:
        if size != str(self._size):
            raise ValueError("unacceptable size")
        self._clear()
        return ""

    def do_clear_board(self) -> str:
        self._clear()
        return ""

    def do_play(self, colour: str, text: str) -> str:
        side = read_colour(colour)
        if self._verdict() is not None:
            raise ValueError("the game is over")
        move = legal_move(self._game, self._positions[-1], self._size, side, text)
        self._moves.append(self._game.move_text(move, self._size))
        self._positions.append(self._game.play(self._positions[-1], move))
        self._fens.append(board.write_fen(self._positions[-1]))
        return ""

    def do_undo(self) -> str:
        if not self._moves:
            raise ValueError("cannot undo")
        del self._moves[-1], self._positions[-1], self._fens[-1]
        return ""

    def do_genmove(self, colour: str) -> str:
        side = read_colour(colour)
        if self._verdict() is not None:
            raise ValueError("the game is over")
        if side != self._positions[-1][TO_PLAY]:
            raise ValueError(f"it is the turn of {'bw'[2 - side]}")
        text = self._ask_for_move()
        try:
            self.do_play(colour, text)
        except ValueError as error:
            raise ValueError(f"the engine plays {text}: {error}") from error
        return self._moves[-1]

    def do_showboard(self) -> str:
        return "\n" + self._game.draw(self._positions[-1])

    def do_final_score(self) -> str:
        verdict = self._verdict()
        if verdict is None:
            raise ValueError("the game is not over")
        return verdict

    def do_gogui_rules_game_id(self) -> str:
        return self._game.name

    def do_gogui_rules_legal_moves(self) -> str:
        moves = [] if self._verdict() is not None else self._game.moves_of(self._positions[-1])
        return " ".join(self._game.move_text(move, self._size) for move in moves)

    def _clear(self) -> None:
        self._positions, self._moves = [self._game.position(self._size)], list[str]()
        self._fens = [board.write_fen(self._positions[0])]
        self._is_new = True

    def _verdict(self) -> str | None:
        """Return the result, None while the game goes on."""
        value = self._game.outcome(self._positions[-1])
        if value == ONGOING:
            return None if History(self._game, self._size, tuple(self._positions)).repetition_value() is None else "0"
        side = int(self._positions[-1][TO_PLAY])
        return "0" if value == 0 else f"{'BW'[side - 1 if value > 0 else 2 - side]}+"

    def _ask_for_move(self) -> str:
        """Return the engine's move in the position. Raises EngineError, ValueError."""
        if self._is_new:
            self._engine.ask(self._newgame)
            self._is_new = False
        moves = [self._translator.to_engine(text) for text in self._moves[: self._fens.index(self._fens[-1])]]
        try:
            answer = self._engine.ask(" ".join(["position startpos", *(["moves"] if moves else []), *moves]), "go")
        except EngineError:
            self._is_new = True
            raise
        if b"invalid move" in answer.lower():
            raise ValueError("the engine refuses a move of the game as invalid")
        return self._translator.from_engine(answer)


def main(arguments: Sequence[str] | None = None) -> None:
    """Speak GTP on stdin and stdout until `quit` or the end of stdin."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("engine", nargs="+", metavar="ENGINE", help="its program and arguments, after --")
    parser.add_argument("--depth", type=int, default=4, choices=range(1, 10), metavar="N", help="plies, 1 to 9; 4")
    parser.add_argument("--timeout", type=float, default=50.0, metavar="SECONDS", help="for a move; 50")
    parser.add_argument(
        "--game", default="abalone:belgian-daisy", help="as in `gotools tournament --game`; abalone:belgian-daisy"
    )
    parser.add_argument("--start", default=BELGIAN_DAISY, metavar="FEN", help="the engine's start; Belgian Daisy")
    o = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        game = find_game(o.game)
        state = game.position()
        translator = Translator(turned(board.read_fen(board.write_fen(state)), board.read_fen(o.start)))
        engine = Engine(o.engine, o.timeout)
        engine.start()
    except GotoolsError as error:
        parser.error(str(error))
    bridge = Bridge(game, translator, engine, o.depth)
    try:
        while not bridge.is_over and (line := sys.stdin.readline()):
            answer = bridge.obey(line)
            if answer is not None:
                print(answer, end="", flush=True)
    finally:
        engine.close()


if __name__ == "__main__":
    main()
