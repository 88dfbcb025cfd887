"""Rules of play as KataGo's `kata-set-rules` takes them: a name, or JSON as `kata-get-rules` writes it.

Source: KataGo, docs/GTP_Extensions.md.
"""

from __future__ import annotations

import json
from typing import Any, Final

from gotools.errors import GotoolsError, nearest
from gotools.player.gtp.arguments import syntax_error

PLAYED: Final = {"ko": "POSITIONAL", "scoring": "AREA", "suicide": False, "tax": "NONE", "hasButton": False}
"""What is played, whatever is accepted."""
NAMES: Final = ("chinese", "chinese-kgs", "chinese-ogs", "tromp-taylor", "aga")
"""Names of rules that count area."""
CUSTOM: Final = "custom"
"""The name of rules that came as JSON."""
_ALIASES: Final = {
    "koRule": "ko",
    "scoringRule": "scoring",
    "taxRule": "tax",
    "multiStoneSuicideLegal": "suicide",
}
"""The keys of KataGo's configuration files, which controllers send too."""
_TAKEN: Final[dict[str, tuple[Any, ...]]] = {
    "ko": ("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "scoring": ("AREA",),
    "suicide": (False, True),
    "tax": ("NONE",),
    "hasButton": (False,),
    "whiteHandicapBonus": ("0", "N-1", "N"),
    "friendlyPassOk": (False, True),
}
"""What a controller may set: a game under these can be played by the stricter rules of PLAYED, and is counted alike."""


def written() -> str:
    """Return the rules that are played, as KataGo writes them."""
    return json.dumps({**PLAYED, "whiteHandicapBonus": "0", "friendlyPassOk": False}, separators=(",", ":"))


def accept(text: str) -> str:
    """Return the name of rules that can be played, CUSTOM for JSON. Raises GotoolsError for others."""
    if text.startswith("{"):
        _check(text)
        return CUSTOM
    name = text.lower().replace("_", "-")
    if name not in NAMES:
        raise GotoolsError(f"only rules that count area are known: {', '.join(NAMES)}, or JSON")
    return name


def _check(text: str) -> None:
    """Raise GotoolsError unless all that some JSON asks for can be played."""
    try:
        wishes = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise syntax_error(f"the rules are not JSON: {error}") from None
    for key, value in wishes.items():
        name = _ALIASES.get(key, key)
        if name not in _TAKEN:
            raise syntax_error(f"there is no rule {key[:40]!r}{nearest(key, list(_TAKEN))}")
        wish = value.upper() if isinstance(value, str) else value
        if not any(wish is one or (isinstance(wish, str) and wish == one) for one in _TAKEN[name]):
            known = ", ".join(one if isinstance(one, str) else json.dumps(one) for one in _TAKEN[name])
            raise GotoolsError(f"{name} {json.dumps(value)[:40]} is not played here; {known} is")
