"""Tables read as a stream: however the bytes come in, the rows, their ids and the errors are those of the whole."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import forked
from support.examples import load_decisions, read_examples, stream_decisions, stream_examples
from support.induce_runs import GAMES, convert

from gotools.base.errors import FileFormatError, GotoolsError
from gotools.cli import run
from gotools.game.examples.examples import write_examples
from gotools.game.records.selection import Selection
from gotools.games.go.examples.examples import GoExamples

FULL = "##gotools examples 2\n##game=go\nid\tto_play\tposition\tko\tlast\tlast2\tmove\tlabel\tsource\n"
FEW = "##gotools examples 1\n##made by=Jörg 碁\n#move\tnothing\tposition\tto_play\n"
ROWS = {
    FULL: ("g:1\tb\t.../.X./..O\t-\tpass\tC1\tA3\t1\tplayed\n", "碁#2:40\tw\t../..\t-\t-\tA1\tB2\t0\tweak\n"),
    FEW: ("A2\t\t../XO\tw\n", "C3\tä\t.../XOX/...\tb\n"),
}  # fmt: skip
BROKEN_ROWS = ("g:1\tb\t.../...\t-\t-\t-\tA1\t1\tplayed", "ü", "g:1\tb\t../..\t-\t-\t-\tA1\t2\tplayed")
BROKEN_HEADERS = ("#to_play\tmove", "##game=shogi", "##game=go")


class Pipe(io.RawIOBase):
    """A pipe out of which the given parts come, one at each read."""

    def __init__(self, parts: list[bytes]) -> None:
        self.parts = [part for part in parts if part]

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        if not self.parts:
            return 0
        given, rest = self.parts[0][: len(room)], self.parts[0][len(room) :]
        self.parts[:1] = [rest] if rest else []
        room[: len(given)] = given
        return len(given)


def text_of(batches: list[GoExamples]) -> bytes:
    out = io.BytesIO()
    write_examples(out, GoExamples.concat([GoExamples.none(), *batches]))
    return out.getvalue()


def outcome(read: Callable[[], Iterator[GoExamples]], parts: list[bytes]) -> tuple[bytes, str]:
    """The rows that come from stdin, and the error that ends them."""
    found: list[GoExamples] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe(parts))))
        try:
            found.extend(read())
        except GotoolsError as error:
            return text_of(found), str(error)
    return text_of(found), ""


def streamed(parts: list[bytes]) -> tuple[bytes, str]:
    return outcome(lambda: stream_examples("-"), parts)


def joined(parts: list[bytes]) -> tuple[bytes, str]:
    return at_once(b"".join(parts))


def at_once(data: bytes) -> tuple[bytes, str]:
    return outcome(lambda: iter([read_examples(["-"])]), [data])


@st.composite
def whole_tables(draw: st.DrawFn, least: int = 1, most: int = 3) -> bytes:
    """A table, or several that `cat` joined, with the line ends of any system."""
    lines: list[str] = []
    for header in draw(st.lists(st.sampled_from([FULL, FEW]), min_size=least, max_size=most)):
        lines += [header, *draw(st.lists(st.sampled_from(ROWS[header]), min_size=1, max_size=5))]
    data = "".join(lines).encode()
    if draw(st.booleans()):
        data = data[:-1]
    return data.replace(b"\n", draw(st.sampled_from([b"\n", b"\r\n", b"\r"])))


@st.composite
def broken_tables(draw: st.DrawFn, broken: tuple[str, ...]) -> bytes:
    """A table with a line somewhere that cannot be there, and perhaps without a header."""
    data = draw(whole_tables(most=1))
    end = next(end for end in (b"\r\n", b"\r", b"\n") if end in data)
    lines = data.split(end)
    if draw(st.booleans()):
        lines = lines[draw(st.integers(1, len(lines) - 1)) :]
    lines.insert(draw(st.integers(0, len(lines) - 1)), draw(st.sampled_from(broken)).encode())
    return end.join(lines)


def cut(draw: st.DrawFn, data: bytes, least: int = 0) -> list[bytes]:
    """Cut bytes into parts, of which the first has `least` bytes or more."""
    places = sorted(draw(st.lists(st.integers(least, len(data)), max_size=12)))
    return [data[begin:end] for begin, end in zip([0, *places], [*places, len(data)], strict=True)]


@st.composite
def parted(draw: st.DrawFn, tables: st.SearchStrategy[bytes]) -> list[bytes]:
    return cut(draw, draw(tables))


# ---- one table ----


@settings(max_examples=200)
@given(parted(whole_tables(most=1)))
@example([FULL.encode() + ROWS[FULL][0].encode()[:40], ROWS[FULL][0].encode()[40:], ROWS[FULL][1].encode()])
def test_rows_are_those_of_the_whole_however_it_is_cut(parts: list[bytes]) -> None:
    rows, error = at_once(b"".join(parts))
    assert error == "" and rows.count(b"\n") > 3
    assert streamed(parts) == (rows, "")


@settings(max_examples=200)
@given(parted(whole_tables(least=2, most=3)))
def test_rows_of_joined_tables_are_those_of_the_whole_however_it_is_cut(parts: list[bytes]) -> None:
    rows, error = at_once(b"".join(parts))
    assert error == "" and streamed(parts) == (rows, "")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_table_that_comes_byte_by_byte(end: bytes) -> None:
    text = FULL + "".join(ROWS[FULL]) + FEW + "".join(ROWS[FEW]) + FULL + ROWS[FULL][1]
    data = text.encode().replace(b"\n", end)
    expected = at_once(data)
    assert expected[1] == "" and expected[0].count(b"\n") == 3 + 5
    assert expected[0].decode().split("\n")[5].startswith("line:9\t")
    for step in (1, 2, 3):
        assert streamed([data[k : k + step] for k in range(0, len(data), step)]) == expected


@pytest.mark.parametrize("broken", [BROKEN_ROWS, BROKEN_HEADERS])
@settings(max_examples=120)
@given(st.data())
def test_what_is_wrong_has_the_same_line_however_it_is_cut(broken: tuple[str, ...], data: st.DataObject) -> None:
    """The rows that came before it are rows above it."""
    parts = data.draw(parted(broken_tables(broken)))
    whole = b"".join(parts)
    expected, error = at_once(whole)
    rows, same = streamed(parts)
    assert same == error
    if not error:  # a line of a header may stand between rows
        assert rows == expected
        return
    lines = [line for line in rows.splitlines() if not line.startswith((b"#", b"id\t"))]
    number = int(error.split(":")[1]) if ":" in error.removeprefix("stdin: ") else 1
    above = whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")[: number - 1]
    assert len(lines) <= sum(not line.startswith((b"#", b"id\t")) for line in above)


@pytest.mark.parametrize(
    "parts",
    [
        [b""],
        [b"\r"],
        [b"\n", b"\n"],
        [FULL.encode(), b"\n", ROWS[FULL][0].encode()],
        [FULL.encode(), ROWS[FULL][0].encode() + b"\n", ROWS[FULL][1].encode()],
        [ROWS[FULL][0].encode(), FULL.encode()],
        [b"(;SZ[9];B[aa])"],
        [b"\x00" * 5000, b"\xff"],
        [b"##gotools rules 1", b"\n"],
        [b"##gotools examples 9\n#a", b"\n"],
    ],
)
def test_what_is_not_a_table_is_reported_the_same_way(parts: list[bytes]) -> None:
    assert streamed(parts)[1] == joined(parts)[1] != ""


@pytest.mark.parametrize("parts", [[FULL.encode()], [FULL.encode()[:-1] + b"\r", b"\n"], [FULL.encode()] * 2])
def test_a_header_alone_is_a_table_without_rows(parts: list[bytes]) -> None:
    assert streamed(parts) == joined(parts) == (text_of([]), "")


def test_a_joined_table_has_its_own_columns_also_behind_one_without_rows() -> None:
    other = b"#position\tmove\tto_play\nX./..\tB1\tw\n"
    (rows, error) = streamed([FULL.encode(), other])
    assert (rows, error) == joined([FULL.encode(), other])
    assert rows.splitlines()[-1].split(b"\t")[1:3] == [b"w", b"X./.."]


@st.composite
def packed(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """A table, and the parts of it packed; the first part tells that it is (see below)."""
    table = draw(whole_tables(most=1))
    return table, cut(draw, gzip.compress(table), 2)


@settings(max_examples=40)
@given(packed())
def test_a_packed_table_may_come_in_any_parts(drawn: tuple[bytes, list[bytes]]) -> None:
    table, parts = drawn
    assert streamed(parts) == at_once(table)


def test_a_packed_table_that_breaks_off_is_named() -> None:
    packed = gzip.compress(FULL.encode() + "".join(ROWS[FULL]).encode() * 20)
    for keep in (5, 30, len(packed) - 4):
        _, error = streamed([packed[:20], packed[20:keep]] if keep > 20 else [packed[:keep]])
        assert "broken gzip data" in error and error == at_once(packed[:keep])[1]


@pytest.mark.parametrize("first", [2, 10])
def test_the_head_of_a_packed_table_may_come_alone(first: int) -> None:
    """Some packers send the ten bytes of gzip's header on their own."""
    packed = gzip.compress((FULL + ROWS[FULL][0]).encode())
    parts = [packed[:first], packed[first:]]

    def read() -> Iterator[GoExamples]:
        return stream_decisions(["-"], Selection(frozenset()), lambda _: None, lambda: None)

    assert outcome(read, parts) == at_once(packed)


