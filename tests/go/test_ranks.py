"""Ranks and ratings as people and servers write them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotools.base.errors import GotoolsError
from gotools.game.records.ranks import LEAST, MOST, parse_rank, rank_value

RANKS = [(f"{k}k", -k) for k in range(30, 0, -1)] + [(f"{d}d", d) for d in range(1, 10)]
RANKS += [(f"{p}p", 50 + p) for p in range(1, 10)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1k", -1), ("30k", -30), ("18k?", -18), ("-8k", -8), ("0k", 0), ("12 kyu", -12), ("18级", -18), ("2級", -2),
        ("1d", 1), ("7d?", 7), ("5 dan", 5), ("9段", 9), ("九段", 9), ("初段", 1), ("６段", 6), ("11d", 11),
        ("3단", 3), ("8 Dan*", 8), ("1p", 51), ("P9段", 59), ("9p, Tengen", 59), ("5p & 4p", 55), ("9 dan pro", 59),
        ("pro 3d", 53), ("1500 (6k)", -6), ("Honinbo", None), ("?", None), ("", None), ("NR", None),
        ("12.5k", None), ("AGA 3.5d", None), ("1200p", None),
        ("二十级", -20), ("十二級", -12), ("廿五级", -25), ("二五級", -25), ("２０級", -20), ("18급", -18),
        ("職業初段", 51),
        ("职业九段", 59), ("专业四段", 54), ("九段 (职业)", 59), ("プロ九段", 59), ("プロ棋士 七段", 57),
        ("프로 9단", 59),
        ("초단", 1), ("入段", 1), ("业余5段", 5), ("アマ六段", 6), ("아마 5단", 5), ("Ｐ９段", 59),
        ("top 5d", 5), ("段", None),
    ],
)  # fmt: skip
def test_ranks_as_people_write_them(text: str, value: float | None) -> None:
    assert rank_value(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1500?", -6), ("1500", -6), (" 1500 ?", -6), ("~1500", -6), ("1850*", -2.5), ("１５００？", -6),
        ("2103", 1.03), ("100", -20), ("150.5", -19.495), ("2000", -1), ("2001", -0.98), ("2050", 0), ("2100", 1),
        ("2200", 2), ("2699.9", 6.999), ("2700", 51), ("2750.5", 51 + 50.5 / 30), ("2730", 52), ("2940", 59),
        ("3999", 51 + 1299 / 30), ("99", None), ("99.99", None), ("099", None), ("3999.5", None), ("4000", None),
        ("10000", None), ("1500.", None), ("-1500", None), ("+1500", None), ("1,500", None), ("1500 1600", None),
        ("1500/8", None), ("Elo 1500", None), ("1500 points", None), ("1.5e3", None), ("一二三四", None),
        ("nan", None), ("inf", None), ("???", None),
    ],
)  # fmt: skip
def test_ratings_on_the_scale_of_the_european_federation(text: str, value: float | None) -> None:
    assert rank_value(text) == (None if value is None else pytest.approx(value, abs=1e-9))


def test_ratings_agree_with_the_ranks_they_stand_for() -> None:
    for kyu in range(1, 21):
        assert rank_value(str(2100 - 100 * kyu)) == rank_value(f"{kyu}k")
    for dan in range(1, 7):
        assert rank_value(str(2000 + 100 * dan)) == rank_value(f"{dan}d")
    for professional in range(1, 10):
        assert rank_value(str(2670 + 30 * professional)) == rank_value(f"{professional}p")


def value_of(text: str) -> float:
    value = rank_value(text)
    assert value is not None, text
    return value


def test_the_scale_rises_with_ranks_and_with_ratings() -> None:
    ranks = [value_of(text) for text, _ in RANKS]
    assert ranks == [value for _, value in RANKS] == sorted(ranks)
    ratings = [value_of(f"{rating / 4:g}") for rating in range(4 * LEAST, 4 * MOST + 1)]
    steps = [after - before for before, after in itertools.pairwise(ratings)]
    assert min(steps) > 0
    assert sorted(steps)[-2] < 0.01 < max(steps)  # but for the step from amateurs to professionals


@given(st.text() | st.text("0123456789.?*~ kdp级段十九-~１"))
def test_any_text_is_read_or_is_no_rank(text: str) -> None:
    value = rank_value(text)
    assert value is None or -99 <= value <= 149
    if value is None:
        with pytest.raises(GotoolsError, match="is not a rank; write it as 12k, 3d, 5p or 1500"):
            parse_rank(text)
    else:
        assert parse_rank(text) == value
