"""The SGF of a played game: players, rules, clock, result, and the time of each move.

Of games other than Go: the moves as their texts, GM and GN as docs/records.md has them.
"""

from __future__ import annotations

import numpy as np

from gotools import __version__
from gotools.game.game import find_game
from gotools.game.table import GAMES
from gotools.games.text_games import write_text_game
from gotools.go.points import BLACK
from gotools.go.record import GameRecord, Setup
from gotools.go.records.sgf import write_game
from gotools.tournament.config import GO, TournamentConfig
from gotools.tournament.game.time_control import sgf_time
from gotools.tournament.play import MoveNote, PlayedGame


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
    if config.game != GO:
        return _other_game(played, config, header, words)
    record = GameRecord(
        id=str(result.game),
        size=config.size,
        moves=np.array(played.moves, np.int16).reshape(-1, 2),
        setup=tuple(Setup(0, BLACK, point) for point in sorted(played.handicap)),
        players=(result.black, result.white),
        ranks=("", ""),
        result=result.result,
        komi=config.komi,
        rules=config.rules.text(),
        handicap=len(played.handicap),
    )
    return write_game(record, header, words)


def _other_game(
    played: PlayedGame, config: TournamentConfig, header: dict[str, str], words: list[dict[str, str]]
) -> bytes:
    """Return a game other than Go."""
    result = played.result
    texts = result.moves.split()
    moves = [(colour, text) for (colour, _), text in zip(played.moves, texts, strict=True)]
    names = {"PB": result.black, "PW": result.white, "RE": result.result}
    whole = {**names, **header, "GN": f"{config.game}, {header['GN']}"}
    game = find_game(config.game).started_from(result.setting)
    if game.setting:
        whole["SU"] = game.setting
    return write_text_game(GAMES[game.name].sgf, config.size, whole, moves, words)


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
