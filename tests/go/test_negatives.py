"""Counter-examples: legal or illegal as they should be, none twice, the same from the same seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples_of, random_moves, read_examples
from support.slow import SlowGo

from gotools.base.errors import GotoolsError
from gotools.cli import run
from gotools.game.examples.negatives import draw_negatives, split_by_game, suicide_points, unplayed_moves
from gotools.game.examples.settings import wanted_negatives
from gotools.game.records.ranks import RANK, Strength
from gotools.game.records.record import Record
from gotools.game.records.selection import Selection
from gotools.game.records.sources import SOURCES, SUICIDE, UNPLAYED, WEAK
from gotools.games.go.examples.examples import GoExamples


def slow_position(examples: GoExamples, row: int) -> tuple[SlowGo, int]:
    size = int(examples.size[row])
    cells = examples.board[row, : size * size].tolist()
    game = SlowGo(size, {(at % size, at // size): colour for at, colour in enumerate(cells) if colour})
    colour, ko = int(examples.to_play[row]), int(examples.ko[row])
    game.ko = (colour, (ko % size, ko // size)) if ko >= 0 else None
    return game, colour


def slow_key(examples: GoExamples, row: int) -> tuple[object, ...]:
    return int(examples.size[row]), int(examples.to_play[row]), int(examples.ko[row]), examples.board[row].tobytes()


def played_games(seed: int, count: int = 120) -> GoExamples:
    """Moves of a random player on 3x3, 4x4 and 5x5, as examples: many kos, suicides and repeated positions."""
    parts = [random_moves(count, size, seed) for size in (3, 4, 5)]
    rows = GoExamples.concat([part for part in parts for _ in range(2)])
    rows.label[:], rows.source[:] = 1, 0
    return rows


@settings(max_examples=8)
@given(st.integers(0, 99))
def test_unplayed_moves_are_all_legal_unplayed_and_different(seed: int) -> None:
    positives = played_games(seed)
    legal: dict[tuple[object, ...], set[int]] = {}
    for row in range(len(positives)):
        game, colour = slow_position(positives, row)
        size = game.size
        points = {y * size + x for y in range(size) for x in range(size) if game.is_legal((x, y), colour)}
        legal.setdefault(slow_key(positives, row), points).discard(int(positives.move[row]))
    drawn = unplayed_moves(positives, 10**6, np.random.default_rng(seed))
    pairs = Counter((slow_key(drawn, row), int(drawn.move[row])) for row in range(len(drawn)))
    assert set(pairs.values()) == {1}
    assert set(pairs) == {(key, point) for key, points in legal.items() for point in points}
    assert set(drawn.source.tolist()) == {UNPLAYED} and not drawn.label.any()


@settings(max_examples=8)
@given(st.integers(0, 99))
def test_suicide_points_are_empty_illegal_and_different(seed: int) -> None:
    positives = played_games(seed)
    illegal = set()
    for row in range(len(positives)):
        game, colour = slow_position(positives, row)
        points = [(x, y) for y in range(game.size) for x in range(game.size) if (x, y) not in game.stones]
        key = slow_key(positives, row)
        illegal |= {(key, y * game.size + x) for x, y in points if not game.is_legal((x, y), colour)}
    drawn = suicide_points(positives, 10**6, np.random.default_rng(seed))
    pairs = [(slow_key(drawn, row), int(drawn.move[row])) for row in range(len(drawn))]
    assert len(set(pairs)) == len(pairs) and set(pairs) == illegal
    assert set(drawn.source.tolist()) == {SUICIDE}
    assert len(suicide_points(positives, 5, np.random.default_rng(seed))) == 5


def test_unplayed_moves_are_spread_evenly() -> None:
    positives = random_moves(200, 9, 5)
    once = unplayed_moves(positives, 200, np.random.default_rng(1))
    assert Counter(once.id) == Counter(positives.id)
    some = unplayed_moves(positives, 50, np.random.default_rng(1))
    assert len(some) == 50 and set(Counter(some.id).values()) == {1}
    thrice = unplayed_moves(positives, 601, np.random.default_rng(1))
    counts = Counter(thrice.id)
    assert len(thrice) == 601 and max(counts.values()) <= 4 and min(counts.values()) >= 1
    moves = unplayed_moves(random_moves(2, 9, 0).take(np.array([0])), 80, np.random.default_rng(0)).move
    assert len(set(moves.tolist())) == 80


def weak_games() -> list[Record]:
    moves = np.array([[1, 0], [2, 8], [1, 4], [2, 3]], np.int16)
    ranks = [("15k", "3d"), ("15k", "20k"), ("9k", "15k"), ("", "15k"), ("15k", "5d")]
    results = ["W+R", "B+2", "B+1", "0", ""]
    return [
        Record(f"g{number}", 3, moves, ranks=rank, result=result)
        for number, (rank, result) in enumerate(zip(ranks, results, strict=True))
    ]


def test_weak_losers_moves_are_counter_examples_and_no_examples() -> None:
    rows, problems = examples_of(weak_games(), Selection(weak_below=Strength(RANK, -10)))
    assert problems == []
    weak = rows.take(rows.source == WEAK)
    assert weak.id == ["g0:1", "g0:3", "g1:2", "g1:4", "g2:2", "g2:4"] and not weak.label.any()
    assert len(rows) == 20 and rows.label.sum() == 14
    strong, _ = examples_of(weak_games(), Selection(rank_above=Strength(RANK, -10), weak_below=Strength(RANK, -10)))
    assert [name for name, label in zip(strong.id, strong.label, strict=True) if label] == [
        "g0:2", "g0:4", "g2:1", "g2:3", "g4:2", "g4:4",
    ]  # fmt: skip
    assert (strong.source == WEAK).sum() == 6


def test_fewer_than_wanted_is_reported() -> None:
    rows, _ = examples_of(weak_games(), Selection(weak_below=Strength(RANK, -10)))
    said: list[str] = []
    wanted = wanted_negatives("weak=100, suicide=2,unplayed, random=3")
    drawn = draw_negatives(rows, wanted, 7, lambda count, size: random_moves(count, size, 7), said.append)
    counts = Counter(SOURCES[source] for source in drawn.source)
    assert counts == {"weak": 6, "unplayed": len(rows.take(rows.label == 1)), "random": 3} | (
        {"suicide": counts["suicide"]} if counts["suicide"] else {}
    )
    assert said[0] == "6 counter-examples of source weak, 100 wanted: there are no more"
    assert set(drawn.take(drawn.source == SOURCES.index("random")).size.tolist()) == {3}


def test_the_count_of_one_source_does_not_change_another() -> None:
    rows = played_games(3, 60)

    def points(text: str) -> list[int]:
        drawn = draw_negatives(
            rows, wanted_negatives(text), 5, lambda n, size: random_moves(n, size, 5), lambda _: None
        )
        return drawn.take(drawn.source == UNPLAYED).move.tolist()

    assert points("unplayed=40") == points("suicide=9,random=7,unplayed=40") != []


@pytest.mark.parametrize("share", [0.01, 0.5, 0.8, 0.999])
def test_a_split_keeps_games_whole_and_both_parts_filled(share: float) -> None:
    rows = played_games(1, 200)
    names = sorted(f"g{at}" for at in range(-(-len(rows) // 60)))
    rows = replace(rows, names=names * 2, game=(np.arange(len(rows)) // 60).astype(np.int32))
    rows.game[::2] += len(names)  # each name stands twice
    mask = split_by_game(rows, share, 3)
    train, test = set(rows.take(mask).games()), set(rows.take(~mask).games())
    assert train and test and not train & test and sorted(train | test) == names
    assert len(train) == min(max(round(share * len(names)), 1), len(names) - 1)
    assert (split_by_game(rows, share, 3) == mask).all()
    with pytest.raises(GotoolsError, match="one game"):
        split_by_game(rows.take(np.arange(60)), share, 3)


# ---- the command ----


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Ten games of random moves on 7x7, as SGF."""
    folder = tmp_path / "games"
    folder.mkdir()
    moves = random_moves(400, 7, 2)
    for number, game in enumerate(dict.fromkeys(moves.games())):
        played = [
            f";{'.BW'[moves.to_play[row]]}[{chr(97 + moves.move[row] % 7)}{chr(97 + 6 - moves.move[row] // 7)}]"
            for row, name in enumerate(moves.games())
            if name == game
        ]
        (folder / f"g{number}.sgf").write_text(f"(;SZ[7]{''.join(played)})")
    return folder


