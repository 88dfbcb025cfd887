"""The settings of each method and their defaults: the one place where they stand. Imports nothing.

Names are those of options, with `_` for `-`; `lambda` is --lambda.
"""

from __future__ import annotations

from typing import Final

Setting = str | int | float | bool | list[float]

GAMES: Final = 10_000
"""Games of a training that names neither a number nor a time."""
REFEREE_GAMES: Final = 100
"""Games against each referee at a checkpoint."""
KOMI: Final = 7.5
NETWORK: Final = "linear"
CONV: Final = "conv:4x32"
"""The network of --features planes."""
METHOD: Final = "td"
TD: Final[dict[str, Setting]] = {
    "alpha": [0.02],
    "gamma": 1.0,
    "lambda": 0.7,
    "kappa": 0.0,
    "schedule": "fixed",
    "t0": 10_000.0,
    "step": 2,
    "cut": False,
    "reward": 0.0,
    "epsilon": 0.1,
    "epsilon_decay": 1.0,
    "epsilon_end": 0.0,
    "temperature": 0.0,
    "opponent": "self",
    "program": "",
    "dilution": 0.0,
    "opening": 0,
    "batch": 16,
    "start": "",
}
RISK: Final[dict[str, Setting]] = {"kappa_end": 0.0, "kappa_games": 0, "chi": "linear", "reward_at": "move"}
"""Added to those of td, for networks. Like EXPLORE in a file only where used: earlier versions had neither."""
EXPLORE: Final[dict[str, Setting]] = {"explore": "random"}
"""Added to those of td, for networks without a search."""
TDLEAF: Final[dict[str, Setting]] = {"depth": 2, "quiescence": 0}
"""Added to those of td; quiescence is like EXPLORE in a file only where used."""
GUIDE: Final[dict[str, Setting]] = {"rules": "", "width": 6, "penalty": 0.05}
SHAPES_TD: Final[dict[str, Setting]] = {
    **TD,
    "alpha": [1.0],
    "lambda": 0.5,
    "schedule": "coherence",
    "batch": 64,
    **GUIDE,
}
SHAPES_WITHOUT_COHERENCE: Final[dict[str, Setting]] = {"alpha": [0.03], "lambda": 0.0}
"""What replaces the rates of SHAPES_TD for another schedule."""
TUPLES: Final = "150x8"
"""How many n-tuples, and how long."""
TUPLES_TD: Final[dict[str, Setting]] = {
    "alpha": [3.0],
    "lambda": 0.6,
    "schedule": "coherence",
    "t0": 10_000.0,
    "anneal": 3_000_000,
    "siblings": 0.0,
    "epsilon": 0.1,
    "epsilon_end": 0.01,
    "temperature": 0.0,
    "opponent": "self",
    "program": "",
    "dilution": 0.0,
    "opening": 0,
    "batch": 64,
    "start": "",
}
EXPERTS: Final[dict[str, Setting]] = {
    "records": "",
    "self_play": 1.0,
    "alpha": [0.004],
    "batch": 256,
    "anneal": 0,
    "start": "",
}
"""Of --features planes; with records, self_play is 0."""
SELF_PLAY: Final[dict[str, Setting]] = {"teacher": "", "playouts": 128, "window": 10_000, "reuse": 8.0}
"""Added to those where self_play is not 0."""
EVOLVE: Final[dict[str, Setting]] = {
    "parents": 15,
    "matches": 15,
    "mutation": 0.2,
    "win": 1.0,
    "draw": 0.0,
    "loss": -2.0,
    "depth": 2,
    "spread": 0.2,
    "first_step": 0.1,
    "largest_step": 0.1,
    "opening": 2,
    "dilution": 0.0,
    "children_of": "mean",
    "credit": "both",
    "memory": 0.9,
    "hall_of_fame": 0,
    "trials": 3,
}
CLIMB: Final[dict[str, Setting]] = {
    "sigma": 0.1,
    "matches": 4,
    "rate": 0.05,
    "epsilon": 0.05,
    "depth": 1,
    "spread": 0.0,
    "opening": 0,
}
_TABLES: Final = (
    ("", TD),
    ("shapes", SHAPES_TD),
    ("tuples", TUPLES_TD),
    ("planes", EXPERTS),
    ("", SELF_PLAY),
    ("", RISK),
    ("", EXPLORE),
    ("", TDLEAF),
    ("evolve", EVOLVE),
    ("climb", CLIMB),
)


def default_text(name: str) -> str:
    """Return the default of a setting for help: "0.02, shapes 1": the first, then those that differ from it."""
    texts: list[str] = []
    for of, table in _TABLES:
        if name in table:
            text = _text(table[name])
            if not texts:
                texts.append(text)
            elif of and text != texts[0]:
                texts.append(f"{of} {text}")
    return ", ".join(texts)


def _text(value: Setting) -> str:
    if isinstance(value, list):
        return ",".join(map(_text, value))
    return value if isinstance(value, str) else f"{value:,.7g}"
