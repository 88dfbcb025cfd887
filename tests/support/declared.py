"""Games of other packages, as far as what an installation writes about them is concerned."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.needs import ROOT

from gotools.game import known

PACKAGES = f"{ROOT}/tests/support/nim_package:{ROOT}/examples/draughts"
"""Where the modules of such games are, for processes; pyproject.toml names the same for the tests."""


@contextmanager
def declared(folder: Path, package: str = "nim-game", **games: str) -> Iterator[None]:
    """Let a package of version 0.1 be installed, for processes too, that declares games, each as MODULE:ATTRIBUTE."""
    about = folder / f"{package.replace('-', '_')}-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1\n")
    lines = "".join(f"{name} = {place}\n" for name, place in games.items())
    (about / "entry_points.txt").write_text(f"[{known.GROUP}]\n{lines}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder), *sys.path])
        patch.setenv("PYTHONPATH", f"{folder}:{PACKAGES}")
        known.installed.cache_clear()
        yield
    known.installed.cache_clear()
