"""The syntax trees of the package's files, each read once for all tests."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from support.needs import ROOT

PACKAGE = ROOT / "gotools"


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Return all nodes of a file, in the order of `ast.walk`."""
    return list(ast.walk(parsed(path)))
