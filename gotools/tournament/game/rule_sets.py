"""The rules a tournament is played by, by the names that KataGo and KGS give them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, Final

SCORINGS: Final = ("area", "territory")
KOS: Final = ("simple", "positional", "situational")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What is legal and what counts.

    ko -- simple: the stone just taken may not be taken back, and a position seen for the third time ends the game
          without a result; positional: no position may come twice; situational: none with the same side to move
    """

    name: str
    scoring: str
    ko: str
    suicide: bool

    def identity(self) -> dict[str, Any]:
        """Return the rules as values of JSON."""
        return {"name": self.name, "scoring": self.scoring, "ko": self.ko, "suicide": self.suicide}


_SETS: Final = {
    "chinese": RuleSet("chinese", "area", "simple", False),
    "chinese-kgs": RuleSet("chinese-kgs", "area", "positional", False),
    "japanese": RuleSet("japanese", "territory", "simple", False),
    "tromp-taylor": RuleSet("tromp-taylor", "area", "positional", True),
    "aga": RuleSet("aga", "area", "situational", False),
    "new-zealand": RuleSet("new-zealand", "area", "situational", True),
}
RULE_SETS: Final = tuple(_SETS)
"""Their names."""
_KGS_NAMES: Final = {"chinese": "chinese", "japanese": "japanese", "aga": "aga", "new-zealand": "new_zealand"}


def kata_rules(rules: RuleSet, handicap: int) -> str:
    """Return rules as kata-set-rules takes them: by name, or as JSON where the name would say something else.

    Names mean points for handicap stones, which a tournament does not give.
    """
    if rules == _SETS[rules.name] and not handicap:
        return rules.name
    told = {"ko": rules.ko.upper(), "scoring": rules.scoring.upper(), "suicide": rules.suicide, "hasButton": False}
    told |= {"tax": "NONE" if rules.scoring == "area" else "SEKI", "whiteHandicapBonus": "0", "friendlyPassOk": False}
    return json.dumps(told, separators=(",", ":"))


def kgs_rules(rules: RuleSet) -> str | None:
    """Return rules as kgs-rules takes them; None for those that it has no name for."""
    return _KGS_NAMES.get(rules.name) if rules == _SETS[rules.name] else None


def rule_set(
    name: str = "chinese", scoring: str | None = None, ko: str | None = None, suicide: bool | None = None
) -> RuleSet:
    """Return the rules of a name of RULE_SETS, with single ones changed, to one of SCORINGS, of KOS."""
    changes = {"scoring": scoring, "ko": ko, "suicide": suicide}
    return replace(_SETS[name], **{key: value for key, value in changes.items() if value is not None})  # type: ignore[arg-type]
