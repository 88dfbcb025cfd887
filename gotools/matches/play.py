"""Play one scheduled game between two engines, to the end or to a fault of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from threading import Event

from gotools.base.clock import TimeLeft, clock_after, full_clock
from gotools.base.screen_text import harmless
from gotools.game.game import find_game
from gotools.game.outcome import Count, End
from gotools.game.sides import BLACK, WHITE, side_letter, side_name
from gotools.game.traits import SetUp
from gotools.matches.config import TournamentConfig
from gotools.matches.contestant import Contestant, Fault
from gotools.matches.counting import count_as_it_stands, count_game
from gotools.matches.game.game_result import CRASHES, GameResult
from gotools.matches.game.referee import Referee
from gotools.matches.game.time_control import time_text, used_up
from gotools.matches.schedule import ScheduledGame

TAIL = 600
"""Most characters kept of an engine's last output on stderr."""
SILENT = CRASHES - {End.crash}
"""Ends whose fault lacks the engine's last output on stderr; that of a crash includes it."""
RESULT_OF_END = {End.time: "T", End.stall: "T", End.resign: "R"}


class Aborted(Exception):
    """The tournament was stopped in the middle of the game."""


@dataclass(slots=True)
class MoveNote:
    """The notes of an SGF on a move: seconds used, the clock after it, the engine's comment."""

    seconds: float
    left: TimeLeft | None
    comment: str


@dataclass(slots=True)
class PlayedGame:
    """A result, and further data for its SGF.

    programs -- black, white: the engines' names and versions
    handicap -- places
    notes    -- one for each move, None in the opening
    """

    result: GameResult
    programs: tuple[str, str]
    handicap: list[int]
    moves: list[tuple[int, int]]
    notes: list[MoveNote | None]


@dataclass(slots=True)
class _Table:
    """A game in progress."""

    scheduled: ScheduledGame
    config: TournamentConfig
    players: tuple[Contestant, Contestant]
    referee: Referee
    handicap: list[int]
    clocks: list[TimeLeft]
    seconds: list[list[float]] = field(default_factory=lambda: [[], []])
    notes: list[MoveNote | None] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def longest(self) -> int:
        """Moves that the game may have."""
        return self.config.max_moves or self.referee.longest

    def player(self, colour: int) -> Contestant:
        return self.players[colour - 1]

    def side_of_engine(self, engine: str) -> int:
        return BLACK if engine == self.scheduled.black else WHITE


def play_game(
    scheduled: ScheduledGame,
    config: TournamentConfig,
    players: tuple[Contestant, Contestant],
    judge: Contestant | None = None,
    stopped: Event | None = None,
    watch: Callable[[int], None] = lambda _: None,
) -> PlayedGame:
    """Play a game to its end; whatever the engines do, there is a result.

    players -- black, white; judge -- counts disputed games
    stopped -- set by another thread to abandon the game; watch -- called with the number of moves after each
    Raises Aborted.
    """
    game, full = find_game(config.game).started_from(scheduled.setting), full_clock(config.time)
    referee, set_up = Referee(game, config.size, config.rules), game.find(SetUp)
    handicap = set_up.fixed(config.size, config.handicap) if set_up and config.handicap else []
    table = _Table(scheduled, config, players, referee, handicap, [full, full])
    try:
        _set_up(table)
        count, fault = _play(table, judge, stopped or Event(), watch), ""
    except Fault as failure:
        if stopped is not None and stopped.is_set():
            raise Aborted from failure
        colour = table.side_of_engine(failure.engine)
        count, fault = _lost(table, colour, failure), side_letter(colour)
    programs = (players[0].program, players[1].program)
    return PlayedGame(_result(table, count, fault), programs, handicap, referee.moves, table.notes)


def _set_up(table: _Table) -> None:
    """Set up the position from which the engines play."""
    for player in table.players:
        player.new_game(table.scheduled.seed, table.scheduled.setting)
        player.place_handicap(table.handicap)
    table.referee.begin(table.handicap)
    for move in table.scheduled.opening[: table.longest]:  # legal: see find_openings
        colour = table.referee.to_play
        table.referee.play(colour, move)
        table.notes.append(None)
        for player in table.players:
            player.send_move(colour, table.referee.text(move))


def _play(table: _Table, judge: Contestant | None, stopped: Event, watch: Callable[[int], None]) -> Count:
    """Let the engines move until the game is over, and count it. Raises Fault, Aborted."""
    referee = table.referee
    while len(referee.moves) < table.longest:
        if stopped.is_set():
            raise Aborted
        colour = referee.to_play
        if _move(table, colour) is None:
            return Count(f"{side_letter(3 - colour).upper()}+R", End.resign, f"{side_name(colour)} resigns")
        watch(len(referee.moves))
        if referee.history.agreed:
            return _count(table, judge)
        if (verdict := referee.verdict) is not None:
            return verdict
    if referee.scoring:
        return count_as_it_stands(referee, table.config.komi, End.moves)
    return Count("0", End.moves, f"not over after {table.longest} moves: a draw")


