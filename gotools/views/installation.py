"""What an installation of gotools has and what it lacks, and what for: `gotools doctor`."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from gotools import __version__
from gotools.base.errors import GotoolsError
from gotools.views.contents import Contents
from gotools.views.known_games import game_rows
from gotools.views.parts import Table

NAME: Final = "gotools-games"
COLUMNS: Final = ("part", "state", "what for")
MISSING: Final = "missing"


class Extra(NamedTuple):
    """Python packages that gotools does without: `pip install "gotools-games[NAME]"`."""

    modules: tuple[str, ...]
    purpose: str


EXTRAS: Final = {
    "cc": Extra(("ziglang",), "compile-patterns -o rules.so without a C compiler of the system"),
    "cluster": Extra(("dask", "distributed", "dask_jobqueue"), "--cluster: work on many machines"),
    "parquet": Extra(("pyarrow",), "tables as .parquet"),
    "plots": Extra(("matplotlib", "resvg_py"), "report --png; the pictures of examples/"),
    "torch": Extra(("torch",), "train-eval --features planes; its networks are used without it"),
    "validate": Extra(("jsonschema",), "show --validate: JSON compared with its schema"),
}


class Installation(NamedTuple):
    """What `gotools doctor` says, and whether every command that needs nothing optional can work."""

    contents: Contents
    works: bool


def look_at_installation() -> Installation:
    """Look at what is installed; games of other packages are loaded, programs are looked for and not run."""
    core = list(_core())
    options = [*_programs(), *_extras()]
    games = [(name, package, state) for name, package, *_, state in game_rows() if package != "gotools"]
    tables = [
        Table("core", COLUMNS[:2], core, total=len(core)),
        Table("optional", COLUMNS, options, total=len(options)),
    ]
    if games:
        columns = ("game", "package", "state")
        tables.append(Table("games of other packages", columns, games, total=len(games)))
    works = all(MISSING not in state for _, state in core)
    facts = {
        "gotools": f"{__version__} in {Path(__file__).parents[1]}",
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "state": "every command works" if works else "some of what all commands need is missing",
    }
    return Installation(Contents("gotools", "an installation", facts, tables), works)


def _core() -> Iterator[tuple[str, str]]:
    """Yield what every command needs, and the version that is there."""
    for required in importlib.metadata.requires(NAME) or []:
        if "extra ==" not in required:
            name = re.split(r"[^\w-]", required)[0]
            yield name, _version(name)
    yield "cache of kernels", _cache()


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return f"{MISSING}: pip install {distribution}"


def _cache() -> str:
    """Return what is compiled."""
    try:
        from gotools.jit.kernel_cache import SHIPPED, cache_folder
        from gotools.jit.target import processor
    except ImportError as error:
        return f"{MISSING}: {error}"
    folder = cache_folder()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    brought = "some came with the wheel, " if SHIPPED.is_dir() else ""
    return f"{brought}{size / 1e6:.0f} MB in {folder}, for {' '.join(processor().split()[:1])}"


def _programs() -> Iterator[tuple[str, str, str]]:
    from gotools.rules.compiled.build import compiler

    try:
        found = " ".join(compiler())
    except GotoolsError as error:
        found = f"{MISSING}: {error}"
    yield "C compiler", found, "compile-patterns -o rules.so; --rules is then several times as fast"
    swipl = shutil.which("swipl")
    yield "SWI-Prolog", swipl or f"{MISSING}: the system's package swi-prolog-nox", "--background"


def _extras() -> Iterator[tuple[str, str, str]]:
    for name, extra in EXTRAS.items():
        absent = _absent(extra.modules)
        state = f'{MISSING} ({", ".join(absent)}): pip install "{NAME}[{name}]"' if absent else "there"
        yield name, state, extra.purpose


def _absent(modules: Sequence[str]) -> list[str]:
    return [name for name in modules if importlib.util.find_spec(name) is None]
