"""Positions solved by proof-number search: mates, the capture of marked stones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.base.phases import UNWATCHED, Watch
from gotools.base.settings import with_settings
from gotools.engines.solving.answers import Solved, SolvingSettings, as_tsv
from gotools.game.table import USUAL
from gotools.library.arguments import Paths, Report, listed, log

if TYPE_CHECKING:
    from gotools.engines.solving.solving import Posed
    from gotools.game.game import Game
    from gotools.game.records.record import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers for positions, `solved`; whole -- whether all were solved, and Ctrl-C left none out."""

    solved: list[Solved]
    whole: bool
    tsv: bytes

    def __repr__(self) -> str:
        return f"Answers({len(self.solved)} positions, whole={self.whole})"


@with_settings(SolvingSettings)
def solve(
    paths: Paths,
    *,
    settings: SolvingSettings,
    game: str = USUAL,
    jobs: int = 1,
    report: Report = log,
    watch: Watch = UNWATCHED,
) -> Answers:
    """Solve the first position of each record: whether the side to play mates, whether marked stones are captured.

    paths -- game records; of shogi also lines of SFEN
    jobs  -- threads; they change no answer without `seconds`

    After Ctrl-C what is returned has the answers so far; without any KeyboardInterrupt goes on. Raises GotoolsError for
    a game without such a goal, and where there is no position.
    """
    from gotools.engines.solving.solving import solve_each
    from gotools.game.game import find_game
    from gotools.game.goals import Goal

    played = find_game(game)
    played.need(Goal)
    problems = list(_problems(listed(paths), played, settings, report))
    if not problems:
        raise GotoolsError("no position to solve")
    watch.phase("positions", len(problems))
    solved = list[Solved]()
    try:
        for one in solve_each(problems, played, settings, watch.advance, jobs):
            solved.append(one)
    except KeyboardInterrupt:
        if not solved:
            raise
    return Answers(solved=solved, whole=len(solved) == len(problems), tsv=as_tsv(solved, played, settings))


def _problems(paths: list[str], game: Game, settings: SolvingSettings, report: Report) -> Iterator[Posed]:
    """Yield what is to be solved; records that ask nothing are reported. Raises FileFormatError where `strict`."""
    from gotools.game.records.reading import place_of_game, read_records, reporting

    problem = reporting(report, settings.strict)
    for name, record in read_records(paths, game, report, settings.strict):
        try:
            yield _problem(record, game, settings.last)
        except ValueError as error:
            problem(FileFormatError(place_of_game(name, record.id), None, str(error)))


def _problem(record: Record, game: Game, last: bool) -> Posed:
    """Return what a record asks. Raises ValueError."""
    from gotools.engines.solving.solving import Posed
    from gotools.game.goals import Goal
    from gotools.game.records.replay import played
    from gotools.game.traits import SetUp

    history, why = played(record, game, most=None if last else 0)
    if why:
        raise ValueError(why)
    state, set_up = history.state, game.find(SetUp)
    side = dict(record.marks).get("PL")
    if set_up and side and not last:
        state = set_up.put(state, (), side)
    return Posed(record.id, history.size, state, game.need(Goal).ask(state, record.marks))
