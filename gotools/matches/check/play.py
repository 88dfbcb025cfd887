"""Checks of an engine's board and moves in Go. Each takes a GoTrial and returns an Outcome.

A check raises Unmet if the engine fails, Untried if it cannot be made; the names are in `engine.CHECKS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, zip_longest
from typing import Final

from gotools.game.outcome import parse_score, score_text
from gotools.games.go.board import Board
from gotools.games.go.estimate.scoring import area_score, territory_score
from gotools.games.go.points import BLACK, PASS, WHITE, colour_letter, parse_vertex, vertex
from gotools.matches.check.trial import GoTrial, Outcome, Unmet, Untried

SMALLEST: Final = 4
"""Smallest board with room for the positions below."""
SELF_PLAY: Final = 12
"""Moves that the engine makes for both sides."""

Moves = list[tuple[int, int]]


def plays(trial: GoTrial) -> Outcome:
    """Send legal moves, one pass among them."""
    _need_room(trial)
    size = trial.limits.size
    points = [0, size - 1, 2 * size, PASS, 2 * size + 2, size * size - 1]
    trial.board(*zip((BLACK, WHITE) * 3, points, strict=True))
    return True, f"takes {len(points)} legal moves, a pass among them"


def captures(trial: GoTrial) -> Outcome:
    """Capture a stone in the corner, and play where it was."""
    _need_room(trial)
    board = trial.board((WHITE, 0), (BLACK, 1), (BLACK, trial.limits.size))
    if why := trial.refusal(trial.line(BLACK, 0)):
        raise Unmet(f"a stone at A1 was captured, and it refuses to put another there: {why}")
    board.play_point(0, BLACK)
    _compare(trial, board)
    return True, "takes captured stones off the board"


def occupied(trial: GoTrial) -> Outcome:
    """Send a move on a stone."""
    trial.board((BLACK, 0))
    if trial.refusal(trial.line(WHITE, 0)) is None:
        raise Unmet(f"takes `{trial.line(WHITE, 0)}` where a stone stands")
    return True, "refuses a move on a stone"


def suicide(trial: GoTrial) -> Outcome:
    """Send a move that leaves its stone without a liberty."""
    _need_room(trial)
    trial.board((BLACK, 1), (BLACK, trial.limits.size))
    if trial.refusal(trial.line(WHITE, 0)) is None:
        return None, "takes a suicide; right where the rules allow it (New Zealand, Tromp-Taylor), else not"
    return True, "refuses suicide"


def ko(trial: GoTrial) -> Outcome:
    """Send a move that takes a ko back at once."""
    _need_room(trial)
    size = trial.limits.size
    black, white = (0, size + 1), (1, size + 2, 3)  # A1 B2; B1 C2 D1: black C1 takes B1
    trial.board(*_in_turn(black, white), (BLACK, 2))
    if trial.refusal(trial.line(WHITE, 1)) is None:
        raise Unmet("takes a ko back at once, which no rules allow")
    return True, "refuses to take a ko back at once"


def genmove(trial: GoTrial) -> Outcome:
    """Let the engine play both sides, with a suicide for each on the board."""
    size = trial.limits.size
    corners: Moves = []
    if size >= SMALLEST:  # A1 is suicide for white, the corner opposite for black
        last = size * size - 1
        corners = _in_turn((1, size), (last - 1, last - size))
    board = trial.board(*corners)
    played = trial.alternate(board, SELF_PLAY)
    moves = " ".join(answer for answer, _ in played[:3])
    return True, f"{len(played)} legal moves for both sides: {moves} ..."


def stones(trial: GoTrial) -> Outcome:
    """Compare the engine's board with ours after some of its moves."""
    board = trial.board()
    if not trial.knows("list_stones"):
        return None, "cannot be compared: it does not know list_stones"
    trial.alternate(board, SELF_PLAY)
    _compare(trial, board)
    return True, "its board equals ours after its own moves"


def same_colour_twice(trial: GoTrial) -> Outcome:
    """Let the engine move twice for the same side, as after handicap stones or a correction."""
    board = trial.board()
    for _ in range(2):
        trial.genmove(board, WHITE)
    return True, "moves twice in a row for the same side"


def after_passes(trial: GoTrial) -> Outcome:
    """Let the engine move after one pass and after two."""
    board = trial.board((WHITE, PASS))
    one, _ = trial.genmove(board, BLACK)
    board = trial.board((BLACK, PASS), (WHITE, PASS))
    two, _ = trial.genmove(board, BLACK)
    return True, f"moves after one pass ({one}) and after two ({two})"


def second_game(trial: GoTrial) -> Outcome:
    """Play to the end, and begin another game in the same process."""
    board = trial.board()
    trial.alternate(board, 4)
    for colour in (BLACK, WHITE):
        trial.play(board, colour, PASS)
    engine = trial.engine()
    for line in (f"boardsize {trial.limits.size}", "clear_board", f"komi {trial.limits.komi:g}", "genmove b"):
        engine.ask(line)
    return True, "plays a second game without a restart"


