"""The settings of a training by each method: `FAMILIES`; and those of all together, `AnyTraining`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, make_dataclass, replace
from typing import Any, ClassVar, Final, Literal

from gotools.base.errors import GotoolsError
from gotools.base.settings import ABOUT, Settings, default_of, described, like, setting
from gotools.values.settings import (
    PLAY,
    TD,
    NetworkRates,
    Playing,
    Rates,
    TrainingSettings,
    check_exploration,
    read_paths,
    read_sizes,
    share,
)

PLANES: Final = "Networks with a policy (--features planes)"
SEARCHED: Final = "Games of a search (--features pieces)"
GUIDED: Final = "Rules that guide the learner (--method td, --features shapes)"
EVOLUTION: Final = "Evolution (--method evolve)"
CLIMBING: Final = "Hill climbing (--method climb)"


@dataclass(frozen=True, kw_only=True)
class PerceptronSettings(Playing, NetworkRates, TrainingSettings):
    """Temporal differences of a perceptron."""


@dataclass(frozen=True, kw_only=True)
class OnePlySettings(PerceptronSettings):
    """Temporal differences of a perceptron that looks one ply ahead."""

    explore: Literal["random", "counter"] = setting(
        "random", "Explored moves are random, or lead to positions unlike those seen lately.", panel=PLAY
    )


@dataclass(frozen=True, kw_only=True)
class LeafSettings(PerceptronSettings):
    """Temporal differences of the leaves of a search."""

    depth: int = setting(2, "Plies of search.", "N", panel=PLAY, least=1, most=8)
    quiescence: int = setting(
        0, "Plies of captures and the like that are searched beyond --depth.", "N", panel=PLAY, least=0, most=8
    )


@dataclass(frozen=True, kw_only=True)
class ShapeSettings(Playing, Rates, TrainingSettings):
    """Temporal differences of local patterns, perhaps guided by rules."""

    WITHOUT_COHERENCE: ClassVar = {"alpha": (0.03,), "lam": 0.0}
    """Defaults for another schedule."""

    alpha: tuple[float, ...] = like(Rates, "alpha", (1.0,))
    lam: float = like(Rates, "lam", 0.5)
    schedule: Literal["fixed", "decay", "coherence"] = like(Rates, "schedule", "coherence")
    batch: int = like(Playing, "batch", 64)
    rules: str | None = setting(None, "Look only at the best moves of these rules, rules.so.", "FILE", panel=GUIDED)
    width: int = setting(6, "With --rules: the number of moves.", "N", panel=GUIDED, least=1, most=361, needs="rules")
    penalty: float = share(0.05, "With --rules: value of a unit of score below the best.", GUIDED, needs="rules")


@dataclass(frozen=True, kw_only=True)
class TupleSettings(TrainingSettings):
    """Temporal differences of n-tuples, from position to position."""

    tuples: str = like(TrainingSettings, "tuples", "150x8")
    alpha: tuple[float, ...] = like(Rates, "alpha", (3.0,))
    lam: float = like(Rates, "lam", 0.6)
    schedule: Literal["fixed", "decay", "coherence"] = like(Rates, "schedule", "coherence")
    t0: float = like(Rates, "t0")
    anneal: int = setting(
        3_000_000,
        "Of tuples: games over which exploration falls to its end, the rate to a fifth; of planes and pieces: the "
        "rate to 0. 0: neither falls.",
        "N",
        panel=TD,
        least=0,
    )
    siblings: float = share(0.0, "Share of the positions whose other moves are learned from too.", TD)
    epsilon: float = like(Playing, "epsilon")
    epsilon_end: float = like(Playing, "epsilon_end", 0.01)
    temperature: float = like(Playing, "temperature")
    opponent: str = like(Playing, "opponent")
    program: str | None = like(Playing, "program")
    dilution: float = like(Playing, "dilution")
    opening: int = like(Playing, "opening")
    batch: int = like(Playing, "batch", 64)
    start: str | None = like(Playing, "start")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_exploration(self.epsilon, self.epsilon_end)

    def epsilon_after(self, games: int) -> float:
        """Return the share of random moves after a number of games."""
        if not self.anneal:
            return max(self.epsilon_end, self.epsilon)
        return self.epsilon + (self.epsilon_end - self.epsilon) * min(games / self.anneal, 1.0)


# ---- networks with a policy ------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PlanesSettings(TrainingSettings):
    """Networks over planes, which learn from records, from a search that they guide, or from a teacher."""

    referee_games: int = like(TrainingSettings, "referee_games", 0)
    records: tuple[str, ...] = setting(
        (),
        "Games to learn from (.sgf, archives, folders); may be repeated.",
        "PATH",
        panel=PLANES,
        typed=list[str] | None,
        read=read_paths,
        shown="",
    )
    self_play: float | None = share(
        None,
        "Share of the positions that are of games against itself.",
        PLANES,
        shown="1, with --records 0",
    )
    alpha: tuple[float, ...] = like(Rates, "alpha", (0.004,))
    batch: int = like(Playing, "batch", 256)
    anneal: int | None = like(TupleSettings, "anneal", None, "--games")
    start: str | None = like(Playing, "start")
    teacher: str | None = setting(
        None,
        "A GTP program that analyses the positions (kata-analyze, lz-analyze) in place of our search.",
        "COMMAND",
        panel=PLANES,
        needs="self_play",
    )
    sizes: tuple[int, ...] = setting(
        (),
        "Board sizes of games against itself: 16 games on each in turn, as 9,13,9,19.",
        "N,...",
        panel=PLANES,
        typed=str | None,
        read=read_sizes,
        shown="--size",
        needs="self_play",
    )
    playouts: int = setting(
        128, "Of the searches that are learned from.", "N", panel=PLANES, least=1, most=100_000, needs="self_play"
    )
    window: int = setting(
        10_000, "Latest games that are learned from.", "N", panel=PLANES, least=1, most=30_000, needs="self_play"
    )
    reuse: float = setting(
        8.0, "Times that a position is learned from.", "X", panel=PLANES, least=0.01, most=100.0, needs="self_play"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.alpha) != 1:
            raise GotoolsError("a network over planes has one learning rate: --alpha 0.004")


@dataclass(frozen=True, kw_only=True)
class PieceSettings(TrainingSettings):
    """Networks over pieces, which learn from games of a search that they value positions for."""

    referee_games: int = like(TrainingSettings, "referee_games", 0)
    alpha: tuple[float, ...] = like(Rates, "alpha", (0.01,))
    lam: float = like(Rates, "lam", 0.5)
    anneal: int | None = like(TupleSettings, "anneal", None, "--games")
    start: str | None = like(Playing, "start")
    opening: int = like(Playing, "opening", 12)
    window: int = like(PlanesSettings, "window", 6_000, needs=None, panel=SEARCHED)
    reuse: float = like(PlanesSettings, "reuse", 4.0, needs=None, panel=SEARCHED)
    nodes: int = setting(1500, "Positions of the search for a move.", "N", panel=SEARCHED, least=1, most=1_000_000)
    heuristic_games: int = setting(
        2000, "First games, played by the built-in evaluation.", "N", panel=SEARCHED, least=0
    )
    sure: float = share(0.95, "A game ends when the searches of both sides value it above X.", SEARCHED)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.alpha) != 1:
            raise GotoolsError("a network over pieces has one learning rate: --alpha 0.01")


# ---- populations -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class EvolutionSettings(TrainingSettings):
    """How a population is bred and evaluated.

    matches      -- against others of the pool: none twice before all of them once
    mutation     -- standard deviation of the logarithm of a step size's change
    spread       -- first weights are drawn alike from [-spread, spread]
    largest_step -- 0: no limit, as in the sources. Step sizes wander by e to the mutation sqrt(generations), and among
                    a thousand of them some by four times the exponent
    opening      -- two individuals then do not play the same game again and again
    dilution     -- the opponent is not the individual whose game it is
    children_of  -- "one": each child is a parent changed, and the champion is one parent; "mean": each child is the
                    mean of all parents changed, and the champion is that mean, averaged over the last generations
    credit       -- "own": a game counts for the individual whose game it is; "both": for its opponent, too
    memory       -- 0: each generation judges anew; 1: by all games of a life
    """

    parents: int = setting(15, "Individuals that live on.", "N", panel=EVOLUTION, least=2, most=200)
    matches: int = setting(
        15, "Games of each individual; climb: of a mutant.", "N", panel=EVOLUTION, least=1, most=10_000
    )
    mutation: float = setting(0.2, "How much step sizes change.", "X", panel=EVOLUTION, least=0.0)
    win: float = setting(1.0, "Points for a victory.", "X", panel=EVOLUTION)
    draw: float = setting(0.0, "Points for a draw.", "X", panel=EVOLUTION)
    loss: float = setting(-2.0, "Points for a loss.", "X", panel=EVOLUTION)
    depth: int = like(LeafSettings, "depth")
    spread: float = setting(0.2, "Bound of the first weights.", "X", panel=EVOLUTION, least=0.0)
    first_step: float = setting(0.1, "First step size.", "X", panel=EVOLUTION, least=0.0)
    largest_step: float = setting(0.1, "Largest step size; 0: no limit.", "X", panel=EVOLUTION, least=0.0)
    opening: int = like(Playing, "opening", 2)
    dilution: float = like(Playing, "dilution")
    children_of: Literal["mean", "one"] = setting(
        "mean", "A child changes the mean of all parents, or one.", panel=EVOLUTION
    )
    credit: Literal["both", "own"] = setting(
        "both", "A game counts for both players, or for its own one.", panel=EVOLUTION
    )
    memory: float = share(
        0.9, "Share of its points and games that an individual keeps for the next generation.", EVOLUTION
    )
    hall_of_fame: int = setting(
        0, "Earlier champions, in a third of the games; 0: none.", "N", panel=EVOLUTION, least=0, most=1000
    )
    trials: int = setting(
        3,
        "With --children-of one: games of parents, first and second, that choose the best.",
        "N",
        panel=EVOLUTION,
        least=1,
        most=1000,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.first_step:
            raise GotoolsError("the first step size has to be above 0")


@dataclass(frozen=True, kw_only=True)
class ClimbingSettings(TrainingSettings):
    """How a champion is challenged by a mutant; they play first in turn, and the mutant has to win more than half.

    epsilon -- of both: perceptrons that always play their best play few different games
    """

    sigma: float = setting(0.1, "Size of a mutation.", "X", panel=CLIMBING, least=0.0)
    matches: int = like(EvolutionSettings, "matches", 4)
    rate: float = share(0.05, "Part of the way to a better mutant.", CLIMBING)
    epsilon: float = like(Playing, "epsilon", 0.05)
    depth: int = like(LeafSettings, "depth", 1)
    spread: float = like(EvolutionSettings, "spread", 0.0)
    opening: int = like(Playing, "opening")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.sigma and self.rate):
            raise GotoolsError("sigma and the rate have to be above 0")


FAMILIES: Final[dict[str, type[TrainingSettings]]] = {
    "td": OnePlySettings,
    "tdleaf": LeafSettings,
    "shapes": ShapeSettings,
    "tuples": TupleSettings,
    "planes": PlanesSettings,
    "pieces": PieceSettings,
    "evolve": EvolutionSettings,
    "climb": ClimbingSettings,
}
"""The settings of each method, and of the features that have their own."""
DifferenceSettings = OnePlySettings | LeafSettings | ShapeSettings | TupleSettings


def default_text(name: str, kinds: Iterable[str] = FAMILIES) -> str:
    """Return the default of a setting for help: "0.02, shapes 1": the first, then those that differ from it."""
    texts: dict[str, str] = {}
    for family in kinds:
        for one, about, _ in described(FAMILIES[family]):
            if one.name == name:
                texts[family] = about.shown if about.shown is not None else value_text(default_of(one))
    first = next(iter(texts.values()))
    others = [f"{family} {text}" for family, text in texts.items() if text not in (first, "")]
    return ", ".join([first, *others])


def value_text(value: Any) -> str:
    """Return a value for people: "0.02,0.01", "10,000"; "" for None and a flag that is off."""
    if isinstance(value, tuple):
        return ",".join(map(value_text, value))
    if value is None or value is False:
        return ""
    return value if isinstance(value, str) else f"{value:,.15g}"


def _any_method() -> type[Settings]:
    """Return a class with the settings of all methods, each None unless it is given."""
    known: dict[str, Any] = {}
    for kind in FAMILIES.values():
        for one, about, type_ in described(kind):
            loose = replace(about, shown=default_text(one.name), only={}, needs=None)
            given = type_ | float | list | None if about.read is not None else type_ | None
            known.setdefault(one.name, (one.name, given, field(default=None, metadata={ABOUT: loose})))
    return make_dataclass("AnyTraining", known.values(), bases=(Settings,), frozen=True, kw_only=True)


AnyTraining: Final = _any_method()
"""The settings of all methods, as an option or a keyword gives them."""
