"""The folder of compiled kernels: where it is, when it is new, and life without it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "_one.py").write_text("x = 1")
    (tmp_path / "b.py").write_text("y = 1")
    first = jit.sources_hash(tmp_path)
    (tmp_path / "b.py").write_text("y = 2")
    (tmp_path / "__init__.py").write_text("")
    assert jit.sources_hash(tmp_path) == first
    (tmp_path / "a" / "_one.py").write_text("x = 2")
    second = jit.sources_hash(tmp_path)
    (tmp_path / "a" / "_one.py").rename(tmp_path / "a" / "_two.py")
    assert len({first, second, jit.sources_hash(tmp_path)}) == 3


SCRIPT = """
import sys
from gotools import jit
jit.quiet = "-q" in sys.argv
from gotools.go.points import vertex
assert "numba" not in sys.modules
from gotools.go._kernels import pad
print(pad(10, 9))
"""


def run(*args, **env):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *args],
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


def test_a_command_can_announce_what_is_compiled_into_a_folder_that_exists(tmp_path):
    run(NUMBA_CACHE_DIR=str(tmp_path))
    script = (
        "from gotools import jit; jit.announce_compilation(); from gotools.go._kernels import pad, unpad; pad(10, 9)\n"
    )
    for more, told in (("", False), ("unpad(42, 9)", True), ("unpad(42, 9)", False)):
        done = subprocess.run(
            [sys.executable, "-c", script + more],
            env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("compiling kernels" in done.stderr) is told, done.stderr


def test_kernels_run_as_plain_python(tmp_path):
    assert run(NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=str(tmp_path / "none")) == ""
    assert not (tmp_path / "none").exists()
