"""Checks of an engine's board and moves, in any game. Each takes a Trial and returns an Outcome.

Positions come from random games, the same in every run; where stones are put on a board by agreement, from those that
the game has for trials. A check raises Unmet if the engine fails, Untried if it cannot be made; the names are in
`engine.CHECKS` and `engine.CHECKS_OF_GAMES`.
"""

from __future__ import annotations

import random
from typing import Final

from gotools.game.outcome import parse_score, score_text
from gotools.game.sides import BLACK, WHITE, side_letter, side_name
from gotools.game.traits import Scoring, SetUp
from gotools.game.trials import Moves, Trials
from gotools.gtp_client.client import FailureKind, GtpFailure
from gotools.gtp_client.games import GAME_ID, another_game
from gotools.matches.check.trial import Outcome, Trial, Unmet, Untried
from gotools.matches.contestant import LEGAL_MOVES
from gotools.matches.game.referee import Referee

SELF_PLAY: Final = 12
"""Moves that the engine makes for both sides."""
GAMES: Final = 3
"""Random games that are sent."""
TRIES: Final = 200
"""Random games looked through for a position."""


def game_id(trial: Trial) -> Outcome:
    """Ask which game the engine plays."""
    if played := another_game(trial.limits.game, trial.engine()):
        raise Unmet(f"plays {played[:40]}, not {trial.limits.game}")
    if not trial.knows(GAME_ID):
        return None, f"{GAME_ID} is not known; a tournament believes that it plays {trial.limits.game}"
    return True, f"says that it plays {trial.limits.game}"


def clear_board(trial: Trial) -> Outcome:
    """Send moves, clear the board, and send moves that are refused if it is not clear."""
    first, *others = trial.made.cleared(trial.limits.size) if trial.made else [_random_game(trial, 1)] * 2
    trial.board(*first)
    try:
        for moves in others:
            trial.ask("clear_board")
            for side, move in moves:
                if trial.refusal(trial.line(side, move)) is not None:
                    raise Unmet("leaves moves on the board at `clear_board`; every game needs a new process")
        trial.ask("clear_board")
        _compare(trial, trial.new_board())
    except Unmet:
        trial.one_game = True
        raise
    return True, "clears the board"


def plays(trial: Trial) -> Outcome:
    """Send legal moves."""
    if trial.scoring:
        moves = _with_room(trial).legal(trial.limits.size)
        trial.board(*moves)
        return True, f"takes {len(moves)} legal moves, a pass among them"
    sent = 0
    for seed in range(GAMES):
        moves = _random_game(trial, seed)
        trial.board(*moves)
        sent += len(moves)
    return True, f"takes {sent} legal moves of {GAMES} games"


def position(trial: Trial, name: str) -> Outcome:
    """Send a move in a position made for it."""
    made = _made(trial).positions[name]
    _need_room(trial, made.smallest)
    board, line = trial.board(*made.moves(trial.limits.size)), trial.line(*made.move)
    why = trial.refusal(line)
    if made.legal:
        if why is not None:
            raise Unmet(f"{made.wrong}: {why}")
        board.play(*made.move)
        _compare(trial, board)
    elif why is None:
        if made.legal is None:
            return None, made.wrong
        raise Unmet(made.wrong.format(line=line))
    return True, made.right


def illegal(trial: Trial) -> Outcome:
    """Send a move that was legal before and is not any more."""
    for seed in range(TRIES):
        board = trial.new_board()
        first = board.history.legal_moves()
        for played, (side, move) in enumerate(moves := _random_game(trial, seed)):
            now = [one for one in first if board.history.why_illegal(board.to_play, one)]
            if now and board.verdict is None:
                trial.board(*moves[:played])
                line = trial.line(side, now[0])
                if trial.refusal(line) is None:
                    raise Unmet(f"takes `{line}`, which is not legal there")
                return True, f"refuses `{line}`, which is not legal there"
            board.play(side, move)
    raise Untried(f"no illegal move found in {TRIES} games")


def no_move(trial: Trial) -> Outcome:
    """Send a text that is not a move of the game."""
    trial.board()
    if trial.refusal("play b gotools") is None:
        raise Unmet("takes `play b gotools`")
    return True, "refuses a text that is not a move"