@pytest.mark.parametrize("line", ["##gotools rules 1", "##gotools examples 7", "##gotools examples"])
def test_a_joined_file_of_another_kind_is_named_with_its_line(line: str) -> None:
    for error in (read([f"{FULL}{ROWS[FULL][0]}{line}\n{ROWS[FULL][0]}".encode()])[1] for read in (streamed, joined)):
        assert error.startswith("stdin:5: ")


@pytest.mark.parametrize("cut_at", [0, -1, -2])
def test_empty_lines_at_the_end_are_no_rows(cut_at: int) -> None:
    data = (FULL + ROWS[FULL][0] + "\n\n").encode()
    assert at_once(data)[1] == ""
    assert streamed([data[:cut_at], data[cut_at:]]) == at_once(data)


def test_rows_come_before_the_next_part_is_read() -> None:
    header, (first, second) = FULL.encode(), (row.encode() for row in ROWS[FULL])
    pipe = Pipe([header, first, first + second[:9], second[9:], first])
    left = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(pipe)))
        for batch in stream_examples("-"):
            left.append((len(batch), len(pipe.parts)))
    assert [pair for pair in left if pair[0]] == [(1, 3), (1, 2), (1, 1), (1, 0)]


def test_large_files_come_in_several_batches(tmp_path: Path) -> None:
    row = f"game:3\tb\t{'/'.join(['.' * 19] * 19)}\t-\t-\t-\tA1\t1\tplayed\n"
    (tmp_path / "large.tsv").write_text(FULL + row * 6000)
    batches = [batch for batch in stream_examples(tmp_path / "large.tsv") if len(batch)]
    assert len(batches) > 1 and max(map(len, batches)) < 4000
    assert text_of(batches) == text_of([read_examples([tmp_path / "large.tsv"])])
    with open(tmp_path / "large.tsv", "a") as out:
        out.write("x\n" + row)
    for read in (lambda path: read_examples([path]), lambda path: list(stream_examples(path))):
        with pytest.raises(FileFormatError, match=r"large\.tsv:6004: a column is missing"):
            read(tmp_path / "large.tsv")


