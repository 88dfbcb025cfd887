"""Reading and writing examples: what goes in comes out, and what is wrong is named with its line."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import read_examples
from support.position_text import position_text

from gotools.base.errors import FileFormatError
from gotools.game.examples.examples import write_examples
from gotools.game.examples.states import States
from gotools.game.records.reading import read_records
from gotools.game.records.sources import SOURCES
from gotools.games.go.examples.examples import GoExamples
from gotools.games.go.go import GO
from gotools.games.go.points import NONE, PASS, vertex

HEADER = "##gotools examples 2\n##game=go\nid\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel\tsource\n"
ROW = "g:1\tb\t.../.X./..O\t-\tpass\tC1\tA3\t1\tplayed\n"


def text_of(examples: GoExamples) -> bytes:
    out = io.BytesIO()
    write_examples(out, examples)
    return out.getvalue()


def slow_text(examples: GoExamples) -> str:
    """The same lines written one by one from the text functions of points.py."""
    lines = []
    for row, name in enumerate(examples.id):
        size = int(examples.size[row])
        points = (examples.ko[row], examples.last[row], examples.last2[row], examples.move[row])
        fields = [name, "-bw"[examples.to_play[row]], position_text(examples.board[row], size)]
        fields += [vertex(int(point), size) for point in points]
        fields += [str(examples.label[row]), SOURCES[examples.source[row]]]
        lines.append("\t".join(fields) + "\n")
    return HEADER + "".join(lines)


@st.composite
def tables(draw: st.DrawFn) -> GoExamples:
    sizes = draw(st.lists(st.integers(2, 19), min_size=1, max_size=6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    parts = []
    for number, size in enumerate(sizes):
        board = rng.integers(0, 3, size * size).astype(np.uint8)
        move = int(rng.integers(size * size))
        board[move] = 0
        others = rng.integers(PASS, size * size, 3).astype(np.int16)
        others[0] = max(others[0], NONE)
        byte = [np.array([value], np.uint8) for value in (size, rng.integers(1, 3), rng.integers(2), rng.integers(5))]
        name = draw(st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=8)).lstrip("#")
        parts.append(
            GoExamples(
                names=[name], game=np.zeros(1, np.int32), ply=np.array([number], np.int32), size=byte[0],
                to_play=byte[1], board=board[None], ko=others[:1], last=others[1:2], last2=others[2:],
                move=np.array([move], np.int16), label=byte[2], source=byte[3],
            )
        )  # fmt: skip
    return GoExamples.concat(parts)


@settings(max_examples=60, deadline=None)
@given(tables())
def test_written_examples_read_back_the_same(tmp_path_factory: pytest.TempPathFactory, examples: GoExamples) -> None:
    data = text_of(examples)
    assert data.decode() == slow_text(examples)
    path = tmp_path_factory.mktemp("round") / "e.tsv.gz"
    path.write_bytes(gzip.compress(data + data))
    twice = read_examples([path])
    assert text_of(twice) == text_of(GoExamples.concat([examples, examples]))
    assert twice.board.dtype == np.uint8 and twice.move.dtype == np.int16


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", None, "expected examples"),
        (ROW, None, "expected examples"),
        ("##gotools rules 1\n" + ROW, None, "a file of rules"),
        ("##gotools examples 3\n" + ROW, 1, "newer gotools"),
        ("##gotools examples 1\n##game=shogi\n#to_play\tposition\tmove\n", 1, "shogi"),
        ("#to_play\tposition\n", 1, "no column move"),
        (HEADER + ROW + ROW.replace("\tb\t", "\tx\t"), 5, "to_play"),
        (HEADER + ROW.replace("..O", ".O"), 4, "position"),
        (HEADER + ROW.replace("..O", ".?O"), 4, "position"),
        (HEADER + ROW.replace(".../.X./..O", "."), 4, "2x2"),
        (HEADER + ROW.replace("A3", "D3"), 4, "GTP vertex"),
        (HEADER + ROW.replace("A3", "A4"), 4, "GTP vertex"),
        (HEADER + ROW.replace("A3", "pass"), 4, "move is not a point"),
        (HEADER + ROW.replace("A3", "B2"), 4, "on a stone"),
        (HEADER + ROW.replace("\t1\t", "\tyes\t"), 4, "label"),
        (HEADER + ROW.replace("played", "guess"), 4, "source"),
        (HEADER + "g:1\tb\n", 4, "missing"),
        (HEADER + ROW + "\n" + ROW, 5, "an empty line"),
        (HEADER + ROW + HEADER + ROW + "x\n", 9, "missing"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    path = tmp_path / "examples.tsv"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=what) as caught:
        read_examples([path])
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_columns_are_found_by_name_and_may_be_absent(tmp_path: Path) -> None:
    path = tmp_path / "few.tsv"
    path.write_text("#move\tcolour of the sky\tposition\tto_play\tlabel\r\nA2\tblue\t../XO\tw\t0\r\n")
    examples = read_examples([path])
    assert text_of(examples).decode() == HEADER + "line:2\tw\t../XO\t-\t-\t-\tA2\t0\trandom\n"


def test_take_and_concat_keep_rows_whole(tmp_path: Path) -> None:
    path = tmp_path / "e.tsv"
    path.write_text(HEADER + ROW + ROW.replace("g:1", "h#2:7").replace(".../.X./..O", "..../..../..../...."))
    examples = read_examples([path])
    assert examples.board.shape == (2, 16) and examples.games() == ["g", "h#2"]
    assert text_of(examples.take(np.array([1, 0]))).decode().splitlines()[3].startswith("h#2:7\t")
    assert len(examples.take(np.array([False, True]))) == 1


def test_decisions_are_those_that_any_other_game_would_have() -> None:
    """Of records with handicaps: the twin plays every move by the rules, and keeps states."""
    records = [record for _, record in read_records(["examples/test-games"], GO, pytest.fail)][:25]
    assert any(record.setup for record in records)
    (rows, stops), (twin, others) = GoExamples.played(records, GO), States.played(records, GO)
    assert stops == others and rows.id == twin.id
    for name in ("size", "to_play", "move", "label", "source"):
        assert np.array_equal(getattr(rows, name), getattr(twin, name)), name
    legal, expected = rows.legal(), twin.legal()
    assert np.array_equal(legal.first, expected.first) and np.array_equal(legal.place, expected.place)
    assert [GO.draw(rows.state(row)) for row in range(len(rows))] == [
        GO.draw(one) for one in map(twin.state, range(len(twin)))
    ]
