"""Check whether an engine supports all that a tournament needs, and describe its failures.

trial     the engine, its processes, and the questions, by the rules of a game
protocol  checks of its answers, its time and its end
moves     checks of its board and its moves
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from gotools.base.errors import EngineError, MissingTool
from gotools.base.screen_text import harmless
from gotools.game.table import USUAL, USUAL_KOMI
from gotools.gtp_client.client import FailureKind, GtpFailure, hint_of
from gotools.matches.check import moves, protocol
from gotools.matches.check.trial import Outcome, Trial, TrialLimits, Unmet, Untried
from gotools.matches.config import board_size

STARTS: Final = "starts"
Check = tuple[str, Callable[[Trial], Outcome]]
_BEGINNING: Final[tuple[Check, ...]] = (
    ("protocol version", protocol.protocol_version),
    ("name and version", protocol.identity),
    ("list of commands", protocol.commands),
    ("unknown command", protocol.unknown_command),
    ("comments, line ends", protocol.comments),
    ("board size", protocol.board_size),
    ("impossible size", protocol.large_board),
)
_END: Final[tuple[Check, ...]] = (
    ("time commands", protocol.time_commands),
    ("a second a move", protocol.a_second_a_move),
    ("end of input", protocol.end_of_input),
    ("quit", protocol.quits),
    ("resign", protocol.resignations),  # the last ones judge the answers of the others
    ("ids", protocol.ids),
    ("stdout", protocol.clean_stdout),
    ("stderr", protocol.stderr),
)
CHECKS: Final[tuple[Check, ...]] = (
    *_BEGINNING,
    ("komi", protocol.komi),
    ("clear_board", moves.clear_board),
    ("legal moves", moves.plays),
    ("captures", partial(moves.position, name="captures")),
    ("occupied point", partial(moves.position, name="occupied point")),
    ("suicide", partial(moves.position, name="suicide")),
    ("ko", partial(moves.position, name="ko")),
    ("undo", moves.undo),
    ("own moves", moves.genmove),
    ("own board", moves.stones),
    ("same side twice", moves.same_side_twice),
    ("after passes", moves.after_passes),
    ("passes at the end", moves.passes_at_the_end),
    ("final_score", moves.settled_score),
    ("dead stones", moves.dead_stones),
    ("second game", moves.second_game),
    *_END,
)
"""The checks after the start, in order, of an engine of a game that is counted."""
CHECKS_OF_GAMES: Final[tuple[Check, ...]] = (
    *_BEGINNING,
    ("game", moves.game_id),
    ("clear_board", moves.clear_board),
    ("legal moves", moves.plays),
    ("illegal move", moves.illegal),
    ("no move", moves.no_move),
    ("undo", moves.undo),
    ("own moves", moves.genmove),
    ("own later moves", moves.genmove_later),
    ("list of moves", moves.legal_moves),
    ("after the end", moves.after_the_end),
    ("final_score", moves.score),
    ("second game", moves.second_game),
    *_END,
)
"""The same of an engine of a game that ends by its rules alone."""
_MARKS: Final = {True: "ok", False: "FAIL", None: "-"}


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check.

    passed -- None for a warning, for a check that does not apply, or could not be made
    text   -- the observation, for people
    """

    name: str
    passed: bool | None
    text: str


def check_engine(
    command: str | Sequence[str],
    size: int | None = None,
    komi: float = USUAL_KOMI,
    timeout: float = 60.0,
    *,
    game: str = USUAL,
    start: float | None = None,
    folder: str | None = None,
    environment: Mapping[str, str] | None = None,
    say: Callable[[Finding], None] = lambda _: None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Finding]:
    """Make all checks of an engine; return the findings, in the order of CHECKS, or CHECKS_OF_GAMES.

    command -- as for GtpEngine, like folder and environment
    size    -- None: the usual one of the game; komi -- of games that are counted
    timeout -- seconds for an answer
    game    -- by its name in gotools.game.table.GAMES
    start   -- seconds for the first answer of a process; None: five times `timeout`
    say     -- called with each finding as it is made
    progress -- called with a message while the engine keeps us waiting

    Raises GotoolsError for a game that is not known, or a size that it does not have; never for a fault of the engine.
    A healthy engine takes the time of some 60 of its moves and five starts,
    and stays in one process except for three checks. A command that gets no answer is not sent again.
    """
    findings: list[Finding] = []

    def note(name: str, outcome: Outcome) -> bool:
        findings.append(Finding(name, outcome[0], harmless(outcome[1])))
        say(findings[-1])
        return outcome[0] is not False

    limits = TrialLimits(game, board_size(game, size), komi, timeout, 5 * timeout if start is None else start)
    with Trial(command, limits, folder, environment, progress) as trial:
        if note(STARTS, _outcome(_starts, trial)):
            for name, check in CHECKS if trial.scoring else CHECKS_OF_GAMES:
                note(name, _outcome(check, trial))
    return findings


def finding_text(finding: Finding, columns: int) -> str:
    """Return a finding as lines for people; aligned for all findings."""
    width = max(len(name) for name in (STARTS, *(name for name, _ in CHECKS + CHECKS_OF_GAMES)))
    room = max(40, columns - width - 7)
    first, *more = textwrap.wrap(finding.text, room, break_on_hyphens=False) or [""]
    lines = [f"{_MARKS[finding.passed]:<4} {finding.name:<{width}}  {first}".rstrip()]
    return "\n".join(lines + [" " * (width + 7) + line for line in more])


def counts_text(findings: Sequence[Finding]) -> str:
    """Return the number of findings of each kind."""
    counts = [sum(finding.passed is verdict for finding in findings) for verdict in (True, False, None)]
    return "{} ok, {} failed, {} warnings or not applicable".format(*counts)


def _starts(trial: Trial) -> Outcome:
    try:
        trial.engine()
    except GtpFailure as failure:
        if failure.kind is not FailureKind.stall or not (hint := hint_of(trial.words)):
            raise
        raise Unmet(f"{failure.what}; {hint}") from failure
    return True, "starts and answers"


def _outcome(check: Callable[[Trial], Outcome], trial: Trial) -> Outcome:
    """Make one check; an engine that failed it is restarted for the next."""
    try:
        return check(trial)
    except Untried as reason:
        return None, str(reason)
    except Unmet as reason:
        outcome = (False, str(reason))
    except MissingTool as error:
        outcome = (False, str(error))
    except EngineError as error:
        outcome = (False, error.what)
    trial.drop()
    return outcome
