"""Rules of play as KataGo's `kata-set-rules` takes them: a name, or JSON as `kata-get-rules` writes it.

Source: KataGo, docs/GTP_Extensions.md.
"""

from __future__ import annotations

import json
from typing import Any, Final

from gotools.errors import GotoolsError, nearest
from gotools.player.gtp.arguments import syntax_error

AREA: Final = "AREA"
TERRITORY: Final = "TERRITORY"
_PLAYED: Final = {"ko": "POSITIONAL", "suicide": False, "hasButton": False, "whiteHandicapBonus": "0"}
"""What is played, whatever is accepted."""
_TAX: Final = {AREA: "NONE", TERRITORY: "SEKI"}
NAMES: Final = {
    **dict.fromkeys(("chinese", "chinese-kgs", "chinese-ogs", "tromp-taylor", "aga"), AREA),
    "japanese": TERRITORY,
}
"""Names of rules, and what they count."""
_ALIASES: Final = {
    "koRule": "ko",
    "scoringRule": "scoring",
    "taxRule": "tax",
    "multiStoneSuicideLegal": "suicide",
}
"""The keys of KataGo's configuration files, which controllers send too."""
_TAKEN: Final[dict[str, tuple[Any, ...]]] = {
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "scoring": (AREA, TERRITORY),
    "suicide": (False, True),
    "tax": ("NONE", "SEKI"),
    "hasButton": (False,),
    "whiteHandicapBonus": ("0", "N-1", "N"),
    "friendlyPassOk": (False, True),
}
"""What a controller may set: a game under these can be played by the stricter rules of _PLAYED, and is counted alike.
Eyes in seki count as area, not as territory (_TAX)."""


def written(scoring: str) -> str:
    """Return the rules that are played, as KataGo writes them."""
    rules = {"scoring": scoring, "tax": _TAX[scoring], **_PLAYED, "friendlyPassOk": False}
    order = ("ko", "scoring", "suicide", "tax", "hasButton", "whiteHandicapBonus", "friendlyPassOk")
    return json.dumps({name: rules[name] for name in order}, separators=(",", ":"))


def scoring_of(text: str) -> str:
    """Return what rules count that can be played, AREA or TERRITORY. Raises GotoolsError for others."""
    if text.startswith("{"):
        return _scoring_of_json(text)
    name = text.lower().replace("_", "-")
    if name not in NAMES:
        raise GotoolsError(f"only these rules are known: {', '.join(NAMES)}, or JSON")
    return NAMES[name]


def _scoring_of_json(text: str) -> str:
    """Return what rules of JSON count. Raises GotoolsError unless all that they ask for can be played."""
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
    return scoring
