"""Write each drawing of a report as a file of its own: SVG or PNG."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gotools.errors import OutputError
from gotools.files.opening import open_output
from gotools.report.page import drawing_style
from gotools.report.parts import Section
from gotools.report.raster import png

SVG: Final = "svg"
PNG: Final = "png"


def write_pictures(sections: Sequence[Section], folder: str | Path, form: str = SVG) -> int:
    """Write the boards and charts into a folder, which is made; returns how many there are.

    form -- SVG, which follows the light or dark theme of the reader as the page does, or PNG, in the light one

    A file is called after the section and the drawing: `run-ratings.svg`.

    Raises OutputError where the folder cannot be made or a file cannot be written.
    """
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OutputError(folder, None, f"cannot be made: {error.strerror or error}") from error
    count = 0
    for name, svg in pictures(sections):
        whole = alone(svg)
        data = png(whole) if form == PNG else whole.encode("utf-8", "replace")
        with open_output(Path(folder) / f"{name}.{form}") as out:
            out.write(data)
        count += 1
    return count


def pictures(sections: Sequence[Section]) -> Iterator[tuple[str, str]]:
    """Yield the drawings with names for their files, each another one."""
    taken: dict[str, int] = {}
    for section in sections:
        for figure in dict.fromkeys(section.figures()):  # a board may stand in a card and in a table
            name = _plain(f"{section.title}-{figure.name}")
            taken[name] = taken.get(name, 0) + 1
            yield name if taken[name] == 1 else f"{name}-{taken[name]}", figure.svg


def alone(svg: str) -> str:
    """Return a drawing that needs no page: with its name space, and the style of the page's drawings."""
    head, _, rest = svg.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg">\n<style>\n{drawing_style()}</style>\n{rest}\n'


def _plain(name: str) -> str:
    """Return a name of a file: letters, digits, dots and hyphens, at most 100."""
    return re.sub(r"[^a-zA-Z0-9.]+", "-", name).strip("-.")[:100] or "drawing"