def clear_board(trial: GoTrial) -> Outcome:
    """Put stones, clear the board, and put stones of the other colour on the same points."""
    points = [0, trial.limits.size - 1, trial.limits.size + 1]
    trial.board(*((BLACK, point) for point in points))
    try:
        for colour in (WHITE, BLACK):  # one of them is the colour that was there
            trial.ask("clear_board")
            for point in points:
                if trial.refusal(trial.line(colour, point)) is not None:
                    raise Unmet("leaves stones on the board at `clear_board`; every game needs a new process")
        trial.ask("clear_board")
        _compare(trial, Board(trial.limits.size))
    except Unmet:
        trial.one_game = True
        raise
    return True, "clears the board"


def undo(trial: GoTrial) -> Outcome:
    """Take a move back, and put the other colour there."""
    trial.board((BLACK, 0))
    if not trial.knows("undo"):
        return None, "not known; a tournament does without"
    trial.ask("undo")
    if why := trial.refusal(trial.line(WHITE, 0)):
        raise Unmet(f"after `undo` it refuses a move where the stone was: {why}")
    return True, "takes a move back"


def passes_at_the_end(trial: GoTrial) -> Outcome:
    """Check whether the engine passes when every other move fills one of its last two eyes."""
    board = _settled(trial)
    trial.play(board, WHITE, PASS)
    answer, _ = trial.genmove(board, BLACK)
    if answer.lower() not in ("pass", "resign"):
        raise Unmet(f"plays {answer} into one of its two eyes, where it should pass")
    return True, f"answers {answer} with nothing left to play"


def score(trial: GoTrial) -> Outcome:
    """Ask for the result of a settled position."""
    board = _settled(trial)
    for colour in (BLACK, WHITE):
        trial.play(board, colour, PASS)
    if not trial.knows("final_score"):
        return None, "final_score is not known; results are counted without it"
    answer = trial.ask("final_score").strip()
    area = area_score(board, (), trial.limits.komi)
    territory = territory_score(board, (), (0, 0), trial.limits.komi)
    answered = parse_score(answer.partition(" ")[0])
    if answered == area:
        return True, f"counts {answer} as we do, by area"
    if answered == territory:
        return True, f"counts {answer} as we do, by territory; by area it would be {score_text(area)}"
    raise Unmet(f"counts {answer[:40]!r} where it is {score_text(area)} by area, {score_text(territory)} by territory")


def dead_stones(trial: GoTrial) -> Outcome:
    """Ask for the dead stones of a settled position without any."""
    board = _settled(trial)
    for colour in (BLACK, WHITE):
        trial.play(board, colour, PASS)
    if not trial.knows("final_status_list"):
        return None, "final_status_list is not known; all stones on the board at the end count as alive"
    if dead := trial.ask("final_status_list dead").split():
        raise Unmet(f"final_status_list calls {len(dead)} stones dead ({dead[0]}), which all have two eyes")
    return True, "calls no stone dead that has two eyes"


# ---- positions ----


def _need_room(trial: GoTrial) -> None:
    if trial.limits.size < SMALLEST:
        raise Untried(f"not tried on a board smaller than {SMALLEST}x{SMALLEST}")


def _in_turn(black: Iterable[int], white: Iterable[int]) -> Moves:
    """Return the moves of both sides, one by one as long as both have some."""
    pairs = zip_longest(((BLACK, point) for point in black), ((WHITE, point) for point in white))
    return [move for move in chain.from_iterable(pairs) if move is not None]


def settled_moves(size: int) -> Moves:
    """Return moves that fill the board except for two eyes of each side: black has the left half, and the middle."""
    middle = (size + 1) // 2
    eyes = {0, 2 * size, size - 1, 3 * size - 1}
    columns = [[row * size + column for row in range(size)] for column in range(size)]
    black = [point for column in columns[middle - 1 :: -1] for point in column if point not in eyes]
    white = [point for column in columns[middle:] for point in column if point not in eyes]
    return _in_turn(black, white)


def _settled(trial: GoTrial) -> Board:
    _need_room(trial)
    return trial.board(*settled_moves(trial.limits.size))


def _compare(trial: GoTrial, board: Board) -> None:
    """Compare the stones, if the engine can list them. Raises Unmet."""
    if not trial.knows("list_stones"):
        return
    for colour, name in ((BLACK, "black"), (WHITE, "white")):
        theirs = set()
        for word in trial.ask(f"list_stones {name}").split():
            try:
                theirs.add(parse_vertex(word, board.side))
            except ValueError as error:
                raise Unmet(f"list_stones {colour_letter(colour)} answers with {word[:40]!r}") from error
        ours = {point for point in range(board.side**2) if board.colour(point) == colour}
        if theirs != ours:
            point = min(theirs ^ ours)
            what = "has a" if point in theirs else "lacks the"
            raise Unmet(f"its board {what} {name} stone at {vertex(point, board.side)}")
