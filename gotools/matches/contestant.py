"""An engine in a tournament: started, given the rules, the clock and the moves, asked for its own moves.

Every failure is a `Fault`, with its engine and the way it ends a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from gotools.base.clock import TimeControl, TimeLeft
from gotools.base.errors import EngineError, quoted, shown
from gotools.base.screen_text import harmless
from gotools.game.game import find_game
from gotools.game.outcome import End, parse_score
from gotools.game.sides import side_letter
from gotools.game.table import plain_name
from gotools.game.traits import Scoring
from gotools.gtp_client.client import FailureKind, GtpEngine, GtpFailure
from gotools.gtp_client.games import START, another_game, beginning
from gotools.matches.config import TournamentConfig
from gotools.matches.game.engine_spec import EngineSpec
from gotools.matches.game.time_control import clock_commands, longest_wait, time_left_command

GRACE: Final = 5.0
"""Seconds after the clock has run out in which an answer still means that the engine is slow, not stuck."""
ASKED: Final = (
    "kata-time_settings", "kgs-time_settings", "time_settings", "fixed_handicap", "final_status_list", "final_score",
)  # fmt: skip
"""Commands that a game may use if the engine knows them."""
LEGAL_MOVES: Final = "gogui-rules_legal_moves"
"""The command that asks for the legal moves of a game that is not counted; GoGui's."""
EXPLAIN: Final = "gomill-explain_last_move"
LONGEST_COMMENT: Final = 500
"""Most characters kept of an engine's comment on a move: 30 KB per game of 60 moves."""
_ENDS: Final = {FailureKind.crash: End.crash, FailureKind.stall: End.stall, FailureKind.flood: End.flood}


class Fault(Exception):
    """An engine failed: how, with a description."""

    def __init__(self, engine: str, end: End, what: str) -> None:
        super().__init__(what)
        self.engine, self.end, self.what = engine, end, what


class AnotherGame(EngineError):
    """An engine plays another game than the tournament's."""


def start_engine(spec: EngineSpec, config: TournamentConfig, slot: int = 0) -> GtpEngine:
    """Start an engine's process; GOTOOLS_SLOT is the number of its game among those played at once, from 0.

    Raises MissingTool, EngineError.
    """
    environment = {**dict(spec.environment), "GOTOOLS_SLOT": str(slot)}
    return GtpEngine(spec.words, config.timeout, folder=spec.folder, environment=environment)


