"""The network of the package: what a player of Go uses that is given nothing."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.asking import ask
from support.needs import ROOT
from support.two_rules import TWO_RULES

import gotools
from gotools import cli
from gotools.engines.knowledge import DEFAULTS, default_weights
from gotools.engines.players import new_player
from gotools.files.tables import read_header
from gotools.game.choice import Choice, Limits
from gotools.game.sides import BLACK, WHITE
from gotools.games.go.board import Board
from gotools.games.go.estimate.status import final_score
from gotools.games.go.points import PASS, parse_vertex
from gotools.values.weights.weights_file import load_weights

GO = default_weights("go")
README = (DEFAULTS / "README.md").read_text(encoding="utf-8")


def choice(size: int, nodes: int = 60, **options: str) -> Choice:
    board = Board(size)
    board.play_point(parse_vertex("D4", size), BLACK)
    found = ask(new_player(seed=1, **options), board, WHITE, 7.0, Limits(nodes=nodes))
    return replace(found, reason="")


@pytest.mark.parametrize("game", ["abalone", "connect4", "go", "shogi"])
def test_it_is_small_and_says_where_it_is_from(game: str, capfd: pytest.CaptureFixture[str]) -> None:
    path = default_weights(game)
    weights = load_weights(path)
    assert path.stat().st_size < 1_000_000 and weights.game == game
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:12] in README
    assert weights.about.partition("digest=")[2] in README
    lines = path.with_suffix(".tsv").read_text(encoding="utf-8").splitlines()
    header, columns, first = read_header(lines, "training-log", 2)
    rows = [dict(zip(columns, line.split("\t"), strict=True)) for line in lines[first:]]
    assert int(rows[-1]["games"]) == weights.games
    assert header["network"] == weights.network
    assert cli.run(["show", "default", "--game", game]) == 0
    shown = capfd.readouterr().out
    assert f"game       {game}\n" in shown and f"games      {weights.games:,}\n" in shown


def test_the_network_is_that_of_its_recipe() -> None:
    weights = load_weights(GO)
    assert (weights.size, weights.features, weights.memory) == (9, "planes", {})
    makefile = (ROOT / "examples/training/Makefile").read_text(encoding="utf-8")
    recipe = re.search(r"\$\(OUT\)/network\.npz: .*\n\t.*--games (\d+)", makefile)
    assert recipe is not None and weights.settings["anneal"] == int(recipe[1]) <= weights.games


def test_it_plays_where_nothing_is_named() -> None:
    plain = choice(9)
    assert plain == choice(9, search="mcts") == choice(9, rules="none") == choice(9, evaluation=str(GO))
    bare = choice(9, evaluation="none")
    assert plain != bare == choice(9, rules="none", evaluation="none")
    assert choice(9, search="alphabeta") == choice(9, search="alphabeta", evaluation="none")


def test_it_has_a_name(capfd: pytest.CaptureFixture[str]) -> None:
    path = str(GO)
    assert choice(9) == choice(9, evaluation="default")
    by_path = choice(9, search="alphabeta", evaluation=path)
    assert choice(9, search="alphabeta", evaluation="default") == by_path != choice(9, search="alphabeta")
    game = str(ROOT / "examples/test-games/gnugo-1001.sgf")
    shown = []
    for name in ("default", path):
        assert cli.run(["rank-moves", game, "--top", "2", "--eval", name, "-q"]) == 0
        shown.append(capfd.readouterr().out)
    assert shown[0].count("\n") > 50 and shown[0] == shown[1]
    counts = [
        [(total.nodes, total.same_value) for total in gotools.compare_orders(game, [name], positions=2, depth=2).totals]
        for name in ("default", path)
    ]
    assert counts[0] == counts[1]
    assert cli.run(["gtp", "-q", "--game", "tictactoe", "--eval", "default"]) == 1
    message = "default: the package has learned values of abalone, connect4, go, shogi, not of tictactoe"
    assert message in capfd.readouterr().err


@pytest.mark.parametrize(("game", "order"), [("abalone", "centre"), ("connect4", "centre"), ("shogi", "captures")])
def test_other_games_have_one(game: str, order: str) -> None:
    assert new_player(game).name.endswith(f"alphabeta {game}: values of the package")
    for options in ({"evaluation": "none"}, {"order": order}, {"search": "mcts"}):
        assert "of the package" not in new_player(game, **options).name


def test_it_is_that_of_a_game_from_any_start(capfd: pytest.CaptureFixture[str]) -> None:
    shown = []
    for game in ("abalone", "abalone:belgian-daisy"):
        assert cli.run(["show", "default", "--game", game]) == 0
        shown.append(capfd.readouterr().out)
    assert shown[0] == shown[1]


def test_it_plays_on_larger_boards() -> None:
    for size in (13, 19):
        assert choice(size) == choice(size, evaluation=str(GO)) != choice(size, evaluation="none")


@pytest.mark.parametrize(
    ("options", "made"),
    [
        ({}, "mcts: network of the package"),
        ({"evaluation": "none"}, "mcts: no rules, no network"),
        ({"search": "alphabeta", "evaluation": "default"}, "alphabeta: network of the package"),
        ({"search": "alphabeta"}, "alphabeta: built-in evaluation"),
        ({"heuristic": "area", "order": "captures"}, "alphabeta: heuristic area, order captures"),
        ({"rules": "r.pl"}, "mcts: rules r.pl, no network"),
        ({"rules": "r.pl", "evaluation": "default"}, "mcts: rules r.pl, network of the package"),
    ],
)
def test_a_name_says_what_the_player_is_made_of(
    options: dict[str, str], made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.pl").write_text(TWO_RULES)
    assert new_player(**options).name == f"gotools {gotools.__version__} {made}"


@pytest.mark.slow
def test_it_wins_against_the_bare_search() -> None:
    """With a fifth of its playouts, which take about as long."""
    strong, bare, won = new_player(seed=1), new_player(seed=1, evaluation="none"), 0
    for game, first in enumerate(("C3", "G7", "E5", "D4", "C7", "F6")):
        board, colour, last = Board(9), WHITE, 0
        board.play_point(parse_vertex(first, 9), BLACK)
        for _ in range(200):
            player, nodes = (strong, 100) if (colour == WHITE) == (game % 2 == 0) else (bare, 500)
            point = ask(player, board, colour, 7.0, Limits(nodes=nodes)).move
            board.play_point(point, colour)
            if point == last == PASS:
                break
            colour, last = 3 - colour, point
        won += (final_score(board, 7.0) > 0) == (game % 2 == 1)
    assert won >= 5
