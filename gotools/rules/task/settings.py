"""The settings of an induction of rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from gotools.base.settings import SettingError, Settings, seed_setting, setting, size_setting, strict_setting
from gotools.game.examples.settings import check_strength, wanted_negatives

MOST_RULES, LARGE_BOARDS, MOST_RULES_OF_LARGE_BOARDS = 1000, 14, 3000
"""The most rules that rank, by default: on boards with fewer lines than the second number, and on others."""
POSITIVES: Final = 1500
"""Moves to learn covering rules from by default."""
_COVER: Final = {"objective": ("cover",)}
_RANK: Final = {"objective": ("rank",)}


def _read_positives(text: str) -> int | Literal["all"]:
    from gotools.rules.task.sampling import parse_positives

    return parse_positives(text) or "all"


def _check_noise(text: str) -> None:
    from gotools.rules.task.sampling import allowed_noise

    allowed_noise(text, 0)


def _check_memory(text: str) -> None:
    from gotools.base.memory import parse_memory

    parse_memory(text)


@dataclass(frozen=True, kw_only=True)
class InductionSettings(Settings):
    """How rules are induced, from which moves of the games or examples.

    `objective`: to cover the moves played, or to rank all legal moves together.
    """

    objective: Literal["cover", "rank"] = setting(
        "cover", "cover: few rules, each covering many moves (the thesis); rank: rules that predict moves together."
    )
    vocabulary: Literal["basic", "advanced", "full", "groups"] | None = setting(
        None,
        "Predicates: basic or advanced (experiments A and B of the thesis), full, or groups (full, and linked "
        "chains and groups). Default: advanced; full for --objective rank.",
    )
    without: str = setting("", "Predicates to leave out, as liberty.", "NAME,...")
    modes: str | None = setting(
        None,
        "Which literals rules may use, how often, and constraints; in place of --vocabulary.",
        "FILE",
        only=_COVER,
    )
    background: str | None = setting(None, "Predicates of your own, in Prolog (needs SWI-Prolog).", "FILE", only=_COVER)
    positives: int | Literal["all"] | None = setting(
        None,
        "The number of moves to learn from, drawn at random, or all in order. Default: "
        f"{POSITIVES}; with --objective rank all.",
        "N|all",
        typed=str | None,
        read=_read_positives,
        least=1,
    )
    weights: Literal["coverage", "regression"] | None = setting(
        None,
        "Weight of a rule: coverage (P - N, scaled; the default for cover) or regression (logistic, over the "
        "legal moves of each position).",
    )
    max_rules: int | None = setting(
        None,
        f"Most rules of --objective rank. Default: {MOST_RULES}; "
        f"{MOST_RULES_OF_LARGE_BOARDS} for boards of {LARGE_BOARDS} lines or more.",
        least=1,
        most=9000,
        only=_RANK,
    )
    memory: str = setting(
        "2GiB", "Most memory of --objective rank, as 800M or 4GiB.", "SIZE", check=_check_memory, only=_RANK
    )
    negatives: str = setting(
        "",
        "Counter-examples: random, suicide, unplayed, weak. Default: those of the examples file, or as many "
        "unplayed moves as there are positives.",
        "SOURCE[=N],...",
        check=wanted_negatives,
        only=_COVER,
    )
    engine: str | None = setting(None, "GTP opponent for --negatives random=N.", "COMMAND", only=_COVER)
    weak_below: str | float = setting(
        "10k",
        "Source weak: moves of losers below this rank.",
        "RANK",
        typed=str,
        check=check_strength,
        only=_COVER,
    )
    noise: str = setting(
        "15%",
        "Negatives that a rule may cover: a number, or a share of them.",
        "N|P%",
        check=_check_noise,
        only=_COVER,
    )
    nodes: int = setting(5000, "Clauses to try for one seed.", least=1, most=10_000_000, only=_COVER)
    min_body: int = setting(3, "Fewest conditions of a rule.", least=1, most=16, only=_COVER)
    max_body: int = setting(15, "Most conditions of a rule.", least=1, most=16, only=_COVER)
    depth: int = setting(10, "Steps from the move to what a rule may speak of.", least=1, most=99, only=_COVER)
    score: Literal["coverage", "compression", "entropy", "laplace", "posonly"] = setting(
        "coverage", "Which clause is better: coverage is P - N.", only=_COVER
    )
    search: Literal["breadth", "best", "beam", "depth", "random"] = setting(
        "breadth", "Which clause to refine next; breadth is the thesis', random goes by --seed.", only=_COVER
    )
    beam_width: int = setting(200, "Clauses of a length that --search beam refines.", least=1, only=_COVER)
    after_opening: Literal["chain", "stone", "free"] = setting(
        "chain",
        "What a rule without stage(A,open) must have: a chain, or a stone at an offset (the thesis); or free.",
        only=_COVER,
    )
    by: str = setting(
        "",
        "Learn apart for classes of moves: capture, atari, connect, stage.",
        "CLASS,...",
        only=_COVER,
    )
    explain_none: bool = setting(False, "Say why moves have no rule: search with other settings.", only=_COVER)
    size: int | Iterable[int] = size_setting()
    rank_above: str | float | None = setting(
        None, "Only moves of players above this.", "RANK", typed=str | None, check=check_strength
    )
    seed: int = seed_setting()
    strict: bool = strict_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_body > self.max_body:
            raise SettingError("min_body", "is more than {max_body}")
        if self.modes is not None and self.vocabulary is not None:
            raise SettingError("vocabulary", "{modes} says which predicates there are")
        if self.ranks and self.weights == "coverage":
            raise SettingError("weights", "coverage goes with {objective} cover")
        if self.engine is not None and "random" not in self.negatives:
            raise SettingError("engine", "plays the random player of {negatives} random=N")

    @property
    def ranks(self) -> bool:
        """Return whether the rules are for ranking."""
        return self.objective == "rank"


DEFAULT: Final = InductionSettings()
"""The settings of covering rules."""
