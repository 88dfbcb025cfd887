"""What the commands of USI do: a method for each, with the words after the name."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from gotools.base.errors import GotoolsError, shown
from gotools.engines.gtp.commands import warm_up
from gotools.engines.gtp.server import complain
from gotools.engines.gtp.session import GRACE, Session, Thought
from gotools.engines.player import Player
from gotools.engines.players import new_player
from gotools.engines.usi.info_lines import info_line, mate_text
from gotools.engines.usi.limits import GoWords, read_go, seconds_of
from gotools.engines.usi.options import GAME, UsiOptions, read_setting
from gotools.engines.usi.positions import set_up
from gotools.engines.usi.search_thread import SearchThread
from gotools.game.choice import Choice, Limits, Report
from gotools.game.game import Game
from gotools.game.goals import Goal
from gotools.games.shogi.kernels import pieces as p
from gotools.jit.kernels.seams import ONGOING
from gotools.search.proof import Proof, ProofSearch

Found = TypeVar("Found")
_MATE: Final = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
DECLARES: Final = Choice(p.DECLARE, 1.0, (p.DECLARE,), 0, 1, "declares victory", (), chance=1.0)


def rehearse(player: Player) -> None:
    """Load or compile what a game and a search for a mate need, before the clock runs."""
    warm_up(player)
    mated = player.game.started_from(_MATE)
    state = mated.position()
    ProofSearch(mated).solve(state, Limits(), goal_of(mated, state))


def goal_of(game: Game, state: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the goal of `go mate` in a position."""
    return game.need(Goal).ask(state, ())[0].goal


