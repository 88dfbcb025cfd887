"""The settings of a player: what it knows, how it searches, what limits a move, and when it gives up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from gotools.base.errors import GotoolsError
from gotools.base.settings import Settings, like, seed_setting, setting
from gotools.game.table import GAMES

if TYPE_CHECKING:
    from gotools.game.game import Game
    from gotools.search.alphabeta import AlphaBetaSettings

NONE: Final = "none"
"""No rules, no learned values."""
DEFAULT: Final = "default"
"""The learned values of the package; a file of that name is ./default."""
SECONDS: Final = 1.0
"""For a move, where nothing limits it."""
TRAITS: Final = {"rules": "Vocabulary", "digest": "Vocabulary", "capture_all_dead": "Passing", "level": "Levels"}
"""Settings that only some games have a use for, and the names of the traits by which they have it."""


def read_widths(text: str) -> tuple[int, ...]:
    """Return the numbers of --width. Raises GotoolsError."""
    words = text.split(",")
    if not all(word.isascii() and word.isdecimal() and len(word) < 5 for word in words):
        raise GotoolsError("numbers of moves with commas between: 8 or 12,8,6")
    return tuple(map(int, words))


def check_widths(widths: Sequence[int]) -> None:
    """Raise GotoolsError for numbers of moves that cannot be."""
    if not widths or min(widths) < 0:
        raise GotoolsError("widths are numbers of moves, 0 for all: 8 or 12,8,6")


@dataclass(frozen=True, kw_only=True)
class Selectivity(Settings):
    """What alpha-beta leaves out, searches less deep or deeper; None: as usual."""

    widths: Sequence[int] | None = setting(
        None,
        "Of alpha-beta with rules or a policy: the best moves that are searched; a list is for one ply before the "
        "leaves, two plies, and so on. 0: all. If not given, what suits the game: 6 in Go.",
        "N[,N...]",
        "--width",
        typed=str | None,
        read=read_widths,
        check=check_widths,
    )
    penalty: float | None = setting(
        None,
        "Of alpha-beta with rules or a policy: value that a unit of score below the best move costs. If not given, "
        "what suits the game: 0.05 in Go.",
        least=0.0,
        most=1.0,
    )
    selective: bool | None = setting(
        None,
        "Alpha-beta leaves out what hardly matters and searches late moves less deep, so that values are no longer "
        "exactly those of minimax; by default where the game's moves are known to allow it.",
        None,
        "--selective/--no-selective",
    )
    extensions: int | None = setting(
        None,
        "Alpha-beta searches a line one ply deeper for each threat in it (an atari; in shogi a check), up to N plies. "
        "If not given, 6 in the selective search of shogi, else 0.",
        least=0,
        most=20,
    )

    @property
    def given(self) -> dict[str, Any]:
        """Return what is not as usual, by the names of AlphaBetaSettings."""
        widths = None if self.widths is None else tuple(self.widths)
        return {name: value for name, value in {**vars(self), "widths": widths}.items() if value is not None}

    @property
    def words(self) -> dict[str, str | float]:
        """Return what is given as people write it, by the names of options."""
        words = self.given
        if "widths" in words:
            words = {"width": ",".join(map(str, words.pop("widths"))), **words}
        if "selective" in words:
            words["selective"] = "yes" if self.selective else "no"
        return words

    @property
    def scores(self) -> bool:
        """Say whether it needs scores of moves."""
        return self.widths is not None or self.penalty is not None

    def check_none(self, search: str) -> None:
        """Raise GotoolsError where something is given: for another search."""
        if self.given:
            options = "--width, --penalty, --selective and --extensions"
            raise GotoolsError(f"{options} are of --search alphabeta, not of {search}")

    def settings(self, game: Game, usual: AlphaBetaSettings, scored: bool) -> AlphaBetaSettings:
        """Return settings of a game's search with these changes; scored -- whether rules or a policy score the moves.

        Raises GotoolsError for what the game or the scores do not allow.
        """
        if self.extensions and game.threatened is None:
            raise GotoolsError(f"--extensions: {game.name} has no threats, such as a check or an atari")
        if not scored and self.scores:
            raise GotoolsError("--width and --penalty need what scores moves: rules, or values with a policy (--eval)")
        given = self.given
        if self.selective is not None:
            given = {"extensions": type(usual).of(game, selective=self.selective).extensions, **given}
        return replace(usual, **given)

    def where(self, game: Game, usual: AlphaBetaSettings, scored: bool) -> AlphaBetaSettings:
        """Return settings with these changes, without those that need scores where nothing scores the moves."""
        return (self if scored else replace(self, widths=None, penalty=None)).settings(game, usual, scored)


USUAL: Final = Selectivity()


@dataclass(frozen=True, kw_only=True)
class PlayerSettings(Settings):
    """A player of any game: the options of `gotools gtp`, and the words of an engine `gotools:depth=4`."""

    rules: str | None = setting(None, "rules.pl, or what compile-patterns made: rules.so; none: no rules.", "FILE")
    evaluation: str | None = setting(
        None,
        "eval.npz of train-eval, for mcts a network with a policy; none: no values; default: the learned values "
        "of the package, used where no rules, values, order or heuristic are given.",
        "FILE",
        "--eval",
    )
    order: str | None = setting(
        None,
        "clusters.tsv of cluster-moves: what alpha-beta tries first. Also captures (go, shogi), centre (connect4).",
        "FILE",
    )
    heuristic: str | None = setting(
        None,
        "What alpha-beta plays by without --eval: area or explicit of go, terminator of abalone.",
        "NAME",
    )
    search: Literal["mcts", "alphabeta"] | None = setting(
        None,
        "mcts: Monte-Carlo tree search, the default with a policy in --eval, in go also without --eval; alphabeta: "
        "the default else, and with an order or a heuristic.",
    )
    level: str | None = setting(
        None,
        "Play like people of a rank, 20k to 3d: moves are drawn from the policy of --eval, those of stronger levels "
        "after a short search.",
        "RANK",
    )
    time: float | None = setting(
        None,
        f"For a move without a clock; {SECONDS:g} without --nodes and --depth.",
        "SECONDS",
        least=0.0,
        most=1e6,
    )
    nodes: int | None = setting(None, "Most positions or playouts for a move.", least=1)
    depth: int | None = setting(None, "Most plies of alpha-beta.", least=1)
    threads: int = setting(
        1,
        "Of alpha-beta, and of Monte-Carlo with a policy; with more than one a seed no longer fixes the moves.",
        least=1,
        most=256,
    )
    keep_tree: bool | None = setting(
        None,
        "Monte-Carlo goes on with what it found for the last move; by default where time alone limits it.",
        None,
        "--keep-tree/--no-keep-tree",
    )
    widths: Sequence[int] | None = like(Selectivity, "widths")
    penalty: float | None = like(Selectivity, "penalty")
    selective: bool | None = like(Selectivity, "selective")
    extensions: int | None = like(Selectivity, "extensions")
    resign: float | None = setting(
        None,
        "Resign when the chance to win is below P for three own moves in a row; never if not given.",
        "P",
        least=0.0,
        most=1.0,
    )
    capture_all_dead: bool = setting(
        False,
        "Every stone on the board counts as alive at the end, as on CGOS: pass only where the board as it stands is "
        "won. kata-set-rules tromp-taylor says the same.",
    )
    digest: str | None = setting(None, "Refuse rules of another digest.", "HEX")
    seed: int = seed_setting()

    def check_game(self, game: Game) -> None:
        """Raise GotoolsError for a setting that a game has no use for."""
        from gotools.game.game import find_game

        for one, trait in TRAITS.items():
            if getattr(self, one) and trait not in game.traits:
                games = [name for name in GAMES if trait in find_game(name).traits]
                raise GotoolsError(f"--{one.replace('_', '-')} is for {', '.join(games)}, not for {game.name}")

    @property
    def seconds(self) -> float | None:
        """Return the seconds for a move without a clock; None: no limit by time."""
        return SECONDS if self.time is self.nodes is self.depth is None else self.time

    @property
    def selectivity(self) -> Selectivity:
        """Return those of alpha-beta's pruning and depth."""
        return self.part(Selectivity)
