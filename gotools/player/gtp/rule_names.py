"""Rules of play as KataGo's `kata-set-rules` takes them: a name, or JSON as `kata-get-rules` writes it.

Source: KataGo, docs/GTP_Extensions.md.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from gotools.errors import GotoolsError, nearest
from gotools.player.gtp.arguments import syntax_error

AREA: Final = "AREA"
TERRITORY: Final = "TERRITORY"
SIMPLE, POSITIONAL, SITUATIONAL = "SIMPLE", "POSITIONAL", "SITUATIONAL"
_TAX: Final = {AREA: "NONE", TERRITORY: "SEKI"}
"""Eyes in seki count as area, not as territory."""


@dataclass(frozen=True, slots=True)
class PlayRules:
    """What is legal, and what counts.

    friendly -- a player may pass while dead stones are on the board: they are taken off before the count
    """

    scoring: str = AREA
    ko: str = POSITIONAL
    suicide: bool = False
    friendly: bool = True

    def written(self) -> str:
        """Return the rules as KataGo writes them."""
        return json.dumps(
            {
                "ko": self.ko,
                "scoring": self.scoring,
                "suicide": self.suicide,
                "tax": _TAX[self.scoring],
                "hasButton": False,
                "whiteHandicapBonus": "0",
                "friendlyPassOk": self.friendly,
            },
            separators=(",", ":"),
        )


NAMES: Final = {
    "chinese": PlayRules(ko=SIMPLE),
    "chinese-kgs": PlayRules(),
    "chinese-ogs": PlayRules(),
    "japanese": PlayRules(TERRITORY, SIMPLE),
    "tromp-taylor": PlayRules(suicide=True, friendly=False),
    "aga": PlayRules(ko=SITUATIONAL),
    "new-zealand": PlayRules(ko=SITUATIONAL, suicide=True),
}
_ALIASES: Final = {
    "koRule": "ko",
    "scoringRule": "scoring",
    "taxRule": "tax",
    "multiStoneSuicideLegal": "suicide",
}
"""The keys of KataGo's configuration files, which controllers send too."""
_TAKEN: Final[dict[str, tuple[Any, ...]]] = {
    "ko": (SIMPLE, POSITIONAL, SITUATIONAL),
    "scoring": (AREA, TERRITORY),
    "suicide": (False, True),
    "tax": ("NONE", "SEKI"),
    "hasButton": (False,),
    "whiteHandicapBonus": ("0", "N-1", "N"),
    "friendlyPassOk": (False, True),
}
"""What a controller may set."""


def read_rules(text: str) -> PlayRules:
    """Return the rules of a name or of JSON. Raises GotoolsError for rules that are not played here."""
    if text.startswith("{"):
        return _rules_of_json(text)
    name = text.lower().replace("_", "-")
    if name not in NAMES:
        raise GotoolsError(f"only these rules are known: {', '.join(NAMES)}, or JSON")
    return NAMES[name]


def _rules_of_json(text: str) -> PlayRules:
    """Return the rules of JSON; without friendlyPassOk, stones count as they stand where area counts."""
    try:
        wishes = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise syntax_error(f"the rules are not JSON: {error}") from None
    asked = dict[str, Any]()
    for key, value in wishes.items():
        name = _ALIASES.get(key, key)
        if name not in _TAKEN:
            raise syntax_error(f"there is no rule {key[:40]!r}{nearest(key, list(_TAKEN))}")
        wish = value.upper() if isinstance(value, str) else value
        if not any(wish is one or (isinstance(wish, str) and wish == one) for one in _TAKEN[name]):
            known = ", ".join(one if isinstance(one, str) else json.dumps(one) for one in _TAKEN[name])
            raise GotoolsError(f"{name} {json.dumps(value)[:40]} is not played here; {known} is")
        asked[name] = wish
    scoring: str = asked.get("scoring", AREA)
    if asked.get("tax", _TAX[scoring]) != _TAX[scoring]:
        raise GotoolsError(f"tax {asked['tax']} with scoring {scoring} is not played here; {_TAX[scoring]} is")
    friendly = asked.get("friendlyPassOk", scoring == TERRITORY)
    return PlayRules(scoring, asked.get("ko", POSITIONAL), asked.get("suicide", False), friendly)
