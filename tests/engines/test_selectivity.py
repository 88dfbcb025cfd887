"""`--width`, `--penalty`, `--selective`, `--extensions` of alpha-beta: players, order-bench, library and command."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.needs import ROOT
from support.two_rules import TWO_RULES

import gotools
from gotools.base.errors import ConfigError, GotoolsError
from gotools.cli import run
from gotools.engines.players import new_player
from gotools.game.choice import Limits
from gotools.game.game import find_game
from gotools.game.history import History
from gotools.games.go.board import Board
from gotools.matches.game.engine_spec import engine_of_text

GAME = ROOT / "examples/test-games/gnugo-1001.sgf"
PLAYED = (6, 8, 16, 18, 12)
"""Points of 5x5."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "rules.pl"
    path.write_text(TWO_RULES)
    return path


@pytest.fixture(scope="module")
def board() -> Board:
    made = Board(5)
    for point in PLAYED:
        made.play_point(point, made.to_play)
    return made


def test_all_moves_without_penalty_are_worth_what_they_are_without_rules(rules: Path, board: Board) -> None:
    plain = gotools.Player(search="alphabeta").choose(board, depth=2)
    whole = gotools.Player(rules=rules, search="alphabeta", widths=[0], penalty=0.0).choose(board, depth=2)
    assert whole.winrate == plain.winrate


def test_rules_only_order_moves_where_the_game_says_nothing_else(tmp_path: Path) -> None:
    """The position is drawn; rules that like the edges make it a loss if they prune as in Go."""
    path = tmp_path / "edges.pl"
    path.write_text("%% gotools rules 1\n%% game=tictactoe\n\nrule(r1, 9, 1, 9.0).\nmove(A,B,C) :- place(A,C,edge).\n")
    game = find_game("tictactoe")
    after_centre = History.start(game, 3, first=game.play(game.position(3), 4))
    plain, whole, pruned = (
        new_player("tictactoe", search="alphabeta", **options).choose(after_centre, Limits(depth=9))
        for options in ({}, {"rules": str(path)}, {"rules": str(path), "widths": (6,), "penalty": 0.05})
    )
    assert plain.value == whole.value == 0 > pruned.value
    assert plain.nodes != whole.nodes


def test_the_fewer_moves_the_fewer_positions(rules: Path, board: Board) -> None:
    counts = [
        gotools.Player(rules=rules, search="alphabeta", widths=widths, penalty=0.0).choose(board, depth=3).nodes
        for widths in ([1], [3], [0])
    ]
    usual = gotools.Player(rules=rules, search="alphabeta", penalty=0.0).choose(board, depth=3).nodes
    assert counts[0] < counts[1] < usual < counts[2]


def test_a_list_of_widths_begins_before_the_leaves(rules: Path, board: Board) -> None:
    """At depth 2 the root's moves are all searched, and one ply before the leaves is the first number."""
    narrow, wide = (
        gotools.Player(rules=rules, search="alphabeta", widths=widths, penalty=0.0).choose(board, depth=2)
        for widths in ([1, 0], [0, 1])
    )
    only = gotools.Player(rules=rules, search="alphabeta", widths=[1], penalty=0.0).choose(board, depth=2)
    assert narrow.nodes == only.nodes < wide.nodes


