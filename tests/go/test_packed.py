"""Decisions packed into bits: what goes in comes out, and an even sample where there is no room for all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import random_moves

from gotools.game.examples.negatives import relabel
from gotools.game.examples.packed import pack
from gotools.game.records.sources import PLAYED
from gotools.games.go.examples.examples import GoExamples


def rows(size: int, count: int, seed: int = 0) -> GoExamples:
    return relabel(random_moves(count, size, seed=seed), PLAYED)


def text(examples: GoExamples) -> bytes:
    return bytes(examples.text())


@pytest.mark.parametrize("size", [2, 5, 9, 13, 19])
def test_what_is_packed_comes_out_again(size: int) -> None:
    given_ = rows(size, 50)
    packed = pack([given_.take(np.arange(20)), given_.take(np.arange(20, 50))])
    assert text(packed.take(np.arange(50))) == text(given_)
    assert packed.seen == len(packed) == 50 and packed.cells == size * size
    assert packed.nbytes <= 50 * (2 * (size * size // 8 + 1) + 24)


def test_boards_of_different_sizes_stand_side_by_side() -> None:
    parts = [rows(19, 10), rows(5, 10), rows(9, 10)]
    packed = pack(parts)
    assert text(packed.take(np.arange(30))) == b"".join(text(part) for part in parts)
    some = np.array([29, 3, 12, 3])
    assert text(packed.only(some).take(np.arange(4))) == text(GoExamples.concat(parts).take(some))


def test_counter_examples_are_left_out() -> None:
    both = GoExamples.concat([rows(5, 6), random_moves(7, 5, seed=2)])
    assert text(pack([both]).take(np.arange(6))) == text(rows(5, 6))


@given(st.integers(1, 400), st.integers(0, 5))
def test_a_sample_is_even_and_no_larger_than_allowed(most: int, seed: int) -> None:
    whole = rows(5, 300)
    a_row = pack([whole]).nbytes // 300
    packed = pack([whole.take(np.arange(at, at + 50)) for at in range(0, 300, 50)], most * a_row, seed)
    assert packed.seen == 300 and len(packed) == 300 if most >= 300 else len(packed) <= most
    kept = text(packed.take(np.arange(len(packed)))).split(b"\n")[:-1]
    every = text(whole).split(b"\n")[:-1]
    at = [every.index(line) for line in kept]
    assert at == sorted(at)
    again = pack([whole], most * a_row, seed)  # the batches do not matter
    assert text(again.take(np.arange(len(again)))) == text(packed.take(np.arange(len(packed))))


def test_a_sample_has_rows_of_all_parts() -> None:
    whole = rows(5, 300)
    counts = np.zeros(300)
    for seed in range(200):
        packed = pack([whole], pack([whole]).nbytes // 2, seed)
        ids = {name: k for k, name in enumerate(whole.id)}
        counts[[ids[name] for name in packed.take(np.arange(len(packed))).id]] += 1
    assert counts.min() > 40 and counts.max() < 145  # 100 of 200 expected at most, with a deviation of 7
