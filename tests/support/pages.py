"""The pages at the root and in docs/: their fenced blocks, and a shell that runs the marked ones as a reader would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from support import forked
from support.needs import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
FENCE = re.compile(r"^(?P<mark><!-- run -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_END = "\x1e"
"""Printed after each block."""


def blocks(page: Path) -> list[tuple[str, str, bool]]:
    """Return kind, text and run mark of every fenced block of a page."""
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [(block["kind"], block["text"], bool(block["mark"])) for block in found]


def run(*command: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run a command with this Python's gotools first on the PATH, on a terminal of 100 columns without colours."""
    path = os.pathsep.join([forked.on_path(), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def run_marked(page: Path, folder: Path) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run the marked blocks of a page, one after the other, in one shell (or Python) that stops at the first error.

    Returns the shell's end, and what each block printed, stdout and stderr in one. The marked blocks of a page are of
    one language.
    """
    marked = [(kind, text) for kind, text, mark in blocks(page) if mark]
    if {kind for kind, _ in marked} == {"python"}:
        code = "".join(f"{text}\nprint({_END!r}, end='', flush=True)\n" for _, text in marked)
        done = run("bash", "-c", 'exec "$0" -u -c "$1" 2>&1', sys.executable, code, folder=folder)
    else:
        script = "".join(f"{text}printf '{_END}'\n" for _, text in marked)
        done = run("bash", "-euo", "pipefail", "-c", f"exec 2>&1\n{script}", folder=folder)
    return done, done.stdout.split(_END)[:-1]


def listings(page: Path) -> list[tuple[str, str]]:
    """Return each marked block that a block of text follows, and that text; "" for one without."""
    found: list[tuple[str, str]] = []
    for kind, text, mark in blocks(page):
        if mark:
            found.append((text, ""))
        elif kind == "text" and found and not found[-1][1]:
            found[-1] = found[-1][0], text
    return found
