"""Good and bad moves in records of shogi: which they are, what describes them, and the clusters made of them."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.records import record_of

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.cli import run
from gotools.files.tables import read_table
from gotools.game.examples.described import described
from gotools.game.examples.examples import Examples
from gotools.game.examples.good_and_bad import GoodBadSelection, good_and_bad, read_ratings
from gotools.game.examples.states import States
from gotools.game.game import find_game
from gotools.game.learning import MoveFeatures
from gotools.game.records.selection import Strengths
from gotools.game.records.sgf import write_game
from gotools.values.clusters.clusters_file import load_clusters

SHOGI = find_game("shogi")
LAST = 2 / 3


def random_game(seed: int, plies: int = 60) -> list[str]:
    chance, state, moves = random.Random(seed), SHOGI.position(), list[str]()
    while len(moves) < plies and (legal := SHOGI.moves_of(state)):
        move = chance.choice(legal)
        moves.append(SHOGI.move_text(move, 9))
        state = SHOGI.play(state, move)
    return moves


def write(path: Path, moves: list[str], result: str = "B+R", black: str = "", white: str = "") -> None:
    path.write_bytes(write_game(record_of(moves, SHOGI, result=result, ranks=(black, white)), SHOGI))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six games of 60 moves: black wins the even ones, white the odd ones; ratings 1000 to 2000 and 900 to 1900."""
    folder = tmp_path_factory.mktemp("games")
    for number in range(6):
        result = "B+R" if number % 2 == 0 else "W+R"
        write(folder / f"{number}.sgf", random_game(number), result, str(1000 + 200 * number), str(900 + 200 * number))
    return folder


def found_in(
    path: Path,
    said: list[str] | None = None,
    strict: bool = False,
    ratings: dict[str, float] | None = None,
    good_above: str | None = None,
    bad_below: str | None = None,
    last: float = LAST,
    seed: int = 0,
) -> Examples:
    of = Strengths.of_game(SHOGI, ratings)
    choice = GoodBadSelection(of.limit(good_above), of.limit(bad_below), last, frozenset(), seed, of)
    say = (lambda _: None) if said is None else said.append
    return good_and_bad([str(path)], SHOGI, choice, say, lambda: None, strict)


def places(found: Examples, good: bool) -> set[tuple[str, int]]:
    rows = found.take(found.label == good)
    return set(zip(rows.games(), rows.ply.tolist(), strict=True))


def test_moves_of_winners_at_the_end_are_good(games: Path) -> None:
    found = found_in(games)
    wanted = {(str(n), move) for n in range(6) for move in range(21, 61) if move % 2 == (n + 1) % 2}
    assert places(found, True) == wanted == places(found, False)
    assert len(found) == 2 * len(wanted)


def test_ratings_choose_winners_and_losers(games: Path) -> None:
    found = found_in(games, good_above="1500", bad_below="1250")
    assert {name for name, _ in places(found, True)} == {"4", "5"}  # white's 1500 in game 3 is not above
    assert {name for name, _ in places(found, False)} == {"0", "1"}
    assert all(move % 2 == int(name) % 2 for name, move in places(found, False))


def test_moves_not_played_are_legal_and_others(games: Path) -> None:
    found = found_in(games)
    played = {
        (found.names[found.game[row]], int(found.ply[row])): int(found.move[row])
        for row in np.flatnonzero(found.label == 1).tolist()
    }
    for row in range(0, len(found), 7):
        assert found.move[row] in SHOGI.moves_of(found.state(row))
        was = played[found.names[found.game[row]], int(found.ply[row])]
        assert (found.move[row] == was) == found.label[row]


def test_features_are_those_of_the_position(games: Path) -> None:
    found, vocabulary = found_in(games), SHOGI.need(MoveFeatures)
    described_rows, stages = described(found)
    for row in range(0, len(found), 11):
        features = np.zeros((1, len(vocabulary.names)), np.int32)
        stage = vocabulary.measure(found.state(row), np.array([found.move[row]], np.int32), 1, features)
        assert (features[0] == described_rows[row]).all() and stage == stages[row]


def test_the_seed_draws_other_moves(games: Path) -> None:
    first, again, other = found_in(games), found_in(games), found_in(games, seed=1)
    assert (first.move == again.move).all()
    assert (first.move != other.move).any() and (first.move[first.label == 1] == other.move[other.label == 1]).all()


def test_a_game_with_an_illegal_move_ends_there_and_is_named(games: Path, tmp_path: Path) -> None:
    moves = random_game(9)
    write(tmp_path / "wrong.sgf", [*moves[:30], "5e5e", *moves[31:]])
    write(tmp_path / "right.sgf", moves)
    said: list[str] = []
    found = found_in(tmp_path, said)
    assert {ply for name, ply in places(found, True) if name == "wrong"} == set(range(21, 31, 2))
    assert len(said) == 1 and re.search(r"wrong\.sgf: move 31 \(B 5e5e\): .*; left out from there on", said[0])
    with pytest.raises(FileFormatError):
        found_in(tmp_path, strict=True)


