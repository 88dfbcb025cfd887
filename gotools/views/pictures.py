"""Write each drawing of a report as a file of its own: SVG, or PNG by resvg, with a font of matplotlib's.

So all machines draw the same pixels.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from gotools.base.errors import MissingTool, OutputError
from gotools.files.opening import open_output
from gotools.views.page import source
from gotools.views.parts import Section

SVG: Final = "svg"
PNG: Final = "png"
ZOOM: Final = 4.0
"""Pixels for a unit of a drawing: a board of 9x9 has some 800."""
_THEMES: Final = re.compile(r"@media [^{]*\{\s*svg \{[^}]*\}\s*\}")
_COLOURS: Final = re.compile(r"(--[\w-]+):\s*([^;]+);")
_USED: Final = re.compile(r"var\((--[\w-]+)\)")


def write_pictures(sections: Sequence[Section], folder: str | Path, form: str = SVG) -> int:
    """Write the boards and charts into a folder, created if needed; returns their number.

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
    return f'{head} xmlns="http://www.w3.org/2000/svg">\n<style>\n{source("drawings.css")}</style>\n{rest}\n'


def _plain(name: str) -> str:
    """Return a name of a file: letters, digits, dots and hyphens, at most 100."""
    return re.sub(r"[^a-zA-Z0-9.]+", "-", name).strip("-.")[:100] or "drawing"


def check_raster() -> None:
    """Raise MissingTool where resvg_py or matplotlib is not installed."""
    if find_spec("resvg_py") is None or find_spec("matplotlib") is None:
        raise MissingTool("resvg_py or matplotlib, which PNG needs,", "`pip install resvg_py matplotlib`")


def png(svg: str) -> bytes:
    """Return a drawing that needs no page (`alone`) as PNG, in the colours of the light theme, on white."""
    import matplotlib
    import resvg_py

    font = f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf"
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=_in_one_theme(svg), background="#ffffff", zoom=ZOOM, skip_system_fonts=True, font_files=[font],
            font_family="DejaVu Sans", sans_serif_family="DejaVu Sans",
        )
    )  # fmt: skip


def _in_one_theme(svg: str) -> str:
    """Return a drawing with the colours themselves in place of their names, which resvg does not know."""
    style = source("drawings.css")
    one = _THEMES.sub("", style)
    colours = dict(_COLOURS.findall(one))
    return svg.replace(style, _USED.sub(lambda name: colours[name[1]], one))
