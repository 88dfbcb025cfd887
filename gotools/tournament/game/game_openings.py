"""Openings of any `Game`: short sequences of legal moves, generated or from records; starts from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gotools.errors import FileFormatError, GotoolsError, quoted
from gotools.files.opening import read_lines
from gotools.game.game import Game
from gotools.games.records import read_records
from gotools.games.text_games import TextGame
from gotools.kernels.seams import ONGOING
from gotools.tournament.game.openings import FoundOpening, different_openings
from gotools.tournament.game.referee import Referee

MOST: Final = 2000
"""Openings generated at most: for 4000 games of a pairing. Also the sequences kept of each length."""

State = NDArray[np.int32]
Line = tuple[list[int], tuple[State, ...]]
"""Moves, the position that they lead to, and the images of it under the game's symmetries."""


def generated_openings(game: Game, size: int, plies: int, seed: int) -> list[list[int]]:
    """Return openings of a number of moves, in an order drawn by the seed: all, or MOST of them drawn by the seed.

    plies -- at least 1; fewer are made if all games are over by then
    seed  -- not negative

    Of openings that lead to the same position, or to images of it under the game's symmetries, one is kept. Left out
    are finished games, and positions in which the side to play wins at once or cannot keep the other side from it,
    unless no others are left. The same on all machines.
    """
    rng = np.random.default_rng(seed)
    start = game.position(size)
    level: list[Line] = [([], (start,) * len(game.images(game.moves_of(start)[0], size)))]
    for _ in range(plies):
        longer = _longer(game, size, level)
        if not longer:
            break
        level = longer if len(longer) <= MOST else [longer[i] for i in sorted(rng.permutation(len(longer))[:MOST])]
    undecided = [moves for moves, states in level if not _is_decided(game, states[0])]
    openings = undecided or [moves for moves, _ in level]
    return [openings[i] for i in rng.permutation(len(openings))]


def _longer(game: Game, size: int, level: list[Line]) -> list[Line]:
    """Return the sequences with one move more whose games are not over, one for each position up to symmetry."""
    found: dict[int, Line] = {}
    for moves, states in level:
        for move in game.moves_of(states[0]):
            after = game.play(states[0], move)
            if game.outcome(after) == ONGOING:
                images = zip(states[1:], game.images(move, size)[1:], strict=True)
                ends = (after, *(game.play(state, image) for state, image in images))
                found.setdefault(min(int(game.key(end)) for end in ends), ([*moves, move], ends))
    return list(found.values())


def _position_key(game: Game, size: int, moves: Sequence[int], state: State) -> int:
    """Return a key that a position has in common with its images, to which the images of its moves lead."""
    _, *images = zip(*(game.images(move, size) for move in moves), strict=True)
    return min(int(game.key(one)) for one in (state, *(_after(game, size, image) for image in images)))


def _after(game: Game, size: int, moves: Sequence[int]) -> State:
    state = game.position(size)
    for move in moves:
        state = game.play(state, move)
    return state


def _is_decided(game: Game, state: State) -> bool:
    """Return whether the side to play wins with its next move, or the other side with its reply to any."""
    after = [game.play(state, move) for move in game.moves_of(state)]
    return any(game.outcome(one) < 0 for one in after) or all(_wins_at_once(game, one) for one in after)


def _wins_at_once(game: Game, state: State) -> bool:
    """Return whether the side to play has won, or wins with its next move."""
    value = game.outcome(state)
    if value != ONGOING:
        return bool(value > 0)
    return any(game.outcome(game.play(state, move)) < 0 for move in game.moves_of(state))


# of games -------------------------------------------------------------------------------------------------------------


def openings_of_games(
    paths: Sequence[str | Path], game: Game, size: int, plies: int, say: Callable[[str], None] = lambda _: None
) -> list[list[int]]:
    """Return the first moves of records of a game, in the order of the games.

    paths -- as in `read_records`
    plies -- how many moves, at least 1
    say   -- called with a message for each file or game that cannot be read, and at the end with the number of games
        left out, and why

    Left out are games of another size or from another start, shorter ones, those with an illegal move or over by then,
    and those that lead to the position of an earlier opening, or to an image of it.

    Raises GotoolsError if none is left.
    """
    where = f"of {plies} moves of {game.name} in {', '.join(map(str, paths))}"
    return different_openings(_found(paths, game, size, plies, say), where, say)


def _found(
    paths: Sequence[str | Path], game: Game, size: int, plies: int, say: Callable[[str], None]
) -> Iterator[FoundOpening]:
    for _, record in read_records(paths, game, say):
        moves, why = _first_moves(game, size, record, plies)
        yield moves, 0 if why else _position_key(game, size, moves, _after(game, size, moves)), why


def _first_moves(game: Game, size: int, record: TextGame, plies: int) -> tuple[list[int], str]:
    """Return the first moves of a record, and why they are not usable as an opening ("" if they are)."""
    if record.size not in (None, size):
        return [], f"of size {record.size}"
    if record.setting != game.setting:
        return [], "from another start"
    if len(record.moves) < plies:
        return [], "too short"
    referee = Referee(game, size)
    for colour, text in record.moves[:plies]:
        move, why = referee.why_illegal(colour, text)
        if why:
            return [], "with an illegal move"
        referee.play(colour, move)
    return [move for _, move in referee.moves], "" if referee.verdict is None else "over by then"


# of starts ------------------------------------------------------------------------------------------------------------


def openings_of_starts(path: str | Path, game: Game, size: int) -> list[tuple[str, list[int]]]:
    """Return the settings and moves of a file: in each line a setting of the game, and perhaps a tab and legal moves.

    Empty lines, and those that begin with #, are left out. Raises FileFormatError.
    """
    found = []
    for number, line in enumerate(read_lines(path), 1):
        text = line.decode("utf-8", "replace").strip()
        if text and not text.startswith("#"):
            try:
                found.append(_opening_of_line(text, game, size))
            except GotoolsError as error:
                raise FileFormatError(path, number, str(error)) from error
    if not found:
        raise FileFormatError(path, None, "no start positions in it")
    return found


def _opening_of_line(text: str, game: Game, size: int) -> tuple[str, list[int]]:
    """Raises GotoolsError."""
    setting, _, moves = text.partition("\t")
    setting = " ".join(setting.split())
    referee = Referee(game.started_from(setting), size)
    for word in moves.split():
        move, why = referee.why_illegal(referee.to_play, word)
        if why:
            raise GotoolsError(f"{quoted(word)}: {why}")
        referee.play(referee.to_play, move)
    if referee.verdict is not None:
        raise GotoolsError("the game is over after these moves")
    return setting, [move for _, move in referee.moves]
