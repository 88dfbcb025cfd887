"""The sdist holds the whole project, and the wheel runs the chain in an environment of its own."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from support.needs import ROOT

import gotools

OF_SETUPTOOLS = {"PKG-INFO", "setup.cfg"}
"""Files of an sdist that no checkout has; gotools_games.egg-info too."""

pytestmark = pytest.mark.skipif(
    int(version("setuptools").partition(".")[0]) < 77, reason="building needs setuptools 77: pip install -e '.[dev]'"
)


def tracked() -> set[str]:
    """Return the paths of the project's files: those that git tracks, or all of an unpacked sdist."""
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return {path for path in done.stdout.split("\0") if path and (ROOT / path).is_file()}
    listed = (ROOT / "gotools_games.egg-info/SOURCES.txt").read_text(encoding="utf-8").split("\n")
    return {path for path in listed if path and not path.startswith("gotools_games.egg-info/")} - OF_SETUPTOOLS


def build(what: str, source: Path, target: Path) -> Path:
    """Build an sdist or a wheel with the setuptools of this environment: no network, no build environment."""
    target.mkdir()
    code = f"import sys; from setuptools import build_meta as b; print(b.build_{what}(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, target], cwd=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "deprecat" not in done.stderr.lower(), done.stderr
    return target / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist from a copy of the project, so that nothing is left in it."""
    folder = tmp_path_factory.mktemp("sdist")
    for path in tracked():
        (folder / "copy" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / "copy" / path)
    return build("sdist", folder / "copy", folder / "dist")


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the sdist, as package managers do."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return build("wheel", source, folder / "dist")


@pytest.mark.slow
def test_the_sdist_holds_every_file_of_the_project(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    held = {path for path in held if not path.startswith("gotools_games.egg-info/")} - OF_SETUPTOOLS
    assert held == tracked()


@pytest.mark.slow
def test_the_wheel_holds_the_package_its_licence_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (metadata,) = (name for name in names if name.endswith("/METADATA"))
        about = archive.read(metadata).decode()
    assert {name for name in names if ".dist-info/" not in name} == {p for p in tracked() if p.startswith("gotools/")}
    assert "License-Expression: MIT\n" in about and "License-File: LICENSE\n" in about
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Summary: {project['description']}\n" in about


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an empty environment; returns its `bin`.

    The libraries that gotools needs are those of this environment: a .pth file names their folder, and Python then
    reads no .pth file in that folder, such as the one of an editable gotools. So the network is not needed.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    install: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel]
    subprocess.run(install, check=True, env=own_environment(folder))
    own = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    Path(own, "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


def own_environment(folder: Path) -> dict[str, str]:
    """Return the variables of a shell that knows nothing of the checkout, with a cache of its own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA", "XDG"))}
    return clean | {"NUMBA_CACHE_DIR": str(folder), "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.slow
def test_the_chain_runs_from_the_wheel_alone(installed: Path, tmp_path: Path) -> None:
    for name in ("games", "test-games"):
        shutil.copytree(ROOT / "examples" / name, tmp_path / name)
    environment = own_environment(installed.parent)

    def run(command: str, stdin: str = "") -> str:
        words = shlex.split(command)
        done = subprocess.run(words, cwd=tmp_path, env=environment, input=stdin, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = Path(run("python -c 'import gotools; print(gotools.__file__)'").strip())
    assert where.is_relative_to(installed.parent)
    assert run("gotools --version") == f"gotools {gotools.__version__}\n"
    run("gotools sgf-to-examples games -o rows.tsv.gz")
    run("gotools induce-patterns rows.tsv.gz --objective rank --max-rules 20 -o rules.pl")
    run("gotools compile-patterns rules.pl -o rules.so")
    ranking = run("gotools rank-moves test-games --rules rules.so").splitlines()
    played = [row.split("\t") for row in ranking if not row.startswith("#")]
    assert len(played) > 20_000
    answers = run("gotools gtp --rules rules.so --nodes 100", "boardsize 9\ngenmove b\ngotools-explain\nquit\n")
    answer = answers.split("\n\n")[1]
    assert answer.startswith("= ") and len(answer) == 4 and "100 playouts" in answers
