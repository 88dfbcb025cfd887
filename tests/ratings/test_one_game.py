"""Ratings are of one game: which game results are of, a mix that is refused, and the choice of one."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import gotools
from gotools import cli
from gotools.base.errors import GotoolsError
from gotools.ratings.reading.results import read_results, read_sequence


def line(result: str, **more: object) -> str:
    return json.dumps(
        {"game": 1, "black": "a", "white": "b", "result": result, "komi": 0.0, "handicap": 0, "size": 7, **more}
    )


CONNECT4 = {"game_name": "connect4"}
GO = {"komi": 7.5, "size": 9}
FILES = {
    "four.jsonl": "\n".join([line("B+", **CONNECT4), line("W+R", **CONNECT4), line("0", **CONNECT4)]),
    "four.sgf": "(;GM[1001]SZ[7]PB[a]PW[b]RE[B+];B[4])(;GM[1001]SZ[7]PB[a]PW[b]RE[W+F])(;GM[1001]SZ[7]PB[a]PW[b]RE[0])",
    "four.csv": "black,white,result,size,game_name\na,b,B+,7,connect4\na,b,W+,7,connect4\na,b,draw,7,connect4\n",
}


@pytest.mark.parametrize("name", FILES)
def test_results_of_connect4_in_every_format(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name])
    tally = read_results([str(tmp_path / name)], print)
    assert tally.games == 3 and (tally.wins.sum(), tally.draws.sum(), tally.losses.sum()) == (1, 1, 1)
    assert [(kind.game, kind.size, kind.komi) for kind in tally.classes] == [("connect4", 7, None)]


def test_a_mix_is_refused_with_the_names_to_choose_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "go.jsonl").write_text(line("B+3.5", **GO))
    assert cli.run(["elo", str(tmp_path)]) == 1
    wanted = r"gotools elo: results of (\w+) and of (\w+): choose with --game \1 or --game \2\n"
    found = re.fullmatch(wanted, capsys.readouterr().err)
    assert found and set(found.groups()) == {"go", "connect4"}
    with pytest.raises(GotoolsError, match="--game"):
        list(read_sequence([str(tmp_path)], print))


def test_one_file_may_hold_several_games(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text("\n".join([line("B+3.5", **GO), line("W+", **CONNECT4), line("0", **CONNECT4)]))
    for game, counts in (("go", (1, 0, 0)), ("connect4", (0, 1, 1)), ("tictactoe", (0, 0, 0))):
        tally = read_results([str(path)], print, game=game)
        assert (tally.wins.sum(), tally.draws.sum(), tally.losses.sum()) == counts
        assert tally.excluded == {"another game": 3 - sum(counts)}
        assert {kind.game for kind in tally.classes} <= {game}
        left_out: Counter[str] = Counter()
        assert len(list(read_sequence([str(path)], print, excluded=left_out, game=game))) == sum(counts)
        assert left_out["another game"] == 3 - sum(counts)


def test_what_names_no_game_is_go_and_unknown_games_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "x.sgf"
    path.write_text("(;PB[a]PW[b]RE[B+1])(;GM[2]PB[a]PW[b]RE[B+1])(;GM[x]PB[a]PW[b]RE[W+])(;GM[1]PB[a]PW[b]RE[W+1])")
    for game in (None, "go"):
        tally = read_results([str(path)], print, game=game)
        assert tally.games == 2 and tally.excluded == {"another game": 2}


def test_the_header_names_a_game_other_than_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "four.jsonl").write_text(FILES["four.jsonl"])
    assert cli.run(["elo", str(tmp_path / "four.jsonl"), "-q"]) == 0
    head = capsys.readouterr().out
    assert head.startswith("##gotools ratings 2\n##game=connect4\n##method=") and "3 games, connect4, size 7" in head
    (tmp_path / "go.jsonl").write_text(line("B+3.5", **GO))
    for method in ("bradley-terry", "elo", "abalone"):
        options = ["--method", method, "--format", "tsv", "-q"]
        assert cli.run(["elo", str(tmp_path / "go.jsonl"), "--game", "go", *options]) == 0
        assert "game=" not in capsys.readouterr().out
        assert cli.run(["elo", str(tmp_path / "four.jsonl"), *options]) == 0
        assert f"##game=connect4\n##method={method}\n" in capsys.readouterr().out


def test_a_game_that_is_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "four.jsonl").write_text(FILES["four.jsonl"])
    assert cli.run(["elo", str(tmp_path / "four.jsonl"), "--game", "conect4"]) == 2
    assert capsys.readouterr().err == "gotools elo: --game: there is no game 'conect4'; did you mean 'connect4'?\n"
    with pytest.raises(GotoolsError, match="no game 'chess'"):
        gotools.rate(str(tmp_path / "four.jsonl"), game="chess")