def test_a_penalty_keeps_the_search_to_what_rules_propose(rules: Path, board: Board) -> None:
    """The rules like points near the last move; a large penalty leaves nothing else."""
    move = gotools.Player(rules=rules, search="alphabeta", penalty=1.0).choose(board, depth=1)
    last = PLAYED[-1]
    assert max(abs(move.point % 5 - last % 5), abs(move.point // 5 - last // 5)) <= 3


def test_a_selective_search_saves_positions() -> None:
    game = find_game("shogi")
    history = History.start(game, game.sizes[0])
    whole, left_out, usual = (
        new_player("shogi", selective=selective).choose(history, Limits(depth=4)).nodes
        for selective in (False, True, None)
    )
    assert left_out < whole and usual == left_out


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--width", "6"], 1, "--width, --penalty, --selective and --extensions are of --search alphabeta, not"),
        (["--search", "alphabeta", "--width", "6"], 1, "--width and --penalty need what scores moves: rules, or"),
        (["--game", "connect4", "--penalty", "0.1"], 1, "--width and --penalty need what scores moves: rules, or"),
        (["--search", "alphabeta", "--width", "6,"], 2, "numbers of moves with commas between: 8 or 12,8,6"),
        (["--search", "alphabeta", "--width", "-1"], 2, "numbers of moves with commas between: 8 or 12,8,6"),
        (["--search", "alphabeta", "--penalty", "2"], 2, "--penalty"),
        (["--extensions", "4"], 1, "--extensions are of --search alphabeta, not of mcts"),
        (["--game", "connect4", "--extensions", "4"], 1, "connect4 has no threats, such as a check or an atari"),
        (["--search", "alphabeta", "--extensions", "21"], 2, "--extensions"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    words: list[str], code: int, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["gtp", "-q", *words]) == code
    assert line in capfd.readouterr().err


def test_the_library_refuses_numbers_that_are_none(rules: Path) -> None:
    wrong: list[dict[str, Any]] = [{"widths": ()}, {"widths": (-1,)}, {"penalty": -0.1}, {"penalty": float("nan")}]
    for given in [*wrong, {"extensions": -1}, {"extensions": 21}]:
        with pytest.raises(GotoolsError, match=r"widths are numbers|a number from 0 to 1|finite|from 0 to 20"):
            new_player(search="alphabeta", rules=str(rules), **given)
    with pytest.raises(GotoolsError, match="of --search alphabeta"):
        new_player("connect4", search="mcts", selective=True)


# ---- order-bench ----


def nodes_of(orders: list[str | Path], **selectivity: object) -> dict[str, int]:
    """Return the positions of each order, `rules` and so on by the endings of files."""
    found = gotools.compare_orders(GAME, orders, positions=2, depth=3, **selectivity)
    return {Path(total.order).stem: total.nodes for total in found.totals}


@cache
def perfect_nodes() -> dict[str, int]:
    """Without selectivity."""
    return nodes_of(["captures", "perfect"])


def test_widths_prune_the_orders_by_rules_alone(rules: Path) -> None:
    whole = nodes_of([rules, "captures"])
    few, some, every = (nodes_of([rules, "captures"], widths=widths) for widths in ([2], [8], [0]))
    assert few["rules"] < some["rules"] < whole["rules"] == every["rules"]
    for pruned in (few, some):
        assert all(pruned[order] == whole[order] for order in ("history", "captures"))


def test_the_search_is_that_of_a_player_with_the_same_selectivity(rules: Path, tmp_path: Path) -> None:
    (tmp_path / "one.sgf").write_text("(;SZ[5]KM[7.5];B[bb];W[dd];B[bd];W[db];B[cc])")
    selectivity = {"widths": [3], "penalty": 0.1, "selective": True, "extensions": 3}
    board = Board(5)
    for vertex in ("bb", "dd", "bd", "db"):
        board.play_point(5 * (4 - "abcde".index(vertex[1])) + "abcde".index(vertex[0]), board.to_play)
    found = gotools.compare_orders(tmp_path / "one.sgf", [rules], depth=4, **selectivity)
    player = gotools.Player(rules=rules, search="alphabeta", **selectivity)
    assert found.searches[-1][1].nodes == player.choose(board, depth=4).nodes


def test_rules_prune_from_either_place(rules: Path) -> None:
    one, other = (nodes_of([f"{pair}"], widths=[3]) for pair in (f"{rules}+captures", f"captures+{rules}"))
    assert list(one.values()) == list(other.values())


def test_extensions_are_for_every_order_but_those_by_values() -> None:
    whole, extended = perfect_nodes(), nodes_of(["captures", "perfect"], extensions=2)
    assert extended["history"] > whole["history"] and extended["captures"] > whole["captures"]
    assert extended["perfect"] == whole["perfect"]


def test_a_selective_search_is_for_every_order_but_those_by_values(rules: Path) -> None:
    whole, left_out = perfect_nodes(), nodes_of(["captures", "perfect"], selective=True)
    assert left_out["history"] != whole["history"] and left_out["captures"] != whole["captures"]
    assert left_out["perfect"] == whole["perfect"] < whole["history"]


def test_the_table_says_what_was_left_out(rules: Path, capfd: pytest.CaptureFixture[str]) -> None:
    bench = ["order-bench", "-q", str(GAME), "--positions", "1", "--depth", "1", "--order", str(rules)]
    assert run([*bench, "--width", "4,8", "--penalty", "0.05", "--selective", "--extensions", "2"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert {"##width=4,8", "##penalty=0.05", "##selective=yes", "##extensions=2"} <= set(lines)
    assert run(bench) == 0
    names = {line[2:].split("=")[0] for line in capfd.readouterr().out.split()}
    assert not {"width", "penalty", "selective", "extensions"} & names


@pytest.mark.parametrize(
    ("words", "code", "line"),
    [
        (["--width", "6"], 1, "--width and --penalty need an --order that scores moves: rules, or a policy"),
        (["--penalty", "0.1", "--order", "captures"], 1, "need an --order that scores moves"),
        (["--width", "6,"], 2, "numbers of moves with commas between: 8 or 12,8,6"),
        (["--penalty", "2"], 2, "--penalty"),
    ],
)
def test_what_makes_no_sense_in_order_bench_is_one_line(
    words: list[str], code: int, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["order-bench", "-q", str(GAME), "--depth", "1", *words]) == code
    assert line in capfd.readouterr().err


# ---- descriptions of players ----


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("nodes=20,eval=e.npz,rules=r.pl", ["--rules", "r.pl", "--eval", "e.npz", "--nodes", "20"]),
        ("order=clusters.tsv,time=0.5", ["--order", "clusters.tsv", "--time", "0.5"]),
        ("width=12,8,6,depth=4,penalty=0.1", ["--depth", "4", "--width", "12,8,6", "--penalty", "0.1"]),
        ("selective=yes,capture-all-dead=yes", ["--selective", "--capture-all-dead"]),
        ("selective=no,capture-all-dead=no", ["--no-selective"]),
    ],
)
def test_a_description_of_a_player_becomes_the_options_of_gtp(text: str, words: list[str]) -> None:
    assert engine_of_text(f"gotools:{text}").words == [sys.executable, "-m", "gotools", "gtp", "--quiet", *words]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("order=", "'order=' is not KEY=VALUE"),
        ("selective", "'selective' is not KEY=VALUE"),
        ("depth=4,8", "'8' is not KEY=VALUE"),
        ("orders=x", "there is no setting 'orders'; did you mean 'order'?"),
        ("depth=0", "depth: 0 is not a whole number from 1 on"),
        ("depth=deep", "depth: 'deep' is not a whole number"),
        ("selective=1", "selective: '1' is neither yes nor no"),
        ("search=mtcs", "search: there is no 'mtcs'; did you mean 'mcts'?"),
        ("width=a", "width: numbers of moves with commas between"),
    ],
)
def test_a_wrong_description_is_refused_with_the_reason(text: str, what: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(what)):
        engine_of_text(f"gotools:{text}").words  # noqa: B018


def test_rules_of_abalone_prune_from_three_plies_left_on_and_where_it_is_asked(tmp_path: Path) -> None:
    rules = tmp_path / "rules.pl"
    rules.write_text("%% gotools rules 1\n%% game=abalone\nrule(r1, 1, 1, 0.5).\nmove(A,B,C) :- nearer(A,C,B,1).\n")

    def searched(depth: int, **settings: Any) -> tuple[float, int]:
        player = new_player("abalone", **settings)
        choice = player.choose(History.start(player.game, player.game.sizes[0]), Limits(depth=depth))
        return choice.value, choice.nodes

    exact = {"evaluation": "none", "selective": False}
    ruled = {"rules": str(rules), "selective": False}
    assert searched(3, **ruled)[0] == searched(3, **exact)[0]
    assert searched(5, **ruled)[1] < searched(5, **ruled, widths=[0])[1]
    assert searched(3, **ruled, widths=[2])[1] < searched(3, **ruled)[1] / 4
