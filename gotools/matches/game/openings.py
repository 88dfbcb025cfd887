"""Openings: prescribed first moves, so that equal players do not play the same game twice.

Each is meant to be played twice with colours exchanged, so that its advantage goes to both players. Its moves are
places (`Game.place_of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import FileFormatError, GotoolsError, quoted
from gotools.files.opening import read_lines
from gotools.game.game import Game
from gotools.game.history import History
from gotools.game.records.reading import read_records
from gotools.game.records.record import Record
from gotools.game.traits import Openings
from gotools.jit.kernels.seams import ONGOING
from gotools.matches.game.referee import Referee

MOST: Final = 2000
"""Openings generated at most: for 4000 games of a pairing. Also the sequences kept of each length."""

State = NDArray[np.int32]
Line = tuple[list[int], tuple[State, ...]]
"""Moves, the position that they lead to, and the images of it under the game's symmetries."""


def generated_openings(game: Game, size: int, plies: int, seed: int) -> list[list[int]]:
    """Return openings in an order drawn by the seed: those that the game supplies, or else all of a number of moves.

    plies -- at least 1; fewer are made if all games are over by then
    seed  -- not negative

    Of more than MOST that many are kept, drawn by the seed. Of openings that lead to the same position, or to images of
    it under the game's symmetries, one is kept. Left out are finished games, and positions in which the side to play
    wins at once or cannot keep the other side from it, unless no others are left. The same on all machines.
    """
    own = game.find(Openings)
    if own is not None:
        return own.generated(size, seed)
    rng = np.random.default_rng(seed)
    start = game.position(size)
    level: list[Line] = [([], (start,) * len(game.images(game.place_of(game.moves_of(start)[0], size), size)))]
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
                place, *images = game.images(game.place_of(move, size), size)
                turned = zip(states[1:], images, strict=True)
                ends = (after, *(game.play(state, game.move_at(image, size)) for state, image in turned))
                found.setdefault(min(int(game.key(end)) for end in ends), ([*moves, place], ends))
    return list(found.values())


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
    paths: Sequence[str | Path],
    game: Game,
    size: int,
    plies: int,
    say: Callable[[str], None] = lambda _: None,
    rules: Any = None,
) -> list[list[int]]:
    """Return the first moves of records of a game, in the order of the games.

    paths -- as in `read_records`
    plies -- how many moves, at least 1
    say   -- called with a message for each file or game that cannot be read, and at the end with the number of games
        left out, and why
    rules -- the rule set, of a game that has several

    Left out are games of another size or from another start, with stones set up by then, shorter ones, those with an
    illegal move or over by then, those that the game finds unfit, and those that lead to the position of an earlier
    opening, or to an image of it.

    Raises GotoolsError if none is left.
    """
    openings: dict[Hashable, list[int]] = {}
    left_out: Counter[str] = Counter()
    games = 0
    for _, record in read_records(paths, game, say):
        games += 1
        history, why = _first_moves(History.start(game, size, rules), record, plies)
        moves = [place for _, place in history.moves]
        if not why and openings.setdefault(_position(history), moves) is not moves:
            why = "the same opening again"
        if why:
            left_out[why] += 1
    reasons = ", ".join(f"{count} {why}" for why, count in left_out.most_common())
    if not openings:
        what = f"no opening of {plies} moves of {game.name}, size {size}, in {', '.join(map(str, paths))}"
        raise GotoolsError(f"{what}: {games} games read" + (f"; left out: {reasons}" if reasons else ""))
    if left_out:
        say(f"{len(openings)} openings from {games} games; left out: {reasons}")
    return list(openings.values())


def _first_moves(history: History, record: Record, plies: int) -> tuple[History, str]:
    """Return a history with the first moves of a record, and why they are no opening, "" if they are one."""
    first, own = record.moves[:plies], history.game.find(Openings)
    if record.size != history.size:
        return history, f"of size {record.size}"
    if record.setting != history.game.setting:
        return history, "from another start"
    if any(stone.after < plies for stone in record.setup):
        return history, "with set-up stones"
    if len(first) < plies:
        return history, "with an illegal move" if record.stop else "too short"
    if own is not None and (why := own.unfit(first)):
        return history, why
    for side, place in first.tolist():
        if history.why_illegal(side, place):
            return history, "with an illegal move"
        history = history.after(side, place)
    return history, "" if history.verdict() is None else "over by then"


def _position(history: History) -> Hashable:
    """Return what a position has in common with its images, to which the images of its moves lead."""
    game, size, own = history.game, history.size, history.game.find(Openings)
    if own is not None:
        return own.position(history.state)
    images = zip(*(game.images(place, size) for _, place in history.moves), strict=True)
    return min(int(game.key(_after(game, size, places))) for places in images)


def _after(game: Game, size: int, places: Sequence[int]) -> State:
    state = game.position(size)
    for place in places:
        state = game.play(state, game.move_at(place, size))
    return state


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