@pytest.mark.parametrize(
    ("result", "choice", "message"),
    [
        ("0", {}, "no good moves: none of 1 game names a winner"),
        ("B+R", {"good_above": "1500"}, "no ranks in any of 1 game: leave out --good-above"),
    ],
)
def test_nothing_to_learn_from_is_said(tmp_path: Path, result: str, choice: dict[str, Any], message: str) -> None:
    write(tmp_path / "g.sgf", random_game(1), result)
    with pytest.raises(GotoolsError, match=re.escape(message)):
        found_in(tmp_path, None, False, **choice)


def test_ratings_that_fit_nobody_are_said(games: Path) -> None:
    with pytest.raises(GotoolsError, match="of 6 games 6 were won, none by a player above --good-above"):
        found_in(games, good_above="9000")


def test_ratings_of_players_stand_in_for_those_of_records(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Names with ratings as `gotools elo` writes them, in SGF, CSA and KIF."""
    moves = random_game(4)
    write(tmp_path / "a.sgf", moves)
    text = (tmp_path / "a.sgf").read_text("utf-8").replace("GM[8]", "GM[8]PB[strong one]PW[weak]")
    (tmp_path / "a.sgf").write_text(text, "utf-8")
    csa = ["V2.2", "N+weak", "N-strong one", "PI", "+", "+7776FU", "-3334FU", "+2726FU", "-8384FU", "%TORYO", ""]
    (tmp_path / "b.csa").write_text("\n".join(csa), "utf-8")
    lines = ["先手：strong one", "後手：weak", "手数----指手", "1 ７六歩(77)", "2 投了"]
    (tmp_path / "c.kif").write_text("\n".join(lines) + "\n", "utf-8")
    ratings = {"strong one": 1800.0, "weak": 700.0}
    found = found_in(tmp_path, ratings=ratings, good_above="1000", bad_below="1000", last=1.0)
    sides = {(game, good): {ply % 2 for name, ply in places(found, good) if name == game}
             for game in "abc" for good in (True, False)}  # fmt: skip
    assert sides == {("a", True): {1}, ("a", False): {0}, ("b", True): {0}, ("b", False): {1}, ("c", True): {1},
                     ("c", False): set()}  # fmt: skip
    table = tmp_path / "ratings.tsv"
    table.write_text("##gotools ratings 2\nname\telo\nstrong one\t1800.0\nweak\t\n", "utf-8")
    assert read_ratings(str(table)) == {"strong one": 1800.0}
    table.write_text("##gotools ratings 2\nname\telo\nstrong one\tmuch\n", "utf-8")
    assert run(["cluster-moves", "--game", "shogi", str(tmp_path), "--ratings", str(table)]) == 1
    assert f"{table}:3: elo 'much' is no number" in capfd.readouterr().err


def test_a_game_without_features_is_refused() -> None:
    connect4 = replace(find_game("connect4"), traits={})
    with pytest.raises(GotoolsError, match="connect4 has no features of moves"):
        described(States.none(connect4))


# the commands ---------------------------------------------------------------------------------------------------------


def test_clusters_of_shogi_order_its_moves(games: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, table = tmp_path / "clusters.tsv", tmp_path / "orders.tsv"
    arguments = ["cluster-moves", "--game", "shogi", str(games), "--k", "3", "--starts", "2", "--show", "1"]
    assert run([*arguments, "-o", str(out)]) == 0
    err = capfd.readouterr().err
    assert re.search("12[0-9] good and 12[0-9] bad moves, 3 and 3 centres", err) and "black (capitals) in hand" in err
    clusters = load_clusters(out, SHOGI)
    assert clusters.game == "shogi" and len(clusters.centres) == 6
    orders = [f"{out}", f"{out}@root+captures"]
    bench = [
        "order-bench",
        "--game",
        "shogi",
        str(games / "0.sgf"),
        "--positions",
        "5",
        "--depth",
        "2",
        "--deepening",
        "0",
    ]
    assert run([*bench, *(word for order in orders for word in ("--order", order)), "-q", "-o", str(table)]) == 0
    rows = [cells for _, cells in read_table(table, "order-bench", 2)[3]]
    names = [cells[1] for cells in rows]
    assert names[:3] == ["history", *orders]
    values: dict[str, set[str]] = {cells[0]: set() for cells in rows}
    for cells in rows:
        values[cells[0]].add(cells[5])
    assert all(len(found) == 1 for found in values.values())  # an order changes the work, never the value


def test_stages_are_situations(tmp_path: Path) -> None:
    out = tmp_path / "clusters.tsv"
    for number in range(8):
        write(tmp_path / f"{number}.sgf", random_game(number, 150))
    arguments = [
        "cluster-moves",
        "--game",
        "shogi",
        str(tmp_path),
        "--k",
        "2",
        "--starts",
        "1",
        "--stages",
        "--last",
        "1",
    ]
    assert run([*arguments, "-q", "-o", str(out)]) == 0
    assert load_clusters(out, SHOGI).stages == ("opening", "attack", "defence", "even")


def test_sizes_choose_among_games(games: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["cluster-moves", "--game", "shogi", str(games), "--size", "5"]) == 1
    assert "(games read: 6 of size 9)" in capfd.readouterr().err
