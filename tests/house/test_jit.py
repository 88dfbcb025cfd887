"""The cache of compiled kernels: where it is, what an edit compiles anew; compilation and life without it."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import NullCache
from support.modules import PACKAGE, nodes, parsed

from gotools import jit
from gotools.jit import kernel_cache, linking, target


@pytest.fixture
def clean(monkeypatch, tmp_path):
    """No variable that chooses a folder, a home of one's own, and a place for temporary files."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    return tmp_path


def test_the_folder_lies_in_the_users_cache_for_this_user_alone(clean):
    folder = kernel_cache.cache_folder()
    assert folder.parent == clean / "home" / ".cache" / "gotools"
    assert kernel_cache.cache_folder() == folder
    assert folder.stat().st_mode & 0o077 == 0


def test_variables_choose_the_folder(clean, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(clean / "xdg"))
    assert kernel_cache.cache_folder().parent == clean / "xdg" / "gotools"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(clean / "numba"))
    assert kernel_cache.cache_folder().parent == clean / "numba"


def test_without_a_home_the_temporary_folder_serves(clean, monkeypatch):
    (clean / "file").write_text("")
    monkeypatch.setenv("HOME", str(clean / "file"))  # no folder can be made below a file, not even by root
    folder = kernel_cache.cache_folder()
    assert folder.is_relative_to(clean / "tmp")
    assert kernel_cache.cache_folder() == folder


def test_a_temporary_folder_that_others_may_write_is_not_trusted(clean, monkeypatch):
    (clean / "file").write_text("")
    monkeypatch.setenv("HOME", str(clean / "file"))
    trap = clean / "tmp" / f"gotools-{os.getuid()}"
    trap.mkdir()
    trap.chmod(0o777)
    folder = kernel_cache.cache_folder()
    assert not folder.is_relative_to(trap)
    assert kernel_cache.cache_folder() == folder


BASE, OTHER = "from gotools.jit import kernel\n\n\n", "\n\n@kernel\ndef {}(number):\n    return {}\n"
PACKAGE_OF_THREE = {
    "one.py": BASE + OTHER.format("one", "number + 1"),
    "two.py": "from small.kernels.one import one\n" + BASE + OTHER.format("two", "one(number) + 1"),
    "three.py": "from small.kernels import (\n    two as t,\n)\n" + BASE + OTHER.format("three", "t.two(number) + 1"),
    "apart.py": BASE + OTHER.format("apart", "-number"),
}
LIST_COMPILED = """
import sys
from pathlib import Path
from numba.core import event
from gotools.jit import kernel_cache, linking
kernel_cache.SHIPPED, linking.LARGE = Path(sys.argv[1]), int(sys.argv[2])
with event.install_recorder("numba:compile") as recorder:
    from small.kernels.apart import apart
    from small.kernels.three import three
    print(three(1), apart(1))
print(*sorted({seen.data["dispatcher"].py_func.__name__ for _, seen in recorder.buffer}))
"""