def test_the_same_seed_gives_the_same_bytes(games: Path, tmp_path: Path) -> None:
    wanted = "random=20,suicide=5,unplayed=30"
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        code = run(
            ["sgf-to-examples", "-q", str(games), "--negatives", wanted, "--split", "0.7", "--seed", str(seed),
             "-o", str(tmp_path / f"{name}.tsv")]
        )  # fmt: skip
        assert code == 0
    for part in ("train", "test"):
        a, b, c = ((tmp_path / f"{name}-{part}.tsv").read_bytes() for name in "abc")
        assert a == b != c
    train, test = (read_examples([tmp_path / f"a-{part}.tsv"]) for part in ("train", "test"))
    both = GoExamples.concat([train, test])
    assert Counter(SOURCES[source] for source in both.source) == {
        "played": int(both.label.sum()), "random": 20, "suicide": 5, "unplayed": 30,
    }  # fmt: skip
    assert not set(train.games()) & set(test.games())
    assert not (tmp_path / "a.tsv").exists()


def test_the_split_is_the_same_with_other_negatives(games: Path, tmp_path: Path) -> None:
    found = []
    for wanted in ("unplayed=3", "suicide=2"):
        assert run(["sgf-to-examples", "-q", str(games), "--negatives", wanted, "--split", "0.7", "-o",
                    str(tmp_path / "x.tsv.gz")]) == 0  # fmt: skip
        train = read_examples([tmp_path / "x-train.tsv.gz"])
        found.append(set(train.take(train.label == 1).games()))
    assert found[0] == found[1]
