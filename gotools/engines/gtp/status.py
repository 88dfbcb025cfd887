"""GTP commands that look at the board: drawings, dead stones, the score."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from gotools.engines.gtp.arguments import expect, read_colour, syntax_error
from gotools.engines.gtp.session import GtpSession
from gotools.game.outcome import score_text
from gotools.games.go.board import Board
from gotools.games.go.estimate import status
from gotools.games.go.points import BLACK, WHITE, colour_letter, vertex


def showboard(session: GtpSession, words: list[str]) -> str:
    """showboard: draw the board, X black, O white."""
    expect(words, "", 0)
    state = session.state
    board = state.board
    taken = "stones taken: by b {}, by w {}".format(*board.taken)
    last = ""
    if state.moves:
        colour, point = state.moves[-1]
        last = f"; last move {colour_letter(colour)} {vertex(point, board.side)}"
    turn = f"move {len(state.moves) + 1}, {colour_letter(board.to_play)} to play{last}"
    return f"\n{board.diagram()}\n{turn}\nkomi {state.komi:g}; {taken}"


def list_stones(session: GtpSession, words: list[str]) -> str:
    """list_stones COLOR: list the stones of a colour."""
    expect(words, "COLOR", 1)
    colour = read_colour(words[0])
    cells = session.state.board.cells
    return _vertices((p for p in range(len(cells)) if cells[p] == colour), session.state.board.side)


def move_history(session: GtpSession, words: list[str]) -> str:
    """move_history: list the moves, the last one first."""
    expect(words, "", 0)
    names = {BLACK: "black", WHITE: "white"}
    size = session.state.board.side
    return "\n".join(f"{names[colour]} {vertex(point, size)}" for colour, point in reversed(session.state.moves))


def final_score(session: GtpSession, words: list[str]) -> str:
    """final_score: count area, or territory by rules that do, dead stones taken off unless all count as alive."""
    expect(words, "", 0)
    state = session.state
    if not session.rules.friendly:
        return score_text(state.board.area_score() - state.komi)
    count = status.final_territory_score if session.rules.scoring == "territory" else status.final_score
    return score_text(count(state.board, state.komi, session.settings.seed))


def final_status_list(session: GtpSession, words: list[str]) -> str:
    """final_status_list alive|seki|dead: list the stones of a status, a chain a line."""
    expect(words, "alive, seki or dead", 1)
    board, seed = session.state.board, session.settings.seed
    if words[0] == "dead":
        points = status.dead_points(board, seed)
    elif words[0] == "seki":
        points = status.dead_and_seki_points(board, seed)[1]
    elif words[0] == "alive":
        dead, seki = status.dead_and_seki_points(board, seed)
        cells = board.cells
        points = sorted({p for p in range(len(cells)) if cells[p]}.difference(dead, seki))
    else:
        raise syntax_error("expected alive, seki or dead")
    return _chains(board, points)


def ownership_rows(session: GtpSession) -> list[list[float]]:
    """Return rows from the top of who will own each point, by playouts: +1 black, -1 white."""
    board = session.state.board
    owned = status.ownership(board, board.to_play, seed=session.settings.seed)
    rows: list[list[float]] = owned.reshape(board.side, board.side)[::-1].tolist()
    return rows


def _chains(board: Board, points: Iterable[int]) -> str:
    """Write stones as chains, one a line."""
    left, lines = sorted(points), []
    while left:
        chain = [p for p in board.chain(left[0]) if p in left]
        left = [p for p in left if p not in chain]
        lines.append(_vertices(chain, board.side))
    return "\n".join(lines)


def _vertices(points: Iterable[int], size: int) -> str:
    return " ".join(vertex(point, size) for point in points)


COMMANDS: Final = {
    "final_score": final_score,
    "final_status_list": final_status_list,
    "list_stones": list_stones,
    "move_history": move_history,
    "showboard": showboard,
}
