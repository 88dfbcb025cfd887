"""Write elements of SVG: every attribute and text is escaped, and numbers are short."""

from __future__ import annotations

from html import escape


def number(value: float) -> str:
    """Return a coordinate with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, *children: str, **attributes: object) -> str:
    """Return an element.

    children   -- elements, which are not escaped: texts go through `text`
    attributes -- `class_` stands for class, and other underscores for hyphens; None: left out
    """
    words = [
        f' {key.rstrip("_").replace("_", "-")}="{escape(number(value) if isinstance(value, float) else str(value))}"'
        for key, value in attributes.items()
        if value is not None
    ]
    inner = "".join(children)
    return f"<{name}{''.join(words)}>{inner}</{name}>" if inner else f"<{name}{''.join(words)}/>"


def text(words: str, x: float, y: float, class_: str | None = None, anchor: str | None = None) -> str:
    """Return a text at a place; anchor -- middle, end, or None for its start."""
    return element("text", escape(words), x=float(x), y=float(y), class_=class_, text_anchor=anchor)


def picture(width: float, height: float, title: str, class_: str, *children: str) -> str:
    """Return a whole drawing, whose title is read aloud."""
    named = element("title", escape(title))
    box = f"0 0 {number(width)} {number(height)}"
    return element("svg", named, *children, class_=class_, viewBox=box, role="img", aria_label=title)