def _move(table: _Table, colour: int) -> int | None:
    """Ask for a move, judge it, make it and send it to the other side. None: the engine resigns. Raises Fault."""
    player = table.player(colour)
    answer, used = player.move(colour, table.clocks[colour - 1])
    text = " ".join(answer.split())
    table.seconds[colour - 1].append(used)
    _run_clock(table, colour, used)
    if text.lower() == "resign":
        return None
    move, why = table.referee.why_illegal(colour, text)
    if why:
        played = harmless(text[:40]) or "nothing"
        raise Fault(player.spec.name, End.illegal, f"{side_name(colour)} plays {played}: {why}")
    table.referee.play(colour, move)
    left = None if table.config.time.kind == "none" else table.clocks[colour - 1]
    note = MoveNote(used, left, "")
    table.notes.append(note)
    note.comment = player.comment()
    table.player(3 - colour).send_move(colour, table.referee.text(move))
    return move


def _run_clock(table: _Table, colour: int, used: float) -> None:
    """Subtract the time of a move from the clock. Raises Fault if it has run out."""
    control, left = table.config.time, table.clocks[colour - 1]
    if used_up(control, left, used, table.config.margin):
        what = f"{side_name(colour)} took {used:.2f} s with {left.seconds:.2f} s on the clock ({time_text(control)})"
        raise Fault(table.player(colour).spec.name, End.time, what)
    table.clocks[colour - 1] = clock_after(control, left, used)


def _count(table: _Table, judge: Contestant | None) -> Count:
    """Count a game that ended by agreement. Raises Fault."""
    if table.config.dead == "none":
        return count_as_it_stands(table.referee, table.config.komi)
    shown = None if judge is None else partial(_shown, judge, table)
    count, remarks = count_game(table.referee, table.config.komi, table.players, shown)
    table.remarks += remarks
    return count


def _shown(judge: Contestant, table: _Table) -> Contestant:
    """Set up the game in a third engine; returns the engine. Raises Fault."""
    judge.new_game(table.scheduled.seed)
    judge.place_handicap(table.handicap)
    for colour, move in table.referee.moves:
        judge.send_move(colour, table.referee.text(move))
    return judge


# the result -----------------------------------------------------------------------------------------------------------


def _lost(table: _Table, colour: int, fault: Fault) -> Count:
    """Return the result of a game that an engine lost by its own fault, or that is void by the settings."""
    if fault.end in CRASHES and table.config.on_crash == "void":
        return Count("Void", fault.end, fault.what)
    winner = side_letter(3 - colour).upper()
    return Count(f"{winner}+{RESULT_OF_END.get(fault.end, 'F')}", fault.end, fault.what)


def _result(table: _Table, count: Count, fault: str) -> GameResult:
    game, config, contested = table.scheduled, table.config, _contested(table)
    return GameResult(
        game=game.game,
        pair=game.pair,
        black=game.black,
        white=game.white,
        result=count.result,
        end=count.end,
        fault=fault,
        what=count.how + (_last_words(table, fault) if count.end in SILENT else ""),
        size=config.size,
        komi=config.komi,
        handicap=len(table.handicap),
        opening=min(len(game.opening), len(table.referee.moves)),
        moves=" ".join(table.referee.text(move) for _, move in table.referee.moves),
        seconds=_both(table.seconds, sum),
        slowest=_both(table.seconds, lambda spent: max(spent, default=0.0)),
        contested_moves=(len(contested[0]), len(contested[1])),
        contested_seconds=_both(contested, sum),
        notes=_notes(table),
        game_name=config.game,
        setting=game.setting,
    )


def _contested(table: _Table) -> Sequence[Sequence[float]]:
    """Return the seconds of each answer of black and of white in the contested part of the game."""
    last = table.referee.contested
    if last == len(table.referee.moves):
        return table.seconds  # with an answer that is no move of the game, such as a resignation
    moves = list(zip(table.referee.moves, table.notes, strict=True))[:last]
    return [[note.seconds for (mover, _), note in moves if note and mover == side] for side in (BLACK, WHITE)]


def _both(seconds: Sequence[Sequence[float]], figure: Callable[[Sequence[float]], float]) -> tuple[float, float]:
    black, white = (round(float(figure(spent)), 4) for spent in seconds)
    return black, white


def _last_words(table: _Table, fault: str) -> str:
    words = table.player(1 if fault == "b" else 2).engine.last_words().strip()
    return f"; it last said: {harmless(words[-TAIL:])}" if words else ""


def _notes(table: _Table) -> tuple[str, ...]:
    players = ((side_name(colour), table.player(colour)) for colour in (BLACK, WHITE))
    notes = [
        f"{side}: {note}" for side, player in players for note in (*player.take_past(), *player.engine.take_notes())
    ]
    return (*notes, *table.remarks)
