"""Checks of an engine's moves in a game other than Go. Each takes a GameTrial and returns an Outcome.

Positions come from random games, the same in every run. A check raises Unmet if the engine fails, Untried if it cannot
be made; the names are in `engine.CHECKS_OF_GAMES`.
"""

from __future__ import annotations

import random
from typing import Final

from gotools.gtp_client.client import FailureKind, GtpFailure
from gotools.matches.check.trial import GameTrial, Outcome, Unmet, Untried
from gotools.matches.contestant import GAME_ID, LEGAL_MOVES, another_game

SELF_PLAY: Final = 12
"""Moves that the engine makes for both sides."""
GAMES: Final = 3
"""Random games that are sent."""
TRIES: Final = 200
"""Random games looked through for a position."""

Moves = list[tuple[int, int]]


def game_id(trial: GameTrial) -> Outcome:
    """Ask which game the engine plays."""
    if played := another_game(trial.limits.game, trial.engine()):
        raise Unmet(f"plays {played[:40]}, not {trial.limits.game}")
    if not trial.knows(GAME_ID):
        return None, f"{GAME_ID} is not known; a tournament believes that it plays {trial.limits.game}"
    return True, f"says that it plays {trial.limits.game}"


def clear_board(trial: GameTrial) -> Outcome:
    """Play a game to its end, clear the board, and play it again."""
    moves = _random_game(trial, 1)
    trial.board(*moves)
    trial.ask("clear_board")
    try:
        for colour, move in moves:
            if trial.refusal(trial.line(colour, move)) is not None:
                raise Unmet("leaves moves on the board at `clear_board`; every game needs a new process")
    except Unmet:
        trial.one_game = True
        raise
    return True, "clears the board"


def plays(trial: GameTrial) -> Outcome:
    """Send the moves of random games."""
    sent = 0
    for seed in range(GAMES):
        moves = _random_game(trial, seed)
        trial.board(*moves)
        sent += len(moves)
    return True, f"takes {sent} legal moves of {GAMES} games"


def illegal(trial: GameTrial) -> Outcome:
    """Send a move that was legal before and is not any more."""
    for seed in range(TRIES):
        board = trial.new_board()
        first = board.history.legal_moves()
        for played, (colour, move) in enumerate(moves := _random_game(trial, seed)):
            now = [one for one in first if board.why_illegal(board.to_play, trial.text(one))[1]]
            if now and board.verdict is None:
                trial.board(*moves[:played])
                line = trial.line(colour, now[0])
                if trial.refusal(line) is None:
                    raise Unmet(f"takes `{line}`, which is not legal there")
                return True, f"refuses `{line}`, which is not legal there"
            board.play(colour, move)
    raise Untried(f"no illegal move found in {TRIES} games")


def no_move(trial: GameTrial) -> Outcome:
    """Send a text that is not a move of the game."""
    trial.board()
    if trial.refusal("play b gotools") is None:
        raise Unmet("takes `play b gotools`")
    return True, "refuses a text that is not a move"


def undo(trial: GameTrial) -> Outcome:
    """Take a move back, and play another in its place."""
    board = trial.new_board()
    one, *_, other = board.history.legal_moves()
    trial.board((1, one))
    if not trial.knows("undo"):
        return None, "not known; a tournament does without"
    trial.ask("undo")
    if why := trial.refusal(trial.line(1, other)):
        raise Unmet(f"after `undo` it refuses `{trial.line(1, other)}`: {why}")
    return True, "takes a move back"


def genmove(trial: GameTrial) -> Outcome:
    """Let the engine play both sides."""
    played = trial.alternate(trial.board(), SELF_PLAY)
    moves = " ".join(answer for answer, _ in played[:3])
    return True, f"{len(played)} legal moves for both sides: {moves} ..."


def genmove_later(trial: GameTrial) -> Outcome:
    """Let the engine move in the middle and near the end of random games."""
    made = 0
    for seed in range(GAMES):
        moves = _random_game(trial, seed)
        for length in {len(moves) // 2, len(moves) - 1}:
            board = trial.board(*moves[:length])
            trial.genmove(board, board.to_play)
            made += 1
    return True, f"{made} legal moves in positions of random games"


def legal_moves(trial: GameTrial) -> Outcome:
    """Compare the engine's list of legal moves with ours."""
    if not trial.knows(LEGAL_MOVES):
        return None, f"cannot be compared: it does not know {LEGAL_MOVES}"
    for seed in range(GAMES):
        moves = _random_game(trial, seed)
        moves = moves[: len(moves) // 2]
        board = trial.board(*moves)
        ours = {trial.text(move) for move in board.history.legal_moves()}
        theirs = {word.lower() for word in trial.ask(LEGAL_MOVES).split()}
        if odd := sorted({word.lower() for word in ours} ^ theirs):
            what = "has" if odd[0] in theirs else "lacks"
            raise Unmet(f"{LEGAL_MOVES} {what} {odd[0][:40]} after {' '.join(trial.text(move) for _, move in moves)}")
    return True, f"{LEGAL_MOVES} equals ours"


def second_game(trial: GameTrial) -> Outcome:
    """Play a game to its end, and begin another in the same process."""
    trial.board(*_random_game(trial, 0))
    engine = trial.engine()
    for line in (f"boardsize {trial.limits.size}", "clear_board", "genmove b"):
        engine.ask(line)
    return True, "plays a second game without a restart"


def after_the_end(trial: GameTrial) -> Outcome:
    """Send a move after the end of a game."""
    moves = _random_game(trial, 0)
    board = trial.board(*moves)
    if board.verdict is None:
        raise Untried(f"the game is not over after {board.longest} moves")
    line = trial.line(board.to_play, trial.new_board().history.legal_moves()[0])
    if trial.refusal(line) is None:
        return None, f"takes `{line}` after the end of the game; a tournament does not send it"
    return True, "refuses a move after the end of the game"


def score(trial: GameTrial) -> Outcome:
    """Ask for the results of finished games."""
    if not trial.knows("final_score"):
        return None, "final_score is not known; results follow from the moves"
    for seed in range(GAMES):
        board = trial.board(*_random_game(trial, seed))
        if board.verdict is not None:
            answer = trial.ask("final_score").strip()
            if answer[:1].upper() != board.verdict.result[:1]:
                raise Unmet(f"final_score is {answer[:40]!r} where the result is {board.verdict.result}")
    trial.board()
    try:
        answer = trial.ask("final_score").strip()
    except GtpFailure as failure:
        if failure.kind is not FailureKind.refused:
            raise
        return True, "final_score gives the result, and none while the game goes on"
    return None, f"final_score is {answer[:40]!r} before the first move"


# ---- positions ----


def _random_game(trial: GameTrial, seed: int) -> Moves:
    """Return the moves of a random game to its end, or to the longest one."""
    chance, board = random.Random(seed), trial.new_board()
    while board.verdict is None and len(board.moves) < board.longest:
        board.play(board.to_play, chance.choice(board.history.legal_moves()))
    return list(board.moves)
