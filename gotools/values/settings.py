"""The settings that methods of learning share; those of each method are in values/methods.py.

The names are those of the options and of the files, with `_` for `-`; only `lam` is `lambda` in both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal

from gotools.base.errors import GotoolsError
from gotools.base.settings import Settings, default_of, described, seed_setting, setting
from gotools.game.known import check_game_name
from gotools.game.table import GAME_NAMES, USUAL, USUAL_KOMI

USUAL_GAMES: Final = 10_000
"""Games of a training that limits neither their number nor its time."""
LEARNED: Final = "What is learned"
PLAY: Final = "How the games are played"
TD: Final = "Temporal differences (--method td, tdleaf)"
SPARSE: Final = ("kappa_end", "kappa_games", "chi", "reward_at", "explore", "quiescence")
"""Settings that a file names only where they differ from their defaults."""


def read_alpha(value: str | float | Iterable[float]) -> tuple[float, ...]:
    """Return learning rates: "0.02,0.01", a number, or numbers. Raises GotoolsError."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, Iterable) else [value]
    try:
        return tuple(float(part) for part in parts)
    except (TypeError, ValueError):
        raise GotoolsError("a number, or one for each layer: 0.02,0.01") from None


def read_paths(value: Any) -> tuple[str, ...]:
    """Return the names of one or several files."""
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)


