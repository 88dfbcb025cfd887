"""`gotools order-bench --game`: values against plain minimax, orders of the game itself, and what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from support.examples import decisions
from support.slow_search import UNIT, minimax
from support.written_json import read_json

import gotools
from gotools.cli import run
from gotools.engines.players import new_player
from gotools.files.kinds import Kind, kind_of
from gotools.files.opening import head_of
from gotools.files.tables import read_header
from gotools.game.choice import Limits
from gotools.game.game import Game, find_game
from gotools.game.history import History
from gotools.values.weights.evaluator import load_evaluator
from gotools.values.weights.weights_file import Weights, save_weights

CONNECT4, TICTACTOE = find_game("connect4"), find_game("tictactoe")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Beginnings of random games, and weights of random numbers."""
    folder, rng, chance = tmp_path_factory.mktemp("made"), np.random.default_rng(2), random.Random(7)
    for game, plies in ((CONNECT4, 12), (TICTACTOE, 5)):
        with (folder / f"{game.name}.jsonl").open("w") as out:
            for number in range(3):
                state, moves = game.position(), list[str]()
                while len(moves) < plies and (legal := game.moves_of(state)):
                    move = chance.choice(legal)
                    moves.append(game.move_text(move, game.sizes[0]))
                    state = game.play(state, move)
                out.write(json.dumps({"game": game.name, "moves": moves, "id": f"g{number}"}) + "\n")
    for name, inputs in (("connect4", 42), ("tictactoe", 9)):
        network, size = rng.normal(0.0, 0.3, inputs), find_game(name).sizes[0]
        save_weights(folder / f"{name}.npz", Weights(name, size, 0.0, "raw", "linear", 5, network, np.ones(inputs)))
    (folder / "clusters.tsv").write_text("##gotools clusters 2\n##game=shogi\nstage\tkind\tgood\tbad\ttypical\n")
    (folder / "rules.pl").write_text("%% gotools rules 1\nrule(r1, 1, 0, 1.0).\nmove(A,B,C,D) :- stage(A,open).\n")
    return folder


def bench(*arguments: object) -> int:
    return run(["order-bench", "-q", *map(str, arguments)])


def evaluation(game: Game, weights: Path | None) -> Callable[[NDArray[np.int32]], float]:
    if weights is not None:
        found = load_evaluator(weights, game.name)
        return lambda state: game.decided * found.evaluate(state, found.numbers)
    heuristic = game.find_heuristic()
    assert heuristic is not None
    return lambda state: game.decided * heuristic.evaluate(state, heuristic.numbers)


@pytest.mark.parametrize("game", [CONNECT4, TICTACTOE], ids=lambda game: game.name)
@pytest.mark.parametrize("learned", [False, True])
def test_values_are_those_of_minimax_in_every_order(
    made: Path, capfd: pytest.CaptureFixture[str], game: Game, learned: bool
) -> None:
    """The evaluation counts as much as the least victory at most; moves lead to the value that is stated."""
    weights = made / f"{game.name}.npz" if learned else None
    options = [made / f"{game.name}.jsonl", "--game", game.name, "--depth", 3, "--positions", 9]
    options += ["--eval", weights] if weights else []
    options += ["--order", "centre"] if game.learning.orders else []
    assert bench(*options) == 0
    lines = capfd.readouterr().out.splitlines()
    values, _, taken = read_header(lines, "order-bench", 2)
    assert values["game"] == game.name and "komi" not in values and values["positions"] == "9"
    rows = [line.split("\t") for line in lines[taken:] if not line.startswith("all\t")]
    orders = {"history", *game.learning.orders}
    assert {row[1] for row in rows} == orders and len(rows) == 9 * len(orders)
    every = decisions([made / f"{game.name}.jsonl"], game, pytest.fail)
    states = {name: every.state(row) for row, name in enumerate(every.id)}
    evaluate = evaluation(game, weights)
    for name, _, _, _, _, value, move in rows:
        state = states[name]
        expected = minimax(game, state, 3, evaluate).value
        assert round(float(value) * UNIT) == pytest.approx(expected, abs=1), name
        after = game.play(state, game.parse_move(move, game.sizes[0]))
        assert -minimax(game, after, 2, evaluate).value == pytest.approx(expected, abs=1)