class UsiSession:
    """A player of shogi, a game, and the line to the board.

    player  -- for the options, whose limits of a move hold where `go` sets none; nodes and depth hold always
    send    -- writes a line; called by one thread at a time
    prepare -- loads or compiles what a player needs; called before its first move, or at `isready`

    Public attribute: over -- set by `quit`
    """

    def __init__(
        self,
        player: Player,
        options: UsiOptions,
        send: Callable[[str], None],
        prepare: Callable[[Player], None] = rehearse,
    ) -> None:
        self.over = False
        self._options, self._send, self._prepare = options, send, prepare
        self._game = Session.begin(player, options.player)
        self._made_for = options.player
        self._is_prepared = False
        self._words = ["startpos"]
        self._is_legal = True
        self._thought: SearchThread[Any] | None = None

    # commands --------------------------------------------------------------------------------------------------------

    def usi(self, words: list[str]) -> None:
        """usi: say who this is, and which options there are."""
        name = self._game.player.name
        for line in (f"id name {name}", "id author gotools contributors", *self._options.lines(), "usiok"):
            self._send(line)

    def isready(self, words: list[str]) -> None:
        """isready: load and compile, and say that it is done."""
        if not self._thinks():
            self._be_ready()
        self._send("readyok")

    def setoption(self, words: list[str]) -> None:
        """setoption name NAME value VALUE: change an option; files are read at the next `isready` or `go`."""
        self._options = self._options.with_value(*read_setting(words))

    def usinewgame(self, words: list[str]) -> None:
        """usinewgame: begin a new game."""
        self.end_thought()
        self._game.clear()
        self._words, self._is_legal = ["startpos"], True

    def position(self, words: list[str]) -> None:
        """position startpos|sfen ... [moves ...]: set up a position."""
        self.end_thought()
        self._words, self._is_legal = words, False
        set_up(self._game, words)
        self._is_legal = True

    def go(self, words: list[str]) -> None:
        """go ...: think, and answer with `bestmove`; `go mate` with `checkmate`."""
        began, wanted = time.monotonic(), read_go(words)
        self.end_thought()
        self._be_ready()
        self._thought = self._begin_mate(wanted, began) if wanted.mate else self._begin(wanted, began)
        self._thought.begin()

    def stop(self, words: list[str]) -> None:
        """stop: answer now."""
        if self._thought is not None:
            self._thought.stop()

    def ponderhit(self, words: list[str]) -> None:
        """ponderhit: the expected move was made; the clock runs from now on."""
        if self._thought is not None and self._thought.waits:
            self._thought.hit(self._seconds(self._go_words))

    def gameover(self, words: list[str]) -> None:
        """gameover win|lose|draw: the game is over."""
        self.end_thought()

    def quit(self, words: list[str]) -> None:
        """quit: end."""
        self.over = True

    # thinking --------------------------------------------------------------------------------------------------------

    def end_thought(self) -> None:
        """End a search that is under way; it has answered then."""
        if self._thought is not None:
            self._thought.stop()
            self._thought.join()
            self._thought = None

    def finish(self) -> None:
        """Let a search that is under way end, for no more commands come: at once where it waits for one."""
        if self._thought is not None and not self._thought.waits and not self.over:
            self._thought.join(GRACE)
        self.end_thought()

    def _thinks(self) -> bool:
        return self._thought is not None and not self._thought.join(0.0)

    def _be_ready(self) -> None:
        """Make the player that the options want, and prepare it."""
        wanted = self._options.player
        if wanted != self._made_for:
            self.end_thought()
            self._made_for = wanted
            try:
                player = new_player(GAME, settings=wanted)
            except GotoolsError as error:
                self.inform(f"{error}; the player stays as it was")
            else:
                self._game, self._is_prepared = Session.begin(player, wanted), False
                if self._is_legal:
                    set_up(self._game, self._words)
        if not self._is_prepared:
            self._prepare(self._game.player)
            self._is_prepared = True

    def _begin_mate(self, wanted: GoWords, began: float) -> SearchThread[Proof | None]:
        """Return a search for a mate in the position, not yet begun."""
        history = self._game.state.history
        search, goal = ProofSearch(history.game), goal_of(history.game, history.state)

        def think(_: Report) -> Proof:
            self._check_legal()
            spent = time.monotonic() - began + self._options.delay / 1000
            seconds = None if wanted.mate_time is None else wanted.mate_time / 1000 - spent
            return search.solve(history.state, Limits(seconds), goal)

        def answer(proof: Proof | None) -> None:
            self._say(f"checkmate {mate_text(history, proof)}")

        return SearchThread(self._guarded(think), search.stop, lambda _: None, answer, waits=False)

    def _begin(self, wanted: GoWords, began: float) -> SearchThread[Choice | None]:
        """Return a search for the position, not yet begun."""
        self._go_words = wanted
        state, game = self._game.state.history.state, self._game.game
        said = 0  # nodes of the last report

        def report(choice: Choice) -> None:
            nonlocal said
            if choice.nodes > said:
                said = choice.nodes
                self._send(info_line(game, state, choice, time.monotonic() - began))

        def think(checked: Report) -> Choice | None:
            choice = self._choose(checked, self._limits(wanted))
            if choice is not None:
                report(choice)
            return choice

        waits = wanted.infinite or wanted.ponder
        return SearchThread(self._guarded(think), self._game.player.stop, report, self._answer, waits)

    def _guarded(self, think: Callable[[Report], Found | None]) -> Callable[[Report], Found | None]:
        """Return `think` without its errors: it finds nothing then, and says why."""

        def guarded(report: Report) -> Found | None:
            try:
                return think(report)
            except BrokenPipeError:  # nobody reads any more
                return None
            except GotoolsError as error:
                self.inform(str(error))
            except MemoryError:
                self.inform("out of memory")
            except Exception as error:
                complain()
                self.inform(f"internal error: {type(error).__name__}: {error}")
            return None

        return guarded

    def _check_legal(self) -> None:
        if not self._is_legal:
            raise GotoolsError("there is no position to play in")

    def _choose(self, report: Report, limits: Limits) -> Choice | None:
        self._check_legal()
        history, game = self._game.state.history, self._game.game
        moves = game.moves_of(history.state)
        if not moves or game.outcome(history.state) != ONGOING:
            return None
        if p.DECLARE in moves:
            return DECLARES
        choice = self._game.think(history.to_play, report, limits)
        self._game.state = replace(self._game.state, thought=Thought(history, history.to_play, choice))
        return choice

    def _limits(self, wanted: GoWords) -> Limits:
        """Return the limits of a search; one that waits has none by time."""
        if wanted.infinite:
            return Limits(None, wanted.nodes, wanted.depth)
        settings = self._options.player
        nodes = min(filter(None, (wanted.nodes, settings.nodes)), default=None)
        depth = min(filter(None, (wanted.depth, settings.depth)), default=None)
        return Limits(None if wanted.ponder else self._seconds(wanted), nodes, depth)

    def _seconds(self, wanted: GoWords) -> float | None:
        """Return how long a move may take: by clock or limit, else as the command line says."""
        history = self._game.state.history
        made = len(history.moves) // 2
        seconds = seconds_of(wanted, history.to_play, made, self._options.delay / 1000)
        if seconds is None and wanted.nodes is wanted.depth is None:
            return self._options.player.seconds
        return seconds

    def _answer(self, choice: Choice | None) -> None:
        self._say(f"bestmove {self._answer_text(choice)}")

    def _say(self, answer: str) -> None:
        try:
            self._send(answer)
        except BrokenPipeError:
            self.over = True

    def _answer_text(self, choice: Choice | None) -> str:
        """Return a move, and the reply that is expected to it."""
        if choice is None:
            return "resign"
        game, state, text = self._game.game, self._game.state.history.state, self._game.state.history.text
        if len(choice.line) > 1 and choice.line[0] == choice.move and choice.line[1] != p.DECLARE:
            after = game.play(state, choice.move)
            if game.outcome(after) == ONGOING and choice.line[1] in game.moves_of(after):
                return f"{text(choice.move)} ponder {text(choice.line[1])}"
        return text(choice.move)

    def inform(self, what: str) -> None:
        """Say something for people."""
        self._send(f"info string {shown(what, 400)}")


COMMANDS: Final[dict[str, Callable[[UsiSession, list[str]], None]]] = {
    method.__name__: method
    for method in (
        UsiSession.usi, UsiSession.isready, UsiSession.setoption, UsiSession.usinewgame, UsiSession.position,
        UsiSession.go, UsiSession.stop, UsiSession.ponderhit, UsiSession.gameover, UsiSession.quit,
    )
}  # fmt: skip