def read_sizes(value: str | int | Iterable[int]) -> tuple[int, ...]:
    """Return board sizes: "9,13", a number, or numbers. Raises GotoolsError."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, Iterable) else [value]
    texts = [str(part).strip() for part in parts]
    if not all(text.isdecimal() and len(text) < 10 for text in texts):
        raise GotoolsError("whole numbers with commas between them: 9,13,9,19")
    return tuple(map(int, texts))


def share(default: float | None, help: str, panel: str, **more: Any) -> Any:
    """Return the field of a number from 0 to 1."""
    return setting(default, help, "X", panel=panel, least=0.0, most=1.0, **more)


@dataclass(frozen=True, kw_only=True)
class TrainingSettings(Settings):
    """What is learned, when the training ends, and how it is measured on the way.

    `None` is the default of the game, the features or the method.
    """

    RUN: ClassVar = ("games", "time", "checkpoint", "referee_games", "referee", "keep")
    """Settings that the weights do not depend on."""

    games: int | None = setting(None, "End after N games.", "N", least=1, shown=f"{USUAL_GAMES:,} without --time")
    time: float | None = setting(None, "End after this time.", "SECONDS", least=0.01)
    checkpoint: int = setting(0, "Games between checkpoints.", "N", least=0, shown="more each time, up to 100,000")
    referee_games: int = setting(100, "Games against each referee at a checkpoint.", "N", least=0)
    referee: tuple[str, ...] = setting(
        (),
        "random, heuristic, heuristic:NAME:DEPTH, plies:DEPTH; may be repeated.",
        "WHO",
        typed=list[str] | None,
        read=read_paths,
        shown="random, heuristic",
    )
    keep: int = setting(
        0, "Keep a copy of the weights every N games, as eval-000010000.npz.", "N", least=0, shown="none"
    )
    game: str = setting(USUAL, "The game.", GAME_NAMES, panel=LEARNED, check=check_game_name)
    size: int | None = setting(None, "Board size.", "N", panel=LEARNED, least=2, most=19, shown="9 for go")
    komi: float | None = setting(
        None, "Komi.", "K", panel=LEARNED, least=-1000.0, most=1000.0, shown=f"{USUAL_KOMI} for go"
    )
    features: str | None = setting(
        None,
        "shapes, planes, thesis8, raw for go, or chosen inputs such as thesis8,-territory,zobrist; raw, lines, pieces "
        "for other games.",
        "NAMES",
        panel=LEARNED,
        shown="shapes or raw",
    )
    network: str | None = setting(
        None,
        "linear, mlp:4, mlp:42,10, mlp:42+bias+sigmoid; of planes conv:4x32: 4 blocks of 32 channels; of pieces mlp:8.",
        "SHAPE",
        panel=LEARNED,
        shown="linear, planes conv:4x32, pieces mlp:8",
    )
    method: Literal["td", "tdleaf", "evolve", "climb", "expert"] | None = setting(
        None,
        "Temporal differences, those of leaves, evolution, hill climbing; expert is the method of --features planes "
        "and pieces.",
        panel=LEARNED,
        shown="td",
    )
    seed: int = seed_setting()
    tuples: str = setting(
        "", "Of --features tuples: their number, and the cells of each.", "NxL", panel=LEARNED, shown="150x8"
    )

    @property
    def wanted(self) -> int | None:
        """Return the number of games that ends the training; None where a time does."""
        return USUAL_GAMES if self.games is None and self.time is None else self.games

    def header(self) -> dict[str, Any]:
        """Return what the weights depend on, by the names of files, without settings that have no effect."""
        found: dict[str, Any] = {}
        for one, about, _ in described(type(self)):
            value = getattr(self, one.name)
            idle = about.needs is not None and not getattr(self, about.needs)
            usual = one.name in SPARSE and value == default_of(one)
            if not (one.name in self.RUN or idle or usual or value in (None, "", ())):
                found[about.key(one.name)] = list(value) if isinstance(value, tuple) else value
        return found


# ---- temporal differences --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rates(Settings):
    """How to learn from the difference between a position's value and the next one's.

    alpha    -- of each layer of the perceptron; the last is also used for further layers
    gamma    -- discount from a position to the next of its chain; the outcome itself is not discounted
    kappa    -- below 0 seeks risk, above 0 avoids it
    schedule -- "decay": alpha * t0 / (t0 + games); "coherence": each weight's rate is multiplied by the agreement of
                its steps so far, 0 to 1 (temporal coherence of Beal and Smith)
    step     -- 2: a position learns from the one after the same side's next move; 1: from the one after the next move
    reward   -- for each event of the game's tally; a value includes the reward of the last move
    cut      -- traces end before a move that was explored
    """

    alpha: tuple[float, ...] = setting(
        (0.02,),
        "Learning rate, or one for each layer: 0.02,0.01.",
        "A[,A]",
        panel=TD,
        typed=str | None,
        read=read_alpha,
        shown="0.02",
    )
    gamma: float = share(1.0, "Discount.", TD)
    lam: float = setting(0.7, "Lambda, the decay of traces.", "X", "--lambda", panel=TD, least=0.0, most=1.0)
    kappa: float = setting(0.0, "Risk: -1 seeks it, 1 avoids it.", "X", panel=TD, least=-1.0, most=1.0)
    schedule: Literal["fixed", "decay", "coherence"] = setting("fixed", "Course of the learning rate.", panel=TD)
    t0: float = setting(
        10_000.0,
        "Games after which --schedule decay halves the rates.",
        "N",
        panel=TD,
        least=1.0,
        only={"schedule": ("decay",)},
    )
    step: int = setting(2, "Plies to the position learned from.", "1|2", panel=TD, least=1, most=2)
    cut: bool = setting(False, "Learn nothing across random moves.", panel=TD)
    reward: float = setting(0.0, "For each prisoner of go, each marble of abalone.", "X", panel=TD)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.alpha or not all(0 <= alpha < math.inf for alpha in self.alpha):
            raise GotoolsError(f"learning rates are numbers of at least 0, one or more, not {self.alpha}")
        if self.step == 1 and self.kappa != 0:
            raise GotoolsError("a sense of risk (kappa) needs step 2: each side has its own risks")

    @property
    def coherent(self) -> bool:
        """Return whether the rates follow temporal coherence."""
        return self.schedule == "coherence"

    @property
    def decays(self) -> bool:
        """Return whether the rates fall with the number of games."""
        return self.schedule == "decay"

    def alpha_after(self, games: int) -> float:
        """Return the learning rate after a number of games, of a learner with one layer."""
        return self.alpha[0] * (self.t0 / (self.t0 + games)) if self.decays else self.alpha[0]


@dataclass(frozen=True)
class NetworkRates(Rates):
    """How a perceptron learns.

    chi       -- "linear": differences weigh 1 - kappa above 0, 1 + kappa below; "logcosh": small ones nearly alike
    reward_at -- "move": events are rewarded with their moves; "end": all of them when the game is over
    """

    kappa_end: float = setting(
        0.0,
        "With --kappa-games: the last value of --kappa.",
        "X",
        panel=TD,
        least=-1.0,
        most=1.0,
        needs="kappa_games",
    )
    kappa_games: int = setting(
        0, "Games over which --kappa goes to --kappa-end, in a straight line; 0: it stays.", "N", panel=TD, least=0
    )
    chi: Literal["linear", "logcosh"] = setting(
        "linear", "Effect of --kappa: on all differences, or less on small ones.", panel=TD
    )
    reward_at: Literal["move", "end"] = setting(
        "move", "When --reward is paid: with the move, or all of it when the game is over.", panel=TD
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kappa_games and self.kappa == self.kappa_end:
            raise GotoolsError(f"kappa changes over some games, but from {self.kappa} to {self.kappa_end}")
        if self.step == 1 and self.kappa_end != 0:
            raise GotoolsError("a sense of risk (kappa) needs step 2: each side has its own risks")


@dataclass(frozen=True, kw_only=True)
class Playing(Settings):
    """How games are played to learn from by temporal differences."""

    epsilon: float = share(0.1, "Share of random moves.", PLAY)
    epsilon_decay: float = share(1.0, "Factor of --epsilon after each game.", PLAY)
    epsilon_end: float = share(0.0, "Least value of --epsilon.", PLAY)
    temperature: float = setting(0.0, "Draw moves by exp(value / X); 0 plays the best.", "X", panel=PLAY, least=0.0)
    opponent: str = setting(
        "self",
        "self, random, heuristic, heuristic:NAME:DEPTH, gtp:COMMAND, mix:self=2,random=1.",
        "WHO",
        panel=PLAY,
    )
    program: str | None = setting(None, "The GTP program that gtp=1 in a mix stands for.", "COMMAND", panel=PLAY)
    dilution: float = share(0.0, "Share of the opponent's moves that are random.", PLAY)
    opening: int = setting(0, "Random moves at the start of each game.", "N", panel=PLAY, least=0, most=100)
    batch: int = setting(
        16, "Games played with the same weights; of planes, positions of a step.", "N", panel=TD, least=1, most=65536
    )
    start: str | None = setting(
        None, "Begin with these weights, eval.npz; default: those of the package.", "FILE", panel=TD
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_exploration(self.epsilon, self.epsilon_end, self.epsilon_decay)

    def epsilon_after(self, games: int) -> float:
        """Return the share of random moves after a number of games."""
        return max(self.epsilon_end, self.epsilon * self.epsilon_decay**games)


def check_exploration(first: float, end: float, decay: float = 1.0) -> None:
    """Raise GotoolsError for a share of random moves that would grow, or a factor of 0."""
    if end > first or not decay:
        raise GotoolsError("exploration goes from a share of at most 1 down to one of at least 0, by a factor to 1")
