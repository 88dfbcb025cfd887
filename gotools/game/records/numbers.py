"""Komi and handicap as people and servers write them."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from gotools.base.errors import shown

MOST_POINTS: Final = 361
"""No board has more; larger numbers are hundredths."""
_HUNDREDTHS: Final = 200
"""Whole numbers from here on are hundredths, as 375 and 650: no game has 200 points of komi."""
_ZI: Final = (2.75, 4.0)
"""Komi in zi, each of two points: 2.75 from 1975 on, then 3.75, and 4 in the rules of Ing."""
_PLAIN: Final = str.maketrans(
    {"½": " 1/2", "¼": " 1/4", "¾": " 3/4", "−": "-", "–": "-", "〇": "0"}
    | dict.fromkeys("¹²³", "?")
    | {kanji: str(digit) for digit, kanji in enumerate("一二三四五六七八九", 1)}
)
_UNIT: Final = (
    r"(?P<zi{0}>子|zi\b)|目|もく|点|點|점|집|호|moku\b|points?\b|pts?\b|p\b|stones?\b|punkte?\b|punt[ios]+\b|pontos?\b"
    r"|очк\w+"
)
_NUMBER: Final = re.compile(
    r"(?:(?P<reverse>reverse(?:\s+komi)?|逆コミ|역덤|[白倒][贴貼]目?)|komi|コミ|[黑黒]?[贴貼]目?|덤|[让讓])?[\s:]*"
    r"(?P<sign>[+-]?)\s*(?P<whole>[0-9]{0,30})(?P<exact>(?:[.,·・][0-9]{0,30})?(?:e[+-]?[0-9]{1,2})?)\s*"
    rf"(?:{_UNIT.format(1)})?\s*(?P<and>又|and\b)?\s*"
    r"(?P<part>(?<![0-9])[0-9]/[248](?![0-9])|半|반|(?:a\s+)?half\b)?\s*"
    rf"(?:{_UNIT.format(2)})?\s*(?:komi|コミ(?:出し)?)?\.?"
)
_CHINESE: Final = re.compile(r"chin|中国|中國|数子|數子|^cn$|^ing", re.IGNORECASE)
_ODD: Final = "{}[{}] is not understood and counts as not given"


def read_komi(text: str, rules: str = "", program: str = "") -> float | None:
    """Return the points of komi that KM gives white; None without a number, and if the rest of it is not understood.

    rules, program -- RU and AP of the record

    Understood are `6,5`, `6.5 points`, `6 1/2`, `6½`, `6目半`, `-5.5`, `逆コミ5目半`, and wide digits.
    Hundredths (375, 650; below 200 in records of the server Fox only) are divided. Zi are doubled: where the unit
    is named; with quarters (3.75, 3又3/4) from 2.75 to 4, unless the rules are others than Chinese; and in hundredths
    under Chinese rules.
    """
    found = _parsed(text)
    if found is None:
        return None
    number, form = found
    chinese = bool(_CHINESE.search(rules) or form["and"] == "又")
    size, unit = abs(number), bool(form["zi1"] or form["zi2"])
    hundredths = _in_hundredths(size, form, "foxwq" in program.lower())
    if hundredths:
        number, size = number / 100, size / 100
    quarters = 2 * size % 1 != 0
    if not unit and _ZI[0] <= size <= _ZI[1]:
        unit = (quarters or chinese) if hundredths else quarters and (chinese or not rules.strip())
    if size > MOST_POINTS or (hundredths and quarters and not unit):
        return None
    return (2 * number if unit else number) + 0.0  # -0 is 0


def read_handicap(text: str) -> int | None:
    """Return the number of stones that HA names (`3`, `3 stones`, `三子`), None as for komi."""
    found = _parsed(text)
    return int(found[0]) if found and found[0] in range(1000) else None


def unset_remark(handicap: int) -> str:
    """Return the remark about a game whose header claims handicap stones that are not there."""
    return f"HA[{handicap}], but no stones are set"


def komi_text(komi: float) -> str:
    """Return points of komi as KM has them; only in zi would `read_komi` take 2.75, 3.25 and 3.75."""
    return f"{komi:.17g}" + (".0" if abs(komi) >= _HUNDREDTHS and komi % 1 == 0 else "")


def remark(name: str, text: str, number: float | None) -> str:
    """Return a remark for people about a property whose value holds a number that was not understood, else ""."""
    digits = any(c.isdigit() for c in text.translate(_PLAIN))
    return _ODD.format(name, shown(text)) if number is None and digits else ""


def _parsed(text: str) -> tuple[float, dict[str, str]] | None:
    """Return the number of a text, in its own unit, and the parts that it is written in."""
    plain = unicodedata.normalize("NFKC", text.translate(_PLAIN)).casefold().strip() if len(text) < 80 else ""
    found = _NUMBER.fullmatch(plain.strip("()[] "))
    form = found.groupdict("") if found else {}
    exact = re.sub("[,·・]", ".", form.get("exact", ""))
    if not form or not (form["part"] or re.search("[0-9]", form["whole"] + exact.partition("e")[0])):
        return None
    number = float((form["whole"] or "0") + exact)
    if form["part"]:
        above, _, below = form["part"].partition("/")
        number += int(above) / int(below) if below else 0.5
    return -number if (form["sign"] == "-") != bool(form["reverse"]) else number, form


def _in_hundredths(size: float, form: dict[str, str], fox: bool) -> bool:
    """Return whether a number is in hundredths: whole, a multiple of 25, too large for points unless Fox wrote it."""
    if size % 25 or form["part"]:
        return False
    return size > MOST_POINTS or (not form["exact"] and size >= (25 if fox else _HUNDREDTHS))
