"""`gotools play`: a game against a player of ours, or any GTP engine, in the terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import Annotated, Final, Literal

import typer

from gotools.base.errors import GotoolsError
from gotools.commands.options import STDIN, GameName, Quiet, finite, option
from gotools.commands.settings_options import takes_settings
from gotools.engines.settings import PlayerSettings
from gotools.game.table import USUAL, USUAL_KOMI

FOR = "For people: play against rules, learned values or any engine."
EPILOG = """\b
Example, Go on 9x9 against the rules that `make demo` learned:
  gotools play --rules out/rules.so
"""
WITHOUT: Final = (
    "threads", "keep_tree", "widths", "penalty", "selective", "extensions", "resign", "capture_all_dead", "digest",
)  # fmt: skip


@takes_settings(PlayerSettings, without=WITHOUT, panel="Our player")
def play(
    *,
    game: GameName = USUAL,
    size: Annotated[int | None, option("Board size; 9 for go.", "N", min=2, max=19)] = None,
    komi: Annotated[
        float | None, option(f"Komi of go; {USUAL_KOMI}.", "K", callback=finite, min=-1000, max=1000)
    ] = None,
    side: Annotated[Literal["b", "w"], typer.Option("--side", help="Your side; b moves first.")] = "b",
    engine: Annotated[
        str | None, option("Play against this GTP engine instead of ours; usi:COMMAND speaks USI.", "COMMAND")
    ] = None,
    settings: PlayerSettings,
    output: Annotated[str | None, option("Write the games here after each move, as SGF.", "FILE", "-o")] = None,
    quiet: Quiet = False,
) -> None:
    """Play a game in the terminal.

    Moves are typed as the game writes them: D4 or pass in go, a column in connect4, b2 in tictactoe, a1b2 or
    c3c5d3 in abalone, 7g7f or P*5e in shogi. Type help for hint, why, undo, score, save and others. The moves may
    also come from a pipe.

    Streams: the board is drawn on stdout. At Ctrl-C or the end of stdin a game that -o does not keep is written to
    game-1.sgf, or the next free name.
    """
    from gotools.library.players import open_table
    from gotools.matches.terminal.dialogue import HELP, Dialogue, check_record
    from gotools.matches.terminal.drawing import shower

    if output is not None:
        if output == STDIN:
            raise typer.BadParameter("name a file; the board is drawn on stdout", param_hint="-o")
        check_record(output, "-o")
    with open_table(game, 1 if side == "b" else 2, settings, engine=engine, size=size, komi=komi) as table:
        if not quiet:
            print(f"You are {side}, {table.opponent} is {'w' if side == 'b' else 'b'}.", file=sys.stderr)
            if sys.stdin is not None and sys.stdin.isatty():
                print(HELP, file=sys.stderr)
        dialogue = Dialogue(table, _typed(side), shower(), output)
        try:
            done = dialogue.hold()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(dialogue.keep()) from None
        except BrokenPipeError:  # nobody reads the board any more
            dialogue.keep()
            raise
        except GotoolsError as error:  # the engine failed
            raise GotoolsError("; ".join(filter(None, (str(error), dialogue.keep())))) from error
        kept = "" if done else dialogue.keep()
        if kept and not quiet:
            print(f"gotools play: {kept}", file=sys.stderr)


def _typed(side: str) -> Iterator[str]:
    """Yield the lines of stdin, with a prompt on a terminal."""
    if sys.stdin is None:
        return
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    if not sys.stdin.isatty():
        yield from sys.stdin
        return
    while True:
        try:
            yield input(f"{side}> ")
        except EOFError:
            print(file=sys.stderr)
            return
