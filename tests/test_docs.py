"""What README, docs and help texts say is true: commands are named, examples can be read, marked lines of shell run."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from gotools.cli import app
from gotools.go.examples import read_examples
from gotools.patterns.rules import read_rules

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
HEAVY = ("numba", "numpy", "pyswip", "rich", "scipy", "sgfmill", "sklearn")
FENCE = re.compile(r"^(?P<mark><!-- run -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str, bool]]:
    """Return kind, text and run mark of every fenced block of a page."""
    found = FENCE.finditer(page.read_text(encoding="utf-8"))
    return [(block["kind"], block["text"], bool(block["mark"])) for block in found]


def only_block(kind: str) -> str:
    """Return the one block of a kind in docs/formats.md."""
    (text,) = [text for found, text, _ in blocks(ROOT / "docs/formats.md") if found == kind]
    return text


def run(*command: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_stands_in_the_readme_and_its_help_ends_in_an_example(command: str) -> None:
    assert f"`gotools {command}`" in (ROOT / "README.md").read_text(encoding="utf-8")
    shown = run("gotools", command, "--help")
    assert shown.returncode == 0, shown.stderr
    assert re.search(r"\bstreams?\b|\breads all\b", shown.stdout, re.IGNORECASE), "say whether it streams or reads all"
    last = shown.stdout.strip().splitlines()[-4:]
    assert any(f"gotools {command}" in line for line in last), "end the help with an example"


def test_the_readme_names_only_commands_that_exist() -> None:
    named = set(re.findall(r"`gotools ([a-z]+(?:-[a-z]+)*)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert named == set(COMMANDS)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, gotools.cli; code = gotools.cli.run(['--help']); "
        f"print(code, [name for name in {HEAVY} if name in sys.modules])"
    )
    shown = run(sys.executable, "-c", code)
    assert shown.stdout.splitlines()[-1] == "0 []", shown.stdout + shown.stderr


def test_the_example_of_a_table_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "examples.tsv"
    path.write_text(only_block("tsv"), encoding="utf-8")
    examples = read_examples([path])
    assert len(examples) >= 3
    assert set(examples.label.tolist()) == {0, 1}


def test_the_example_of_rules_can_be_read() -> None:
    rules = read_rules(only_block("prolog").splitlines(), "formats.md")
    assert len(rules.rules) >= 2
    assert rules.header


def test_the_example_of_metrics_can_be_read() -> None:
    metrics = json.loads(only_block("json"))
    wanted = {"positions", "top1", "top3", "top5", "top10", "top20", "log_likelihood", "no_rule_fired"}
    assert metrics["test"].keys() >= wanted
    assert metrics["baselines"].keys() == {"chance", "centre_first", "near_last_move"}
    assert metrics.keys() >= {"rules", "clauses_searched", "seconds"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(mark for *_, mark in blocks(page))], ids=lambda p: p.name
)
def test_the_marked_lines_of_a_page_run(page: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    script = "\n".join(text for _, text, mark in blocks(page) if mark)
    done = run("bash", "-euo", "pipefail", "-c", script, folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_pipeline_and_the_make_rules_of_the_examples_name_the_same_steps() -> None:
    texts = [(ROOT / "examples" / name).read_text(encoding="utf-8") for name in ("pipeline.sh", "Makefile")]
    for command in COMMANDS:
        assert all(command in text for text in texts), f"{command} is missing in examples/"
