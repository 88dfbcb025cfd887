"""Go is one of the games: what still tells it apart is counted, and the counts may only fall."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from support.modules import PACKAGE, nodes

COMPARISONS, INSTANCES, IMPORTS = 0, 3, 66
OF_A_GAME = re.compile("Board|Go[A-Z][A-Za-z]*|Game(Player|Referee|Session|Trial)")
"""Classes that stand for one game, or for all games but Go."""


def outside() -> Iterator[Path]:
    """Yield the modules that know no game: all but games/ and the table of the games."""
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE)
        if place.parts[0] != "games" and place != Path("game/table.py"):
            yield path


def is_go(node: ast.expr) -> bool:
    """Return whether an expression is "go", or the name or attribute GO, or a collection that holds one."""
    return any(
        (isinstance(part, ast.Constant) and part.value == "go")
        or (isinstance(part, ast.Name) and part.id == "GO")
        or (isinstance(part, ast.Attribute) and part.attr == "GO")
        for part in [node, *(node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [])]
    )


def test_comparisons_with_go_only_become_fewer() -> None:
    compared = [node for path in outside() for node in nodes(path) if isinstance(node, ast.Compare)]
    found = [node for node in compared if any(map(is_go, [node.left, *node.comparators]))]
    assert len(found) == COMPARISONS, "a number that falls is written here"


def test_questions_for_the_class_of_a_game_only_become_fewer() -> None:
    calls = [node for path in outside() for node in nodes(path) if isinstance(node, ast.Call)]
    asked = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == "isinstance"]
    names = [part.id for node in asked for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)]
    assert len(list(filter(OF_A_GAME.fullmatch, names))) == INSTANCES, "a number that falls is written here"


def test_imports_of_go_only_become_fewer() -> None:
    found = [
        name
        for path in outside()
        for node in nodes(path)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
        if name.split(".")[:2] == ["gotools", "games"]
    ]
    assert len(found) == IMPORTS, "a number that falls is written here"


def test_the_table_of_games_loads_no_game() -> None:
    """So that help, and the ratings of records by their GM, need neither games nor numba."""
    tree = [node for node in nodes(PACKAGE / "game/table.py") if isinstance(node, ast.Import | ast.ImportFrom)]
    assert {node.module for node in tree if isinstance(node, ast.ImportFrom)} == {
        "__future__",
        "collections.abc",
        "dataclasses",
        "typing",
    }
    assert all(isinstance(node, ast.ImportFrom) for node in tree)
    roots = nodes(PACKAGE / "ratings/reading/sgf_roots.py")
    asked = [node for node in roots if isinstance(node, ast.ImportFrom) and "game_of_sgf_number" in ast.unparse(node)]
    assert [node.module for node in asked] == ["gotools.game.table"]
