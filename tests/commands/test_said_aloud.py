"""What nobody would notice is said in a line: rules of other boards, test games learned from, moves left out."""

from __future__ import annotations

import ctypes
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.examples import random_moves
from support.induce_runs import GAMES, TEST_GAME, convert, induce

from gotools.cli import run
from gotools.game.examples.negatives import relabel
from gotools.game.records.sources import PLAYED
from gotools.games.go.examples.examples import GoExamples
from gotools.rules.boosting.memory import MemoryPlan
from gotools.rules.compiled.native import load_native
from gotools.rules.task.shared_games import shared_games

RULES = "%% gotools rules 1\n{}rule(a, 0, 0, 1).\nmove(A,B,C,D) :- line(A,C,D,3).\n"
HEADER = "##gotools examples 1\n#id\tto_play\tposition\tmove\n"
RANK = "--objective", "rank", "--max-rules", "3", "--show", "0"


@pytest.fixture
def positions(tmp_path: Path) -> Path:
    """A table with a position of 5x5 and one of 7x7."""
    path = tmp_path / "positions.tsv"
    rows = (f"p{size}:1\tb\t{'/'.join(['.' * size] * size)}\tC3\n" for size in (5, 7))
    path.write_text(HEADER + "".join(rows))
    return path


# ---- rules of other boards ----


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("%% sizes=9-9\n", "learned on 9x9; untested on 5x5 and 7x7"),
        ("%% sizes=7-13\n", "learned on 7x7 to 13x13; untested on 5x5"),
        ("%% sizes=5-7\n", ""),
        ("", ""),
        ("%% sizes=all\n", ""),
    ],
)
@pytest.mark.parametrize("suffix", ["pl", "so"])
def test_rules_say_that_they_were_learned_on_other_boards(
    header: str, message: str, suffix: str, positions: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rules = positions.with_name("rules.pl")
    rules.write_text(RULES.format(header))
    if suffix == "so":
        assert run(["compile-patterns", "-q", str(rules), "-o", str(rules.with_suffix(".so"))]) == 0
        rules = rules.with_suffix(".so")
    for jobs in ("1", "2") if "9-9" in header and suffix == "pl" else ("1",):
        assert run(["rank-moves", "-q", str(positions), "--rules", str(rules), "--jobs", jobs]) == 0
        assert capfd.readouterr().err == (f"{rules}: {message}\n" if message else "")


def test_a_library_knows_its_boards_and_is_the_same_to_others(tmp_path: Path) -> None:
    """The digest, and all that a program may ask, do not depend on the boards."""
    found = []
    for header in ("%% sizes=9-19\n", ""):
        (tmp_path / "rules.pl").write_text(RULES.format(header))
        library = tmp_path / f"{len(header)}.so"
        assert run(["compile-patterns", "-q", str(tmp_path / "rules.pl"), "-o", str(library)]) == 0
        found.append(load_native(library))
    assert [native.rules.sizes for native in found] == [(9, 19), None]
    assert found[0].digest == found[1].digest == found[0].rules.digest == found[1].rules.digest
    for size in ("14", "0"):
        digest_of = ctypes.CDLL(str(tmp_path / f"{size}.so")).gotools_rules_digest
        digest_of.restype = ctypes.c_char_p
        assert digest_of().decode() == found[0].digest


# ---- test games learned from ----


def test_test_games_that_are_learned_from_are_counted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """By what was played: one has another name, one is a table, and one was never seen."""
    (tmp_path / "another-name.sgf").write_bytes(GAMES[0].read_bytes())
    convert(GAMES[1], "-o", tmp_path / "one.tsv")
    paths = tmp_path / "another-name.sgf", tmp_path / "one.tsv", TEST_GAME
    test = [word for path in paths for word in ("--test", path)]
    assert induce(*GAMES[:3], *RANK, "-q", *test, "-o", tmp_path / "rules.pl") == 0
    message = "--test: 2 of 3 games to measure on are learned from as well; the figures flatter the rules\n"
    assert capfd.readouterr().err == message
    assert induce(*GAMES[:3], *RANK, "-q", "--test", TEST_GAME, "-o", tmp_path / "rules.pl") == 0
    assert capfd.readouterr().err == ""


def games(count: int, size: int, seed: int) -> GoExamples:
    """Moves of so many games, twelve of each, on random positions."""
    rows = relabel(random_moves(12 * count, size, seed=seed), PLAYED)
    rows.game[:] = np.arange(len(rows)) // 12
    return replace(rows, names=[f"{size}-{seed}-{k}" for k in range(count)])


def test_a_game_is_shared_if_all_of_its_moves_are_and_enough() -> None:
    train, other = games(6, 9, seed=1), games(6, 9, seed=2)
    assert shared_games(other, train) == ""
    both = GoExamples.concat([games(2, 19, seed=3), train])  # boards of another width, games of other numbers
    assert shared_games(GoExamples.concat([train.take(train.game < 4), other]), both).startswith("4 of 10 games ")
    part = train.take(np.arange(len(train)) % 12 < 11)
    assert shared_games(train, part) == ""  # a move of each is not there
    assert shared_games(part, train).startswith("6 of 6 games ")
    assert shared_games(train.take(np.arange(12)), train).startswith("the only game ")
    assert shared_games(train.take(np.arange(4)), train) == ""  # the first moves of many games


# ---- moves that are left out ----


def test_a_limit_of_memory_is_reported_with_what_lifts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as small:
        small.setattr(MemoryPlan, "of_decisions", lambda self: 4000)
        assert induce(*GAMES[:4], *RANK, "-o", tmp_path / "rules.pl") == 0
    first = capfd.readouterr().err.splitlines()[0]
    found = re.fullmatch(
        r"(\d+) of (\d+) moves to learn from \(as many as --memory allows\), against all other legal moves", first
    )
    assert found and 30 < int(found[1]) < 100 < int(found[2])
    assert induce(*GAMES[:4], *RANK, "--positives", "all", "-o", tmp_path / "rules.pl") == 0
    assert re.match(r"(\d+) of \1 moves to learn from, against", capfd.readouterr().err)
    assert induce(*GAMES[:4], "--positives", "50", "--nodes", "50", "--show", "0", "-o", tmp_path / "rules.pl") == 0
    (first,) = (line for line in capfd.readouterr().err.splitlines() if "moves to learn from" in line)
    assert re.fullmatch(r"50 of \d+ moves to learn from, 50 counter.*; --positives sets another number", first)
