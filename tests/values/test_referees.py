"""Referees of a training, and opponents that look ahead, against the players that they stand for."""

from __future__ import annotations

import pandas
import pytest

from gotools.base.errors import GotoolsError
from gotools.cli import run
from gotools.game.game import find_game
from gotools.jit.kernels.seams import TO_PLAY
from gotools.library.values import train
from gotools.values.games.match import Searcher, best_moves, play_series
from gotools.values.games.selfplay import Policy, play_games
from gotools.values.training.recipe import parse_opponent
from gotools.values.training.referees import parse_referees

CONNECT4, GO = find_game("connect4"), find_game("go")
HEURISTIC = CONNECT4.find_heuristic()
assert HEURISTIC is not None
EVALUATION = (HEURISTIC.evaluate, HEURISTIC.numbers)


def test_without_a_choice_they_are_the_usual_ones():
    assert [referee.name for referee in parse_referees([], CONNECT4)] == ["random", "heuristic"]
    assert [referee.name for referee in parse_referees(["plies:6", "random"], GO)] == ["plies:6", "random"]


@pytest.mark.parametrize(
    "texts", [["foo"], ["plies"], ["plies:0"], ["plies:9"], ["random:1"], ["heuristic:x"], ["plies:٣"], ["plies:3"] * 2]
)
def test_what_is_no_referee_is_refused(texts):
    with pytest.raises(GotoolsError, match="--referee"):
        parse_referees(texts, CONNECT4)


def test_plies_are_the_searcher_that_knows_nothing_else():
    (referee,) = parse_referees(["plies:3"], CONNECT4)
    counts = referee.play(CONNECT4, EVALUATION, 20, 5, 7, 0.0, 1)
    first, second = play_series(CONNECT4, Searcher(1, *EVALUATION), Searcher(3), 10, 5)
    assert counts == tuple(a + b for a, b in zip(first, second, strict=True)) and sum(counts) == 20


def test_a_deeper_heuristic_wins_more():
    shallow, deep = (
        parse_referees([name], CONNECT4)[0].play(CONNECT4, EVALUATION, 60, 5, 7, 0.0, 1)
        for name in ("heuristic:1", "heuristic:5")
    )
    assert sum(shallow) == sum(deep) == 60
    assert deep[2] > shallow[2] + 5


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_an_opponent_plays_as_deep_as_named(depth):
    opponents = parse_opponent(f"heuristic:{depth}")
    assert opponents.shares == (0.0, 0.0, 1.0)
    policy = Policy(0.5, shares=opponents.shares, other_depth=opponents.depth)
    games = play_games(CONNECT4, EVALUATION, HEURISTIC, policy, 0, 12, 3, 7)
    player, seen = Searcher(depth, *EVALUATION), 0
    for row in range(12):
        state = CONNECT4.position()
        for move in games.moves[row, : games.lengths[row]]:
            if state[TO_PLAY] != games.learner[row]:
                assert int(move) in best_moves(CONNECT4, player, state)
                seen += 1
            state = CONNECT4.play(state, int(move))
    assert seen > 80 and set(games.learner) == {1, 2}


def test_a_log_counts_the_games_against_each_referee(tmp_path):
    """Resumed from a log without the counts, as older programs wrote it, the older rows leave them empty."""
    log = tmp_path / "log.tsv"
    settings = {
        "game": "connect4",
        "features": "lines",
        "log": log,
        "referee": ("plies:2", "random"),
        "referee_games": 4,
    }
    train(tmp_path / "w.npz", games=300, **settings)
    lines = log.read_text(encoding="utf-8").splitlines()
    old = [line if line.startswith("##") else "\t".join(line.split("\t")[:-6]) for line in lines]
    for name, text in (("new", lines), ("old", old)):
        (tmp_path / "w2.npz").write_bytes((tmp_path / "w.npz").read_bytes())
        log.write_text("\n".join(text) + "\n", encoding="utf-8")
        train(tmp_path / "w2.npz", games=600, resume=True, **settings)
        table = pandas.read_csv(log, sep="\t", comment="#")
        assert list(table)[-6:] == [f"{who}_{end}" for who in ("plies:2", "random") for end in ("won", "drawn", "lost")]
        known = table.dropna()
        assert 0 < len(known) < len(table) if name == "old" else len(known) == len(table)
        for who in ("plies:2", "random"):
            won, drawn, lost = (known[f"{who}_{end}"] for end in ("won", "drawn", "lost"))
            assert (won + drawn + lost == 4).all()
            assert ((won + drawn / 2) / 4 == known[who]).all()
            assert (table[f"{who}_low"] <= table[who]).all()
    assert run(["show", str(log)]) == 0
