"""What a person types during a game, and what is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from gotools.errors import GotoolsError, shown
from gotools.files.opening import open_output
from gotools.gtp_client.client import FailureKind, GtpFailure
from gotools.play.drawing import coloured
from gotools.play.table import RESIGN, Table
from gotools.screen_text import harmless

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
SIDES: Final = ("b", "w")


class Dialogue:
    """A person at a table.

    lines -- what the person types, one command each
    show  -- prints text or a drawing
    """

    def __init__(self, table: Table, lines: Iterator[str], show: Callable[[object], None], keep: str | None) -> None:
        self._table, self._lines, self._show, self._keep = table, lines, show, keep
        self._commands: dict[str, Callable[[str], None]] = {
            "board": lambda _: self._draw(),
            "help": lambda _: self._show(HELP),
            "hint": lambda _: self._hint(),
            "moves": lambda _: self._show(" ".join(self._table.legal_moves()) or "none: the game is over"),
            "new": lambda _: self._new(),
            "resign": lambda _: self._resign(),
            "save": self._save,
            "score": lambda _: self._show(self._table.score()),
            "undo": lambda _: self._undo(),
            "why": lambda _: self._show(harmless(self._table.why() or "the engine gives no reasons")),
        }

    def keep(self) -> str:
        """Write a game that no option keeps to the first free name; returns a line on where it is, "" without moves."""
        if not self._table.moves:
            return ""
        path = self._keep or free_name(Path(), "game")
        _write(path, self._table.sgf())
        return f"the game is kept in {path}"

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
            self._obey(words[0].lower(), words[1].strip() if len(words) > 1 else "", line.strip())

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
            close = get_close_matches(word, [*self._commands, "quit"], 1)
            self._show(f"{shown(why, 200)}; " + (f"did you mean {close[0]}?" if close else "help lists the commands"))
        else:
            self._table.play(line)
            self._moved()

    def _moved(self) -> None:
        """Show the position after a move, and keep the game."""
        self._draw()
        if self._table.result:
            self._show(f"The game is over: {in_words(self._table.result)}.")
        if self._keep is not None:
            _write(self._keep, self._table.sgf())

    def _draw(self) -> None:
        self._show(coloured(self._table.drawing()))

    def _hint(self) -> None:
        if self._table.result:
            self._show("the game is over")
        else:
            self._show(harmless(self._table.hint() or "the engine gives no hints"))

    def _undo(self) -> None:
        count = self._table.undo()
        self._show(f"{count} move{'s' * (count != 1)} taken back" if count else "you have not moved yet")
        self._moved()

    def _new(self) -> None:
        self._table.new()
        self._draw()

    def _resign(self) -> None:
        if self._table.result:
            self._show("the game is over")
            return
        self._table.resign(self._table.setting.person)
        self._show(f"The game is over: {in_words(self._table.result)}.")

    def _save(self, path: str) -> None:
        if not path:
            self._show("save FILE: name a file")
            return
        try:
            _write(path, self._table.sgf())
        except GotoolsError as error:
            self._show(str(error))
        else:
            self._show(f"saved to {path}")


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


def _write(path: str, data: bytes) -> None:
    with open_output(path) as out:
        out.write(data)
