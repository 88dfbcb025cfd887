"""The folder of compiled kernels: where it is, when it is new, and life without it."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import NullCache

from gotools import jit

PACKAGE = Path(jit.__file__).parent


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


def test_the_folder_lies_in_the_users_cache_and_is_new_once(clean):
    folder, new = jit.cache_folder()
    assert folder.parent == clean / "home" / ".cache" / "gotools"
    assert new
    assert jit.cache_folder() == (folder, False)
    assert folder.stat().st_mode & 0o077 == 0


def test_variables_choose_the_folder(clean, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(clean / "xdg"))
    assert jit.cache_folder()[0].parent == clean / "xdg" / "gotools"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(clean / "numba"))
    assert jit.cache_folder()[0].parent == clean / "numba"


def test_without_a_home_the_temporary_folder_serves(clean, monkeypatch):
    (clean / "file").write_text("")
    monkeypatch.setenv("HOME", str(clean / "file"))  # no folder can be made below a file, not even by root
    folder, new = jit.cache_folder()
    assert folder.is_relative_to(clean / "tmp")
    assert new
    assert jit.cache_folder() == (folder, False)


def test_a_temporary_folder_that_others_may_write_is_not_trusted(clean, monkeypatch):
    (clean / "file").write_text("")
    monkeypatch.setenv("HOME", str(clean / "file"))
    trap = clean / "tmp" / f"gotools-{os.getuid()}"
    trap.mkdir()
    trap.chmod(0o777)
    folder, new = jit.cache_folder()
    assert not folder.is_relative_to(trap)
    assert new


def test_the_hash_follows_every_kernel_file(tmp_path):
    (tmp_path / "a/kernels").mkdir(parents=True)
    (tmp_path / "a/kernels/one.py").write_text("x = 1")
    (tmp_path / "b.py").write_text("y = 1")
    first = jit.sources_hash(tmp_path)
    (tmp_path / "b.py").write_text("y = 2")
    (tmp_path / "__init__.py").write_text("")
    assert jit.sources_hash(tmp_path) == first
    (tmp_path / "a/kernels/one.py").write_text("x = 2")
    second = jit.sources_hash(tmp_path)
    (tmp_path / "a/kernels/one.py").rename(tmp_path / "a/kernels/two.py")
    assert len({first, second, jit.sources_hash(tmp_path)}) == 3


SCRIPT = """
import sys
from gotools import compiling
compiling.quiet = "-q" in sys.argv
from gotools.go.points import vertex
assert "numba" not in sys.modules
from gotools.go.kernels.rules import pad
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


def test_the_notice_comes_once_and_not_when_quiet(tmp_path):
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    assert "compiling kernels" in run(NUMBA_CACHE_DIR=one)
    assert run(NUMBA_CACHE_DIR=one) == ""
    assert run("-q", NUMBA_CACHE_DIR=two) == ""
    assert any(Path(two).rglob("*.nbi"))


def test_what_is_missing_in_a_folder_that_exists_is_announced_too(tmp_path):
    run(NUMBA_CACHE_DIR=str(tmp_path))
    more = SCRIPT + "from gotools.go.kernels.rules import unpad; unpad(42, 9)\n"
    assert "compiling kernels" in run(script=more, NUMBA_CACHE_DIR=str(tmp_path))
    assert run(script=more, NUMBA_CACHE_DIR=str(tmp_path)) == ""


@pytest.mark.system
def test_kernels_run_as_plain_python(tmp_path):
    assert run(NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=str(tmp_path / "none")) == ""
    assert not (tmp_path / "none").exists()


COMPILED = """
import gc, time
from gotools import compiling
begun, real = compiling.working_time(), time.monotonic()
from gotools.games.kernels.tictactoe import after, legal, start
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
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                yield module, node.name, [ast.unparse(mark) for mark in node.decorator_list]


def test_no_python_file_refers_to_an_inner_kernel():
    inner = {(module, name) for module, name, marks in kernel_marks() if {"inner", "unrolled"}.intersection(marks)}
    assert len(inner) > 200
    modules = {module for module, _ in inner}
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.parent.glob("bench/*.py")]:
        if path.parent.name == "kernels":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    assert (node.module, alias.name) not in inner, f"{path}: {alias.name} is an inner kernel"
                    if f"{node.module}.{alias.name}" in modules:
                        named[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in named:
                assert (named[node.value.id], node.attr) not in inner, f"{path}:{node.lineno}: {node.attr} is inner"