class Contestant:
    """A running engine that has given its name. Raises EngineError if it does not answer as it should.

    slot    -- the number of its game among those played at once, from 0
    program -- name and version, as the engine gives them
    past -- the fates of earlier processes of this engine, to be reported with its next game
    """

    def __init__(self, spec: EngineSpec, config: TournamentConfig, engine: GtpEngine, slot: int = 0) -> None:
        self.spec, self.engine, self.slot = spec, engine, slot
        self.past: list[str] = []
        self._config, self._game = config, find_game(plain_name(config.game))
        self._greet()

    def _greet(self) -> None:
        """Wait until the engine answers, and ask for its name and version."""
        protocol = self.engine.ask("protocol_version", self._config.start_timeout).strip()
        if protocol not in ("2", "2.0"):
            raise EngineError(self.spec.name, f"speaks GTP version {quoted(protocol)}, not 2")
        if played := another_game(self._config.game, self.engine):
            raise AnotherGame(self.spec.name, f"plays {shown(played)}, not {self._config.game}")
        self.program = f"{self._own_words('name')} {self._own_words('version')}".strip()
        for line in self.spec.startup:
            self.engine.ask(line)
        for command in ASKED:  # now, and never during a game
            self.engine.knows(command)
        self._goes_by_rules = self._game.has(Scoring)
        self.took_rules = not self._goes_by_rules
        if self._goes_by_rules:
            self._send_rules()
        self._explains = self._config.comments and self.engine.knows(EXPLAIN)
        self._seeded = self.spec.seed and self.engine.knows("set_random_seed")
        self._counts_time = self.engine.knows("time_left") and bool(self.clock_commands())
        self._fractions = self.engine.knows("kata-time_settings")
        self._periods = self._fractions or self.engine.knows("kgs-time_settings")
        self._lists_stones = self.engine.knows("list_stones")
        self._lists_moves = not self._goes_by_rules and self.engine.knows(LEGAL_MOVES)
        self._first_moves = ""

    def _own_words(self, command: str) -> str:
        return harmless(" ".join((self._unless_refused(command) or "").split())[:100])

    def _send_rules(self) -> None:
        """Send the rules by the command that the engine knows, if any."""
        rules, handicap = self._config.rules, self._config.handicap
        counted = replace(rules, friendly=rules.friendly and self._config.dead != "none")
        forms = (
            ("kata-set-rules", counted.text(handicap)),
            ("kata-set-rules", rules.text(handicap)),  # for an engine that cannot be told of dead stones
            ("kgs-rules", rules.kgs_name()),
        )
        for command, name in dict.fromkeys(forms):
            if name is not None and not self.took_rules and self.engine.knows(command):
                self.took_rules = self._unless_refused(f"{command} {name}") is not None

    def is_ready(self) -> bool:
        """Return whether an engine that has played can play again: it lives, and clear_board clears its board."""
        try:
            self._must("clear_board", End.setup)
            left = self._lists_stones and any(map(self._stones, ("black", "white")))
            left = left or (self._lists_moves and self._legal_moves() != self._first_moves)
        except Fault as fault:
            self.past.append(f"restarted: {fault.what}")
            return False
        if left:
            what = "stones" if self._goes_by_rules else "moves"
            self.past.append(f"restarted: clear_board left {what} on the board")
        return not left

    def take_past(self) -> list[str]:
        """Return the fates of earlier processes, once."""
        past, self.past = self.past, []
        return past

    # a game ----------------------------------------------------------------------------------------------------------

    def new_game(self, seed: int, setting: str = "") -> None:
        """Clear the board; set size, komi, start, seed and clock. Raises Fault."""
        for line in beginning(self._game, self._config.size, self._config.komi):
            self._must(line, End.setup)
        if self._lists_moves:
            self._first_moves = self._first_moves or self._legal_moves()
        own = self._config.game.partition(":")[2]
        if setting or (own and self.engine.knows(START)):
            self._must(f"{START} {setting or own}", End.setup)
        if self._seeded:
            self._must(f"set_random_seed {seed}", End.setup)
        for line in self.clock_commands() or ():
            self._must(line, End.setup)

    def _legal_moves(self) -> str:
        return self._must(LEGAL_MOVES, End.setup).strip()

    def _stones(self, colour: str) -> str:
        return self._must(f"list_stones {colour}", End.setup).strip()

    def clock_commands(self) -> list[str] | None:
        """Return the commands that give this engine the clock; None if there are none."""
        control = self._config.time
        return [] if control.kind == "none" else clock_commands(control, self.engine.knows)

    def place_handicap(self, places: Sequence[int]) -> None:
        """Put the fixed handicap on the board, which must be that of the standard. Raises Fault."""
        if not places:
            return
        if not self.engine.knows("fixed_handicap"):
            for place in places:
                move = self._game.move_at(place, self._config.size)
                self._must(f"play b {self._game.move_text(move, self._config.size)}", End.setup)
            return
        answer = self._must(f"fixed_handicap {len(places)}", End.setup).split()
        placed = set()
        for word in answer:
            with suppress(ValueError):
                placed.add(self._place(word))
        if placed != set(places):
            raise Fault(self.spec.name, End.setup, f"fixed_handicap puts stones on {quoted(' '.join(answer))}")

    def _place(self, word: str) -> int:
        """Return the place of a text. Raises ValueError."""
        return self._game.place_of(self._game.parse_move(word, self._config.size), self._config.size)

    def send_move(self, colour: int, move: str) -> None:
        """Send the engine a move; a refusal is its fault, because the move is legal. Raises Fault."""
        self._must(f"play {side_letter(colour)} {move}", End.rejected)

    def move(self, colour: int, left: TimeLeft) -> tuple[str, float]:
        """Ask for a move. Returns the answer and the seconds it took. Raises Fault."""
        control = self._config.time
        if control.kind != "none" and self._counts_time:
            self._if_willing(time_left_command(colour, left, control, self._fractions, periods=self._periods))
        try:
            return self.engine.ask_timed(f"genmove {side_letter(colour)}", self._patience(control, left))
        except GtpFailure as failure:
            raise self._fault(failure, End.refused) from failure

    def _patience(self, control: TimeControl, left: TimeLeft) -> float:
        if control.kind == "none":
            return self._config.timeout
        return longest_wait(control, left) + self._config.margin + min(GRACE, self._config.timeout)

    def comment(self) -> str:
        """Return the engine's comment on its last move, "" without one. Raises Fault if it fails."""
        words = harmless((self._if_willing(EXPLAIN) or "") if self._explains else "")
        if len(words) <= LONGEST_COMMENT:
            return words
        cut = words[:LONGEST_COMMENT]
        return cut.rpartition("\n")[0] or cut

    def dead_stones(self) -> list[int] | None:
        """Return the stones that the engine considers dead; None if it does not say. Raises Fault."""
        if not self.engine.knows("final_status_list"):
            return None
        answer = self._if_willing("final_status_list dead")
        if answer is None:
            return None
        try:
            return [self._place(word) for word in answer.split()]
        except ValueError:
            return None

    def final_score(self) -> float | None:
        """Return the engine's own count, black's less white's; None if it does not say. Raises Fault."""
        if not self.engine.knows("final_score"):
            return None
        answer = (self._if_willing("final_score") or "").split()
        return parse_score(answer[0]) if answer else None

    def _unless_refused(self, command: str) -> str | None:
        """Return the answer; None if the engine refuses. Raises GtpFailure if it fails."""
        try:
            return self.engine.ask(command)
        except GtpFailure as failure:
            if failure.kind is not FailureKind.refused:
                raise
            return None

    def _if_willing(self, command: str) -> str | None:
        """Return the answer; None if the engine refuses. Raises Fault if it fails."""
        try:
            return self._unless_refused(command)
        except GtpFailure as failure:
            raise self._fault(failure, End.refused) from failure

    def _must(self, command: str, refusal: End) -> str:
        try:
            return self.engine.ask(command)
        except GtpFailure as failure:
            raise self._fault(failure, refusal) from failure

    def _fault(self, failure: GtpFailure, refusal: End) -> Fault:
        return Fault(self.spec.name, _ENDS.get(failure.kind, refusal), failure.what)