def test_the_centre_first_saves_positions_in_a_single_search(made: Path) -> None:
    found = gotools.compare_orders(made / "connect4.jsonl", ["centre"], depth=6, deepening=0, game="connect4")
    history, centre = found.totals
    assert (history.order, centre.order) == ("history", "centre") and history.positions == 36
    assert centre.nodes < 0.8 * history.nodes and centre.same_value == 36


def test_the_count_does_not_depend_on_the_number_of_threads(made: Path) -> None:
    one, two = (
        gotools.compare_orders(made / "connect4.jsonl", ["centre"], depth=4, game="connect4", positions=9, jobs=jobs)
        for jobs in (1, 2)
    )
    assert [[(s.id, s.nodes, s.move) for s in row] for row in one.searches] == [
        [(s.id, s.nodes, s.move) for s in row] for row in two.searches
    ]


def test_json_is_known_for_what_it_is(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    assert bench(made / "tictactoe.jsonl", "--game", "tictactoe", "--depth", 2, "-o", out) == 0
    assert kind_of(head_of(out)) is Kind.orders
    assert read_json(out.read_text())["settings"]["game"] == "tictactoe"


def test_a_player_may_search_by_an_order_of_the_game() -> None:
    start, limits = History.start(CONNECT4, 7), Limits(depth=7)
    plain, centre = (
        new_player("connect4", order=order, evaluation="none").choose(start, limits) for order in (None, "centre")
    )
    assert plain.value == centre.value and centre.nodes != plain.nodes


def test_the_library_ranks_moves_as_the_command_does(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    records, weights = made / "connect4.jsonl", made / "connect4.npz"
    assert run(["rank-moves", "-q", str(records), "--game", "connect4", "--eval", str(weights), "--top", "2"]) == 0
    rows = [line.split("\t") for line in capfd.readouterr().out.splitlines() if "\t" in line][1:]
    found = list(gotools.rank_moves(records, evaluation=weights, game="connect4", top=2))
    texts = [
        (one.id, text, f"{score:.4f}") for one in found for text, score in zip(one.vertices, one.scores, strict=True)
    ]
    assert texts == [(row[0], row[2], row[3]) for row in rows] and len(found) == 36
    assert [one.size for one in found] == [7] * 36 and found[0].to_play == 1
    with pytest.raises(gotools.GotoolsError, match="rules of go, not of connect4"):
        next(gotools.rank_moves(records, made / "rules.pl", weights, game="connect4"))


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("--order rules.pl", 1, "rules.pl: rules of go, not of connect4"),
        ("--order clusters.tsv", 1, "clusters.tsv:2: clusters of the game shogi; expected connect4"),
        ("--order center", 1, "center: No such file, and not an order of connect4; did you mean 'centre'?"),
        ("--order nothing.tsv", 1, "nothing.tsv: No such file, and not an order of connect4; there are centre"),
        ("--eval tictactoe.npz", 1, "weights for the game tictactoe, not for connect4 (--game tictactoe)"),
        ("--komi 3", 1, "--komi is for games that are counted"),
        ("--size 9", 1, "size and result wanted (games read: 3 of size 7)"),
        ("--eval connect4.npz --size 9", 2, "--eval has weights for size 7"),
    ],
)
def test_what_is_refused(
    made: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    line: str, code: int, message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(made)
    assert bench("connect4.jsonl", "--game", "connect4", "--depth", 1, *line.split(), "-o", "never.tsv") == code
    error = capfd.readouterr().err
    assert message in error and "Traceback" not in error and not (made / "never.tsv").exists()
