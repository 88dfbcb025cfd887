"""Rules at work: loaded, compiled, asked about positions, measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gotools.errors import GotoolsError
from gotools.library.arguments import Paths, Report, listed, log
from gotools.library.records import decisions_of
from gotools.phases import UNWATCHED, Watch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gotools.go.board import Board
    from gotools.go.examples.table import Examples
    from gotools.library.values import Evaluation
    from gotools.patterns.clauses.rules import RuleSet
    from gotools.patterns.matching import Matcher
    from gotools.patterns.ranking import Ranking, Words
    from gotools.patterns.study import Study

    Rules = str | Path | Matcher | RuleSet | Study


def load_rules(path: str | Path, *, digest: str | None = None, background: str | Path | None = None) -> Matcher:
    """Return the rules of a file, rules.pl or a compiled library, ready to be matched.

    digest     -- that the rules must have, or that theirs begins with
    background -- a file of predicates of your own that rules.pl uses

    `.rules` of what is returned is the set of rules, `.rules.rules` the rules one by one.

    Raises FileFormatError for a file that holds no rules, or others than those of `digest`.
    """
    from gotools.patterns.clauses.background import load_background
    from gotools.patterns.matching import find_matcher

    own = None if background is None else load_background(str(background))
    return find_matcher(str(path), digest, own)


def compile_rules(
    rules: str | Path | RuleSet | Study,
    output: str | Path,
    *,
    header: str | Path | None = None,
    watch: Watch = UNWATCHED,
) -> RuleSet:
    """Compile rules to a shared library, or to C where the name does not end in .so, .dylib or .dll.

    rules  -- a file (rules.pl), or what `induce_rules` returned
    output -- `-` is stdout, for C
    header -- write gotools_rules.h, the interface, here

    Returns the rules. Raises FileFormatError for rules that cannot be compiled, MissingTool without a C compiler.
    """
    from gotools.files.opening import open_output
    from gotools.patterns.clauses.rules import load_rules
    from gotools.patterns.compiled.build import LIBRARIES, build_library
    from gotools.patterns.compiled.c_source import c_source, header_text

    found, name = (load_rules(rules), str(rules)) if isinstance(rules, str | Path) else (_set_of(rules), "rules")
    source = c_source(found, name)
    if str(output).endswith(LIBRARIES):
        watch.phase("compiling C")
        build_library(source, Path(output))
    else:
        with open_output(output) as out:
            out.write(source.encode())
    if header is not None:
        with open_output(header) as out:
            out.write(header_text().encode())
    return found


def _set_of(rules: RuleSet | Study) -> RuleSet:
    from gotools.patterns.study import Study

    return rules.rules if isinstance(rules, Study) else rules


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedMoves:
    """The legal moves of a position, the best first; arrays have an entry for each of them.

    id          -- of the decision; size -- of the board; to_play -- 1 black, 2 white
    points      -- int16[n]: numbers of points, row by row from the lower left corner; of other games their moves
    vertices    -- the moves as players write them: "D4"
    scores      -- float64[n]; probability -- float64[n]: their softmax over all legal moves
    values      -- float64[n], -1 to 1 for the side to play: the evaluation of the position after; None without one
    fired       -- ids of the rules that fire at each move
    played      -- place in the order of the move that was played; None where it is not among these
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


