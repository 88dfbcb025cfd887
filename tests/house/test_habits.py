"""The workflows, the hooks before a commit and the Makefile name the same checks, and only what there is."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import yaml
from support.needs import ROOT

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def made(*targets: str) -> str:
    """Return the commands that `make` would run for targets; raises where there is no such target."""
    command = ["make", "--dry-run", "--always-make", *targets]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def steps(workflow: dict[str, Any]) -> list[dict[str, str]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_targets_that_exist_with_pinned_actions(path: Any) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    commands = [step["run"] for step in steps(workflow) if "run" in step]
    assert commands and all(re.fullmatch(r"make [a-z-]+", command) for command in commands)
    made(*{command.split()[1] for command in commands})
    for step in steps(workflow):
        assert "run" in step or re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]), step
    assert all(job["timeout-minutes"] for job in workflow["jobs"].values())
    assert workflow["permissions"] == {"contents": "read"}


def test_every_push_is_checked_and_tested() -> None:
    (workflow,) = (yaml.safe_load(path.read_text(encoding="utf-8")) for path in WORKFLOWS)
    assert {"push", "pull_request"} <= set(workflow[True])  # YAML reads `on` as true
    always = [job for job in workflow["jobs"].values() if "if" not in job]
    ran = {step["run"] for job in always for step in job["steps"] if "run" in step}
    assert ran == {
        f"make {target}" for target in ("check", "site", "test", "system", "lowest", "demo", "quick", "package")
    }


def test_hooks_run_what_make_check_runs() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]  # nothing is downloaded
    hooks = [hook["entry"].replace(" --force-exclude", "") for hook in config["repos"][0]["hooks"]]
    checks = [
        line.replace(" --check", "") for line in made("check").splitlines() if re.match(r"\.venv/bin/(ruff|mypy)", line)
    ]
    assert hooks == checks and len(hooks) == 3


def test_every_target_is_explained_by_make_alone() -> None:
    command = ["make", "--no-print-directory"]  # under `make test` it would name its folder
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert {line.split()[1] for line in shown.splitlines()} == set(phony.split()) - {"help"}


STRANGER = re.compile(r"gotools\[|(?:\bpip|\bpipx|\buvx?)\b[^\n`#;&|]*\sgotools(?![-\w/.])")
"""Advice to install what the index has under the name gotools: a project of others."""


def test_what_we_install_is_ours() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] != "gotools" and list(project["scripts"]) == ["gotools"]
    command = ["git", "grep", "-I", "-z", "-l", "gotools"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.split("\0")
    pages = [path for path in listed if path and not path.endswith("test_habits.py")]
    assert not [(path, found[0]) for path in pages for found in STRANGER.finditer((ROOT / path).read_text("utf-8"))]


def test_a_library_that_the_package_imports_is_a_dependency_or_a_message_says_how_to_get_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    depends = {re.split(r"[^\w-]", line)[0] for line in project["dependencies"]}
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "gotools").rglob("*.py")]
    advised = set(" ".join(re.findall(r"`?pip install ([\w -]+)", "\n".join(texts))).split())
    imports = re.compile(r"^ *(?:import|from) (\w+)(?: *$|\.| as | import )", re.M)
    tops = {top for text in texts for top in imports.findall(text)} - set(sys.stdlib_module_names) - {"gotools"}
    brought = {"click", "dask", "llvmlite", "markupsafe", "referencing"}  # by typer, distributed, numba and so on
    names = {{"sklearn": "scikit-learn"}.get(top, top.replace("_", "-")) for top in tops - brought}
    assert names <= {name.replace("_", "-") for name in depends | advised}
