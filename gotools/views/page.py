"""Write a page of sections as HTML: one file that loads nothing and runs one script, ours."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gotools import __version__
from gotools.views.contents import cell_text
from gotools.views.parts import LONGEST_TEXT, Figure, Games, Link, Section, Shade

LONG: Final = 24
"""Characters from which on a text in a cell is a sentence, which wants room."""


def page_html(title: str, sections: Sequence[Section]) -> str:
    """Return the page; the same sections give the same text. All texts in them are escaped, drawings excepted."""
    games = [part for one in sections for part in one.parts if isinstance(part, Games)]
    script = "".join(map(source, dict.fromkeys(name for part in games for name in part.scripts)))
    style = source("page.css") + source("drawings.css")
    values = {"title": title, "sections": sections, "version": __version__, "style": style, "script": script}
    page: str = _template().render(policy=_policy(style, script), **values)
    return page + "\n"


@cache
def source(name: str) -> str:
    """Return the text of a file of this package."""
    return files("gotools.views").joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Return what a browser may do with the page: nothing is loaded, and no other script or style counts."""
    sources = {"style-src": style, "script-src": script}
    rules = [f"{name} 'sha256-{_digest(text)}'" for name, text in sources.items() if text]
    return "; ".join(["default-src 'none'", "img-src data:", *rules, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _template() -> Any:
    import jinja2

    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"kind": _kind, "shown": _shown, "of_cell": _attributes}
    return environment.from_string(source("page.html"))


def _kind(cell: object) -> str:
    kinds = {Link: "link", Shade: "shade", Figure: "figure"}
    return kinds.get(type(cell), "text")


def _shown(cell: object) -> str:
    """Return a cell as text: of a text its lines, without other control characters and unpaired surrogates."""
    if isinstance(cell, Shade | str) and cell:
        words = cell.text if isinstance(cell, Shade) else cell
        text = "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in words)
        return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "..."
    return cell_text(cell, LONGEST_TEXT)


def _attributes(cell: object, right: bool) -> Any:
    """Return the class of a cell, as an attribute."""
    from markupsafe import Markup

    names = [*(["n"] if right else []), *([f"s{cell.level}"] if isinstance(cell, Shade) and cell.level else [])]
    names += ["words"] if isinstance(cell, str) and len(cell) > LONG else ["board"] if isinstance(cell, Figure) else []
    return Markup(f' class="{" ".join(names)}"') if names else ""


def known_facts(facts: Mapping[str, object]) -> dict[str, object]:
    """Return facts without those that are not known."""
    return {name: value for name, value in facts.items() if value not in (None, "", [], {})}
