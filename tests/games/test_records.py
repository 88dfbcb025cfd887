"""Records of games other than Go: SGF and JSON lines, what is wrong in them, and the decisions in them."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest
from support.examples import decisions
from support.small_game_engine import Connect4

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.game.game import find_game
from gotools.game.records.reading import read_records

CONNECT4, TICTACTOE = find_game("connect4"), find_game("tictactoe")


def json_line(moves: str, **more: object) -> str:
    return json.dumps({"game": "connect4", "moves": list(moves), **more}) + "\n"


def sgf(moves: str, root: str = "GM[1001]SZ[7]") -> str:
    return f"(;{root}{''.join(f';{chr(66 + 21 * (ply % 2))}[{move}]' for ply, move in enumerate(moves))})"


def listed(path: Path, **options: Any) -> tuple[list[str], list[str]]:
    """Return the ids of decisions, and what was said."""
    said: list[str] = []
    return decisions([path], CONNECT4, said.append, **options).id, said


def test_the_position_before_each_move_is_that_of_the_twin(tmp_path: Path) -> None:
    rng, path, boards = random.Random(4), tmp_path / "games.jsonl", []
    with path.open("w") as out:
        for _ in range(20):
            twin, moves, side, winner = Connect4(), "", 1, None
            while winner is None:
                boards.append(([list(column) for column in twin.columns], side))
                moves += rng.choice(twin.legal())
                twin.play(moves[-1], side)
                winner, side = twin.winner(side), 3 - side
            out.write(json_line(moves))
    found = decisions([path], CONNECT4, pytest.fail)
    assert len(found) == len(boards) > 200 and set(found.size.tolist()) == {7}
    for number, (columns, side) in enumerate(boards):
        rows = [line.split() for line in CONNECT4.draw(found.state(number)).splitlines()[:-1]]
        drawn = [["XO".index(row[x]) + 1 for row in reversed(rows) if row[x] != "."] for x in range(7)]
        assert (drawn, found.to_play[number]) == (columns, side)


def test_sgf_and_json_lines_of_the_same_games_are_the_same_decisions(tmp_path: Path) -> None:
    games = ["4433221", "17171", "4"]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a/g.sgf").write_text("\n".join(map(sgf, games)))
    (tmp_path / "b/g.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json_line, games)).encode()))
    one, other = (decisions([tmp_path / name], CONNECT4, pytest.fail) for name in "ab")
    assert one.id == other.id and one.text() == other.text()
    assert one.id[0] == "g:1" and one.id[7] == "g@2:1" and one.id[-1] == "g@3:1"


def test_names_are_unique_and_fit_for_a_table(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json_line("4", id="a b#1") + json_line("4", id="cup") + json_line("4", id="cup") + json_line("4"))
    assert listed(path)[0] == ["a_b@1:1", "cup:1", "cup@2:1", "x@4:1"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("{", "not JSON: "),
        ("[1]", "not an object of JSON"),
        ('{"moves": ["4"]}', "\"game\" is ''; expected connect4"),
        ('{"game": "tictactoe", "moves": ["b2"]}', "\"game\" is 'tictactoe'; expected connect4"),
        ('{"game": "connect4"}', '"moves" is not a list of texts'),
        ('{"game": "connect4", "moves": [4]}', '"moves" is not a list of texts'),
        ('{"game": "connect4", "moves": "44"}', '"moves" is not a list of texts'),
        ('{"game": "connect4", "moves": ["4"], "size": "7"}', '"size" is not a whole number'),
        ('{"game": "connect4", "moves": ["4"], "size": true}', '"size" is not a whole number'),
        ('{"game": "connect4", "moves": ["4"], "id": 3}', '"id" is not a text'),
        ('{"game": "connect4", "moves": ["4"' + ', "4"' * 32_000 + "]}", "more than 32000 moves"),
        ('{"game": "connect4", "moves": ["4"], "x": "' + "x" * (1 << 20) + '"}', "a line longer than"),
        ("[" * 100_000, "not JSON: "),
        ('{"game": "connect4", "moves": ["4"]}}', "not JSON: "),
    ],
)
def test_a_wrong_line_is_named_and_the_others_are_read(tmp_path: Path, line: str, what: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{json_line('44')}\n{line}\r\n{json_line('3')}")
    ids, said = listed(path)
    assert ids == ["x:1", "x:2", "x@3:1"]
    assert len(said) == 1 and said[0].startswith(f"{path}:3: {what}") and len(said[0]) < len(str(path)) + 220
    with pytest.raises(FileFormatError) as caught:
        listed(path, strict=True)
    assert str(caught.value) == said[0]


@pytest.mark.parametrize(
    ("moves", "ids", "what"),
    [
        (["4", "8", "1"], 1, "move 2 (W 8): '8' is not a column of Connect-4 (1 to 7)"),
        (["4"] * 7, 6, "move 7 (B 4): not a legal move here"),
        (list("12121213"), 7, "move 8 (W 3): the game is over"),
    ],
)
def test_an_illegal_move_ends_its_record(tmp_path: Path, moves: list[str], ids: int, what: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"game": "connect4", "moves": moves}))
    assert listed(path) == ([f"x:{ply}" for ply in range(1, ids + 1)], [f"{path}: {what}; left out from there on"])
    with pytest.raises(FileFormatError, match="left out from there on"):
        listed(path, strict=True)


def test_a_move_out_of_turn_is_a_problem_of_sgf(tmp_path: Path) -> None:
    path = tmp_path / "x.sgf"
    path.write_text("(;GM[1001];B[4];B[3])" + sgf("44"))
    ids, said = listed(path)
    assert ids == ["x:1", "x@2:1", "x@2:2"]
    assert said == [f"{path}: move 2 (B 3): it is the turn of w; left out from there on"]


def test_sizes(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json_line("4", size=7) + json_line("4", size=8) + json_line("4"))
    ids, said = listed(path)
    assert ids == ["x:1", "x@3:1"] and said == [f"{path}: x@2: connect4 has no board of size 8"]
    with pytest.raises(GotoolsError, match=r"wanted \(games read: 2 of size 7, 1 of size 8\)$"):
        listed(path, sizes=(9,))


def test_a_journal_beside_the_records_is_passed_over_unless_it_is_named(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games/1.sgf").write_text(sgf("44"))
    (tmp_path / "results.jsonl").write_text('{"gotools":"journal","version":1,"plays":{}}\n')
    assert listed(tmp_path) == (["1:1", "1:2"], [])
    said: list[str] = []
    assert not list(read_records([tmp_path / "results.jsonl"], CONNECT4, said.append))
    assert said == [f"{tmp_path / 'results.jsonl'}: the journal of a tournament; expected game records"]


def test_other_files_are_named_for_what_they_are(tmp_path: Path) -> None:
    for name, content, what in (
        ("g.sgf", "(;GM[1]SZ[9];B[ee])", "g.sgf:1: GM[1] is not the game of tictactoe, GM[1002]"),
        ("r.pl", "%% gotools rules 1\n", "r.pl: a file of rules; expected game records"),
        ("e", "", "e: an empty file; expected game records"),
        ("a.json", '[{"a": 1}]', "a.json: JSON of another kind; expected game records"),
    ):
        (tmp_path / name).write_text(content)
        said: list[str] = []
        assert not list(read_records([tmp_path / name], TICTACTOE, said.append))
        assert said == [f"{tmp_path / what}"]


def test_json_lines_of_go_are_the_record_that_sgf_is(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text(json.dumps({"game": "go", "moves": ["E5", "c3", "pass"]}))
    (tmp_path / "g.sgf").write_text("(;SZ[9];B[ee];W[cg];B[])")
    read = [list(read_records([tmp_path / name], find_game("go"), pytest.fail)) for name in ("g.jsonl", "g.sgf")]
    assert [one for _, one in read[0]] == [one for _, one in read[1]]
