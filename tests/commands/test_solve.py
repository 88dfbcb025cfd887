"""`gotools solve`: tables of answers, limits, and what cannot be solved."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.needs import ROOT

from gotools.cli import run
from gotools.files.tables import read_table

MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATED = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b"
HARD = "9/9/9/9/4k4/9/9/9/8K b 2B2G 1"
PROBLEM = "(;GM[1]SZ[5]PL[B]AB[ba]AW[aa]TR[aa]SQ[ab];B[ab])"


def answers(path: Path) -> list[tuple[str, ...]]:
    """Return id, answer, plies and line of each row."""
    table = read_table(path, "solved", 1)
    assert table.columns == ["id", "answer", "plies", "nodes", "line"]
    return [(cells[0], cells[1], cells[2], cells[4]) for _, cells in table.rows]


def test_a_table_of_answers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.sfen").write_text(f"# two\n{MATE}\n{MATED}\n{HARD}\n")
    command = ["solve", "--game", "shogi", str(tmp_path / "a.sfen"), "--nodes", "1000"]
    assert run([*command, "-o", str(tmp_path / "a.tsv")]) == 0
    assert capfd.readouterr().err == "2 mate, 1 unknown\n"
    rows = answers(tmp_path / "a.tsv")
    assert rows == [("a", "mate", "1", "G*5b"), ("a@2", "mate", "1", "G*5b"), ("a@3", "unknown", "", "-")]
    assert run([*command, "--last", "-q", "-o", str(tmp_path / "b.tsv")]) == 0
    assert answers(tmp_path / "b.tsv")[1] == ("a@2", "nomate", "0", "-")  # who is to play there is mated
    assert capfd.readouterr() == ("", "")


def test_any_number_of_jobs_writes_the_same(tmp_path: Path) -> None:
    outputs = [tmp_path / name for name in ("one.tsv", "three.tsv")]
    for output, jobs in zip(outputs, ("1", "3"), strict=True):
        assert run(["solve", "-q", str(ROOT / "examples/problems.sgf"), "--jobs", jobs, "-o", str(output)]) == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes() and len(answers(outputs[0])) == 16


def test_the_shortest_line_is_searched_for(tmp_path: Path) -> None:
    mates = (ROOT / "examples/shogi/mates.sfen").read_text().splitlines()
    (tmp_path / "a.sfen").write_text("\n".join(mates[:12]))
    plies = []
    for more in ([], ["--shortest"]):
        assert run(["solve", "-q", "--game", "shogi", str(tmp_path / "a.sfen"), *more, "-o", str(tmp_path / "t")]) == 0
        plies.append([int(row[2]) for row in answers(tmp_path / "t")])
    assert set(plies[1]) == {3} and max(plies[0]) > 3 and min(plies[0]) == 3


def test_no_time_leaves_the_answer_unknown(tmp_path: Path) -> None:
    (tmp_path / "a.sfen").write_text(HARD)
    command = ["solve", "-q", "--game", "shogi", str(tmp_path / "a.sfen"), "--nodes", "999999999", "--seconds", "0"]
    assert run([*command, "-o", str(tmp_path / "t.tsv")]) == 0
    assert answers(tmp_path / "t.tsv") == [("a", "unknown", "", "-")]


def test_a_record_that_asks_nothing_is_said_and_the_others_are_solved(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.sgf").write_text(PROBLEM + PROBLEM.replace("TR[aa]", "") + PROBLEM.replace("PL[B]", "PL[W]"))
    assert run(["solve", str(tmp_path / "a.sgf"), "-o", str(tmp_path / "t.tsv")]) == 0
    assert capfd.readouterr().err.startswith(f"{tmp_path / 'a.sgf'}: a@2: no stone is marked: TR or MA marks a chain")
    assert [row[1] for row in answers(tmp_path / "t.tsv")] == ["captured", "safe"]
    assert run(["solve", "--strict", str(tmp_path / "a.sgf"), "-o", str(tmp_path / "u.tsv")]) == 1
    assert capfd.readouterr().err.startswith(f"gotools solve: {tmp_path / 'a.sgf'}: a@2: no stone is marked")
    assert not (tmp_path / "u.tsv").exists()


@pytest.mark.parametrize(
    ("text", "game", "what"),
    [
        ("junk", "shogi", "a.txt:1: holds no game: neither KIF, KI2, CSA nor moves of USI"),
        ("4k4/9/9/9/9/9/9/9/4K4 b Z 1", "shogi", "a.txt:1: SFEN: "),
        ('{"game": "abalone", "moves": []}', "abalone", "gotools solve: abalone has no goal that a side may force"),
        ("(;GM[1]SZ[5]AB[aa]TR[aa]SZ[7]", "go", "a.txt"),
    ],
)
def test_bad_input(text: str, game: str, what: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text(text)
    assert run(["solve", "-q", "--game", game, str(tmp_path / "a.txt")]) == 1
    done = capfd.readouterr()
    assert what in done.err and "Traceback" not in done.err and done.out == ""
