"""Show the games of a tournament: to replay, with what each engine said of its moves, and how long these took."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

import numpy as np

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.base.phases import Watch
from gotools.files.opening import read_bytes
from gotools.game.game import Game, find_game
from gotools.game.records.mainline import Node, moves_of
from gotools.game.records.record import Problem, Record, Setup
from gotools.game.records.replay import played
from gotools.game.records.sgf import read_main_lines
from gotools.game.sides import BLACK
from gotools.game.traits import SetUp
from gotools.matches.game.game_result import GameResult, sgf_name
from gotools.views.charts import Axes, Curve, line_chart
from gotools.views.parts import Figure, Link, Note, Part, Table
from gotools.views.replay import MOST_GAMES, Budget, ReplayGame, end_of_game, games_part, of_black

LONGEST_COMMENT: Final = 160
STRETCH: Final = 5
"""Moves whose times are one point of the chart."""
MOST_LINES: Final = 6
_ROW_BYTES: Final = 260
"""Of a game in the list."""
_SECONDS: Final = re.compile(r"([0-9]{1,9}\.[0-9]{1,6}) s(?:\n|$)")
_CHANCE: Final = re.compile(
    r"(?:chance\s+to\s+win|win\s?rate|winning\s+(?:chance|probability))\W{0,3}\s*([0-9]{1,3}(?:\.[0-9]{1,9})?)\s*(%?)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class MoveWords:
    """What the record says of a move: seconds, the mover's chance in per cent, and the comment; None: nothing."""

    seconds: float | None = None
    chance: float | None = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class RunGames:
    """The parts about the games of a run, those about the time of their moves, and the cell that opens each game."""

    parts: list[Part]
    times: list[Part]
    cells: dict[int, object]


def run_games(
    path: str, folder: str, results: Sequence[GameResult], names: Sequence[str], budget: Budget, watch: Watch
) -> RunGames:
    """Return the games of a run.

    path -- of its journal; folder -- the run's as a link from the page; results -- in the order of the games
    names -- the engines
    """
    said: dict[int, list[MoveWords]] = {}
    for result in results:
        said[result.game] = _read_words(os.path.join(os.path.dirname(path), sgf_name(result.game)))
        watch.advance()
    listed = results[:MOST_GAMES]
    budget.take(min(_ROW_BYTES * len(listed), budget.left))
    games, embedded = _embedded((_replay_game(one, said[one.game]) for one in listed), len(listed), budget)
    rows = [_row(game, path, folder, at if at < len(embedded) else None) for at, game in enumerate(listed)]
    parts: list[Part] = []
    if embedded:
        one, first = listed[0], games[0]
        title = f"Game {one.game}: {one.black} – {one.white}, {one.result}"
        end = end_of_game(first.game, first.record, f"game {one.game}", title)
        parts.append(games_part("Games", games, embedded, end, _how_many(embedded, results)))
    else:
        parts.append(Note("The games are too large for this page; the list leads to their records.", "warning"))
    columns = ["game", "black", "white", "result", "end", "moves", "seconds"]
    more = [f"The first {MOST_GAMES:,} of {len(results):,} games."] if len(results) > MOST_GAMES else []
    parts.append(Table("List of games", columns, rows, more, tall=True))
    cells = {game.game: row[0] for game, row in zip(listed, rows, strict=True)}
    return RunGames(parts, list(_time_chart(results, said, names)), cells)


def _how_many(embedded: Sequence[str], results: Sequence[GameResult]) -> str:
    if len(embedded) == len(results):
        return ""
    return f"The page holds the first {len(embedded):,} of {len(results):,} games; the list leads to records of others."


def _row(game: GameResult, path: str, folder: str, place: int | None) -> list[object]:
    name = sgf_name(game.game)
    there = os.path.isfile(os.path.join(os.path.dirname(path), name))
    to = quote(f"{folder}/{name}") if there else "#"
    cell: object = (
        Link(str(game.game), to, None if place is None else str(place)) if there or place is not None else game.game
    )
    seconds = f"{sum(game.seconds):.1f}"
    return [cell, game.black, game.white, game.result, str(game.end), len(game.moves.split()), seconds]


