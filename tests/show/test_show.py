"""`gotools show`: what it says of each kind of file, against other readers; damaged and foreign files."""

from __future__ import annotations

import collections
import gzip
import itertools
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import forked
from support.every_kind import OURS
from support.random_clusters import random_clusters
from support.written_json import read_json

import gotools
from gotools.cli import run
from gotools.game.game import find_game
from gotools.games.go.board import Board
from gotools.values.td.tuples import find_tuples, random_tuples
from gotools.values.weights.evaluator import Evaluator
from gotools.values.weights.weights_file import Weights, load_weights, save_weights
from gotools.views.game_sizes import positions_of

FILES = ["run", *OURS]
GO = find_game("go")


@pytest.fixture(scope="module")
def folder(every_kind: Path) -> Path:
    return every_kind


def shown(path: Path, capfd: pytest.CaptureFixture[str], *options: str) -> str:
    assert run(["show", str(path), *options]) == 0
    done = capfd.readouterr()
    assert done.err == ""
    return done.out


def as_json(path: Path, capfd: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    found = read_json(shown(path, capfd, "--json", *options))
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_shown_in_bounds(folder: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    for limit in (0, 1, 20):
        text = shown(folder / name, capfd, "--limit", str(limit))
        words = max(map(len, text.split()))  # a path is not broken
        assert max(map(len, text.splitlines())) <= max(80, words) and "\x1b" not in text
        assert text.startswith(str(folder / name)[:20]) and len(text) < 12_000
        found = as_json(folder / name, capfd, "--limit", str(limit))
        lists = [part for part in found.values() if isinstance(part, dict) and part.keys() == {"total", "rows"}]
        assert all(len(part["rows"]) <= limit <= max(limit, part["total"]) for part in lists)


# weights --------------------------------------------------------------------------------------------------------------


def test_a_linear_network_input_by_input(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = as_json(folder / "lines.npz", capfd)
    weights = load_weights(folder / "lines.npz")
    labels = find_game("tictactoe").find_features("lines").labels(3)
    worth = dict(zip(labels, weights.weights * weights.scales, strict=True))
    rows = found["inputs"]["rows"]
    assert {row["input"]: row["product"] for row in rows} == pytest.approx(worth)
    assert [abs(row["product"]) for row in rows] == sorted(map(abs, worth.values()), reverse=True)
    assert (found["game"], found["size"], found["games"], found["resumable"]) == ("tictactoe", 3, weights.games, True)
    assert found["settings"] | {"features": "lines"} == {
        name: value for name, value in weights.settings.items() if name not in ("game", "size", "komi", "network")
    }
    assert "komi" not in found and found["kind"] == "a file of weights"


def test_the_inputs_of_a_network_with_hidden_units(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The input whose weights are large in one unit comes first; biases are no inputs."""
    labels = find_game("tictactoe").find_features("raw").labels(3)
    first = np.full((3, len(labels) + 1), 0.1)
    first[:, -1] = 100.0
    first[1, 4] = -3.0
    weights = np.concatenate([first.ravel(), np.ones(3)])
    scales = np.ones(len(labels))
    save_weights(tmp_path / "w", Weights("tictactoe", 3, 0.0, "raw", "mlp:3+bias", 5, weights, scales))
    rows = as_json(tmp_path / "w", capfd)["inputs"]["rows"]
    assert rows[0]["input"] == labels[4] and rows[0]["strength"] == pytest.approx((9 + 0.02) ** 0.5)
    assert {round(row["strength"], 9) for row in rows[1:]} == {round(0.03**0.5, 9)}


def test_patterns_are_drawn_as_the_evaluator_gives_its_reasons(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Each row's weight alone, on a board with its stones alone, is the share of the reason of that name."""
    weights = load_weights(folder / "eval.npz").weights
    rows = as_json(folder / "eval.npz", capfd, "--limit", "60")["patterns"]["rows"]
    order = np.argsort(-np.abs(weights))
    placed = 0
    for row, number in zip(rows, order, strict=False):
        assert row["weight"] == weights[number]
        if not (found := re.fullmatch(r"(\d)x\1 (?:at ([A-E])(\d)|anywhere): (.*)", row["pattern"])):
            assert row["pattern"] in ("to play", "komi")
            continue
        x, y = ("ABCDE".index(found[2]), int(found[3]) - 1) if found[2] else (0, 0)
        cells = np.zeros((5, 5), np.uint8)
        lines = found[4].split(" / ")
        for above, line in enumerate(reversed(lines)):
            cells[y + above, x : x + len(line)] = [".XO".index(sign) for sign in line]
        alone = np.zeros(len(weights))
        alone[number] = row["weight"]
        try:
            board = Board.from_cells(cells.ravel(), 5, 1, -1)
        except ValueError:  # no liberties without the stones around
            continue
        reasons = Evaluator(Weights("go", 5, 0.0, "shapes", "linear", 9, alone)).why(board.state, 1000)
        name = row["pattern"].replace("anywhere", "at A1")
        assert {reason.what: reason.share for reason in reasons}[name] == pytest.approx(row["weight"], rel=1e-5)
        placed += bool(found[2])
    assert placed > 10


def test_patterns_of_tuples(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """In a random game, every reason of the evaluator that is among the rows has their weight."""
    game = find_game("connect4")
    cells = random_tuples(game, 7, 12, 3, 1)
    entries = np.arange(2 * find_tuples(game, 7, cells).entries, dtype=np.int32)
    rng = np.random.default_rng(3)
    values = rng.normal(size=len(entries))
    weights = Weights("connect4", 7, 0.0, "tuples", "linear", 5, values, cells=cells, entries=entries)
    save_weights(tmp_path / "w", weights)
    found = as_json(tmp_path / "w", capfd, "--limit", "10000")["patterns"]
    assert found["total"] == len(found["rows"]) == len(entries)
    rows = {(row["pattern"], row["to play"]): row["weight"] for row in found["rows"]}
    assert sorted(rows.values()) == sorted(values)
    evaluator, state, met = Evaluator(weights), game.position(7), 0
    for ply in range(20):
        sign = 1 if ply % 2 == 0 else -1
        for reason in evaluator.why(state, 1000):
            weight = rows.get((reason.what, "XO"[ply % 2]))
            if weight is not None:
                assert any(abs(sign * reason.share - value) < 1e-6 for value in (weight,)), reason
                met += 1
        state = game.play(state, int(rng.choice(game.moves_of(state))))
        if game.moves_of(state) == []:
            break
    assert met > 50


# rules ----------------------------------------------------------------------------------------------------------------


def test_rules_stand_by_weight_in_words(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = as_json(folder / "rules.pl", capfd)
    rows = found["rules"]["rows"]
    assert [(row["rule"], row["weight"], row["P"], row["N"]) for row in rows] == [
        ("r2", -1.25, 30, 40),
        ("r3", 0.75, 5, 0),
        ("r1", 0.5, 10, 20),
    ]
    assert all(row["in words"].endswith(".") for row in rows) and "third line" in rows[0]["in words"]
    assert found["sizes"] == "9-9" and found["note"] == "\x1b[2J and more"
    text = shown(folder / "rules.pl", capfd, "--limit", "1")
    assert "rules (1 of 3)" in text and "\\x1b[2J and more" in text


def test_a_library_is_never_loaded(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Loading the second one would leave a file behind."""
    digest = as_json(folder / "plain.pl", capfd)["digest"]
    for name in ("rules.so", "rules.c"):
        found = as_json(folder / name, capfd)
        assert found["digest"] == digest and found["sizes"] == "9-9"
    assert as_json(folder / "rules.c", capfd)["rules"] == 2
    source = tmp_path / "trap.c"
    source.write_text(
        '#include <stdio.h>\nconst char marker[] = "gotools-rules abi=1 digest=' + "ab" * 32 + '";\n'
        f'__attribute__((constructor)) static void run(void) {{ fclose(fopen("{tmp_path}/sprung", "w")); }}\n'
    )
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", tmp_path / "trap.so", source], check=True)
    assert as_json(tmp_path / "trap.so", capfd)["digest"] == "ab" * 6
    assert not (tmp_path / "sprung").exists()
    subprocess.run([sys.executable, "-c", f"import ctypes; ctypes.CDLL('{tmp_path}/trap.so')"], check=True)
    assert (tmp_path / "sprung").exists()  # the trap works


# tables and runs ------------------------------------------------------------------------------------------------------


def test_examples_are_counted(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = as_json(folder / "examples.tsv.gz", capfd)
    lines = gzip.decompress((folder / "examples.tsv.gz").read_bytes()).decode().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    names = rows.pop(0)
    column = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    labels = collections.Counter(column["label"])
    assert found["decisions"] == len(rows) and found["games"] == 2
    assert (found["examples"], found["counter_examples"]) == (labels["1"], labels["0"])
    sizes = [f"{text.count('/') + 1}x{text.count('/') + 1}" for text in column["position"]]
    classes = collections.Counter(zip(sizes, column["source"], strict=True))
    assert {(row["board"], row["source"]): row["decisions"] for row in found["classes"]["rows"]} == classes


def test_clusters_are_listed_with_what_sets_them_apart(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    clusters = random_clusters("manhattan")
    found = as_json(folder / "clusters.tsv", capfd, "--limit", "1000")
    rows = found["centres"]["rows"]
    assert found["metric"] == "manhattan" and len(rows) == len(clusters.centres)
    for row in rows:
        (centre,) = (
            c
            for c in clusters.centres
            if (c.stage, c.kind, c.good, c.bad, c.typical)
            == (row["stage"], row["kind"], row["good"], row["bad"], row["typical"])
        )
        away = np.abs((centre.point - clusters.mean) / clusters.deviation)
        first = row["stands out by"].split(" ")[0]
        assert away[clusters.names.index(first)] == away.max()


def test_a_tournament_by_its_folder_or_its_journal(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = [read_json(line) for line in (folder / "run/results.jsonl").read_text().splitlines()]
    games = [line for line in lines if "black" in line]
    wins: collections.Counter[str] = collections.Counter()
    for game in games:
        if game["result"] != "0":
            wins[game["black" if game["result"][0] == "B" else "white"]] += 1
    for name in ("run", "run/results.jsonl"):
        found = as_json(folder / name, capfd)
        rows = {row["engine"]: row for row in found["standings"]["rows"]}
        assert found["games"] == {"played": 8, "scheduled": 8} and found["settings"]["game"] == "connect4"
        assert {name: row["wins"] for name, row in rows.items()} == {"a": wins["a"], "b": wins["b"]}
        assert all(row["games"] == len(games) for row in rows.values())
        assert [row["engine"] for row in found["engines"]["rows"]] == ["a", "b"]


def test_a_log_ends_with_its_last_rows(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "log.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    found = as_json(folder / "log.tsv", capfd, "--limit", "2")
    assert found["rows"] == len(rows) and found["settings"]["game"] == "tictactoe"
    assert [row["games"] for row in found["last rows"]["rows"]] == [int(row[0]) for row in rows[-2:]]


def test_ratings_in_both_forms(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table, other = as_json(folder / "ratings.tsv", capfd), as_json(folder / "ratings.json", capfd)
    assert [row["name"] for row in table["first rows"]["rows"]] == [row["name"] for row in other["ratings"]["rows"]]
    assert table["rows"] == 2 and other["method"] == table["settings"]["method"]


# how large a game is -------------------------------------------------------------------------------------------------


def test_records_of_two_games_have_the_means_that_one_can_work_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Tic-tac-toe offers 9, 8, 7, ... moves; the games have five and nine, one is there twice, one is illegal."""
    lines = ['{"game": "tictactoe", "moves": ["a3", "a1", "b3", "b1", "c3"]}']
    lines += ['{"game": "tictactoe", "moves": ["a3", "b3", "c3", "a2", "c2", "b2", "a1", "c1", "b1"]}']
    lines += [lines[0], '{"game": "tictactoe", "moves": ["a3", "a3"]}']
    (tmp_path / "g.jsonl").write_text("\n".join(lines))
    assert run(["show", str(tmp_path), "--game", "tictactoe", "--json"]) == 0
    done = capfd.readouterr()
    assert done.err.startswith(f"gotools show: {tmp_path}/g.jsonl: game ") and done.err.count("\n") == 1
    found = read_json(done.out)
    assert (found["game"], found["games"], found["repeated"]) == ("tictactoe", 2, 1)
    half = 12.7062  # Student's t of one degree of freedom; both standard errors are below
    (length,), moves, (power,) = (
        found[name]["rows"] for name in ("moves of a game", "legal moves of a position", "powers of ten")
    )
    assert [length[name] for name in ("games", "mean", "low", "high")] == [2, 7, round(7 - 2 * half, 2), 32.41]
    assert [row["mean"] for row in moves] == [6, 8.25, 5.75, 3.5]
    assert (moves[0]["low"], moves[0]["high"]) == (round(6 - half, 2), round(6 + half, 2))
    assert power["tree"] == pytest.approx((math.log10(15120) + math.log10(362880)) / 2, abs=0.01)


@pytest.mark.parametrize(
    ("game", "record", "first"),
    [
        ("go", "(;SZ[9];B[ee])", 82),
        ("connect4", '{"game": "connect4", "moves": ["4"]}', 7),
        ("abalone", '{"game": "abalone", "moves": ["a1b2"]}', 44),
        ("shogi", "startpos moves 7g7f", 30),
    ],
)
def test_the_first_position_of_each_game_has_its_known_number_of_moves(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], game: str, record: str, first: int
) -> None:
    name = tmp_path / ("g.sgf" if game == "go" else "g.jsonl" if record[0] == "{" else "g.usi")
    name.write_text(record)
    found = as_json(name, capfd, "--game", game)
    assert found["legal moves of a position"]["rows"] == [
        {"size": find_game(game).sizes[0], "in": "the whole game", "mean": first, "low": None, "high": None}
    ]


def test_the_numbers_of_positions_are_the_known_ones() -> None:
    def log10(name: str, size: int) -> float:
        found, _ = positions_of(find_game(name), size)
        assert found is not None
        return found

    game = find_game("tictactoe")
    seen, level = set[bytes](), {game.position().tobytes(): game.position()}
    while level:
        seen |= level.keys()
        after = [game.play(state, move) for state in level.values() for move in game.moves_of(state)]
        level = {state.tobytes(): state for state in after}
    assert log10("tictactoe", 3) == round(math.log10(len(seen)), 1)
    for size in (2, 3):  # each chain has a liberty
        boards = itertools.product(range(3), repeat=size * size)
        legal = sum(_all_have_liberties(np.array(cells, np.uint8), size) for cells in boards)
        assert log10("go", size) == round(math.log10(legal), 1)
    assert (log10("go", 9), log10("go", 19)) == (38.0, 170.3)  # 1.04e38 and 2.08e170 (OEIS A094777)
    assert log10("connect4", 7) == 12.7
    assert log10("abalone", 9) < 61 * math.log10(3)


def _all_have_liberties(cells: np.ndarray[Any, Any], size: int) -> bool:
    try:
        Board.from_cells(cells, size)
    except ValueError:
        return False
    return True


def test_records_without_a_game_are_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "g.sgf").write_text("(;GM[1]SZ[9])")
    assert run(["show", str(tmp_path / "g.sgf"), "--game", "go"]) == 1
    assert capfd.readouterr() == ("", f"gotools show: {tmp_path}/g.sgf: no game of go with moves\n")
    assert run(["show", str(tmp_path), "--game", "chess"]) == 2


# what is damaged, foreign, or named wrongly ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in FILES if name != "run"])
def test_a_damaged_file_is_one_line(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str) -> None:
    data = (folder / name).read_bytes()
    rng = np.random.default_rng(1)
    spoiled = [data[: len(data) // 2], data[:300], data + b"\0\xff\n"]
    for _ in range(6):
        bytes_ = bytearray(data)
        for at in rng.integers(0, len(data), 20):
            bytes_[at] = int(rng.integers(256))
        spoiled.append(bytes(bytes_))
    path = tmp_path / Path(name).name
    failed = 0
    for case in spoiled:
        path.write_bytes(case)
        code = run(["show", str(path), "-q"])
        done = capfd.readouterr()
        assert code in (0, 1) and "Traceback" not in done.err, done.err
        assert done.err.count("\n") == code and (done.out == "") == (code == 1)
        assert code == 0 or done.err.startswith(f"gotools show: {path}")
        failed += code
    assert failed


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"(;GM[1]SZ[9];B[aa])", "a game record"),
        (b"\x89PNG\r\n", "a picture"),
        (b"", "an empty file"),
        (b"hello\n", "text of no known kind"),
        (b"[[engine]]\nname = 'a'\n", "settings in TOML"),
        (b'{"a": 1}', "JSON of another kind"),
        (b"##gotools tea 1\na\tb\n", "a table of another kind"),
    ],
)
def test_a_foreign_file_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str], data: bytes, kind: str) -> None:
    (tmp_path / "x").write_bytes(data)
    assert run(["show", str(tmp_path / "x")]) == 1
    expected = f"gotools show: {tmp_path}/x: {kind}; expected a file that gotools writes\n"
    assert capfd.readouterr() == ("", expected)


def test_what_is_no_file_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, what in ((".", "a folder without results.jsonl"), ("no", "no such file"), ("/dev/null", "not a regular")):
        assert run(["show", str(tmp_path / name)]) == 1
        assert what in capfd.readouterr().err
    (tmp_path / "x.so").write_bytes(b"\x7fELF" + bytes(100))
    assert run(["show", str(tmp_path / "x.so")]) == 1
    assert "a shared library or program without rules compiled by gotools" in capfd.readouterr().err


def test_numbers_that_json_does_not_know_are_null(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = '{"gotools": "summary", "version": NaN, "a": 1e999, "b": [{"x": -Infinity, "kind": 1}], "file": "\\ud800"}'
    (tmp_path / "s").write_text(text)
    found = as_json(tmp_path / "s", capfd)
    assert found["version"] is found["a"] is found["b"]["rows"][0]["x"] is None
    assert found["file"] == str(tmp_path / "s")
    shown(tmp_path / "s", capfd)


def test_a_broken_line_of_a_journal_is_reported(
    folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "j").write_bytes((folder / "run/results.jsonl").read_bytes() + b"{torn\n")
    assert run(["show", str(tmp_path / "j")]) == 0
    done = capfd.readouterr()
    assert "played 8" in done.out and done.err.startswith("gotools show: ") and "not a line of JSON" in done.err


def test_output_stdin_and_library(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = shown(folder / "rules.pl", capfd)
    assert run(["show", str(folder / "rules.pl"), "-o", str(tmp_path / "out.md")]) == 0
    assert (tmp_path / "out.md").read_text() == text
    found = gotools.show(folder / "rules.pl")
    assert f"{found}\n" == text and found.facts["rules"] == 3 and read_json(found.json())["rules"]["total"] == 3
    for name in ("rules.pl", "eval.npz", "examples.tsv.gz"):
        command = [sys.executable, "-m", "gotools", "show", "-", "--limit", "3"]
        with (folder / name).open("rb") as stdin:
            done = forked.run(command, stdin=stdin, capture_output=True, text=True, timeout=60)
        here = shown(folder / name, capfd, "--limit", "3")
        assert done.returncode == 0
        # a long path wraps the first line
        assert done.stdout.split(": ", 1)[1].split() == here.split(": ", 1)[1].split()
