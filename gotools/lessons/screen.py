"""Lessons for people: the habits that separate bands of ranks most clearly, and a player's, in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from gotools.lessons.bands import rank_text
from gotools.lessons.lessons import Lessons, PlayerHabits
from gotools.screen_text import screen_text

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

SHOWN: Final = 20
"""Rules that a table lists."""


def as_table(lessons: Lessons, colours: bool, top: int = SHOWN) -> bytes:
    """Return the text, as wide as the terminal; top -- rules that are listed.

    colours -- as far as stdout and NO_COLOR allow
    """
    return screen_text(_parts(lessons, top), sys.stdout, colours=colours).encode("utf-8", "replace")


def _parts(lessons: Lessons, top: int) -> Iterator[RenderableType]:
    from rich.text import Text

    names = [band.name for band in lessons.bands]
    few = lessons.order[:top]
    yield _table(lessons, few, [*names, "more", "95 %"], None)
    about = ", ".join(f"{band.name} {band.decisions:,} moves of {band.players:,} players" for band in lessons.bands)
    words = "Each column: of 100 decisions in which the rule covers a legal move, those in which it covers the move "
    yield Text(f"{words}played. more: {names[-1]} less {names[0]}, with its 95 % interval.", "dim")
    yield Text(f"{len(few):,} of {len(lessons.order):,} rules. {about}.", "dim")
    if (player := lessons.player) is not None:
        yield Text("")
        yield _table(lessons, telling(player)[:top], [*names, "player", "like"], player)
        yield Text("The player's habits, those that tell bands apart best first; like: the nearest band.", "dim")
        yield Text(estimate_line(player))
    for line in measured_lines(lessons):
        yield Text(line, "dim")


def telling(player: PlayerHabits) -> list[int]:
    """Return the rules in the order of their evidence on a player; those without any are left out."""
    order = np.argsort(-player.evidence, kind="stable")
    return [int(rule) for rule in order if player.evidence[rule] > 0]


def estimate_line(player: PlayerHabits) -> str:
    """Return in a line what a player's habits say of the rank."""
    games = f"{player.games:,} game{'s' * (player.games != 1)}"
    written = "" if player.written is None else f"; in the records {rank_text(player.written)}"
    if player.estimate is None:
        return f"{player.name}, {games}: no estimate, too few other players have ranks{written}."
    rank, low, high = map(rank_text, player.estimate)
    return f"{player.name}, {games}: plays like {rank} (95 % interval {low} to {high}){written}."


def measured_lines(lessons: Lessons) -> Iterator[str]:
    """Yield lines on how good estimates of ranks are."""
    for one in lessons.measured:
        games = "one game" if one.games == 1 else f"{one.games} games"
        yield (
            f"A rank estimated from {games} of a player kept apart: mean error {one.error:.1f} ranks (the mean of all: "
            f"{one.baseline:.1f}), correlation {one.correlation:.2f}, {100 * one.inside:.0f} % inside the interval; "
            f"{one.groups:,} estimates."
        )


def _table(lessons: Lessons, rules: Sequence[int], columns: Sequence[str], player: PlayerHabits | None) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("rule")
    for name in columns:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("in words")
    for rule in rules:
        cells = [_percent(band.shares.share[rule]) for band in lessons.bands]
        if player is not None:
            cells += [_percent(player.shares.share[rule]), lessons.bands[int(player.like[rule])].name]
        else:
            cells += _difference(lessons, rule)
        table.add_row(lessons.rule(rule).id, *cells, Text(lessons.words(rule)))
    return table


def _percent(share: float) -> str:
    return "-" if np.isnan(share) else f"{100 * share:.1f}"


def _difference(lessons: Lessons, rule: int) -> list[str]:
    found = lessons.differences
    if np.isnan(found.difference[rule]):
        return ["-", "-"]
    low, high = 100 * found.low[rule], 100 * found.high[rule]
    return [f"{100 * found.difference[rule]:+.1f}", f"{low:+.0f} to {high:+.0f}"]
