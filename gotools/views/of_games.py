"""Show records of a game: the games to replay, with what rules and learned values expected, and the surprises."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gotools.game.records.record import Record
from gotools.game.sides import BLACK
from gotools.views.judged import MOST_READ, JudgedGames, JudgedMoves
from gotools.views.parts import Facts, Figure, Figures, Link, Note, Part, Section, Table
from gotools.views.replay import Budget, ReplayGame, drawn_position, end_of_game, games_part, of_black

SURPRISES: Final = 30
"""Moves in each list of surprises of a section."""
DRAWN: Final = 8
"""Surprises that are drawn."""
OF_GAME: Final = 5
"""Surprises named under a game."""
_ROW_BYTES: Final = 220


def games_section(title: str, found: JudgedGames, budget: Budget, by: str) -> Section:
    """Return the section of some game records. by -- what ranks the moves, "" where nothing does."""
    embedded = _embedded(found, budget)
    boards = ", ".join(map(found.game.usual.board.format, sorted(found.sizes)))
    facts: dict[str, object] = {"moves": sum(len(record.moves) for record in found.games), "boards": boards}
    if by:
        facts["expected moves by"] = by
    parts: list[Part] = [Facts(facts)]
    if found.left_out:
        parts.append(Note(f"Only the first {len(found.games):,} games were read: a page holds no more.", "warning"))
    parts += _replay(found, embedded)
    if by:
        parts += _surprises(found, len(embedded))
    parts.append(_list(found, len(embedded)))
    only = found.games[0]
    game = found.game.name.capitalize()
    headline = f"{len(found.games):,} games of {game}" if len(found.games) > 1 else _title(only)
    return Section(title, "game records", parts, headline)


def _replay(found: JudgedGames, embedded: Sequence[tuple[ReplayGame, str]]) -> Iterator[Part]:
    if not embedded:
        yield Note("The games are too large for this page.", "warning")
        return
    first = found.games[0]
    notes = []
    if len(embedded) < len(found.games):
        notes.append(f"The page holds the first {len(embedded):,} of {len(found.games):,} games.")
    if found.tally.positions:
        notes.append(
            "Before a move the board shows its likeliest moves in per cent, and a ring on the one that was played."
            if embedded[0][0].scripted
            else "Below the board stand the likeliest moves in the place of the one that was played."
        )
    games, data = zip(*embedded, strict=True)
    yield games_part("Games", games, data, end_of_game(found.game, first, first.id, _title(first)), " ".join(notes))


def _embedded(found: JudgedGames, budget: Budget) -> list[tuple[ReplayGame, str]]:
    """Return the games that fit, from the first on; with fewer likely moves where all of them do not fit."""
    budget.take(min(_ROW_BYTES * len(found.games), budget.left))
    held: list[tuple[ReplayGame, str]] = []
    for likely in (5, 3, 1):
        games = (_game(found, number, likely) for number in range(len(found.games)))
        held = [(game, game.data()) for game in games]
        if sum(len(data) for _, data in held) <= budget.left:
            break
    fitting = 0
    while fitting < len(held) and budget.take(len(held[fitting][1])):
        fitting += 1
    return held[:fitting]


def _game(found: JudgedGames, number: int, likely: int) -> ReplayGame:
    record, judged = found.games[number], found.judged[number]
    values = [
        of_black(None if math.isnan(value) else 50 * (value + 1), colour)
        for value, colour in zip(judged.value.tolist(), record.moves[:, 0].tolist(), strict=True)
    ]
    known = any(judged.likely)
    shares = [[(point, round(100 * share)) for point, share in moves[:likely]] for moves in judged.likely]
    expected = [None if math.isnan(share) else _per_cent(share) for share in judged.share.tolist()]
    worst = sorted((place, _per_cent(float(judged.share[place]))) for place in _least_expected(judged)[:OF_GAME])
    game = ReplayGame(
        title=_title(record),
        game=found.game,
        record=record,
        names=(record.players[0], record.players[1]),
        values=values,
        curve="value",
        likely=shares if known else (),
        expected=expected if known else (),
        more={"u": [[place + 1, share] for place, share in worst], "o": worst[0][0]} if known and worst else {},
    )
    if game.scripted or not known:
        return game
    words = (_likely_words(found, record, moves[:likely]) for moves in judged.likely)
    return replace(game, comments=[text and f"likeliest: {text}" for text in words])


def _likely_words(found: JudgedGames, record: Record, moves: Sequence[tuple[int, float]]) -> str:
    return ", ".join(f"{found.text(record, move)} {_per_cent(share)} %" for move, share in moves)


def _least_expected(judged: JudgedMoves) -> list[int]:
    """Return the places of moves with a known share, the least expected first."""
    order = np.argsort(judged.share, kind="stable")
    return [int(place) for place in order if not math.isnan(judged.share[place])]


def _per_cent(share: float) -> float | str:
    """Return a share in per cent, with a digit behind the point where it is small."""
    if share < 0.0005:
        return "< 0.1"
    return round(100 * share, 1) if share < 0.0995 else round(100 * share)


def _title(record: Record) -> str:
    sides = [
        f"{name or '?'}{f' ({rank})' if rank else ''}" for name, rank in zip(record.players, record.ranks, strict=True)
    ]
    return f"{record.id}: {sides[0]} – {sides[1]}{f', {record.result}' if record.result else ''}"


def _surprises(found: JudgedGames, embedded: int) -> Iterator[Part]:
    """Yield the moves that were expected least, and those that lost most value."""
    least = [
        (float(one.share[place]), game, place)
        for game, one in enumerate(found.judged)
        for place in _least_expected(one)[:SURPRISES]
        if one.likely[place]
    ]
    if least:
        first = sorted(least)[:SURPRISES]
        yield Figures("Surprises", [_drawn(found, game, place) for _, game, place in first[:DRAWN]])
        rows = [[*_words(found, game, place, embedded), f"{_per_cent(share)} %"] for share, game, place in first]
        columns = ["game", "move", "played", "expected", "probability"]
        yield Table("Moves that were expected least", columns, rows, tall=True)
    lost = [
        (-float(loss), game, place)
        for game, one in enumerate(found.judged)
        for place, loss in enumerate(one.loss.tolist())
        if loss > 0.0
    ]
    if lost:
        rows = [
            [*_words(found, game, place, embedded), f"{-50 * loss:.0f} %"]
            for loss, game, place in sorted(lost)[:SURPRISES]
        ]
        columns = ["game", "move", "played", "expected", "chance lost"]
        notes = ["Compared with the best of the likely moves, by the learned value, without search."]
        yield Table("Moves that lost most", columns, rows, notes, tall=True)


def _words(found: JudgedGames, game: int, place: int, embedded: int) -> list[object]:
    record, judged = found.games[game], found.judged[game]
    colour, point = record.moves[place].tolist()
    likely = _likely_words(found, record, judged.likely[place][:2])
    cell: object = Link(record.id, "#", f"{game}:{place}") if game < embedded else record.id
    side = "black" if colour == BLACK else "white"
    return [cell, place + 1, f"{side} {found.text(record, point)}", likely]


def _drawn(found: JudgedGames, game: int, place: int) -> Figure:
    """Return the position before a move, with the likely moves."""
    record, judged = found.games[game], found.judged[game]
    move = int(record.moves[place, 1])
    title = f"{record.id}, move {place + 1}"
    about = f"{title}: expected moves in per cent, the move played a ring"
    drawing = drawn_position(found.game, record, place, about, move, judged.likely[place], last=False)
    share = f"{_per_cent(float(judged.share[place]))} %".replace(" ", "\N{NO-BREAK SPACE}")
    caption = f"{title}: {found.text(record, move)}, expected with {share}"
    return Figure(f"surprise-{record.id}-{place + 1}", drawing, caption, small=True)


def _list(found: JudgedGames, embedded: int) -> Table:
    judged = found.tally.positions > 0
    rows: list[list[object]] = []
    for at, (record, one) in enumerate(zip(found.games, found.judged, strict=True)):
        cell: object = Link(record.id, "#", str(at)) if at < embedded else record.id
        row = [cell, *record.players, record.result, found.game.usual.board.format(record.size), len(record.moves)]
        if judged:
            known = one.share[~np.isnan(one.share)]
            row.append(f"{100 * known.mean():.0f} %" if len(known) else "-")
        rows.append(row)
    columns = ["game", "black", "white", "result", "board", "moves", *(["expected"] if judged else [])]
    notes = ["expected: mean probability of the moves played."] if judged else []
    return Table("List of games", columns, rows[:MOST_READ], notes, tall=True)
