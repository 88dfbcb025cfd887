"""The image and the recipe of examples/packaging name what pyproject.toml names; the image is built where it can."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from typing import Any

import pytest
import yaml
from jinja2 import Template
from support.needs import ROOT

from gotools import __version__

FOLDER = ROOT / "examples/packaging"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]


def recipe() -> dict[str, Any]:
    text = Template((FOLDER / "meta.yaml").read_text(encoding="utf-8")).render(PYTHON="python")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def without_spaces(packages: list[str]) -> set[str]:
    return {package.replace(" ", "") for package in packages}


def test_the_recipe_needs_what_the_package_needs() -> None:
    found = recipe()
    assert found["package"] == {"name": PROJECT["name"], "version": __version__}
    python = f"python{PROJECT['requires-python']}"
    assert without_spaces(found["requirements"]["run"]) == {python, *PROJECT["dependencies"]}
    assert without_spaces(found["requirements"]["host"]) == {python, "pip", *PYPROJECT["build-system"]["requires"]}
    assert found["build"]["entry_points"] == [f"{name} = {where}" for name, where in PROJECT["scripts"].items()]
    assert found["about"]["license"] == PROJECT["license"] and PROJECT["description"].startswith(
        found["about"]["summary"]
    )


def test_the_image_has_a_python_that_the_package_is_for_and_all_that_its_build_reads() -> None:
    text = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    pythons = set(re.findall(r"^FROM python:([\d.]+)-slim", text, re.MULTILINE))
    assert len(pythons) == 1 and f"Programming Language :: Python :: {pythons.pop()}" in PROJECT["classifiers"]
    lines = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    copied = {line[1:] for line in lines if line.startswith("!")}
    assert copied == {"gotools", "pyproject.toml", PROJECT["readme"], *PROJECT["license-files"]}


def docker_works() -> bool:
    return (
        shutil.which("docker") is not None and subprocess.run(["docker", "info"], capture_output=True).returncode == 0
    )


@pytest.mark.slow
def test_the_image_is_built_and_answers() -> None:
    if not docker_works():
        pytest.skip("docker does not work here")
    tag = "gotools-tested"
    build = ["docker", "build", "-f", str(FOLDER / "Dockerfile"), "-t", tag, str(ROOT)]
    assert subprocess.run(build).returncode == 0
    said = subprocess.run(["docker", "run", "--rm", tag, "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["gotools", __version__]
