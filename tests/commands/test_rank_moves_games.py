"""`gotools rank-moves --game NAME --eval`: every value against boards of plain Python, and what is refused."""

from __future__ import annotations

import json
import math
import random
import re
from pathlib import Path

import numpy as np
import pytest
from support.small_game_engine import Connect4
from support.written_json import read_json

from gotools.cli import run
from gotools.files.tables import read_header
from gotools.game.game import find_game
from gotools.values.weights.evaluator import load_evaluator
from gotools.values.weights.weights_file import Weights, save_weights

CONNECT4 = find_game("connect4")
COLUMNS = ["id", "rank", "point", "score", "probability", "played", "rules", "value"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of small random numbers, and records of random games."""
    folder, rng, chance = tmp_path_factory.mktemp("made"), np.random.default_rng(2), random.Random(3)
    for name, game, size, inputs in (("c4", "connect4", 7, 42), ("ttt", "tictactoe", 3, 9), ("go", "go", 5, 25)):
        network = rng.normal(0.0, 0.3, inputs)
        save_weights(folder / f"{name}.npz", Weights(game, size, 0.0, "raw", "linear", 5, network, np.ones(inputs)))
    games = []
    for _ in range(8):
        twin, moves, side, winner = Connect4(), list[str](), 1, None
        while winner is None:
            moves.append(chance.choice(twin.legal()))
            twin.play(moves[-1], side)
            winner, side = twin.winner(side), 3 - side
        games.append(moves)
    lines = "".join(json.dumps({"game": "connect4", "moves": moves}) + "\n" for moves in games)
    (folder / "games.jsonl").write_text(lines)
    (folder / "one.sgf").write_text("(;GM[1001];B[4];W[4];B[3];W[4];B[2];W[1];B[5])")
    (folder / "go.sgf").write_text("(;SZ[5];B[cc])")
    return folder


def rank(made: Path, *arguments: str | Path) -> int:
    return run(["rank-moves", "-q", *map(str, arguments), "--game", "connect4", "--eval", str(made / "c4.npz")])


def values_of(made: Path, moves: list[str]) -> dict[str, float]:
    """Return the value of each legal move after some moves: the twin knows what is legal, and how it ends."""
    evaluator, twin, state = load_evaluator(made / "c4.npz", "connect4"), Connect4(), CONNECT4.position()
    for ply, move in enumerate(moves):
        twin.play(move, 1 + ply % 2)
        state = CONNECT4.play(state, int(move) - 1)
    found, side = {}, 1 + len(moves) % 2
    for move in twin.legal():
        after = Connect4()
        for ply, before in enumerate([*moves, move]):
            after.play(before, 1 + ply % 2)
        winner = after.winner(side)
        if winner is None:
            found[move] = -evaluator.value(CONNECT4.play(state, int(move) - 1))
        else:
            found[move] = {side: 1.0, 0: 0.0}.get(winner, -1.0)
    return found


def test_every_row_is_the_value_of_the_position_after_the_move(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert rank(made, made / "games.jsonl") == 0
    lines = capfd.readouterr().out.splitlines()
    header, columns, taken = read_header(lines, "ranking", 2)
    assert columns == COLUMNS and (header["game"], header["rules"]) == ("connect4", "0")
    assert header["eval"].startswith("raw linear size=7 komi=0 games=5 digest=")
    rows = iter(line.split("\t") for line in lines[taken:])
    ended = 0
    for number, line in enumerate((made / "games.jsonl").read_text().splitlines(), 1):
        moves = json.loads(line)["moves"]
        for ply, played in enumerate(moves):
            expected = values_of(made, moves[:ply])
            total = sum(math.exp(math.atanh(min(value, 1 - 1e-12))) for value in expected.values())
            before = math.inf
            for place in range(1, len(expected) + 1):
                name, at, point, score, probability, mark, fired, value = next(rows)
                assert name == (f"games:{ply + 1}" if number == 1 else f"games@{number}:{ply + 1}")
                assert (int(at), fired, mark) == (place, "-", "1" if point == played else "0")
                worth = expected.pop(point)
                assert float(value) == pytest.approx(worth, abs=5.1e-5)
                assert float(score) == pytest.approx(math.atanh(min(worth, 1 - 1e-12)), abs=1e-4)
                assert float(probability) == pytest.approx(math.exp(float(score)) / total, abs=1e-3)
                assert float(score) <= before
                before, ended = float(score), ended + (worth == 1.0)
    assert next(rows, None) is None and ended > 3


def test_top_metrics_and_jobs(made: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert rank(made, made / "games.jsonl") == 0
    whole = [line.split("\t") for line in capfd.readouterr().out.splitlines() if "\t" in line][1:]
    options = ["--top", "2", "--metrics", str(tmp_path / "m.json"), "--jobs", "2"]
    assert rank(made, made / "games.jsonl", *options) == 0
    first = [line.split("\t") for line in capfd.readouterr().out.splitlines() if "\t" in line][1:]
    assert first == [row for row in whole if int(row[1]) <= 2]
    found = read_json((tmp_path / "m.json").read_text())
    played = [row for row in whole if row[5] == "1"]
    assert found["test"]["positions"] == len(played)
    assert found["test"]["top3"] == pytest.approx(sum(int(row[1]) <= 3 for row in played) / len(played))
    sums: dict[str, float] = {}
    for row in whole:
        sums[row[0]] = sums.get(row[0], 0.0) + math.exp(float(row[3]))
    likelihood = sum(float(row[3]) - math.log(sums[row[0]]) for row in played) / len(played)
    assert found["test"]["log_likelihood"] == pytest.approx(likelihood, abs=1e-3)
    moves = {row[0]: sum(other[0] == row[0] for other in whole) for row in played}
    assert found["baselines"]["chance"]["top1"] == pytest.approx(sum(1 / n for n in moves.values()) / len(moves))
    assert (
        found["baselines"].keys() == {"chance", "centre"}
        and found["rules"] == 0
        and found["eval"].startswith("raw linear")
    )


def test_explain_draws_the_board_and_gives_the_reasons_of_the_value(
    made: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert rank(made, made / "one.sgf", "--explain", "--top", "2") == 0
    text = capfd.readouterr().out
    blocks = re.split(r"\n\n(?=one:)", text)
    assert len(blocks) == 7 and blocks[3].startswith("one:4  w to play, played 4\n. . . . . . .\n")
    assert "\n. . X X . . .\n1 2 3 4 5 6 7\n\n  1. " in blocks[3]
    assert "(played)" in blocks[3] and re.search(r"\+0\.\d+    \d[a-f] [+-]1\n", blocks[3])
    won = re.search(r"  1\. (\d)    score  14\.\d+ .*\n +\+1\.000  value\n(?!  +[+-]0)", blocks[-1])
    assert won and won[1] == "5"


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("one.sgf --game connect4", 2, "name the rules: rules.pl or rules.so, or --eval"),
        ("one.sgf --game connect4 --eval c4.npz --rules r.pl", 1, "r.pl: No such file or directory"),
        ("one.sgf --game connect4 --eval c4.npz --digest ab", 2, "--digest: goes with --rules, a file"),
        ("one.sgf --game connect4 --eval ttt.npz", 1, "ttt.npz: weights for the game tictactoe, not for connect4"),
        ("go.sgf --eval c4.npz", 1, "c4.npz: weights for the game connect4, not for go (--game connect4)"),
        ("one.sgf --game chess --eval c4.npz", 2, "there is no game 'chess'"),
        (
            "one.sgf --game connect4 --eval c4.npz --size 9",
            1,
            "no game of the size and result wanted (games read: 1 of size 7)",
        ),
        ("go.sgf --game connect4 --eval c4.npz", 1, "go.sgf: no examples: no game could be read"),
        ("go.sgf --game connect4 --eval c4.npz --strict", 1, "go.sgf:1: GM[1] is not the game of connect4, GM[1001]"),
        ("one.sgf --eval go.npz", 1, "GM[1001] is not the game of Go"),
    ],
)
def test_what_is_refused(
    made: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    line: str, code: int, message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(made)
    assert run(["rank-moves", "-q", *line.split(), "-o", "never.tsv"]) == code
    error = capfd.readouterr().err
    assert message in error and "Traceback" not in error and not (made / "never.tsv").exists()
