"""The rules of a tournament, under the names of KataGo and KGS."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

SCORINGS: Final = ("area", "territory")
KOS: Final = ("simple", "positional", "situational")


@dataclass(frozen=True, slots=True)
class GameRules:
    """Legality and scoring.

    ko -- simple: a ko may not be retaken at once, and the third occurrence of a position ends the game
          without a result; positional: no position may occur twice; situational: none with the same side to move
    """

    name: str
    scoring: str
    ko: str
    suicide: bool

    def identity(self) -> dict[str, Any]:
        """Return the rules as values of JSON."""
        return {"name": self.name, "scoring": self.scoring, "ko": self.ko, "suicide": self.suicide}


_SETS: Final = {
    "chinese": GameRules("chinese", "area", "simple", False),
    "chinese-kgs": GameRules("chinese-kgs", "area", "positional", False),
    "japanese": GameRules("japanese", "territory", "simple", False),
    "tromp-taylor": GameRules("tromp-taylor", "area", "positional", True),
    "aga": GameRules("aga", "area", "situational", False),
    "new-zealand": GameRules("new-zealand", "area", "situational", True),
}
RULE_SETS: Final = tuple(_SETS)
"""Their names."""
_KGS_NAMES: Final = {"chinese": "chinese", "japanese": "japanese", "aga": "aga", "new-zealand": "new_zealand"}


def kata_rules(rules: GameRules, handicap: int, dead: bool) -> str:
    """Return rules as kata-set-rules takes them: by name, or as JSON if the name would mean something else.

    Names imply points for handicap stones, which a tournament does not give, and mostly that dead stones are taken off.

    dead -- whether dead stones are taken off before the count
    """
    if rules == _SETS[rules.name] and not handicap and (dead or rules.name == "tromp-taylor"):
        return rules.name
    values = {"ko": rules.ko.upper(), "scoring": rules.scoring.upper(), "suicide": rules.suicide, "hasButton": False}
    values |= {"tax": "NONE" if rules.scoring == "area" else "SEKI", "whiteHandicapBonus": "0", "friendlyPassOk": dead}
    return json.dumps(values, separators=(",", ":"))


def kgs_rules(rules: GameRules) -> str | None:
    """Return rules as kgs-rules takes them; None for those without a name there."""
    return _KGS_NAMES.get(rules.name) if rules == _SETS[rules.name] else None


def rule_set(
    name: str = "chinese", scoring: str | None = None, ko: str | None = None, suicide: bool | None = None
) -> GameRules:
    """Return the rules named in RULE_SETS, with optional changes to a value of SCORINGS, of KOS."""
    changes = {"scoring": scoring, "ko": ko, "suicide": suicide}
    return replace(_SETS[name], **{key: value for key, value in changes.items() if value is not None})  # type: ignore[arg-type]
