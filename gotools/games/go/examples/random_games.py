"""Play games of a uniformly random legal player, against an engine or against itself, and keep the random moves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gotools.base.errors import EngineError, shown
from gotools.game.records.record import Record
from gotools.game.records.selection import Selection
from gotools.game.sides import BLACK, WHITE, side_letter
from gotools.games.go.board import Board, legal_points
from gotools.games.go.examples.gather import examples_of
from gotools.games.go.examples.negatives import relabel
from gotools.games.go.examples.table import RANDOM, Examples
from gotools.games.go.points import PASS, parse_vertex, vertex
from gotools.gtp_client.client import GtpEngine

KOMI = 7.0
NAME = "random-player"
ENGINE_SEED_COMMAND = "set_random_seed"  # GNU Go's; sent only to engines that know it


def random_moves(
    count: int,
    size: int,
    seed: int,
    engine: str | None = None,
    komi: float = KOMI,
    timeout: float = 60.0,
    advance: Callable[[int], None] = lambda _: None,
) -> Examples:
    """Return the first `count` moves of a random player as counter-examples of source random.

    engine -- GTP command line of the opponent, who has black in every second game; None: both players are random,
    and the moves of both count. The same engine is used for all games, and seeded where it supports that.
    advance -- called after each game with its number of moves

    A game ends with a second pass, a resignation, or after size * (size - 1) moves (72 on 9x9).
    Raises EngineError or MissingTool if the engine fails.
    """
    if count <= 0:
        return Examples.empty(size * size)
    rng = np.random.default_rng([seed, RANDOM])
    if engine is None:
        return _play_all(count, size, rng, None, advance)
    with GtpEngine(engine, timeout) as opponent:
        if opponent.knows(ENGINE_SEED_COMMAND):
            opponent.ask(f"{ENGINE_SEED_COMMAND} {seed % 2**31}")
        opponent.ask(f"boardsize {size}")
        opponent.ask(f"komi {komi:g}")
        return _play_all(count, size, rng, opponent, advance)


def _play_all(
    count: int, size: int, rng: np.random.Generator, opponent: GtpEngine | None, advance: Callable[[int], None]
) -> Examples:
    parts: list[Examples] = []
    found, number = 0, 0
    while found < count:
        number += 1
        engine_colour = 0 if opponent is None else (WHITE if number % 2 else BLACK)
        record = _play(f"{NAME}-{number}", size, rng, opponent, engine_colour)
        rows, _ = examples_of([record], Selection())
        parts.append(rows.take(rows.to_play != engine_colour))
        if not len(parts[-1]) and number > 10 and not found:
            raise EngineError(opponent.name if opponent else NAME, "ends every game before the random player moves")
        found += len(parts[-1])
        advance(len(parts[-1]))
    return relabel(Examples.concat(parts).take(np.arange(count)), RANDOM)


def _play(name: str, size: int, rng: np.random.Generator, opponent: GtpEngine | None, engine_colour: int) -> Record:
    """Play one game; `engine_colour` is 0 where there is no engine."""
    if opponent is not None:
        opponent.ask("clear_board")
    board = Board(size)
    moves: list[tuple[int, int]] = []
    colour, passes = BLACK, 0
    while passes < 2 and len(moves) < size * (size - 1):
        if opponent is not None and colour == engine_colour:
            point = _ask_move(opponent, board, colour)
            if point is None:  # it resigns
                break
        else:
            point = _random_point(board, colour, rng)
            if opponent is not None:
                opponent.ask(f"play {side_letter(colour)} {vertex(point, size)}")
        board.play_point(point, colour)
        moves.append((colour, point))
        passes = passes + 1 if point == PASS else 0
        colour = 3 - colour
    return Record(name, size, np.array(moves, np.int16).reshape(-1, 2))


def _random_point(board: Board, colour: int, rng: np.random.Generator) -> int:
    points = np.flatnonzero(legal_points(board.cells, board.side, colour, board.ko))
    return int(points[rng.integers(len(points))]) if len(points) else PASS


def _ask_move(opponent: GtpEngine, board: Board, colour: int) -> int | None:
    """Return the engine's move, None when it resigns.

    Raises EngineError for an answer that is not a legal move.
    """
    answer = opponent.ask(f"genmove {side_letter(colour)}")
    if answer.strip().lower() == "resign":
        return None
    try:
        point = parse_vertex(answer.strip(), board.side)
    except ValueError as error:
        raise EngineError(opponent.name, f"answers `genmove` without a move: {shown(error, 200)}") from error
    why = "no point" if point < 0 and point != PASS else board.why_illegal(point, colour)
    if why:
        raise EngineError(opponent.name, f"makes an illegal move: {answer.strip()} ({why})")
    return point
