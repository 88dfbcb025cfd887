"""The graded games of tests/shogi_games: what they are, and an order of moves learned from them at work."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from support.needs import ROOT

import gotools
from gotools.cli import run
from gotools.game.game import find_game
from gotools.game.records.reading import read_records
from gotools.game.records.replay import replayed

FOLDER = ROOT / "tests/shogi_games"
GAMES, RATINGS = FOLDER / "games.sgf.gz", FOLDER / "ratings.tsv"
SHOGI = find_game("shogi")


def test_they_are_200_legal_games_of_all_pairings_with_their_ratings(capfd: pytest.CaptureFixture[str]) -> None:
    games = [game for _, game in read_records([GAMES], SHOGI, pytest.fail)]
    pairings = Counter(frozenset(game.players) for game in games)
    assert len(pairings) == 10 and set(pairings.values()) == {20}
    for game in games[::10]:
        assert len(list(replayed(game, SHOGI))) == len(game.moves) > 24
    assert run(["elo", str(GAMES), "-q"]) == 0
    assert capfd.readouterr().out == RATINGS.read_text(encoding="utf-8")


def test_clusters_of_150_games_save_a_search_work_on_the_other_50(tmp_path: Path) -> None:
    table, learn, test = (tmp_path / f"{name}.tsv" for name in ("all", "learn", "test"))
    assert gotools.convert_records(GAMES, table, game="shogi").games == 200
    header, rows = table.read_text().split("result\n")
    names = list(dict.fromkeys(row.split(":")[0] for row in rows.splitlines()))
    held_out = set(names[3::4])
    for path, wanted in ((learn, False), (test, True)):
        chosen = [row for row in rows.splitlines() if (row.split(":")[0] in held_out) == wanted]
        path.write_text(f"{header}result\n" + "\n".join(chosen) + "\n")
    clusters = gotools.cluster_moves(
        learn, game="shogi", metric="euclid", starts=2, ratings=RATINGS, good_above="0", bad_below="0"
    )
    gotools.save(clusters, tmp_path / "clusters.tsv")
    orders: list[str | Path] = ["captures", tmp_path / "clusters.tsv"]
    compared = gotools.compare_orders(test, orders, depth=3, deepening=0, quiescence=0, positions=60, game="shogi")
    _, captures, ours = (total.nodes for total in compared.totals)
    assert ours < 0.9 * captures
    values = [{round(search.value, 9) for search in searches} for searches in compared.searches]
    assert len(held_out) == 50 and len(values) == 60 and all(len(found) == 1 for found in values)