def compiled(root, cache, shipped="", large=0):
    """Return what `three` and `apart` of the package `small` say, and what was compiled for it.

    shipped -- folder of kernels that a wheel has brought
    large   -- lines beyond which they are called, not copied: 0 for all
    """
    done = subprocess.run(
        [sys.executable, "-c", LIST_COMPILED, str(shipped), str(large)],
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{PACKAGE.parent}", "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def package_of_three(root):
    folder = root / "small" / "kernels"
    folder.mkdir(parents=True)
    for name, text in PACKAGE_OF_THREE.items():
        (folder / name).write_text(text)
    return folder


@pytest.mark.smoke
@pytest.mark.system
def test_an_edit_compiles_what_imports_the_file_anew_and_nothing_else(tmp_path):
    here, there = package_of_three(tmp_path / "here"), package_of_three(tmp_path / "there")
    for path in there.iterdir():
        os.utime(path, (1, 1))
    cache = tmp_path / "cache"
    assert compiled(here.parents[1], cache) == ["4 -1", "apart one three two"]
    assert compiled(there.parents[1], cache) == ["4 -1", ""]
    (there / "two.py").write_text(PACKAGE_OF_THREE["two.py"].replace("+ 1", "+ 10"))
    assert compiled(there.parents[1], cache) == ["13 -1", "three two"]
    for path in cache.rglob("*.nb[ic]"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert compiled(here.parents[1], cache) == ["4 -1", "apart one three two"], "damaged files"


@pytest.mark.parametrize(("large", "anew"), [(0, "one"), (10_000, "")])
@pytest.mark.system
def test_a_damaged_kernel_is_compiled_anew_where_it_is_called_and_its_callers_are_not(tmp_path, large, anew):
    root, cache = package_of_three(tmp_path / "here").parents[1], tmp_path / "cache"
    assert compiled(root, cache, large=large) == ["4 -1", "apart one three two"]
    (path,) = cache.rglob("one*.nbc")
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert compiled(root, cache, large=large) == ["4 -1", anew]
    assert compiled(root, cache, large=large) == ["4 -1", ""]


def test_a_kernel_that_has_gone_is_not_called():
    with pytest.raises(OSError, match="is not the one that was called"):
        linking.Load("gotools.jit", "none", ())()


@pytest.mark.system
def test_kernels_of_a_wheel_are_taken_where_they_fit(tmp_path):
    folder, shipped, cache = package_of_three(tmp_path / "here"), tmp_path / "shipped", tmp_path / "cache"
    compiled(folder.parents[1], shipped)
    assert compiled(folder.parents[1], cache, shipped / "kernels") == ["4 -1", ""]
    assert not list(cache.rglob("*.nb?"))
    (folder / "two.py").write_text(PACKAGE_OF_THREE["two.py"].replace("+ 1", "+ 10"))
    assert compiled(folder.parents[1], cache, shipped / "kernels") == ["13 -1", "three two"], "stale"
    for path in shipped.rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    (folder / "two.py").write_text(PACKAGE_OF_THREE["two.py"])
    assert compiled(folder.parents[1], tmp_path / "other", shipped / "kernels") == ["4 -1", "apart one three two"]


def test_modules_that_are_compiled_for_wide_vectors_are_there():
    assert all(map(importlib.import_module, target.WIDE))


def test_what_was_not_used_for_longest_is_forgotten(clean, monkeypatch):
    monkeypatch.setattr(kernel_cache, "KEPT", 2)
    folder = kernel_cache.cache_folder()
    for day, name in enumerate(("c", "a", "b")):
        (folder / name / "inside").mkdir(parents=True)
        os.utime(folder / name, (day, day))
    (folder / "warm-stamp").touch()
    kernel_cache._forget_oldest.__wrapped__()
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b", "warm-stamp"]


def test_every_import_of_a_kernel_file_is_found():
    for module in {module for module, _, _ in kernel_marks()}:
        file = str(importlib.import_module(module).__file__)
        found = kernel_cache._read(file)[1]
        for node in nodes(Path(file)):
            if isinstance(node, ast.ImportFrom) and "kernels" in str(node.module).split("."):
                assert all({node.module, f"{node.module}.{alias.name}"} & set(found) for alias in node.names), file


SCRIPT = """
import sys
from gotools.jit import compiling
compiling.quiet = "-q" in sys.argv
from gotools.games.go.points import vertex
assert "numba" not in sys.modules
from gotools.games.go.kernels.rules import pad
print(pad(10, 9))
"""


def run(*args, script=SCRIPT, **env):
    done = subprocess.run(
        [sys.executable, "-c", script, *args],
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), **env},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "42\n"
    return done.stderr


@pytest.mark.system
def test_the_notice_comes_once_and_not_when_quiet(tmp_path):
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    assert "compiling kernels" in run(NUMBA_CACHE_DIR=one)
    assert run(NUMBA_CACHE_DIR=one) == ""
    assert run("-q", NUMBA_CACHE_DIR=two) == ""
    assert any(Path(two).rglob("*.nbi"))
    more = SCRIPT + "from gotools.games.go.kernels.rules import unpad; unpad(42, 9)\n"
    assert "compiling kernels" in run(script=more, NUMBA_CACHE_DIR=one), "one that the folder lacks"


@pytest.mark.system
def test_kernels_run_as_plain_python(tmp_path):
    assert run(NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=str(tmp_path / "none")) == ""
    assert not (tmp_path / "none").exists()


COMPILED = """
import gc, time
from gotools.jit import compiling
begun, real = compiling.working_time(), time.monotonic()
from gotools.games.tictactoe.kernels.rules import after, legal, start
from numba.core import types
assert compiling.spent() == 0.0 and not legal.overloads, "a seam is compiled when it is imported"
import numpy as np
state, moves = np.zeros(16, np.int32), np.zeros(9, np.int32)
start(state, 3)
assert legal(state, moves) == 9
after(state, moves[0], state.copy())          # int32
after(state, np.uint8(4), state.copy())
assert len(after.overloads) == 1, after.overloads
assert compiling.spent() > 0.0 and gc.isenabled()
assert compiling.working_time() - begun < time.monotonic() - real - 0.9 * compiling.spent() + 0.01
print(42)
"""


@pytest.mark.system
def test_a_seam_is_compiled_once_when_it_is_used_and_the_working_clock_stands_still(tmp_path):
    run(script=COMPILED, NUMBA_CACHE_DIR=str(tmp_path))


def test_whole_numbers_of_all_types_are_one_signature():
    def double(number):
        return 2 * number

    twice: Any = jit.inner(double)

    def four(narrow, byte, wide):
        return twice(narrow[0]) + twice(byte[0]) + twice(wide[0]) + twice(3)

    sums: Any = jit.kernel(four)

    for function in (twice, sums):
        function._cache = NullCache()
    numbers = [np.array([5], kind) for kind in (np.int16, np.uint8, np.int64)]
    assert sums(*numbers) == 36
    assert [str(signature) for signature in twice.signatures] == ["(int64,)"]


def test_python_is_kept_out_of_inner_kernels():
    @jit.inner
    def inside(number):
        return number

    with pytest.raises(TypeError, match="inside is for kernels only"):
        inside(1)


def kernel_marks():
    """Yield module and name of every function in a kernel file, and its decorator."""
    for path in PACKAGE.rglob("kernels/*.py"):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for node in parsed(path).body:
            if isinstance(node, ast.FunctionDef):
                yield module, node.name, [ast.unparse(mark) for mark in node.decorator_list]


def test_no_python_file_refers_to_an_inner_kernel():
    inner = {(module, name) for module, name, marks in kernel_marks() if {"inner", "unrolled"}.intersection(marks)}
    assert len(inner) > 200
    modules = {module for module, _ in inner}
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.parent.glob("bench/*.py")]:
        if path.parent.name == "kernels":
            continue
        named = {}
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    assert (node.module, alias.name) not in inner, f"{path}: {alias.name} is an inner kernel"
                    if f"{node.module}.{alias.name}" in modules:
                        named[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        for node in nodes(path) if named else ():
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in named:
                assert (named[node.value.id], node.attr) not in inner, f"{path}:{node.lineno}: {node.attr} is inner"
