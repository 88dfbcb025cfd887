"""docs/compiled-rules.md: its C and its Python program print what the page shows, and what gotools itself says."""

import re
import shutil
from pathlib import Path

import pytest
from support.examples import read_examples
from support.needs import ROOT
from support.pages import blocks, run

from gotools.rules.clauses.rules import load_rules
from gotools.rules.compiled.c_source import ABI
from gotools.rules.compiled.native import load_native
from gotools.rules.matching import Interpreted
from gotools.rules.weigh.accuracy import choices_of

PAGE = ROOT / "docs/compiled-rules.md"
TEXT = PAGE.read_text(encoding="utf-8")
PROGRAMS = ROOT / "examples/compiled"
HEADER = ROOT / "gotools/rules/compiled/gotools_rules.h"
pytestmark = pytest.mark.system
SHOWN = [text for kind, text, _ in blocks(PAGE) if kind == "text"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Run the marked blocks of the page; returns the folder that they work in and what they print."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(PROGRAMS, folder / "examples/compiled")
    script = "\n".join(text for _, text, mark in blocks(PAGE) if mark)
    done = run("bash", "-euo", "pipefail", "-c", script, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "out", done.stdout


def answers_of(*program: str, folder: Path, rows: str, moves: tuple[str, ...]) -> str:
    """Return what a program prints for a position with Black to play; moves -- ko, last, last2."""
    done = run(*program, "b", rows, *moves, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_prints_what_it_shows(made: tuple[Path, str]) -> None:
    digest, moves = SHOWN
    native = re.search(r"^It prints `(.*)`", TEXT, re.MULTILINE)
    assert native is not None
    assert made[1] == f"{digest}{moves}81 legal points\n{moves}{moves}{native[1]}\n"


def test_the_programs_print_the_same(made: tuple[Path, str]) -> None:
    folder, _ = made
    rows = (folder / "position.txt").read_text().strip().replace("\n", "/")
    for program in (("./top",), ("python3", "../examples/compiled/top.py")):
        assert answers_of(*program, folder=folder, rows=rows, moves=("-", "E4", "E6")) == SHOWN[1]


@pytest.mark.parametrize(
    "rows",
    [
        "/".join(["." * 9] * 9),
        "/".join(["." * 19] * 19),
        "X./.X",
        ".X/XX",
        "XX./O.X/.OX",
        "...../.XO../.XOO./..XX./.....",
    ],
)
def test_the_programs_print_the_same_of_other_positions(made: tuple[Path, str], rows: str) -> None:
    folder, _ = made
    for moves in (("-", "-", "pass"), ("B2", "B1", "A2")):
        of_c = answers_of("./top", folder=folder, rows=rows, moves=moves)
        assert answers_of("python3", "../examples/compiled/top.py", folder=folder, rows=rows, moves=moves) == of_c


@pytest.mark.parametrize("program", [("./top",), ("python3", "../examples/compiled/top.py")])
@pytest.mark.parametrize("rows", ["", "...", "../.", "./.", "/".join(["." * 20] * 20), "."])
def test_the_programs_refuse_what_is_no_board(made: tuple[Path, str], program: tuple[str, ...], rows: str) -> None:
    done = run(*program, "b", rows, "-", "-", "-", folder=made[0])
    assert done.returncode == 1
    assert done.stdout == ""


def test_the_output_is_what_the_rules_say_without_a_compiler(made: tuple[Path, str]) -> None:
    folder, _ = made
    rules = load_rules(folder / "rules.pl")
    assert SHOWN[0] == f"gotools-rules abi={ABI} digest={rules.digest}\n"
    choices = choices_of(read_examples([folder / "position.tsv"]))
    scores = Interpreted(rules).match(choices).scores([rule.weight for rule in rules.rules])
    points = choices.points.point.tolist()
    best = sorted(range(len(points)), key=lambda k: (-scores[k], points[k]))[:5]
    shown = [line.split("\t")[1:3] for line in SHOWN[1].splitlines()]
    columns = "ABCDEFGHJ"
    assert shown == [[f"{columns[points[k] % 9]}{points[k] // 9 + 1}", f"{scores[k]:.4f}"] for k in best]
    native = load_native(folder / "rules.so", rules.digest)
    assert native.score(choices.points)[0, points].tolist() == pytest.approx(scores.tolist())


def test_the_table_of_functions_is_the_header() -> None:
    declared = re.findall(r"^([a-z][\w ]* \**gotools_rules_\w+\(.*\));", HEADER.read_text(), re.MULTILINE)
    shown = re.findall(r"^\| `([^`]*gotools_rules_\w+\(.*\))` \|", TEXT, re.MULTILINE)
    assert shown == declared
    assert len(declared) == 9


def test_the_table_of_the_position_is_the_header() -> None:
    inside = HEADER.read_text().split("typedef struct {")[1].split("} gotools_position;")[0]
    declared = re.findall(r"^ +([^;]*);", inside, re.MULTILINE)
    fields = [f"{d.split(' ')[0]} {name}" for d in declared if "*" not in d for name in d.split(" ", 1)[1].split(", ")]
    shown = re.findall(r"^\| `((?:const uint8_t|int32_t) \*?\w+)` \|", TEXT, re.MULTILINE)
    assert shown == [d for d in declared if "*" in d] + fields


def test_the_python_program_knows_the_version_of_the_header() -> None:
    assert f"#define GOTOOLS_RULES_ABI {ABI}\n" in HEADER.read_text()
    assert f"\nABI, NONE, PASS = {ABI}, -1, -2\n" in (PROGRAMS / "top.py").read_text()
