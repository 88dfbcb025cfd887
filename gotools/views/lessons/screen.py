"""Lessons for people: the habits that separate bands of ranks most clearly, and a player's, in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from gotools.base.screen_text import screen_text
from gotools.game.game import vocabulary_of
from gotools.rules.explain.diagrams import KEY, MORE_KEY, diagram_text
from gotools.rules.explain.telling import key_of
from gotools.views.lessons.bands import Scale
from gotools.views.lessons.comparison import Lessons, PlayerHabits

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

SHOWN: Final = 20
"""Rules that are listed."""


def as_table(lessons: Lessons, colours: bool, top: int = SHOWN) -> bytes:
    """Return the text, as wide as the terminal; top -- rules that are listed.

    colours -- as far as stdout and NO_COLOR allow
    """
    return screen_text(_parts(lessons, top), sys.stdout, colours=colours).encode()


def _parts(lessons: Lessons, top: int) -> Iterator[RenderableType]:
    from rich.text import Text

    first, last = lessons.bands[0], lessons.bands[-1]
    vocabulary = vocabulary_of(lessons.game)
    few = lessons.order[:top]
    signs = f"{KEY}\n{MORE_KEY}" if vocabulary.points else key_of(vocabulary, map(lessons.rule, few))
    yield _table(lessons, f"What separates {last.name} from {first.name}", few, None)
    for line in (
        "Per cent: of the decisions in which the rule covers a legal move, those in which it covers the move played.",
        f"{len(few):,} of {len(lessons.order):,} rules, those that separate {last.name} from {first.name} best first.",
        *(f"{band.name}: {band.decisions:,} moves of {band.players:,} players." for band in lessons.bands),
        *signs.split("\n"),
    ):
        yield Text(line, "dim")
    if (player := lessons.player) is not None:
        yield Text("")
        yield _table(lessons, f"The habits of {player.name}", telling(player)[:top], player)
        yield Text("The habits that tell best which band the player belongs to come first.", "dim")
        yield Text(estimate_line(player, lessons.scale))
    for line in measured_lines(lessons):
        yield Text(line, "dim")


def telling(player: PlayerHabits) -> list[int]:
    """Return the rules in the order of their evidence on a player; those without any are left out."""
    order = np.argsort(-player.evidence, kind="stable")
    return [int(rule) for rule in order if player.evidence[rule] > 0]


def estimate_line(player: PlayerHabits, scale: Scale) -> str:
    """Return in a line what a player's habits say of the rank."""
    games = f"{player.games:,} game{'s' * (player.games != 1)}"
    written = "" if player.written is None else f" The rank in the records is {scale.text(player.written)}."
    if player.estimate is None:
        why = "because too few other players have ranks"
        return f"The rank of {player.name} cannot be estimated from {games}, {why}.{written}"
    rank, low, high = map(scale.text, player.estimate)
    return f"In {games} {player.name} plays like {rank} (95 % interval: {low} to {high}).{written}"


def measured_lines(lessons: Lessons) -> Iterator[str]:
    """Yield lines on how good estimates of ranks are."""
    for one in lessons.measured:
        games = "one game" if one.games == 1 else f"{one.games} games"
        off = f"{one.error:.1f} {lessons.scale.what} off"
        yield (
            f"From {games} of a player that was not learned from, the estimated rank is {off} on average "
            f"({one.baseline:.1f} for a guess of the mean rank); the correlation is {one.correlation:.2f}, and "
            f"{100 * one.inside:.0f} % of the ranks lie in the interval ({one.groups:,} estimates)."
        )


def _table(lessons: Lessons, title: str, rules: Sequence[int], player: PlayerHabits | None) -> Table:
    """Return a row for each rule: its board, its sentence, and below that the shares of the bands."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 2, 1, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for rule in rules:
        shares = "  ".join(f"{band.name} {_percent(band.shares.share[rule])}" for band in lessons.bands)
        verdict = _difference(lessons, rule) if player is None else _likeness(lessons, player, rule)
        words = Text(lessons.words(rule)).append(f"\n{shares}\n{verdict}", "dim")
        table.add_row(diagram_text(lessons.rule(rule), lessons.size), words)
    return table


def _percent(share: float) -> str:
    return "-" if np.isnan(share) else f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def _difference(lessons: Lessons, rule: int) -> str:
    found, names = lessons.differences, f"{lessons.bands[-1].name} minus {lessons.bands[0].name}"
    if np.isnan(found.difference[rule]):
        return f"{names}: unknown"
    low, high = 100 * found.low[rule], 100 * found.high[rule]
    return f"{names}: {100 * found.difference[rule]:+.1f} (95 % interval: {low:+.0f} to {high:+.0f})"


def _likeness(lessons: Lessons, player: PlayerHabits, rule: int) -> str:
    return (
        f"{player.name} {_percent(player.shares.share[rule])}, most like {lessons.bands[int(player.like[rule])].name}"
    )
