"""CONTRIBUTING.md leads to places that exist, and a game that is added as it says runs wherever games do."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator
from functools import reduce
from operator import xor
from pathlib import Path

import numpy as np
import pytest
from games import test_games
from nim_game import NIM
from numpy.typing import NDArray
from support.declared import declared
from support.modules import nodes
from support.needs import ROOT

from gotools.cli import run
from gotools.game.choice import Limits
from gotools.games.go.inputs.move_features import MOVE_FEATURES
from gotools.games.go.vocabulary import MEASURE_OF
from gotools.search.alphabeta import AlphaBeta, AlphaBetaSettings
from gotools.search.knowledge import NO_EVALUATION, NO_ORDERING
from gotools.search.mcts import MonteCarlo
from gotools.values.weights.evaluator import Evaluator
from gotools.values.weights.weights_file import load_weights

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PLACE = re.compile(r"^\d+\. `([^`]+)`(?:, ((?:`\w+`(?:, | and )?)+))?", re.MULTILINE)
"""An item of a list of places: a path from the root, and names that stand in that file."""
CONTRACT = [
    function
    for name, function in vars(test_games).items()
    if name.startswith("test_") and any(test_games.CASES in mark.args for mark in getattr(function, "pytestmark", []))
]
WITH_FILES = {"test_a_random_game_is_as_it_was_when_written_down"}
"""Of the contract, what compares with a golden file, which the toy game does not have."""


@pytest.fixture(autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with declared(tmp_path_factory.mktemp("packages"), nim="nim_game:NIM", draughts="draughts_game.draughts:DRAUGHTS"):
        yield


def nim_sum(state: NDArray[np.int32]) -> int:
    """Return what Bouton's theorem (1901) looks at: the side to play wins where it is not 0."""
    return reduce(xor, state[2:].tolist())


def late_positions(count: int) -> list[NDArray[np.int32]]:
    """Return positions with at most six counters left, of games of random moves."""
    rng, found = random.Random(1), list[NDArray[np.int32]]()
    while len(found) < count:
        state = NIM.position()
        while (moves := NIM.moves_of(state)) and state[2:].sum() > 6:
            state = NIM.play(state, rng.choice(moves))
        found += [state] * bool(moves)
    return found


@pytest.mark.parametrize("place", PLACE.findall(PAGE), ids=lambda place: place[0])
def test_a_place_to_change_is_there(place: tuple[str, str]) -> None:
    path, names = ROOT / place[0], re.findall(r"`(\w+)`", place[1])
    example = re.sub(r"[A-Z]{3,}", "*", place[0])  # such as gotools/commands/NAME.py
    assert path.exists() or (example != place[0] and any(ROOT.glob(example))), path
    text = path.read_text(encoding="utf-8") if names else ""
    for name in names:
        assert re.search(rf"\b{name}\b", text), f"{place[0]} has no {name}"


def test_every_kind_of_addition_has_its_places() -> None:
    sections = re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert [title for title, text in sections if len(PLACE.findall(text)) >= 2] == [
        "A game", "A command", "A predicate", "A file format", "A feature set", "A GTP command", "A study",
    ]  # fmt: skip


def strings_of(path: Path) -> set[str]:
    """Return the texts of a Python file that stand in quotes."""
    return {node.value for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_a_measure_is_named_at_its_places_only() -> None:
    """Of the predicate's places one is a Python file that names it: what else needs it reads MEASURES there."""
    names = set(MEASURE_OF) - set(MOVE_FEATURES.names)  # features of the clusters that have the same names
    found = {path.relative_to(ROOT).as_posix() for path in (ROOT / "gotools").rglob("*.py") if names & strings_of(path)}
    assert found == {"gotools/games/go/vocabulary.py"}
    section = PAGE.split("### A predicate")[1].split("### ")[0]
    places = [path for path, _ in PLACE.findall(section)]
    assert len(places) <= 6 and "gotools/games/go/vocabulary.py" in places


@pytest.mark.parametrize("title", ["A game", "A file format"])
def test_a_game_and_a_file_format_have_three_places(title: str) -> None:
    section = PAGE.split(f"### {title}\n")[1].split("### ")[0]
    assert len(re.findall(r"^\d+\. ", section, re.MULTILINE)) == 3


def test_a_game_takes_at_most_80_lines() -> None:
    files = [path for path in (ROOT / "tests/support/nim_package").rglob("*") if path.suffix in (".py", ".toml")]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert 60 < len(lines) <= 80


@pytest.mark.parametrize("check", [check for check in CONTRACT if check.__name__ not in WITH_FILES])
@pytest.mark.parametrize(("name", "size"), [("nim", 7), ("draughts", 8)])
def test_games_of_other_packages_keep_the_contract_of_games(
    check: Callable[[str, int], None], name: str, size: int
) -> None:
    check(name, size)


def test_the_contract_is_whole() -> None:
    assert len(CONTRACT) >= 12 and {check.__name__ for check in CONTRACT} >= WITH_FILES


def test_alpha_beta_solves_the_toy_game() -> None:
    search = AlphaBeta(NIM, NO_ORDERING, NO_EVALUATION, AlphaBetaSettings(quiescence=0, table_bits=12))
    positions = late_positions(40)
    assert {nim_sum(state) == 0 for state in positions} == {True, False}
    for state in positions:
        choice = search.choose(state, NIM.moves_of(state), Limits(depth=6))
        assert choice.value == (1 if nim_sum(state) else -1), NIM.draw(state)
        assert not nim_sum(state) or nim_sum(NIM.play(state, choice.move)) == 0


def test_monte_carlo_finds_the_winning_moves_of_the_toy_game() -> None:
    search = MonteCarlo(NIM, NO_ORDERING, seed=1)
    for state in [state for state in late_positions(20) if nim_sum(state)]:
        choice = search.choose(state, NIM.moves_of(state), Limits(nodes=3000))
        assert nim_sum(NIM.play(state, choice.move)) == 0, NIM.draw(state)


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("td", ["--games", "320", "--alpha", "0.1"]),
        ("tdleaf", ["--games", "160", "--alpha", "0.1"]),
        ("evolve", ["--games", "600", "--parents", "4", "--matches", "4"]),
        ("climb", ["--games", "400"]),
    ],
)
def test_the_toy_game_can_be_learned(method: str, more: list[str], tmp_path: Path) -> None:
    weights = tmp_path / "eval.npz"
    command = ["train-eval", "--game", "nim", "--method", method, "--referee-games", "4", "-o", str(weights), "-q"]
    assert run([*command, *more]) == 0
    evaluator = Evaluator(load_weights(str(weights)))
    for state in late_positions(10):
        assert (evaluator.value(state) > 0) == (nim_sum(state) > 0), NIM.draw(state)


def test_records_of_the_toy_game_become_examples(tmp_path: Path) -> None:
    path, table = tmp_path / "games.jsonl", tmp_path / "examples.tsv"
    path.write_text('{"game": "nim", "moves": ["a7", "b3"], "id": "one"}\n')
    assert run(["sgf-to-examples", "-q", "--game", "nim", str(path), "-o", str(table)]) == 0
    rows = [line.split("\t")[:4] for line in table.read_text().splitlines()[3:]]
    assert rows == [["one:1", "b", "7 7 7 7 7 7 7", "a7"], ["one:2", "w", "0 7 7 7 7 7 7", "b3"]]
    again = tmp_path / "again.tsv"
    assert run(["sgf-to-examples", "-q", "--game", "nim", str(table), "-o", str(again)]) == 0
    assert again.read_bytes() == table.read_bytes()
