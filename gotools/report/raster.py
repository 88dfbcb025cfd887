"""Drawings as pixels: SVG to PNG by resvg, with a font of matplotlib's, so that all machines draw the same."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Final

from gotools.errors import MissingTool
from gotools.report.page import drawing_style

ZOOM: Final = 4.0
"""Pixels for a unit of a drawing: a board of 9x9 has some 800."""
_THEMES: Final = re.compile(r"@media [^{]*\{\s*svg \{[^}]*\}\s*\}")
_COLOURS: Final = re.compile(r"(--[\w-]+):\s*([^;]+);")
_USED: Final = re.compile(r"var\((--[\w-]+)\)")


def check_raster() -> None:
    """Raise MissingTool where resvg_py or matplotlib is not installed."""
    if find_spec("resvg_py") is None or find_spec("matplotlib") is None:
        raise MissingTool("resvg_py or matplotlib, which PNG needs,", "`pip install resvg_py matplotlib`")


def png(svg: str) -> bytes:
    """Return a drawing that needs no page (`pictures.alone`) as PNG, in the colours of the light theme, on white."""
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
    style = drawing_style()
    one = _THEMES.sub("", style)
    colours = dict(_COLOURS.findall(one))
    return svg.replace(style, _USED.sub(lambda name: colours[name[1]], one))
