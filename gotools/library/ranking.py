"""The legal moves of positions in order, by rules, learned values or both: as objects and as a file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, get_args

from gotools.base.errors import GotoolsError, wrong_word
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import SettingError, Settings, setting, size_setting, strict_setting, with_settings
from gotools.files.json_text import json_text
from gotools.game.examples.settings import sizes_of
from gotools.game.table import USUAL
from gotools.library.arguments import Paths, Report, listed, log
from gotools.library.records import decisions_of
from gotools.library.rules import matcher_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gotools.engines.ranked import Ranker, Wanted
    from gotools.game.examples.examples import Examples
    from gotools.games.go.board import Board
    from gotools.library.rules import Rules
    from gotools.library.values import ValueFunction
    from gotools.rules.ranking import Ranking, RankingTally, Words

Format = Literal["text", "json"]
EXPLAINED = 3
"""Moves of a position that are explained where `top` does not say how many."""


@dataclass(frozen=True, kw_only=True)
class RankingSettings(Settings):
    """Which positions and moves are ranked, and how. `digest` and `background` are of a file of rules."""

    symmetries: bool = setting(
        False,
        "With --eval of a network with a policy: its mean over the board turned and mirrored. Predicts better, and "
        "takes eight times as long.",
    )
    top: int | None = setting(None, "The first N moves of each position.", "N", least=1)
    digest: str | None = setting(None, "Refuse rules of another digest.", "HEX")
    background: str | None = setting(None, "Predicates of your own in rules.pl (Prolog).", "FILE")
    size: int | Iterable[int] = size_setting()
    strict: bool = strict_setting()


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMoves:
    """The legal moves of a position, the best first; arrays have an entry for each of them.

    id          -- of the decision; size -- of the board; to_play -- 1 black, 2 white
    points      -- int16[n]: places; of Go numbers of points, row by row from the lower left corner
    vertices    -- the moves as players write them: "D4"
    scores      -- float64[n]; probability -- float64[n]: their softmax over all legal moves
    values      -- float64[n], -1 to 1 for the side to play: the evaluation of the position after; None without one
    fired       -- ids of the rules that fire at each move
    played      -- place in the order of the move played, of several right ones of the first; None: not among these
    """

    id: str
    size: int
    to_play: int
    points: NDArray[np.integer]
    vertices: list[str]
    scores: NDArray[np.float64]
    probability: NDArray[np.float64]
    values: NDArray[np.float64] | None
    fired: tuple[tuple[str, ...], ...]
    played: int | None

    def __repr__(self) -> str:
        return f"RankedMoves({self.id!r}, size={self.size}, best={self.vertices[:3]}, played={self.played})"


@with_settings(RankingSettings)
def rank_moves(
    examples: Examples | Board | Paths,
    rules: Rules | None = None,
    evaluation: str | Path | ValueFunction | None = None,
    *,
    settings: RankingSettings,
    game: str = USUAL,
    report: Report = log,
) -> Iterator[RankedMoves]:
    """Rank the legal moves of positions by rules, by learned values, or by rules with the values beside them.

    examples -- what `read_examples` returns, paths for it, or a board of Go; counter-examples are passed over
    game     -- of files

    Positions of other board sizes than the evaluation's are left out and reported.

    Raises GotoolsError where there are neither rules nor an evaluation, and where there is no position.
    """
    from gotools.engines.ranked import Wanted

    ranker, stretches = _ranker(examples, rules, evaluation, settings, game, Wanted(settings.top), report)
    done, sizes = 0, set[int]()
    for some in stretches:
        ranking, words = ranker.ranking(some)
        done, sizes = done + len(ranking), sizes | set(ranking.legal.examples.size.tolist())
        yield from _ranked_moves(ranking, words, settings.top)
    _check_end(ranker, report, done, sizes)


@with_settings(RankingSettings)
def write_ranking(
    examples: Examples | Paths,
    output: str | Path | None,
    rules: Rules | None = None,
    evaluation: str | Path | ValueFunction | None = None,
    *,
    settings: RankingSettings,
    game: str = USUAL,
    explain: bool = False,
    format: Format = "text",
    metrics: str | Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> dict[str, Any] | None:
    """Write what `rank_moves` yields as a table, or as text for people; rows leave while the input is read.

    output  -- ranking.tsv, .csv or .parquet; `-` or None: stdout
    explain -- write text: the board, the first moves, and the rules in words
    format  -- json: write that as a line of JSON for each position; means nothing without explain
    metrics -- a file for how well the played moves are predicted, JSON; its content is returned
    jobs    -- processes; cluster -- of dask (docs/cluster.md): they never change what is written
    """
    from gotools.base.screen_text import text_width
    from gotools.engines.ranked import Wanted
    from gotools.files.opening import STDIN, open_if_named, open_output
    from gotools.files.writing import whole_writes
    from gotools.rules.ranking import RankingTally, table_header
    from gotools.work.cluster import workers_for

    if fault := wrong_word(format, get_args(Format)):
        raise SettingError("format", fault)
    width = text_width(sys.stdout if output in (None, STDIN) else None)
    top = settings.top or EXPLAINED if explain else settings.top
    wanted = Wanted(top, format if explain else "table", metrics is not None, width)
    ranker, stretches = _ranker(examples, rules, evaluation, settings, game, wanted, report)
    tally, done, sizes = RankingTally(), 0, set[int]()
    with (
        open_if_named(metrics) as numbers,
        open_output(output) as out,
        workers_for(jobs, cluster, report) as workers,
    ):
        watch.phase("ranking positions")
        for part in ranker.ranked(stretches, workers):
            with whole_writes():
                if not done and not explain:
                    out.write(table_header(game, ranker.rules, ranker.about))
                out.write(part.text)
                out.flush()
            done, sizes = done + part.positions, sizes | part.sizes
            watch.advance(part.positions)
            tally.join(part.tally)
        _check_end(ranker, report, done, sizes)
        return None if numbers is None else _write_metrics(numbers, tally, ranker)


def _ranker(
    examples: Examples | Board | Paths,
    rules: Rules | None,
    evaluation: str | Path | ValueFunction | None,
    settings: RankingSettings,
    game: str,
    wanted: Wanted,
    report: Report,
) -> tuple[Ranker, Iterator[Examples]]:
    """Return what ranks, and the stretches of decisions that it ranks together, while they are read."""
    from gotools.engines.move_values import MoveValues
    from gotools.engines.ranked import Ranker
    from gotools.game.examples.examples import Examples
    from gotools.game.examples.loading import stream_decisions
    from gotools.game.game import find_game
    from gotools.game.records.selection import Selection
    from gotools.game.vocabulary import Vocabulary
    from gotools.games.go.board import Board
    from gotools.rules.clauses.rules import check_game

    files = None if isinstance(examples, Examples | Board) else listed(examples)
    given = decisions_of(examples) if files is None else None
    played = find_game(game) if given is None else given.of
    weights = None if evaluation is None else str(getattr(evaluation, "path", evaluation))
    if rules is None and weights is None:
        if not played.has(Vocabulary):
            raise SettingError("evaluation", "name the values: eval.npz of train-eval")
        raise SettingError("rules", "name the rules: rules.pl or rules.so, or {evaluation}")
    if rules is not None:
        played.need(Vocabulary)
    if settings.symmetries and weights is None:
        raise SettingError("symmetries", "goes with {evaluation}, a network")
    matcher = matcher_of(rules, settings.digest, settings.background)
    check_game(matcher.rules, played.name, rules if isinstance(rules, str | Path) else None)
    values = None
    if weights is not None:
        values = MoveValues(weights, played.full_name, rules is None, settings.strict, settings.symmetries)
    ranker = Ranker(matcher, values, wanted, str(rules) if isinstance(rules, str | Path) else "rules")
    if files is None:
        assert given is not None
        return ranker, ranker.stretches([given])
    selection = Selection(sizes=sizes_of(settings.size))
    found = stream_decisions(files, played, selection, report, lambda: None, settings.strict, bare=True)
    return ranker, ranker.stretches(found)


def _check_end(ranker: Ranker, report: Report, done: int, sizes: set[int]) -> None:
    """Report what was left out. Raises GotoolsError where nothing was ranked."""
    ranker.report_left_out(report, done, sizes)
    if not done:
        raise GotoolsError("no position to rank: not one row of label 1 that leaves a legal move")


def _write_metrics(numbers: BinaryIO, tally: RankingTally, ranker: Ranker) -> dict[str, Any]:
    found = tally.metrics(ranker.rules) | ({} if ranker.about is None else {"eval": ranker.about})
    if not found["test"]["positions"]:
        raise GotoolsError("--metrics: not one move to measure on (a legal one, of label 1)")
    numbers.write((json_text(found, indent=1) + "\n").encode())
    return found


def _ranked_moves(ranking: Ranking, words: Words, top: int | None) -> Iterator[RankedMoves]:
    """Yield the positions of a ranking."""
    right = ranking.legal.right
    for k, name in enumerate(ranking.legal.examples.id):
        rows = ranking.order[ranking.first[k] : ranking.first[k + 1]]
        place = right[rows].nonzero()[0].tolist()
        rows = rows[:top]
        yield RankedMoves(
            id=name,
            size=int(ranking.legal.examples.size[k]),
            to_play=words.side(k),
            points=ranking.legal.place[rows],
            vertices=[words.move(row) for row in rows],
            scores=ranking.scores[rows],
            probability=ranking.probability[rows],
            values=None if ranking.value is None else ranking.value[rows],
            fired=tuple(tuple(words.fired(row)) for row in rows),
            played=place[0] if place and place[0] < len(rows) else None,
        )
