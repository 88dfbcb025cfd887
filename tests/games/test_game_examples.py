"""Tables of examples of games other than Go: against the package cshogi, against the records, and what is refused."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from support import forked
from support.examples import decisions
from support.records import record_of
from support.written_json import read_json

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.cli import run
from gotools.files.opening import read_parts
from gotools.files.tables import read_table
from gotools.game.game import Game, find_game
from gotools.game.records.reading import read_records
from gotools.game.records.sgf import write_game
from gotools.game.records.table import read_game_examples
from gotools.game.table import GAMES
from gotools.library.records import convert_records
from gotools.values.weights.weights_file import Weights, save_weights

SHOGI = find_game("shogi")
OTHERS = [name for name in GAMES if name != "go"]
PLIES = 30
KIF = """\
手合割：平手
先手：あ(1500)
後手："B" #1
後手段級：三段
   1 ７六歩(77)   ( 0:12/00:00:12)
   2 ３四歩(33)
   3 ２二角成(88)
   4 同　銀(31)
   5 投了
"""
CSA = """\
V2.2
N+a
N-b
PI
+
+7776FU
-3334FU
+8822UM
-3122GI
+0045KA
%TORYO
"""
HEADER = "##gotools examples 2\n##game=tictactoe\nid\tto_play\tposition\tmove\n"
FIRST, SECOND = "g:1\tb\t.../.../...\tb2\n", "g:2\tw\t.../.X./...\ta1\n"


def random_moves(game: Game, seed: int, plies: int = PLIES) -> list[str]:
    chance, state, moves = random.Random(seed), game.position(), list[str]()
    while len(moves) < plies and (legal := game.moves_of(state)):
        move = chance.choice(legal)
        moves.append(game.move_text(move, game.sizes[0]))
        state = game.play(state, move)
    return moves


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SGF of random games of shogi with players, ratings and results; JSON lines of every game; tables of both."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "games").mkdir()
    for number in range(8):
        result, players = ("B+R", "W+", "0")[number % 3], (f"p{number}", "q")
        record = record_of(
            random_moves(SHOGI, number), SHOGI, result=result, players=players, ranks=(str(1500 + number), "")
        )
        (folder / f"games/{number}.sgf").write_bytes(write_game(record, SHOGI))
    for name in OTHERS:
        lines = (json.dumps({"game": name, "moves": random_moves(find_game(name), seed)}) for seed in range(3))
        (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
        convert(folder / f"{name}.jsonl", folder / f"{name}.tsv", name)
    convert(folder / "games", folder / "shogi.tsv")
    convert(folder / "games", folder / "shogi.parquet")
    return folder


def convert(records: Path, output: Path, game: str = "shogi", *options: str) -> None:
    assert run(["sgf-to-examples", "-q", "--game", game, str(records), "-o", str(output), *options]) == 0


def rows_of(path: Path) -> list[dict[str, str]]:
    _, columns, _, rows = read_table(path, "examples", 2)
    return [dict(zip(columns, cells, strict=True)) for _, cells in rows]


def test_positions_and_moves_are_those_of_cshogi(made: Path) -> None:
    cshogi, rows = pytest.importorskip("cshogi"), rows_of(made / "shogi.tsv")
    assert len(rows) == 8 * PLIES
    board = cshogi.Board()
    for row in rows:
        if row["id"].endswith(":1"):
            board.reset()
        assert row["position"] == board.sfen() and row["to_play"] == "bw"[board.turn]
        assert board.push_usi(row["move"])


def test_players_ratings_and_results_are_those_of_the_record(made: Path) -> None:
    for row in rows_of(made / "shogi.tsv"):
        number = int(row["id"].split(":")[0])
        assert (row["black"], row["white"], row["black_rank"]) == (f"p{number}", "q", str(1500 + number))
        assert row["white_rank"] == "-" and row["result"] == ("B+", "W+", "-")[number % 3]


@pytest.mark.parametrize("name", OTHERS)
def test_a_table_of_every_game_gives_its_records_back(made: Path, name: str) -> None:
    game = find_game(name)
    found = [one for _, one in read_records([made / f"{name}.jsonl"], game, pytest.fail)]
    path = made / ("examples.tsv" if name == "shogi" else f"{name}.tsv")
    if name == "shogi":
        convert(made / "shogi.jsonl", path)
    assert [(one.id, one.moves.tolist()) for one in read_game_examples(read_parts(path), "x", game)] == [
        (one.id, one.moves.tolist()) for one in found
    ]


@pytest.mark.parametrize("name", ["shogi", "abalone"])
def test_some_rows_of_a_table_are_the_same_decisions(made: Path, tmp_path: Path, name: str) -> None:
    game, path = find_game(name), tmp_path / "some.tsv"
    whole = decisions([made / f"{name}.jsonl"], game, pytest.fail)
    convert(made / f"{name}.jsonl", path, name)
    lines = path.read_text().splitlines(keepends=True)
    chosen = sorted(random.Random(1).sample(range(len(whole)), len(whole) // 2))
    path.write_text("".join(lines[:3]) + "".join(lines[3 + row] for row in chosen))
    found, some = decisions([path], game, pytest.fail), whole.take(np.array(chosen))
    assert found.id == some.id and (found.move == some.move).all()
    assert [game.key(found.state(row)) for row in range(len(found))] == [
        game.key(some.state(row)) for row in range(len(some))
    ]


def test_notations_of_the_same_game_are_the_same_rows(tmp_path: Path) -> None:
    (tmp_path / "kif").mkdir()
    (tmp_path / "kif/g.kif").write_text(KIF, encoding="utf-8")
    (tmp_path / "csa").mkdir()
    (tmp_path / "csa/g.csa").write_text(CSA)
    (tmp_path / "usi").mkdir()
    (tmp_path / "usi/g.usi").write_text("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e resign\n")
    found = {}
    for name in ("kif", "csa", "usi"):
        convert(tmp_path / name, tmp_path / f"{name}.tsv")
        found[name] = rows_of(tmp_path / f"{name}.tsv")
    first = [[(row["id"], row["position"], row["move"]) for row in rows] for rows in found.values()]
    assert first[0] == first[1][:4] == first[2][:4] and first[1] == first[2]
    last = found["kif"][-1]
    assert (last["black_rank"], last["white_rank"], last["result"]) == ("1500", "三段", "W+")
    assert last["white"] == '"B" #1' and found["csa"][-1]["result"] == "B+"


def test_a_quotation_mark_of_a_name_survives_parquet(tmp_path: Path) -> None:
    (tmp_path / "g.kif").write_text(KIF, encoding="utf-8")
    for ending in ("tsv", "parquet"):
        convert(tmp_path / "g.kif", tmp_path / f"g.{ending}")
    (found,) = read_game_examples(read_parts(tmp_path / "g.parquet"), "x", SHOGI)
    assert found.players[1] == '"B" #1' and b"".join(read_parts(tmp_path / "g.parquet")) == (
        (tmp_path / "g.tsv").read_bytes()
    )


def test_jobs_and_the_form_of_the_table_change_nothing(made: Path, tmp_path: Path) -> None:
    convert(made / "games", tmp_path / "two.tsv", "shogi", "--jobs", "2")
    convert(made / "shogi.parquet", tmp_path / "back.tsv.gz")
    wanted = (made / "shogi.tsv").read_bytes()
    assert (tmp_path / "two.tsv").read_bytes() == wanted == b"".join(read_parts(tmp_path / "back.tsv.gz"))


@pytest.mark.parametrize(
    "command",
    ["cluster-moves --k 3 --starts 2", "order-bench --depth 1 --positions 3 --format tsv --order captures"],
)
def test_a_table_is_as_good_as_its_records(made: Path, tmp_path: Path, command: str) -> None:
    name, *options = command.split()
    outputs = list[list[list[str]]]()
    for path, game in (
        (made / "games", ["--game", "shogi"]),
        (made / "shogi.tsv", []),
        (made / "shogi.parquet", ["--game", "shogi"]),
    ):
        out = tmp_path / f"{len(outputs)}.tsv"
        assert run([name, "-q", *game, str(path), *options, "-o", str(out)]) == 0
        cells = [line.split("\t") for line in out.read_text().splitlines()]
        outputs.append([line[:4] + line[5:] if len(line) == 7 else line for line in cells])  # without seconds
    assert outputs[0] == outputs[1] == outputs[2] and len(outputs[0]) > 6


def test_a_table_is_ranked_as_its_records_are(made: Path, tmp_path: Path) -> None:
    values = np.random.default_rng(2).normal(0.0, 0.3, 42)
    save_weights(tmp_path / "w.npz", Weights("connect4", 7, 0.0, "raw", "linear", 5, values, np.ones(42)))
    outputs = []
    for path, game in ((made / "connect4.jsonl", ["--game", "connect4"]), (made / "connect4.tsv", [])):
        out = tmp_path / f"{path.suffix}.tsv"
        assert run(["rank-moves", "-q", *game, str(path), "--eval", str(tmp_path / "w.npz"), "-o", str(out)]) == 0
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1] and outputs[0].count(b"\n") > 100


def test_ratings_choose_among_the_games_of_a_table(made: Path, tmp_path: Path) -> None:
    (tmp_path / "r.tsv").write_text("##gotools ratings 2\nname\telo\n" + "".join(f"p{n}\t{n}\n" for n in range(8)))
    clusters = []
    for path in (made / "games", made / "shogi.tsv"):
        options = ("--ratings", str(tmp_path / "r.tsv"), "--good-above", "1", "--k", "2", "-o", str(tmp_path / "c.tsv"))
        assert run(["cluster-moves", "-q", "--game", "shogi", str(path), *options]) == 0
        clusters.append((tmp_path / "c.tsv").read_bytes())
    assert clusters[0] == clusters[1] and b"##good_moves=20\n" in clusters[0]  # games 3 and 6, a third left out


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("order-bench --game connect4", "examples of the game shogi; expected connect4"),
        ("order-bench --game go", "examples of the game shogi; expected go"),
        ("induce-patterns --game go", "examples of the game shogi; expected go"),
        ("cluster-moves --game go", "examples of the game shogi; expected go"),
        ("sgf-to-examples --game abalone", "examples of the game shogi; expected abalone"),
    ],
)
def test_a_table_of_another_game_is_one_line(
    made: Path, capfd: pytest.CaptureFixture[str], command: str, what: str
) -> None:
    capfd.readouterr()
    assert run([*command.split(), "-q", str(made / "shogi.tsv")]) == 1
    said = capfd.readouterr()
    assert said.out == "" and said.err.splitlines()[-1].endswith(f"shogi.tsv:1: {what}")


def test_what_is_wrong_is_named_and_the_rest_is_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.usi"
    path.write_text("7g7f 3c3d\n7g7f 9z9z\nstartpos moves 7g7f 7g7f\n2g2f\n")
    assert run(["sgf-to-examples", "--game", "shogi", str(path)]) == 0
    said = capfd.readouterr()
    ids = [line.split("\t")[0] for line in said.out.splitlines()[3:]]
    assert ids == ["g:1", "g:2", "g@3:1", "g@4:1"]
    problems = said.err.splitlines()
    assert problems[0].startswith(f"{path}:2: move 2: '9z9z' is not a move")
    assert problems[1] == f"{path}: g@3: move 2 (W 7g7f): 7g is empty; left out from there on"
    assert problems[2] == "4 rows (4 examples) from 3 games; 2 problems reported above"
    assert run(["sgf-to-examples", "--game", "shogi", "--strict", str(path), "-o", str(tmp_path / "no.tsv")]) == 1
    assert not (tmp_path / "no.tsv").exists()


@pytest.mark.parametrize(
    ("options", "code", "what"),
    [
        (["--game", "shogi", "--negatives", "suicide"], 1, "shogi has no counter-examples of source suicide"),
        (["--game", "shogi", "--size", "7"], 1, "no game of the size and result wanted"),
        (["--game", "shogi", "--format", "prolog"], 2, "prolog holds points and chains of Go, which shogi has not"),
        (["--game", "shogi", "-o", "x.npz"], 2, ".npz is for weights, not for tables"),
    ],
)
def test_options_that_the_game_has_no_use_for_are_refused(
    made: Path, capfd: pytest.CaptureFixture[str], options: list[str], code: int, what: str
) -> None:
    assert run(["sgf-to-examples", str(made / "games"), *options]) == code
    assert what in " ".join(capfd.readouterr().err.replace("│", " ").split())


def test_a_folder_without_a_move_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text('{"game": "connect4", "moves": []}\n')
    with pytest.raises(GotoolsError, match=r"no examples: no move \(games read: 1 of size 7\)"):
        convert_records(tmp_path, tmp_path / "x.tsv", game="connect4")
    assert not (tmp_path / "x.tsv").exists()


def test_max_moves_keeps_the_beginning(made: Path, tmp_path: Path) -> None:
    convert(made / "games", tmp_path / "few.tsv", "shogi", "--max-moves", "3")
    wanted = [row for row in rows_of(made / "shogi.tsv") if int(row["id"].split(":")[1]) <= 3]
    assert rows_of(tmp_path / "few.tsv") == wanted


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("##gotools ranking 2\n", 1, "ranking"),
        ("##gotools examples 2\n##game=tictactoe\n", 3, "no column id or to_play or position or move"),
        ("##gotools examples 3\n##game=tictactoe\nid\n", 1, "examples of version 3"),
        (HEADER.replace("\tmove", ""), 3, "no column move"),
        (HEADER + FIRST[:-4] + "\n", 4, "3 cells, where the header names 4 columns"),
        (HEADER + FIRST + SECOND.replace("g:2", "g"), 5, "id 'g' is not a game and the number of a move"),
        (HEADER + FIRST.replace("\tb\t", "\tw\t"), 4, "to_play is 'w'; in the position it is b"),
        (HEADER + FIRST + SECOND.replace("a1", "b2"), 5, "move b2: not a legal move here"),
        (HEADER + FIRST + SECOND.replace("a1", "d4"), 5, "move d4: "),
        (HEADER + FIRST + SECOND.replace("X", "O"), 5, "position '.../.O./...', which does not follow"),
        (HEADER + SECOND.replace("X", "Y"), 4, "position '.../.Y./...', which does not follow from the row before: "),
        (HEADER + FIRST.replace(".../.../...", ""), 4, "position '', which does not follow"),
        (HEADER + "x" * (1 << 21), 4, "a line longer than"),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, text: str, line: int, what: str) -> None:
    game = find_game("tictactoe")
    with pytest.raises(FileFormatError) as caught:
        list(read_game_examples([text.encode()], "e.tsv", game))
    assert str(caught.value).startswith((f"e.tsv:{line}: {what}", f"e.tsv: a {what}", f"e.tsv: {what}"))


def test_tables_joined_by_cat_are_one_and_columns_stand_in_any_order(made: Path, tmp_path: Path) -> None:
    text = (made / "connect4.tsv").read_text()
    turned = "".join("\t".join(line.split("\t")[::-1]) + "\n" for line in text.splitlines()[2:])
    joined = text + text + "##gotools examples 2\n##game=connect4\n" + turned + text
    game = find_game("connect4")
    found = list(read_game_examples([joined[:99].encode(), joined[99:].encode()], "e.tsv", game))
    once = list(read_game_examples([text.encode()], "e.tsv", game))
    assert found == 4 * once and len(once) == 3


def test_a_table_from_a_pipe_is_read(made: Path) -> None:
    done = forked.run(
        [sys.executable, "-m", "gotools", "sgf-to-examples", "-q", "--game", "shogi"],
        input=(made / "shogi.tsv").read_bytes(),
        capture_output=True,
    )
    assert done.returncode == 0 and done.stdout == (made / "shogi.tsv").read_bytes()


def test_show_counts_games_by_their_results(made: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "--json", str(made / "shogi.parquet")]) == 0
    shown = read_json(capfd.readouterr().out)
    assert (shown["game"], shown["decisions"], shown["games"], shown["players"]) == ("shogi", 8 * PLIES, 8, 9)
    rows = {row["result"]: (row["games"], row["decisions"]) for row in shown["results"]["rows"]}
    assert rows == {"B+": (3, 90), "W+": (3, 90), "-": (2, 60)}


@pytest.mark.parametrize("name", ["shogi", "connect4"])
def test_counter_examples_are_legal_moves_that_were_not_played(made: Path, tmp_path: Path, name: str) -> None:
    """Two of each source, read back from the table; the rows that were played are those without them."""
    game, path = find_game(name), tmp_path / "e.tsv"
    options = ["--game", name, "--negatives", "unplayed=2,random=2", "-q", "-o", str(path)]
    assert run(["sgf-to-examples", str(made / f"{name}.jsonl"), *options]) == 0
    rows = rows_of(path)
    played = decisions([made / f"{name}.jsonl"], game, pytest.fail)
    assert [row["id"] for row in rows if row["label"] == "1"] == played.id
    others = [row for row in rows if row["label"] == "0"]
    assert [row["source"] for row in others] == ["unplayed"] * 2 + ["random"] * 2
    found = decisions([path], game, pytest.fail)
    assert found.label.sum() == len(played) and len(found) == len(played) + 4
    for place in np.flatnonzero(found.label == 0).tolist():
        assert int(found.move[place]) in game.moves_of(found.state(place))
    for row in others[:2]:
        assert row["move"] != next(one["move"] for one in rows if one["id"] == row["id"])


def test_strong_players_moves_are_chosen_in_every_game(made: Path, tmp_path: Path) -> None:
    """The ratings of black are 1500 and more; white has none."""
    convert(made / "shogi.jsonl", tmp_path / "e.tsv")
    options = ["--game", "shogi", "--rank-above", "1500", "-q", "-o", str(tmp_path / "strong.tsv")]
    assert run(["sgf-to-examples", str(made / "games"), *options]) == 0
    rows = rows_of(tmp_path / "strong.tsv")
    assert rows and all(row["to_play"] == "b" and float(row["black_rank"]) > 1500 for row in rows)