def _read_words(path: str) -> list[MoveWords]:
    """Return what the record of a game says of its moves; nothing where it cannot be read."""
    with suppress(FileFormatError):
        for found in read_main_lines(read_bytes(path), path, _words) if os.path.isfile(path) else ():
            return [] if isinstance(found, Problem) else found
    return []


def _words(nodes: list[Node], _: str) -> list[MoveWords]:
    words = []
    for node in nodes:
        texts = {name: values[0] for name, values, _ in node}
        if b"B" in texts or b"W" in texts:
            words.append(move_words(texts.get(b"C", b"").decode("utf-8", "replace")))
    return words


def move_words(comment: str) -> MoveWords:
    """Read a comment of a move: the seconds in its first line, the chance to win where an engine names it."""
    seconds = _SECONDS.match(comment)
    rest = comment[seconds.end() :] if seconds else comment
    chance = _CHANCE.search(rest)
    share = None
    if chance:
        share = float(chance[1]) * (1.0 if chance[2] else 100.0)
    if share is not None and share > 100.0:
        share = None
    words = "\n".join(line.strip() for line in rest.replace("\\", "").split("\n")[:2] if line.strip())
    return MoveWords(float(seconds[1]) if seconds else None, share, words[:LONGEST_COMMENT])


def _embedded(games: Iterable[ReplayGame], count: int, budget: Budget) -> tuple[list[ReplayGame], list[str]]:
    """Return the games that fit, and their data, from the first on; with comments only if these fit for all."""
    fitting: list[ReplayGame] = []
    room = budget.left
    for game in games:
        room -= len(game.data(comments=False))
        if room < 0:
            break
        fitting.append(game)
    whole = [game.data() for game in fitting]
    if sum(map(len, whole)) > budget.left or len(fitting) < count:
        whole = [game.data(comments=False) for game in fitting]
    budget.take(sum(map(len, whole)))
    return fitting, whole


def _replay_game(result: GameResult, said: Sequence[MoveWords]) -> ReplayGame:
    title = f"Game {result.game}: {result.black} (black) – {result.white} (white), {result.result}, {result.end}"
    game, record, first = _start(result)
    texts = [(_side(first, ply), text) for ply, text in enumerate(result.moves.split())]
    record = replace(record, moves=moves_of(texts, game, result.size)[0])
    count = len(record.moves)
    said = [*said, *[MoveWords()] * (count - len(said))][:count]
    values = [of_black(one.chance, side) for one, side in zip(said, record.moves[:, 0].tolist(), strict=True)]
    comments = [one.comment for one in said]
    return ReplayGame(title, game, record, values, comments=comments, names=(result.black, result.white))


def _start(result: GameResult) -> tuple[Game, Record, int]:
    """Return the game that is played, its record without moves, and the side that moves first."""
    game, setup = find_game(result.game_name), tuple[Setup, ...]()
    set_up = game.find(SetUp)
    if set_up is not None and result.handicap > 1:
        with suppress(GotoolsError):
            setup = tuple(Setup(0, BLACK, place) for place in sorted(set_up.fixed(result.size, result.handicap)))
    record = Record(str(result.game), result.size, np.empty((0, 2), np.int32), setup, setting=result.setting)
    return game, record, played(record, game)[0].to_play


def _side(first: int, ply: int) -> int:
    """Return who makes a move, by its number from 0."""
    return first if ply % 2 == 0 else 3 - first


def _time_chart(
    results: Sequence[GameResult], said: dict[int, list[MoveWords]], names: Sequence[str]
) -> Iterator[Figure]:
    """Yield the mean seconds of an engine's moves by their number in the game."""
    sums: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        words_of = said[result.game]
        first = _start(result)[2]
        for at, words in enumerate(words_of):
            if words.seconds is not None:
                mover = result.black if _side(first, at) == BLACK else result.white
                sums[mover][at // STRETCH].append(words.seconds)
    lines = [
        Curve(name, [(STRETCH * (at + 0.5), sum(some) / len(some)) for at, some in sorted(sums[name].items())])
        for name in names[:MOST_LINES]
        if sums[name]
    ]
    if lines:
        chart = line_chart(lines, Axes("number of the move", "s/move", least=0.0), "time per move over the game")
        yield Figure("time-per-move", chart, f"Mean time of a move, {STRETCH} moves of the game together.")
