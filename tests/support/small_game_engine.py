"""A small GTP engine that plays connect4, tictactoe or nim at random, and misbehaves on request.

python -S -E tests/support/small_game_engine.py [options]    (`command(...)` below gives this command line to tests)

    --game X          what it plays; default connect4
    --seed N          of its moves; `set_random_seed` does the same later
    --wins            takes a move that wins at once
    --resign-after N  resign instead of the Nth move of a game
    --plays-game X    what gogui-rules_game_id answers; default: --game
    --name X          what `name` answers; default "small"
    --answer TEXT     what genmove answers, from the time of --at on
    --how WHAT        misbehave (may be given more than once) at the genmove of --at, for those of genmove
    --at N            at the Nth genmove of a game; default 3

    --how at genmove:  dies (exit code 3)   refuses (`? no idea`)   full (an illegal move)   sleeps (1 s)
    at any time:       no-id (does not know gogui-rules_game_id)    no-size (refuses all sizes)
                       rejects (`? illegal move` to the third legal move of a game)
                       takes-all (any move)   keeps-board (at clear_board)   wrong-score   wrong-list   no-undo

The rules stand here a second time, on lists: nothing of gotools is imported.
"""

import random
import sys
import time
from typing import Any

OPTIONS = ("game", "seed", "resign-after", "plays-game", "name", "answer", "how", "at")


def command(*words: str, wins: bool = False, **options: object) -> str:
    """Return the command line of an engine: `command("dies", at=5)`, words being misbehaviours."""
    parts = [sys.executable, "-S", "-E", __file__, *(["--wins"] if wins else [])]
    for word in words:
        parts += ["--how", word]
    for name, value in options.items():
        parts += ["--" + name.replace("_", "-"), str(value)]
    return " ".join("'" + part.replace("'", "'\\''") + "'" for part in parts)


class Connect4:
    """Columns as lists of 1 and 2, the lowest first."""

    size = 7
    moves = "1234567"

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(7)]

    def legal(self) -> list[str]:
        return [move for move, column in zip(self.moves, self.columns, strict=True) if len(column) < 6]

    def play(self, move: str, side: int) -> None:
        self.columns[self.moves.index(move)].append(side)

    def at(self, x: int, y: int) -> int:
        return self.columns[x][y] if 0 <= x < 7 and 0 <= y < len(self.columns[x]) else 0

    def winner(self, last: int) -> int | None:
        """Return the side that has four in a line, 0 for a full board, None before."""
        for x in range(7):
            for y in range(6):
                for a, b in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    line = {self.at(x + i * a, y + i * b) for i in range(4)}
                    if len(line) == 1 and line != {0}:
                        return line.pop()
        return None if self.legal() else 0


class TicTacToe:
    """A cell's side by its name."""

    size = 3
    moves = tuple(x + y for y in "123" for x in "abc")
    lines = ("a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1")

    def __init__(self) -> None:
        self.cells: dict[str, int] = {}

    def legal(self) -> list[str]:
        return [move for move in self.moves if move not in self.cells]

    def play(self, move: str, side: int) -> None:
        self.cells[move] = side

    def winner(self, last: int) -> int | None:
        for line in self.lines:
            sides = {self.cells.get(cell, 0) for cell in line.split()}
            if len(sides) == 1 and sides != {0}:
                return sides.pop()
        return None if self.legal() else 0


class Nim:
    """Counters by the name of the heap; whoever takes the last one wins."""

    size = 7
    moves = tuple(heap + number for heap in "abcdefg" for number in "1234567")

    def __init__(self) -> None:
        self.heaps = dict.fromkeys("abcdefg", 7)

    def legal(self) -> list[str]:
        return [move for move in self.moves if int(move[1]) <= self.heaps[move[0]]]

    def play(self, move: str, side: int) -> None:
        self.heaps[move[0]] -= int(move[1])

    def winner(self, last: int) -> int | None:
        return None if self.legal() else last


GAMES: dict[str, Any] = {"connect4": Connect4, "tictactoe": TicTacToe, "nim": Nim}


class Refusal(Exception):
    """Answer `?` and the text."""


