"""What a person types during a game, and what is answered."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from gotools.base.errors import GotoolsError, WrongUsage, printable, shown
from gotools.base.screen_text import harmless, wrapped
from gotools.files.kinds import Kind, kind_of
from gotools.files.opening import STDIN, head_of, open_output
from gotools.files.outputs import RECORD, Output, check_outputs
from gotools.gtp_client.client import FailureKind, GtpFailure
from gotools.matches.terminal.drawing import coloured
from gotools.matches.terminal.table import RESIGN, Table

HELP: Final = """\
Type a move, or:
  hint       what the engine would play here
  why        why the engine made its last move
  undo       take back your last move and the answer to it
  score      how the game stands
  moves      the moves that you may make
  board      the board again
  save FILE  the game so far, as SGF
  resign, new, quit"""
LONGEST_MOVE: Final = 80
"""Characters read of what may be a move."""
SIDES: Final = ("b", "w")


class Dialogue:
    """A person at a table, game after game.

    lines -- what the person types, one command each
    show  -- prints text or a drawing
    keep  -- the file that holds the games after each move; None: see `keep`
    """

    def __init__(self, table: Table, lines: Iterator[str], show: Callable[[object], None], keep: str | None) -> None:
        self._table, self._lines, self._show, self._keep = table, lines, show, keep
        self._earlier = b""
        self._commands: dict[str, Callable[[str], None]] = {
            "board": lambda _: self._draw(),
            "help": lambda _: self._show(HELP),
            "hint": lambda _: self._hint(),
            "moves": lambda _: self._show(wrapped(" ".join(self._table.legal_moves())) or "none: the game is over"),
            "new": lambda _: self._new(),
            "resign": lambda _: self._resign(),
            "save": self._save,
            "score": lambda _: self._show(self._table.score()),
            "undo": lambda _: self._undo(),
            "why": lambda _: self._why(),
        }

    def keep(self) -> str:
        """Write the games, to the first free name if no option names one; returns where they are, "" without moves."""
        if not self._table.moves and not self._earlier:
            return ""
        path = self._keep or free_name(Path(), "game")
        _write(path, self._games())
        return f"the game{'s are' if self._earlier else ' is'} kept in {printable(path)}"

    def hold(self) -> bool:
        """Play until the person quits (True), or the lines end (False). Raises GotoolsError if the engine fails."""
        self._draw()
        while True:
            self._answer()
            line = next(self._lines, None)
            if line is None:
                return False
            words = line.split(maxsplit=1)
            if not words:
                continue
            if words[0].lower() == "quit":
                return True
            self._obey(words[0].lower(), words[1].strip() if len(words) > 1 else "", line.strip()[:LONGEST_MOVE])

    def _answer(self) -> None:
        """Let the engine move, if it is its turn."""
        table = self._table
        if table.result or table.to_play == table.setting.person:
            return
        self._show(f"{SIDES[table.to_play - 1]}: {table.reply()}")
        self._moved()

    def _obey(self, word: str, rest: str, line: str) -> None:
        command = self._commands.get(word)
        if command is not None and (not rest or word == "save"):
            try:
                command(rest)
            except GtpFailure as failure:
                if failure.kind is not FailureKind.refused:
                    raise
                self._show(str(failure))
        elif self._table.result:
            self._show("the game is over: new, undo, save FILE or quit")
        elif why := self._table.why_illegal(line):
            close = get_close_matches(word[:LONGEST_MOVE], [*self._commands, "quit"], 1)
            self._show(f"{shown(why, 200)}; " + (f"did you mean {close[0]}?" if close else "help lists the commands"))
        else:
            self._table.play(line)
            self._moved()

    def _moved(self) -> None:
        """Show the position after a move, and keep the game."""
        self._draw()
        self._settled()

    def _settled(self) -> None:
        """Show the result of a game that is over, and keep the game."""
        if self._table.result:
            self._show(f"The game is over: {in_words(self._table.result)}.")
        if self._keep is not None:
            _write(self._keep, self._games())

    def _games(self) -> bytes:
        """Return all games as SGF, the last one as far as it goes."""
        return self._earlier + (self._table.sgf() if self._table.moves else b"")

    def _draw(self) -> None:
        self._show(coloured(self._table.drawing()))

    def _hint(self) -> None:
        if self._table.result:
            self._show("the game is over")
        else:
            self._show(harmless(self._table.hint() or "the engine gives no hints"))

    def _why(self) -> None:
        if all(side == self._table.setting.person for side, _ in self._table.moves):
            self._show("the engine has not moved yet")
        else:
            self._show(harmless(self._table.why() or "the engine gives no reasons"))

    def _undo(self) -> None:
        count = self._table.undo()
        if not count:
            self._show("you have not moved yet")
            return
        self._show(f"{count} move{'s' * (count != 1)} taken back")
        self._moved()

    def _new(self) -> None:
        played = self._table.sgf() if self._table.moves else b""
        self._table.new()
        self._earlier += played
        self._draw()

    def _resign(self) -> None:
        if self._table.result:
            self._show("the game is over")
            return
        self._table.resign(self._table.setting.person)
        self._settled()

    def _save(self, path: str) -> None:
        if not path or path == STDIN:
            self._show("save FILE: name a file")
            return
        try:
            path = os.path.expanduser(path)  # no shell does it here
            check_record(path, "save")
            _write(path, self._table.sgf())
        except GotoolsError as error:
            self._show(harmless(str(error)))
        else:
            self._show(f"saved to {printable(path)}")


def in_words(result: str) -> str:
    """Return a result as people say it: "b wins by resignation (B+R)"."""
    if result[:1] not in ("B", "W"):
        return {"0": "a draw (0)"}.get(result, f"no result ({result})")
    how = " by resignation" if result[2:] == RESIGN[0].upper() else f" by {result[2:]}" if result[2:] else ""
    return f"{result[0].lower()} wins{how} ({result})"


def free_name(folder: Path, stem: str) -> str:
    """Return the first of game-1.sgf, game-2.sgf, ... that does not exist."""
    number = 1
    while (folder / f"{stem}-{number}.sgf").exists():
        number += 1
    return str(folder / f"{stem}-{number}.sgf")


def check_record(path: str, option: str) -> None:
    """Check that a game can be written to a file, which may hold games already.

    option -- by which the file was named

    Raises WrongUsage for a file of another kind, OutputError for one that cannot be written.
    """
    if "\0" in path:
        raise WrongUsage(f"{printable(path)}: not the name of a file")
    check_outputs([Output(option, path, RECORD)])
    if os.path.isfile(path) and (kind := kind_of(head_of(path))) not in (Kind.games, Kind.empty):
        raise WrongUsage(f"{printable(path)}: {kind}, and would be lost; name another file for {option}")


def _write(path: str, data: bytes) -> None:
    with open_output(path) as out:
        out.write(data)
