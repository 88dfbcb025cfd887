"""Networks over pieces: valued against slow twins, learned, kept and resumed, played with and shown."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from support import plain_shogi

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.cli import run
from gotools.game.game import Game, find_game
from gotools.game.learning import Pieces
from gotools.games.shogi.board import read_sfen, write_sfen
from gotools.jit.kernels.seams import ONGOING, TO_PLAY
from gotools.library.values import train
from gotools.values.pieces.kernels.learning import learn
from gotools.values.pieces.pieces import PieceWeights
from gotools.values.weights.evaluator import Evaluator
from gotools.values.weights.weights_file import Weights, load_weights, save_weights

GAMES = "tictactoe", "connect4", "abalone", "shogi"
OTHER = "other's"
SMALL = {"game": "connect4", "features": "pieces", "nodes": 20, "seed": 3}


def weights_of(name: str, network: str = "mlp:8", seed: int = 1) -> Weights:
    """Weights of a network that has learned nothing, with numbers in all places."""
    game = find_game(name)
    count = len(PieceWeights(game, game.sizes[0], network).packed)
    drawn = np.random.default_rng(seed).uniform(-0.2, 0.2, count).astype(np.float32)
    return Weights(name, game.sizes[0], 0.0, "pieces", network, 0, drawn)


def positions(game: Game, count: int, seed: int = 2) -> list[np.ndarray]:
    rng, found = random.Random(seed), list[np.ndarray]()
    while len(found) < count:
        state = game.position()
        for _ in range(rng.randrange(60)):
            state = game.play(state, rng.choice(game.moves_of(state)))
            if game.outcome(state) != ONGOING:
                break
        else:
            found.append(state)
    return found


def seen(game: Game, state: np.ndarray, side: int) -> list[str]:
    """The labels of the weights that a side adds up, read from the board as text."""
    if game.name != "shogi":
        cells = {"abalone": 61, "connect4": 42, "tictactoe": 9}[game.name]
        labels = game.need(Pieces).labels(game.sizes[0])
        names = [label.rpartition(" ")[2] for label in labels[:cells]]
        whose = {name: owner for name, owner in zip(names, owners(game, state), strict=True) if owner}
        what = "marble" if game.name == "abalone" else "stone"
        return [
            f"{'own' if owner == side else OTHER} {what} on {turned(game, name, side)}" for name, owner in whose.items()
        ]
    board = plain_shogi.read(write_sfen(state))
    if side == 2:
        board = plain_shogi.read(plain_shogi.turned(write_sfen(state)))
    (king,) = (square for square, piece in board.board.items() if piece == (1, "K"))
    found = []
    for square, (owner, piece) in board.board.items():
        who = "own" if owner == 1 else "other's"
        found.append(f"{who} {piece} on {plain_shogi.name(square)}")
        if (owner, piece) != (1, "K"):
            right, ahead = king[0] - square[0], king[1] - square[1]
            found.append(f"{who} {piece} {ahead:+d} ahead, {right:+d} right of the own king")
    for who, hand in zip(("own", "other's"), board.hands, strict=True):
        found += [f"{who} {count} {letter} in hand" for letter, count in hand.items() if count]
    return found


def owners(game: Game, state: np.ndarray) -> list[int]:
    """The side that has each cell, 0 for none, in the order of the labels."""
    drawn = {"X": 1, "O": 2, ".": 0}
    if game.name == "tictactoe":
        rows = [[drawn[sign] for sign in line if sign in drawn] for line in game.draw(state).splitlines()]
        rows = [row for row in rows if row]
        return [side for row in rows[::-1] for side in row]
    if game.name == "connect4":
        rows = [[drawn[sign] for sign in line if sign in drawn] for line in game.draw(state).splitlines()]
        rows = [row for row in rows if row][::-1]
        return [rows[row][column] for column in range(7) for row in range(6)]
    from gotools.games.abalone.kernels.rules import marbles_of

    marbles = [int(marbles_of(state, side)) for side in (1, 2)]
    return [next((side for side in (1, 2) if marbles[side - 1] >> cell & 1), 0) for cell in range(61)]


def turned(game: Game, name: str, side: int) -> str:
    """The name of a cell as a side sees it; side 2 of Abalone sees the board turned."""
    if game.name != "abalone" or side == 1:
        return name
    row, column = "ABCDEFGHI".index(name[0]), int(name[1]) - 1
    return f"{'ABCDEFGHI'[8 - row]}{9 - column}"


@pytest.mark.parametrize("network", ["linear", "mlp:8", "mlp:16"])
@pytest.mark.parametrize("name", GAMES)
def test_a_value_is_what_its_weights_say_of_the_pieces(name: str, network: str) -> None:
    game, weights = find_game(name), weights_of(name, network)
    evaluator, labels = Evaluator(weights), find_game(name).need(Pieces).labels(find_game(name).sizes[0])
    place = {label: i for i, label in enumerate(labels)}
    assert len(place) == len(labels)
    width = 1 if network == "linear" else int(network.removeprefix("mlp:"))
    head, table = np.split(weights.weights.astype(float), [1 + 3 * (width - 1)])
    table = table.reshape(-1, width)
    for state in positions(game, 12):
        side = int(state[TO_PLAY])
        own, other = (table[[place[label] for label in seen(game, state, who)]].sum(axis=0) for who in (side, 3 - side))
        units = [np.clip(sums[1:] + head[1:width], 0, 1) for sums in (own, other)]
        total = head[0] + own[0] - other[0] + np.concatenate(units) @ head[width:]
        assert evaluator.value(state) == pytest.approx(math.tanh(total), abs=1e-5)


def test_a_side_without_a_king_has_a_value() -> None:
    """As in problems of mate, where the attacker has none."""
    assert -1 <= Evaluator(weights_of("shogi")).value(read_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")) <= 1


def test_weights_move_by_the_slope_of_the_loss() -> None:
    """The squares that are kept are those of the slopes, which differences of the loss tell too."""
    rng = np.random.default_rng(4)
    parts = np.array([[0, 3], [1, -1], [2, 3]], np.int32)
    rows, counts = np.array([[[0, 1], [2, 0]]], np.int32), np.array([2], np.int32)
    table, head = rng.uniform(-0.3, 0.3, (4, 8)).astype(np.float32), rng.uniform(-0.5, 0.5, 22)
    head[1:8] = 0.5
    target = np.array([0.8])

    def loss(table: np.ndarray, head: np.ndarray) -> float:
        return learn(rows, counts, target, parts, table.copy(), np.zeros_like(table), head.copy(), head * 0, 0.0)

    squares, head_squares = np.zeros_like(table), np.zeros_like(head)
    moved, moved_head = table.copy(), head.copy()
    learn(rows, counts, target, parts, moved, squares, moved_head, head_squares, 1e-4)
    assert loss(moved, moved_head) < loss(table, head)
    for i in range(len(head)):
        step = np.zeros(len(head))
        step[i] = 1e-4
        slope = (loss(table, head + step) - loss(table, head - step)) / 2e-4
        assert slope**2 == pytest.approx(head_squares[i], abs=1e-6)
        assert (moved_head[i] - head[i]) * slope <= 0
    for column in range(8):  # weight 1 belongs to one input of one view
        step = np.zeros_like(table)
        step[1, column] = 1e-2
        slope = (loss(table + step, head) - loss(table - step, head)) / 2e-2
        assert slope**2 == pytest.approx(squares[1, column], abs=2e-4)


def test_a_training_learns_to_win_at_tictactoe(tmp_path: Path) -> None:
    found = train(
        tmp_path / "eval.npz", game="tictactoe", features="pieces", games=640, heuristic_games=64, nodes=40, opening=4,
        referee_games=100, log=tmp_path / "log.tsv", seed=1,
    )  # fmt: skip
    assert found.path is not None
    rows = [line.split("\t") for line in (tmp_path / "log.tsv").read_text().splitlines() if line[:1] != "#"]
    at = {name: i for i, name in enumerate(rows[0])}
    assert float(rows[-1][at["random"]]) > 0.85
    assert float(rows[-1][at["held_out_loss"]]) < float(rows[1][at["held_out_loss"]]) + 0.05


def test_threads_and_interruptions_change_nothing(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    train(whole, **SMALL, games=256, heuristic_games=100, anneal=400, jobs=2)
    train(parts, **SMALL, games=128, heuristic_games=100, anneal=400)
    train(parts, games=256, resume=True)
    assert whole.read_bytes() == parts.read_bytes()


def test_a_checkpoint_with_other_games_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "eval.npz"
    train(path, **SMALL, games=64)
    found = load_weights(path)
    for name, change in (
        ("moves", lambda a: np.full_like(a, 0)),
        ("moves", lambda a: a[:-1]),
        ("length", lambda a: -a),
        ("targets", lambda a: a + 7),
    ):
        memory = {**found.memory, f"played_{name}": change(found.memory[f"played_{name}"])}
        save_weights(path, Weights(**{**{f: getattr(found, f) for f in found.__slots__}, "memory": memory}))
        with pytest.raises(GotoolsError, match="damaged"):
            train(path, games=128, resume=True)


def test_a_training_begins_with_other_weights_and_plays_by_them(tmp_path: Path) -> None:
    save_weights(tmp_path / "first.npz", weights_of("connect4"))
    train(tmp_path / "a.npz", **SMALL, games=64, start=tmp_path / "first.npz")
    save_weights(tmp_path / "other.npz", weights_of("tictactoe"))
    with pytest.raises(FileFormatError, match="weights for tictactoe"):
        train(tmp_path / "b.npz", **SMALL, games=64, start=tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--features", "pieces", "--network", "mlp:5"], "mlp:8 to mlp:64 by eights"),
        (["--features", "pieces", "--network", "mlp:8+bias"], "is no network over pieces"),
        (["--features", "pieces", "--network", "mlp:8,8"], "is no network over pieces"),
        (["--features", "pieces", "--method", "td"], "--method expert is that of --features planes and pieces"),
        (["--features", "raw", "--method", "expert"], "--method expert is that of --features planes and pieces"),
        (["--features", "pieces", "--alpha", "0.1,0.2"], "one learning rate"),
        (["--features", "pieces", "--epsilon", "0.1"], "means nothing"),
        (["--features", "pieces", "--game", "go"], "go has no features"),
    ],
)
def test_what_does_not_go_together_is_refused(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = [] if "--game" in options else ["--game", "connect4"]
    assert run(["train-eval", *game, *options, "-o", "never.npz", "-q"]) == 1
    assert said in " ".join(capsys.readouterr().err.split())
    assert not Path("never.npz").exists()


def test_a_player_uses_them_and_says_which_pieces_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "eval.npz")
    save_weights(path, weights_of("shogi"))
    assert run(["show", path, "--limit", "3"]) == 0
    assert "own king" in capsys.readouterr().out
    reasons = Evaluator(load_weights(path)).why(find_game("shogi").position(), 5)
    assert len(reasons) == 5 and all(" on " in reason.what or "in hand" in reason.what for reason in reasons)
    fewer = weights_of("shogi")
    with pytest.raises(FileFormatError, match="have 85,030"):
        save_weights(path, Weights("shogi", 9, 0.0, "pieces", "mlp:8", 0, fewer.weights[:-1]))
        load_weights(path)
