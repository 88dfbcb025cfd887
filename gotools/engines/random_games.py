"""Play games of a uniformly random legal player, against an engine or against itself, and keep the random moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import EngineError, shown
from gotools.game.examples.examples import Examples
from gotools.game.examples.negatives import relabel
from gotools.game.examples.states import examples_class
from gotools.game.game import Game
from gotools.game.history import refusal
from gotools.game.records.record import Record
from gotools.game.records.sources import RANDOM
from gotools.game.sides import BLACK, WHITE, side_letter
from gotools.game.traits import Scoring
from gotools.gtp_client.client import GtpEngine
from gotools.gtp_client.games import beginning
from gotools.jit.kernels.seams import ONGOING, TO_PLAY

KOMI: Final = 7.0
NAME: Final = "random-player"
MOST_MOVES: Final = 300
"""Of a game that is not counted."""
ENGINE_SEED_COMMAND = "set_random_seed"  # GNU Go's; sent only to engines that know it


def random_moves(
    count: int,
    size: int,
    seed: int,
    engine: str | None = None,
    *,
    game: Game,
    timeout: float = 60.0,
    advance: Callable[[int], None] = lambda _: None,
) -> Examples:
    """Return the first `count` moves of a random player as counter-examples of source random.

    engine -- GTP command line of the opponent, who has black in every second game; None: both players are random,
    and the moves of both count. The same engine is used for all games, and seeded where it supports that.
    advance -- called after each game with its number of moves

    A game ends by its rules (that of Go with a second pass), a resignation, or after size * (size - 1) moves (72 on
    9x9), MOST_MOVES in a game that is not counted. Raises EngineError or MissingTool if the engine fails.
    """
    if count <= 0:
        return examples_class(game).none(game)
    rng = np.random.default_rng([seed, RANDOM])
    if engine is None:
        return _play_all(count, game, size, rng, None, advance)
    with GtpEngine(engine, timeout) as opponent:
        if opponent.knows(ENGINE_SEED_COMMAND):
            opponent.ask(f"{ENGINE_SEED_COMMAND} {seed % 2**31}")
        return _play_all(count, game, size, rng, opponent, advance)


def _play_all(
    count: int,
    game: Game,
    size: int,
    rng: np.random.Generator,
    opponent: GtpEngine | None,
    advance: Callable[[int], None],
) -> Examples:
    parts: list[Examples] = []
    found, number = 0, 0
    while found < count:
        number += 1
        engine_colour = 0 if opponent is None else (WHITE if number % 2 else BLACK)
        record = _play(f"{NAME}-{number}", game, size, rng, opponent, engine_colour)
        rows, _ = examples_class(game).played([record], game)
        parts.append(rows.take(rows.to_play != engine_colour))
        if not len(parts[-1]) and number > 10 and not found:
            raise EngineError(opponent.name if opponent else NAME, "ends every game before the random player moves")
        found += len(parts[-1])
        advance(len(parts[-1]))
    return relabel(examples_class(game).concat(parts).take(np.arange(count)), RANDOM)


def _play(
    name: str, game: Game, size: int, rng: np.random.Generator, opponent: GtpEngine | None, engine_colour: int
) -> Record:
    """Play one game; `engine_colour` is 0 where there is no engine."""
    if opponent is not None:
        for line in beginning(game, size, KOMI):
            opponent.ask(line)
    state, moves = game.position(size), list[tuple[int, int]]()
    most = size * (size - 1) if game.has(Scoring) else MOST_MOVES
    while len(moves) < most and game.outcome(state) == ONGOING:
        side = int(state[TO_PLAY])
        if opponent is not None and side == engine_colour:
            move = _ask_move(opponent, game, state, size)
            if move is None:  # it resigns
                break
        else:
            move = _random_move(game, state, rng)
            if opponent is not None:
                opponent.ask(f"play {side_letter(side)} {game.move_text(move, size)}")
        moves.append((side, game.place_of(move, size)))
        state = game.play(state, move)
    return Record(name, size, np.array(moves, np.int16).reshape(-1, 2), setting=game.setting)


def _random_move(game: Game, state: NDArray[np.int32], rng: np.random.Generator) -> int:
    moves = [move for move in game.moves_of(state) if move != game.pass_move]
    return moves[rng.integers(len(moves))] if moves else game.pass_move


def _ask_move(opponent: GtpEngine, game: Game, state: NDArray[np.int32], size: int) -> int | None:
    """Return the engine's move, None when it resigns.

    Raises EngineError for an answer that is not a legal move.
    """
    side = int(state[TO_PLAY])
    answer = opponent.ask(f"genmove {side_letter(side)}")
    if answer.strip().lower() == "resign":
        return None
    try:
        move = game.parse_move(answer.strip(), size)
    except ValueError as error:
        raise EngineError(opponent.name, f"answers `genmove` without a move: {shown(error, 200)}") from error
    if why := refusal(game, state, side, move):
        raise EngineError(opponent.name, f"makes an illegal move: {answer.strip()} ({why})")
    return move
