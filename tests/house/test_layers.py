"""The layer rule of the package, held over its import statements.

    cli -> commands -> library -> views -> matches -> engines -> values -> rules -> ratings
        -> {games, search} -> gtp_client -> game -> work -> files -> jit -> base

No import upwards, none between packages of one layer, none between commands. No circle between folders inside a
package, and none between files. A kernel (a file in a folder named `kernels`) imports only jit
and kernels; what is slow to import is imported inside functions, so that `gotools --help` stays quick.
"""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

from support.modules import PACKAGE, nodes, parsed

LAYERS = (
    {"base"},
    {"jit"},
    {"files"},
    {"work"},
    {"game"},
    {"gtp_client"},
    {"search", "games"},
    {"ratings"},
    {"rules"},
    {"values"},
    {"engines"},
    {"matches"},
    {"views"},
    {"library"},
    {"commands"},
    {"cli"},
    {"__main__"},
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
ONLY_IN = {
    "dask_jobqueue": {"gotools.work.cluster.queues"},
    "distributed": {"gotools.work.cluster.connecting", "gotools.work.cluster.crew", "gotools.work.cluster.on_worker"},
    "torch": {"gotools.values.network.descent", "gotools.values.network.model"},
    "sgfmill": {"gotools.game.records.sgf"},
    "jinja2": {"gotools.views.page"},
    "pandas": {"gotools.game.examples.examples"},
    "pyswip": {"gotools.rules.clauses.prolog_worker"},
}
HEAVY = {
    "dask", "dask_jobqueue", "distributed", "jinja2", "numba", "numpy", "pandas", "pyarrow", "pyswip", "rich", "scipy",
    "sgfmill", "sklearn", "torch",
}  # fmt: skip


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def part(module: str) -> str:
    """Return the layer's member that a module belongs to: `gotools.games.go.board` is of `go`."""
    return module.split(".")[1]


def is_kernel(module: str) -> bool:
    return "kernels" in module.split(".")


def folder(module: str) -> str:
    """Return the folder that a module stands in."""
    path = MODULES[module]
    return ".".join(path.parent.relative_to(PACKAGE.parent).parts)


def imports(module: str, module_level: bool = False) -> Iterator[str]:
    """Yield the full names of the modules that a module imports; at module level only, where asked."""
    path = MODULES[module]
    for node in outside_functions(parsed(path)) if module_level else nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, f"{module}:{node.lineno}: write imports with their full name"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            modules = [name for name in inner if name in MODULES]
            yield from modules or [node.module]


def outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run on import; `if TYPE_CHECKING:` does not run."""
    for node in ast.iter_child_nodes(tree):
        type_checking = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        if not type_checking and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield node
            yield from outside_functions(node)


@functools.cache
def all_imports(module: str) -> list[str]:
    return list(imports(module))


@functools.cache
def own_imports(module: str) -> list[str]:
    return [name for name in all_imports(module) if name.startswith("gotools.")]


SHARED = {"gotools.commands.usage"}
"""Modules of the folder that are no commands, and that cli.py needs too."""
COMMANDS = {name for name in own_imports("gotools.cli") if part(name) == "commands"} - SHARED


def test_a_module_imports_only_lower_layers_and_its_own_package() -> None:
    for module in MODULES.keys() - {"gotools"}:
        assert part(module) in LEVEL, f"{part(module)} has no place in LAYERS"
        for name in own_imports(module):
            if part(name) == part(module):
                assert not {module, name} <= COMMANDS, f"the command {module} imports the command {name}"
            else:
                assert LEVEL[part(name)] < LEVEL[part(module)], f"{module} imports {name}"


def test_no_folders_import_each_other_in_a_circle() -> None:
    below: dict[str, set[str]] = {}  # for each folder those that it imports
    for module in MODULES:
        others = {folder(name) for name in own_imports(module) if name in MODULES} - {folder(module), "gotools"}
        below.setdefault(folder(module), set()).update(others)
    below.pop("gotools")
    free: set[str] = set()
    while ready := [name for name, others in below.items() if name not in free and others <= free]:
        free.update(ready)
    assert not (circle := {name: sorted(below[name] - free) for name in below if name not in free}), circle


def test_no_files_import_each_other_in_a_circle() -> None:
    below = {module: {name for name in own_imports(module) if name in MODULES} for module in MODULES}
    below.pop("gotools")
    assert not [part for part in strongly_connected(below) if len(part) > 1]


def strongly_connected(below: dict[str, set[str]]) -> Iterator[set[str]]:
    """Yield the sets of modules that all reach each other."""

    def reached(begin: str, steps: dict[str, set[str]]) -> set[str]:
        found, waiting = {begin}, [begin]
        while waiting:
            found.update(new := steps.get(waiting.pop(), set()) - found)
            waiting += new
        return found

    above: dict[str, set[str]] = {}
    for module, others in below.items():
        for other in others:
            above.setdefault(other, set()).add(module)
    left = set(below)
    while left:
        module = left.pop()
        yield (one := reached(module, below) & reached(module, above))
        left -= one


def test_one_module_alone_knows_a_library() -> None:
    for library, known in ONLY_IN.items():
        users = {module for module in MODULES if any(name.split(".")[0] == library for name in all_imports(module))}
        assert users <= known, library


def test_a_kernel_imports_only_jit_and_kernels() -> None:
    for module in filter(is_kernel, MODULES):
        for name in own_imports(module):
            assert name == "gotools.jit" or is_kernel(name), f"{module} imports {name}"


def test_the_command_line_loads_nothing_heavy() -> None:
    path_to = {"gotools.cli": "gotools.cli"}  # every module that importing gotools.cli loads, and by which way
    waiting = ["gotools.cli"]
    while waiting:
        module = waiting.pop()
        for name in imports(module, module_level=True):
            assert name.split(".")[0] not in HEAVY, f"{path_to[module]} imports {name} outside a function"
            for loaded in (name, name.rpartition(".")[0]):
                if loaded in MODULES and loaded not in path_to:
                    path_to[loaded] = f"{path_to[module]} -> {loaded}"
                    waiting.append(loaded)
