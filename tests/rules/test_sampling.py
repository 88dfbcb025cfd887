"""The draw of examples and counter-examples, and the texts that ask for it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.examples import random_moves

from gotools.base.errors import GotoolsError
from gotools.game.examples.negatives import relabel
from gotools.game.records.sources import PLAYED, RANDOM, SOURCES, SUICIDE, UNPLAYED, WEAK
from gotools.games.go.examples.examples import GoExamples
from gotools.rules.task.sampling import allowed_noise, counter_examples, parse_positives, training_rows

PLAYED_MOVES = relabel(random_moves(40, 5, seed=1), PLAYED)
KEPT = GoExamples.concat(
    [PLAYED_MOVES, relabel(random_moves(12, 5, seed=2), RANDOM), relabel(random_moves(9, 5, seed=3), WEAK)]
)
"""40 examples, 12 counter-examples of source random and 9 of source weak."""


def drawn(
    positives: int | None, wanted: dict[str, int | None], seed: int = 0, rows: GoExamples = KEPT
) -> tuple[GoExamples, list[str]]:
    reported: list[str] = []
    made = training_rows(
        rows, positives, wanted, seed, lambda count, size: random_moves(count, size, seed), reported.append
    )
    return made, reported


def keys(rows: GoExamples) -> list[tuple[str, int]]:
    return list(zip(rows.id, rows.move.tolist(), strict=True))


def of_source(rows: GoExamples, source: int) -> GoExamples:
    return rows.take(rows.source == source)


@given(st.integers(1, 60), st.integers(0, 99))
def test_positives_are_drawn_without_repetition(count: int, seed: int) -> None:
    rows, _ = drawn(count, {}, seed)
    positives = rows.take(rows.label == 1)
    assert len(positives) == min(count, 40) == len(set(keys(positives))) and set(keys(positives)) <= set(keys(KEPT))
    assert rows.label.tolist() == sorted(rows.label.tolist(), reverse=True)
    assert keys(drawn(count, {}, seed)[0]) == keys(rows)
    if count >= 40:
        assert keys(positives) == keys(PLAYED_MOVES)


def test_every_move_is_drawn_as_often_as_any_other() -> None:
    hits = np.zeros(40)
    number = {key: at for at, key in enumerate(keys(PLAYED_MOVES))}
    for seed in range(400):
        hits[[number[key] for key in keys(drawn(10, {}, seed, PLAYED_MOVES)[0])[:10]]] += 1
    assert hits.sum() == 4000 and hits.min() > 60 and hits.max() < 145  # 100 expected, 5 deviations of 8.7 allowed


def test_all_stands_in_the_order_of_the_files() -> None:
    assert keys(drawn(None, {})[0]) == keys(KEPT)


def test_without_a_wish_the_counter_examples_of_the_file_count() -> None:
    rows, found = drawn(5, {})
    assert keys(rows.take(rows.label == 0)) == keys(KEPT.take(KEPT.label == 0)) and not found


def test_without_a_wish_and_without_a_file_as_many_unplayed_moves_are_drawn() -> None:
    rows, found = drawn(15, {}, rows=PLAYED_MOVES)
    assert rows.source.tolist() == [PLAYED] * 15 + [UNPLAYED] * 15 and not found
    played = {(size, board.tobytes()) for size, board in zip(rows.size[:15], rows.board[:15], strict=True)}
    assert {(size, board.tobytes()) for size, board in zip(rows.size[15:], rows.board[15:], strict=True)} <= played


def test_sources_come_from_the_file_where_it_has_them_and_are_drawn_where_not() -> None:
    rows, found = drawn(20, {"random": 4, "unplayed": 6, "suicide": 2, "weak": None})
    assert rows.source.tolist() == [PLAYED] * 20 + [RANDOM] * 4 + [UNPLAYED] * 6 + [SUICIDE] * 2 + [WEAK] * 9
    assert found == ["weak: 9 counter-examples, all there are (20 wanted)"]
    for source in (RANDOM, WEAK):
        assert set(keys(of_source(rows, source))) <= set(keys(of_source(KEPT, source)))


def test_random_moves_are_played_where_no_file_has_them() -> None:
    rows, _ = drawn(20, {"random": 7}, rows=PLAYED_MOVES)
    assert rows.source.tolist() == [PLAYED] * 20 + [RANDOM] * 7 and rows.size.tolist() == [5] * 27


def test_missing_counter_examples_are_reported() -> None:
    rows, found = drawn(3, {"weak": 8}, rows=PLAYED_MOVES)
    assert len(rows) == 3
    assert found == ["0 counter-examples of source weak, 8 wanted: there are no more"]


def test_the_count_of_one_source_does_not_change_the_draw_of_another() -> None:
    one, other = (drawn(10, {"random": count, "unplayed": 10, "weak": 5}, seed=4)[0] for count in (2, 9))
    for source in (PLAYED, UNPLAYED, WEAK):
        assert keys(of_source(one, source)) == keys(of_source(other, source))


def test_another_seed_is_another_draw() -> None:
    one, other = (drawn(10, {"weak": 5, "unplayed": 10}, seed)[0] for seed in (1, 2))
    for source in (PLAYED, UNPLAYED, WEAK):
        assert keys(of_source(one, source)) != keys(of_source(other, source))


def test_what_positives_may_say() -> None:
    assert [parse_positives(text) for text in ("1", "1500", "007", "all")] == [1, 1500, 7, None]
    for text in ("0", "-1", "", "1.5", "many", "1e3", "²", "9" * 5000, "ALL"):
        with pytest.raises(GotoolsError, match="neither a number from 1 nor `all`"):
            parse_positives(text)


def test_what_noise_may_say() -> None:
    said = {"0": 0, "40": 40, "15%": 30, "0%": 0, "100%": 200, "12.5%": 25, ".5%": 1, "150%": 300}
    assert {text: allowed_noise(text, 200) for text in said} == said
    for text in ("", "%", "-1", "1.5", "15 %", "15%%", ".", "1e3", "٣", "9" * 10, "nan%", "inf%"):
        with pytest.raises(GotoolsError, match="neither a number nor a share"):
            allowed_noise(text, 200)


def test_sources_are_counted_in_words() -> None:
    assert counter_examples(KEPT) == "random 12, weak 9"
    assert counter_examples(PLAYED_MOVES) == "none"
    assert SOURCES.index("weak") == WEAK
