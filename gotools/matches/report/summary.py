"""A tournament for programs: its report as summary.json, its games as a table.

The summary holds no dates and no absolute paths, and its keys are in a fixed order.

Elo is rounded to a hundredth and the log-likelihood ratio to a ten-thousandth, so that the last bits of a machine's
arithmetic do not show.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from gotools.files.cells import MISSING
from gotools.files.json_text import json_text
from gotools.files.kinds import Kind
from gotools.files.tables import header, row
from gotools.matches.game.game_result import GameResult
from gotools.matches.report.report import TournamentReport
from gotools.matches.report.standings import EngineStanding, GameScore, Pairing
from gotools.matches.report.standings_elo import EngineElo, PairFigures, SprtState

VERSION: Final = 1
COLUMNS: Final = (
    *("game", "pair", "black", "white", "result", "end", "fault", "what", "size", "komi", "handicap", "opening"),
    *("moves", "black_seconds", "white_seconds", "black_slowest", "white_slowest", "notes", "game_name", "setting"),
    *("black_contested_moves", "white_contested_moves", "black_contested_seconds", "white_contested_seconds"),
)
"""Of the table of games."""


def summary(report: TournamentReport) -> dict[str, Any]:
    """Return the report as values of JSON; docs/formats.md describes the keys."""
    standings = report.standings
    return {
        "gotools": "summary",
        "version": VERSION,
        "config": dict(report.config),
        "games": {
            "scheduled": report.scheduled,
            "played": standings.played,
            "counted": standings.played - standings.void,
            "void": report.void,
            "with_notes": report.with_notes,
        },
        "complete": report.complete,
        "stopped_by": report.stopped_by,
        "error": None if report.failure is None else report.failure.what,
        "games_a_minute": None if report.games_a_minute is None else round(report.games_a_minute, 2),
        "engines": [_engine(engine, report) for engine in standings.engines],
        "pairings": [_pairing(pairing, figures) for pairing, figures in report.pair_figures],
        "sprt": None if report.sprt_state is None else _sprt(report.sprt_state),
        "duplicates": asdict(report.duplicates),
        "gates": [{"name": gate.name, "passed": gate.passed, "text": gate.text} for gate in report.gate_results],
        "verdict": report.verdict,
        "exit_code": report.exit_code,
        "troubles": [{**asdict(trouble), "end": str(trouble.end)} for trouble in report.troubles],
    }


def summary_json(report: TournamentReport) -> bytes:
    """Return the summary as a file of JSON, in ASCII."""
    return (json_text(summary(report), indent=2) + "\n").encode("ascii")


def _score(score: GameScore) -> dict[str, Any]:
    share = score.share
    return {
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": None if share is None else round(share, 6),
    }


def _engine(engine: EngineStanding, report: TournamentReport) -> dict[str, Any]:
    mean, contested = engine.seconds_per_move, engine.seconds_per_contested_move
    return {
        "name": engine.name,
        "program": report.programs.get(engine.name),
        **_score(engine.score),
        "black": _score(engine.black),
        "white": _score(engine.white),
        "void": engine.void,
        "crashes": engine.crashes,
        "illegal": engine.illegal,
        "time_losses": engine.time_losses,
        "moves": engine.moves,
        "seconds": round(engine.seconds, 3),
        "seconds_per_move": None if mean is None else round(mean, 6),
        "contested_moves": engine.contested_moves,
        "seconds_per_contested_move": None if contested is None else round(contested, 6),
        "slowest_move": engine.slowest,
        "elo": _elo(report.elo.of.get(engine.name)),
        "elo_against_others": _elo(report.elo.against_others.get(engine.name)),
    }


def _pairing(pairing: Pairing, figures: PairFigures | None) -> dict[str, Any]:
    return {
        "first": pairing.first,
        "second": pairing.second,
        **_score(pairing.score),
        "black": _score(pairing.black),
        "white": _score(pairing.white),
        "void": pairing.void,
        "pairs": list(pairing.pairs),
        "elo": None if figures is None else _elo(figures.elo),
        "nelo": None if figures is None else _elo(figures.normalized),
        "los": None if figures is None else _rounded(figures.los, 6),
    }


def _sprt(state: SprtState) -> dict[str, Any]:
    lower, upper = state.sprt.bounds
    return {
        **asdict(state.sprt),
        "llr": _rounded(state.llr, 4),
        "lower": _rounded(lower, 4),
        "upper": _rounded(upper, 4),
        "verdict": state.verdict,
        "pairs": list(state.counts),
        "games": 2 * state.pairs,
        "elo": _elo(state.estimate),
    }


def _elo(estimate: EngineElo | None) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    return {"elo": _rounded(estimate.elo, 2), "low": _rounded(estimate.low, 2), "high": _rounded(estimate.high, 2)}


def _rounded(value: float, digits: int) -> float | None:
    """Round; None for NaN and infinity, which JSON lacks. Adding zero makes -0.0 a 0.0."""
    return round(value, digits) + 0.0 if math.isfinite(value) else None


def games_table(results: Mapping[int, GameResult], game: str) -> bytes:
    """Return a table with a row for each game, in their order.

    results -- by the number of the game; game -- its name
    """
    lines = [row(_cells(results[number])) for number in sorted(results)]
    settings = {"game": game, "games": str(len(lines))}
    kind = Kind.results_table
    return header(kind.word, kind.version, settings, COLUMNS) + "".join(lines).encode("utf-8", "replace")


def _cells(one: GameResult) -> tuple[object, ...]:
    words = {"fault": one.fault, "what": one.what, "notes": "; ".join(one.notes), "setting": one.setting}
    known: dict[str, object] = {name: text or MISSING for name, text in words.items()}
    for name in ("seconds", "slowest", "contested_moves", "contested_seconds"):
        known[f"black_{name}"], known[f"white_{name}"] = getattr(one, name) or ("", "")
    return tuple(known[name] if name in known else getattr(one, name) for name in COLUMNS)
