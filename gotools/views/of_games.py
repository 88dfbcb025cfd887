"""Show records of Go: the games to replay, with what rules and learned values expected, and the surprises."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gotools.game.records.record import Record
from gotools.game.sides import BLACK
from gotools.games.go.board import replay
from gotools.games.go.points import PASS, vertex
from gotools.views.boards import Mark, board_svg
from gotools.views.judged import MOST_READ, JudgedGames, JudgedMoves
from gotools.views.parts import Facts, Figure, Figures, Games, Link, Note, Part, Section, Table
from gotools.views.replay import Budget, ReplayGame, end_of_game, of_black, replay_data

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
    boards = ", ".join(f"{size}x{size}" for size in sorted(found.sizes))
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
    headline = f"{len(found.games):,} games of Go" if len(found.games) > 1 else _title(only)
    return Section(title, "game records", parts, headline)


def _replay(found: JudgedGames, embedded: Sequence[str]) -> Iterator[Part]:
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
        )
    yield Games(
        "Games", replay_data(embedded, found.sizes), end_of_game(first, first.id, _title(first)), " ".join(notes)
    )


def _embedded(found: JudgedGames, budget: Budget) -> list[str]:
    """Return the games that fit, from the first on; with fewer likely moves where all of them do not fit."""
    budget.take(min(_ROW_BYTES * len(found.games), budget.left))
    held: list[str] = []
    for likely in (5, 3, 1):
        held = [_data(record, one, likely) for record, one in zip(found.games, found.judged, strict=True)]
        if sum(map(len, held)) <= budget.left:
            break
    fitting: list[str] = []
    for one in held:
        if not budget.take(len(one)):
            break
        fitting.append(one)
    return fitting


def _data(record: Record, judged: JudgedMoves, likely: int) -> str:
    values = [
        of_black(None if math.isnan(value) else 50 * (value + 1), colour)
        for value, colour in zip(judged.value.tolist(), record.moves[:, 0].tolist(), strict=True)
    ]
    known = any(judged.likely)
    shares = [[(point, round(100 * share)) for point, share in moves[:likely]] for moves in judged.likely]
    expected = [None if math.isnan(share) else _per_cent(share) for share in judged.share.tolist()]
    worst = sorted((place, _per_cent(float(judged.share[place]))) for place in _least_expected(judged)[:OF_GAME])
    return ReplayGame(
        title=_title(record),
        record=record,
        names=(record.players[0], record.players[1]),
        values=values,
        curve="value",
        likely=shares if known else (),
        expected=expected if known else (),
        more={"u": [[place + 1, share] for place, share in worst], "o": worst[0][0]} if known and worst else {},
    ).data()


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
    likely = ", ".join(f"{vertex(one, record.size)} {_per_cent(share)} %" for one, share in judged.likely[place][:2])
    cell: object = Link(record.id, "#", f"{game}:{place}") if game < embedded else record.id
    side = "black" if colour == BLACK else "white"
    return [cell, place + 1, f"{side} {vertex(point, record.size)}", likely]


def _drawn(found: JudgedGames, game: int, place: int) -> Figure:
    """Return the position before a move, with the likely moves."""
    record, judged = found.games[game], found.judged[game]
    cells = replay(record).board[place].tolist()
    marks = [Mark(point, "heat", share) for point, share in judged.likely[place]]
    point = int(record.moves[place, 1])
    marks += [Mark(point, "move")] if point != PASS else []
    title = f"{record.id}, move {place + 1}"
    drawing = board_svg(record.size, cells, f"{title}: expected moves in per cent, the move played a ring", marks)
    share = f"{_per_cent(float(judged.share[place]))} %".replace(" ", "\N{NO-BREAK SPACE}")
    caption = f"{title}: {vertex(point, record.size)}, expected with {share}"
    return Figure(f"surprise-{record.id}-{place + 1}", drawing, caption, small=True)


def _list(found: JudgedGames, embedded: int) -> Table:
    judged = found.tally.positions > 0
    rows: list[list[object]] = []
    for at, (record, one) in enumerate(zip(found.games, found.judged, strict=True)):
        cell: object = Link(record.id, "#", str(at)) if at < embedded else record.id
        row = [cell, record.players[0], record.players[1], record.result, f"{record.size}x{record.size}"]
        row.append(len(record.moves))
        if judged:
            known = one.share[~np.isnan(one.share)]
            row.append(f"{100 * known.mean():.0f} %" if len(known) else "-")
        rows.append(row)
    columns = ["game", "black", "white", "result", "board", "moves", *(["expected"] if judged else [])]
    notes = ["expected: mean probability of the moves played."] if judged else []
    return Table("List of games", columns, rows[:MOST_READ], notes, tall=True)
