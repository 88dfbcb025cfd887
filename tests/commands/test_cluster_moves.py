"""The command from its arguments to its bytes, its words on stderr, and its exit code."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import forked
from support.examples import read_examples

from gotools.cli import run
from gotools.game.examples.described import described
from gotools.games.go.examples.examples import move_diagram
from gotools.games.go.go import GO
from gotools.values.clusters.clusters import BAD, GOOD, scores
from gotools.values.clusters.clusters_file import load_clusters
from gotools.values.clusters.summary import WIDTH

GAMES = Path(__file__).parents[2] / "examples/games"
COMMAND = [sys.executable, "-m", "gotools", "cluster-moves"]
QUICK = ("--k", "4", "--starts", "2")


def cluster(*arguments: str | Path) -> int:
    return run(["cluster-moves", *map(str, arguments)])


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Moves of examples/games, and as many that were not played."""
    path = tmp_path_factory.mktemp("table") / "examples.tsv"
    assert run(["sgf-to-examples", str(GAMES), "--negatives", "unplayed", "-q", "-o", str(path)]) == 0
    return path


# ---- what is written and printed ----


def test_games_without_ranks_give_an_order(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "clusters.tsv"
    assert cluster(GAMES, *QUICK, "-o", out) == 0
    printed = capfd.readouterr()
    assert printed.out == ""
    clusters = load_clusters(out, GO)
    assert [centre.kind for centre in clusters.centres] == [GOOD] * 4 + [BAD] * 4
    good, bad = (sum(getattr(centre, kind) for centre in clusters.centres) for kind in (GOOD, BAD))
    assert clusters.made["good_moves"] == str(good) and clusters.made["bad_moves"] == str(bad) and good == bad > 800
    assert {key: clusters.made[key] for key in ("last", "k", "starts", "seed")} == {
        "last": "0.667", "k": "4", "starts": "2", "seed": "0",
    }  # fmt: skip
    last = printed.err.splitlines()[-1]
    assert last.startswith(f"{good:,} good and {bad:,} bad moves, 4 and 4 centres, manhattan, quality ")
    assert re.search(r"[0-9.]+ s$", last)


def test_an_order_from_some_games_prefers_the_moves_of_others(tmp_path: Path, table: Path) -> None:
    assert cluster(table, "--last", "1", "--stages", "-q", "-o", tmp_path / "c.tsv") == 0
    others = Path(__file__).parents[2] / "examples/test-games"
    run(["sgf-to-examples", str(others), "--negatives", "unplayed", "-q", "-o", str(tmp_path / "others.tsv")])
    rows = read_examples([tmp_path / "others.tsv"])
    values = scores(load_clusters(tmp_path / "c.tsv", GO), *described(rows))
    good, bad = values[rows.label == 1], values[rows.label == 0]
    assert (good[:, None] > bad).mean() > 0.8


def test_a_table_is_taken_by_its_labels(tmp_path: Path, table: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cluster(table, *QUICK, "--last", "1", "--metric", "euclid", "--show", "0") == 0
    printed = capfd.readouterr()
    (tmp_path / "c.tsv").write_text(printed.out)
    clusters = load_clusters(tmp_path / "c.tsv", GO)
    assert clusters.metric == "euclid" and clusters.made["good_moves"] == clusters.made["bad_moves"] == "2554"
    assert printed.err.startswith("2,554 good and 2,554 bad moves")
    rows = read_examples([table])
    places = [vertex for centre in clusters.centres for vertex in [centre.typical.split(" ")[0]]]
    assert set(places) <= set(rows.id)


def test_the_summary_draws_the_largest_centres_on_100_columns(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    out = tmp_path / "clusters.tsv"
    assert cluster(GAMES, *QUICK, "--show", "3", "-o", out) == 0
    printed = capfd.readouterr().err
    lines = printed.splitlines()
    assert max(map(len, lines[:-1])) <= 100
    assert "good moves: the 3 largest of 4 centres" in lines and "bad moves: the 3 largest of 4 centres" in lines
    clusters = load_clusters(out, GO)
    total = sum(centre.good for centre in clusters.centres)
    largest = sorted((c for c in clusters.centres if c.kind == GOOD), key=lambda c: -(c.good + c.bad))[:3]
    for centre in largest:
        assert centre.typical in printed
        assert f"nearest to {centre.good + centre.bad:,} moves" in printed
        assert f"{100 * centre.good / total:.0f} % of good" in printed
    far = np.abs(largest[0].point - clusters.mean) / clusters.deviation
    name = clusters.names[int(far.argmax())]
    value, mean = largest[0].point[int(far.argmax())], clusters.mean[int(far.argmax())]
    assert f"{name.replace('_', ' ')} {value:.1f} (all: {mean:.1f})" in printed
    boards = [line for line in lines if line[:13].count(" ") == 6 and set(line[:13]) <= set(" .XOL*#")]
    assert len(boards) == 14 and all(boards[row][6] == "*" for row in (3, 10))


@pytest.mark.parametrize("columns", ["60", str(WIDTH - 10)])
def test_the_summary_fits_narrow_terminals(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert cluster(GAMES, *QUICK, "--stages", "-o", os.devnull) == 0
    lines = capfd.readouterr().err.splitlines()
    assert max(map(len, lines[:-1])) <= int(columns)
    assert "in 3 stages" in lines[-1]


def test_quiet_says_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cluster(GAMES, *QUICK, "-q", "-o", tmp_path / "c.tsv") == 0
    assert capfd.readouterr() == ("", "")


# ---- the same bytes ----


@pytest.mark.system
@pytest.mark.parametrize("metric", ["manhattan", "mahalanobis"])
def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(tmp_path: Path, metric: str) -> None:
    texts = []
    for number, (threads, seed) in enumerate([("1", "7"), ("4", "7"), ("1", "8")]):
        out = tmp_path / f"{number}.tsv"
        variables = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        command = [*COMMAND, str(GAMES), *QUICK, "--metric", metric, "--seed", seed, "-q", "-o", str(out)]
        subprocess.run(command, env={**os.environ, **variables}, check=True, timeout=120)
        texts.append(out.read_bytes())
    assert texts[0] == texts[1] != texts[2]


# ---- bad input ----


def printed_of(capfd: pytest.CaptureFixture[str], code: int, *arguments: str | Path) -> str:
    assert cluster(*arguments) == code
    printed = capfd.readouterr()
    assert printed.out == "" and "Traceback" not in printed.err
    return printed.err


def test_ranks_that_no_record_has(capfd: pytest.CaptureFixture[str]) -> None:
    printed = printed_of(capfd, 1, GAMES, "--good-above", "3d")
    assert printed.startswith("gotools cluster-moves: no ranks in any of 64 games")


def test_thresholds_that_leave_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    moves = ";B[ee];W[dd];B[ef];W[gd];B[cc];W[gg]"
    (tmp_path / "a.sgf").write_text(f"(;SZ[9]BR[3d]WR[12k]RE[B+R]{moves})")
    assert "no good moves" in printed_of(capfd, 1, tmp_path, "--good-above", "9d")
    assert "no bad moves" in printed_of(capfd, 1, tmp_path, "--bad-below", "20k")


def test_fewer_moves_than_centres(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[9]RE[B+R];B[ee];W[dd];B[ef];W[gd];B[cc];W[gg])")
    printed = printed_of(capfd, 1, tmp_path, "--last", "1")
    assert "good moves: 3 different, fewer than 20 centres" in printed


def test_files_that_are_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "no such file or folder" in printed_of(capfd, 1, tmp_path / "nothing")
    (tmp_path / "broken.sgf").write_text("(;SZ[9")
    assert "broken.sgf" in printed_of(capfd, 1, tmp_path / "broken.sgf")
    assert "cannot write" in printed_of(capfd, 1, GAMES, "-o", tmp_path / "no/such/folder.tsv")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--good-above", "strong"),
        ("--last", "0"),
        ("--last", "nan"),
        ("--last", "1.5"),
        ("--k", "1"),
        ("--k", "501"),
        ("--starts", "0"),
        ("--metric", "taxi"),
        ("--size", "1"),
        ("--show", "-1"),
    ],
)
def test_wrong_usage(capfd: pytest.CaptureFixture[str], arguments: tuple[str, str]) -> None:
    assert arguments[0] in printed_of(capfd, 2, GAMES, *arguments)


def test_strict_stops_at_the_first_broken_game(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.sgf").write_text("(;SZ[9")
    out = tmp_path / "c.tsv"
    assert cluster(GAMES, tmp_path / "broken.sgf", *QUICK, "--show", "0", "-o", out) == 0
    assert "broken.sgf" in capfd.readouterr().err
    assert "broken.sgf" in printed_of(capfd, 1, GAMES, tmp_path / "broken.sgf", *QUICK, "--strict")


# ---- Ctrl-C ----


def read_until(terminal: int, wanted: bytes) -> bytes:
    """Return what a terminal shows until some words come."""
    printed, until = b"", time.monotonic() + 100
    while wanted not in printed:
        assert select.select([terminal], [], [], until - time.monotonic())[0], printed
        printed += os.read(terminal, 4096)
    return printed


@pytest.mark.system
def test_ctrl_c_while_clustering_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "clusters.tsv"
    out.write_text("as it was")
    ours, theirs = pty.openpty()
    command = [*COMMAND, str(GAMES), "--starts", "10000", "-o", str(out)]
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with forked.Popen(command, stderr=theirs, stdout=subprocess.PIPE, env=variables) as process:
        os.close(theirs)
        printed = read_until(ours, b"random starts")  # the bar is there
        process.send_signal(signal.SIGINT)
        printed += read_until(ours, b"nothing is written")  # a terminal that nobody reads holds up what writes to it
        assert process.communicate(timeout=60)[0] == b"" and process.returncode == 130
    os.close(ours)
    assert b"Traceback" not in printed
    assert out.read_text() == "as it was" and os.listdir(tmp_path) == [out.name]


# ---- the drawing ----


@given(size=st.integers(2, 19), seed=st.integers(0, 1000))
def test_a_diagram_shows_the_points_around_the_move(
    tmp_path_factory: pytest.TempPathFactory, size: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.choice(list(".XO"), (size, size))
    y, x = rng.integers(size, size=2).tolist()
    cells[size - 1 - y, x] = "."
    columns = "ABCDEFGHJKLMNOPQRST"
    path = tmp_path_factory.getbasetemp() / "one.tsv"
    for side, own in (("b", "X"), ("w", "O")):
        position = "/".join("".join(row) for row in cells)
        row = f"a:1\t{side}\t{position}\t-\t-\t-\t{columns[x]}{y + 1}\t1\tplayed"
        path.write_text(f"##gotools examples 1\n#id\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel\tsource\n{row}\n")
        lines = [line.split(" ") for line in move_diagram(read_examples([path]), 0)]
        assert len(lines) == 7 and all(len(line) == 7 for line in lines)
        for down, line in enumerate(lines):
            for across, sign in enumerate(line):
                at_row, at_column = size - 1 - y + down - 3, x + across - 3
                if (down, across) == (3, 3):
                    assert sign == "*"
                elif not (0 <= at_row < size and 0 <= at_column < size):
                    assert sign == "#"
                else:
                    cell = cells[at_row, at_column]
                    assert sign == ("." if cell == "." else "X" if cell == own else "O")


def test_a_diagram_marks_the_last_move(tmp_path: Path) -> None:
    path = tmp_path / "one.tsv"
    path.write_text("#to_play\tposition\tlast\tlast2\tmove\nb\t...../...../..O../.XO../.....\tC3\tB2\tC4\n")
    assert move_diagram(read_examples([path]), 0, 2) == [
        "# # # # #",
        ". . . . .",
        ". . * . .",
        ". . L . .",
        ". X O . .",
    ]
