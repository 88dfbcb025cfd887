"""Rule sets of Go: legality, scoring and dead stones, under the names of KataGo, of KGS, and of game records."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Final

from gotools.base.errors import GotoolsError, nearest, shown, wrong_word
from gotools.files.settings_file import check_keys

SCORINGS: Final = ("area", "territory")
KOS: Final = ("simple", "positional", "situational")
_TAX: Final = {"area": "NONE", "territory": "SEKI"}
"""Eyes in seki count as area, not as territory."""
_SUICIDE: Final = re.compile(
    r"\b(nz|new[ _-]?zealand|ing|goe|tromp[ _/-]*taylor)\b|[应應応]氏|新西兰|紐西蘭|ニュージーランド"
    r'|sui1|suicide(legal)?"?\s*[:=]\s*true',
    re.IGNORECASE,
)  # KataGo writes sui1, or "suicide":true


@dataclass(frozen=True, slots=True)
class GameRules:
    """Legality and scoring.

    ko -- simple: a ko may not be retaken at once, and the third occurrence of a position ends the game
          without a result; positional: no position may occur twice; situational: none with the same side to move
    friendly -- dead stones are taken off before the count, so that a player may pass while they are on the board
    """

    name: str
    scoring: str
    ko: str
    suicide: bool
    friendly: bool = True

    def identity(self) -> dict[str, Any]:
        """Return legality and scoring as values of JSON."""
        return {"name": self.name, "scoring": self.scoring, "ko": self.ko, "suicide": self.suicide}

    def as_json(self) -> str:
        """Write the rules as `kata-get-rules` does; no points for handicap stones."""
        values = {
            "ko": self.ko.upper(),
            "scoring": self.scoring.upper(),
            "suicide": self.suicide,
            "tax": _TAX[self.scoring],
            "hasButton": False,
            "whiteHandicapBonus": "0",
            "friendlyPassOk": self.friendly,
        }
        return json.dumps(values, separators=(",", ":"))

    def text(self, handicap: int = 0) -> str:
        """Write the rules as `kata-set-rules` takes them: the name, or JSON where the name would mean something else.

        Names imply points for handicap stones, which are not given here.
        """
        return self.name if self == _SETS[self.name] and not handicap else self.as_json()

    def kgs_name(self) -> str | None:
        """Return the name that `kgs-rules` takes; None for rules without one."""
        return _KGS_NAMES.get(self.name) if self == _SETS[self.name] else None


_SETS: Final = {
    "chinese": GameRules("chinese", "area", "simple", False),
    "chinese-kgs": GameRules("chinese-kgs", "area", "positional", False),
    "japanese": GameRules("japanese", "territory", "simple", False),
    "tromp-taylor": GameRules("tromp-taylor", "area", "positional", True, friendly=False),
    "aga": GameRules("aga", "area", "situational", False),
    "new-zealand": GameRules("new-zealand", "area", "situational", True),
}
_OTHER_NAMES: Final = {"chinese-ogs": "chinese-kgs", "korean": "japanese", "bga": "aga", "french": "aga"}
RULE_SETS: Final = (*_SETS, *_OTHER_NAMES)
"""The names that are understood."""
_KGS_NAMES: Final = {"chinese": "chinese", "japanese": "japanese", "aga": "aga", "new-zealand": "new_zealand"}
_KEYS: Final = {
    "koRule": "ko",
    "scoringRule": "scoring",
    "taxRule": "tax",
    "multiStoneSuicideLegal": "suicide",
}
"""The keys of KataGo's configuration files, which controllers send too."""
_PLAYED: Final[dict[str, tuple[Any, ...]]] = {
    "ko": tuple(map(str.upper, KOS)),
    "scoring": tuple(map(str.upper, SCORINGS)),
    "suicide": (False, True),
    "tax": tuple(_TAX.values()),
    "hasButton": (False,),
    "whiteHandicapBonus": ("0", "N-1", "N"),
    "friendlyPassOk": (False, True),
}
"""Values that JSON may have. Points for handicap stones are left to the controller's own count and komi."""


def rule_set(
    name: str = "chinese", scoring: str | None = None, ko: str | None = None, suicide: bool | None = None
) -> GameRules:
    """Return the rules named in RULE_SETS, with optional changes to a value of SCORINGS, of KOS."""
    changes = {"scoring": scoring, "ko": ko, "suicide": suicide}
    named = _SETS[_OTHER_NAMES.get(name, name)]
    return replace(named, **{key: value for key, value in changes.items() if value is not None})  # type: ignore[arg-type]


def read_setting(value: str | dict[str, Any]) -> GameRules:
    """Read a name, or a table with name, scoring, ko, suicide. Raises ValueError, ConfigError."""
    table = {"name": value} if isinstance(value, str) else value
    words = {"name": RULE_SETS, "scoring": SCORINGS, "ko": KOS}
    check_keys(table, [*words, "suicide"], "rules: ")
    for key, one in table.items():
        if key in words and (fault := wrong_word(one, words[key])):
            raise ValueError(f"{key}: {fault}")
    if not isinstance(table.get("suicide", True), bool):
        raise ValueError(f"suicide: {shown(repr(table['suicide']))} is neither true nor false")
    return rule_set(**table)


def read_rules(text: str) -> GameRules:
    """Read a name, or JSON as `kata-get-rules` writes it. Raises GotoolsError for rules that cannot be played.

    Source: KataGo, docs/GTP_Extensions.md.
    """
    if text.startswith("{"):
        return _read_json(text)
    name = text.lower().replace("_", "-")
    if name not in RULE_SETS:
        raise GotoolsError(f"only these rules are known: {', '.join(RULE_SETS)}, or JSON")
    return rule_set(name)


def _read_json(text: str) -> GameRules:
    """Read JSON; what it leaves out is as KataGo documents it, without suicide.

    Raises GotoolsError unless all that it asks for can be played.
    """
    try:
        wishes = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GotoolsError(f"syntax error: the rules are not JSON: {error}") from None
    asked = dict[str, Any]()
    for key, value in wishes.items():
        name = _KEYS.get(key, key)
        if name not in _PLAYED:
            raise GotoolsError(f"syntax error: there is no rule {key[:40]!r}{nearest(key, list(_PLAYED))}")
        wish = value.upper() if isinstance(value, str) else value
        if not any(wish is one or (isinstance(wish, str) and wish == one) for one in _PLAYED[name]):
            known = ", ".join(one if isinstance(one, str) else json.dumps(one) for one in _PLAYED[name])
            raise GotoolsError(f"{name} {json.dumps(value)[:40]} is not played here; {known} is")
        asked[name] = wish
    scoring, ko = asked.get("scoring", "AREA").lower(), asked.get("ko", "POSITIONAL").lower()
    if asked.get("tax", _TAX[scoring]) != _TAX[scoring]:
        raise GotoolsError(f"tax {asked['tax']} with scoring {scoring.upper()} is not played here; {_TAX[scoring]} is")
    rules = rule_set("chinese-kgs", scoring, ko, asked.get("suicide"))
    return replace(rules, friendly=asked.get("friendlyPassOk", scoring == "territory"))


def allows_suicide(rules: str) -> bool:
    """Return whether a record's rule set allows suicide: New Zealand, Ing (Goe), Tromp-Taylor, KataGo's sui1."""
    return bool(rules) and _SUICIDE.search(rules) is not None