# ---- many files of both kinds ----


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games and tables of 9x9 and 5x5, packed and plain, one of each broken."""
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "small.sgf").write_text("(;SZ[5];B[cc];W[bb];B[];W[bc];B[bd];W[ab])(;SZ[5];B[cc];W[cc])")
    shutil.copy(GAMES[0], folder)
    convert(GAMES[1], folder / "small.sgf", "--negatives", "unplayed=30", "-o", folder / "both.tsv")
    convert(GAMES[2], "-o", folder / "more.tsv.gz")
    (folder / "broken.sgf").write_text("(;SZ[9];B[aa")
    (folder / "bad").write_text((folder / "both.tsv").read_text() + "x\n")
    return folder


def decisions(read: Callable[..., Any], paths: list[str], sizes: frozenset[int], strict: bool = False) -> list[Any]:
    """Ids, rows, remarks and the error."""
    reported: list[Any] = []
    steps: list[int] = []
    try:
        found = read(paths, Selection(sizes), reported.append, lambda: steps.append(1), strict)
        batches = [found] if isinstance(found, GoExamples) else list(found)
        assert all(map(len, batches))
        return [text_of(batches), reported, len(steps) > 0]
    except GotoolsError as error:
        return [str(error), reported]


@pytest.mark.parametrize("sizes", [(), (5,), (9,), (5, 9), (13,)])
@pytest.mark.parametrize(
    "names",
    [
        [""],
        ["both.tsv", "gnugo-0001.sgf"],
        ["gnugo-0001.sgf", "more.tsv.gz", "small.sgf", "both.tsv", "both.tsv"],
        ["more.tsv.gz"],
        ["bad"],
        ["more.tsv.gz", "bad", "small.sgf"],
        ["broken.sgf", "both.tsv"],
        ["none.tsv"],
    ],
)
def test_a_stream_of_decisions_is_what_loading_gives(folder: Path, names: list[str], sizes: tuple[int, ...]) -> None:
    paths = [str(folder / name) for name in names]
    for strict in (False, True):
        expected = decisions(load_decisions, paths, frozenset(sizes), strict)
        assert decisions(stream_decisions, paths, frozenset(sizes), strict) == expected


def test_decisions_of_games_come_first_and_tables_in_their_order(folder: Path) -> None:
    paths = [str(folder / name) for name in ("more.tsv.gz", "small.sgf", "both.tsv", "gnugo-0001.sgf")]
    batches = list(stream_decisions(paths, Selection(frozenset()), lambda _: None, lambda: None))
    games = [game for batch in batches for game in batch.games()]
    assert list(dict.fromkeys(games)) == ["small", "small@2", "gnugo-0001", "gnugo-0003", "gnugo-0002"]


# ---- a command that streams ----

COMMAND = [sys.executable, "-m", "gotools", "rank-moves", "-q"]
RULES = """%% gotools rules 1
rule(near, 40, 3, 1.25).
move(A,B,C,D) :- last_distance(A,C,D,N), range(N,1,3).
rule(low, 9, 1, -0.5).
move(A,B,C,D) :- line(A,C,D,1).
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "rules.pl"
    path.write_text(RULES)
    return path