def undo(trial: Trial) -> Outcome:
    """Take a move back, and play another in its place: that of the other side where either may move."""
    one, *_, other = trial.new_board().history.legal_moves()
    trial.board((BLACK, one))
    if not trial.knows("undo"):
        return None, "not known; a tournament does without"
    trial.ask("undo")
    line = trial.line(WHITE, one) if trial.game.has(SetUp) else trial.line(BLACK, other)
    if why := trial.refusal(line):
        raise Unmet(f"after `undo` it refuses `{line}`: {why}")
    return True, "takes a move back"


def genmove(trial: Trial) -> Outcome:
    """Let the engine play both sides, where it can be with a point for each on which it may not play."""
    made, size = trial.made, trial.limits.size
    board = trial.board(*(made.corners(size) if made and size >= made.smallest else ()))
    played = trial.alternate(board, SELF_PLAY)
    moves = " ".join(answer for answer, _ in played[:3])
    return True, f"{len(played)} legal moves for both sides: {moves} ..."


def genmove_later(trial: Trial) -> Outcome:
    """Let the engine move in the middle and near the end of random games."""
    made = 0
    for seed in range(GAMES):
        moves = _random_game(trial, seed)
        for length in {len(moves) // 2, len(moves) - 1}:
            board = trial.board(*moves[:length])
            trial.genmove(board, board.to_play)
            made += 1
    return True, f"{made} legal moves in positions of random games"


def stones(trial: Trial) -> Outcome:
    """Compare the engine's board with ours after some of its moves."""
    board = trial.board()
    if not trial.knows("list_stones"):
        return None, "cannot be compared: it does not know list_stones"
    trial.alternate(board, SELF_PLAY)
    _compare(trial, board)
    return True, "its board equals ours after its own moves"


def same_side_twice(trial: Trial) -> Outcome:
    """Let the engine move twice for the same side, as after handicap stones or a correction."""
    board = trial.board()
    for _ in range(2):
        trial.genmove(board, WHITE)
    return True, "moves twice in a row for the same side"


def after_passes(trial: Trial) -> Outcome:
    """Let the engine move after one pass and after two."""
    passing = _made(trial).passing
    one, _ = trial.genmove(trial.board((WHITE, passing)), BLACK)
    two, _ = trial.genmove(trial.board((BLACK, passing), (WHITE, passing)), BLACK)
    return True, f"moves after one pass ({one}) and after two ({two})"


def legal_moves(trial: Trial) -> Outcome:
    """Compare the engine's list of legal moves with ours."""
    if not trial.knows(LEGAL_MOVES):
        return None, f"cannot be compared: it does not know {LEGAL_MOVES}"
    for seed in range(GAMES):
        moves = _random_game(trial, seed)
        moves = moves[: len(moves) // 2]
        board = trial.board(*moves)
        ours = {board.text(move).lower() for move in board.history.legal_moves()}
        theirs = {word.lower() for word in trial.ask(LEGAL_MOVES).split()}
        if odd := sorted(ours ^ theirs):
            what = "has" if odd[0] in theirs else "lacks"
            raise Unmet(f"{LEGAL_MOVES} {what} {odd[0][:40]} after {' '.join(board.text(move) for _, move in moves)}")
    return True, f"{LEGAL_MOVES} equals ours"


def second_game(trial: Trial) -> Outcome:
    """Play to the end, and begin another game in the same process."""
    if trial.scoring:
        board = trial.board()
        trial.alternate(board, 4)
        _pass_both(trial, board)
    else:
        trial.board(*_random_game(trial, 0))
    engine = trial.engine()
    for line in (*trial.beginning, "genmove b"):
        engine.ask(line)
    return True, "plays a second game without a restart"


def after_the_end(trial: Trial) -> Outcome:
    """Send a move after the end of a game."""
    board = trial.board(*_random_game(trial, 0))
    if board.verdict is None:
        raise Untried(f"the game is not over after {board.longest} moves")
    line = trial.line(board.to_play, trial.new_board().history.legal_moves()[0])
    if trial.refusal(line) is None:
        return None, f"takes `{line}` after the end of the game; a tournament does not send it"
    return True, "refuses a move after the end of the game"


def score(trial: Trial) -> Outcome:
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


# ---- settled positions ----


def passes_at_the_end(trial: Trial) -> Outcome:
    """Check whether the engine passes when every other move fills one of its last two eyes."""
    made = _with_room(trial)
    board = trial.board(*made.settled(trial.limits.size))
    trial.play(board, WHITE, made.passing)
    answer, _ = trial.genmove(board, BLACK)
    if answer.lower() not in ("pass", "resign"):
        raise Unmet(f"plays {answer} into one of its two eyes, where it should pass")
    return True, f"answers {answer} with nothing left to play"


def settled_score(trial: Trial) -> Outcome:
    """Ask for the result of a settled position."""
    board, scoring = _settled(trial), trial.game.need(Scoring)
    if not trial.knows("final_score"):
        return None, "final_score is not known; results are counted without it"
    answer, leads = trial.ask("final_score").strip(), dict[str, float]()
    for rules in (scoring.usual, *scoring.rules.values()):
        leads[rules.scoring] = scoring.count(board.history.state, (), rules, trial.limits.komi)
    usual = scoring.usual.scoring
    for name, lead in leads.items():
        if parse_score(answer.partition(" ")[0]) == lead:
            other = "" if name == usual else f"; by {usual} it would be {score_text(leads[usual])}"
            return True, f"counts {answer} as we do, by {name}{other}"
    right = ", ".join(f"{score_text(lead)} by {name}" for name, lead in leads.items())
    raise Unmet(f"counts {answer[:40]!r} where it is {right}")


def dead_stones(trial: Trial) -> Outcome:
    """Ask for the dead stones of a settled position without any."""
    _settled(trial)
    if not trial.knows("final_status_list"):
        return None, "final_status_list is not known; all stones on the board at the end count as alive"
    if dead := trial.ask("final_status_list dead").split():
        raise Unmet(f"final_status_list calls {len(dead)} stones dead ({dead[0]}), which all have two eyes")
    return True, "calls no stone dead that has two eyes"


# ---- positions ----


def _random_game(trial: Trial, seed: int) -> Moves:
    """Return the moves of a random game to its end, or to the longest one."""
    chance, board = random.Random(seed), trial.new_board()
    while board.verdict is None and len(board.history.moves) < board.longest:
        board.play(board.to_play, chance.choice(board.history.legal_moves()))
    return board.moves


def _made(trial: Trial) -> Trials:
    assert trial.made is not None, "a check of games that are counted"
    return trial.made


def _need_room(trial: Trial, smallest: int) -> None:
    if trial.limits.size < smallest:
        raise Untried(f"not tried on a board smaller than {smallest}x{smallest}")


def _with_room(trial: Trial) -> Trials:
    made = _made(trial)
    _need_room(trial, made.smallest)
    return made


def _settled(trial: Trial) -> Referee:
    """Return a settled position after both have passed."""
    board = trial.board(*_with_room(trial).settled(trial.limits.size))
    _pass_both(trial, board)
    return board


def _pass_both(trial: Trial, board: Referee) -> None:
    for side in (BLACK, WHITE):
        trial.play(board, side, _made(trial).passing)


def _compare(trial: Trial, board: Referee) -> None:
    """Compare the stones, if the engine can list them. Raises Unmet."""
    set_up = trial.game.find(SetUp)
    if set_up is None or not trial.knows("list_stones"):
        return
    for side in (BLACK, WHITE):
        theirs, ours = set(), set(set_up.stones(board.history.state, side))
        for word in trial.ask(f"list_stones {side_name(side)}").split():
            try:
                theirs.add(board.history.parse(word))
            except ValueError as error:
                raise Unmet(f"list_stones {side_letter(side)} answers with {word[:40]!r}") from error
        if theirs != ours:
            point = min(theirs ^ ours)
            what = "has a" if point in theirs else "lacks the"
            raise Unmet(f"its board {what} {side_name(side)} stone at {board.text(point)}")
