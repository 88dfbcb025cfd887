"""The settings of a comparison of orders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gotools.base.settings import Settings, setting, size_setting, strict_setting
from gotools.engines.settings import check_widths, read_widths
from gotools.game.table import USUAL_KOMI


@dataclass(frozen=True, kw_only=True)
class ComparisonSettings(Settings):
    """How positions are searched, and which."""

    depth: int = setting(3, "Plies to search.", least=1, most=60)
    deepening: int = setting(1, "Plies from each depth searched to the next; 0: only the last.", "N", least=0, most=10)
    quiescence: int = setting(6, "Plies of captures and saves after the last.", least=0, most=20)
    order_from: int = setting(
        1, "Plies left from which on the orders are asked; that of --depth: the root.", least=1, most=60
    )
    widths: Sequence[int] | None = setting(
        None,
        "Of orders by rules or a policy: the best moves that are searched; a list is for one ply before the leaves, "
        "two plies, and so on. 0, or not given: all.",
        "N[,N...]",
        "--width",
        typed=str | None,
        read=read_widths,
        check=check_widths,
    )
    penalty: float | None = setting(
        None,
        "Of the same: value that a unit of score below the best move costs. None if not given.",
        least=0.0,
        most=1.0,
    )
    selective: bool | None = setting(
        None,
        "Leave out what hardly matters and search late moves less deep; not by default.",
        None,
        "--selective/--no-selective",
    )
    extensions: int | None = setting(
        None,
        "A line is searched one ply deeper for each threat in it (an atari; in shogi a check), up to N plies. If not "
        "given, 6 in the selective search of shogi, else 0.",
        least=0,
        most=20,
    )
    evaluation: str | None = setting(
        None, "eval.npz; default: the learned values of the package; else the built-in.", "FILE", "--eval"
    )
    positions: int | None = setting(None, "Search N positions, spread evenly; else all.", least=1)
    size: int | Iterable[int] = size_setting()
    komi: float = setting(USUAL_KOMI, "Of all positions of Go, without --eval.", least=-1000, most=1000)
    strict: bool = strict_setting()
