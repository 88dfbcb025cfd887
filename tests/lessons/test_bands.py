"""Ranks as steps, and bands of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gotools.base.errors import GotoolsError
from gotools.views.lessons.bands import DEFAULT_BANDS, band_of, halves, parse_bands, rank_text, steps_of

RANKS = [f"{kyu}k" for kyu in range(30, 0, -1)] + [f"{dan}d" for dan in range(1, 10)]


def test_from_30k_to_9d_each_rank_is_one_step() -> None:
    assert [steps_of(rank) for rank in RANKS] == list(range(-29, 10))
    assert [rank_text(steps_of(rank)) for rank in RANKS] == RANKS
    assert math.isnan(steps_of("")) and math.isnan(steps_of("?"))


def test_ranks_between_two_and_those_of_professionals() -> None:
    assert steps_of("0k") == 0.5 and steps_of("2050") == 0.5  # between 1k and 1d
    assert steps_of("1p") == 7 and steps_of("9p") == pytest.approx(9.4)
    assert [rank_text(steps) for steps in (-0.4, 0.4, 0.5, 1.4)] == ["1k", "1k", "1d", "1d"]


def test_each_rank_has_one_band() -> None:
    bands = parse_bands(DEFAULT_BANDS)
    found = band_of(np.array([steps_of(rank) for rank in RANKS]), bands)
    assert found.tolist() == [0] * 11 + [1] * 10 + [2] * 9 + [3] * 9
    assert band_of(np.array([steps_of("0k"), steps_of("12d"), math.nan]), bands).tolist() == [3, -1, -1]


def test_a_band_may_be_one_rank_and_bands_may_leave_gaps() -> None:
    bands = parse_bands("20k, 5k-1k ,3d")
    assert [band.name for band in bands] == ["20k", "5k-1k", "3d"]
    assert band_of(np.array([steps_of(rank) for rank in ("20k", "19k", "5k", "1k", "1d", "3d")]), bands).tolist() == [
        0, -1, 1, 1, -1, 2,
    ]  # fmt: skip


def test_bands_of_ratings_hold_the_ratings_and_no_ranks() -> None:
    bands = parse_bands("1000-1499,1500-1999")
    found = np.array([bands[0].scale.steps(text) for text in ("1499", "1499.6", "1500?", "1999", "2000", "6k", "")])
    assert band_of(found, bands).tolist() == [0, 1, 1, 1, -1, -1, -1]
    assert bands[0].scale.text(1499.6) == "1500"


@pytest.mark.parametrize(
    ("ratings", "bands"),
    [([0.2, 0.1], [1, 0]), ([-5, 7, math.nan, 7, 90], [0, 1, -1, 1, 1]), ([1, 2, 3, 4, 1], [0, 0, 1, 1, 0])],
)
def test_halves_are_the_weaker_and_the_stronger(ratings: list[float], bands: list[int]) -> None:
    assert band_of(np.array(ratings), halves(np.array(ratings))).tolist() == bands


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("1000-1499,1d-9d", "bands of ranks and of ratings"),
        ("3k", "is one band"),
        ("1d-9d,9k-1k", "does not begin above 1d-9d"),
        ("9k-1k,1k-3d", "does not begin above 9k-1k"),
        ("1k-9k,1d", "ends below its begin"),
        ("a-b,1d", "is not a band of ranks"),
        ("", "is not a band of ranks"),
    ],
)
def test_what_are_no_bands(text: str, what: str) -> None:
    with pytest.raises(GotoolsError, match=what):
        parse_bands(text)