@contextmanager
def started(*arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command with pipes at all ends, for a minute at most; stdout is buffered, as it is unless one asks."""
    command, pipe = [*COMMAND, *map(str, arguments)], subprocess.PIPE
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with forked.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as process:
        timer = threading.Timer(60, process.kill)
        timer.start()
        try:
            yield process
        finally:
            timer.cancel()
            process.kill()


def ranking(*arguments: str | Path) -> list[bytes]:
    """The lines of a ranking that is made in one go."""
    with tempfile.TemporaryDirectory() as folder:
        assert run(["rank-moves", "-q", *map(str, arguments), "-o", f"{folder}/r.tsv"]) == 0
        return Path(folder, "r.tsv").read_bytes().splitlines(keepends=True)


@pytest.mark.smoke
@pytest.mark.system
def test_rows_leave_while_the_table_is_still_coming(rules: Path, folder: Path) -> None:
    """Those of a position as soon as another position follows, of one without a move as soon as its line is there."""
    convert(GAMES[3], "-o", folder / "game.txt")
    data, expected = (folder / "game.txt").read_bytes(), ranking(folder / "game.txt", "--rules", rules)
    lines = data.splitlines(keepends=True)
    begin, half = b"".join(lines[:12]), lines[12][:50]
    names = {line.split(b"\t")[0] for line in lines[3:11]}
    early = [line for line in expected if line.startswith((b"#", b"id\t")) or line.split(b"\t")[0] in names]
    with started("--rules", rules) as process:
        assert process.stdin and process.stdout
        process.stdin.write(begin + half)
        process.stdin.flush()
        assert len(early) > 500 and [process.stdout.readline() for _ in early] == early
        out, errors = process.communicate(data[len(begin + half) :])
        assert out == b"".join(expected[len(early) :]) and (process.returncode, errors) == (0, b"")
    with started("--rules", rules) as process:
        assert process.stdin and process.stdout
        row = lines[3].split(b"\t")
        row[lines[2].split(b"\t").index(b"move")] = b"-"
        process.stdin.write(b"".join([*lines[:3], b"\t".join(row)]))
        process.stdin.flush()
        assert [process.stdout.readline() for _ in range(6)][-1].startswith(row[0])


@pytest.mark.system
def test_a_closed_pipe_is_quiet_success(rules: Path) -> None:
    games = " ".join(map(str, GAMES[:5]))
    line = f"{' '.join(COMMAND)} {games} --rules {rules} | head -1; echo ${{PIPESTATUS[@]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60)
    assert (done.stdout, done.stderr) == (b"##gotools ranking 2\n0 0\n", b"")


@pytest.mark.system
@pytest.mark.parametrize("named", [True, False])
def test_ctrl_c_leaves_whole_rows_or_the_old_file(rules: Path, tmp_path: Path, named: bool) -> None:
    (tmp_path / "few.tsv").write_text(FULL + ROWS[FULL][0])
    (tmp_path / "r.tsv").write_text("as it was")
    os.mkfifo(tmp_path / "more.tsv")
    options: list[str | Path] = ["-o", tmp_path / "r.tsv", "--metrics", tmp_path / "m.json"] if named else []
    with started(tmp_path / "few.tsv", tmp_path / "more.tsv", "--rules", rules, *options) as process:
        with open(tmp_path / "more.tsv", "wb"):  # waits until the command has come to the second file
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate()
        assert process.returncode == 130 and errors.startswith(b"gotools rank-moves: interrupted")
    assert errors.count(b"\n") == 1 and out.splitlines(keepends=True) == (
        [] if named else ranking(tmp_path / "few.tsv", "--rules", rules)
    )
    assert (
        sorted(os.listdir(tmp_path)) == ["few.tsv", "more.tsv", "r.tsv"]
        and (tmp_path / "r.tsv").read_text() == "as it was"
    )


@pytest.mark.system
def test_ctrl_c_cuts_no_row_in_two(rules: Path) -> None:
    with started(*GAMES[:10], "--rules", rules) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(1.5)  # until the pipe is full
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        out, _ = process.communicate()
        assert out.endswith(b"\n") and process.returncode == 130
