"""The SGF of a played game: players, rules, clock, result, and the time of each move.

GN names the game, unless it is the usual one.
"""

from __future__ import annotations

import numpy as np

from gotools import __version__
from gotools.game.game import find_game
from gotools.game.records.record import Record, Setup
from gotools.game.records.sgf import write_game
from gotools.game.sides import BLACK
from gotools.game.table import USUAL
from gotools.matches.config import TournamentConfig
from gotools.matches.game.time_control import sgf_time
from gotools.matches.play import MoveNote, PlayedGame


def sgf_of_game(played: PlayedGame, config: TournamentConfig) -> bytes:
    """Return a game as SGF; its properties BL and WL are the clocks after each move, C the seconds and comments."""
    result = played.result
    header = {
        "AP": f"gotools:{__version__}",
        "GN": f"game {result.game}, pair {result.pair}",
        "C": _story(played),
        **sgf_time(config.time),
    }
    words = [_words(note, colour) for (colour, _), note in zip(played.moves, played.notes, strict=False)]
    game = find_game(config.game).started_from(result.setting)
    if config.game != USUAL:
        header["GN"] = f"{config.game}, {header['GN']}"
    record = Record(
        id=str(result.game),
        size=config.size,
        moves=np.array(played.moves, np.int32).reshape(-1, 2),
        setup=tuple(Setup(0, BLACK, point) for point in sorted(played.handicap)),
        players=(result.black, result.white),
        result=result.result,
        komi=config.komi,
        rules=config.rules.text() if config.rules else "",
        handicap=len(played.handicap),
        setting=game.setting,
    )
    return write_game(record, game, header, words)


def _story(played: PlayedGame) -> str:
    """Describe the end of the game, the programs, and the time of each side."""
    result = played.result
    lines = [f"end: {result.end}" + (f" by {result.culprit}" if result.fault else ""), result.what]
    lines.append(f"opening: {result.opening} moves")
    times = zip(("black", "white"), played.programs, result.seconds, result.slowest, strict=True)
    for side, program, seconds, slowest in times:
        lines.append(f"{side}: {program or 'no name given'}; {seconds:.2f} s, longest move {slowest:.2f} s")
    return "\n".join([*filter(None, lines), *result.notes])


def _words(note: MoveNote | None, colour: int) -> dict[str, str]:
    if note is None:
        return {}
    words = {"C": "\n".join(filter(None, (f"{note.seconds:.3f} s", note.comment)))}
    if note.left is not None:
        black = colour == BLACK
        words["BL" if black else "WL"] = f"{note.left.seconds:.3f}"
        if note.left.stones:
            words["OB" if black else "OW"] = str(note.left.stones)
    return words
