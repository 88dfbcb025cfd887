"""Names and sizes in the package: a class is found by its name, and a function fits on a page or two."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

from support.modules import PACKAGE, nodes

MOST_LINES = 60


@cache
def definitions() -> list[tuple[Path, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Return the classes and functions of all modules, each with its file."""
    return [
        (path.relative_to(PACKAGE), node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in nodes(path)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_no_two_classes_of_a_package_have_one_name() -> None:
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path, node in definitions():
        if isinstance(node, ast.ClassDef):
            found[path.parts[0], node.name].append(f"{path}:{node.lineno}")
    assert len(found) > 200
    assert [places for places in found.values() if len(places) > 1] == []


def test_no_function_is_long() -> None:
    lengths = {
        f"{path}:{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path, node in definitions()
        if not isinstance(node, ast.ClassDef)
    }
    assert len(lengths) > 1000
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}