class Engine:
    """The commands of GTP, a method each, `do_NAME`; `gogui-rules_X` is `do_gogui_rules_X`."""

    def __init__(self, words: list[str]) -> None:
        self.options = {"game": "connect4", "name": "small", "at": "3", "seed": "0"}
        self.how: list[str] = []
        self.wins = "--wins" in words
        words = [word for word in words if word != "--wins"]
        for option, value in zip(words[::2], words[1::2], strict=True):
            if option[2:] not in OPTIONS:
                sys.exit("no such option: " + option)
            if option == "--how":
                self.how.append(value)
            else:
                self.options[option[2:]] = value
        self.game = GAMES[self.options["game"]]
        self.random = random.Random(int(self.options["seed"]))
        self.begin()

    def run(self) -> None:
        for line in sys.stdin:
            words = line.partition("#")[0].split()
            if not words:
                continue
            number = words.pop(0) if words[0].isdigit() else ""
            try:
                name = words[0].replace("-", "_")
                if words[0] not in self.known():
                    raise Refusal("unknown command")
                sign, text = "=", getattr(self, "do_" + name)(*words[1:]) or ""
            except Refusal as refusal:
                sign, text = "?", str(refusal)
            except (TypeError, ValueError, KeyError):
                sign, text = "?", "syntax error"
            sys.stdout.write(sign + number + (" " + text if text else "") + "\n\n")
            sys.stdout.flush()
            if words[0] == "quit":
                return

    def known(self) -> list[str]:
        names = [name[3:].replace("gogui_", "gogui-") for name in dir(self) if name.startswith("do_")]
        missing = {"no-id": "gogui-rules_game_id", "no-undo": "undo"}
        return [name for name in names if not any(missing.get(how) == name for how in self.how)]

    def now(self, how: str) -> bool:
        return how in self.how and self.genmoves == int(self.options["at"])

    # ---- commands ----

    def do_name(self) -> str:
        return self.options["name"]

    def do_version(self) -> str:
        return "1.0"

    def do_protocol_version(self) -> str:
        return "2"

    def do_list_commands(self) -> str:
        return "\n".join(self.known())

    def do_known_command(self, name: str) -> str:
        return "true" if name in self.known() else "false"

    def do_quit(self) -> str:
        return ""

    def do_set_random_seed(self, seed: str) -> None:
        self.random = random.Random(int(seed))

    def do_gogui_rules_game_id(self) -> str:
        return self.options.get("plays-game", self.options["game"])

    def do_gogui_rules_legal_moves(self) -> str:
        return " ".join(self.legal()[1:] if "wrong-list" in self.how else self.legal())

    def do_gogui_rules_side_to_move(self) -> str:
        return "black" if self.to_play == 1 else "white"

    def do_boardsize(self, size: str) -> None:
        if "no-size" in self.how or int(size) != self.game.size:
            raise Refusal("unacceptable size")
        self.do_clear_board()

    def do_clear_board(self) -> None:
        if "keeps-board" not in self.how:
            self.begin()

    def begin(self) -> None:
        self.position = self.game()
        self.winner: int | None = None
        self.to_play = 1
        self.played: list[str] = []
        self.genmoves = 0

    def do_play(self, colour: str, move: str) -> None:
        side = {"b": 1, "w": 2}[colour[0].lower()]
        if "takes-all" in self.how and move not in self.legal():
            return
        if ("rejects" in self.how and len(self.played) == 2) or move not in self.legal() or side != self.to_play:
            raise Refusal("illegal move")
        self.play(move, side)

    def do_undo(self) -> None:
        if not self.played:
            raise Refusal("cannot undo")
        moves = self.played[:-1]
        genmoves = self.genmoves
        self.begin()
        self.genmoves = genmoves
        for number, move in enumerate(moves):
            self.play(move, 1 + number % 2)

    def do_final_score(self) -> str:
        if self.winner is None:
            raise Refusal("not over")
        return ("W+", "W+", "B+")[self.winner] if "wrong-score" in self.how else ("0", "B+", "W+")[self.winner]

    def do_genmove(self, colour: str) -> str:
        side = {"b": 1, "w": 2}[colour[0].lower()]
        self.genmoves += 1
        if self.now("dies"):
            sys.exit(3)
        if self.now("refuses"):
            raise Refusal("no idea")
        if self.now("sleeps"):
            time.sleep(1)
        if self.genmoves == int(self.options.get("resign-after", "-1")):
            return "resign"
        if "answer" in self.options and self.genmoves >= int(self.options["at"]):
            return self.options["answer"]
        if self.now("full"):
            return str(next((move for move in self.game.moves if move not in self.legal()), "9"))
        legal = self.legal()
        winning = [move for move in legal if self.wins and self.would_win(move, side)]
        move = self.random.choice(winning or legal)
        self.play(move, side)
        return move

    # ---- the game ----

    def legal(self) -> list[str]:
        found: list[str] = self.position.legal() if self.winner is None else []
        return found

    def play(self, move: str, side: int) -> None:
        self.position.play(move, side)
        self.winner, self.to_play = self.position.winner(side), 3 - side
        self.played.append(move)

    def would_win(self, move: str, side: int) -> bool:
        position = self.game()
        for number, before in enumerate(self.played):
            position.play(before, 1 + number % 2)
        position.play(move, side)
        return bool(position.winner(side) == side)


if __name__ == "__main__":
    Engine(sys.argv[1:]).run()