def rank_moves(
    examples: Examples | Board | Paths,
    rules: Rules | None = None,
    evaluation: str | Path | Evaluation | None = None,
    *,
    top: int | None = None,
    symmetries: bool = False,
    game: str = "go",
    report: Report = log,
) -> Iterator[RankedMoves]:
    """Rank the legal moves of positions by rules, by learned values, or by rules with the values beside them.

    examples -- what `read_examples` returns, paths for it, or a board; counter-examples are passed over. Of another
                game than Go paths of records: SGF, JSON lines
    top      -- the first moves of each position only
    symmetries -- of a network with a policy: the mean over all images of the board
    game     -- another than Go has evaluations only

    Positions of other board sizes than the evaluation's are left out and reported.

    Raises GotoolsError where there are neither rules nor an evaluation.
    """
    from gotools.patterns.rule_ranking import RuleWords, rank_together, stretches
    from gotools.player.move_values import MoveValues

    if rules is None and evaluation is None:
        raise GotoolsError("name rules, or an evaluation, to rank moves by")
    path = str(getattr(evaluation, "path", evaluation))
    if game != "go":
        if rules is not None or not isinstance(examples, str | Path | Iterable):
            raise GotoolsError(f"rules, examples and boards are of go; name records of {game} and an evaluation")
        yield from _ranked_of_game(listed(examples), path, game, top, report)
        return
    matcher = _matcher(rules)
    judge = None if evaluation is None else MoveValues(path, rules is None, False, symmetries)
    rows = decisions_of(examples, report)
    fitting = rows if judge is None else judge.fitting(rows)
    if judge is not None:
        judge.report_left_out(report, len(fitting))
    for some in stretches(fitting):
        ranking = rank_together(some, matcher, judge)
        points = ranking.choices.points
        yield from _ranked(ranking, RuleWords(ranking, matcher, judge), points.point, points.size.tolist(), top)


def _ranked_of_game(
    paths: Sequence[str], weights: str, game: str, top: int | None, report: Report
) -> Iterator[RankedMoves]:
    from gotools.game import find_game
    from gotools.games.records import decisions
    from gotools.player.game_ranking import GameValues, GameWords, rank_decisions, stretches

    find_game(game)  # a game that is not there is said before what the weights are of
    values = GameValues(weights, game)
    for some in stretches(decisions(paths, values.game, report, {values.size})):
        ranking = rank_decisions(some, values)
        sizes = [one.size for one in some]
        yield from _ranked(ranking, GameWords(ranking, values), ranking.moves, sizes, top)


def _ranked(
    ranking: Ranking, words: Words, points: NDArray[Any], sizes: Sequence[int], top: int | None
) -> Iterator[RankedMoves]:
    """Yield the positions of a ranking; points -- by row: what `RankedMoves.points` holds."""
    for k, name in enumerate(ranking.ids):
        rows = ranking.order[ranking.first[k] : ranking.first[k + 1]]
        place = (rows == ranking.played[k]).nonzero()[0].tolist()
        rows = rows[:top]
        yield RankedMoves(
            id=name,
            size=int(sizes[k]),
            to_play=words.side(k),
            points=points[rows],
            vertices=[words.move(row) for row in rows],
            scores=ranking.scores[rows],
            probability=ranking.probability[rows],
            values=None if ranking.value is None else ranking.value[rows],
            fired=tuple(tuple(words.fired(row)) for row in rows),
            played=place[0] if place and place[0] < len(rows) else None,
        )


def measure_rules(rules: Rules, examples: Examples | Paths, *, report: Report = log) -> dict[str, Any]:
    """Return how well rules predict the moves of examples, and how well orders without knowledge do.

    The entries are those of the metrics file (docs/formats.md): `test` with top1 to top20, log_likelihood and
    no_rule_fired; `baselines`; `rules`; `digest`.

    Raises GotoolsError where there is not one legal move to predict.
    """
    from gotools.patterns.ranking import RankingTally
    from gotools.patterns.rule_ranking import measured, rank_together, stretches

    matcher, tally = _matcher(rules), RankingTally()
    for some in stretches(decisions_of(examples, report)):
        tally.join(measured(rank_together(some, matcher)))
    if not tally.positions:
        raise GotoolsError("not one move to measure on (a legal one, of label 1)")
    return tally.metrics(matcher.rules)


def _matcher(rules: Rules | None) -> Matcher:
    from gotools.patterns.clauses.rules import RuleSet
    from gotools.patterns.matching import Interpreted
    from gotools.patterns.study import Study

    if rules is None:
        return Interpreted(RuleSet(()))
    if isinstance(rules, RuleSet | Study):
        return Interpreted(_set_of(rules))
    return load_rules(rules) if isinstance(rules, str | Path) else rules
